/* A dialect's settings applied to operands and results. Plain dialects never come here. */
#include "names.h"
#include "ranks.h"
#include "zeros.h"

static bool is_integer(ps_dtype dtype)
{
    return dtype >= PS_INT8 && dtype <= PS_UINT64;
}

/* Of a float or complex kind. */
static bool is_float_number(const ps_arg *arg)
{
    return arg->kind == PS_ARG_DOUBLE ||
           (arg->kind == PS_ARG_SCALAR && arg->as.scalar.tag >= PS_SCALAR_DOUBLE);
}

static int convert(const pyps_dialect *dialect, ps_tensor *from, ps_dtype dtype, ps_tensor **to)
{
    ps_arg args[] = {ps_arg_tensor(from), ps_arg_dtype(dtype)};
    return pyps_op_tensors("cast", args, 2, to, dialect);
}

int pyps_policy_convert(const pyps_dialect *dialect, ps_dtype dtype, ps_arg *arg, ps_tensor **owned)
{
    ps_tensor *made = NULL;
    if (ps_tensor_dtype(arg->as.tensor) == dtype)
        return 0;
    if (convert(dialect, arg->as.tensor, dtype, &made) != 0)
        return -1;
    ps_tensor_release(*owned);
    *owned = made;
    *arg = ps_arg_tensor(made);
    return 0;
}

/* Replaces a tensor by what an operation makes of it. */
static int replace(const pyps_dialect *dialect, const char *name, ps_arg *args, size_t nargs,
                   ps_tensor **tensor)
{
    ps_tensor *made = NULL;
    args[0] = ps_arg_tensor(*tensor);
    int status = pyps_op_tensors(name, args, nargs, &made, dialect);
    ps_tensor_release(*tensor);
    *tensor = made;
    return status;
}

/* ---- Operations ---------------------------------------------------------------------------- */

const ps_op *pyps_known(pyps_known_op which)
{
    static const char *const names[] = {"divide",       "negative", "remainder", "modulo",
                                        "floor_divide", "fmod",     "subtract"};
    static const ps_op *ops[PYPS_COUNT(names)]; /* found at the first call */
    if (PYPS_UNLIKELY(ops[which] == NULL) && ps_op_find(names[which], &ops[which]) != PS_OK)
        return NULL;
    return ops[which];
}

const ps_op *pyps_policy_op(const ps_op *op)
{
    return op == pyps_known(PYPS_REMAINDER) ? pyps_known(PYPS_MODULO) : op;
}

/* ---- Operands ---------------------------------------------------------------------------- */

/* Whether a tensor is of a float type, and of that of those before it; *dtype is theirs, or -1. */
static inline bool is_same_float(const ps_tensor *tensor, int *dtype)
{
    int given = (int)ps_tensor_dtype(tensor);
    if (given <= PS_UINT64 || given >= PS_COMPLEX64 || (*dtype >= 0 && given != *dtype))
        return false;
    *dtype = given;
    return true;
}

PYPS_HOT bool pyps_policy_is_idle(const ps_arg *args, size_t nargs)
{
    int dtype = -1;
    for (size_t i = 0; i < nargs; i++) {
        const ps_arg *arg = &args[i];
        if (arg->kind == PS_ARG_SCALAR || arg->kind == PS_ARG_BOOL)
            return false;
        if (arg->kind == PS_ARG_TENSOR && !is_same_float(arg->as.tensor, &dtype))
            return false;
        for (size_t t = 0; arg->kind == PS_ARG_TENSORS && t < arg->count; t++)
            if (!is_same_float(arg->as.tensors[t], &dtype))
                return false;
    }
    return true;
}

static ps_op_info info_of(const ps_op *op)
{
    ps_op_info info = {.size = sizeof info};
    if (ps_op_get_info(op, &info) != PS_OK)
        info = (ps_op_info){.name = "", .result = "", .group = "", .dtypes = ""};
    return info;
}

/* Masks and positions have types of their own, which say nothing about the result's; where truth is
 * all that is asked for, masks are the values. */
