/* Arrays as text, as NumPy writes them.
 *
 * str() is the library's own text. repr() has commas, an indent and the element type besides. For
 * it the library is asked for rows without line breaks; their words are all equally wide, so that a
 * row can be cut into words again and laid out anew. */
#include "interop.h"

#include <limits.h>

enum { LINE = 75, THRESHOLD = 1000, EDGE = 3, PRECISION = 8 };

/* ---- The library's text ------------------------------------------------------------------ */

/* In memory of PyMem; NULL and an exception. Precision and width -1: as usual. */
static char *text_of(PyObject *self, int precision, int width)
{
    ps_format_options options = {.size = sizeof options,
                                 .precision = precision,
                                 .threshold = THRESHOLD,
                                 .edge = EDGE,
                                 .width = width};
    size_t room = 256, length = 0;
    char *text = NULL;
    pyps_enter();
    for (;;) {
        char *larger = PyMem_Realloc(text, room);
        if (larger == NULL) {
            PyMem_Free(text);
            PyErr_NoMemory();
            return NULL;
        }
        text = larger;
        ps_status status = ps_tensor_format(pyps_tensor(self), &options, text, room, &length);
        if (status != PS_OK) {
            PyMem_Free(text);
            pyps_raise(pyps_dialect_get(self), status);
            return NULL;
        }
        if (length < room)
            return text;
        room = length + 1; /* others may write between two attempts: then it is tried again */
    }
}

/* Python's lists lend their items for repr and str: another thread may take one out of the list
 * while this one waits. So the array is held, here and in pyps_repr. */
PyObject *pyps_str(PyObject *self)
{
    Py_INCREF(self);
    char *text = text_of(self, -1, -1);
    PyObject *result = text != NULL ? PyUnicode_FromString(text) : NULL;
    PyMem_Free(text);
    Py_DECREF(self);
    return result;
}

/* ---- Laying out -------------------------------------------------------------------------- */

typedef struct page {
    const ps_tensor *tensor;
    const char *from; /* what is left of the library's text */
    bool summary;
    int word;   /* width of an element's text; 0 until a row was seen */
    int indent; /* of the lines after the first */
    int line;   /* width so far */
    char *text; /* of PyMem; NULL once there was no memory */
    size_t length, room;
} page;

static void put(page *p, const char *text, size_t length)
{
    if (p->text != NULL && p->length + length + 1 > p->room) {
        p->room = 2 * (p->length + length + 1);
        char *larger = PyMem_Realloc(p->text, p->room);
        if (larger == NULL)
            PyMem_Free(p->text);
        p->text = larger;
    }
    if (p->text == NULL)
        return;
    memcpy(p->text + p->length, text, length);
    p->length += length;
    p->text[p->length] = 0;
}

static void put_spaces(page *p, int count)
{
    for (int i = 0; i < count; i++)
        put(p, " ", 1);
}

static void put_newline(page *p, int indent)
{
    while (p->text != NULL && p->length > 0 && p->text[p->length - 1] == ' ')
        p->length--; /* no line ends with spaces */
    put(p, "\n", 1);
    put_spaces(p, indent);
}

static bool has_gap(const page *p, int axis)
{
    return p->summary && ps_tensor_shape(p->tensor)[axis] > 2 * EDGE;
}

/* How many entries a dimension shows: elements or rows, and one for those left out. */
static int64_t shown(const page *p, int axis)
{
    return has_gap(p, axis) ? 2 * EDGE + 1 : ps_tensor_shape(p->tensor)[axis];
}

/* From the length of a row, in which one space is between the entries. */
static void measure_word(page *p, int axis)
{
    const char *end = strchr(p->from, ']');
    int64_t entries = shown(p, axis), bytes = end - p->from - (entries - 1);
    p->word = (int)(has_gap(p, axis) ? (bytes - 3) / (entries - 1) : bytes / entries);
}

/* A word, on the next line if it does not fit and that helps. `room` is the place up to where the
 * comma or bracket comes that follows. */
static void put_word(page *p, const char *text, int length, int room, int indent)
{
    if (p->line + length > room && p->line > indent) {
        put_newline(p, indent);
        p->line = indent;
    }
    put(p, text, (size_t)length);
    p->line += length;
}

