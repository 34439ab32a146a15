/* A callable for each operation of the table.
 *
 * Functions are made when the module is loaded; their signatures are taken apart at the first call.
 * The same object is a function of a module and a method of arrays: as an attribute of a class it is
 * bound like a Python function. */
#include "function.h"

#include <stddef.h>

static PyTypeObject function_type;

/* ---- Calls ---------------------------------------------------------------------------------- */

const ps_op *pyps_op(const char *name)
{
    const ps_op *op;
    ps_status status = ps_op_find(name, &op);
    if (status != PS_OK) {
        pyps_raise(NULL, status);
        return NULL;
    }
    return op;
}

int pyps_op_tensors(const char *name, const ps_arg *args, size_t nargs, ps_tensor **out,
                    const pyps_dialect *dialect)
{
    const ps_op *op = pyps_op(name);
    if (op == NULL)
        return -1;
    ps_call call = {.size = sizeof call,
                    .args = args,
                    .nargs = nargs,
                    .outputs = out,
                    .noutputs = 1,
                    .location = pyps_location()};
    pyps_enter();
    ps_status status = ps_op_call(op, &call);
    if (status != PS_OK)
        pyps_raise(dialect, status);
    return status == PS_OK ? 0 : -1;
}

/* A result into a given array, by the rules of a dialect: shapes must be the same, and element
 * types unless the dialect mixes them. Takes over the result's reference. */
static PyObject *assign_to(pyps_call *call, PyObject *result, PyObject *out)
{
    const pyps_dialect *dialect = call->dialect;
    ps_tensor *from = pyps_tensor(result), *into = pyps_tensor(out);
    ps_dtype given = ps_tensor_dtype(from), wanted = ps_tensor_dtype(into);
    ps_arg arg = ps_arg_tensor(from);
    int status = -1;
    if (given != wanted && dialect->policy.mixed != PYPS_MIXED_PROMOTE)
        PyErr_Format(dialect->errors[PYPS_ERROR_TYPE],
                     "a result of %s cannot be written into an array of %s", ps_dtype_name(given),
                     ps_dtype_name(wanted));
    else if (!pyps_same_shape(into, from))
        PyErr_SetString(dialect->errors[PYPS_ERROR_VALUE], "out has another shape than the result");
    else
        status = pyps_op_tensors("assign", &arg, 1, &into, dialect);
    Py_DECREF(result);
    return status == 0 ? Py_NewRef(out) : NULL;
}

/* Operations whose result is a new array, if none is given; others only change one. */
static bool gives_new(const ps_op *op)
{
    ps_op_info info = {.size = sizeof info};
    return ps_op_get_info(op, &info) == PS_OK &&
           (strcmp(info.group, "elementwise") == 0 || strcmp(info.group, "reduction") == 0);
}

/* Into a given array. */
static PyObject *run_into(pyps_call *call, const ps_op *op, PyObject *out)
{
    if (!pyps_is_array(out))
        return pyps_error(PyExc_TypeError, "out must be a penstock array, not %R", out);
    call->output = pyps_tensor(out);
    ps_status status = ps_op_call(op, &call->call);
    return status == PS_OK ? Py_NewRef(out) : pyps_raise(pyps_dialect_get(out), status);
}

/* By the rules of a dialect that is not plain: into call->output, or -1 and an exception. */
static int run_policy(pyps_call *call, const ps_op *op, size_t nargs)
{
    ps_arg given[PYPS_ARGS];
    ps_tensor *made[PYPS_ARGS] = {NULL};
    const pyps_dialect *dialect = call->dialect;
    if (dialect->policy.divide_integers && op == pyps_known(PYPS_DIVIDE)) {
        int divided = pyps_policy_divide(dialect, op, call->args, &call->output);
        if (divided <= 0)
            return divided;
    }
    memcpy(given, call->args, nargs * sizeof given[0]);
    int done = pyps_policy_operands(dialect, op, call->args, nargs, made);
    ps_status status = done == 0 ? ps_op_call(op, &call->call) : PS_OK;
    for (size_t i = 0; i < nargs; i++)
        ps_tensor_release(made[i]);
    if (status != PS_OK)
        pyps_raise(dialect, status);
    if (status != PS_OK || done != 0)
        return -1;
    return pyps_policy_result(dialect, op, given, nargs, &call->output);
}

