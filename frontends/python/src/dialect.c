/* Dialects: the rules in which array libraries differ, as data.
 *
 * A dialect is a row of settings that the C code of arrays reads. The native library is one; a
 * module that imitates another library makes its own and an array class that has it:
 *
 *     class NDArray(penstock.ndarray, dialect=penstock.Dialect('nd', compare='operands')): ...
 *
 * Arrays carry a pointer to their dialect, which results inherit, so that no class is looked up when
 * an operation is queued. Dialects are never freed. */
#include "core.h"

pyps_dialect *pyps_native;
__thread bool pyps_np_shape;

/* A choice by name: its index in a list that ends with NULL; -1 and an exception. */
static int choose(const char *what, const char *given, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(given, names[i]) == 0)
            return i;
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && names[i] != NULL; i++) {
        PyObject *name = PyUnicode_FromString(names[i]);
        if (name == NULL || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    if (list != NULL)
        pyps_error(PyExc_ValueError, "Dialect: %s must be one of %R, not '%s'", what, list, given);
    Py_XDECREF(list);
    return -1;
}

/* NULL and an exception if it is no str. */
static const char *text_of(PyObject *object, const char *what)
{
    if (PyUnicode_Check(object))
        return PyUnicode_AsUTF8(object);
    pyps_error(PyExc_TypeError, "Dialect: %s must be a str, not %R", what, object);
    return NULL;
}

static const char *const scalar_names[] = {"weak", "keep", "ranks", NULL};
static const char *const number_names[] = {"check", "wrap", NULL};
static const char *const range_names[] = {"any", "forward", NULL};
static const char *const mean_names[] = {"any", "float", NULL};
static const char *const update_names[] = {"any", "kind", "new", NULL};
static const char *const zero_names[] = {"any", "raise", NULL};
static const char *const product_names[] = {"promote", "same", NULL};
static const char *const result_names[] = {"class", "base", NULL};
static const char *const value_names[] = {"any", "arrays", "elements", NULL};
static const char *const index_names[] = {"numpy", "select", "lists", NULL};
static const char *const minus_names[] = {"any", "numbers", NULL};
static const char *const buffer_names[] = {"any", "constants", NULL};
static const char *const mixed_names[] = {"promote", "arithmetic", "refuse", NULL};
static const char *const integer_names[] = {"promote", "keep", "always", NULL};
static const char *const foreign_names[] = {"take", "refuse", NULL};
static const char *const form_names[] = {"block",   "strided", "newaxis",   "permute",
                                         "reshape", "flatten", "broadcast", NULL};
static const char *const error_names[] = {"value",    "type",    "index",   "memory",   "timeout",
                                          "key",      "operand", "runtime", "argument", "axis",
                                          "division", "truth",   NULL};
/* As PS_GRAD_UNLESS_PAUSED and those after it. */
static const char *const gradient_names[] = {"unless_paused", "check",     "no_writes",  "integers",
                                             "ties_first",    "ties_each", "bounds_cut", "norm_nan",
                                             "once",          "lazy",      NULL};

static int set_types(pyps_policy *policy, PyObject *const types[4])
{
    uint8_t *const fields[] = {&policy->float_type, &policy->int_type, &policy->bool_type,
                               &policy->complex_type};
    for (int i = 0; i < 4; i++) {
        ps_dtype dtype;
        if (types[i] == NULL || types[i] == Py_None)
            continue;
        if (pyps_dtype_parse(NULL, types[i], &dtype) != 0)
            return -1;
        *fields[i] = (uint8_t)dtype;
    }
    return 0;
}

static int set_compare(pyps_policy *policy, PyObject *compare)
{
    ps_dtype dtype;
    if (compare == NULL)
        return 0;
    if (PyUnicode_Check(compare) && PyUnicode_CompareWithASCIIString(compare, "operands") == 0) {
        policy->compare = -2;
        return 0;
    }
    if (pyps_dtype_parse(NULL, compare, &dtype) != 0)
        return -1;
    policy->compare = dtype == PS_BOOL ? -1 : (int8_t)dtype;
    return 0;
}

/* A bit for each of the names in a sequence; `what` is an item of it. */
static int read_set(PyObject *given, const char *what, const char *const *names, uint32_t *set)
{
    *set = 0;
    if (given == NULL)
        return 0;
    PyObject *list = PySequence_Fast(given, "");
    if (list == NULL) {
        pyps_error(PyExc_TypeError, "Dialect: %s must be in a sequence, not %R", what, given);
        return -1;
    }
    int found = 0;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list) && found >= 0; i++) {
        const char *name = text_of(PySequence_Fast_GET_ITEM(list, i), what);
        found = name != NULL ? choose(what, name, names) : -1;
        *set |= found >= 0 ? 1u << found : 0;
    }
    Py_DECREF(list);
    return found < 0 ? -1 : 0;
}