static bool is_value(const ps_op_info *info, size_t index)
{
    ps_arg_role role = index < info->nargs ? info->args[index].role : PS_ROLE_NONE;
    return role != PS_ROLE_POSITIONS && (role != PS_ROLE_MASK || strcmp(info->result, "bool") == 0);
}

/* Whether a tensor has the type of those before it; *first is theirs, or -1. */
static int check_same(const pyps_dialect *dialect, const ps_tensor *tensor, int *first)
{
    int dtype = (int)ps_tensor_dtype(tensor);
    if (*first < 0 || *first == dtype) {
        *first = dtype;
        return 0;
    }
    PyErr_Format(dialect->errors[PYPS_ERROR_TYPE],
                 "arrays of the element types %s and %s cannot be mixed; convert one",
                 ps_dtype_name((ps_dtype)*first), ps_dtype_name((ps_dtype)dtype));
    return -1;
}

static int check_mixed(const pyps_dialect *dialect, const ps_op_info *info, const ps_arg *args,
                       size_t nargs)
{
    int first = -1, status = 0;
    for (size_t i = 0; i < nargs && status == 0; i++) {
        if (args[i].kind == PS_ARG_TENSOR && is_value(info, i))
            status = check_same(dialect, args[i].as.tensor, &first);
        for (uint32_t j = 0; args[i].kind == PS_ARG_TENSORS && j < args[i].count && status == 0;
             j++)
            status = check_same(dialect, args[i].as.tensors[j], &first);
    }
    return status;
}

/* Whether the operation makes floats of integers. */
static bool gives_floats(const ps_op_info *info, const ps_arg *args, size_t nargs)
{
    for (size_t i = 0; i < nargs; i++)
        if (is_float_number(&args[i]))
            return true;
    return info->flags & PS_OP_TO_FLOAT;
}

/* A quick answer for the usual case. */
static bool of_one_type(const ps_arg *args, size_t nargs)
{
    int dtype = -1;
    for (size_t i = 0; i < nargs; i++) {
        if (args[i].kind == PS_ARG_TENSORS)
            return false;
        if (args[i].kind != PS_ARG_TENSOR)
            continue;
        if (dtype >= 0 && dtype != (int)ps_tensor_dtype(args[i].as.tensor))
            return false;
        dtype = (int)ps_tensor_dtype(args[i].as.tensor);
    }
    return true;
}

/* Whether operands of two element types are an error for this operation. */
static bool refuses_mixed(const pyps_policy *policy, const ps_op *op)
{
    if (policy->mixed != PYPS_MIXED_ARITHMETIC)
        return policy->mixed == PYPS_MIXED_REFUSE;
    return !pyps_has_trait(pyps_names_of(op), 'a');
}

/* An integer as the element type holds it: what does not fit loses its upper bits. */
static int64_t wrap(int64_t value, ps_dtype dtype)
{
    switch (dtype) {
    case PS_INT8:
        return (int8_t)value;
    case PS_INT16:
        return (int16_t)value;
    case PS_INT32:
        return (int32_t)value;
    case PS_UINT8:
        return (uint8_t)value;
    case PS_UINT16:
        return (uint16_t)value;
    case PS_UINT32:
        return (uint32_t)value;
    default:
        return value;
    }
}

void pyps_policy_fit(const pyps_dialect *dialect, ps_dtype dtype, ps_arg *number)
{
    const pyps_policy *policy = &dialect->policy;
    if ((policy->scalar != PYPS_SCALAR_KEEP && !policy->wrap_numbers) || dtype > PS_UINT64)
        return;
    double value = number->kind == PS_ARG_DOUBLE ? number->as.number : 0;
    if (dtype == PS_BOOL && number->kind == PS_ARG_DOUBLE)
        *number = ps_arg_bool(value != 0);
    else if (dtype == PS_BOOL && number->kind == PS_ARG_INT)
        *number = ps_arg_bool(number->as.integer != 0);
    else if (number->kind == PS_ARG_DOUBLE && value > -9.2e18 && value < 9.2e18) /* not so NaN */
        *number = ps_arg_int(wrap((int64_t)value, dtype));
    else if (number->kind == PS_ARG_INT)
        *number = ps_arg_int(wrap(number->as.integer, dtype));
}

