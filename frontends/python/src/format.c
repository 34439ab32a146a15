/* Arrays as text: str, repr, format().
 *
 * The library writes all of it. repr is what NumPy writes, if its default types were ours: so the
 * element type is named unless it is float32, int64, bool or complex64, and the shape where the
 * elements do not tell it. */
#include "interop.h"

/* More elements than this are summarised. */
enum { THRESHOLD = 1000 };

static const ps_format_options usual = {.size = sizeof usual,
                                        .precision = -1,
                                        .threshold = THRESHOLD,
                                        .edge = -1,
                                        .width = -1};

/* ---- The library's text ------------------------------------------------------------------ */

/* Into memory of PyMem, *text, which may move; -1 and an exception. */
static int write_text(PyObject *self, const ps_format_options *options, char **text, size_t *length)
{
    size_t room = 256;
    for (;;) {
        char *larger = PyMem_Realloc(*text, room);
        if (larger == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        *text = larger;
        ps_status status = ps_tensor_format(pyps_tensor(self), options, larger, room, length);
        if (status != PS_OK) {
            pyps_raise(pyps_dialect_get(self), status);
            return -1;
        }
        if (*length < room)
            return 0;
        room = *length + 1; /* others may write between two attempts: then it is tried again */
    }
}

/* Python's lists lend their items for repr and str: another thread may take one out of the list
 * while this one waits. So the array is held, here and in pyps_repr. */
static PyObject *text_of(PyObject *self, const ps_format_options *options)
{
    char *text = NULL;
    size_t length = 0;
    Py_INCREF(self);
    pyps_enter();
    bool made = write_text(self, options, &text, &length) == 0;
    PyObject *result = made ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length) : NULL;
    PyMem_Free(text);
    Py_DECREF(self);
    return result;
}

PyObject *pyps_str(PyObject *self)
{
    return text_of(self, &usual);
}

/* ---- repr -------------------------------------------------------------------------------- */

static bool is_default(ps_dtype dtype)
{
    return dtype == PS_FLOAT32 || dtype == PS_INT64 || dtype == PS_BOOL || dtype == PS_COMPLEX64;
}

/* "shape=(0, 3), dtype=float64" where the elements do not tell; "" if they do. */
static int describe(PyObject *self, bool summary, char text[PS_DIMS_MAX * 24 + 64])
{
    const ps_tensor *tensor = pyps_tensor(self);
    ps_dtype dtype = ps_tensor_dtype(tensor);
    bool empty = ps_tensor_count(tensor) == 0;
    int length = 0;
    text[0] = 0;
    if (summary || (empty && ps_tensor_ndim(tensor) != 1)) {
        PyObject *shape = pyps_shape_object(tensor);
        PyObject *shape_text = shape != NULL ? PyObject_Repr(shape) : NULL;
        const char *utf8 = shape_text != NULL ? PyUnicode_AsUTF8(shape_text) : NULL;
        if (utf8 != NULL)
            length = snprintf(text, PS_DIMS_MAX * 24 + 32, "shape=%s", utf8);
        Py_XDECREF(shape);
        Py_XDECREF(shape_text);
        if (utf8 == NULL)
            return -1;
    }
    if (empty || !is_default(dtype))
        snprintf(text + length, 32, "%sdtype=%s", length > 0 ? ", " : "", ps_dtype_name(dtype));
    return 0;
}

/* The class's name without its module; NumPy calls its own class "array" here, and so do we. */
static const char *class_name(PyTypeObject *type)
{
    const char *dot = strrchr(type->tp_name, '.');
    return type == &pyps_array_type ? "array" : dot != NULL ? dot + 1 : type->tp_name;
}

static PyObject *write_repr(PyObject *self)
{
    char description[PS_DIMS_MAX * 24 + 64];
    ps_format_options options = usual;
    if (describe(self, ps_tensor_count(pyps_tensor(self)) > THRESHOLD, description) != 0)
        return NULL;
    PyObject *prefix = PyUnicode_FromFormat("%s(", class_name(Py_TYPE(self)));
    options.prefix = prefix != NULL ? PyUnicode_AsUTF8(prefix) : NULL;
    options.suffixes = description;
    PyObject *text = options.prefix != NULL ? text_of(self, &options) : NULL;
    Py_XDECREF(prefix);
    return text;
}

PyObject *pyps_repr(PyObject *self)
{
    Py_INCREF(self);
    PyObject *text = write_repr(self);
    Py_DECREF(self);
    return text;
}

/* ---- format() ---------------------------------------------------------------------------- */

static PyObject *format(PyObject *self, PyObject *spec)
{
    if (!PyUnicode_Check(spec))
        return pyps_error(PyExc_TypeError, "__format__: the format must be a str, not %R", spec);
    if (PyUnicode_GET_LENGTH(spec) == 0)
        return PyObject_Str(self);
    if (ps_tensor_ndim(pyps_tensor(self)) != 0)
        return pyps_error(PyExc_TypeError, "format %R is for a number, the array has %d dimensions",
                          spec, ps_tensor_ndim(pyps_tensor(self)));
    PyObject *number = pyps_item(self);
    PyObject *text = number != NULL ? PyObject_Format(number, spec) : NULL;
    Py_XDECREF(number);
    return text;
}

/* ---- All settings, for what is written in Python ------------------------------------------ */

static int parse_style(const char *name, ps_format_style *style)
{
    static const char *const names[] =
        {[PS_FORMAT_NUMPY] = "numpy", [PS_FORMAT_TORCH] = "torch", [PS_FORMAT_PADDLE] = "paddle"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) {
            *style = (ps_format_style)i;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "_format: there is no style '%s'", name);
    return -1;
}

/* None as 0, True as 1, False as -1. */
static int parse_scientific(PyObject *object, int *scientific)
{
    if (object != Py_None && !PyBool_Check(object)) {
        pyps_error(PyExc_TypeError, "_format: scientific must be True, False or None, not %R",
                   object);
        return -1;
    }
    *scientific = object == Py_None ? 0 : object == Py_True ? 1 : -1;
    return 0;
}

PyDoc_STRVAR(format_with_doc,
             "_format(array, /, style='numpy', *, precision=-1, threshold=-1, edge=-1, width=-1,\n"
             "        scientific=None, prefix=None, suffixes=None)\n\n"
             "The text with all the settings of ps_format_options.");

static PyObject *format_with(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"",      "style",      "precision", "threshold", "edge",
                            "width", "scientific", "prefix",    "suffixes",  NULL};
    ps_format_options options = usual;
    PyObject *array, *scientific = Py_None;
    const char *style = "numpy";
    long long threshold = -1;
    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|s$iLiiOzz:_format", names, &pyps_array_type,
                                     &array, &style, &options.precision, &threshold, &options.edge,
                                     &options.width, &scientific, &options.prefix,
                                     &options.suffixes) ||
        parse_style(style, &options.style) != 0 ||
        parse_scientific(scientific, &options.scientific) != 0)
        return NULL;
    options.threshold = threshold;
    return text_of(array, &options);
}

static PyMethodDef functions[] = {
    {"_format", (PyCFunction)(void (*)(void))format_with, METH_VARARGS | METH_KEYWORDS,
     format_with_doc},
    {NULL, NULL, 0, NULL},
};

/* ---- Setup ------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"__format__", format, METH_O,
     "__format__($self, format_spec, /)\n--\n\n"
     "Without dimensions, as the number; else only the empty format."},
    {NULL, NULL, 0, NULL},
};

int pyps_format_setup(PyObject *module)
{
    return pyps_methods_add(methods) == 0 ? PyModule_AddFunctions(module, functions) : -1;
}
