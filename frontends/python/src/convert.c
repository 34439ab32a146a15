/* Python objects as arguments of operations. */
#include "core.h"

/* ---- Numbers ------------------------------------------------------------------------------ */

static int large_integer(PyObject *object, ps_arg *arg)
{
    unsigned long long value = PyLong_AsUnsignedLongLong(object);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        PyErr_Clear();
        pyps_error(PyExc_OverflowError, "the integer %R does not fit 64 bits", object);
        return -1;
    }
    *arg = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = {PS_SCALAR_UINT64, {.u = value}}};
    return 1;
}

int pyps_number(PyObject *object, ps_arg *arg)
{
    if (PyLong_CheckExact(object) || (PyLong_Check(object) && !PyBool_Check(object))) {
        int overflow;
        long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (PYPS_UNLIKELY(overflow != 0))
            return large_integer(object, arg);
        *arg = ps_arg_int(value);
        return 1;
    }
    if (PyFloat_Check(object)) {
        *arg = ps_arg_double(PyFloat_AS_DOUBLE(object));
        return 1;
    }
    if (PyBool_Check(object)) {
        *arg = ps_arg_bool(object == Py_True);
        return 1;
    }
    if (PyComplex_Check(object)) {
        Py_complex value = PyComplex_AsCComplex(object);
        *arg = (ps_arg){.kind = PS_ARG_SCALAR,
                        .as.scalar = {PS_SCALAR_COMPLEX, {.z = {value.real, value.imag}}}};
        return 1;
    }
    return 0;
}

int pyps_numpy_number(PyObject *object, ps_arg *arg)
{
    const char *type = Py_TYPE(object)->tp_name;
    if (strncmp(type, "numpy.", 6) != 0 || strcmp(type, "numpy.ndarray") == 0)
        return 0;
    PyObject *item = PyObject_CallMethod(object, "item", NULL);
    int found = item != NULL ? pyps_number(item, arg) : -1;
    Py_XDECREF(item);
    return found;
}

/* A number, or what turns itself into one: a NumPy number, an array of one element. */
static int arg_scalar(ps_arg *arg, PyObject *object, const char *what)
{
    int found = pyps_number(object, arg);
    if (found != 0)
        return found > 0 ? 0 : -1;
    PyObject *item = NULL;
    if (PyObject_HasAttrString(object, "item"))
        item = PyObject_CallMethod(object, "item", NULL);
    else if (PyIndex_Check(object))
        item = PyNumber_Index(object);
    if (item == NULL && PyErr_Occurred())
        return -1;
    found = item != NULL ? pyps_number(item, arg) : 0;
    Py_XDECREF(item);
    if (found == 0)
        pyps_error(PyExc_TypeError, "%s must be a number, not %R", what, object);
    return found > 0 ? 0 : -1;
}

int pyps_int64(PyObject *object, int64_t *value, const char *what)
{
    if (PYPS_LIKELY(pyps_short_int(object, value)))
        return 0;
    PyObject *index = PyLong_CheckExact(object) ? Py_NewRef(object)
                      : PyIndex_Check(object)   ? PyNumber_Index(object)
                                                : NULL;
    if (index == NULL) {
        if (!PyErr_Occurred())
            pyps_error(PyExc_TypeError, "%s must be an integer, not %R", what, object);
        return -1;
    }
    int overflow;
    *value = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow != 0)
        pyps_error(PyExc_OverflowError, "%s: the integer %R does not fit 64 bits", what, object);
    return overflow == 0 ? 0 : -1;
}

static int arg_double(ps_arg *arg, PyObject *object, const char *what)
{
    ps_arg number = {.kind = PS_ARG_NONE};
    if (arg_scalar(&number, object, what) != 0)
        return -1;
    if (number.kind == PS_ARG_SCALAR && number.as.scalar.tag == PS_SCALAR_COMPLEX) {
        pyps_error(PyExc_TypeError, "%s must be a real number, not %R", what, object);
        return -1;
    }
    *arg = number;
    return 0;
}

static int arg_bool(ps_arg *arg, PyObject *object, const char *what)
{
    bool integer = PyLong_Check(object) || PyIndex_Check(object); /* bool and NumPy's too */
    if (!integer && strcmp(Py_TYPE(object)->tp_name, "numpy.bool") != 0) {
        pyps_error(PyExc_TypeError, "%s must be True or False, not %R", what, object);
        return -1;
    }
    int truth = PyObject_IsTrue(object);
    *arg = ps_arg_bool(truth > 0);
    return truth < 0 ? -1 : 0;
}

/* ---- Several integers --------------------------------------------------------------------- */

static int refuse_ints(Py_ssize_t count, Py_ssize_t room, const char *what)
{
    PyErr_Format(PyExc_ValueError, "%s has %zd integers; at most %zd are possible", what, count,
                 room);
    return -1;
}