/* Whether numbers beside a bool array become bool: not in arithmetic, which gives integers. */
static bool stays_bool(const ps_op *op)
{
    return strcmp(info_of(op).result, "bool") == 0 || pyps_has_trait(pyps_names_of(op), 'w');
}

/* Beside an array of integers or bool a number counts as one of its elements, where the array's
 * type is to stay. Real quotients are the exception. */
void pyps_policy_cut(const pyps_dialect *dialect, const ps_op *op, ps_arg *args, size_t nargs)
{
    const pyps_policy *policy = &dialect->policy;
    if (policy->scalar != PYPS_SCALAR_KEEP || nargs != 2)
        return;
    int array = args[0].kind == PS_ARG_TENSOR ? 0 : 1;
    ps_arg *number = &args[1 - array];
    if (args[array].kind != PS_ARG_TENSOR || number->kind == PS_ARG_TENSOR)
        return;
    ps_dtype dtype = ps_tensor_dtype(args[array].as.tensor);
    if (dtype > PS_UINT64 || (!policy->divide_integers && op == pyps_known(PYPS_DIVIDE)))
        return;
    if (strcmp(info_of(op).group, "elementwise") != 0)
        return; /* it is no operand, but an axis or the like */
    if (number->kind == PS_ARG_BOOL)
        *number = ps_arg_int(number->as.boolean);
    pyps_policy_fit(dialect, dtype == PS_BOOL && !stays_bool(op) ? PS_INT64 : dtype, number);
}

/* Which arguments are operands. */
static void find_values(const ps_op_info *info, size_t nargs, bool *values)
{
    for (size_t i = 0; i < nargs; i++)
        values[i] = is_value(info, i);
}

int pyps_policy_check_out(const pyps_dialect *dialect, const ps_op *op, const ps_arg *args,
                          size_t nargs, const ps_tensor *out)
{
    if (dialect->policy.update_kinds) {
        ps_op_info info = info_of(op);
        bool values[PYPS_ARGS];
        find_values(&info, nargs, values);
        return pyps_ranks_check_update(dialect, &info, args, values, nargs, out);
    }
    ps_dtype common = ps_tensor_dtype(out), given = common;
    if (dialect->policy.mixed == PYPS_MIXED_PROMOTE)
        return 0;
    for (size_t i = 0; i < nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR &&
            ps_dtype_promote(common, ps_tensor_dtype(args[i].as.tensor), &common) != PS_OK)
            break;
    if (common == given)
        return 0;
    PyErr_Format(dialect->errors[PYPS_ERROR_TYPE],
                 "a result of %s cannot be written into an array of %s", ps_dtype_name(common),
                 ps_dtype_name(given));
    return -1;
}

/* Minus an array of truth values, where numbers beside it would make integers of it. */
static bool negates_bool(const pyps_policy *policy, const ps_op *op, const ps_arg *args,
                         size_t nargs)
{
    return nargs == 1 && policy->scalar == PYPS_SCALAR_KEEP && args[0].kind == PS_ARG_TENSOR &&
           ps_tensor_dtype(args[0].as.tensor) == PS_BOOL && op == pyps_known(PYPS_NEGATIVE);
}

/* An integer beside an array of integers: what does not fit loses its upper bits, unless both become
 * floating-point numbers first. */
static void wrap_numbers(const ps_op_info *info, ps_arg *args, size_t nargs)
{
    for (size_t i = 0; i < nargs && nargs == 2; i++) {
        const ps_arg *other = &args[1 - i];
        if (args[i].kind != PS_ARG_INT || other->kind != PS_ARG_TENSOR ||
            !is_integer(ps_tensor_dtype(other->as.tensor)))
            continue;
        int64_t number = args[i].as.integer;
        int64_t wrapped = wrap(number, ps_tensor_dtype(other->as.tensor));
        if (!(info->flags & PS_OP_TO_FLOAT))
            args[i] = ps_arg_int(wrapped);
        else if (wrapped != number)
            args[i] = ps_arg_double((double)number);
    }
}

