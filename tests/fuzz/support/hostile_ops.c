/* Calls of operations: every row of the table, with arguments of the kinds that it states or of
 * others. */
#include "hostile.h"

#include <stdio.h>

enum { ARGS_MOST = 16, OUTPUTS_MOST = 6 }; /* of any operation */

/* Memory of its own for what arguments point to, so that a sanitizer sees one element too far. */
typedef struct arguments {
    ps_arg list[ARGS_MOST];
    void *owned[ARGS_MOST];
} arguments;

/* What the tensors of a call have in common. */
typedef struct theme {
    size_t tensor; /* of the world: most of them are this one */
    bool any_size;
} theme;

/* ---- one argument ------------------------------------------------------------------------ */

/* A view may have 2^60 elements, all of them the same in memory. Some operations look at each. */
static ps_tensor *operand(ps_tensor *tensor, bool any)
{
    return any || ps_tensor_count(tensor) <= 4096 ? tensor : world.tensors[0];
}

static ps_arg tensor_arg(const ps_op_arg_info *info, const theme *of)
{
    static const size_t positions[] = {3, 4, 8};
    if (strcmp(info->name, "indices") == 0 && !wrong())
        return ps_arg_tensor(world.tensors[PICK(positions)]);
    if (strstr(info->name, "mask") != NULL && !wrong())
        return ps_arg_tensor(world.tensors[5]);
    if (info->scalar && below(6) == 0)
        return below(2) ? ps_arg_double(0.5) : ps_arg_int(any_number());
    return ps_arg_tensor(operand(wrong() ? any_tensor() : world.tensors[of->tensor], of->any_size));
}

static ps_arg ints_arg(const ps_op_arg_info *info, void **owned)
{
    static const uint32_t counts[] = {1, 33, (1u << 20) + 1, UINT32_MAX};
    static const int64_t shape[] = {3, 4};
    int64_t ints[2] = {small_number(-2, 2), 0};
    size_t count = below(3);
    if (wrong())
        return (ps_arg){.kind = PS_ARG_INTS, .count = PICK(counts)};
    bool is_shape = strcmp(info->name, "shape") == 0;
    if (strncmp(info->name, "ax", 2) == 0)
        ints[1] = ints[0] >= 0 ? 1 - ints[0] : -3 - ints[0];
    else if (is_shape || below(2))
        memcpy(ints, shape, sizeof shape);
    if (is_shape)
        count = 2;
    for (size_t i = 0; i < count; i++)
        ints[i] = wrong() ? any_number() : ints[i];
    *owned = exactly(ints, count, sizeof *ints);
    return ps_arg_ints(*owned, count);
}

static ps_arg tensors_arg(const theme *of, void **owned)
{
    static const uint32_t counts[] = {1, (1u << 20) + 1, UINT32_MAX};
    ps_tensor *list[3];
    size_t count = below(4);
    if (wrong())
        return (ps_arg){.kind = PS_ARG_TENSORS, .count = PICK(counts)};
    for (size_t i = 0; i < count; i++)
        list[i] = operand(wrong() ? any_tensor() : world.tensors[of->tensor], of->any_size);
    *owned = exactly(list, count, sizeof *list);
    return ps_arg_tensors(*owned, count);
}

static ps_arg scalar_arg(void)
{
    switch (below(4)) {
    case 0:
        return ps_arg_double(0.25);
    case 1:
        return ps_arg_int(any_number());
    case 2:
        return ps_arg_bool(below(2) != 0);
    default:
        return (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = any_scalar()};
    }
}

static ps_arg arg_of(const ps_op_arg_info *info, ps_arg_kind kind, const theme *of, void **owned)
{
    switch ((int)kind) {
    case PS_ARG_TENSOR:
        return tensor_arg(info, of);
    case PS_ARG_SCALAR:
        return scalar_arg();
    case PS_ARG_BOOL:
        return ps_arg_bool(below(2) != 0);
    case PS_ARG_INT:
        return ps_arg_int(wrong() ? any_number() : small_number(0, 2));
    case PS_ARG_DOUBLE:
        return ps_arg_double(wrong() ? -1e300 : 0.5);
    case PS_ARG_INTS:
        return ints_arg(info, owned);
    case PS_ARG_TENSORS:
        return tensors_arg(of, owned);
    case PS_ARG_DTYPE:
        return ps_arg_dtype(any_dtype());
    case PS_ARG_TEXT:
        return ps_arg_text(any_text());
    case PS_ARG_GENERATOR:
        return (ps_arg){.kind = PS_ARG_GENERATOR, .as.generator = PICK(world.generators)};
    default:
        return (ps_arg){.kind = kind};
    }
}

