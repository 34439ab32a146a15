/* Operators: the way from `x + 1` to a queued operation. It is the hottest code of the frontend. */
#include "core.h"

/* The operations behind the operators, found once by what the table says of them. */
#define OPERATORS(X)                                                                               \
    X(add, "x1 + x2")                                                                              \
    X(subtract, "x1 - x2")                                                                         \
    X(multiply, "x1 * x2")                                                                         \
    X(divide, "x1 / x2")                                                                           \
    X(floor_divide, "x1 // x2")                                                                    \
    X(remainder, "x1 % x2")                                                                        \
    X(pow, "x1 ** x2")                                                                             \
    X(matmul, "x1 @ x2")                                                                           \
    X(bitwise_and, "x1 & x2")                                                                      \
    X(bitwise_or, "x1 | x2")                                                                       \
    X(bitwise_xor, "x1 ^ x2")                                                                      \
    X(bitwise_left_shift, "x1 << x2")                                                              \
    X(bitwise_right_shift, "x1 >> x2")                                                             \
    X(negative, "-x")                                                                              \
    X(positive, "+x")                                                                              \
    X(abs, "|x|")                                                                                  \
    X(bitwise_invert, "~x")                                                                        \
    X(less, "x1 < x2")                                                                             \
    X(less_equal, "x1 <= x2")                                                                      \
    X(equal, "x1 == x2")                                                                           \
    X(not_equal, "x1 != x2")                                                                       \
    X(greater, "x1 > x2")                                                                          \
    X(greater_equal, "x1 >= x2")

enum {
#define ENUM(name, symbol) OP_##name,
    OPERATORS(ENUM)
#undef ENUM
        OPERATOR_COUNT
};

static const ps_op *operators[OPERATOR_COUNT];

/* The operands of one operator. */
typedef struct operands {
    ps_arg args[2];
    PyTypeObject
        *type; /* a reference if it is a subclass: an operand's code may change the class */
    const pyps_dialect *dialect;
    ps_tensor *owned; /* made of an operand that is not an array, or NULL */
} operands;

static inline void hold_class(const operands *two)
{
    if (PYPS_UNLIKELY(two->type != &pyps_array_type))
        Py_INCREF(two->type);
}

/* The arguments stay as they are: `take` writes each before anybody reads it. */
static inline void operands_begin(operands *two)
{
    two->type = NULL;
    two->dialect = NULL;
    two->owned = NULL;
}

static inline void operands_end(const operands *two)
{
    if (PYPS_UNLIKELY(two->type != &pyps_array_type))
        Py_XDECREF(two->type);
    if (PYPS_UNLIKELY(two->owned != NULL))
        ps_tensor_release(two->owned);
}

/* The class of a second array, which may be derived from the first one's. */
static int merge_class(operands *two, PyObject *array)
{
    operands before = *two;
    if (pyps_merge(array, &two->type, &two->dialect) != 0)
        return -1;
    hold_class(two);
    before.owned = NULL;
    operands_end(&before);
    return 1;
}

/* NumPy's arrays and the like; lists are not operands. 1, 0 if it is none, or -1. */
static int take_foreign(operands *two, int index, PyObject *object)
{
    if (object == Py_None || PyUnicode_Check(object) || PyList_Check(object) ||
        PyTuple_Check(object) || PyBytes_Check(object))
        return 0;
    pyps_import wanted = {.dialect = pyps_native, .dtype = -1, .copy = -1};
    two->owned = pyps_import_object(object, &wanted);
    if (two->owned == NULL)
        return PyErr_Occurred() ? -1 : 0;
    two->args[index] = ps_arg_tensor(two->owned);
    return 1;
}

static inline int take(operands *two, int index, PyObject *object)
{
    ps_arg *arg = &two->args[index];
    if (PyLong_CheckExact(object))
        return pyps_number(object, arg);
    if (pyps_is_array(object)) {
        *arg = ps_arg_tensor(pyps_tensor(object));
        if (PYPS_LIKELY(two->type == NULL)) {
            two->type = Py_TYPE(object);
            two->dialect = pyps_dialect_get(object);
            hold_class(two);
            return 1;
        }
        return two->type == Py_TYPE(object) ? 1 : merge_class(two, object);
    }
    if (PyFloat_CheckExact(object)) {
        *arg = ps_arg_double(PyFloat_AS_DOUBLE(object));
        return 1;
    }
    int number = pyps_number(object, arg);
    return PYPS_LIKELY(number != 0) ? number : take_foreign(two, index, object);
}

