/* Running programs. */
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dtype/dtype.h"
#include "tensor/tensor.h"

/* ---- elements ---------------------------------------------------------------------------- */

static double special_number(uint64_t *random)
{
    static const double numbers[] = {0.0,    -0.0, NAN,  INFINITY, -INFINITY, 1e-40,
                                     -3e-42, 3e38, -6e4, 1e-310,   2e9,       255};
    return numbers[program_pick(random, sizeof numbers / sizeof numbers[0])];
}

static double plain_number(uint64_t *random)
{
    return (double)program_pick(random, 1 << 16) / (1 << 13) - 4.0;
}

static void make_element(ps_dtype dtype, bool special, uint64_t *random, void *element)
{
    ps_scalar scalar = {.tag = PS_SCALAR_COMPLEX};
    special = special && program_pick(random, 12) == 0;
    if (special && ps__dtype_is_integer(dtype)) { /* all bits */
        uint64_t bits = program_random(random);
        memcpy(element, &bits, ps__dtype_bytes(dtype));
        return;
    }
    scalar.as.z[0] = special ? special_number(random) : plain_number(random);
    scalar.as.z[1] = special ? special_number(random) : plain_number(random);
    if (ps__dtype_kind_of(dtype) != PS__KIND_COMPLEX)
        scalar = (ps_scalar){PS_SCALAR_DOUBLE, {.d = scalar.as.z[0]}};
    if (ps__dtype_is_integer(dtype) || dtype == PS_BOOL)
        scalar.as.d = dtype == PS_BOOL ? scalar.as.d > 0 : floor(8 * fabs(scalar.as.d));
    ps__scalar_cast(scalar, dtype, element);
}

void step_make_elements(step *s)
{
    size_t item = ps__dtype_bytes(s->dtype), count = 1;
    uint64_t random = s->seed;
    for (int i = 0; i < s->ndim; i++)
        count *= (size_t)s->shape[i];
    char *elements = calloc(count + 1, item);
    for (size_t i = 0; i < count; i++)
        make_element(s->dtype, s->special, &random, elements + i * item);
    s->elements = elements;
}

/* ---- calls ------------------------------------------------------------------------------- */

static ps_arg of_slot(ps_tensor *tensor)
{
    return (ps_arg){.kind = PS_ARG_TENSOR, .as.tensor = tensor};
}

static ps_status call(const char *name, const ps_op *op, const ps_arg *args, size_t nargs,
                      ps_tensor **out)
{
    ps_status status = op == NULL ? ps_op_find(name, &op) : PS_OK;
    if (status != PS_OK)
        return status;
    return ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                     .args = args,
                                     .nargs = nargs,
                                     .outputs = out,
                                     .noutputs = 1});
}

static ps_status play_call(const step *s, ps_tensor **slots, ps_tensor **out)
{
    ps_arg args[PROGRAM_ARGS];
    for (size_t i = 0; i < s->nargs; i++) {
        if (s->args[i].slot < 0)
            args[i] = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = s->args[i].number};
        else if (slots[s->args[i].slot] != NULL)
            args[i] = of_slot(slots[s->args[i].slot]);
        else
            return PS_ERR_EMPTY;
    }
    return call(s->name, s->op, args, s->nargs, out);
}

static ps_status play_reduce(const step *s, ps_tensor **slots, ps_tensor **out)
{
    ps_arg args[4] = {of_slot(slots[s->a])};
    size_t keep = strcmp(s->name, "var") == 0 || strcmp(s->name, "std") == 0 ? 3 : 2;
    args[1] = (ps_arg){.kind = PS_ARG_INTS, .count = (uint32_t)s->nints, .as.ints = s->ints};
    args[keep] = (ps_arg){.kind = PS_ARG_BOOL, .as.boolean = s->keepdims};
    return call(s->name, s->op, args, keep + 1, out);
}

static ps_status play_set(const step *s, ps_tensor **slots)
{
    ps_tensor *view;
    ps_arg value = {.kind = PS_ARG_SCALAR, .as.scalar = s->args[0].number};
    if (s->b >= 0 && slots[s->b] == NULL)
        return PS_ERR_EMPTY;
    if (s->b >= 0)
        value = of_slot(slots[s->b]);
    ps_status status = ps_tensor_index(slots[s->a], s->index, s->nindex, &view);
    if (status != PS_OK)
        return status;
    status = call("assign", NULL, &value, 1, &view);
    ps_tensor_release(view);
    return status;
}