static int run_plain(pyps_call *call, const ps_op *op)
{
    ps_status status = ps_op_call(op, &call->call);
    if (PYPS_LIKELY(status == PS_OK))
        return 0;
    pyps_raise(call->dialect, status);
    return -1;
}

/* Operands that no rule applies to. */
PYPS_HOT static int run_idle(pyps_call *call, const ps_op *op, size_t nargs)
{
    if (run_plain(call, op) != 0)
        return -1;
    if (!pyps_policy_judges(call->dialect, call->output))
        return 0;
    return pyps_policy_result(call->dialect, op, call->args, nargs, &call->output);
}

static inline void begin_run(pyps_call *call, size_t nargs)
{
    call->call.nargs = nargs;
    call->call.location = pyps_location();
    call->call.flags = call->dialect->policy.check_late ? PS_CALL_CHECK_LATE : 0;
    pyps_enter();
}

PYPS_HOT PyObject *pyps_op_make(pyps_call *call, const ps_op *op, size_t nargs)
{
    const pyps_dialect *dialect = call->dialect;
    begin_run(call, nargs);
    int status = PYPS_LIKELY(dialect->plain) ? run_plain(call, op) : run_idle(call, op, nargs);
    return PYPS_LIKELY(status == 0) ? pyps_wrap(dialect->array_class, dialect, call->output) : NULL;
}

PYPS_HOT PyObject *pyps_op_run(pyps_call *call, const ps_op *op, size_t nargs, PyObject *out)
{
    const pyps_dialect *dialect = call->dialect;
    PyTypeObject *type = call->type != NULL ? call->type : dialect->array_class;
    begin_run(call, nargs);
    if (PYPS_UNLIKELY(dialect->policy.modulo_zero))
        op = pyps_policy_op(op);
    if (out != NULL && out != Py_None) {
        if (dialect->plain || !pyps_is_array(out) || !gives_new(op))
            return run_into(call, op, out);
        if (dialect->policy.update_kinds &&
            pyps_policy_check_out(dialect, op, call->args, nargs, pyps_tensor(out)) != 0)
            return NULL;
        if (dialect->policy.update_kinds && pyps_policy_is_idle(call->args, nargs))
            return run_into(call, op, out);
        PyObject *result = pyps_op_run(call, op, nargs, NULL);
        return result != NULL ? assign_to(call, result, out) : NULL;
    }
    int status = PYPS_LIKELY(dialect->plain)              ? run_plain(call, op)
                 : pyps_policy_is_idle(call->args, nargs) ? run_idle(call, op, nargs)
                                                          : run_policy(call, op, nargs);
    return PYPS_LIKELY(status == 0) ? pyps_wrap(type, dialect, call->output) : NULL;
}

