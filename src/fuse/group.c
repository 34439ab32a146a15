/* Putting a group together: see fuse.c for the rules. */
#include "fuse/group.h"

#include <string.h>

/* ---- spaces ------------------------------------------------------------------------------ */

/* How the dimensions of one space lie in a finer one. */
typedef struct division {
    int ndim;
    int64_t shape[PS__FUSE_DIMS];
    uint8_t a[PS__FUSE_DIMS], b[PS__FUSE_DIMS];           /* which dimension of each */
    int64_t a_step[PS__FUSE_DIMS], b_step[PS__FUSE_DIMS]; /* how far a step goes there */
} division;

typedef struct walk {
    const int64_t *shape;
    int at;       /* dimension */
    int64_t left; /* of its length */
    int64_t step; /* within it */
} walk;

static void walk_next(walk *w)
{
    w->step = 1;
    while (--w->at >= 0 && w->shape[w->at] == 1)
        ;
    w->left = w->at >= 0 ? w->shape[w->at] : 1;
}

/* The coarsest space that is finer than both; from the innermost dimension outward. */
static bool divide(int andim, const int64_t *ashape, int bndim, const int64_t *bshape, division *d)
{
    walk a = {.shape = ashape, .at = andim}, b = {.shape = bshape, .at = bndim};
    walk_next(&a);
    walk_next(&b);
    int first = PS__FUSE_DIMS;
    while (a.at >= 0 && b.at >= 0) {
        int64_t length = a.left < b.left ? a.left : b.left;
        if (a.left % length != 0 || b.left % length != 0 || first == 0)
            return false;
        first--;
        d->shape[first] = length;
        d->a[first] = (uint8_t)a.at;
        d->b[first] = (uint8_t)b.at;
        d->a_step[first] = a.step;
        d->b_step[first] = b.step;
        a.left /= length;
        b.left /= length;
        a.step *= length;
        b.step *= length;
        if (a.left == 1)
            walk_next(&a);
        if (b.left == 1)
            walk_next(&b);
    }
    if (a.at >= 0 || b.at >= 0)
        return false;
    d->ndim = PS__FUSE_DIMS - first;
    for (int i = 0; i < d->ndim; i++) { /* to the front */
        d->shape[i] = d->shape[first + i];
        d->a[i] = d->a[first + i];
        d->b[i] = d->b[first + i];
        d->a_step[i] = d->a_step[first + i];
        d->b_step[i] = d->b_step[first + i];
    }
    return true;
}

static void refine_view(ps__fuse_view *view, const division *d)
{
    int64_t strides[PS__FUSE_DIMS];
    for (int i = 0; i < d->ndim; i++)
        strides[i] = view->strides[d->a[i]] * d->a_step[i];
    memcpy(view->strides, strides, sizeof strides);
}

/* The group's own space becomes the finer one. */
static void refine(ps__fuse_group *g, const division *d)
{
    if (d->ndim == g->ndim)
        return;
    for (unsigned i = 0; i < g->inputs; i++)
        refine_view(&g->input[i], d);
    for (unsigned i = 0; i < g->written; i++)
        refine_view(&g->write[i].view, d);
    g->ndim = d->ndim;
    memcpy(g->shape, d->shape, sizeof g->shape);
}

/* A member's operand over the group's space. */
static ps__fuse_view member_view(const ps__task *task, unsigned index, ps__buffer *buffer,
                                 const division *d)
{
    const ps__operand *operand = &task->operands[index];
    ps__fuse_view view = {.buffer = buffer,
                          .offset = task->held[index].offset,
                          .dtype = operand->dtype};
    for (int i = 0; i < d->ndim; i++)
        view.strides[i] = operand->strides[d->b[i]] * d->b_step[i];
    return view;
}

static bool same_view(const ps__fuse_group *g, const ps__fuse_view *a, const ps__fuse_view *b)
{
    return a->offset == b->offset && a->dtype == b->dtype &&
           memcmp(a->strides, b->strides, (size_t)g->ndim * sizeof a->strides[0]) == 0;
}

