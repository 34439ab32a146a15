/* Arrays out of Python's numbers and nested sequences.
 *
 * Two passes over the sequences. The first finds shape and content: which kinds of numbers there
 * are. The second writes the elements, in a type that holds them all; a cast gives the wanted one
 * where it is not the same. Sequences that have arrays inside are made array by array, and stacked.
 *
 * Invariants
 *   1. The first pass may run Python code (a buffer of a Python class), so the second believes
 *      nothing: lengths are compared with the shape, and elements checked again. */
#include "interop.h"

/* The kinds of Python numbers, each holding those before it. */
typedef enum kind { NOTHING, BOOLS, INTEGERS, FLOATS, COMPLEXES } kind;

typedef struct scan {
    const pyps_dialect *dialect;
    int ndim;  /* -1 until the first element */
    int known; /* dimensions whose length is known */
    int64_t shape[PS_DIMS_MAX];
    int64_t at[PS_DIMS_MAX]; /* the position of the element looked at */
    kind numbers;            /* of Python's */
    bool wide;               /* an integer needs uint64 */
    int typed;       /* the common type of the elements that are no Python numbers; -1: none */
    bool has_arrays; /* one is an array: the scan has ended */
} scan;

bool pyps_is_number(PyObject *object)
{
    return PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object);
}

bool pyps_is_sequence(PyObject *object)
{
    return PyList_Check(object) || PyTuple_Check(object) || PyRange_Check(object);
}

/* Of a class derived from list or tuple. */
static const char unreadable[] = "a sequence whose items cannot be read one after the other";

/* ---- First pass -------------------------------------------------------------------------- */

/* Integers that do not fit are found in the second pass: a float may be wanted. */
static void note_integer(scan *s, PyObject *number)
{
    int overflow;
    PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow > 0) {
        PyLong_AsUnsignedLongLong(number);
        s->wide |= !PyErr_Occurred();
        PyErr_Clear();
    }
}

static void note_number(scan *s, PyObject *number)
{
    kind found = PyBool_Check(number)    ? BOOLS
                 : PyLong_Check(number)  ? INTEGERS
                 : PyFloat_Check(number) ? FLOATS
                                         : COMPLEXES;
    if (found > s->numbers)
        s->numbers = found;
    if (found == INTEGERS)
        note_integer(s, number);
}

static int note_typed(scan *s, ps_dtype dtype)
{
    ps_dtype common = dtype;
    if (s->typed >= 0 && ps_dtype_promote((ps_dtype)s->typed, dtype, &common) != PS_OK) {
        pyps_raise(s->dialect, PS_ERR_ARGUMENT);
        return -1;
    }
    s->typed = (int)common;
    return 0;
}

/* "[1][0]" */
static void write_position(const scan *s, int depth, char text[PS_DIMS_MAX * 24])
{
    int length = 0;
    text[0] = 0;
    for (int i = 0; i < depth; i++)
        length += sprintf(text + length, "[%lld]", (long long)s->at[i]);
}

static int ragged_depth(const scan *s, int depth)
{
    char position[PS_DIMS_MAX * 24];
    write_position(s, depth, position);
    PyErr_Format(PyExc_ValueError,
                 depth < s->ndim ? "sequences of unequal depth: %s is a number, others there are "
                                   "sequences"
                                 : "sequences of unequal depth: %s is a sequence, others there are "
                                   "numbers",
                 position);
    return -1;
}

static int refuse_depth(void)
{
    PyErr_Format(PyExc_ValueError, "sequences nested more than %d deep", PS_DIMS_MAX);
    return -1;
}

static int note_length(scan *s, int depth, int64_t length)
{
    char position[PS_DIMS_MAX * 24];
    if (depth == PS_DIMS_MAX)
        return refuse_depth();
    if (depth == s->known && s->ndim < 0) {
        s->shape[s->known++] = length;
        if (length == 0)
            s->ndim = depth + 1;
        return 0;
    }
    if (depth >= s->ndim && s->ndim >= 0)
        return ragged_depth(s, depth);
    if (s->shape[depth] == length)
        return 0;
    write_position(s, depth, position);
    PyErr_Format(PyExc_ValueError,
                 "sequences of unequal lengths: %s has length %lld, those before it %lld", position,
                 (long long)length, (long long)s->shape[depth]);
    return -1;
}