static void put_row(page *p, int axis)
{
    int64_t entries = shown(p, axis);
    int indent = p->indent + axis + 1, room = LINE - 1 - axis - 1;
    p->line = indent;
    if (p->word == 0)
        measure_word(p, axis);
    for (int64_t i = 0; i < entries; i++) {
        int length = has_gap(p, axis) && i == EDGE ? 3 : p->word;
        put_word(p, p->from, length, room, indent);
        p->from += length;
        if (i + 1 < entries) {
            put(p, ", ", 2);
            p->line += 2;
            p->from++;
        }
    }
}

static void put_axis(page *p, int axis);

static void put_rows(page *p, int axis)
{
    int64_t entries = shown(p, axis);
    int blank = ps_tensor_ndim(p->tensor) - axis - 1;
    for (int64_t i = 0; i < entries; i++) {
        p->from += strspn(p->from, " \n");
        if (has_gap(p, axis) && i == EDGE) {
            put(p, "...", 3);
            p->from += 3;
        } else {
            put_axis(p, axis + 1);
        }
        if (i + 1 == entries)
            break;
        put(p, ",", 1);
        for (int j = 0; j < blank; j++)
            put_newline(p, j + 1 == blank ? p->indent + axis + 1 : 0);
    }
}

static void put_axis(page *p, int axis)
{
    p->from++; /* '[' */
    put(p, "[", 1);
    if (axis + 1 == ps_tensor_ndim(p->tensor))
        put_row(p, axis);
    else
        put_rows(p, axis);
    p->from++;
    put(p, "]", 1);
}

/* ---- repr -------------------------------------------------------------------------------- */

static void put_text(page *p, const char *text)
{
    put(p, text, strlen(text));
}

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

/* On the last line if it fits. */
static void put_description(page *p, const char *text)
{
    size_t last = p->length;
    while (p->text != NULL && last > 0 && p->text[last - 1] != '\n')
        last--;
    put(p, ",", 1);
    if (p->length - last + strlen(text) + 2 > LINE)
        put_newline(p, p->indent);
    else
        put(p, " ", 1);
    put_text(p, text);
}

/* The class's name without its module; NumPy calls its own class "array" here, and so do we. */
static const char *class_name(PyTypeObject *type)
{
    const char *dot = strrchr(type->tp_name, '.');
    return type == &pyps_array_type ? "array" : dot != NULL ? dot + 1 : type->tp_name;
}

static void put_all(page *p, PyObject *self, const char *description)
{
    put_text(p, class_name(Py_TYPE(self)));
    put(p, "(", 1);
    p->indent = (int)p->length;
    if (ps_tensor_count(p->tensor) == 0 || ps_tensor_ndim(p->tensor) == 0)
        put_text(p, p->from);
    else
        put_axis(p, 0);
    if (description[0] != 0)
        put_description(p, description);
    put(p, ")", 1);
}

static PyObject *write_repr(PyObject *self)
{
    const ps_tensor *tensor = pyps_tensor(self);
    char description[PS_DIMS_MAX * 24 + 64];
    page p = {.tensor = tensor, .summary = ps_tensor_count(tensor) > THRESHOLD, .room = 128};
    if (describe(self, p.summary, description) != 0)
        return NULL;
    /* with a precision, since a single element is not written as a number alone */
    char *text = text_of(self, PRECISION, INT_MAX);
    if (text == NULL)
        return NULL;
    p.from = text;
    p.text = PyMem_Malloc(p.room);
    put_all(&p, self, description);
    PyObject *result = p.text != NULL ? PyUnicode_FromString(p.text) : PyErr_NoMemory();
    PyMem_Free(p.text);
    PyMem_Free(text);
    return result;
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

static PyMethodDef methods[] = {
    {"__format__", format, METH_O,
     "__format__($self, format_spec, /)\n--\n\n"
     "Without dimensions, as the number; else only the empty format."},
    {NULL, NULL, 0, NULL},
};

int pyps_format_setup(PyObject *module)
{
    (void)module;
    return pyps_methods_add(methods);
}