/* ---- values ------------------------------------------------------------------------------ */

static ps__fuse_written *find_written(ps__fuse_group *g, const ps__buffer *buffer)
{
    for (unsigned i = 0; i < g->written; i++)
        if (g->write[i].view.buffer == buffer)
            return &g->write[i];
    return NULL;
}

/* The value of an input; -1: it conflicts with what members write, or there is no room. */
static int input_value(ps__fuse_group *g, const ps__fuse_view *view)
{
    ps__fuse_written *written = view->buffer != NULL ? find_written(g, view->buffer) : NULL;
    if (written != NULL)
        return same_view(g, &written->view, view) ? written->value : -1;
    for (unsigned i = 0; i < g->inputs; i++) {
        const ps__fuse_view *known = &g->input[i];
        if (known->buffer == view->buffer && same_view(g, known, view) &&
            (view->buffer != NULL ||
             memcmp(&known->constant, &view->constant, sizeof view->constant) == 0))
            return PS__FUSE_INPUT + (int)i;
    }
    if (g->inputs == PS__INPUTS)
        return -1;
    g->input[g->inputs] = *view;
    return PS__FUSE_INPUT + (int)g->inputs++;
}

static int literal_value(ps__fuse_group *g, const ps__element *literal, uint8_t type)
{
    for (unsigned i = 0; i < g->literals; i++)
        if (g->literal_type[i] == type && memcmp(&g->literal[i], literal, sizeof *literal) == 0)
            return PS__FUSE_LITERAL + (int)i;
    if (g->literals == PS__LITERALS)
        return -1;
    g->literal[g->literals] = *literal;
    g->literal_type[g->literals] = type;
    return PS__FUSE_LITERAL + (int)g->literals++;
}

/* Whether the output may be written: nobody in the group reads other elements of its buffer. */
static bool may_write(ps__fuse_group *g, const ps__fuse_view *view, bool *read_before)
{
    *read_before = false;
    const ps__fuse_written *written = find_written(g, view->buffer);
    if (written != NULL && !same_view(g, &written->view, view))
        return false;
    for (unsigned i = 0; i < g->inputs; i++)
        if (g->input[i].buffer == view->buffer) {
            if (!same_view(g, &g->input[i], view))
                return false;
            *read_before = true;
        }
    return true;
}

/* There is room for it. */
static void note_written(ps__fuse_group *g, const ps__fuse_view *view, uint16_t value,
                         bool read_before)
{
    ps__fuse_written *written = find_written(g, view->buffer);
    if (written == NULL) {
        written = &g->write[g->written++];
        *written = (ps__fuse_written){.view = *view};
    }
    written->value = value;
    written->read_before |= read_before;
}

/* ---- kinds -------------------------------------------------------------------------------- */

static bool is_map(const ps__task *task)
{
    return task->work->kind == PS__WORK_MAP;
}

static bool is_reduce(const ps__task *task)
{
    return task->work->kind == PS__WORK_REDUCE;
}

static const ps__work_map *map_of(const ps__task *task)
{
    return (const ps__work_map *)task->work;
}

static const ps__work_reduce *reduce_of(const ps__task *task)
{
    return (const ps__work_reduce *)task->work;
}

/* ---- members ----------------------------------------------------------------------------- */

void ps__fuse_begin(ps__fuse_group *g)
{
    g->home = NULL;
    g->members = g->inputs = g->literals = g->steps = g->written = 0;
    g->reduce = NULL;
}

