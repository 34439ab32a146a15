/* x[key], x[key] = value, len(x), iteration, `value in x`.
 *
 * One integer and one slice, the usual keys, are an item each. All other keys are parsed into a
 * list of items first (index_key.c). Reading without arrays gives a view, or a copy for forms that
 * the dialect copies; what is written is seen by all views. */
#include "index.h"

/* ---- Help for all files of indexing -------------------------------------------------------- */

int pyps_index_done(PyObject *array, ps_status status)
{
    if (PYPS_LIKELY(status == PS_OK))
        return 0;
    pyps_raise(pyps_dialect_get(array), status);
    return -1;
}

int pyps_index_call(PyObject *array, const char *name, const ps_arg *args, size_t nargs,
                    ps_tensor **out)
{
    const ps_op *op = pyps_op(name);
    ps_call call = {.size = sizeof call,
                    .args = args,
                    .nargs = nargs,
                    .outputs = out,
                    .noutputs = 1,
                    .device = ps_tensor_device(pyps_tensor(array)),
                    .location = pyps_location()};
    if (op == NULL)
        return -1;
    pyps_enter();
    return pyps_index_done(array, ps_op_call(op, &call));
}

/* ---- Views ------------------------------------------------------------------------------- */

static bool lies_side_by_side(const ps_tensor *tensor)
{
    const int64_t *shape = ps_tensor_shape(tensor), *strides = ps_tensor_strides(tensor);
    int64_t stride = 1;
    for (int i = ps_tensor_ndim(tensor) - 1; i >= 0; i--) {
        if (shape[i] != 1 && strides[i] != stride)
            return ps_tensor_count(tensor) == 0;
        stride *= shape[i];
    }
    return true;
}

/* Replaces a view by its copy. */
static int copy_view(PyObject *self, ps_tensor **view)
{
    ps_arg arg = ps_arg_tensor(*view);
    ps_tensor *copy = NULL;
    int failed = pyps_index_call(self, "copy", &arg, 1, &copy);
    ps_tensor_release(*view);
    *view = copy;
    return failed;
}

/* Replaces a tensor without dimensions by one of shape (1,). */
static int add_dimension(PyObject *self, ps_tensor **tensor)
{
    ps_index place = {.kind = PS_INDEX_NEW};
    ps_tensor *bare = *tensor;
    ps_status status = ps_tensor_index(bare, &place, 1, tensor);
    ps_tensor_release(bare);
    return pyps_index_done(self, status);
}

/* Whether the dialect copies what a key gives: one that `selects` has integers or ranges. */
static bool is_copied(const bool *copies, const ps_tensor *view, bool selects)
{
    return selects && copies[lies_side_by_side(view) ? PYPS_FORM_BLOCK : PYPS_FORM_STRIDED];
}

/* An array of a view, which it takes over, as the dialect has it. */
static PyObject *give(PyObject *self, ps_tensor *view, bool selects)
{
    const pyps_policy *policy = &pyps_dialect_get(self)->policy;
    const bool *copies = policy->copies;
    bool any = copies[PYPS_FORM_BLOCK] | copies[PYPS_FORM_STRIDED];
    if (PYPS_UNLIKELY(any) && is_copied(copies, view, selects) && copy_view(self, &view) != 0)
        return NULL;
    if (PYPS_UNLIKELY(policy->one_dimension && !pyps_np_shape) && ps_tensor_ndim(view) == 0 &&
        add_dimension(self, &view) != 0)
        return NULL;
    return pyps_wrap_like(self, view);
}

static int view_at(PyObject *self, int64_t at, ps_tensor **view)
{
    ps_index place = {.kind = PS_INDEX_AT, .start = at};
    return pyps_index_done(self, ps_tensor_index(pyps_tensor(self), &place, 1, view));
}

static int view_range(PyObject *self, PyObject *slice, ps_tensor **view)
{
    ps_index place;
    if (pyps_key_slice(self, &place, slice) != 0)
        return -1;
    return pyps_index_done(self, ps_tensor_index(pyps_tensor(self), &place, 1, view));
}