static int refuse_mean(const pyps_dialect *dialect, const ps_op_info *info, const ps_arg *args)
{
    ps_dtype dtype =
        args[0].kind == PS_ARG_TENSOR ? ps_tensor_dtype(args[0].as.tensor) : PS_FLOAT32;
    if (dtype > PS_UINT64 || !(info->flags & PS_OP_TO_FLOAT) ||
        strcmp(info->group, "reduction") != 0)
        return 0;
    PyErr_Format(dialect->errors[PYPS_ERROR_TYPE],
                 "%s(): the element type must be a floating-point or complex one, not %s",
                 info->name, ps_dtype_name(dtype));
    return -1;
}

static bool is_truth(const ps_arg *arg)
{
    return arg->kind == PS_ARG_BOOL ||
           (arg->kind == PS_ARG_TENSOR && ps_tensor_dtype(arg->as.tensor) == PS_BOOL);
}

static int refuse_minus(const pyps_dialect *dialect, const ps_op *op, const ps_arg *args,
                        size_t nargs)
{
    if (op != pyps_known(PYPS_SUBTRACT) || nargs != 2 ||
        (!is_truth(&args[0]) && !is_truth(&args[1])))
        return 0;
    PyErr_SetString(dialect->errors[PYPS_ERROR_TYPE],
                    "Subtraction, the `-` operator, with a bool is not supported: use `^` or "
                    "logical_xor() on two, `~` or logical_not() to invert one");
    return -1;
}

/* Products are of one element type, where the dialect wants that. */
static int check_product(const pyps_dialect *dialect, const ps_op_info *info, const ps_arg *args,
                         size_t nargs)
{
    bool product = strcmp(info->group, "product") == 0 || strcmp(info->name, "linear") == 0 ||
                   strncmp(info->name, "conv", 4) == 0;
    int first = -1;
    for (size_t i = 0; i < nargs && product; i++) {
        int dtype = args[i].kind == PS_ARG_TENSOR ? (int)ps_tensor_dtype(args[i].as.tensor) : first;
        if (first >= 0 && dtype != first) {
            PyErr_Format(dialect->errors[PYPS_ERROR_VALUE],
                         "%s: expected m1 and m2 to have the same dtype, but got: %s != %s",
                         info->name, ps_dtype_name((ps_dtype)first),
                         ps_dtype_name((ps_dtype)dtype));
            return -1;
        }
        first = dtype;
    }
    return 0;
}

/* The rules of ranks, and those of integers that go with them. */
static int apply_ranks(const pyps_dialect *dialect, const ps_op *op, ps_arg *args, size_t nargs,
                       ps_tensor **owned)
{
    const pyps_policy *policy = &dialect->policy;
    ps_op_info info = info_of(op);
    bool values[PYPS_ARGS], elementwise = strcmp(info.group, "elementwise") == 0;
    if (policy->float_means && nargs > 0 && refuse_mean(dialect, &info, args) != 0)
        return -1;
    if (policy->same_products && check_product(dialect, &info, args, nargs) != 0)
        return -1;
    if (policy->refuse_minus && refuse_minus(dialect, op, args, nargs) != 0)
        return -1;
    if (policy->wrap_numbers && elementwise)
        wrap_numbers(&info, args, nargs);
    if (policy->check_zeros && elementwise &&
        pyps_zeros_check(dialect, op, args, nargs, owned) != 0)
        return -1;
    if (policy->scalar != PYPS_SCALAR_RANKS || !elementwise)
        return 0;
    find_values(&info, nargs, values);
    return pyps_ranks_settle(dialect, &info, args, values, nargs, owned);
}