static int set_copies(pyps_policy *policy, PyObject *forms)
{
    uint32_t set;
    if (read_set(forms, "a form in copies", form_names, &set) != 0)
        return -1;
    for (int i = 0; i < PYPS_FORMS; i++)
        policy->copies[i] = set >> i & 1;
    return 0;
}

/* In the order of the names the library has a bit for each, from the first on. */
static int set_gradients(pyps_policy *policy, PyObject *names)
{
    uint32_t set;
    if (read_set(names, "a rule in gradients", gradient_names, &set) != 0)
        return -1;
    policy->gradients = set * PS_GRAD_UNLESS_PAUSED;
    return 0;
}

static int set_errors(pyps_dialect *self, PyObject *errors)
{
    PyObject *const plain[PYPS_ERRORS] = {PyExc_ValueError,
                                          PyExc_TypeError,
                                          PyExc_IndexError,
                                          PyExc_MemoryError,
                                          PyExc_TimeoutError,
                                          PyExc_IndexError,
                                          PyExc_TypeError,
                                          PyExc_RuntimeError,
                                          NULL,
                                          NULL,
                                          NULL,
                                          NULL};
    for (int i = 0; i < PYPS_ERRORS; i++)
        self->errors[i] = Py_XNewRef(plain[i]);
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (errors != NULL && PyDict_Next(errors, &at, &key, &value)) {
        const char *name = text_of(key, "a kind of error");
        int kind = name != NULL ? choose("a kind of error", name, error_names) : -1;
        if (kind < 0)
            return -1;
        if (!PyExceptionClass_Check(value)) {
            pyps_error(PyExc_TypeError, "Dialect: errors['%s'] must be an exception class, not %R",
                       name, value);
            return -1;
        }
        Py_XSETREF(self->errors[kind], Py_NewRef(value));
    }
    static const uint8_t otherwise[][2] = {{PYPS_ERROR_ARGUMENT, PYPS_ERROR_TYPE},
                                           {PYPS_ERROR_AXIS, PYPS_ERROR_VALUE},
                                           {PYPS_ERROR_DIVISION, PYPS_ERROR_RUNTIME},
                                           {PYPS_ERROR_TRUTH, PYPS_ERROR_VALUE}};
    for (size_t i = 0; i < PYPS_COUNT(otherwise); i++)
        if (self->errors[otherwise[i][0]] == NULL)
            self->errors[otherwise[i][0]] = Py_NewRef(self->errors[otherwise[i][1]]);
    return 0;
}

static int set_shape(pyps_dialect *self, PyObject *shape)
{
    self->shape_class = &PyTuple_Type;
    if (shape == NULL || shape == Py_None)
        return 0;
    bool tuple = PyType_Check(shape) && ((PyTypeObject *)shape)->tp_itemsize != 0 &&
                 PyType_IsSubtype((PyTypeObject *)shape, &PyTuple_Type);
    bool list = PyType_Check(shape) && PyType_IsSubtype((PyTypeObject *)shape, &PyList_Type);
    if (!tuple && !list) {
        pyps_error(PyExc_TypeError,
                   "Dialect: shape must be tuple, list or a class derived from one, not %R", shape);
        return -1;
    }
    self->shape_class = (PyTypeObject *)Py_NewRef(shape);
    return 0;
}

static int set_own_types(pyps_dialect *self, PyObject *types)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    ps_dtype dtype;
    while (types != NULL && PyDict_Next(types, &at, &key, &value)) {
        if (pyps_dtype_parse(NULL, key, &dtype) != 0)
            return -1;
        Py_XSETREF(self->dtypes[dtype], Py_NewRef(value));
    }
    return 0;
}

/* After its own types. */
static int set_type_names(pyps_dialect *self, PyObject *names)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    ps_dtype dtype;
    if (names == NULL)
        return 0;
    self->type_names = PyDict_New();
    if (self->type_names == NULL)
        return -1;
    while (PyDict_Next(names, &at, &key, &value)) {
        if (!pyps_names_dtype(key)) {
            pyps_error(PyExc_TypeError, "Dialect: type_names has texts and classes, not %R", key);
            return -1;
        }
        if (pyps_dtype_parse(self, value, &dtype) != 0 ||
            PyDict_SetItem(self->type_names, key, pyps_dtype_object(dtype)) != 0)
            return -1;
    }
    return 0;
}

