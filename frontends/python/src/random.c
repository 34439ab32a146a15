/* Generators of random numbers as Python objects: the base class of penstock.random.Generator, whose
 * methods that draw numbers are written in Python (random.py) over the operations of the table.
 *
 * Nothing here waits: seeds and states act in program order. */
#include "core.h"

typedef struct generator_object {
    PyObject_HEAD ps_generator *generator; /* NULL only before it is set up */
} generator_object;

static PyTypeObject generator_type;

ps_generator *pyps_generator_of(PyObject *object)
{
    if (PyObject_TypeCheck(object, &generator_type))
        return ((generator_object *)object)->generator;
    pyps_error(PyExc_TypeError, "generator must be a penstock.random.Generator, not %R", object);
    return NULL;
}

/* An integer of 64 bits without sign. */
static int parse_word(PyObject *object, const char *what, uint64_t *word)
{
    PyObject *index = PyIndex_Check(object) ? PyNumber_Index(object) : NULL;
    if (index == NULL) {
        if (!PyErr_Occurred())
            pyps_error(PyExc_TypeError, "%s must be an integer, not %R", what, object);
        return -1;
    }
    unsigned long long value = PyLong_AsUnsignedLongLong(index);
    Py_DECREF(index);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        pyps_error(PyExc_ValueError, "%s must be at least 0 and below 2**64, not %R", what, object);
        return -1;
    }
    *word = value;
    return 0;
}

/* Around a generator, which it takes over. */
static PyObject *wrap(PyTypeObject *type, ps_status status, ps_generator *generator)
{
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    generator_object *self = (generator_object *)type->tp_alloc(type, 0);
    if (self == NULL)
        ps_generator_release(generator);
    else
        self->generator = generator;
    return (PyObject *)self;
}

static PyObject *generator_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"seed", NULL};
    PyObject *object;
    uint64_t seed;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Generator", names, &object) ||
        parse_word(object, "Generator: seed", &seed) != 0)
        return NULL;
    ps_generator *generator = NULL;
    ps_status status = ps_generator_create(seed, &generator);
    return wrap(type, status, generator);
}

static void generator_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ps_generator_release(((generator_object *)self)->generator);
    type->tp_free(self);
}

static PyObject *generator_shared(PyObject *cls, PyObject *unused)
{
    ps_generator *generator = NULL;
    (void)unused;
    ps_status status = ps_generator_default(&generator);
    return wrap((PyTypeObject *)cls, status, generator);
}

static PyObject *generator_seed(PyObject *self, PyObject *object)
{
    uint64_t seed;
    if (parse_word(object, "seed", &seed) != 0)
        return NULL;
    ps_status status = ps_generator_seed(((generator_object *)self)->generator, seed);
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    Py_RETURN_NONE;
}

static PyObject *get_state(PyObject *self, void *unused)
{
    ps_generator_state state = {.size = sizeof state};
    (void)unused;
    ps_status status = ps_generator_get_state(((generator_object *)self)->generator, &state);
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    return Py_BuildValue("(KKK)", (unsigned long long)state.key,
                         (unsigned long long)state.counter[0],
                         (unsigned long long)state.counter[1]);
}

static int set_state(PyObject *self, PyObject *value, void *unused)
{
    ps_generator_state state = {.size = sizeof state};
    uint64_t *const words[] = {&state.key, &state.counter[0], &state.counter[1]};
    (void)unused;
    if (value == NULL || !PyTuple_Check(value) || PyTuple_GET_SIZE(value) != 3) {
        if (value == NULL)
            PyErr_SetString(PyExc_AttributeError, "state cannot be deleted");
        else
            pyps_error(PyExc_TypeError,
                       "state must be a tuple of three integers, as it was read, not %R", value);
        return -1;
    }
    for (int i = 0; i < 3; i++)
        if (parse_word(PyTuple_GET_ITEM(value, i), "state", words[i]) != 0)
            return -1;
    ps_status status = ps_generator_set_state(((generator_object *)self)->generator, &state);
    if (status != PS_OK)
        pyps_raise(NULL, status);
    return status == PS_OK ? 0 : -1;
}

/* A copy has the state of this moment; the shared generator is copied to one of its own. */
static PyObject *generator_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *state = get_state(self, NULL);
    return state != NULL ? Py_BuildValue("O(i)N", Py_TYPE(self), 0, state) : NULL;
}

static PyObject *generator_setstate(PyObject *self, PyObject *state)
{
    if (set_state(self, state, NULL) != 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *generator_repr(PyObject *self)
{
    ps_generator_state state = {.size = sizeof state};
    ps_status status = ps_generator_get_state(((generator_object *)self)->generator, &state);
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    char key[24];
    snprintf(key, sizeof key, "0x%016llx", (unsigned long long)state.key);
    return PyUnicode_FromFormat("<penstock.random.Generator with key %s>", key);
}

static PyMethodDef generator_methods[] = {
    {"_shared", generator_shared, METH_NOARGS | METH_CLASS, NULL},
    {"seed", generator_seed, METH_O,
     "seed($self, seed, /)\n--\n\nFrom here on as if it had been made with this seed.\n\n"
     ">>> rng = ps.random.default_rng(1)\n"
     ">>> x = rng.normal(size=2)\n"
     ">>> rng.seed(1)\n"
     ">>> bool((rng.normal(size=2) == x).all())\n"
     "True"},
    {"__reduce__", generator_reduce, METH_NOARGS, NULL},
    {"__setstate__", generator_setstate, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef generator_getset[] = {
    {"state", get_state, set_state,
     "Its key and the two halves of its counter; set them again and the same numbers come again.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject generator_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock._core.Generator",
    .tp_basicsize = sizeof(generator_object),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("Generator(seed)\n--\n\nA source of random numbers."),
    .tp_new = generator_new,
    .tp_dealloc = generator_dealloc,
    .tp_repr = generator_repr,
    .tp_getset = generator_getset,
    .tp_methods = generator_methods,
};

int pyps_random_setup(PyObject *module)
{
    return PyModule_AddType(module, &generator_type);
}