/* What the inputs and literals of a member's program are in the group's. */
static bool map_values(ps__fuse_group *g, ps__task *task, const division *d, uint16_t *values)
{
    const ps__work_map *work = map_of(task);
    const ps__program *program = work->program;
    for (unsigned a = 0; a < program->inputs; a++) {
        unsigned source = work->source[a];
        ps__fuse_view view = {.dtype = program->types[a]};
        if (source & PS__CONSTANT) {
            view.constant = ps__map_constants(work)[source & ~PS__CONSTANT];
        } else {
            const ps__held *held = &task->held[source];
            bool renamed = source < task->outputs && held->old != NULL;
            view = member_view(task, source, renamed ? held->old : held->buffer, d);
        }
        int value = input_value(g, &view);
        if (value < 0)
            return false;
        values[a] = (uint16_t)value;
    }
    for (unsigned l = 0; l < program->literals; l++) {
        int value = literal_value(g, &program->literal[l], program->types[program->inputs + l]);
        if (value < 0)
            return false;
        values[program->inputs + l] = (uint16_t)value;
    }
    return true;
}

static bool same_step(const ps__fuse_step *a, const ps__fuse_step *b)
{
    const ps__instruction *i = &a->instruction, *k = &b->instruction;
    return i->prim == k->prim && i->dtype == k->dtype && i->result == k->result &&
           memcmp(a->args, b->args, i->arity * sizeof a->args[0]) == 0;
}

/* The first step that does the same; the last one is the step itself. */
static unsigned first_like(const ps__fuse_group *g, unsigned last)
{
    unsigned i = 0;
    while (i < last && !same_step(&g->step[i], &g->step[last]))
        i++;
    return i;
}

/* What a member computes that another has computed is not done a second time. */
static void append_steps(ps__fuse_group *g, const ps__program *program, uint16_t *values)
{
    for (unsigned i = 0; i < program->instructions; i++) {
        ps__fuse_step *step = &g->step[g->steps];
        step->instruction = program->instruction[i];
        for (unsigned a = 0; a < step->instruction.arity; a++)
            step->args[a] = values[program->instruction[i].args[a]];
        unsigned same = first_like(g, g->steps);
        g->steps += same == g->steps;
        values[ps__program_value(program, i)] = (uint16_t)(PS__FUSE_STEP + same);
    }
}

/* Views of a member's outputs; false if one of them may not be written in this group. */
static bool map_outputs(ps__fuse_group *g, ps__task *task, const division *d, ps__fuse_view *views,
                        bool *read_before)
{
    for (unsigned o = 0; o < task->outputs; o++) {
        const ps__held *held = &task->held[o];
        views[o] = member_view(task, o, held->buffer, d);
        if ((held->use == PS__PART && held->old != NULL) ||
            !may_write(g, &views[o], &read_before[o]))
            return false;
    }
    return true;
}

/* On failure the group may have inputs and literals that nothing uses: they do no harm, but are
 * taken out again so that they do not take up room. */
static bool add_map(ps__fuse_group *g, ps__task *task, const division *d)
{
    const ps__program *program = map_of(task)->program;
    unsigned inputs = g->inputs, literals = g->literals;
    uint16_t values[PS__VALUES];
    ps__fuse_view views[PS__STORES];
    bool read_before[PS__STORES];
    bool fits = g->steps + program->instructions <= PS__INSTRUCTIONS &&
                g->written + task->outputs <= PS__STORES && map_values(g, task, d, values) &&
                map_outputs(g, task, d, views, read_before);
    if (!fits) {
        g->inputs = inputs;
        g->literals = literals;
        return false;
    }
    append_steps(g, program, values);
    for (unsigned o = 0; o < task->outputs; o++)
        note_written(g, &views[o], values[program->store[o].value], read_before[o]);
    return true;
}

/* The reduction's operand must be a value of the group; its result must be new. */
static bool add_reduce(ps__fuse_group *g, ps__task *task, const division *d)
{
    ps__buffer *from = task->held[1].buffer;
    const ps__fuse_written *written = find_written(g, from);
    ps__fuse_view view = member_view(task, 1, from, d);
    if (written == NULL || !same_view(g, &written->view, &view) || task->held[0].use != PS__NEW)
        return false;
    g->reduced = 0;
    for (int i = 0; i < d->ndim; i++)
        if (reduce_of(task)->reduced >> d->b[i] & 1)
            g->reduced |= 1u << i;
    g->reduce = task;
    g->reduce_value = written->value;
    return true;
}