static int make_ready(pyps_function *self)
{
    ps_op_info info = {.size = sizeof info};
    ps_status status = ps_op_get_info(self->op, &info);
    if (status != PS_OK) {
        pyps_raise(NULL, status);
        return -1;
    }
    pyps_signature *signature = PyMem_Calloc(1, sizeof *signature);
    if (signature == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    const char *text = self->own_signature != NULL ? PyUnicode_AsUTF8(self->own_signature)
                       : self->row != NULL         ? self->row->signature
                                                   : NULL;
    if ((self->own_signature != NULL && text == NULL) ||
        pyps_signature_parse(&info, self->name, text, signature) != 0) {
        pyps_signature_free(signature);
        return -1;
    }
    self->signature = signature;
    pyps_shortly_ready(self);
    return 0;
}

/* The dialect's type for the numbers given: that of the widest kind. */
static void dtype_of_numbers(const pyps_call *call, ps_arg *arg)
{
    const pyps_policy *policy = &call->dialect->policy;
    const uint8_t types[] = {policy->bool_type, policy->int_type, policy->float_type,
                             policy->complex_type};
    int widest = -1;
    for (const ps_arg *given = call->args; given < arg; given++) {
        ps_scalar_tag tag = given->as.scalar.tag;
        int kind = given->kind == PS_ARG_BOOL     ? 0
                   : given->kind == PS_ARG_INT    ? 1
                   : given->kind == PS_ARG_DOUBLE ? 2
                   : given->kind != PS_ARG_SCALAR ? -1
                   : tag == PS_SCALAR_BOOL        ? 0
                   : tag == PS_SCALAR_DOUBLE      ? 2
                   : tag == PS_SCALAR_COMPLEX     ? 3
                                                  : 1;
        widest = kind > widest ? kind : widest;
    }
    if (widest >= 0)
        *arg = ps_arg_dtype((ps_dtype)types[widest]);
}

/* The dialect's type for an element type that is left out, where the table has one of its own. */
static void default_dtype(const pyps_function *self, const pyps_call *call, const pyps_param *param,
                          ps_arg *arg)
{
    if (param->standard >= 0)
        *arg = pyps_standard_dtype(call->dialect, param);
    else if (self->creates && call->dialect != pyps_native)
        dtype_of_numbers(call, arg);
}

/* x.reshape(2, 3): the last positional parameter and what follows it, as one tuple. */
static PyObject *gather(PyObject *const *args, Py_ssize_t first, Py_ssize_t nargs)
{
    PyObject *tuple = PyTuple_New(nargs - first);
    for (Py_ssize_t i = first; tuple != NULL && i < nargs; i++)
        PyTuple_SET_ITEM(tuple, i - first, Py_NewRef(args[i]));
    return tuple;
}

/* A number as an array without dimensions. */
static int lift(pyps_call *call, ps_arg *arg, PyObject *value, const char *what)
{
    pyps_import wanted = {.dialect = call->dialect, .dtype = -1, .copy = -1};
    if (arg->kind == PS_ARG_TENSOR || arg->kind == PS_ARG_NONE)
        return 0;
    ps_tensor *tensor = call->nowned < PYPS_OWNED ? pyps_import_object(value, &wanted) : NULL;
    if (tensor == NULL) {
        if (!PyErr_Occurred())
            pyps_error(PyExc_TypeError, "%s must be an array, not %R", what, value);
        return -1;
    }
    call->owned[call->nowned++] = tensor;
    *arg = ps_arg_tensor(tensor);
    return 0;
}

/* A number in the place of an array: refused, made one, or left to the operation. */
static int settle_number(const pyps_function *self, pyps_call *call, const pyps_param *param,
                         ps_arg *arg, PyObject *value)
{
    if (self->arrays && arg->kind != PS_ARG_NONE) {
        pyps_error(call->dialect->errors[PYPS_ERROR_OPERAND], "%s must be an array, not %R",
                   param->what_text, value);
        return -1;
    }
    return param->lifts ? lift(call, arg, value, param->what_text) : 0;
}

/* What a function asks of its arguments beyond the operation's own rules. */
static int check_arg(const pyps_function *self, const pyps_call *call, const ps_arg *arg,
                     const char *what)
{
    if (PYPS_UNLIKELY(self->ndim >= 0) && arg->kind == PS_ARG_TENSOR &&
        ps_tensor_ndim(arg->as.tensor) != self->ndim) {
        PyErr_Format(call->dialect->errors[PYPS_ERROR_VALUE], "%s must have %d dimensions, not %d",
                     what, self->ndim, ps_tensor_ndim(arg->as.tensor));
        return -1;
    }
    return 0;
}

/* One argument of the operation. */
static int convert_arg(const pyps_function *self, pyps_call *call, const pyps_param *param,
                       PyObject *value)
{
    ps_arg *arg = &call->args[param->to];
    if (pyps_arg(call, arg, param->kind, value, param->what_text) != 0)
        return -1;
    if (param->kind == PS_ARG_TENSOR && arg->kind != PS_ARG_TENSOR &&
        settle_number(self, call, param, arg, value) != 0)
        return -1;
    return check_arg(self, call, arg, param->what_text);
}

/* Converts bound values; returns how many arguments the operation gets, or -1. */
static Py_ssize_t convert(const pyps_function *self, pyps_call *call, PyObject **values, int known,
                          PyObject **out, PyObject **copy)
{
    const pyps_signature *signature = self->signature;
    for (int i = 0; i < signature->nargs; i++)
        call->args[i].kind = PS_ARG_NONE;
    for (int i = 0; i < known; i++) {
        const pyps_param *param = &signature->params[i];
        if (values[i] == NULL && !param->fills)
            continue;
        PyObject *value = values[i] != NULL ? values[i] : param->otherwise;
        if (param->to == PYPS_TO_OUT) {
            *out = values[i];
        } else if (param->to == PYPS_TO_COPY) {
            *copy = values[i];
        } else if (param->to == PYPS_TO_DEVICE) {
            if (pyps_device_parse(value, &call->call.device) != 0)
                return -1;
        } else if (param->to != PYPS_TO_NOTHING) {
            if (value != NULL && convert_arg(self, call, param, value) != 0)
                return -1;
            if (param->kind == PS_ARG_DTYPE && call->args[param->to].kind == PS_ARG_NONE)
                default_dtype(self, call, param, &call->args[param->to]);
        }
    }
    return signature->nargs;
}

PyObject *pyps_function_form(const pyps_function *self, PyObject *result)
{
    pyps_array *array = (pyps_array *)result;
    if (pyps_policy_form(array->dialect, (pyps_form)self->form, &array->tensor) != 0)
        Py_CLEAR(result);
    return result;
}

/* Whether a view may be given, for what is usually one: copy=True, False, or None for either. */
static PyObject *apply_copy(const pyps_function *self, const ps_arg *from, PyObject *copy,
                            PyObject *result)
{
    pyps_array *array = (pyps_array *)result;
    int wanted = PyObject_IsTrue(copy);
    bool view = from->kind == PS_ARG_TENSOR && ps_tensor_shares(array->tensor, from->as.tensor);
    ps_tensor *made = NULL;
    if (wanted >= 0 && (wanted == 0) == view)
        return result;
    if (wanted == 0)
        PyErr_Format(PyExc_ValueError, "%s: this needs a copy, which copy=False rules out",
                     self->name);
    ps_arg arg = ps_arg_tensor(array->tensor);
    if (wanted <= 0 || pyps_op_tensors("copy", &arg, 1, &made, array->dialect) != 0) {
        Py_DECREF(result);
        return NULL;
    }
    ps_tensor_release(array->tensor);
    array->tensor = made;
    return result;
}

/* With arguments that have their places; `values` has room for a tuple in the place of the last. */
static PyObject *call_bound(pyps_function *self, PyObject *const *args, size_t nargsf,
                            PyObject *names, PyObject **values)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf), count;
    PyObject *out = NULL, *result = NULL, *gathered = NULL, *copy = NULL;
    int last = self->signature->positional - 1;
    int known = pyps_signature_known(self->signature, nargs, names);
    if (nargs > last + 1) {
        gathered = gather(args, last, nargs);
        if (gathered == NULL)
            return NULL;
        values[last] = gathered;
    }
    pyps_call call;
    pyps_call_begin(&call, self->dialect);
    count = convert(self, &call, values, known, &out, &copy);
    if (PYPS_UNLIKELY(self->numbers != NULL) && count >= 0 && call.type == NULL &&
        (out == NULL || out == Py_None))
        result = PyObject_Vectorcall(self->numbers, args, nargsf, names);
    else if (count >= 0)
        result = PYPS_LIKELY(self->noutputs == 1)
                     ? pyps_op_run(&call, self->op, (size_t)count, out)
                     : pyps_op_run_several(&call, self->op, (size_t)count, out, self->noutputs);
    if (self->form >= 0 && result != NULL && pyps_is_array(result) &&
        (out == NULL || out == Py_None))
        result = pyps_function_form(self, result);
    if (copy != NULL && copy != Py_None && result != NULL)
        result = apply_copy(self, &call.args[0], copy, result);
    pyps_call_end(&call);
    Py_XDECREF(gathered);
    return result;
}

