/* The buffer protocol: memory of other objects in, read-only snapshots out.
 *
 * In, elements are copied at once, whatever their layout. Without a copy the buffer stays exported
 * until nothing needs its memory; release.c gives it back then.
 *
 * Out, the memory is pinned: a later write gives the array new memory, so what was exported never
 * changes. Whoever wants to write is told to copy. */
#include "interop.h"

/* ---- Formats ----------------------------------------------------------------------------- */

/* One letter of the struct module: what it is in native sizes and in the standard ones; -1: no
 * such. */
static const struct format {
    char letter;
    int8_t native, standard;
} formats[] = {
    {'?', PS_BOOL, PS_BOOL},
    {'b', PS_INT8, PS_INT8},
    {'h', PS_INT16, PS_INT16},
    {'i', PS_INT32, PS_INT32},
    {'l', sizeof(long) == 8 ? PS_INT64 : PS_INT32, PS_INT32},
    {'q', PS_INT64, PS_INT64},
    {'n', sizeof(size_t) == 8 ? PS_INT64 : PS_INT32, -1},
    {'B', PS_UINT8, PS_UINT8},
    {'H', PS_UINT16, PS_UINT16},
    {'I', PS_UINT32, PS_UINT32},
    {'L', sizeof(long) == 8 ? PS_UINT64 : PS_UINT32, PS_UINT32},
    {'Q', PS_UINT64, PS_UINT64},
    {'N', sizeof(size_t) == 8 ? PS_UINT64 : PS_UINT32, -1},
    {'e', PS_FLOAT16, PS_FLOAT16},
    {'f', PS_FLOAT32, PS_FLOAT32},
    {'d', PS_FLOAT64, PS_FLOAT64},
    {'F', PS_COMPLEX64, PS_COMPLEX64},
    {'D', PS_COMPLEX128, PS_COMPLEX128},
};

/* What each type is exported as. NumPy's letters for complex numbers; none for bfloat16. */
static const char *const letters[] = {
    [PS_BOOL] = "?",
    [PS_INT8] = "b",
    [PS_INT16] = "h",
    [PS_INT32] = "i",
    [PS_INT64] = sizeof(long) == 8 ? "l" : "q",
    [PS_UINT8] = "B",
    [PS_UINT16] = "H",
    [PS_UINT32] = "I",
    [PS_UINT64] = sizeof(long) == 8 ? "L" : "Q",
    [PS_FLOAT16] = "e",
    [PS_FLOAT32] = "f",
    [PS_FLOAT64] = "d",
    [PS_COMPLEX64] = "Zf",
    [PS_COMPLEX128] = "Zd",
};

static int find_letter(char letter, bool standard)
{
    for (size_t i = 0; i < PYPS_COUNT(formats); i++)
        if (formats[i].letter == letter)
            return standard ? formats[i].standard : formats[i].native;
    return -1;
}

/* The element type of a buffer; -1 if we have none such. */
static int format_type(const Py_buffer *view)
{
    const char *text = view->format != NULL ? view->format : "B";
    bool standard = *text == '=' || *text == (PY_BIG_ENDIAN ? '>' : '<');
    if (standard || *text == '@')
        text++;
    bool complex = *text == 'Z';
    if (complex)
        text++;
    int dtype = *text != 0 && text[1] == 0 ? find_letter(*text, standard) : -1;
    if (complex)
        dtype = dtype == PS_FLOAT32 ? PS_COMPLEX64 : dtype == PS_FLOAT64 ? PS_COMPLEX128 : -1;
    bool fits = dtype >= 0 && (size_t)view->itemsize == ps_dtype_bytes((ps_dtype)dtype);
    return fits ? dtype : -1;
}

/* ---- In: layout -------------------------------------------------------------------------- */

/* A buffer as the library describes one. */
typedef struct layout {
    ps_dtype dtype;
    int ndim;
    int64_t shape[PS_DIMS_MAX], strides[PS_DIMS_MAX]; /* strides in elements */
    bool empty;
    bool regular; /* every element is a whole number of elements away, and aligned */
} layout;

