/* Making programs. Candidates for the next step are drawn until one is accepted, by running it: in
 * synchronous mode, unfused. Shapes of one program are made of one base shape, so that most fit
 * together; its size is well below or above the size from which on operations are fused. */
#include "program.h"

#include <string.h>

typedef struct maker {
    program *p;
    uint64_t random;
    ps_tensor *slots[PROGRAM_SLOTS];
    int ndim;
    int64_t shape[PROGRAM_DIMS];
    bool special;
    unsigned ndtypes; /* that this program draws from */
    ps_dtype dtypes[4];
    int burst; /* so many elementwise calls follow, so that there is something to fuse */
} maker;

static int64_t pick(maker *m, int64_t count)
{
    return program_pick(&m->random, count);
}

static bool chance(maker *m, int percent)
{
    return pick(m, 100) < percent;
}

/* ---- the frame --------------------------------------------------------------------------- */

static void choose_shape(maker *m)
{
    int64_t least = chance(m, 35) ? 1 : 2048, most = least == 1 ? 600 : 20000;
    int64_t count = least + pick(m, most - least + 1);
    m->ndim = 1 + (int)pick(m, PROGRAM_DIMS - 1);
    for (int i = 0; i < m->ndim - 1; i++) {
        int64_t most_here = count < 2 ? 1 : count < 200 ? count : chance(m, 50) ? 9 : 150;
        m->shape[i] = 1 + pick(m, most_here);
        count = (count + m->shape[i] - 1) / m->shape[i];
    }
    m->shape[m->ndim - 1] = count;
    int other = (int)pick(m, m->ndim); /* the long dimension may be any */
    int64_t length = m->shape[other];
    m->shape[other] = count;
    m->shape[m->ndim - 1] = length;
}

static void choose_dtypes(maker *m)
{
    static const ps_dtype all[] = {PS_FLOAT32,  PS_FLOAT32,   PS_FLOAT64, PS_INT32,
                                   PS_INT64,    PS_UINT8,     PS_BOOL,    PS_FLOAT16,
                                   PS_BFLOAT16, PS_COMPLEX64, PS_FLOAT32};
    m->ndtypes = 1 + (unsigned)pick(m, 4);
    for (unsigned i = 0; i < m->ndtypes; i++)
        m->dtypes[i] = all[pick(m, sizeof all / sizeof all[0])];
}

/* ---- what fits --------------------------------------------------------------------------- */

/* So that no chain of broadcasts grows without end. */
static bool affordable_call(const maker *m, const step *s)
{
    int64_t lengths[PS_DIMS_MAX], count = 1;
    for (int i = 0; i < PS_DIMS_MAX; i++)
        lengths[i] = 1;
    for (size_t a = 0; a < s->nargs; a++) {
        const ps_tensor *t = s->args[a].slot >= 0 ? m->slots[s->args[a].slot] : NULL;
        int ndim = t != NULL ? ps_tensor_ndim(t) : 0;
        for (int i = 0; i < ndim; i++) {
            int64_t length = ps_tensor_shape(t)[ndim - 1 - i];
            if (length != 1)
                lengths[i] = length;
        }
    }
    for (int i = 0; i < PS_DIMS_MAX && count <= PROGRAM_ELEMENTS; i++)
        count *= lengths[i];
    return count <= PROGRAM_ELEMENTS;
}

static bool affordable_product(const maker *m, const step *s)
{
    const ps_tensor *a = m->slots[s->a], *b = m->slots[s->b];
    if (a == NULL || b == NULL || ps_tensor_ndim(a) > 2 || ps_tensor_ndim(b) > 2)
        return false;
    int64_t rows = ps_tensor_ndim(a) == 2 ? ps_tensor_shape(a)[0] : 1;
    int64_t columns = ps_tensor_ndim(b) == 2 ? ps_tensor_shape(b)[1] : 1;
    return rows * columns <= PROGRAM_ELEMENTS && rows * ps_tensor_count(b) <= 4000000;
}

static int filled_slot(maker *m)
{
    for (int tries = 0; tries < 20; tries++) {
        int slot = (int)pick(m, PROGRAM_SLOTS);
        if (m->slots[slot] != NULL)
            return slot;
    }
    return 0;
}

static ps_scalar number(maker *m)
{
    switch (pick(m, 8)) {
    case 0:
        return (ps_scalar){PS_SCALAR_BOOL, {.b = chance(m, 50)}};
    case 1:
    case 2:
    case 3:
        return (ps_scalar){PS_SCALAR_INT64, {.i = pick(m, 8)}};
    case 4:
        return (ps_scalar){PS_SCALAR_COMPLEX, {.z = {0.5, -1.25}}};
    default:
        return (ps_scalar){PS_SCALAR_DOUBLE, {.d = (double)pick(m, 64) / 16 - 2}};
    }
}