static PyObject *call_it(pyps_function *self, PyObject *const *args, size_t nargsf, PyObject *names)
{
    PyObject *values[PYPS_PARAMS];
    Py_ssize_t rest;
    if (PYPS_UNLIKELY(self->signature == NULL) && make_ready(self) != 0)
        return NULL;
    if (pyps_signature_bind(self->signature, self->name, args, PyVectorcall_NARGS(nargsf), names,
                            self->variadic, values, &rest) != 0)
        return NULL;
    return call_bound(self, args, nargsf, names, values);
}

/* What is not plain goes to a function of Python's. */
static PyObject *call_plain(pyps_function *self, PyObject *const *args, size_t nargsf,
                            PyObject *names)
{
    PyObject *values[PYPS_PARAMS];
    pyps_plain plain = {self->dialect, self->ndim,  self->variadic,
                        !self->arrays, self->alike, self->types};
    if (pyps_is_plain(&plain, self->signature, args, PyVectorcall_NARGS(nargsf), names, values))
        return call_bound(self, args, nargsf, names, values);
    return PyObject_Vectorcall(self->unusual, args, nargsf, names);
}

PYPS_HOT static PyObject *function_call(PyObject *object, PyObject *const *args, size_t nargsf,
                                        PyObject *names)
{
    pyps_function *self = (pyps_function *)object;
    PyObject *result = NULL;
    bool failed = false;
    if (pyps_is_short(self, PyVectorcall_NARGS(nargsf), names)) {
        result = pyps_call_shortly(self, args, PyVectorcall_NARGS(nargsf), names);
        if (PYPS_LIKELY(result != NULL))
            return result;
        failed = PyErr_Occurred() != NULL;
    }
    if (!failed)
        result = PYPS_UNLIKELY(self->unusual != NULL) ? call_plain(self, args, nargsf, names)
                                                      : call_it(self, args, nargsf, names);
    if (PYPS_UNLIKELY(result == NULL) && self->dialect != pyps_native)
        pyps_translate(self->dialect);
    return result;
}