/* What gives a result, into *out. */
static ps_status play_giving(const step *s, ps_tensor **slots, ps_tensor **out)
{
    ps_tensor *a = slots[s->a];
    int axes[PROGRAM_DIMS];
    switch (s->kind) {
    case STEP_MAKE:
        return ps_tensor_from_host(s->dtype, s->ndim, s->shape, NULL, s->elements, NULL, out);
    case STEP_CALL:
        return play_call(s, slots, out);
    case STEP_REDUCE:
        return play_reduce(s, slots, out);
    case STEP_CAST:
        return call("cast", NULL,
                    (ps_arg[]){of_slot(a), {.kind = PS_ARG_DTYPE, .as.dtype = s->dtype}}, 2, out);
    case STEP_PRODUCT:
        if (slots[s->b] == NULL)
            return PS_ERR_EMPTY;
        return call("matmul", NULL, (ps_arg[]){of_slot(a), of_slot(slots[s->b])}, 2, out);
    case STEP_INDEX:
        return ps_tensor_index(a, s->index, s->nindex, out);
    case STEP_PERMUTE:
        for (size_t i = 0; i < s->nints; i++)
            axes[i] = (int)s->ints[i];
        return ps_tensor_permute(a, axes, (int)s->nints, out);
    case STEP_RESHAPE:
        return call("reshape", NULL,
                    (ps_arg[]){of_slot(a), {PS_ARG_INTS, (uint32_t)s->ndim, {.ints = s->shape}}}, 2,
                    out);
    case STEP_PART:
        return ps_tensor_part(a, s->keepdims, out);
    case STEP_EXPAND:
        return ps_tensor_broadcast(a, s->ndim, s->shape, out);
    default:
        *out = a;
        return ps_tensor_retain(a);
    }
}

ps_status step_play(const step *s, ps_tensor **slots)
{
    bool needs = s->kind != STEP_MAKE && s->kind != STEP_CALL && s->kind != STEP_DROP;
    if ((needs && slots[s->a] == NULL) || (s->into && slots[s->to] == NULL))
        return PS_ERR_EMPTY;
    if (s->kind == STEP_SET)
        return play_set(s, slots);
    if (s->kind == STEP_READ)
        return PS_OK; /* the caller's */
    ps_tensor *out = s->into ? slots[s->to] : NULL;
    ps_status status = s->kind == STEP_DROP ? PS_OK : play_giving(s, slots, &out);
    if (status != PS_OK || s->into)
        return status;
    ps_tensor_release(slots[s->to]);
    slots[s->to] = out;
    return PS_OK;
}

/* ---- logs -------------------------------------------------------------------------------- */

static void log_tensor(program_log *log, unsigned at, int slot, ps_tensor *tensor)
{
    size_t bytes = (size_t)ps_tensor_count(tensor) * ps_dtype_bytes(ps_tensor_dtype(tensor));
    if (log->used + bytes > log->room) {
        log->room = 2 * (log->used + bytes);
        log->bytes = realloc(log->bytes, log->room);
    }
    log->entries[log->count++] = (log_entry){at, slot, ps_tensor_dtype(tensor), bytes, log->used};
    if (ps_tensor_to_host(tensor, log->bytes + log->used, bytes) != PS_OK)
        snprintf(log->complaint, sizeof log->complaint, "reading s%d: %s", slot, ps_last_error());
    log->used += bytes;
}

void program_log_free(program_log *log)
{
    free(log->bytes);
    *log = (program_log){0};
}

/* All NaN alike: which one it is depends on the instruction set, and on which operand of a kernel is
 * a single element. */
static double comparable(ps_dtype dtype, const unsigned char *element)
{
    double value = ps__scalar_load(dtype, element).as.d;
    return isnan(value) ? NAN : value;
}

static bool elements_same(ps_dtype dtype, const unsigned char *p, const unsigned char *q)
{
    ps_dtype part = (ps_dtype)ps__dtypes[dtype].real;
    size_t item = ps__dtype_bytes(dtype), bytes = ps__dtype_bytes(part);
    for (size_t at = 0; at < item; at += bytes)
        if (memcmp(p + at, q + at, bytes) != 0 &&
            !(ps__dtype_is_inexact(part) && isnan(comparable(part, p + at)) &&
              isnan(comparable(part, q + at))))
            return false;
    return true;
}