/* The items of a sequence, which may change while they are turned into integers. */
static PyObject *ints_tuple(PyObject *object, Py_ssize_t room, const char *what)
{
    if (PyTuple_CheckExact(object))
        return Py_NewRef(object);
    bool sequence = PySequence_Check(object) && !PyUnicode_Check(object);
    Py_ssize_t count = sequence ? PySequence_Size(object) : 0;
    PyObject *items = NULL;
    if (sequence && count > room) { /* before it is read: a range may be very long */
        refuse_ints(count, room, what);
        return NULL;
    }
    if (sequence && count >= 0)
        items = PySequence_Tuple(object);
    if (items == NULL && (!sequence || PyErr_ExceptionMatches(PyExc_TypeError)))
        pyps_error(PyExc_TypeError, "%s must be an integer or a sequence of integers, not %R", what,
                   object);
    return items;
}

/* Those of a tuple or list of ints that one digit holds each; runs no code of Python's. Returns how many,
 * or -1 without an exception if it is another object. */
static inline Py_ssize_t short_ints(PyObject *object, int64_t *ints, Py_ssize_t room)
{
    if (!PyTuple_CheckExact(object) && !PyList_CheckExact(object))
        return -1;
    PyObject *const *items = PySequence_Fast_ITEMS(object);
    Py_ssize_t count = PySequence_Fast_GET_SIZE(object), done = 0;
    if (PYPS_UNLIKELY(count > room))
        return -1;
    while (done < count && pyps_short_int(items[done], &ints[done]))
        done++;
    return done == count ? count : -1;
}

Py_ssize_t pyps_ints(PyObject *object, int64_t *ints, Py_ssize_t room, const char *what)
{
    Py_ssize_t few = short_ints(object, ints, room);
    if (PYPS_LIKELY(few >= 0))
        return few;
    if (PyLong_Check(object) || (PyIndex_Check(object) && !PySequence_Check(object))) {
        if (room < 1)
            return refuse_ints(1, room, what);
        return pyps_int64(object, &ints[0], what) == 0 ? 1 : -1;
    }
    PyObject *items = ints_tuple(object, room, what);
    if (items == NULL)
        return -1;
    Py_ssize_t count = PyTuple_GET_SIZE(items), done = 0;
    if (count > room)
        refuse_ints(count, room, what);
    else
        while (done < count && pyps_int64(PyTuple_GET_ITEM(items, done), &ints[done], what) == 0)
            done++;
    Py_DECREF(items);
    return done == count ? count : -1;
}

static int arg_ints(pyps_call *call, ps_arg *arg, PyObject *object, const char *what)
{
    int64_t *ints = call->ints + call->nints;
    Py_ssize_t room = PYPS_INTS - (Py_ssize_t)call->nints;
    Py_ssize_t count = pyps_ints(object, ints, room < PS_DIMS_MAX ? room : PS_DIMS_MAX, what);
    if (count < 0)
        return -1;
    call->nints += (unsigned)count;
    *arg = ps_arg_ints(ints, (size_t)count);
    return 0;
}

/* ---- Arrays ------------------------------------------------------------------------------- */

static int import_tensor(pyps_call *call, PyObject *object, const char *what, ps_tensor **tensor)
{
    pyps_import wanted = {.dialect = call->dialect, .dtype = -1, .copy = -1, .sequences = true};
    if (call->dialect->policy.refuse_foreign) {
        pyps_error(call->dialect->errors[PYPS_ERROR_OPERAND],
                   "%s: type %R not supported: an array of %U is needed", what, Py_TYPE(object),
                   call->dialect->name);
        return -1;
    }
    *tensor = pyps_import_object(object, &wanted);
    if (*tensor == NULL && !PyErr_Occurred())
        pyps_error(PyExc_TypeError, "%s must be an array or a number, not %R", what, object);
    return *tensor != NULL ? 0 : -1;
}

/* The class is held: other arguments are objects whose code may change the array's. */
static int note_class(pyps_call *call, PyObject *array)
{
    PyTypeObject *before = call->type;
    if (pyps_merge(array, &call->type, &call->dialect) != 0)
        return -1;
    if (call->type != before) {
        Py_INCREF(call->type);
        Py_XDECREF(before);
    }
    return 0;
}

int pyps_arg_tensor(pyps_call *call, ps_arg *arg, PyObject *object, const char *what)
{
    if (PYPS_LIKELY(pyps_is_array(object))) {
        *arg = ps_arg_tensor(pyps_tensor(object));
        return note_class(call, object);
    }
    int number = pyps_number(object, arg);
    if (number == 0 && pyps_policy_takes_numpy(call->dialect))
        number = pyps_numpy_number(object, arg);
    if (number != 0)
        return number > 0 ? 0 : -1;
    if (call->nowned == PYPS_OWNED) {
        PyErr_Format(PyExc_TypeError, "%s: too many arguments that are not arrays", what);
        return -1;
    }
    ps_tensor *tensor;
    if (import_tensor(call, object, what, &tensor) != 0)
        return -1;
    call->owned[call->nowned++] = tensor;
    *arg = ps_arg_tensor(tensor);
    return 0;
}