/* ---- The objects ---------------------------------------------------------------------------- */

static pyps_function *function_new(const ps_op *op, const pyps_names *row, PyObject *name,
                                   PyObject *module, const pyps_dialect *dialect)
{
    ps_op_info info = {.size = sizeof info};
    ps_status status = ps_op_get_info(op, &info);
    if (status != PS_OK)
        return (pyps_function *)pyps_raise(NULL, status);
    const char *text = PyUnicode_AsUTF8(name);
    pyps_function *self = text != NULL ? PyObject_New(pyps_function, &function_type) : NULL;
    if (self == NULL)
        return NULL;
    self->vectorcall = function_call;
    self->op = op;
    self->row = row;
    self->dialect = dialect;
    self->name_object = Py_NewRef(name);
    self->module_name = Py_NewRef(module);
    self->name = text;
    self->own_signature = self->numbers = self->unusual = NULL;
    self->arrays = self->alike = false;
    self->ndim = -1;
    self->types = 0;
    self->signature = NULL;
    self->alone = self->second = PS_ARG_NONE;
    self->by_arrays = 0;
    self->device_name = NULL;
    self->form = pyps_names_form(row);
    self->creates = strcmp(info.group, "creation") == 0;
    self->noutputs = info.noutputs;
    self->variadic = pyps_has_trait(row, 'v');
    return self;
}

static void function_dealloc(PyObject *object)
{
    pyps_function *self = (pyps_function *)object;
    Py_XDECREF(self->name_object);
    Py_XDECREF(self->module_name);
    Py_XDECREF(self->own_signature);
    Py_XDECREF(self->numbers);
    Py_XDECREF(self->unusual);
    pyps_signature_free(self->signature);
    PyObject_Free(self);
}

