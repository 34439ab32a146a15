/* A failed call of the library as a Python exception.
 *
 * Its text is the library's, which ends with the line that queued what failed; a note repeats file,
 * line and function, as a traceback shows them, with the source. */
#include "core.h"
#include "zeros.h"

/* ---- Texts that show objects --------------------------------------------------------------- */

/* The format with another way to show objects in the place of %R and %S. False if it is too long. */
static bool rewrite(const char *format, const char *way, char *to, size_t room)
{
    size_t length = 0, added = strlen(way);
    while (*format != 0) {
        size_t skipped = *format == '%' ? 1 + strspn(format + 1, ".0123456789") : 0;
        bool object = skipped > 0 && (format[skipped] == 'R' || format[skipped] == 'S');
        const char *from = object ? way : format;
        size_t count = object ? added : skipped > 0 && format[skipped] != 0 ? skipped + 1 : 1;
        if (length + count >= room)
            return false;
        memcpy(to + length, from, count);
        length += count;
        format += object ? skipped + 1 : count;
    }
    to[length] = 0;
    return true;
}

PyObject *pyps_error_v(PyObject *exception, const char *format, va_list args)
{
    static const char *const ways[] = {"%.300R", "<object at %p>"};
    PyObject *text = NULL;
    char rewritten[768];
    PyErr_Clear(); /* repr must not find an exception set */
    for (size_t i = 0; i < PYPS_COUNT(ways) && text == NULL; i++) {
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception))
            return NULL; /* an interrupt is no failure of repr */
        PyErr_Clear();
        va_list copy;
        va_copy(copy, args);
        bool fits = rewrite(format, ways[i], rewritten, sizeof rewritten);
        text = PyUnicode_FromFormatV(fits ? rewritten : format, copy);
        va_end(copy);
    }
    if (text != NULL)
        PyErr_SetObject(exception, text);
    Py_XDECREF(text);
    return NULL;
}

PyObject *pyps_error(PyObject *exception, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    pyps_error_v(exception, format, args);
    va_end(args);
    return NULL;
}

/* ---- Where a failed operation was queued ---------------------------------------------------- */

/* The line of source without its indentation; "" if it cannot be read. A new reference. */
static PyObject *source_line(PyObject *file, int line)
{
    PyObject *linecache = PyImport_ImportModule("linecache");
    PyObject *text = NULL, *bare = NULL;
    if (linecache != NULL)
        text = PyObject_CallMethod(linecache, "getline", "Oi", file, line);
    if (text != NULL)
        bare = PyObject_CallMethod(text, "strip", NULL);
    Py_XDECREF(linecache);
    Py_XDECREF(text);
    if (bare == NULL)
        PyErr_Clear();
    else if (!PyUnicode_Check(bare))
        Py_CLEAR(bare);
    return bare != NULL ? bare : PyUnicode_FromString("");
}