static bool entries_same(const program_log *a, const program_log *b, unsigned i, char *text,
                         size_t room)
{
    const log_entry *x = &a->entries[i], *y = &b->entries[i];
    if (x->step != y->step || x->slot != y->slot || x->dtype != y->dtype || x->bytes != y->bytes) {
        snprintf(text, room, "entry %u is of another kind", i);
        return false;
    }
    const unsigned char *p = a->bytes + x->at, *q = b->bytes + y->at;
    if (x->bytes == 0 || memcmp(p, q, x->bytes) == 0)
        return true;
    size_t item = ps_dtype_bytes(x->dtype), at = 0;
    while (at < x->bytes && elements_same(x->dtype, p + at, q + at))
        at += item;
    if (at == x->bytes)
        return true;
    uint64_t one = 0, other = 0;
    memcpy(&one, p + at, item < 8 ? item : 8);
    memcpy(&other, q + at, item < 8 ? item : 8);
    snprintf(text, room, "s%d read at step %u, %s: element %zu of %zu is %jx, not %jx", x->slot,
             x->step, ps_dtype_name(x->dtype), at / item, x->bytes / item, (uintmax_t)other,
             (uintmax_t)one);
    return false;
}

bool program_log_same(const program_log *a, const program_log *b, char *text, size_t room)
{
    const char *complaint = a->complaint[0] != '\0' ? a->complaint : b->complaint;
    if (complaint[0] != '\0' || a->count != b->count) {
        snprintf(text, room, "%s", complaint[0] != '\0' ? complaint : "another number of reads");
        return false;
    }
    for (unsigned i = 0; i < a->count; i++)
        if (!entries_same(a, b, i, text, room))
            return false;
    return true;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t program_log_hash(const program_log *log)
{
    uint64_t hash = log->count;
    for (unsigned i = 0; i < log->count; i++) {
        const log_entry *entry = &log->entries[i];
        const unsigned char *bytes = log->bytes + entry->at;
        ps_dtype part = (ps_dtype)ps__dtypes[entry->dtype].real;
        size_t item = ps__dtype_bytes(part);
        if (!ps__dtype_is_inexact(part)) {
            hash = mix(hash, bytes, entry->bytes);
            continue;
        }
        for (size_t at = 0; at < entry->bytes; at += item) {
            double value = comparable(part, bytes + at);
            hash = mix(hash, &value, sizeof value);
        }
    }
    return hash;
}

/* ---- whole programs ---------------------------------------------------------------------- */

void setup_apply(const setup *how)
{
    ps_engine *engine;
    unsigned workers;
    if (ps_engine_default(&engine) == PS_OK && ps_engine_workers(engine, &workers) == PS_OK &&
        workers != how->workers)
        (void)ps_engine_set_workers(engine, how->workers);
    (void)ps_thread_set_mode(how->mode);
    ps_fusion_set(how->fusion);
    ps__at_once_set(!how->queued);
}

void program_discard(program *p)
{
    for (unsigned i = 0; i < p->nsteps; i++)
        free(p->steps[i].elements);
    p->nsteps = 0;
}

void program_play(program *p, const setup *how, program_log *log)
{
    ps_tensor *slots[PROGRAM_SLOTS] = {0};
    setup_apply(how);
    *log = (program_log){0};
    for (unsigned i = 0; i < p->nsteps; i++) {
        const step *s = &p->steps[i];
        if (s->skipped || step_play(s, slots) != PS_OK || s->kind != STEP_READ)
            continue;
        log_tensor(log, i, s->a, slots[s->a]);
    }
    for (int i = 0; i < PROGRAM_SLOTS; i++)
        if (slots[i] != NULL)
            log_tensor(log, PROGRAM_STEPS, i, slots[i]);
    for (int i = 0; i < PROGRAM_SLOTS; i++)
        ps_tensor_release(slots[i]);
    (void)ps_thread_set_mode(PS_MODE_DEFAULT);
    ps_fusion_set(true);
    ps__at_once_set(true);
}