/* ... and : mean the array itself. */
static bool means_all(PyObject *self, PyObject *key)
{
    if (key == Py_Ellipsis)
        return true;
    if (!PySlice_Check(key) || ps_tensor_ndim(pyps_tensor(self)) == 0)
        return false;
    const PySliceObject *slice = (const PySliceObject *)key;
    return slice->start == Py_None && slice->stop == Py_None && slice->step == Py_None;
}

/* A key that is one small integer: 1, else 0. */
static inline int small_integer(PyObject *key, int64_t *at)
{
    int overflow;
    if (!PyLong_CheckExact(key))
        return 0;
    *at = PyLong_AsLongLongAndOverflow(key, &overflow);
    return overflow == 0;
}

/* ---- Reading ----------------------------------------------------------------------------- */

static PyObject *read_key(PyObject *self, PyObject *object)
{
    pyps_key key;
    ps_tensor *result;
    uint64_t location = 0;
    if (pyps_key_begin(&key, self, object) != 0)
        return NULL;
    bool arrays = key.arrays > 0;
    ps_tensor *selected = NULL;
    if (arrays) { /* something is queued */
        location = pyps_location();
        pyps_enter();
        if (pyps_key_select(&key, self, &selected) < 0) {
            pyps_key_end(&key);
            return NULL;
        }
    }
    ps_status status = ps_tensor_get(selected != NULL ? selected : pyps_tensor(self), key.items,
                                     key.count, location, &result);
    bool refused = pyps_key_refused(&key, self, status);
    pyps_key_end(&key);
    ps_tensor_release(selected);
    if (refused || pyps_index_done(self, status) != 0)
        return NULL;
    /* What arrays selected has elements of its own. */
    return give(self, result, !arrays && (key.selects || !key.expands));
}

PYPS_HOT PyObject *pyps_getitem(PyObject *self, PyObject *key)
{
    ps_tensor *view;
    int64_t at;
    if (small_integer(key, &at))
        return view_at(self, at, &view) == 0 ? give(self, view, true) : NULL;
    if (means_all(self, key)) /* a handle of its own: it may be in another graph, or in none */
        return pyps_index_done(self, ps_tensor_index(pyps_tensor(self), NULL, 0, &view)) == 0
                   ? give(self, view, true)
                   : NULL;
    if (PySlice_Check(key))
        return view_range(self, key, &view) == 0 ? give(self, view, true) : NULL;
    return read_key(self, key);
}

/* ---- Writing ----------------------------------------------------------------------------- */

static ps_status set(ps_tensor *tensor, const ps_index *items, size_t count, const ps_arg *value)
{
    uint64_t location = pyps_location();
    pyps_enter();
    return ps_tensor_set(tensor, items, count, *value, location);
}

/* -1 and an exception if the key is none; else *status says how it went. */
static int write_key(PyObject *self, PyObject *object, const ps_arg *value, ps_status *status)
{
    pyps_key key;
    ps_tensor *selected = NULL;
    if (pyps_key_begin(&key, self, object) != 0)
        return -1;
    if (pyps_key_select(&key, self, &selected) < 0) {
        pyps_key_end(&key);
        return -1;
    }
    *status = set(selected != NULL ? selected : pyps_tensor(self), key.items, key.count, value);
    bool refused = pyps_key_refused(&key, self, *status);
    pyps_key_end(&key);
    ps_tensor_release(selected);
    return refused ? -1 : 0;
}

static int write_value(PyObject *self, PyObject *key, const ps_arg *value, ps_status *status)
{
    ps_index place = {.kind = PS_INDEX_AT};
    bool all = means_all(self, key);
    if (!all && !small_integer(key, &place.start))
        return write_key(self, key, value, status);
    *status = set(pyps_tensor(self), &place, all ? 0 : 1, value);
    return 0;
}