int pyps_policy_operands(const pyps_dialect *dialect, const ps_op *op, ps_arg *args, size_t nargs,
                         ps_tensor **owned)
{
    const pyps_policy *policy = &dialect->policy;
    if (policy->scalar == PYPS_SCALAR_RANKS || policy->wrap_numbers || policy->float_means ||
        policy->check_zeros || policy->same_products || policy->refuse_minus) {
        if (apply_ranks(dialect, op, args, nargs, owned) != 0)
            return -1;
    }
    pyps_policy_cut(dialect, op, args, nargs);
    if (negates_bool(policy, op, args, nargs) &&
        pyps_policy_convert(dialect, PS_INT64, &args[0], &owned[0]) != 0)
        return -1;
    if (policy->float_type == PS_FLOAT32 &&
        (policy->mixed == PYPS_MIXED_PROMOTE || of_one_type(args, nargs)))
        return 0;
    ps_op_info info = info_of(op);
    if (refuses_mixed(policy, op) && check_mixed(dialect, &info, args, nargs) != 0)
        return -1;
    if (policy->float_type == PS_FLOAT32 || !gives_floats(&info, args, nargs))
        return 0;
    for (size_t i = 0; i < nargs; i++) /* integers become the default float */
        if (args[i].kind == PS_ARG_TENSOR && ps_tensor_dtype(args[i].as.tensor) <= PS_UINT64 &&
            is_value(&info, i) &&
            pyps_policy_convert(dialect, (ps_dtype)policy->float_type, &args[i], &owned[i]) != 0)
            return -1;
    return 0;
}

/* ---- Results ------------------------------------------------------------------------------ */

/* The element type of the only array among the operands beside numbers; -1 if there are others. */
static int type_beside_number(const ps_arg *args, size_t nargs)
{
    int dtype = -1;
    bool number = false;
    for (size_t i = 0; i < nargs; i++) {
        if (args[i].kind == PS_ARG_TENSOR)
            dtype = (int)ps_tensor_dtype(args[i].as.tensor);
        else
            number = true;
    }
    return number ? dtype : -1;
}

static int first_type(const ps_arg *args, size_t nargs)
{
    for (size_t i = 0; i < nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR)
            return (int)ps_tensor_dtype(args[i].as.tensor);
    return -1;
}

/* The type of the first array that is no mask and no positions; -1 if there is none. */
static int first_value_type(const ps_op_info *info, const ps_arg *args, size_t nargs)
{
    for (size_t i = 0; i < nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR && is_value(info, i))
            return (int)ps_tensor_dtype(args[i].as.tensor);
    return -1;
}

/* The operand's type, if the result is to have that: functions of one array, and reductions, unless
 * a type was asked for. -1: not so. */
static int kept_type(const pyps_policy *policy, const ps_op *op, const ps_op_info *info,
                     const ps_arg *args, size_t nargs)
{
    int type = first_value_type(info, args, nargs);
    for (size_t i = 1; i < nargs; i++)
        if (args[i].kind == PS_ARG_DTYPE)
            return -1;
    bool elementwise = strcmp(info->group, "elementwise") == 0;
    if (policy->integers == PYPS_INTEGERS_ALWAYS)
        return elementwise || strcmp(info->group, "reduction") == 0 ? type : -1;
    if (type < 0 || !is_integer((ps_dtype)type))
        return -1;
    return (elementwise && nargs == 1) || pyps_has_trait(pyps_names_of(op), 'i') ? type : -1;
}

/* What the result's element type must be; -1: as it is. */
static int wanted_type(const pyps_policy *policy, const ps_op *op, const ps_arg *args, size_t nargs,
                       ps_dtype given)
{
    ps_op_info info = info_of(op);
    bool elementwise = strcmp(info.group, "elementwise") == 0;
    if (elementwise && given == PS_BOOL && strcmp(info.result, "bool") == 0)
        return policy->compare == -2 ? first_type(args, nargs) : policy->compare;
    if (policy->integers != PYPS_INTEGERS_PROMOTE) {
        int kept = kept_type(policy, op, &info, args, nargs);
        if (kept >= 0 && !(kept == PS_BOOL && given != PS_BOOL))
            return kept;
    }
    if (!elementwise || nargs != 2)
        return -1;
    int type = type_beside_number(args, nargs);
    if (type == PS_BOOL && given == PS_INT64) /* it was the number that made integers of it */
        return is_integer((ps_dtype)policy->int_type) ? policy->int_type : -1;
    if (policy->scalar == PYPS_SCALAR_KEEP)
        return type >= 0 && is_integer((ps_dtype)type) && op != pyps_known(PYPS_DIVIDE) ? type : -1;
    return -1;
}