/* Whether what operations on floating-point numbers of one type give stays as it is. */
static bool keeps_results(const pyps_policy *policy)
{
    return policy->compare == -1 && !policy->one_dimension &&
           policy->integers != PYPS_INTEGERS_ALWAYS;
}

static bool is_plain(const pyps_policy *policy)
{
    return policy->scalar == PYPS_SCALAR_WEAK && policy->mixed == PYPS_MIXED_PROMOTE &&
           !policy->wrap_numbers && !policy->float_means && !policy->update_kinds &&
           !policy->check_zeros && !policy->same_products && !policy->refuse_minus &&
           policy->compare == -1 && !policy->divide_integers && !policy->one_dimension &&
           policy->integers == PYPS_INTEGERS_PROMOTE && !policy->modulo_zero &&
           policy->float_type == PS_FLOAT32 && policy->int_type == PS_INT64;
}

/* Settings that are a choice between names, the first of which is meant if none is given. */
enum {
    SCALAR,
    MIXED,
    INTEGERS,
    FOREIGN,
    NUMBERS,
    RANGES,
    MEANS,
    UPDATES,
    ZEROS,
    PRODUCTS,
    RESULTS,
    VALUES,
    INDICES,
    DIFFERENCES,
    BUFFERS,
    CHOICES
};
static const struct {
    const char *what;
    const char *const *names;
} choices[CHOICES] =
    {[SCALAR] = {"scalar", scalar_names},      [MIXED] = {"mixed", mixed_names},
     [INTEGERS] = {"integers", integer_names}, [FOREIGN] = {"foreign", foreign_names},
     [NUMBERS] = {"numbers", number_names},    [RANGES] = {"ranges", range_names},
     [MEANS] = {"means", mean_names},          [UPDATES] = {"updates", update_names},
     [ZEROS] = {"zero_division", zero_names},  [PRODUCTS] = {"products", product_names},
     [RESULTS] = {"results", result_names},    [VALUES] = {"values", value_names},
     [INDICES] = {"indices", index_names},     [DIFFERENCES] = {"differences", minus_names},
     [BUFFERS] = {"buffers", buffer_names}};

/* What is given: NULL for what is left out. */
typedef struct settings {
    PyObject *name, *types[4], *compare, *copies, *errors, *gradients, *shape;
    PyObject *own_types, *type_names;
    const char *choices[CHOICES];
    int divide_integers, one_dimension, check_late, modulo_zero, attributes;
} settings;

static int read_settings(PyObject *args, PyObject *kwargs, settings *given)
{
    static char *names[] = {"name",          "float",       "int",
                            "bool",          "complex",     "scalar",
                            "mixed",         "compare",     "divide_integers",
                            "one_dimension", "check_late",  "modulo_zero",
                            "integers",      "foreign",     "copies",
                            "errors",        "gradients",   "numbers",
                            "ranges",        "means",       "updates",
                            "shape",         "types",       "zero_division",
                            "products",      "results",     "values",
                            "indices",       "differences", "attributes",
                            "type_names",    "buffers",     NULL};
    const char **chosen = given->choices;
    *given = (settings){0};
    for (int i = 0; i < CHOICES; i++)
        chosen[i] = choices[i].names[0];
    return PyArg_ParseTupleAndKeywords(args, kwargs,
                                       "U|$OOOOssOppppssOO!OssssOO!sssssspO!s:Dialect", names,
                                       &given->name, &given->types[0], &given->types[1],
                                       &given->types[2], &given->types[3], &chosen[SCALAR],
                                       &chosen[MIXED], &given->compare, &given->divide_integers,
                                       &given->one_dimension, &given->check_late,
                                       &given->modulo_zero, &chosen[INTEGERS], &chosen[FOREIGN],
                                       &given->copies, &PyDict_Type, &given->errors,
                                       &given->gradients, &chosen[NUMBERS], &chosen[RANGES],
                                       &chosen[MEANS], &chosen[UPDATES], &given->shape,
                                       &PyDict_Type, &given->own_types, &chosen[ZEROS],
                                       &chosen[PRODUCTS], &chosen[RESULTS], &chosen[VALUES],
                                       &chosen[INDICES], &chosen[DIFFERENCES], &given->attributes,
                                       &PyDict_Type, &given->type_names, &chosen[BUFFERS])
               ? 0
               : -1;
}