static PyObject *function_bind(PyObject *self, PyObject *object, PyObject *type)
{
    (void)type;
    return object == NULL || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
}

static PyObject *function_repr(PyObject *object)
{
    const pyps_function *self = (const pyps_function *)object;
    return PyUnicode_FromFormat("<function %U.%s>", self->module_name, self->name);
}

static PyObject *get_name(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(((pyps_function *)self)->name_object);
}

static PyObject *get_module(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(((pyps_function *)self)->module_name);
}

static PyObject *get_signature(PyObject *object, void *unused)
{
    pyps_function *self = (pyps_function *)object;
    (void)unused;
    if (self->signature == NULL && make_ready(self) != 0)
        return NULL;
    return Py_NewRef(self->signature->text);
}

/* Examples of use, by the operation's name: run as tests of the documentation. */
static const char *example_of(const char *operation)
{
    static const struct {
        const char *operation, *text;
    } examples[] = {
#define EXAMPLE(operation, text) {#operation, text},
#include "examples.def"
#undef EXAMPLE
    };
    for (size_t i = 0; i < PYPS_COUNT(examples); i++)
        if (strcmp(operation, examples[i].operation) == 0)
            return examples[i].text;
    return NULL;
}

static PyObject *get_doc(PyObject *object, void *unused)
{
    const pyps_function *self = (const pyps_function *)object;
    ps_op_info info = {.size = sizeof info};
    (void)unused;
    if (self->unusual != NULL) { /* which knows all that may be given */
        PyObject *doc = PyObject_GetAttrString(self->unusual, "__doc__");
        if (doc == NULL || doc != Py_None)
            return doc;
        Py_DECREF(doc);
    }
    if (ps_op_get_info(self->op, &info) != PS_OK)
        Py_RETURN_NONE;
    const char *example = example_of(info.name);
    return PyUnicode_FromFormat("%s%s%s", info.doc, example != NULL ? "\n\n" : "",
                                example != NULL ? example : "");
}

/* What for_dialect is given: None for what is left out. */
typedef struct dialect_options {
    PyObject *dialect, *name, *signature, *module, *numbers, *unusual;
    int arrays, ndim, variadic, alike;
    const char *kinds;
} dialect_options;

static bool is_str_or_none(PyObject *object)
{
    return object == Py_None || PyUnicode_Check(object);
}

static bool is_callable_or_none(PyObject *object)
{
    return object == Py_None || PyCallable_Check(object);
}

static int check_options(const pyps_function *self, const dialect_options *options)
{
    const char *wrong = NULL;
    if (!Py_IS_TYPE(options->dialect, &pyps_dialect_type) ||
        ((pyps_dialect *)options->dialect)->array_class == NULL)
        wrong = "the dialect must be a Dialect that an array class has";
    else if (!is_str_or_none(options->name) || !is_str_or_none(options->signature) ||
             !is_str_or_none(options->module))
        wrong = "name, signature and module must be str";
    else if (!is_callable_or_none(options->numbers) || !is_callable_or_none(options->unusual))
        wrong = "numbers and unusual must be functions";
    if (wrong != NULL)
        PyErr_Format(PyExc_TypeError, "%s: %s", self->name, wrong);
    return wrong == NULL ? 0 : -1;
}

static PyObject *unless_none(PyObject *object)
{
    return object != Py_None ? Py_NewRef(object) : NULL;
}

/* A bit for each element type of the kinds: b, u, i, f and c. */
static uint32_t types_of_kinds(const char *kinds)
{
    uint32_t types = 0;
    for (int i = 0; i < PYPS_DTYPES; i++)
        if (strchr(kinds, pyps_dtype_kind((ps_dtype)i)) != NULL)
            types |= UINT32_C(1) << i;
    return types;
}