static ps_arg any_arg(const ps_op_arg_info *info, const theme *of, void **owned)
{
    static const int none[] = {10, 12, 13, 99, -1, INT32_MAX};
    ps_arg_kind kind = info->kind;
    if (!info->required && below(2))
        return (ps_arg){.kind = PS_ARG_NONE};
    if (below(40) == 0)
        kind = (ps_arg_kind)(below(2) ? PICK(none) : (int)below(12));
    ps_arg arg = arg_of(info, kind, of, owned);
    if (below(60) == 0 && arg.kind != PS_ARG_INTS && arg.kind != PS_ARG_TENSORS)
        arg.count = (uint32_t)below(3); /* one that has no meaning here */
    return arg;
}

/* ---- the call ---------------------------------------------------------------------------- */

static uint64_t pushed(void)
{
    ps_engine_stats stats = {.size = sizeof stats};
    return ps_engine_get_stats(world.engines[0], &stats) == PS_OK ? stats.pushed : 0;
}

/* Operations made of others, of which a later one may refuse what the first has taken. */
static bool is_of_steps(const ps_op_info *info)
{
    return strcmp(info->name, "clip") == 0 || strcmp(info->name, "unique_inverse") == 0;
}

/* A call that fails gives nothing, and no tensor that anybody knows is written. Nothing at all is
 * queued, but where elements are looked at (synchronous calls, operations that wait for their
 * inputs) and where an operation of several steps finds out late, by a given output that does not
 * fit, for one: what it began for itself is then dropped. */
static void check_nothing_done(const ps_op_info *info, bool given, bool written, bool queued)
{
    if (!given && !written && !queued)
        return;
    printf("%s failed (%s) and %s\n", info->name, ps_last_error(),
           given     ? "gave a result"
           : written ? "wrote its output"
                     : "queued something");
    fflush(stdout);
    abort();
}

static ps_status call_op(const ps_op *op, const ps_op_info *info)
{
    arguments a = {.owned = {0}};
    static const size_t themes[] = {0, 0, 1, 2, 3, 5, 6, 6, 7, 8, 9, 10, 11};
    theme of = {.tensor = wrong() ? below(TENSORS) : PICK(themes),
                .any_size =
                    strcmp(info->group, "elementwise") == 0 || strcmp(info->group, "shape") == 0};
    for (size_t i = 0; i < info->nargs; i++)
        a.list[i] = any_arg(&info->args[i], &of, &a.owned[i]);
    ps_arg *args = exactly(a.list, info->nargs, sizeof *args);
    ps_tensor *results[OUTPUTS_MOST] = {below(12) ? NULL : any_tensor()}, *before = results[0];
    SIZED(ps_call, call);
    call.it.args = wrong() ? NULL : args;
    call.it.nargs = below(40) ? info->nargs : below(2) ? below(info->nargs + 1) : SIZE_MAX;
    call.it.outputs = below(40) ? results : NULL;
    call.it.noutputs = below(40) ? info->noutputs : below(4);
    call.it.device = below(8) ? NULL : PICK(world.devices);
    call.it.location = any_location();
    call.it.flags = below(40) ? below(2) : chance_bits();
    uint64_t queued = pushed(), writes = ps_tensor_version(before);
    bool runs = info->blocks || ps_thread_mode() == PS_MODE_SYNC;
    ps_status status = ps_op_call(op, below(60) ? &call.it : NULL);
    if (status != PS_OK)
        check_nothing_done(info, results[0] != before || results[1] != NULL,
                           !runs && ps_tensor_version(before) != writes,
                           !runs && before == NULL && !is_of_steps(info) && pushed() != queued);
    for (size_t i = before != NULL; i < OUTPUTS_MOST; i++)
        keep(results[i]);
    for (size_t i = 0; i < info->nargs; i++)
        free(a.owned[i]);
    free(args);
    return status;
}

static ps_status op_call(void)
{
    const ps_op *op = ps_op_at(below(ps_op_count()));
    ps_op_info info = {.size = sizeof info};
    ps_status status = ps_op_get_info(op, &info);
    return status == PS_OK ? call_op(below(60) ? op : NULL, &info) : status;
}

static ps_status op_find(void)
{
    const ps_op *op;
    return ps_op_find(below(2) ? "multiply" : any_text(), wrong() ? NULL : &op);
}

static ps_status op_count(void)
{
    return ps_op_count() != 0 ? PS_OK : PS_ERR_STATE;
}

static ps_status op_at(void)
{
    (void)ps_op_at((size_t)any_number());
    return PS_OK;
}

static ps_status op_get_info(void)
{
    SIZED(ps_op_info, info);
    return ps_op_get_info(ps_op_at((size_t)any_number()), wrong() ? NULL : &info.it);
}