/* NumPy's scalars that are no numbers, dates and the like, show their bytes as a row. */
static bool is_row_of_bytes(PyObject *object, const Py_buffer *view)
{
    const char *name = Py_TYPE(object)->tp_name;
    return view->ndim == 1 && strncmp(name, "numpy.", 6) == 0 && strcmp(name, "numpy.ndarray") != 0;
}

static int check_type(PyObject *object, const Py_buffer *view, int kind, ps_dtype *dtype)
{
    int found = is_row_of_bytes(object, view) ? -1 : format_type(view);
    if (found >= 0 && kind >= 0)
        found = ps_dtype_bytes((ps_dtype)found) == ps_dtype_bytes((ps_dtype)kind) ? kind : -1;
    if (found < 0) {
        PyErr_Format(PyExc_TypeError,
                     "%.200s object with elements of format '%.100s' (%zd bytes) cannot become an "
                     "array: only numbers in the machine's own byte order can",
                     Py_TYPE(object)->tp_name, view->format != NULL ? view->format : "B",
                     view->itemsize);
        return -1;
    }
    *dtype = (ps_dtype)found;
    return 0;
}

/* Complex numbers need the alignment of their parts only. */
static bool is_aligned(const Py_buffer *view, ps_dtype dtype)
{
    size_t part = ps_dtype_bytes(dtype) / (pyps_class_of(dtype) == PYPS_CLASS_COMPLEX ? 2 : 1);
    return (uintptr_t)view->buf % part == 0;
}

static void read_strides(const Py_buffer *view, layout *l)
{
    int64_t next = 1;
    l->regular = is_aligned(view, l->dtype);
    for (int i = l->ndim - 1; i >= 0; i--) {
        l->strides[i] = next;
        if (view->strides != NULL && l->shape[i] > 1) {
            l->strides[i] = view->strides[i] / view->itemsize;
            l->regular &= view->strides[i] % view->itemsize == 0;
        }
        if (view->suboffsets != NULL)
            l->regular &= view->suboffsets[i] < 0;
        if (!l->empty && __builtin_mul_overflow(next, l->shape[i], &next))
            l->regular = false; /* the library refuses such a shape */
    }
}

static int read_layout(PyObject *object, const Py_buffer *view, int kind, layout *l)
{
    if (check_type(object, view, kind, &l->dtype) != 0)
        return -1;
    if (view->ndim < 0 || view->ndim > PS_DIMS_MAX) {
        PyErr_Format(PyExc_ValueError, "a buffer of %d dimensions, at most %d are possible",
                     view->ndim, PS_DIMS_MAX);
        return -1;
    }
    l->ndim = view->ndim;
    l->empty = false;
    for (int i = 0; i < l->ndim; i++) {
        l->shape[i] = view->shape != NULL ? view->shape[i] : view->len / view->itemsize;
        l->empty |= l->shape[i] == 0;
    }
    read_strides(view, l);
    return 0;
}

/* ---- In: copies -------------------------------------------------------------------------- */