static int note_element(scan *s, PyObject *element, int depth)
{
    int dtype = -1;
    bool number = pyps_is_number(element);
    if (!number && !pyps_is_array(element))
        dtype = pyps_buffer_scalar(element);
    if (!number && dtype < 0) {
        s->has_arrays = true;
        return 0;
    }
    if (s->ndim >= 0 && s->ndim != depth)
        return ragged_depth(s, depth);
    s->ndim = depth;
    if (!number)
        return note_typed(s, (ps_dtype)dtype);
    note_number(s, element);
    return 0;
}

static int look(scan *s, PyObject *object, int depth)
{
    if (!pyps_is_sequence(object))
        return note_element(s, object, depth);
    PyObject *list = PySequence_Fast(object, unreadable);
    int failed = list == NULL ? -1 : note_length(s, depth, PySequence_Fast_GET_SIZE(list));
    for (Py_ssize_t i = 0; failed == 0 && !s->has_arrays && i < PySequence_Fast_GET_SIZE(list);
         i++) {
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(list, i));
        s->at[depth] = i;
        failed = look(s, item, depth + 1);
        Py_DECREF(item);
    }
    Py_XDECREF(list);
    return failed;
}

/* ---- Element types ----------------------------------------------------------------------- */

static ps_dtype default_type(const scan *s)
{
    const pyps_policy *policy = &s->dialect->policy;
    switch (s->numbers) {
    case BOOLS:
        return (ps_dtype)policy->bool_type;
    case INTEGERS:
        return s->wide && policy->int_type <= PS_UINT64 ? PS_UINT64 : (ps_dtype)policy->int_type;
    case COMPLEXES:
        return (ps_dtype)policy->complex_type;
    default:
        return (ps_dtype)policy->float_type;
    }
}

static ps_dtype content_type(const scan *s)
{
    ps_dtype common = default_type(s);
    if (s->typed >= 0 && s->numbers == NOTHING)
        return (ps_dtype)s->typed;
    if (s->typed >= 0)
        ps_dtype_promote((ps_dtype)s->typed, common, &common);
    return common;
}

/* Of the values themselves, whatever the dialect makes of them. */
static pyps_class content_class(const scan *s)
{
    pyps_class of_numbers = s->numbers <= BOOLS
                                ? PYPS_CLASS_BOOL
                                : (pyps_class)(s->numbers - INTEGERS + PYPS_CLASS_INTEGER);
    pyps_class of_typed = s->typed >= 0 ? pyps_class_of((ps_dtype)s->typed) : PYPS_CLASS_BOOL;
    return of_numbers > of_typed ? of_numbers : of_typed;
}

/* The type to write elements in, on the way to `dtype`: itself where its C type is at hand and all
 * values can be checked against it. -1 and an exception if there is no way. */
static int fill_type(const scan *s, ps_dtype dtype)
{
    static const ps_dtype widest[] = {PS_BOOL, PS_INT64, PS_FLOAT64, PS_COMPLEX128};
    pyps_class from = content_class(s), to = pyps_class_of(dtype);
    if (from == PYPS_CLASS_COMPLEX && (to == PYPS_CLASS_INTEGER || to == PYPS_CLASS_FLOAT)) {
        PyErr_Format(PyExc_TypeError, "complex numbers cannot become %s: take their real part",
                     ps_dtype_name(dtype));
        return -1;
    }
    if (from == PYPS_CLASS_INTEGER && to == PYPS_CLASS_BOOL && (s->wide || s->typed == PS_UINT64))
        return PS_UINT64;
    if (from > to)
        return (int)widest[from];
    return dtype == PS_FLOAT16 || dtype == PS_BFLOAT16 ? PS_FLOAT64 : (int)dtype;
}

/* ---- Second pass ------------------------------------------------------------------------- */

static int store_signed(ps_dtype dtype, PyObject *number, char *to)
{
    int overflow, bits = 8 * (int)ps_dtype_bytes(dtype);
    int64_t value = PyLong_AsLongLongAndOverflow(number, &overflow),
            most = INT64_MAX >> (64 - bits);
    if (overflow != 0 || value > most || value < -most - 1) {
        pyps_error(PyExc_OverflowError, "%R does not fit %s (%lld to %lld)", number,
                   ps_dtype_name(dtype), (long long)(-most - 1), (long long)most);
        return -1;
    }
    memcpy(to, &value, ps_dtype_bytes(dtype)); /* the low bytes come first */
    return 0;
}