static int64_t count_of(const ps__task *task)
{
    const ps__operand *whole = &task->operands[is_reduce(task) ? 1 : 0];
    int64_t count = 1;
    for (int i = 0; i < whole->ndim; i++)
        count *= whole->shape[i];
    return count;
}

/* The first member gives the space. */
static void adopt_space(ps__fuse_group *g, const ps__task *task)
{
    const ps__operand *out = &task->operands[0];
    g->home = task->home;
    g->ndim = out->ndim;
    g->count = count_of(task);
    memcpy(g->shape, out->shape, (size_t)out->ndim * sizeof g->shape[0]);
}

bool ps__fuse_add(ps__fuse_group *g, ps__task *task)
{
    if ((!is_map(task) && !is_reduce(task)) || g->members == PS__FUSE_MEMBERS)
        return false;
    if (g->members == 0) {
        if (!is_map(task) || task->operands[0].ndim > PS__FUSE_DIMS)
            return false;
        adopt_space(g, task);
    }
    if (task->home != g->home || count_of(task) != g->count)
        return false;
    const ps__operand *whole = &task->operands[is_reduce(task) ? 1 : 0];
    division d;
    if (!divide(g->ndim, g->shape, whole->ndim, whole->shape, &d))
        return false;
    refine(g, &d);
    if (!(is_map(task) ? add_map(g, task, &d) : add_reduce(g, task, &d)))
        return false;
    g->member[g->members++] = task;
    return true;
}

/* ---- ending ------------------------------------------------------------------------------ */

/* References to a buffer that the members themselves have. */
static unsigned own_references(const ps__fuse_group *g, const ps__buffer *buffer)
{
    unsigned own = 0;
    for (unsigned m = 0; m < g->members; m++)
        for (unsigned i = 0; i < g->member[m]->count; i++) {
            const ps__held *held = &g->member[m]->held[i];
            own += (held->buffer == buffer) + (held->old == buffer);
        }
    return own;
}

static bool is_seen(const ps__fuse_group *g, const ps__buffer *buffer)
{
    /* It can only fall from now on, since nobody outside can take a new reference once nobody outside
     * has one. */
    return ps__buffer_references(buffer) != own_references(g, buffer);
}

static uint8_t value_number(const ps__fuse_group *g, uint16_t value)
{
    unsigned which = value & 0xff;
    if (value >= PS__FUSE_STEP)
        return (uint8_t)(g->inputs + g->literals + which);
    return (uint8_t)(value >= PS__FUSE_LITERAL ? g->inputs + which : which);
}

static void make_program(ps__fuse_group *g)
{
    ps__program *program = &g->program;
    program->inputs = (uint8_t)g->inputs;
    program->literals = (uint8_t)g->literals;
    program->instructions = (uint8_t)g->steps;
    program->stores = 0;
    for (unsigned i = 0; i < g->inputs; i++)
        program->types[i] = g->input[i].dtype;
    for (unsigned i = 0; i < g->literals; i++) {
        program->types[g->inputs + i] = g->literal_type[i];
        program->literal[i] = g->literal[i];
    }
    for (unsigned i = 0; i < g->steps; i++) {
        ps__instruction *to = &program->instruction[i];
        *to = g->step[i].instruction;
        for (unsigned a = 0; a < to->arity; a++)
            to->args[a] = value_number(g, g->step[i].args[a]);
        program->types[ps__program_value(program, i)] = to->result;
    }
}