/* The function by which the same operation is called in another dialect. */
static PyObject *for_dialect(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"",       "name", "signature", "module", "numbers", "unusual",
                            "arrays", "ndim", "variadic",  "kinds",  "alike",   NULL};
    const pyps_function *self = (const pyps_function *)object;
    dialect_options given = {NULL, Py_None, Py_None, Py_None, Py_None, Py_None, 0, -1, -1, 0, NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOO$OOpipzp:for_dialect", names,
                                     &given.dialect, &given.name, &given.signature, &given.module,
                                     &given.numbers, &given.unusual, &given.arrays, &given.ndim,
                                     &given.variadic, &given.kinds, &given.alike) ||
        check_options(self, &given) != 0)
        return NULL;
    pyps_function *made =
        function_new(self->op, self->row, given.name != Py_None ? given.name : self->name_object,
                     given.module != Py_None ? given.module : self->module_name,
                     (const pyps_dialect *)given.dialect);
    if (made == NULL)
        return NULL;
    made->own_signature = unless_none(given.signature);
    made->numbers = unless_none(given.numbers);
    made->unusual = unless_none(given.unusual);
    made->arrays = given.arrays != 0;
    made->ndim = given.ndim;
    made->alike = given.alike != 0;
    made->types = given.kinds != NULL ? types_of_kinds(given.kinds) : 0;
    if (given.variadic >= 0)
        made->variadic = given.variadic != 0;
    if ((made->own_signature != NULL || made->unusual != NULL) && make_ready(made) != 0)
        Py_CLEAR(made);
    return (PyObject *)made;
}

static PyObject *function_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(((pyps_function *)self)->name_object); /* pickled by its name in its module */
}