static int set_rules(pyps_policy *policy, const settings *given)
{
    int chosen[CHOICES];
    for (int i = 0; i < CHOICES; i++) {
        chosen[i] = choose(choices[i].what, given->choices[i], choices[i].names);
        if (chosen[i] < 0)
            return -1;
    }
    *policy = (pyps_policy){.float_type = PS_FLOAT32,
                            .int_type = PS_INT64,
                            .bool_type = PS_BOOL,
                            .complex_type = PS_COMPLEX64,
                            .scalar = (uint8_t)chosen[SCALAR],
                            .mixed = (uint8_t)chosen[MIXED],
                            .compare = -1,
                            .divide_integers = given->divide_integers,
                            .one_dimension = given->one_dimension,
                            .check_late = given->check_late,
                            .modulo_zero = given->modulo_zero,
                            .integers = (uint8_t)chosen[INTEGERS],
                            .refuse_foreign = chosen[FOREIGN],
                            .wrap_numbers = chosen[NUMBERS],
                            .forward = chosen[RANGES],
                            .float_means = chosen[MEANS],
                            .update_kinds = chosen[UPDATES] == 1,
                            .update_new = chosen[UPDATES] == 2,
                            .check_zeros = chosen[ZEROS],
                            .same_products = chosen[PRODUCTS],
                            .base_results = chosen[RESULTS],
                            .array_values = chosen[VALUES] == 1,
                            .element_values = chosen[VALUES] == 2,
                            .select_first = chosen[INDICES] >= 1,
                            .list_keys = chosen[INDICES] == 2,
                            .refuse_minus = chosen[DIFFERENCES],
                            .constant_buffers = chosen[BUFFERS],
                            .attributes = given->attributes};
    return 0;
}

static void settle(pyps_dialect *self)
{
    self->own_types = self->type_names != NULL;
    for (int i = 0; i < PYPS_DTYPES; i++)
        self->own_types |= self->dtypes[i] != NULL;
    self->plain = is_plain(&self->policy);
    self->plain_results = keeps_results(&self->policy);
}

static PyObject *dialect_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    settings given;
    if (read_settings(args, kwargs, &given) != 0)
        return NULL;
    pyps_dialect *self = (pyps_dialect *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->name = Py_NewRef(given.name);
    pyps_policy *policy = &self->policy;
    if (set_rules(policy, &given) != 0 || set_types(policy, given.types) != 0 ||
        set_compare(policy, given.compare) != 0 || set_copies(policy, given.copies) != 0 ||
        set_errors(self, given.errors) != 0 || set_gradients(policy, given.gradients) != 0 ||
        set_shape(self, given.shape) != 0 || set_own_types(self, given.own_types) != 0 ||
        set_type_names(self, given.type_names) != 0) {
        Py_DECREF(self);
        return NULL;
    }
    settle(self);
    return (PyObject *)self;
}

/* What Python's numbers become from now on. */
static PyObject *dialect_set_types(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"float", "int", "bool", "complex", NULL};
    pyps_dialect *self = (pyps_dialect *)object;
    PyObject *types[4] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO:set_types", names, &types[0], &types[1],
                                     &types[2], &types[3]))
        return NULL;
    if (self == pyps_native)
        return pyps_error(PyExc_ValueError, "set_types: the native rules are as they are");
    pyps_policy changed = self->policy;
    if (set_types(&changed, types) != 0)
        return NULL;
    self->policy = changed;
    settle(self);
    Py_RETURN_NONE;
}

static void dialect_dealloc(PyObject *object)
{
    pyps_dialect *self = (pyps_dialect *)object; /* one that no class ever had */
    Py_XDECREF(self->name);
    for (int i = 0; i < PYPS_ERRORS; i++)
        Py_XDECREF(self->errors[i]);
    for (int i = 0; i < PYPS_DTYPES; i++)
        Py_XDECREF(self->dtypes[i]);
    Py_XDECREF(self->type_names);
    if (self->shape_class != &PyTuple_Type)
        Py_XDECREF(self->shape_class);
    Py_TYPE(self)->tp_free(object);
}

static PyObject *dialect_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<penstock.Dialect %R>", ((pyps_dialect *)self)->name);
}

static PyObject *dialect_get_name(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(((pyps_dialect *)self)->name);
}