/* Elements of any layout, put side by side first. */
static ps_tensor *take_packed(const Py_buffer *view, const layout *l, const pyps_dialect *dialect)
{
    ps_tensor *tensor = NULL;
    void *packed = PyMem_Malloc((size_t)view->len);
    if (packed == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (PyBuffer_ToContiguous(packed, view, view->len, 'C') == 0) {
        ps_status status =
            ps_tensor_from_host(l->dtype, l->ndim, l->shape, NULL, packed, NULL, &tensor);
        if (status != PS_OK)
            pyps_raise(dialect, status);
    }
    PyMem_Free(packed);
    return tensor;
}

static ps_tensor *take(const Py_buffer *view, const layout *l, const pyps_dialect *dialect)
{
    ps_tensor *tensor = NULL;
    if (!l->regular && !l->empty)
        return take_packed(view, l, dialect);
    ps_status status = ps_tensor_from_host(l->dtype, l->ndim, l->shape,
                                           l->empty ? NULL : l->strides, view->buf, NULL, &tensor);
    if (status != PS_OK)
        pyps_raise(dialect, status);
    return tensor;
}

/* ---- In: borrowing ----------------------------------------------------------------------- */

/* A buffer that stays exported while the library needs it. The view may not move: its shape may
 * point into it. */
typedef struct loan {
    pyps_release release;
    DLManagedTensorVersioned managed;
    Py_buffer view;
    layout layout;
} loan;

static void loan_end(pyps_release *release)
{
    loan *self = (loan *)release;
    PyBuffer_Release(&self->view);
    free(self);
}

/* On any thread. */
static void loan_delete(DLManagedTensorVersioned *managed)
{
    loan *self = managed->manager_ctx;
    pyps_release_later(&self->release);
}

static DLDataType dlpack_type(ps_dtype dtype)
{
    static const uint8_t codes[] = {kDLBool, kDLInt, kDLFloat, kDLComplex};
    DLDataType type = {codes[pyps_class_of(dtype)], (uint8_t)(8 * ps_dtype_bytes(dtype)), 1};
    if (dtype >= PS_UINT8 && dtype <= PS_UINT64)
        type.code = kDLUInt;
    if (dtype == PS_BFLOAT16)
        type.code = kDLBfloat;
    return type;
}

static void loan_describe(loan *self)
{
    layout *l = &self->layout;
    self->release.run = loan_end;
    self->managed = (DLManagedTensorVersioned){
        .version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
        .manager_ctx = self,
        .deleter = loan_delete,
        .flags = self->view.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0,
        .dl_tensor = {.data = self->view.buf,
                      .device = {kDLCPU, 0},
                      .ndim = l->ndim,
                      .dtype = dlpack_type(l->dtype),
                      .shape = l->shape,
                      .strides = l->strides},
    };
}

static int loan_check(PyObject *object, loan *self, const pyps_import *wanted, int kind)
{
    if (read_layout(object, &self->view, kind, &self->layout) != 0 ||
        pyps_import_uncopied(wanted, self->layout.dtype) != 0)
        return -1;
    if (!self->layout.regular && !self->layout.empty) {
        PyErr_Format(PyExc_ValueError,
                     "copy=False: the elements of the %.200s object are not aligned as %s needs it",
                     Py_TYPE(object)->tp_name, ps_dtype_name(self->layout.dtype));
        return -1;
    }
    if (wanted->device != NULL && strncmp(ps_device_name(wanted->device), "cpu", 3) != 0) {
        PyErr_Format(PyExc_ValueError, "copy=False: the elements are on the CPU, %s was asked for",
                     ps_device_name(wanted->device));
        return -1;
    }
    return 0;
}

static ps_tensor *borrow(PyObject *object, const pyps_import *wanted, int kind)
{
    ps_tensor *tensor = NULL;
    if (pyps_release_prepare() != 0)
        return NULL;
    loan *self = malloc(sizeof *self);
    if (self == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (PyObject_GetBuffer(object, &self->view, PyBUF_FULL_RO) != 0) {
        free(self);
        return NULL;
    }
    if (loan_check(object, self, wanted, kind) == 0) {
        loan_describe(self);
        ps_status status = ps_tensor_from_dlpack(&self->managed, false, &tensor);
        if (status != PS_OK)
            pyps_raise(wanted->dialect, status);
    }
    if (tensor == NULL)
        loan_end(&self->release);
    return tensor;
}

/* ---- In: the way there ------------------------------------------------------------------- */

ps_tensor *pyps_import_buffer(PyObject *object, const pyps_import *wanted, int kind)
{
    Py_buffer view;
    layout l;
    ps_tensor *tensor = NULL;
    if (wanted->copy == 0)
        return borrow(object, wanted, kind);
    if (PyObject_GetBuffer(object, &view, PyBUF_FULL_RO) != 0) {
        if (PyErr_ExceptionMatches(PyExc_ValueError)) { /* NumPy's, for a type without a format */
            PyErr_Clear();
            pyps_error(PyExc_TypeError,
                       "%.200s object %.200R cannot become an array: its elements are no numbers",
                       Py_TYPE(object)->tp_name, object);
        }
        return NULL;
    }
    if (read_layout(object, &view, kind, &l) == 0)
        tensor = take(&view, &l, wanted->dialect);
    PyBuffer_Release(&view);
    return pyps_import_finish(tensor, wanted);
}

int pyps_buffer_scalar(PyObject *object)
{
    Py_buffer view;
    if (!PyObject_CheckBuffer(object))
        return -1;
    if (PyObject_GetBuffer(object, &view, PyBUF_FULL_RO) != 0) {
        PyErr_Clear();
        return -1;
    }
    int dtype = view.ndim == 0 && PyNumber_Check(object) ? format_type(&view) : -1;
    PyBuffer_Release(&view);
    return dtype;
}

/* ---- Out --------------------------------------------------------------------------------- */

/* What an exported buffer points to. */
typedef struct lent {
    DLManagedTensorVersioned *snapshot;
    Py_ssize_t shape[PS_DIMS_MAX], strides[PS_DIMS_MAX];
} lent;

/* The array for which a wait was interrupted last; only compared. */
static PyObject *interrupted;

bool pyps_buffer_interrupted(PyObject *array)
{
    bool was = interrupted == array;
    interrupted = NULL;
    return was;
}

static lent *lend(PyObject *self, Py_buffer *view)
{
    lent *l = PyMem_Malloc(sizeof *l);
    if (l == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    l->snapshot = pyps_snapshot(self);
    if (l->snapshot == NULL) {
        PyMem_Free(l);
        return NULL;
    }
    const DLTensor *t = &l->snapshot->dl_tensor;
    Py_ssize_t item = (Py_ssize_t)ps_dtype_bytes(ps_tensor_dtype(pyps_tensor(self)));
    view->len = item;
    for (int i = 0; i < t->ndim; i++) {
        l->shape[i] = (Py_ssize_t)t->shape[i];
        l->strides[i] = (Py_ssize_t)t->strides[i] * item;
        view->len *= l->shape[i];
    }
    static char nothing[16];
    view->buf = t->data != NULL ? (char *)t->data + t->byte_offset : nothing;
    view->itemsize = item;
    view->ndim = t->ndim;
    view->shape = l->shape;
    view->strides = l->strides;
    view->suboffsets = NULL;
    view->internal = l;
    return l;
}

static void lent_end(lent *l)
{
    l->snapshot->deleter(l->snapshot);
    PyMem_Free(l);
}

/* What in the layout is not as the flags ask; NULL if all is. */
static const char *unfit(const Py_buffer *view, int flags)
{
    bool c = PyBuffer_IsContiguous(view, 'C'), f = PyBuffer_IsContiguous(view, 'F');
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !c)
        return "in C order";
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !f)
        return "in Fortran order";
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !c && !f)
        return "side by side";
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !c)
        return "in C order, as a request without strides needs it";
    return NULL;
}