/* The quotients themselves, or written into the array that is to have them. */
static int give_divided(const pyps_dialect *dialect, ps_tensor *quotients, ps_tensor **out)
{
    if (*out == NULL) {
        *out = quotients;
        return 0;
    }
    ps_arg arg = ps_arg_tensor(quotients);
    int status = pyps_op_tensors("assign", &arg, 1, out, dialect);
    ps_tensor_release(quotients);
    return status;
}

/* A product of matrices with a number, where only arrays of the dialect are operands. */
static bool refuses_number(const operands *two)
{
    bool both = two->args[0].kind == PS_ARG_TENSOR && two->args[1].kind == PS_ARG_TENSOR;
    if (both || !pyps_policy_takes_numpy(two->dialect))
        return false;
    PyErr_SetString(two->dialect->errors[PYPS_ERROR_OPERAND],
                    "matmul: both operands must be arrays, not numbers");
    return true;
}

/* A dialect with rules of its own. It may put other operands in the place of the call's, for as long
 * as they last: until this returns. */
static int run_policy(const operands *two, const ps_op *op, ps_call *call)
{
    ps_arg args[2] = {two->args[0], two->args[1]};
    ps_tensor *made[2] = {NULL, NULL};
    const pyps_dialect *dialect = two->dialect;
    bool fresh = call->outputs[0] == NULL;
    if (op == operators[OP_matmul] && refuses_number(two))
        return -1;
    if (!fresh && pyps_policy_check_out(dialect, op, args, call->nargs, call->outputs[0]) != 0)
        return -1;
    if (op == operators[OP_divide] && dialect->policy.divide_integers) {
        ps_tensor *quotients = NULL;
        int divided = pyps_policy_divide(dialect, op, args, &quotients);
        if (divided <= 0)
            return divided == 0 ? give_divided(dialect, quotients, call->outputs) : -1;
    }
    int done = pyps_policy_operands(dialect, op, args, call->nargs, made);
    const ps_arg *given = call->args;
    call->args = args;
    ps_status status = done == 0 ? ps_op_call(op, call) : PS_OK;
    call->args = given;
    for (int i = 0; i < 2; i++)
        ps_tensor_release(made[i]);
    if (status != PS_OK)
        pyps_raise(dialect, status);
    if (status != PS_OK || done != 0)
        return -1;
    return fresh ? pyps_policy_result(dialect, op, two->args, call->nargs, call->outputs) : 0;
}

/* Most operands are such that no rule applies to them. */
PYPS_HOT static int run_dialect(const operands *two, const ps_op *op, ps_call *call)
{
    bool fresh = call->outputs[0] == NULL;
    if (op == operators[OP_remainder] && two->dialect->policy.modulo_zero)
        op = pyps_known(PYPS_MODULO);
    if (op == operators[OP_matmul] || !pyps_policy_is_idle(two->args, call->nargs))
        return run_policy(two, op, call);
    ps_status status = ps_op_call(op, call);
    if (PYPS_UNLIKELY(status != PS_OK)) {
        pyps_raise(two->dialect, status);
        return -1;
    }
    if (!fresh || !pyps_policy_judges(two->dialect, call->outputs[0]))
        return 0;
    return pyps_policy_result(two->dialect, op, two->args, call->nargs, call->outputs);
}

static inline int run(const operands *two, const ps_op *op, size_t nargs, ps_tensor **out)
{
    ps_call call = {.size = sizeof call,
                    .args = two->args,
                    .nargs = nargs,
                    .outputs = out,
                    .noutputs = 1,
                    .location = pyps_location()};
    pyps_enter();
    if (PYPS_UNLIKELY(!two->dialect->plain))
        return run_dialect(two, op, &call);
    ps_status status = ps_op_call(op, &call);
    if (PYPS_LIKELY(status == PS_OK))
        return 0;
    pyps_raise(two->dialect, status);
    return -1;
}

/* An operand was made of what is no array of ours, or could not be made: NumPy's numbers count as
 * numbers in some dialects, all else raises, where the dialect refuses it. */
static int refuse_foreign(operands *two, int taken, PyObject *a, PyObject *b)
{
    if (taken < 0 || two->type == NULL || !pyps_policy_takes_numpy(two->dialect))
        return taken;
    int index = pyps_is_array(a) ? 1 : 0;
    PyObject *foreign = index == 1 ? b : a;
    int number = pyps_numpy_number(foreign, &two->args[index]);
    if (number == 0 && !two->dialect->policy.refuse_foreign)
        return taken;
    if (number == 0) {
        PyErr_Format(PyExc_TypeError,
                     "type %R not supported: convert it to an array of %.200s first",
                     Py_TYPE(foreign), two->type->tp_name);
        number = -1;
    }
    ps_tensor_release(two->owned);
    two->owned = NULL;
    return number;
}