static int store_unsigned(ps_dtype dtype, PyObject *number, char *to)
{
    int bits = 8 * (int)ps_dtype_bytes(dtype);
    uint64_t value = PyLong_AsUnsignedLongLong(number), most = UINT64_MAX >> (64 - bits);
    bool failed = value == UINT64_MAX && PyErr_Occurred();
    if (failed || value > most) {
        PyErr_Clear();
        pyps_error(PyExc_OverflowError, "%R does not fit %s (0 to %llu)", number,
                   ps_dtype_name(dtype), (unsigned long long)most);
        return -1;
    }
    memcpy(to, &value, ps_dtype_bytes(dtype));
    return 0;
}

static int store_integer(ps_dtype dtype, PyObject *element, char *to)
{
    PyObject *number = PyLong_Check(element) ? Py_NewRef(element) : PyNumber_Long(element);
    if (number == NULL)
        return -1;
    int failed =
        dtype <= PS_INT64 ? store_signed(dtype, number, to) : store_unsigned(dtype, number, to);
    Py_DECREF(number);
    return failed;
}

static int store_complex(ps_dtype dtype, PyObject *element, char *to)
{
    Py_complex value = PyComplex_AsCComplex(element);
    if (value.real == -1.0 && PyErr_Occurred())
        return -1;
    double wide[2] = {value.real, value.imag};
    float narrow[2] = {(float)value.real, (float)value.imag};
    if (dtype == PS_COMPLEX128)
        memcpy(to, wide, sizeof wide);
    else
        memcpy(to, narrow, sizeof narrow);
    return 0;
}

static int store_float(ps_dtype dtype, PyObject *element, char *to)
{
    double value = PyFloat_Check(element) ? PyFloat_AS_DOUBLE(element) : PyFloat_AsDouble(element);
    if (value == -1.0 && PyErr_Occurred())
        return -1;
    float narrow = (float)value;
    if (dtype == PS_FLOAT64)
        memcpy(to, &value, sizeof value);
    else
        memcpy(to, &narrow, sizeof narrow);
    return 0;
}

static int store(ps_dtype dtype, PyObject *element, char *to)
{
    int truth;
    switch (pyps_class_of(dtype)) {
    case PYPS_CLASS_BOOL:
        truth = PyObject_IsTrue(element);
        *to = (char)(truth > 0);
        return truth < 0 ? -1 : 0;
    case PYPS_CLASS_INTEGER:
        return store_integer(dtype, element, to);
    case PYPS_CLASS_FLOAT:
        return store_float(dtype, element, to);
    default:
        return store_complex(dtype, element, to);
    }
}

static int changed_meanwhile(void)
{
    PyErr_SetString(PyExc_ValueError, "a sequence was changed while it was read");
    return -1;
}

static int fill(const scan *s, PyObject *object, int depth, ps_dtype dtype, char **to)
{
    if (depth == s->ndim) {
        if (pyps_is_sequence(object) || (!pyps_is_number(object) && pyps_buffer_scalar(object) < 0))
            return changed_meanwhile();
        int failed = store(dtype, object, *to);
        *to += ps_dtype_bytes(dtype);
        return failed;
    }
    PyObject *list = pyps_is_sequence(object) ? PySequence_Fast(object, unreadable) : NULL;
    int failed = list == NULL && PyErr_Occurred() ? -1 : 0;
    if (failed == 0 && (list == NULL || PySequence_Fast_GET_SIZE(list) != s->shape[depth]))
        failed = changed_meanwhile();
    for (Py_ssize_t i = 0; failed == 0 && i < s->shape[depth]; i++) {
        if (PySequence_Fast_GET_SIZE(list) != s->shape[depth]) {
            failed = changed_meanwhile();
            break;
        }
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(list, i));
        failed = fill(s, item, depth + 1, dtype, to);
        Py_DECREF(item);
    }
    Py_XDECREF(list);
    return failed;
}

/* The bytes of all elements; -1 and an exception if that is no size. */
static int64_t bytes_of(const scan *s, ps_dtype dtype)
{
    int64_t bytes = (int64_t)ps_dtype_bytes(dtype);
    for (int i = 0; i < s->ndim; i++)
        if (__builtin_mul_overflow(bytes, s->shape[i], &bytes)) {
            PyErr_SetString(PyExc_MemoryError, "sequences with more elements than memory can hold");
            return -1;
        }
    return bytes;
}