static PyGetSetDef dialect_getset[] = {
    {"name", dialect_get_name, NULL, "Its name.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef dialect_methods[] = {
    {"set_types", (PyCFunction)(void (*)(void))dialect_set_types, METH_VARARGS | METH_KEYWORDS,
     "set_types($self, *, float=None, int=None, bool=None, complex=None)\n--\n\n"
     "Other element types that Python's numbers become, from now on.\n\n"
     ">>> rules = ps.Dialect('doubles')\n"
     ">>> class Double(ps.ndarray, dialect=rules):\n"
     "...     pass\n"
     ">>> rules.set_types(float='float64')\n"
     ">>> Double([1.5]).dtype\n"
     "penstock.float64"},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    dialect_doc,
    "Dialect(name, *, float='float32', int='int64', bool='bool', complex='complex64', "
    "scalar='weak', mixed='promote', compare='bool', divide_integers=False, "
    "one_dimension=False, check_late=False, modulo_zero=False, integers='promote', "
    "foreign='take', copies=(), errors={}, gradients=(), numbers='check', ranges='any', "
    "means='any', updates='any', shape=None, types={}, zero_division='any', products='promote', "
    "results='class', values='any', indices='numpy', differences='any', attributes=False, type_names={}, "
    "buffers='any')\n--\n\n"
    "The rules of an array library, for classes that imitate it.\n\n"
    "float, int, bool, complex: element types that Python's numbers become.\n"
    "scalar: 'weak', or 'keep' where integers stay integers beside any number; 'ranks' where\n"
    "    arrays without dimensions, too, change the type of others only if they are of a\n"
    "    higher kind: bool, integer, float, complex.\n"
    "mixed: 'promote', or 'refuse' arrays of two types; 'arithmetic' takes them in + - *\n"
    "    / % ** alone.\n"
    "compare: the type that comparisons give, or 'operands' for theirs.\n"
    "divide_integers: integers are divided as integers.\n"
    "one_dimension: results without dimensions have shape (1,).\n"
    "check_late: checks of numbers given to operations raise at the wait.\n"
    "modulo_zero: x % 0 is 0 rather than NaN.\n"
    "integers: 'promote', or 'keep' their type in functions and sums of integers; 'always'\n"
    "    gives all functions and reductions the type of their operand.\n"
    "foreign: 'take' arrays of other libraries as operands, or 'refuse' them.\n"
    "copies: which of block, strided, newaxis, permute, reshape, flatten and broadcast\n"
    "    give copies rather than views.\n"
    "errors: exception classes for value, type, index, memory, timeout, key, operand, runtime;\n"
    "    for argument, an object of a wrong type, which is type's unless given, and for axis, a\n"
    "    dimension that there is not, which is value's.\n"
    "gradients: what differs about them. unless_paused: recorded unless that is off; check: a\n"
    "    value that is needed and was overwritten is an error, not kept; no_writes: recorded\n"
    "    arrays cannot be written while recording; integers: integers have gradients, too;\n"
    "    ties_first: of equal operands of maximum the first gets all, not half; ties_each: so\n"
    "    does each of equal elements in max, not its share; bounds_cut: nothing flows to what\n"
    "    equals a bound of clip; norm_nan: the gradient of a norm is NaN, not 0, at 0; once: what\n"
    "    was walked and not retained cannot be walked again, even if nothing was saved; lazy: there\n"
    "    is no gradient, x.grad is None, until a backward has come to the array.\n"
    "numbers: 'check', or 'wrap' those that do not fit an array of integers.\n"
    "ranges: of an index, 'any', or only those that run 'forward'.\n"
    "means: of 'any' numbers, or only of 'float'.\n"
    "updates: x += y takes 'any' y, or only what gives a number of the 'kind' of x, or is a 'new'\n"
    "    array.\n"
    "shape: the class of shapes, if it is not tuple: derived from it, or from list.\n"
    "types: the dialect's own objects for element types.\n"
    "zero_division: of integers gives 'any' number, or is to 'raise', where it is waited for.\n"
    "products: of two element types 'promote', or must be of the 'same'.\n"
    "results: of operations on a derived 'class' are of that class, or of the 'base' that has\n"
    "    the dialect.\n"
    "values: that elements are set to are of 'any' kind, 'arrays' of the dialect and numbers, or\n"
    "    'elements': arrays of other libraries too, but no lists.\n"
    "indices: mean what they do in 'numpy', or integers 'select' before arrays do; then those\n"
    "    that are arrays without dimensions are integers too, and waited for; with 'lists' lists\n"
    "    that hold more than numbers are keys of several items besides, arrays of uint8 are masks,\n"
    "    and an ellipsis at the end of a key may be one too many.\n"
    "differences: of 'any' elements, or of 'numbers' alone, not of truth values.\n"
    "attributes: arrays of a class without fields of its own can be given any, all the same.\n"
    "type_names: texts and classes that stand for element types, beside the types' own names.\n"
    "buffers: of 'any' array, or of 'constants' alone, to which no gradient flows.\n\n"
    ">>> halves = ps.Dialect('halves', float='float16')\n"
    ">>> class Half(ps.ndarray, dialect=halves):\n"
    "...     pass\n"
    ">>> Half([1.5, 2.5]).dtype\n"
    "penstock.float16");

PyTypeObject pyps_dialect_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock.Dialect",
    .tp_basicsize = sizeof(pyps_dialect),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = dialect_doc,
    .tp_new = dialect_new,
    .tp_dealloc = dialect_dealloc,
    .tp_repr = dialect_repr,
    .tp_getset = dialect_getset,
    .tp_methods = dialect_methods,
};