PYPS_HOT static inline PyObject *binary(PyObject *a, PyObject *b, const ps_op *op)
{
    operands two;
    ps_tensor *out = NULL;
    PyObject *result = NULL;
    operands_begin(&two);
    int taken = take(&two, 0, a);
    if (PYPS_LIKELY(taken > 0))
        taken = take(&two, 1, b);
    if (PYPS_UNLIKELY(two.owned != NULL || taken == 0))
        taken = refuse_foreign(&two, taken, a, b);
    if (PYPS_LIKELY(taken > 0 && run(&two, op, 2, &out) == 0))
        result = pyps_wrap(two.type, two.dialect, out);
    operands_end(&two);
    if (PYPS_UNLIKELY(taken == 0))
        Py_RETURN_NOTIMPLEMENTED;
    return result;
}

/* x += y: into x. */
static PyObject *update(PyObject *self, PyObject *other, const ps_op *op)
{
    operands two;
    ps_tensor *out = pyps_tensor(self);
    if (PYPS_UNLIKELY(pyps_dialect_get(self)->policy.update_new))
        return binary(self, other, op);
    operands_begin(&two);
    int taken = take(&two, 0, self);
    if (taken > 0)
        taken = take(&two, 1, other);
    if (two.owned != NULL || taken == 0)
        taken = refuse_foreign(&two, taken, self, other);
    int status = taken > 0 ? run(&two, op, 2, &out) : -1;
    operands_end(&two);
    if (taken == 0)
        Py_RETURN_NOTIMPLEMENTED;
    return status == 0 ? Py_NewRef(self) : NULL;
}

static PyObject *unary(PyObject *self, const ps_op *op)
{
    operands one = {.type = Py_TYPE(self), .dialect = pyps_dialect_get(self)};
    ps_tensor *out = NULL;
    one.args[0] = ps_arg_tensor(pyps_tensor(self));
    return run(&one, op, 1, &out) == 0 ? pyps_wrap_like(self, out) : NULL;
}