/* Fields that were not asked for are left out. */
static void fit(Py_buffer *view, int flags, const char *format)
{
    view->readonly = 1;
    view->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? (char *)(uintptr_t)format : NULL;
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES)
        view->strides = NULL;
    if ((flags & PyBUF_ND) != PyBUF_ND) {
        view->shape = NULL;
        view->ndim = 1;
    }
}

/* Whether the dialect keeps elements from other libraries, which know nothing of their gradient. */
static bool is_kept_back(PyObject *self)
{
    ps_grad_info info = {.size = sizeof info};
    return pyps_dialect_get(self)->policy.constant_buffers &&
           ps_grad_get_info(pyps_tensor(self), &info) == PS_OK && info.flows;
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    ps_dtype dtype = ps_tensor_dtype(pyps_tensor(self));
    view->obj = NULL;
    if (PYPS_UNLIKELY(is_kept_back(self))) {
        PyErr_SetString(PyExc_BufferError, "an array to which a gradient flows has no buffer here; "
                                           "detach it first");
        return -1;
    }
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "an array's buffer is a read-only snapshot; asnumpy() "
                                           "gives a copy that can be written to");
        return -1;
    }
    if (letters[dtype] == NULL) {
        PyErr_Format(PyExc_BufferError,
                     "buffers have no format for %s; convert with "
                     "astype('float32') first",
                     ps_dtype_name(dtype));
        return -1;
    }
    Py_INCREF(self); /* the view's; who asks may have borrowed it, and this waits */
    lent *l = lend(self, view);
    interrupted = l == NULL && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) ? self : NULL;
    const char *wrong = l != NULL ? unfit(view, flags) : NULL;
    if (wrong != NULL) {
        lent_end(l);
        PyErr_Format(PyExc_BufferError, "the array's elements do not lie %s", wrong);
    }
    if (l == NULL || wrong != NULL) {
        Py_DECREF(self);
        return -1;
    }
    fit(view, flags, letters[dtype]);
    view->obj = self;
    return 0;
}