/* Arrays point to it from here on, whatever becomes of their class. */
static void keep(pyps_dialect *dialect)
{
    if (!dialect->kept)
        Py_INCREF(dialect);
    dialect->kept = true;
}

const pyps_dialect *pyps_dialect_of(PyTypeObject *type)
{
    if (type == &pyps_array_type)
        return pyps_native;
    PyObject *found = PyObject_GetAttrString((PyObject *)type, "__dialect__");
    if (found == NULL || !Py_IS_TYPE(found, &pyps_dialect_type)) {
        PyErr_Clear();
        Py_XDECREF(found);
        return pyps_native;
    }
    keep((pyps_dialect *)found);
    Py_DECREF(found);
    return (const pyps_dialect *)found;
}

/* class C(ndarray, dialect=d): remembers d, for good. */
static PyObject *init_subclass(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dialect", NULL};
    PyObject *dialect = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$O!:__init_subclass__", names,
                                     &pyps_dialect_type, &dialect))
        return NULL;
    /* Python takes `__iadd__` for both of its slots, and what the first refuses would be the second's
     * result. */
    PySequenceMethods *sequence = ((PyTypeObject *)cls)->tp_as_sequence;
    if (sequence != NULL && sequence != pyps_array_type.tp_as_sequence)
        sequence->sq_inplace_concat = NULL;
    if (dialect == NULL)
        Py_RETURN_NONE;
    pyps_dialect *self = (pyps_dialect *)dialect;
    if (PyObject_SetAttrString(cls, "__dialect__", dialect) != 0)
        return NULL;
    if (self->array_class == NULL)
        self->array_class = (PyTypeObject *)Py_NewRef(cls);
    pyps_array_adapt((PyTypeObject *)cls, self->policy.attributes);
    keep(self);
    Py_RETURN_NONE;
}

static PyMethodDef subclass_method = {"__init_subclass__",
                                      (PyCFunction)(void (*)(void))init_subclass,
                                      METH_VARARGS | METH_KEYWORDS | METH_CLASS, NULL};

static PyObject *get_np_shape(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyBool_FromLong(pyps_np_shape);
}

static PyObject *set_np_shape(PyObject *module, PyObject *active)
{
    int truth = PyObject_IsTrue(active);
    (void)module;
    if (truth < 0)
        return NULL;
    pyps_np_shape = truth;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"_np_shape", get_np_shape, METH_NOARGS, NULL},
    {"_set_np_shape", set_np_shape, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

int pyps_dialect_setup(PyObject *module)
{
    if (PyModule_AddFunctions(module, functions) != 0)
        return -1;
    if (PyModule_AddType(module, &pyps_dialect_type) != 0)
        return -1;
    if (pyps_native == NULL) {
        pyps_native =
            (pyps_dialect *)PyObject_CallFunction((PyObject *)&pyps_dialect_type, "s", "penstock");
        if (pyps_native == NULL)
            return -1;
        keep(pyps_native);
        pyps_native->array_class = &pyps_array_type;
    }
    PyObject *method = PyDescr_NewClassMethod(&pyps_array_type, &subclass_method);
    int status = method != NULL
                     ? PyDict_SetItemString(pyps_array_type.tp_dict, "__init_subclass__", method)
                     : -1;
    Py_XDECREF(method);
    if (status == 0) /* so that subclasses without one find it */
        status =
            PyDict_SetItemString(pyps_array_type.tp_dict, "__dialect__", (PyObject *)pyps_native);
    PyType_Modified(&pyps_array_type);
    return status;
}