#define BINARY(name)                                                                               \
    static PyObject *do_##name(PyObject *a, PyObject *b)                                           \
    {                                                                                              \
        return binary(a, b, operators[OP_##name]);                                                 \
    }
#define UPDATE(name)                                                                               \
    static PyObject *up_##name(PyObject *a, PyObject *b)                                           \
    {                                                                                              \
        return update(a, b, operators[OP_##name]);                                                 \
    }
#define UNARY(name)                                                                                \
    static PyObject *do_##name(PyObject *a)                                                        \
    {                                                                                              \
        return unary(a, operators[OP_##name]);                                                     \
    }

/* clang-format off */
BINARY(subtract) BINARY(multiply) BINARY(divide) BINARY(floor_divide)
BINARY(remainder) BINARY(matmul) BINARY(bitwise_and) BINARY(bitwise_or) BINARY(bitwise_xor)
BINARY(bitwise_left_shift) BINARY(bitwise_right_shift)
UPDATE(add) UPDATE(subtract) UPDATE(multiply) UPDATE(divide) UPDATE(floor_divide)
UPDATE(remainder) UPDATE(matmul) UPDATE(bitwise_and) UPDATE(bitwise_or) UPDATE(bitwise_xor)
UPDATE(bitwise_left_shift) UPDATE(bitwise_right_shift)
UNARY(negative) UNARY(positive) UNARY(abs) UNARY(bitwise_invert)
    /* clang-format on */

    /* Bytes would take the array for bytes to put behind their own. */
    static PyObject *do_add(PyObject *a, PyObject *b)
{
    if (PYPS_UNLIKELY(PyBytes_Check(a) || PyByteArray_Check(a)))
        return pyps_error(PyExc_TypeError, "an array cannot be added to %R", a);
    return binary(a, b, operators[OP_add]);
}

static bool has_modulus(PyObject *modulus)
{
    if (modulus == Py_None)
        return false;
    PyErr_SetString(PyExc_TypeError, "pow() of arrays takes no third argument");
    return true;
}

static PyObject *do_pow(PyObject *a, PyObject *b, PyObject *modulus)
{
    return has_modulus(modulus) ? NULL : binary(a, b, operators[OP_pow]);
}

static PyObject *up_pow(PyObject *a, PyObject *b, PyObject *modulus)
{
    return has_modulus(modulus) ? NULL : update(a, b, operators[OP_pow]);
}

static PyObject *do_divmod(PyObject *a, PyObject *b)
{
    PyObject *quotient = do_floor_divide(a, b);
    if (quotient == NULL || quotient == Py_NotImplemented)
        return quotient;
    PyObject *rest = do_remainder(a, b);
    if (rest == NULL || rest == Py_NotImplemented) {
        Py_DECREF(quotient);
        return rest;
    }
    return Py_BuildValue("(NN)", quotient, rest);
}

PyObject *pyps_compare(PyObject *a, PyObject *b, int op)
{
    static const uint8_t which[] =
        {[Py_LT] = OP_less,      [Py_LE] = OP_less_equal, [Py_EQ] = OP_equal,
         [Py_NE] = OP_not_equal, [Py_GT] = OP_greater,    [Py_GE] = OP_greater_equal};
    return binary(a, b, operators[which[op]]);
}

/* ---- Numbers of one element -------------------------------------------------------------- */

static int do_bool(PyObject *self)
{
    int64_t count = ps_tensor_count(pyps_tensor(self));
    if (count != 1) {
        PyErr_Format(pyps_dialect_get(self)->errors[PYPS_ERROR_TRUTH],
                     "the truth value of an array with %lld elements is ambiguous: use any() or "
                     "all()",
                     (long long)count);
        return -1;
    }
    PyObject *item = pyps_item(self);
    int truth = item != NULL ? PyObject_IsTrue(item) : -1;
    Py_XDECREF(item);
    return truth;
}

static PyObject *do_float(PyObject *self)
{
    PyObject *item = pyps_item(self);
    PyObject *number = item != NULL ? PyNumber_Float(item) : NULL;
    Py_XDECREF(item);
    return number;
}

static PyObject *do_int(PyObject *self)
{
    PyObject *item = pyps_item(self);
    PyObject *number = item != NULL ? PyNumber_Long(item) : NULL;
    Py_XDECREF(item);
    return number;
}

static PyObject *do_index(PyObject *self)
{
    ps_dtype dtype = ps_tensor_dtype(pyps_tensor(self));
    bool truth = dtype == PS_BOOL && pyps_dialect_get(self)->policy.list_keys;
    if ((!truth && (dtype < PS_INT8 || dtype > PS_UINT64)) ||
        ps_tensor_count(pyps_tensor(self)) != 1)
        return PyErr_Format(PyExc_TypeError,
                            "only integer arrays of one element can be an index, not %lld of %s",
                            (long long)ps_tensor_count(pyps_tensor(self)), ps_dtype_name(dtype));
    return truth ? do_int(self) : pyps_item(self);
}

PyNumberMethods pyps_number_methods = {
    .nb_add = do_add,
    .nb_subtract = do_subtract,
    .nb_multiply = do_multiply,
    .nb_true_divide = do_divide,
    .nb_floor_divide = do_floor_divide,
    .nb_remainder = do_remainder,
    .nb_divmod = do_divmod,
    .nb_power = do_pow,
    .nb_matrix_multiply = do_matmul,
    .nb_and = do_bitwise_and,
    .nb_or = do_bitwise_or,
    .nb_xor = do_bitwise_xor,
    .nb_lshift = do_bitwise_left_shift,
    .nb_rshift = do_bitwise_right_shift,
    .nb_negative = do_negative,
    .nb_positive = do_positive,
    .nb_absolute = do_abs,
    .nb_invert = do_bitwise_invert,
    .nb_inplace_add = up_add,
    .nb_inplace_subtract = up_subtract,
    .nb_inplace_multiply = up_multiply,
    .nb_inplace_true_divide = up_divide,
    .nb_inplace_floor_divide = up_floor_divide,
    .nb_inplace_remainder = up_remainder,
    .nb_inplace_power = up_pow,
    .nb_inplace_matrix_multiply = up_matmul,
    .nb_inplace_and = up_bitwise_and,
    .nb_inplace_or = up_bitwise_or,
    .nb_inplace_xor = up_bitwise_xor,
    .nb_inplace_lshift = up_bitwise_left_shift,
    .nb_inplace_rshift = up_bitwise_right_shift,
    .nb_bool = do_bool,
    .nb_float = do_float,
    .nb_int = do_int,
    .nb_index = do_index,
};

static const ps_op *find_operator(const char *symbol)
{
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = {.size = sizeof info};
        if (ps_op_get_info(ps_op_at(i), &info) == PS_OK && info.symbol != NULL &&
            strcmp(info.symbol, symbol) == 0)
            return ps_op_at(i);
    }
    PyErr_Format(PyExc_SystemError, "no operation is the operator %s", symbol);
    return NULL;
}

int pyps_operators_setup(PyObject *module)
{
#define SYMBOL(name, symbol) symbol,
    static const char *const symbols[] = {OPERATORS(SYMBOL)};
#undef SYMBOL
    (void)module;
    for (int i = 0; i < OPERATOR_COUNT; i++) {
        operators[i] = find_operator(symbols[i]);
        if (operators[i] == NULL)
            return -1;
    }
    return 0;
}