static PyObject *decode(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* A head, and the source of its line; takes over the head. */
static PyObject *with_source(PyObject *head, const char *name, int line)
{
    PyObject *note = NULL, *file = decode(name);
    PyObject *source = file != NULL ? source_line(file, line) : NULL;
    if (head != NULL && source != NULL)
        note = PyUnicode_GetLength(source) > 0 ? PyUnicode_FromFormat("%U\n    %U", head, source)
                                               : Py_NewRef(head);
    Py_XDECREF(file);
    Py_XDECREF(head);
    Py_XDECREF(source);
    return note;
}

static PyObject *queued_note(const ps_error_info *info)
{
    return with_source(PyUnicode_FromFormat("%s was queued at %s%s%s",
                                            info->gradient_of != NULL ? info->gradient_of
                                                                      : info->operation,
                                            info->place, info->function != NULL ? ", in " : "",
                                            info->function != NULL ? info->function : ""),
                       info->file, (int)info->line); /* C tells no function */
}

/* File, line, function and source; of a gradient also the line that asked for it. NULL, without an
 * exception, if the place is not known. */
static PyObject *make_note(const ps_error_info *info)
{
    PyObject *note = info->place != NULL ? queued_note(info) : NULL;
    if (info->backward_place != NULL) {
        PyObject *head =
            PyUnicode_FromFormat("gradients were asked for at %s", info->backward_place);
        PyObject *asked = with_source(head, info->backward_file, (int)info->backward_line);
        PyObject *both = note != NULL && asked != NULL ? PyUnicode_FromFormat("%U\n%U", note, asked)
                                                       : Py_XNewRef(asked);
        Py_XDECREF(note);
        Py_XDECREF(asked);
        note = both;
    }
    PyErr_Clear();
    return note;
}

/* ---- Exceptions ------------------------------------------------------------------------------ */

/* The exceptions of a dialect for the kinds of errors that the library has. */
static const uint8_t kinds[] = {
    [PS_ERROR_RUNTIME] = PYPS_ERROR_RUNTIME, [PS_ERROR_VALUE] = PYPS_ERROR_VALUE,
    [PS_ERROR_TYPE] = PYPS_ERROR_TYPE,       [PS_ERROR_INDEX] = PYPS_ERROR_INDEX,
    [PS_ERROR_MEMORY] = PYPS_ERROR_MEMORY,   [PS_ERROR_TIMEOUT] = PYPS_ERROR_TIMEOUT,
    [PS_ERROR_AXIS] = PYPS_ERROR_AXIS,
};

static PyObject *make(PyObject *class, PyObject *text)
{
    PyObject *error = PyObject_CallOneArg(class, text);
    if (error != NULL && !PyExceptionInstance_Check(error)) {
        pyps_error(PyExc_TypeError, "the exception class %R of a dialect gave %R, no exception",
                   class, error);
        Py_CLEAR(error);
    }
    return error;
}

static void add_note(PyObject *error, PyObject *note)
{
    PyObject *done = PyObject_CallMethod(error, "add_note", "O", note);
    if (done == NULL)
        PyErr_Clear(); /* a class without notes: the text says it too */
    Py_XDECREF(done);
}

void pyps_note_lines(PyObject *error)
{
    ps_error_info info = {.size = sizeof info};
    bool known = ps_last_error_info(&info) == PS_OK && info.backward_place != NULL;
    PyObject *note = known ? make_note(&info) : NULL;
    if (note != NULL)
        add_note(error, note);
    Py_XDECREF(note);
}

/* What the library's texts say is taken before code of the program runs: that may fail calls. */
PyObject *pyps_error_object(const pyps_dialect *dialect, ps_status status)
{
    ps_error_info info = {.size = sizeof info};
    if (ps_last_error_info(&info) != PS_OK || info.message[0] == 0)
        info = (ps_error_info){.kind = ps_status_kind(status), .text = ps_status_text(status)};
    pyps_error_kind kind = pyps_is_zero_division(&info) ? PYPS_ERROR_DIVISION : kinds[info.kind];
    PyObject *class = (dialect != NULL ? dialect : pyps_native)->errors[kind];
    PyObject *text = decode(info.text);
    PyObject *note = text != NULL ? make_note(&info) : NULL;
    PyObject *error = text != NULL ? make(class, text) : NULL;
    if (error != NULL && note != NULL)
        add_note(error, note);
    Py_XDECREF(text);
    Py_XDECREF(note);
    return error;
}

/* The dialect's class for one of Python's; NULL if that is none of those it may replace. */
static PyObject *class_for(const pyps_dialect *dialect, PyObject *type)
{
    PyObject *const plain[] = {PyExc_ValueError, PyExc_TypeError, PyExc_IndexError,
                               PyExc_MemoryError};
    static const uint8_t own[] = {PYPS_ERROR_VALUE, PYPS_ERROR_ARGUMENT, PYPS_ERROR_INDEX,
                                  PYPS_ERROR_MEMORY};
    for (int i = 0; i < (int)PYPS_COUNT(plain); i++)
        if (type == plain[i])
            return dialect->errors[own[i]];
    return NULL;
}

void pyps_translate(const pyps_dialect *dialect)
{
    PyObject *type, *value, *traceback, *wanted = class_for(dialect, PyErr_Occurred());
    if (wanted == NULL || wanted == PyErr_Occurred())
        return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *args = value != NULL ? PyObject_GetAttrString(value, "args") : NULL;
    PyObject *error = args != NULL ? PyObject_Call(wanted, args, NULL) : NULL;
    if (error != NULL)
        PyErr_SetObject(wanted, error);
    Py_XDECREF(args);
    Py_XDECREF(error);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

PyObject *pyps_raise(const pyps_dialect *dialect, ps_status status)
{
    if (PyErr_Occurred())
        return NULL; /* an interrupt has brought its own */
    PyObject *error = pyps_error_object(dialect, status);
    if (error != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return NULL;
}