/* ---- candidates -------------------------------------------------------------------------- */

static void draw_make(maker *m, step *s)
{
    s->kind = STEP_MAKE;
    s->dtype = m->dtypes[pick(m, m->ndtypes)];
    s->seed = program_random(&m->random);
    s->special = m->special;
    int lead = chance(m, 20) ? (int)pick(m, m->ndim + 1) : 0; /* leading dimensions left out */
    s->ndim = m->ndim - lead;
    memcpy(s->shape, m->shape + lead, (size_t)s->ndim * sizeof s->shape[0]);
    for (int i = 0; i < s->ndim; i++)
        if (chance(m, 12))
            s->shape[i] = 1;
}

/* Which NaN an operation gives is left to the instruction set. */
static bool tells_nans(const char *name)
{
    return strcmp(name, "signbit") == 0 || strcmp(name, "copysign") == 0;
}

/* Any elementwise operation of the table, the plain ones more often. */
static void draw_call(maker *m, step *s)
{
    static const char *const plain[] = {"add",   "subtract", "multiply", "maximum", "relu",
                                        "where", "square",   "negative", "divide",  "sqrt",
                                        "abs",   "less",     "copy",     "minimum", "clip"};
    ps_op_info info = {.size = sizeof info};
    s->kind = STEP_CALL;
    do {
        if (chance(m, 70))
            (void)ps_op_find(plain[pick(m, sizeof plain / sizeof plain[0])], &s->op);
        else
            s->op = ps_op_at((size_t)pick(m, (int64_t)ps_op_count()));
        (void)ps_op_get_info(s->op, &info);
    } while ((strcmp(info.group, "elementwise") != 0 && strcmp(info.name, "copy") != 0) ||
             info.nargs > PROGRAM_ARGS || (m->p->exact && (!info.exact || tells_nans(info.name))));
    s->name = info.name;
    s->nargs = info.nargs;
    for (size_t i = 0; i < s->nargs; i++) {
        bool scalar = info.args[i].kind != PS_ARG_TENSOR || (i > 0 && chance(m, 25));
        s->args[i] = (step_arg){scalar ? -1 : filled_slot(m), number(m)};
    }
    s->into = chance(m, 25);
    if (s->into)
        s->to = chance(m, 60) && s->args[0].slot >= 0 ? s->args[0].slot : filled_slot(m);
}

static void draw_reduce(maker *m, step *s)
{
    static const char *const names[] = {"sum", "sum",  "mean", "max",  "min", "any",
                                        "all", "prod", "var",  "norm", "std"};
    ps_op_info info = {.size = sizeof info};
    s->kind = STEP_REDUCE;
    s->name = names[pick(m, sizeof names / sizeof names[0])];
    (void)ps_op_find(s->name, &s->op);
    (void)ps_op_get_info(s->op, &info);
    s->a = filled_slot(m);
    int ndim = m->slots[s->a] != NULL ? ps_tensor_ndim(m->slots[s->a]) : 0;
    for (int i = 0; i < ndim && i < PROGRAM_DIMS; i++)
        if (chance(m, 50))
            s->ints[s->nints++] = i;
    s->keepdims = chance(m, 60);
    s->into = chance(m, 10);
}

static void draw_index(maker *m, step *s, int slot)
{
    const ps_tensor *t = m->slots[slot];
    int ndim = t != NULL ? ps_tensor_ndim(t) : 0;
    s->a = slot;
    for (int i = 0; i < ndim && s->nindex < PROGRAM_DIMS; i++) {
        int64_t length = ps_tensor_shape(t)[i];
        ps_index *index = &s->index[s->nindex++];
        *index = (ps_index){PS_INDEX_RANGE, 0, length, 1};
        if (length > 1 && chance(m, 10))
            *index = (ps_index){PS_INDEX_AT, pick(m, length), 0, 0};
        else if (length > 1 && chance(m, 20)) /* all but an end */
            *index = chance(m, 50) ? (ps_index){PS_INDEX_RANGE, 1, length, 1}
                                   : (ps_index){PS_INDEX_RANGE, 0, length - 1, 1};
        else if (chance(m, 20)) /* backward */
            *index = (ps_index){PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -1};
        else if (length > 3 && chance(m, 20))
            *index = (ps_index){PS_INDEX_RANGE, pick(m, 2), length, 2};
    }
}

