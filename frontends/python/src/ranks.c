/* Ranks, for dialects that have them: arrays, arrays without dimensions, numbers.
 *
 * A lower rank changes the type of a result only if it is of a higher kind: bool, integer, float,
 * complex. An array without dimensions then brings its own type. */
#include "ranks.h"

typedef enum kind { KIND_BOOL, KIND_INTEGER, KIND_FLOAT, KIND_COMPLEX } kind;

static kind kind_of(ps_dtype dtype)
{
    return dtype == PS_BOOL       ? KIND_BOOL
           : dtype <= PS_UINT64   ? KIND_INTEGER
           : dtype < PS_COMPLEX64 ? KIND_FLOAT
                                  : KIND_COMPLEX;
}

/* -1: no number. */
static int number_kind(const ps_arg *arg)
{
    switch (arg->kind) {
    case PS_ARG_BOOL:
        return KIND_BOOL;
    case PS_ARG_INT:
        return KIND_INTEGER;
    case PS_ARG_DOUBLE:
        return KIND_FLOAT;
    case PS_ARG_SCALAR:
        return arg->as.scalar.tag == PS_SCALAR_COMPLEX  ? KIND_COMPLEX
               : arg->as.scalar.tag == PS_SCALAR_DOUBLE ? KIND_FLOAT
               : arg->as.scalar.tag == PS_SCALAR_BOOL   ? KIND_BOOL
                                                        : KIND_INTEGER;
    default:
        return -1;
    }
}

/* Of the arrays with and without dimensions; -1: there are none. */
typedef struct ranks {
    int whole, bare;
} ranks;

static int promoted(int common, ps_dtype dtype)
{
    ps_dtype both = dtype;
    if (common >= 0)
        (void)ps_dtype_promote((ps_dtype)common, dtype, &both); /* both are types */
    return (int)both;
}

static ranks ranks_of(const ps_arg *args, const bool *values, size_t nargs)
{
    ranks r = {-1, -1};
    for (size_t i = 0; i < nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR && values[i]) {
            const ps_tensor *tensor = args[i].as.tensor;
            int *common = ps_tensor_ndim(tensor) == 0 ? &r.bare : &r.whole;
            *common = promoted(*common, ps_tensor_dtype(tensor));
        }
    return r;
}

/* The type of both together; -1: there are no arrays. */
static int combined(ranks r)
{
    if (r.whole < 0 || r.bare < 0)
        return r.whole < 0 ? r.bare : r.whole;
    kind high = kind_of((ps_dtype)r.whole), low = kind_of((ps_dtype)r.bare);
    if (low <= high)
        return r.whole;
    if (high == KIND_FLOAT) /* as precise as it was */
        return r.whole == PS_FLOAT64 ? PS_COMPLEX128 : PS_COMPLEX64;
    return promoted(r.whole, (ps_dtype)r.bare);
}

int pyps_ranks_settle(const pyps_dialect *dialect, const ps_op_info *info, ps_arg *args,
                      const bool *values, size_t nargs, ps_tensor **owned)
{
    ranks r = ranks_of(args, values, nargs);
    int wanted = combined(r);
    /* What becomes a floating-point number does not become a smaller integer before. */
    if (wanted >= 0 && wanted <= PS_UINT64 && (info->flags & PS_OP_TO_FLOAT))
        return 0;
    if (r.whole < 0 || r.bare < 0 || promoted(r.whole, (ps_dtype)r.bare) == wanted)
        return 0;
    for (size_t i = 0; i < nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR && values[i] && ps_tensor_ndim(args[i].as.tensor) == 0 &&
            pyps_policy_convert(dialect, (ps_dtype)wanted, &args[i], &owned[i]) != 0)
            return -1;
    return 0;
}

/* ---- What may be written ------------------------------------------------------------------- */

/* The type that an operation gives, as far as its kind goes. */
static ps_dtype given_type(const pyps_policy *policy, const ps_op_info *info, const ps_arg *args,
                           const bool *values, size_t nargs)
{
    const uint8_t types[] = {PS_BOOL, policy->int_type, policy->float_type, policy->complex_type};
    if (strcmp(info->result, "bool") == 0)
        return PS_BOOL;
    int type = combined(ranks_of(args, values, nargs));
    int most = info->flags & PS_OP_TO_FLOAT ? KIND_FLOAT : -1;
    for (size_t i = 0; i < nargs; i++) {
        int number = number_kind(&args[i]);
        most = number > most ? number : most;
    }
    return most > (type < 0 ? -1 : (int)kind_of((ps_dtype)type)) ? (ps_dtype)types[most]
                                                                 : (ps_dtype)type;
}

int pyps_ranks_check_update(const pyps_dialect *dialect, const ps_op_info *info, const ps_arg *args,
                            const bool *values, size_t nargs, const ps_tensor *out)
{
    ps_dtype given = given_type(&dialect->policy, info, args, values, nargs);
    if (kind_of(given) <= kind_of(ps_tensor_dtype(out)))
        return 0;
    PyErr_Format(dialect->errors[PYPS_ERROR_VALUE],
                 "result type %s can't be cast to the desired output type %s", ps_dtype_name(given),
                 ps_dtype_name(ps_tensor_dtype(out)));
    return -1;
}