/* A tensor with a reference of its own. */
static int item_tensor(pyps_call *call, PyObject *item, const char *what, ps_tensor **tensor)
{
    if (!pyps_is_array(item))
        return import_tensor(call, item, what, tensor);
    if (note_class(call, item) != 0)
        return -1;
    ps_status status = ps_tensor_retain(pyps_tensor(item));
    if (status != PS_OK)
        pyps_raise(call->dialect, status);
    else
        *tensor = pyps_tensor(item);
    return status == PS_OK ? 0 : -1;
}

/* The items of an iterable, which may change while they are imported. */
static PyObject *tensors_tuple(const pyps_call *call, PyObject *object, const char *what)
{
    bool possible = !PyUnicode_Check(object) && call->nlists < PYPS_OWNED;
    PyObject *items = possible ? PySequence_Tuple(object) : NULL;
    if (items == NULL && (!possible || PyErr_ExceptionMatches(PyExc_TypeError)))
        pyps_error(PyExc_TypeError, "%s must be a sequence of arrays, not %R", what, object);
    return items;
}

/* Tensors in memory of the call, each with a reference of its own. */
static int arg_tensors(pyps_call *call, ps_arg *arg, PyObject *object, const char *what)
{
    PyObject *items = tensors_tuple(call, object, what);
    if (items == NULL)
        return -1;
    size_t count = (size_t)PyTuple_GET_SIZE(items);
    ps_tensor **tensors = PyMem_Calloc(count + 1, sizeof *tensors); /* ends with NULL */
    int status = 0;
    if (tensors == NULL) {
        PyErr_NoMemory();
        status = -1;
    } else {
        call->lists[call->nlists++] = tensors;
    }
    for (size_t i = 0; i < count && status == 0; i++)
        status = item_tensor(call, PyTuple_GET_ITEM(items, (Py_ssize_t)i), what, &tensors[i]);
    Py_DECREF(items);
    *arg = ps_arg_tensors(tensors, count);
    return status;
}

/* ---- One argument ------------------------------------------------------------------------- */

static int arg_dtype(pyps_call *call, ps_arg *arg, PyObject *object)
{
    ps_dtype dtype;
    if (pyps_dtype_parse(call->dialect, object, &dtype) != 0)
        return -1;
    *arg = ps_arg_dtype(dtype);
    return 0;
}

static int arg_text(ps_arg *arg, PyObject *object, const char *what)
{
    if (!PyUnicode_Check(object)) {
        pyps_error(PyExc_TypeError, "%s must be a str, not %R", what, object);
        return -1;
    }
    const char *text = PyUnicode_AsUTF8(object);
    *arg = ps_arg_text(text);
    return text != NULL ? 0 : -1;
}

static int arg_generator(ps_arg *arg, PyObject *object)
{
    ps_generator *generator = pyps_generator_of(object);
    *arg = (ps_arg){.kind = PS_ARG_GENERATOR, .as.generator = generator};
    return generator != NULL ? 0 : -1;
}

static int arg_int(ps_arg *arg, PyObject *object, const char *what)
{
    int64_t value;
    if (pyps_int64(object, &value, what) != 0)
        return -1;
    *arg = ps_arg_int(value);
    return 0;
}

int pyps_arg(pyps_call *call, ps_arg *arg, ps_arg_kind kind, PyObject *object, const char *what)
{
    arg->kind = PS_ARG_NONE;
    if (object == Py_None)
        return 0;
    switch (kind) {
    case PS_ARG_TENSOR:
        return pyps_arg_tensor(call, arg, object, what);
    case PS_ARG_SCALAR:
        return arg_scalar(arg, object, what);
    case PS_ARG_BOOL:
        return arg_bool(arg, object, what);
    case PS_ARG_INT:
        return arg_int(arg, object, what);
    case PS_ARG_DOUBLE:
        return arg_double(arg, object, what);
    case PS_ARG_INTS:
        return arg_ints(call, arg, object, what);
    case PS_ARG_TENSORS:
        return arg_tensors(call, arg, object, what);
    case PS_ARG_DTYPE:
        return arg_dtype(call, arg, object);
    case PS_ARG_TEXT:
        return arg_text(arg, object, what);
    case PS_ARG_GENERATOR:
        return arg_generator(arg, object);
    default:
        PyErr_Format(PyExc_TypeError, "%s is of a kind that Python cannot give", what);
        return -1;
    }
}

void pyps_call_begin(pyps_call *call, const pyps_dialect *dialect)
{
    call->output = NULL;
    call->type = NULL;
    call->dialect = dialect;
    call->nowned = call->nints = call->nlists = 0;
    call->call = (ps_call){.size = sizeof call->call,
                           .args = call->args,
                           .outputs = &call->output,
                           .noutputs = 1};
}

void pyps_call_end(pyps_call *call)
{
    for (unsigned i = 0; i < call->nowned; i++)
        ps_tensor_release(call->owned[i]);
    for (unsigned i = 0; i < call->nlists; i++) {
        for (ps_tensor **tensor = call->lists[i]; *tensor != NULL; tensor++)
            ps_tensor_release(*tensor);
        PyMem_Free(call->lists[i]);
    }
    Py_XDECREF(call->type);
}