static void draw_permute(maker *m, step *s)
{
    s->kind = STEP_PERMUTE;
    s->a = filled_slot(m);
    int ndim = m->slots[s->a] != NULL ? ps_tensor_ndim(m->slots[s->a]) : 0;
    s->nints = (size_t)(ndim < PROGRAM_DIMS ? ndim : PROGRAM_DIMS);
    for (size_t i = 0; i < s->nints; i++)
        s->ints[i] = (int64_t)i;
    for (size_t i = s->nints; i-- > 1;) {
        size_t other = (size_t)pick(m, (int64_t)i + 1);
        int64_t axis = s->ints[i];
        s->ints[i] = s->ints[other];
        s->ints[other] = axis;
    }
}

/* One line, or the base shape. */
static void draw_reshape(maker *m, step *s)
{
    s->kind = STEP_RESHAPE;
    s->a = filled_slot(m);
    s->ndim = 1;
    s->shape[0] = -1;
    if (chance(m, 60)) {
        s->ndim = m->ndim;
        memcpy(s->shape, m->shape, sizeof s->shape);
    }
}

static void draw_set(maker *m, step *s)
{
    s->kind = STEP_SET;
    draw_index(m, s, filled_slot(m));
    s->b = chance(m, 30) ? -1 : chance(m, 40) ? s->a : filled_slot(m);
    s->args[0].number = number(m);
}

static void draw_step(maker *m, step *s)
{
    *s = (step){.to = (int)pick(m, PROGRAM_SLOTS)};
    int64_t what = pick(m, 100);
    if (m->burst > 0 || chance(m, 8))
        m->burst = m->burst > 0 ? m->burst - 1 : 10;
    if (m->burst > 0) {
        draw_call(m, s);
    } else if (what < 12) {
        draw_make(m, s);
    } else if (what < 52) {
        draw_call(m, s);
    } else if (what < 60) {
        draw_reduce(m, s);
    } else if (what < 67) {
        s->kind = STEP_INDEX;
        draw_index(m, s, filled_slot(m));
    } else if (what < 72) {
        draw_permute(m, s);
    } else if (what < 75) {
        s->kind = STEP_EXPAND;
        s->a = filled_slot(m);
        s->ndim = m->ndim;
        memcpy(s->shape, m->shape, sizeof s->shape);
    } else if (what < 78) {
        draw_reshape(m, s);
    } else if (what < 80) {
        s->kind = STEP_PART;
        s->a = filled_slot(m);
        s->keepdims = chance(m, 50);
    } else if (what < 86) {
        draw_set(m, s);
    } else if (what < 89) {
        s->kind = STEP_CAST;
        s->a = filled_slot(m);
        s->dtype = m->dtypes[pick(m, m->ndtypes)];
    } else if (what < 91) {
        s->kind = STEP_PRODUCT;
        s->a = filled_slot(m);
        s->b = filled_slot(m);
    } else if (what < 93) {
        s->kind = STEP_ALIAS;
        s->a = filled_slot(m);
    } else if (what < 97) {
        s->kind = STEP_DROP;
    } else {
        s->kind = STEP_READ;
        s->a = filled_slot(m);
    }
}

static bool accept(maker *m, step *s)
{
    if (s->kind == STEP_MAKE) /* never refused */
        step_make_elements(s);
    if (s->kind == STEP_CALL && !affordable_call(m, s))
        return false;
    if (s->kind == STEP_PRODUCT && (m->p->exact || !affordable_product(m, s)))
        return false;
    return step_play(s, m->slots) == PS_OK;
}

void program_generate(program *p, uint64_t seed, bool exact)
{
    maker m = {.p = p, .random = seed * 977 + exact};
    *p = (program){.seed = seed, .exact = exact};
    setup_apply(&(setup){1, PS_MODE_SYNC, false, false});
    choose_shape(&m);
    choose_dtypes(&m);
    m.special = chance(&m, 30);
    unsigned wanted = 12 + (unsigned)pick(&m, PROGRAM_STEPS - 12);
    for (int slot = 0; slot < 3; slot++) { /* something to begin with */
        step *s = &p->steps[p->nsteps];
        draw_make(&m, (*s = (step){.to = slot}, s));
        p->nsteps += accept(&m, s);
    }
    for (int tries = 0; tries < 2000 && p->nsteps < wanted; tries++) {
        step *s = &p->steps[p->nsteps];
        draw_step(&m, s);
        p->nsteps += accept(&m, s);
    }
    for (int i = 0; i < PROGRAM_SLOTS; i++)
        ps_tensor_release(m.slots[i]);
    (void)ps_thread_set_mode(PS_MODE_DEFAULT);
    ps_fusion_set(true);
}