static void add_stores(ps__fuse_group *g)
{
    g->stored = 0;
    for (unsigned i = 0; i < g->written; i++) {
        const ps__fuse_written *written = &g->write[i];
        if (!is_seen(g, written->view.buffer))
            continue;
        g->store[g->stored] = written->view;
        g->program.store[g->stored++] =
            (ps__store){value_number(g, written->value), written->read_before};
    }
    g->program.stores = (uint8_t)g->stored;
}

/* ---- the work of all ----------------------------------------------------------------------- */

static ps__operand group_operand(const ps__fuse_group *g, const ps__fuse_view *view)
{
    return (ps__operand){.shape = g->shape,
                         .strides = view->strides,
                         .dtype = view->dtype,
                         .ndim = (uint8_t)g->ndim};
}

/* Which operand an input is: a store whose elements are updated, or one of its own. */
static uint8_t source_of(ps__fuse_group *g, const ps__fuse_view *view)
{
    for (unsigned i = 0; i < g->stored && g->reduce == NULL; i++)
        if (g->store[i].buffer == view->buffer)
            return (uint8_t)i;
    g->held[g->operands] = view;
    g->operand[g->operands] = group_operand(g, view);
    return (uint8_t)g->operands++;
}

/* Constants go behind the description. Returns how many there are. */
static uint8_t describe_inputs(ps__fuse_group *g, uint8_t *source, ps__element *constants)
{
    uint8_t count = 0;
    for (unsigned i = 0; i < g->inputs; i++) {
        const ps__fuse_view *view = &g->input[i];
        if (view->buffer != NULL) {
            source[i] = source_of(g, view);
        } else {
            source[i] = (uint8_t)(PS__CONSTANT | count);
            constants[count++] = view->constant;
        }
    }
    return count;
}

static void describe_map(ps__fuse_group *g)
{
    ps__work_map *work = &g->room.map.work;
    *work = (ps__work_map){.head.kind = PS__WORK_MAP, .program = &g->program, .count = g->count};
    g->operands = 0;
    for (unsigned i = 0; i < g->stored; i++) {
        g->held[g->operands] = &g->store[i];
        g->operand[g->operands++] = group_operand(g, &g->store[i]);
    }
    work->constants = describe_inputs(g, work->source, g->room.map.constants);
    work->head.bytes = (uint32_t)(sizeof *work + work->constants * sizeof(ps__element));
}

static void describe_reduce(ps__fuse_group *g)
{
    ps__work_reduce *work = &g->room.reduce.work;
    const ps__work_reduce *last = reduce_of(g->reduce);
    *work = (ps__work_reduce){.head.kind = PS__WORK_REDUCE,
                              .spec = last->spec,
                              .program = &g->program,
                              .reduced = g->reduced,
                              .ndim = (uint8_t)g->ndim};
    g->result =
        (ps__fuse_view){.buffer = g->reduce->held[0].buffer, .offset = g->reduce->held[0].offset};
    g->held[0] = &g->result;
    g->operand[0] = g->reduce->operands[0];
    g->operands = 1;
    work->constants = describe_inputs(g, work->source, g->room.reduce.constants);
    int64_t *shape = (int64_t *)(void *)(g->room.reduce.constants + work->constants);
    memcpy(shape, g->shape, (size_t)g->ndim * sizeof shape[0]);
    work->head.bytes = (uint32_t)((char *)(shape + g->ndim) - (char *)work);
}

/* ---- the end ------------------------------------------------------------------------------- */

size_t ps__fuse_end(ps__fuse_group *g)
{
    make_program(g);
    add_stores(g);
    if (g->reduce != NULL && g->stored == 0) {
        if (!ps__reduce_prologue(&reduce_of(g->reduce)->spec, &g->program,
                                 value_number(g, g->reduce_value)))
            return 0;
        describe_reduce(g);
        return g->members;
    }
    if (g->reduce != NULL) { /* it runs alone, after the others */
        g->reduce = NULL;
        g->members--;
        add_stores(g);
    }
    if (g->members < 2 || !ps__program_finish(&g->program))
        return 0;
    describe_map(g);
    return g->members;
}