static void release_buffer(PyObject *self, Py_buffer *view)
{
    (void)self;
    lent_end(view->internal);
}

PyBufferProcs pyps_buffer_procs = {get_buffer, release_buffer};

/* ---- frombuffer -------------------------------------------------------------------------- */

/* How many elements there are to take, once all numbers have been checked; -1 and an exception. */
static int64_t count_elements(Py_ssize_t bytes, ps_dtype dtype, Py_ssize_t count, Py_ssize_t offset)
{
    Py_ssize_t item = (Py_ssize_t)ps_dtype_bytes(dtype);
    if (offset < 0 || offset > bytes) {
        PyErr_Format(PyExc_ValueError, "frombuffer: offset must be 0 to %zd, not %zd", bytes,
                     offset);
        return -1;
    }
    Py_ssize_t room = bytes - offset;
    if (count < 0 && room % item == 0)
        return room / item;
    if (count < 0)
        PyErr_Format(PyExc_ValueError, "frombuffer: %zd bytes are no multiple of the %zd of %s",
                     room, item, ps_dtype_name(dtype));
    else if (count > room / item)
        PyErr_Format(PyExc_ValueError, "frombuffer: %zd elements of %s do not fit %zd bytes", count,
                     ps_dtype_name(dtype), room);
    else
        return count;
    return -1;
}

PyDoc_STRVAR(
    frombuffer_doc,
    "frombuffer(buffer, dtype='float32', count=-1, offset=0)\n--\n\n"
    "An array with one dimension of the bytes of an object, taken as elements of a type.\n\n"
    "The bytes are copied. count -1 means all after the first `offset` bytes.\n\n"
    ">>> ps.frombuffer(b'\\x01\\x00\\x02\\x00', 'int16')\n"
    "array([1, 2], dtype=int16)");

static PyObject *frombuffer(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"buffer", "dtype", "count", "offset", NULL};
    PyObject *object, *dtype = NULL;
    Py_ssize_t count = -1, offset = 0;
    ps_dtype parsed = PS_FLOAT32;
    ps_tensor *tensor = NULL;
    Py_buffer view;
    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|Onn:frombuffer", names, &object, &dtype,
                                     &count, &offset) ||
        (dtype != NULL && pyps_dtype_parse(pyps_native, dtype, &parsed) != 0))
        return NULL;
    pyps_enter();
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    int64_t length = count_elements(view.len, parsed, count, offset);
    if (length >= 0) {
        ps_status status = ps_tensor_from_host(parsed, 1, &length, NULL,
                                               (const char *)view.buf + offset, NULL, &tensor);
        if (status != PS_OK)
            pyps_raise(pyps_native, status);
    }
    PyBuffer_Release(&view);
    return tensor != NULL ? pyps_wrap(&pyps_array_type, pyps_native, tensor) : NULL;
}

static PyMethodDef functions[] = {
    {"frombuffer", (PyCFunction)(void (*)(void))frombuffer, METH_VARARGS | METH_KEYWORDS,
     frombuffer_doc},
    {NULL, NULL, 0, NULL},
};

int pyps_buffer_setup(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