int pyps_setitem(PyObject *self, PyObject *key, PyObject *value)
{
    ps_arg arg;
    ps_tensor *made;
    ps_status status;
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "elements of an array cannot be deleted");
        return -1;
    }
    if (pyps_value_take(self, value, &arg, &made) != 0)
        return -1;
    int failed = write_value(self, key, &arg, &status);
    ps_tensor_release(made);
    if (PYPS_UNLIKELY(failed))
        return -1;
    return PYPS_LIKELY(status == PS_OK) ? 0 : pyps_value_refuse(self, value, status);
}

/* ---- Length, membership ------------------------------------------------------------------ */

Py_ssize_t pyps_length(PyObject *self)
{
    const ps_tensor *tensor = pyps_tensor(self);
    if (ps_tensor_ndim(tensor) > 0)
        return (Py_ssize_t)ps_tensor_shape(tensor)[0];
    PyErr_SetString(PyExc_TypeError, "len() of unsized object");
    return -1;
}

/* Waits. */
static int any_is_true(PyObject *array)
{
    ps_arg arg = ps_arg_tensor(pyps_tensor(array));
    ps_tensor *any = NULL;
    ps_scalar truth;
    if (pyps_index_call(array, "any", &arg, 1, &any) != 0)
        return -1;
    ps_status status = ps_tensor_item(any, &truth);
    ps_tensor_release(any);
    return pyps_index_done(array, status) == 0 ? truth.as.b : -1;
}

int pyps_contains(PyObject *self, PyObject *value)
{
    PyObject *equal = PyObject_RichCompare(self, value, Py_EQ);
    if (equal == NULL)
        return -1;
    int found = pyps_is_array(equal) ? any_is_true(equal) : PyObject_IsTrue(equal);
    Py_DECREF(equal);
    return found;
}

/* ---- Iteration --------------------------------------------------------------------------- */

typedef struct iterator {
    PyObject_HEAD PyObject *array; /* NULL at the end */
    Py_ssize_t next;
} iterator;

static int iterator_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((iterator *)self)->array);
    return 0;
}

static void iterator_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(((iterator *)self)->array);
    PyObject_GC_Del(self);
}

static PyObject *iterator_next(PyObject *object)
{
    iterator *self = (iterator *)object;
    ps_tensor *view;
    PyObject *item = NULL;
    if (self->array == NULL)
        return NULL;
    if (self->next >= pyps_length(self->array)) {
        Py_CLEAR(self->array);
        return NULL;
    }
    PyObject *array = Py_NewRef(self->array); /* another thread may get to the end meanwhile */
    if (view_at(array, self->next++, &view) == 0)
        item = give(array, view, true);
    Py_DECREF(array);
    return item;
}

static PyObject *iterator_left(PyObject *object, PyObject *unused)
{
    const iterator *self = (const iterator *)object;
    (void)unused;
    return PyLong_FromSsize_t(self->array != NULL ? pyps_length(self->array) - self->next : 0);
}

static PyMethodDef iterator_methods[] = {
    {"__length_hint__", iterator_left, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject iterator_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock.ndarray_iterator",
    .tp_basicsize = sizeof(iterator),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = iterator_dealloc,
    .tp_traverse = iterator_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = iterator_next,
    .tp_methods = iterator_methods,
};

PyObject *pyps_iter(PyObject *self)
{
    if (ps_tensor_ndim(pyps_tensor(self)) == 0) {
        PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
        return NULL;
    }
    if (PyType_Ready(&iterator_type) != 0) /* does nothing from the second time on */
        return NULL;
    iterator *iter = PyObject_GC_New(iterator, &iterator_type);
    if (iter == NULL)
        return NULL;
    iter->array = Py_NewRef(self);
    iter->next = 0;
    PyObject_GC_Track(iter);
    return (PyObject *)iter;
}

PyMappingMethods pyps_mapping_methods = {
    .mp_length = pyps_length,
    .mp_subscript = pyps_getitem,
    .mp_ass_subscript = pyps_setitem,
};

PySequenceMethods pyps_sequence_methods = {
    .sq_contains = pyps_contains,
};