static PyGetSetDef function_getset[] = {
    {"__name__", get_name, NULL, NULL, NULL},
    {"__qualname__", get_name, NULL, NULL, NULL},
    {"__module__", get_module, NULL, NULL, NULL},
    {"__text_signature__", get_signature, NULL, NULL, NULL},
    {"__doc__", get_doc, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef function_methods[] = {
    {"for_dialect", (PyCFunction)(void (*)(void))for_dialect, METH_VARARGS | METH_KEYWORDS,
     "for_dialect($self, dialect, /, name=None, signature=None, module=None, *, numbers=None, "
     "unusual=None, arrays=False, ndim=-1, variadic=None, kinds=None, alike=False)\n--\n\n"
     "The same function for another dialect. A signature has its names for the arguments of the\n"
     "operation: 'a:x, axis=None, out=None'. numbers is called when no argument is an array,\n"
     "unusual when one of them is not plain: an array of another dialect, an integer that is no\n"
     "int, a length below 1 but -1, an empty tuple, arrays of several types in a list, a name that\n"
     "the signature does not have. Both get the arguments as they are. arrays=True\n"
     "refuses numbers in the place of arrays; with ndim, arrays must have so many dimensions;\n"
     "with variadic the last argument by position is all that follow; arrays are plain if their\n"
     "type is of one of the kinds, 'iufc', and they have dimensions where there is an axis; with\n"
     "alike, if they have one shape."},
    {"__reduce__", function_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject function_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock.function",
    .tp_basicsize = sizeof(pyps_function),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_vectorcall_offset = offsetof(pyps_function, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_dealloc = function_dealloc,
    .tp_descr_get = function_bind,
    .tp_repr = function_repr,
    .tp_getset = function_getset,
    .tp_methods = function_methods,
};

/* ---- Making them ---------------------------------------------------------------------------- */

/* Where functions go; the module's own name of each. */
static const struct {
    uint32_t space;
    const char *attribute, *module;
} places[] = {{PS_OP_MAIN, "_functions", "penstock"},
              {PS_OP_NN, "_nn", "penstock.nn"},
              {PS_OP_LINALG, "_linalg", "penstock.linalg"},
              {PS_OP_RANDOM, "_random", "penstock.random"},
              {PS_OP_OPTIM, "_optim", "penstock.optim.updates"}};

static int add_to_place(PyObject *module, size_t place, const ps_op *op, uint32_t flags,
                        PyObject *name)
{
    PyObject *dict = PyObject_GetAttrString(module, places[place].attribute);
    PyObject *module_name = PyUnicode_InternFromString(places[place].module);
    pyps_function *made = dict != NULL && module_name != NULL
                              ? function_new(op, pyps_names_of(op), name, module_name, pyps_native)
                              : NULL;
    int status = made != NULL ? PyDict_SetItem(dict, name, (PyObject *)made) : -1;
    if (status == 0 && places[place].space == PS_OP_MAIN && (flags & PS_OP_METHOD)) {
        status = PyDict_SetItem(pyps_array_type.tp_dict, name, (PyObject *)made);
        PyType_Modified(&pyps_array_type);
    }
    Py_XDECREF(dict);
    Py_XDECREF(module_name);
    Py_XDECREF(made);
    return status;
}

static int add_names(PyObject *module, const ps_op *op, uint32_t flags, const char *names)
{
    char copy[128], *state = NULL;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *part = strtok_r(copy, " ", &state); part != NULL;
         part = strtok_r(NULL, " ", &state)) {
        PyObject *name = PyUnicode_InternFromString(part);
        int status = name != NULL ? 0 : -1;
        for (size_t i = 0; i < PYPS_COUNT(places) && status == 0; i++)
            if (flags & places[i].space)
                status = add_to_place(module, i, op, flags, name);
        Py_XDECREF(name);
        if (status != 0)
            return -1;
    }
    return 0;
}

/* All operations, by the table's names: `_ops`, for the package itself. */
static int add_op(PyObject *ops, const ps_op *op, const char *operation, const pyps_names *row)
{
    PyObject *name = PyUnicode_InternFromString(operation);
    PyObject *module_name = PyUnicode_InternFromString("penstock._core");
    pyps_function *made = name != NULL && module_name != NULL
                              ? function_new(op, row, name, module_name, pyps_native)
                              : NULL;
    int status = made != NULL ? PyDict_SetItem(ops, name, (PyObject *)made) : -1;
    Py_XDECREF(name);
    Py_XDECREF(module_name);
    Py_XDECREF(made);
    return status;
}

static int add_all(PyObject *module, PyObject *ops)
{
    for (size_t i = 0; i < ps_op_count(); i++) {
        const ps_op *op = ps_op_at(i);
        ps_op_info info = {.size = sizeof info};
        if (ps_op_get_info(op, &info) != PS_OK)
            continue;
        const pyps_names *row = pyps_names_of(op);
        if (add_op(ops, op, info.name, row) != 0 ||
            add_names(module, op, info.flags, row != NULL ? row->names : info.name) != 0)
            return -1;
    }
    return 0;
}

/* For operations that were added since: the function, which is put into `_ops`; None if there is no
 * operation of that name. */
static PyObject *add_operation(PyObject *module, PyObject *name)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    const ps_op *op;
    if (text == NULL)
        return NULL;
    if (strlen(text) != (size_t)length || ps_op_find(text, &op) != PS_OK)
        Py_RETURN_NONE;
    PyObject *ops = PyObject_GetAttrString(module, "_ops");
    PyObject *found = NULL;
    if (ops != NULL && add_op(ops, op, text, NULL) == 0)
        found = Py_XNewRef(PyDict_GetItemWithError(ops, name));
    Py_XDECREF(ops);
    return found;
}

int pyps_functions_setup(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"_add_operation", add_operation, METH_O, NULL},
        {NULL, NULL, 0, NULL},
    };
    if (PyType_Ready(&function_type) != 0 || pyps_names_setup() != 0 ||
        PyModule_AddFunctions(module, methods) != 0)
        return -1;
    for (size_t i = 0; i < PYPS_COUNT(places); i++) {
        PyObject *dict = PyDict_New();
        int status = dict != NULL ? PyModule_AddObjectRef(module, places[i].attribute, dict) : -1;
        Py_XDECREF(dict);
        if (status != 0)
            return -1;
    }
    PyObject *ops = PyDict_New();
    int status = ops != NULL ? PyModule_AddObjectRef(module, "_ops", ops) : -1;
    if (status == 0)
        status = add_all(module, ops);
    Py_XDECREF(ops);
    return status;
}
