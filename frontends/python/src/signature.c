/* Taking signatures apart, and distributing arguments over them. */
#include "signature.h"

#include <ctype.h>

/* ---- From the table ------------------------------------------------------------------------ */

static const char *python_default(const char *text)
{
    if (strcmp(text, "none") == 0)
        return "None";
    if (strcmp(text, "true") == 0)
        return "True";
    if (strcmp(text, "false") == 0)
        return "False";
    if (strcmp(text, "inf") == 0)
        return "1e999"; /* as a literal */
    return text;
}

/* Tensors by position only, then the rest, then `out`. */
static PyObject *text_from_table(const ps_op_info *op)
{
    PyObject *text = PyUnicode_FromString("");
    bool tensors = true;
    for (size_t i = 0; text != NULL && i < op->nargs; i++) {
        const ps_op_arg_info *arg = &op->args[i];
        const char *slash = tensors && i > 0 && arg->kind != PS_ARG_TENSOR ? "/, " : "";
        tensors = tensors && arg->kind == PS_ARG_TENSOR;
        PyObject *longer = arg->required ? PyUnicode_FromFormat("%U%s%s, ", text, slash, arg->name)
                           : arg->kind == PS_ARG_DTYPE
                               ? PyUnicode_FromFormat("%U%s%s=None, ", text, slash, arg->name)
                               : PyUnicode_FromFormat("%U%s%s=%s, ", text, slash, arg->name,
                                                      python_default(arg->default_text));
        Py_SETREF(text, longer);
    }
    if (text != NULL)
        Py_SETREF(text, PyUnicode_FromFormat("%U%s*, out=None", text, tensors ? "/, " : ""));
    return text;
}

/* ---- Parameters ----------------------------------------------------------------------------- */

/* A default that the table of operations does not have. */
static int set_default(const ps_op_info *op, const char *given, pyps_param *param)
{
    if (given == NULL || param->to < 0 || !op->args[param->to].required)
        return 0;
    param->otherwise = PyLong_FromString(given, NULL, 10);
    return param->otherwise != NULL ? 0 : -1;
}

static int find_target(const ps_op_info *op, const char *name, pyps_param *param)
{
    static const char *const others[] = {"out", "device", "copy", "_"};
    for (int i = 0; i < (int)PYPS_COUNT(others); i++) {
        if (strcmp(name, others[i]) == 0) {
            param->to = PYPS_TO_OUT - i;
            return 0;
        }
    }
    for (size_t i = 0; i < op->nargs && i < PYPS_ARGS; i++) {
        if (strcmp(op->args[i].name, name) == 0) {
            param->to = (int)i;
            param->kind = op->args[i].kind;
            param->lifts = param->kind == PS_ARG_TENSOR && !op->args[i].scalar;
            param->axes = op->args[i].role == PS_ROLE_AXIS || op->args[i].role == PS_ROLE_AXES;
            return 0;
        }
    }
    PyErr_Format(PyExc_ValueError, "operation %s has no argument '%s' for its signature", op->name,
                 name);
    return -1;
}

/* An element type that the table has for a default. */
static void set_standard(const char *text, pyps_param *param)
{
    ps_dtype dtype;
    if (text != NULL && strcmp(text, "none") != 0 && ps_dtype_find(text, &dtype) == PS_OK)
        param->standard = (int)dtype;
}

/* One part between commas: "/", "*", "name", "name:argument", each perhaps with "=default". */
static int add_param(const ps_op_info *op, const char *function, char *part, bool *keyword_only,
                     pyps_signature *signature)
{
    if (strcmp(part, "/") == 0) {
        signature->positional_only = signature->count;
        return 0;
    }
    if (strcmp(part, "*") == 0) {
        *keyword_only = true;
        return 0;
    }
    char *given = strchr(part, '=');
    if (given != NULL)
        *given++ = 0;
    char *target = strchr(part, ':');
    if (target != NULL)
        *target++ = 0;
    pyps_param *param = &signature->params[signature->count];
    if (find_target(op, target != NULL ? target : part, param) != 0 ||
        set_default(op, given, param) != 0)
        return -1;
    param->required = given == NULL;
    param->standard = -1;
    if (param->kind == PS_ARG_DTYPE && param->to >= 0)
        set_standard(op->args[param->to].default_text, param);
    param->none = given != NULL && strcmp(given, "None") == 0;
    param->name = PyUnicode_InternFromString(part);
    param->what = PyUnicode_FromFormat("%s: %s", function, part);
    if (param->name == NULL || param->what == NULL)
        return -1;
    param->what_text = PyUnicode_AsUTF8(param->what);
    param->fills = param->otherwise != NULL || (param->to >= 0 && param->kind == PS_ARG_DTYPE);
    signature->count++;
    if (param->required || param->fills)
        signature->needed = signature->count;
    signature->axes |= param->axes;
    if (param->to >= signature->nargs)
        signature->nargs = param->to + 1;
    if (!*keyword_only)
        signature->positional = signature->count;
    return param->what_text != NULL ? 0 : -1;
}