/* Without dimensions: with one, where the dialect wants that. */
static int settle_dimensions(const pyps_dialect *dialect, ps_tensor **result)
{
    ps_index place = {.kind = PS_INDEX_NEW};
    ps_tensor *bare = *result;
    if (!dialect->policy.one_dimension || ps_tensor_ndim(bare) > 0)
        return 0;
    ps_status status = ps_tensor_index(bare, &place, 1, result);
    ps_tensor_release(bare);
    if (status == PS_OK)
        return 0;
    *result = NULL;
    pyps_raise(dialect, status);
    return -1;
}

int pyps_policy_result(const pyps_dialect *dialect, const ps_op *op, const ps_arg *args,
                       size_t nargs, ps_tensor **result)
{
    const pyps_policy *policy = &dialect->policy;
    ps_dtype given = ps_tensor_dtype(*result);
    if (pyps_np_shape && first_type(args, nargs) < 0)
        return 0; /* made of nothing: its shape is what was asked for */
    if (given > PS_UINT64 && first_type(args, nargs) > PS_UINT64)
        return settle_dimensions(dialect, result); /* floats stay floats */
    int wanted = wanted_type(policy, op, args, nargs, given);
    if (wanted >= 0 && (ps_dtype)wanted != given) {
        ps_arg cast[] = {{.kind = PS_ARG_NONE}, ps_arg_dtype((ps_dtype)wanted)};
        if (replace(dialect, "cast", cast, 2, result) != 0)
            return -1;
    }
    return settle_dimensions(dialect, result);
}

static bool is_integer_operand(const ps_arg *arg)
{
    if (arg->kind == PS_ARG_TENSOR)
        return is_integer(ps_tensor_dtype(arg->as.tensor));
    return arg->kind == PS_ARG_INT || arg->kind == PS_ARG_BOOL;
}

/* x - fmod(x, y) is a multiple of y, so floor_divide has nothing to round. */
static int divide_integers(const pyps_dialect *dialect, const ps_arg *args, ps_tensor **result)
{
    ps_tensor *rest = NULL, *whole = NULL;
    int status = pyps_op_tensors("fmod", args, 2, &rest, dialect);
    if (status == 0) {
        ps_arg pair[] = {args[0], ps_arg_tensor(rest)};
        status = pyps_op_tensors("subtract", pair, 2, &whole, dialect);
    }
    if (status == 0) {
        ps_arg pair[] = {ps_arg_tensor(whole), args[1]};
        status = pyps_op_tensors("floor_divide", pair, 2, result, dialect);
    }
    ps_tensor_release(rest);
    ps_tensor_release(whole);
    return status == 0 ? settle_dimensions(dialect, result) : status;
}

int pyps_policy_divide(const pyps_dialect *dialect, const ps_op *op, ps_arg *args,
                       ps_tensor **result)
{
    ps_op_info info = info_of(op);
    pyps_policy_cut(dialect, op, args, 2);
    if (refuses_mixed(&dialect->policy, op) && check_mixed(dialect, &info, args, 2) != 0)
        return -1;
    if (!is_integer_operand(&args[0]) || !is_integer_operand(&args[1]))
        return 1;
    return divide_integers(dialect, args, result);
}

int pyps_policy_form(const pyps_dialect *dialect, pyps_form form, ps_tensor **view)
{
    ps_arg arg[1];
    return dialect->policy.copies[form] ? replace(dialect, "copy", arg, 1, view) : 0;
}
