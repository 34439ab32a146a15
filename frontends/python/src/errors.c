/* A failed call of the library as a Python exception.
 *
 * The text of an error that a queued operation met while it ran ends with the line that queued it;
 * a note repeats file, line, function and source, as a traceback shows them. */
#include "core.h"

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

/* Which of the dialect's exceptions a status is. */
static pyps_error_kind kind_of(ps_status status)
{
    switch (status) {
    case PS_ERR_ARGUMENT:
    case PS_ERR_ENVIRONMENT:
        return PYPS_ERROR_VALUE;
    case PS_ERR_TYPE:
        return PYPS_ERROR_TYPE;
    case PS_ERR_INDEX:
        return PYPS_ERROR_INDEX;
    case PS_ERR_MEMORY:
        return PYPS_ERROR_MEMORY;
    case PS_ERR_TIMEOUT:
        return PYPS_ERROR_TIMEOUT;
    default:
        return PYPS_ERROR_RUNTIME;
    }
}

/* "Cell In[3]" for the code of a notebook's cell, else the file itself; a new reference. */
static PyObject *shown_name(PyObject *file)
{
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
    PyObject *ipython = Py_XNewRef(PyDict_GetItemString(modules, "IPython"));
    PyObject *shell = NULL, *compiler = NULL, *pair = NULL, *name = NULL;
    if (ipython != NULL)
        shell = PyObject_CallMethod(ipython, "get_ipython", NULL);
    if (shell != NULL && shell != Py_None)
        compiler = PyObject_GetAttrString(shell, "compile");
    if (compiler != NULL)
        pair = PyObject_CallMethod(compiler, "format_code_name", "O", file);
    if (pair != NULL && PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2)
        name = PyUnicode_FromFormat("%S %S", PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1));
    PyErr_Clear(); /* not in a notebook, or one of another make: the file's name will do */
    Py_XDECREF(ipython);
    Py_XDECREF(shell);
    Py_XDECREF(compiler);
    Py_XDECREF(pair);
    return name != NULL ? name : Py_NewRef(file);
}

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

/* What the library has to say, copied: what it points to lasts until the next failing call of this
 * thread, and finding the place runs Python code. */
typedef struct failure {
    pyps_error_kind kind;
    PyObject *message;
    PyObject *operation; /* NULL: the call itself failed */
    uint64_t location, sequence;
    PyObject *where; /* "file.py, line 12"; NULL if it is not known */
    PyObject *note;
} failure;

static PyObject *decode(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static int failure_read(failure *f, ps_status status)
{
    ps_error_info info = {.size = sizeof info};
    if (ps_last_error_info(&info) != PS_OK || info.message[0] == 0)
        info = (ps_error_info){.status = status, .message = ps_status_text(status)};
    *f = (failure){.kind = kind_of(info.status),
                   .message = decode(info.message),
                   .operation = info.operation != NULL ? decode(info.operation) : NULL,
                   .location = info.location,
                   .sequence = info.sequence};
    return f->message != NULL && (f->operation != NULL || info.operation == NULL) ? 0 : -1;
}

static void failure_end(failure *f)
{
    Py_XDECREF(f->message);
    Py_XDECREF(f->operation);
    Py_XDECREF(f->where);
    Py_XDECREF(f->note);
}

static void failure_locate(failure *f)
{
    PyObject *file, *function;
    int line;
    if (f->operation == NULL || f->location == 0 ||
        !pyps_location_resolve(f->location, &file, &line, &function))
        return;
    PyObject *shown = shown_name(file);
    PyObject *source = source_line(file, line);
    if (shown != NULL)
        f->where = PyUnicode_FromFormat("%U, line %d", shown, line);
    if (f->where != NULL && source != NULL)
        f->note =
            PyUnicode_FromFormat("%U was queued at %U, in %U%s%U", f->operation, f->where, function,
                                 PyUnicode_GetLength(source) > 0 ? "\n    " : "", source);
    Py_XDECREF(shown);
    Py_XDECREF(source);
    Py_DECREF(file);
    Py_DECREF(function);
    PyErr_Clear();
}

static PyObject *failure_text(const failure *f)
{
    if (f->operation == NULL)
        return Py_NewRef(f->message);
    if (f->where == NULL)
        return PyUnicode_FromFormat("%U (in %U, queued operation %llu)", f->message, f->operation,
                                    (unsigned long long)f->sequence);
    return PyUnicode_FromFormat("%U (in %U, queued at %U)", f->message, f->operation, f->where);
}

/* ---- Exceptions ------------------------------------------------------------------------------ */

static PyObject *make(PyObject *class, const failure *f)
{
    PyObject *text = failure_text(f);
    PyObject *error = text != NULL ? PyObject_CallOneArg(class, text) : NULL;
    Py_XDECREF(text);
    if (error != NULL && !PyExceptionInstance_Check(error)) {
        pyps_error(PyExc_TypeError, "the exception class %R of a dialect gave %R, no exception",
                   class, error);
        Py_CLEAR(error);
    }
    return error;
}

PyObject *pyps_error_object(const pyps_dialect *dialect, ps_status status)
{
    failure f;
    PyObject *error = NULL, *done = NULL;
    if (dialect == NULL)
        dialect = pyps_native;
    if (failure_read(&f, status) == 0) {
        failure_locate(&f);
        error = make(dialect->errors[f.kind], &f);
    }
    if (error != NULL && f.note != NULL) {
        done = PyObject_CallMethod(error, "add_note", "O", f.note);
        if (done == NULL)
            PyErr_Clear(); /* a class without notes: the text says it too */
    }
    Py_XDECREF(done);
    failure_end(&f);
    return error;
}

/* The dialect's class for one of Python's; NULL if that is none of those it may replace. */
static PyObject *class_for(const pyps_dialect *dialect, PyObject *type)
{
    PyObject *const plain[] = {PyExc_ValueError, PyExc_TypeError, PyExc_IndexError,
                               PyExc_MemoryError};
    for (int i = 0; i < (int)PYPS_COUNT(plain); i++)
        if (type == plain[i])
            return dialect->errors[PYPS_ERROR_VALUE + i];
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