static int add_params(const ps_op_info *op, const char *function, char *text,
                      pyps_signature *signature)
{
    bool keyword_only = false;
    char *state = NULL;
    for (char *part = strtok_r(text, ", ", &state); part != NULL;
         part = strtok_r(NULL, ", ", &state)) {
        if (signature->count == PYPS_PARAMS) {
            PyErr_Format(PyExc_ValueError, "the signature of %s has too many parameters", function);
            return -1;
        }
        if (add_param(op, function, part, &keyword_only, signature) != 0)
            return -1;
    }
    return 0;
}

/* "(x, loc=0.0)" of "x, loc:mean=0.0". */
static PyObject *shown_text(const char *text)
{
    char shown[512];
    size_t length = 0;
    for (bool skip = false; *text != 0 && length < sizeof shown - 1; text++) {
        if (*text == ':')
            skip = true;
        else if (*text == '=' || *text == ',')
            skip = false;
        if (!skip)
            shown[length++] = *text;
    }
    shown[length] = 0;
    return PyUnicode_FromFormat("(%s)", shown);
}

int pyps_signature_parse(const ps_op_info *op, const char *name, const char *text,
                         pyps_signature *signature)
{
    memset(signature, 0, sizeof *signature);
    PyObject *whole = text != NULL ? PyUnicode_FromString(text) : text_from_table(op);
    const char *utf8 = whole != NULL ? PyUnicode_AsUTF8(whole) : NULL;
    char parts[512];
    int status = -1;
    if (utf8 != NULL && strlen(utf8) < sizeof parts) {
        strcpy(parts, utf8);
        signature->text = shown_text(utf8);
        status = signature->text != NULL ? add_params(op, name, parts, signature) : -1;
    } else if (utf8 != NULL) {
        PyErr_Format(PyExc_ValueError, "the signature of %s is too long: %s", name, utf8);
    }
    Py_XDECREF(whole);
    return status;
}

void pyps_signature_free(pyps_signature *signature)
{
    if (signature == NULL)
        return;
    for (int i = 0; i < PYPS_PARAMS; i++) {
        Py_XDECREF(signature->params[i].name);
        Py_XDECREF(signature->params[i].otherwise);
        Py_XDECREF(signature->params[i].what);
    }
    Py_XDECREF(signature->text);
    PyMem_Free(signature);
}

/* ---- Arguments ------------------------------------------------------------------------------ */

static int find_keyword(const pyps_signature *signature, PyObject *name)
{
    for (int i = signature->positional_only; i < signature->count; i++)
        if (signature->params[i].name == name)
            return i;
    for (int i = signature->positional_only; i < signature->count; i++)
        if (PyUnicode_Compare(signature->params[i].name, name) == 0)
            return i;
    return -1;
}

PyObject *pyps_signature_place(const pyps_signature *signature, PyObject *const *args,
                               Py_ssize_t nargs, PyObject *names, PyObject **values)
{
    Py_ssize_t keywords = names != NULL ? PyTuple_GET_SIZE(names) : 0;
    int known = pyps_signature_known(signature, nargs, names);
    for (int i = 0; i < known; i++)
        values[i] = i < nargs && i < signature->positional ? args[i] : NULL;
    for (Py_ssize_t i = 0; i < keywords; i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        int index = find_keyword(signature, name);
        if (index < 0 || values[index] != NULL)
            return name;
        values[index] = args[nargs + i];
    }
    return NULL;
}

static void refuse_keyword(const pyps_signature *signature, const char *function, PyObject *name)
{
    if (find_keyword(signature, name) < 0)
        pyps_error(PyExc_TypeError, "%s() has no argument %R; it is %s%U", function, name, function,
                   signature->text);
    else
        pyps_error(PyExc_TypeError, "%s() got two values for argument %R", function, name);
}

static int check_given(const pyps_signature *signature, const char *function, PyObject **values,
                       int known)
{
    for (int i = 0; i < known; i++) {
        const pyps_param *param = &signature->params[i];
        if (values[i] == NULL && param->required) {
            PyErr_Format(PyExc_TypeError, "%s() needs argument '%U'; it is %s%U", function,
                         param->name, function, signature->text);
            return -1;
        }
        if (values[i] == Py_None && !param->none) {
            PyErr_Format(PyExc_TypeError, "%s() does not take None for argument '%U'", function,
                         param->name);
            return -1;
        }
    }
    return 0;
}

int pyps_signature_bind(const pyps_signature *signature, const char *name, PyObject *const *args,
                        Py_ssize_t nargs, PyObject *names, bool variadic, PyObject **values,
                        Py_ssize_t *rest)
{
    Py_ssize_t taken = nargs < signature->positional ? nargs : signature->positional;
    *rest = nargs - taken;
    if (*rest > 0 && !variadic) {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes %d positional arguments, %zd were given; it is %s%U", name,
                     signature->positional, nargs, name, signature->text);
        return -1;
    }
    PyObject *misplaced = pyps_signature_place(signature, args, nargs, names, values);
    if (misplaced != NULL) {
        refuse_keyword(signature, name, misplaced);
        return -1;
    }
    return check_given(signature, name, values, pyps_signature_known(signature, nargs, names));
}