static ps_status op_fail(void)
{
    return ps_op_fail(below(2) ? PS_ERR_TYPE : (ps_status)any_number(), "%s", "outside");
}

/* ---- adding ------------------------------------------------------------------------------ */

static ps_status rule(void *context, const ps_view *inputs, size_t ninputs,
                      const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype, int *ndim,
                      int64_t *shape)
{
    (void)context, (void)inputs, (void)ninputs, (void)numbers, (void)nnumbers;
    *dtype = any_dtype();
    *ndim = wrong() ? (int)any_number() : (int)below(3);
    for (int i = 0; i < 2; i++)
        shape[i] = wrong() ? any_number() : 2;
    return wrong() ? (ps_status)any_number() : PS_OK;
}

static ps_status kernel(void *context, const ps_view *inputs, size_t ninputs,
                        const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    (void)context, (void)inputs, (void)ninputs, (void)numbers, (void)nnumbers, (void)output;
    return PS_OK;
}

static const char *const signatures[] = {"x",
                                         "x, y",
                                         "x, a: scalar = 1",
                                         "",
                                         "x,",
                                         "x: ints",
                                         ":",
                                         "x, x",
                                         "a: scalar = ",
                                         "x y",
                                         "p, q, r, s, t, u, v, w, z",
                                         "x = none",
                                         "x: tensor = 5",
                                         "scalar: scalar: scalar",
                                         "y, dy",
                                         "x, tie: scalar = 2"};
static const char *const expressions[] = {"x",
                                          "x + 1",
                                          "x *",
                                          "(x",
                                          "where(x > 0, x, y)",
                                          "x ? 1",
                                          "exp()",
                                          "",
                                          "nothing",
                                          "1e999999",
                                          "x; x",
                                          "x; x; x; x; x; x; x",
                                          ";",
                                          "((((((((((((((((((((((((((((((((x))))))))))))))))))"};
static const char *const gradients[] =
    {"dy",
     "dy * x",
     "",
     ";",
     "dy;",
     "dy; dy",
     "dy; dy; dy; dy",
     "dy *",
     "dy * nothing",
     "y * dy + tie",
     "exp()",
     "by nobody",
     "by",
     "no: it has none",
     "no:",
     "no",
     "(dy",
     "dy)",
     "dy dy",
     "x; y",
     "where(dy, x)",
     "-----------------------------------dy",
     "dy + dy + dy + dy + dy + dy + dy + dy + dy + dy + dy + dy"};

/* What an operation is made of: a rule and a kernel, or an expression and its gradient. */
static void fill_in(ps_op_def *def)
{
    if (below(3) == 0) {
        def->rule = rule;
        def->kernel = wrong() ? NULL : kernel;
    } else {
        static const char *const sets[] = {"numeric",      "all", "real floating-point",
                                           "bool or real", "",    "float"};
        static const char *const results[] = {"same", "same", "bool", "real", "", "other"};
        def->dtypes = wrong() ? any_text() : PICK(sets);
        def->result = wrong() ? any_text() : PICK(results);
        def->expression = wrong() ? any_text() : below(2) ? "x" : PICK(expressions);
    }
    if (below(4) != 0)
        def->gradient = wrong() ? any_text() : PICK(gradients);
    def->to_float = below(2) != 0;
}

/* What is added stays: there are names for some. */
static ps_status op_register(void)
{
    enum { MOST = 60 };
    static unsigned added;
    static const char *const names[] = {"", "add", "Upper", "1st", "under_score"};
    char fresh[32];
    snprintf(fresh, sizeof fresh, "hostile_%u", added);
    SIZED(ps_op_def, def);
    def.it.name = below(4) != 0 ? fresh : wrong() ? any_text() : PICK(names);
    def.it.signature = wrong() ? any_text() : below(2) ? "x" : PICK(signatures);
    fill_in(&def.it);
    const ps_op *op;
    ps_status status = ps_op_register(wrong() ? NULL : &def.it, wrong() ? NULL : &op);
    added += status == PS_OK && added < MOST;
    return status;
}

static ps_status fusion(void)
{
    (void)ps_fusion();
    return PS_OK;
}

static ps_status fusion_set(void)
{
    ps_fusion_set(below(2) != 0);
    return PS_OK;
}

const hostile_call hostile_op_calls[] = {
    {"ps_op_call", op_call, 120},       {"ps_op_find", op_find, 2},
    {"ps_op_count", op_count, 1},       {"ps_op_at", op_at, 1},
    {"ps_op_get_info", op_get_info, 2}, {"ps_op_fail", op_fail, 1},
    {"ps_op_register", op_register, 6}, {"ps_fusion", fusion, 1},
    {"ps_fusion_set", fusion_set, 1},   {NULL, NULL, 0},
};