static ps_tensor *make(const scan *s, PyObject *object, const pyps_import *wanted)
{
    ps_dtype dtype = wanted->dtype >= 0 ? (ps_dtype)wanted->dtype : content_type(s);
    int filled = fill_type(s, dtype);
    int64_t bytes = filled >= 0 ? bytes_of(s, (ps_dtype)filled) : -1;
    _Alignas(16) char small[256];
    ps_tensor *tensor = NULL;
    if (bytes < 0)
        return NULL;
    char *elements = bytes <= (int64_t)sizeof small ? small : PyMem_Malloc((size_t)bytes);
    if (elements == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    char *to = elements;
    if (fill(s, object, 0, (ps_dtype)filled, &to) == 0) {
        ps_status status =
            ps_tensor_from_host((ps_dtype)filled, s->ndim, s->shape, NULL, elements, NULL, &tensor);
        if (status != PS_OK)
            pyps_raise(s->dialect, status);
    }
    if (elements != small)
        PyMem_Free(elements);
    pyps_import finish = *wanted;
    finish.dtype = (int)dtype;
    return pyps_import_finish(tensor, &finish);
}

/* ---- Arrays inside ----------------------------------------------------------------------- */

static int check_shape(const ps_tensor *first, const ps_tensor *other, Py_ssize_t position)
{
    int ndim = ps_tensor_ndim(first);
    size_t bytes = (size_t)ndim * sizeof(int64_t);
    if (ndim == ps_tensor_ndim(other) &&
        memcmp(ps_tensor_shape(first), ps_tensor_shape(other), bytes) == 0)
        return 0;
    PyObject *shape = pyps_shape_object(other), *before = pyps_shape_object(first);
    if (shape != NULL && before != NULL)
        pyps_error(PyExc_ValueError,
                   "arrays of unequal shapes in a sequence: [%zd] has %R, [0] has %R", position,
                   shape, before);
    Py_XDECREF(shape);
    Py_XDECREF(before);
    return -1;
}

/* All items as tensors of one shape: how many there are before something fails. */
static Py_ssize_t import_items(PyObject *items, const pyps_import *wanted, ps_tensor **tensors)
{
    Py_ssize_t count = PyTuple_GET_SIZE(items);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_GET_ITEM(items, i);
        tensors[i] = pyps_import_object(item, wanted);
        if (tensors[i] == NULL) {
            if (!PyErr_Occurred())
                pyps_error(PyExc_TypeError,
                           "a sequence must hold numbers, sequences and arrays: [%zd] is %.200s "
                           "object %R",
                           i, Py_TYPE(item)->tp_name, item);
            return i;
        }
        if (check_shape(tensors[0], tensors[i], i) != 0)
            return i + 1;
    }
    return count;
}

static ps_tensor *stack(PyObject *object, const pyps_import *wanted)
{
    PyObject *items = PySequence_Tuple(object); /* so that nobody changes it meanwhile */
    ps_tensor *result = NULL;
    if (items == NULL)
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(items), made = 0;
    ps_tensor **tensors = PyMem_Calloc((size_t)count + 1, sizeof *tensors);
    pyps_import inner = *wanted;
    inner.copy = -1;
    inner.depth++;
    if (tensors == NULL)
        PyErr_NoMemory();
    else if (inner.depth > PS_DIMS_MAX) /* one that contains itself has no end */
        refuse_depth();
    else
        made = import_items(items, &inner, tensors);
    if (!PyErr_Occurred()) {
        ps_arg arg = ps_arg_tensors(tensors, (size_t)made);
        pyps_op_tensors("stack", &arg, 1, &result, wanted->dialect);
    }
    for (Py_ssize_t i = 0; i < made; i++)
        ps_tensor_release(tensors[i]);
    PyMem_Free(tensors);
    Py_DECREF(items);
    return pyps_import_finish(result, wanted);
}

/* ---- Both -------------------------------------------------------------------------------- */

ps_tensor *pyps_import_sequence(PyObject *object, const pyps_import *wanted)
{
    scan s = {.dialect = wanted->dialect, .ndim = -1, .typed = -1};
    if (look(&s, object, 0) != 0)
        return NULL;
    if (s.ndim < 0 && !s.has_arrays) {
        changed_meanwhile();
        return NULL;
    }
    return s.has_arrays ? stack(object, wanted) : make(&s, object, wanted);
}

ps_tensor *pyps_import_number(PyObject *object, const pyps_import *wanted)
{
    scan s = {.dialect = wanted->dialect, .ndim = 0, .typed = -1};
    note_number(&s, object);
    return make(&s, object, wanted);
}
