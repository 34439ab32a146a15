/* What the files of the extension module share.
 *
 *   thread.c     the calling thread's hooks and modes
 *   location.c   where in the user's program a call stands
 *   errors.c     a status as a Python exception
 *   dtype.c      element types as Python objects
 *   dialect.c    the rules in which array libraries differ, as data
 *   array.c      the array type; operators.c, index.c its slots; methods.c its methods
 *   convert.c    Python objects as arguments of operations
 *   import.c     arrays out of numbers, sequences, buffers; export.c the way back
 *   functions.c  a callable for each operation of the table; shortly.c its commonest calls
 *   autograd.c   gradients; custom.c, hook.c functions of the program in walks
 *
 * Invariants
 *   1. Everything here runs with the interpreter's lock held, except the hooks that say otherwise.
 *      The module refuses interpreters other than the main one, and says that it needs the lock:
 *      so file-scope state needs no other guard.
 *   2. A failing function has set a Python exception, and returns NULL, -1 or false.
 *   3. Dialects and element types live as long as the process: pointers to them are not counted. */
#ifndef PENSTOCK_PYTHON_CORE_H
#define PENSTOCK_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <penstock.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#define PYPS_LIKELY(x) __builtin_expect(!!(x), 1)
#define PYPS_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* A function that calls of small operations go through: as PS_HOT in src/base/hints.h, beside which the
 * linker lays it. */
#define PYPS_HOT __attribute__((hot, aligned(64)))

/* The number of elements of a C array. */
#define PYPS_COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct pyps_dialect pyps_dialect;

/* ---- thread.c ---------------------------------------------------------------------------- */

/* To be called before anything of the library that may queue, run or wait: gives the thread its
 * hooks at its first call, and applies the modes of the current context. */
extern __thread bool pyps_thread_known __attribute__((tls_model("initial-exec")));
extern bool pyps_modes_used; /* whether any context ever had a mode */
void pyps_thread_begin(void);
static inline void pyps_enter(void)
{
    if (PYPS_UNLIKELY(!pyps_thread_known || pyps_modes_used))
        pyps_thread_begin();
}

ps_engine *pyps_engine(void); /* the default engine; NULL and an exception if it cannot be made */
int pyps_thread_setup(PyObject *module);

/* ---- location.c -------------------------------------------------------------------------- */

/* The innermost Python frame outside of this package, as an id; 0 if there is none. */
uint64_t pyps_location(void);
int pyps_location_setup(PyObject *module);

/* ---- errors.c ---------------------------------------------------------------------------- */

/* Raises what the last failed call on this thread has to say, as the dialect's exception (NULL: the
 * native one's). Returns NULL. Keeps an exception that is set already (an interrupt). */
__attribute__((cold)) PyObject *pyps_raise(const pyps_dialect *dialect, ps_status status);
/* An exception of Python's that is set becomes the dialect's for the same kind of error. */
void pyps_translate(const pyps_dialect *dialect);
/* The exception object for that error, not raised; NULL and an exception on failure. */
PyObject *pyps_error_object(const pyps_dialect *dialect, ps_status status);
/* Notes on an exception what the last failed walk was at, if it was at something. */
void pyps_note_lines(PyObject *error);
/* As PyErr_Format, for texts that show objects: each %R is cut to a few hundred letters, and an
 * object whose repr fails (an integer of too many digits) is shown by its address. Returns NULL. */
__attribute__((cold)) PyObject *pyps_error(PyObject *exception, const char *format, ...);
PyObject *pyps_error_v(PyObject *exception, const char *format, va_list args);

/* ---- dtype.c ----------------------------------------------------------------------------- */

enum { PYPS_DTYPES = PS_COMPLEX128 + 1 };

/* The object of an element type: borrowed. */
PyObject *pyps_dtype_object(ps_dtype dtype);
/* What a dialect has for it: borrowed. */
PyObject *pyps_dtype_for(const pyps_dialect *dialect, ps_dtype dtype);
/* As NumPy's: one letter for the kind of number. */
char pyps_dtype_kind(ps_dtype dtype);
/* From an object, a name, a Python type, a NumPy type or dtype; -1 and an exception otherwise. The
 * dialect (NULL: the native one) says what `float`, `int` and `complex` mean. */
int pyps_dtype_parse(const pyps_dialect *dialect, PyObject *object, ps_dtype *dtype);
/* What may be a key of type_names: its hash runs no code of a program's. */
static inline bool pyps_names_dtype(PyObject *object)
{
    return PyUnicode_CheckExact(object) || PyType_CheckExact(object);
}
/* Whether it is one of the objects, texts and classes that the dialect itself has for them: others may
 * mean something else to it than to the native dialect. A dialect that has none has the native ones. */
bool pyps_dtype_is_own(const pyps_dialect *dialect, PyObject *object, ps_dtype *dtype);
/* The same; but any object does, if the dialect has none. */
bool pyps_dtype_is_plain(const pyps_dialect *dialect, PyObject *object);
int pyps_dtype_setup(PyObject *module);

/* ---- dialect.c --------------------------------------------------------------------------- */

/* Ways to select elements, of which a dialect copies some and makes views of the others. */
typedef enum pyps_form {
    PYPS_FORM_BLOCK,     /* integers and ranges that select elements side by side */
    PYPS_FORM_STRIDED,   /* any other integers and ranges */
    PYPS_FORM_NEWAXIS,   /* expand_dims, squeeze */
    PYPS_FORM_PERMUTE,   /* transpose, T, swapaxes, moveaxis */
    PYPS_FORM_RESHAPE,   /* reshape */
    PYPS_FORM_FLATTEN,   /* ravel */
    PYPS_FORM_BROADCAST, /* broadcast_to */
    PYPS_FORMS
} pyps_form;

typedef enum pyps_scalar_rule {
    PYPS_SCALAR_WEAK, /* an integer array with a float gives the default float */
    PYPS_SCALAR_KEEP, /* the array's element type stays: of a number only what fits it counts */
    PYPS_SCALAR_RANKS /* as weak; and arrays without dimensions change the type of others, too, only if
                         they are of a higher kind: bool, integer, float, complex */
} pyps_scalar_rule;

typedef enum pyps_mixed_rule {
    PYPS_MIXED_PROMOTE,    /* two element types give a common one */
    PYPS_MIXED_ARITHMETIC, /* in + - * / % **; elsewhere an error */
    PYPS_MIXED_REFUSE      /* two element types are an error */
} pyps_mixed_rule;

/* The element type of what functions of one array, and reductions, give. */
typedef enum pyps_integer_rule {
    PYPS_INTEGERS_PROMOTE, /* as the table says */
    PYPS_INTEGERS_KEEP,    /* functions and sums of integers give integers of their type */
    PYPS_INTEGERS_ALWAYS   /* all of them give the type of the operand */
} pyps_integer_rule;

/* The exceptions that a dialect chooses. */
typedef enum pyps_error_kind {
    PYPS_ERROR_VALUE,
    PYPS_ERROR_TYPE,
    PYPS_ERROR_INDEX,
    PYPS_ERROR_MEMORY,
    PYPS_ERROR_TIMEOUT,
    PYPS_ERROR_KEY,      /* an index of a kind that is none */
    PYPS_ERROR_OPERAND,  /* no array where a function wants one */
    PYPS_ERROR_RUNTIME,  /* all others */
    PYPS_ERROR_ARGUMENT, /* an object of a Python type that an argument cannot be */
    PYPS_ERROR_AXIS,     /* a dimension that there is not */
    PYPS_ERROR_DIVISION, /* of an integer by zero */
    PYPS_ERROR_TRUTH,    /* the truth of several elements, or of none */
    PYPS_ERRORS
} pyps_error_kind;

/* A row: what Python values become, and what operators give. */
typedef struct pyps_policy {
    uint8_t float_type, int_type, bool_type, complex_type; /* ps_dtype of Python's numbers */
    uint8_t scalar;                                        /* a pyps_scalar_rule */
    uint8_t mixed;                                         /* a pyps_mixed_rule */
    int8_t compare;       /* element type that comparisons give; -1: bool; -2: the operands' */
    bool divide_integers; /* integer / integer stays integer, cut toward zero */
    bool one_dimension;   /* results without dimensions have shape (1,) */
    bool check_late;      /* checks of scalar parameters raise at the wait */
    uint8_t integers;     /* a pyps_integer_rule */
    bool modulo_zero;     /* x % 0 is 0, not NaN */
    bool refuse_foreign;  /* operands must be arrays of the dialect, or numbers */
    bool wrap_numbers;  /* of a number beside integers, or written to them, only what fits counts */
    bool forward;       /* ranges of an index do not run backwards */
    bool float_means;   /* means of integers, and the like, are an error */
    bool update_kinds;  /* x += y: only if the result is of the kind of x, or a lower one */
    bool update_new;    /* x += y is x = x + y */
    bool check_zeros;   /* integer division by zero fails, while running */
    bool same_products; /* products of two element types are an error */
    bool base_results;  /* operations on classes derived from the dialect's give the dialect's */
    bool select_first; /* integers of an index select before its arrays do, and so do those that are
                          arrays without dimensions, which are waited for */
    bool
        list_keys; /* a list that holds more than numbers is a key of several items, arrays of uint8
                          are masks, an array of one truth value is an index of Python's, and an
                          ellipsis at the end of a key may be one too many */
    bool attributes;   /* a class without fields of its own has a dict for each object, made late */
    bool refuse_minus; /* nothing is subtracted from truth values, nor they from anything */
    bool array_values; /* what is assigned to elements is an array of the dialect, or a number */
    bool element_values;     /* or an array of another library's, but no list */
    bool constant_buffers;   /* arrays to which a gradient flows have none */
    bool copies[PYPS_FORMS]; /* by form; else views */
    uint32_t gradients;      /* PS_GRAD_* that arrays are attached with */
} pyps_policy;

struct pyps_dialect {
    PyObject_HEAD PyObject *name; /* str */
    pyps_policy policy;
    bool plain; /* operators need no look at the policy: weak, promoting, bool, 0-d, views */
    bool plain_results; /* results are as the table has them, if the operands are floating-point */
    bool kept;          /* an array may point to it: it has a reference that is never given up */
    PyTypeObject *array_class; /* what functions of the dialect return; NULL until a class has it */
    PyTypeObject *shape_class; /* of shapes: tuple, or derived from it */
    PyObject *dtypes[PYPS_DTYPES]; /* what it has for element types; NULL: the native objects */
    PyObject *type_names; /* texts and classes that stand for some: a dict of native objects */
    bool own_types;       /* it has any of both */
    PyObject *errors[PYPS_ERRORS];
};

/* Whether new arrays and what an index selects may have no dimensions in dialects that have one at
 * least: by thread. */
extern __thread bool pyps_np_shape;
extern pyps_dialect *pyps_native;
extern PyTypeObject pyps_dialect_type;
/* The dialect of an array class, from its nearest base that has one. */
const pyps_dialect *pyps_dialect_of(PyTypeObject *type);
int pyps_dialect_setup(PyObject *module);

/* policy.c: the settings applied. All are for dialects that are not plain; on failure an exception
 * is set, and a tensor that was to be changed is released and NULL. */
/* Operations that rules name. */
typedef enum pyps_known_op {
    PYPS_DIVIDE,
    PYPS_NEGATIVE,
    PYPS_REMAINDER,
    PYPS_MODULO,
    PYPS_FLOOR_DIVIDE,
    PYPS_FMOD,
    PYPS_SUBTRACT
} pyps_known_op;
const ps_op *pyps_known(pyps_known_op which);
/* What is called instead of an operation, in dialects where x % 0 is 0. */
const ps_op *pyps_policy_op(const ps_op *op);
/* A number as an element of that type, where the dialect takes it for one. */
void pyps_policy_fit(const pyps_dialect *dialect, ps_dtype dtype, ps_arg *number);
/* Whether what the operation gives may be written into that array: -1 and an exception. */
int pyps_policy_check_out(const pyps_dialect *dialect, const ps_op *op, const ps_arg *args,
                          size_t nargs, const ps_tensor *out);
/* Numbers beside integer arrays, as far as the dialect lets them count. */
void pyps_policy_cut(const pyps_dialect *dialect, const ps_op *op, ps_arg *args, size_t nargs);
/* What an operation on `args` is called with instead: operands converted as the dialect says, into
 * `owned` (room for `nargs`, all NULL), which the caller releases, also on failure. */
int pyps_policy_operands(const pyps_dialect *dialect, const ps_op *op, ps_arg *args, size_t nargs,
                         ps_tensor **owned);
/* What the operation gave, as the dialect gives it. `args` are those that the caller had. */
int pyps_policy_result(const pyps_dialect *dialect, const ps_op *op, const ps_arg *args,
                       size_t nargs, ps_tensor **result);
/* Integer division cut toward zero; 1 if the operands are not integers, and nothing was done. */
int pyps_policy_divide(const pyps_dialect *dialect, const ps_op *op, ps_arg *args,
                       ps_tensor **result);
/* Whether NumPy's numbers count as Python's. */
static inline bool pyps_policy_takes_numpy(const pyps_dialect *dialect)
{
    return dialect->policy.refuse_foreign || dialect->policy.scalar == PYPS_SCALAR_RANKS;
}
/* Whether the rules have no say about operands: they are floating-point numbers of one type, or there
 * are none. */
bool pyps_policy_is_idle(const ps_arg *args, size_t nargs);
/* Whether they may have a say about what such operands gave. */
static inline bool pyps_policy_judges(const pyps_dialect *dialect, const ps_tensor *result)
{
    ps_dtype dtype = ps_tensor_dtype(result);
    return !dialect->plain_results &&
           (dtype <= PS_UINT64 || dtype >= PS_COMPLEX64 || ps_tensor_ndim(result) == 0);
}
/* A view in the given form, or its copy: for all dialects. */
int pyps_policy_form(const pyps_dialect *dialect, pyps_form form, ps_tensor **view);

/* ---- array.c ----------------------------------------------------------------------------- */

typedef struct pyps_array {
    PyObject_HEAD ps_tensor *tensor; /* NULL only before it is set up */
    const pyps_dialect *dialect;
    PyObject *weakrefs;
    PyObject *extra; /* the attributes of a class that has them, or NULL */
} pyps_array;

extern PyTypeObject pyps_array_type;

static inline bool pyps_same_shape(const ps_tensor *a, const ps_tensor *b)
{
    size_t bytes = (size_t)ps_tensor_ndim(a) * sizeof(int64_t);
    return ps_tensor_ndim(a) == ps_tensor_ndim(b) &&
           memcmp(ps_tensor_shape(a), ps_tensor_shape(b), bytes) == 0;
}

static inline bool pyps_is_array(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object); /* the first two are quick answers */
    return PYPS_LIKELY(type == &pyps_array_type) || type->tp_base == &pyps_array_type ||
           PyType_IsSubtype(type, &pyps_array_type);
}

static inline ps_tensor *pyps_tensor(PyObject *array)
{
    return ((pyps_array *)array)->tensor;
}

static inline const pyps_dialect *pyps_dialect_get(PyObject *array)
{
    return ((pyps_array *)array)->dialect;
}

/* An array of the type around a tensor, which it takes over, also on failure. */
PyObject *pyps_wrap_as(PyTypeObject *type, const pyps_dialect *dialect, ps_tensor *tensor);
/* The same for what an operation gives, which in some dialects is never of a derived class. */
static inline PyObject *pyps_wrap(PyTypeObject *type, const pyps_dialect *dialect,
                                  ps_tensor *tensor)
{
    if (PYPS_UNLIKELY(type != &pyps_array_type) && dialect->policy.base_results)
        type = dialect->array_class;
    return pyps_wrap_as(type, dialect, tensor);
}
/* The same, of the class and dialect of `like`, an array. */
static inline PyObject *pyps_wrap_like(PyObject *like, ps_tensor *tensor)
{
    return pyps_wrap(Py_TYPE(like), ((pyps_array *)like)->dialect, tensor);
}
/* What operations on two arrays give: the class that derives from the other; TypeError if neither
 * does. *type and *dialect may be NULL when nothing is known yet. */
int pyps_merge(PyObject *array, PyTypeObject **type, const pyps_dialect **dialect);

/* Adds methods and properties to the array type; for the setup functions, before the first use. */
int pyps_methods_add(PyMethodDef *methods);
int pyps_getset_add(PyGetSetDef *properties);

/* Makes a class derived in Python quick, and lets its objects have attributes if that is said; before
 * there are any objects. */
void pyps_array_adapt(PyTypeObject *type, bool attributes);

int pyps_array_setup(PyObject *module);
int pyps_methods_setup(PyObject *module); /* methods.c */

/* ---- convert.c --------------------------------------------------------------------------- */

/* A Python number as an argument: 1 if it is one, 0 if it is not a number, -1 and an exception if
 * it does not fit 64 bits. */
int pyps_number(PyObject *object, ps_arg *arg);
/* The same for a number of NumPy's that is not also one of Python's. */
int pyps_numpy_number(PyObject *object, ps_arg *arg);

/* Everything that one call needs while its arguments are converted. */
enum { PYPS_ARGS = 16, PYPS_INTS = 4 * PS_DIMS_MAX, PYPS_OWNED = 8 };

typedef struct pyps_call {
    ps_call call;
    ps_arg args[PYPS_ARGS];
    ps_tensor *output;
    PyTypeObject *type; /* of the result: a reference; NULL until an array has been seen */
    const pyps_dialect *dialect;
    unsigned nowned, nints;
    ps_tensor *owned[PYPS_OWNED]; /* made for this call */
    void *lists[PYPS_OWNED];      /* arrays of tensors: from PyMem_Malloc */
    unsigned nlists;
    int64_t ints[PYPS_INTS];
} pyps_call;

/* `dialect` says what Python values become; it and its array class are the result's unless an
 * argument is an array of another. */
void pyps_call_begin(pyps_call *call, const pyps_dialect *dialect);
void pyps_call_end(pyps_call *call);

/* One argument of the given kind from an object; `what` ("sum: axis") begins the text of an error.
 * None means left out. */
int pyps_arg(pyps_call *call, ps_arg *arg, ps_arg_kind kind, PyObject *object, const char *what);
/* A tensor argument: an array, a number, or whatever import.c can make an array of. */
int pyps_arg_tensor(pyps_call *call, ps_arg *arg, PyObject *object, const char *what);
/* The value of an int of Python's, not of a class derived from it, that one digit holds: nearly all
 * do. */
static inline bool pyps_short_int(PyObject *object, int64_t *value)
{
    if (!PyLong_CheckExact(object))
        return false;
#if PY_VERSION_HEX >= 0x030C0000
    if (!PyUnstable_Long_IsCompact((PyLongObject *)object))
        return false;
    *value = PyUnstable_Long_CompactValue((PyLongObject *)object);
#else
    Py_ssize_t digits = Py_SIZE(object); /* with the number's sign */
    if (digits < -1 || digits > 1)
        return false;
    *value = digits * (int64_t)((PyLongObject *)object)->ob_digit[0];
#endif
    return true;
}
/* Integers from one integer or a sequence of them; at most `room`. Returns how many, or -1. */
Py_ssize_t pyps_ints(PyObject *object, int64_t *ints, Py_ssize_t room, const char *what);
int pyps_int64(PyObject *object, int64_t *value, const char *what);

/* ---- functions.c ------------------------------------------------------------------------- */

/* Runs an operation whose arguments are in call->args, on `nargs` of them, and wraps what it gives.
 * If `out` is an array the result is written into it and it is returned (a new reference). */
PyObject *pyps_op_run(pyps_call *call, const ps_op *op, size_t nargs, PyObject *out);
/* The same for one that reads no arrays, without `out`: no rule has a say about its operands. */
PyObject *pyps_op_make(pyps_call *call, const ps_op *op, size_t nargs);
/* The same for an operation with several outputs: several.c. */
PyObject *pyps_op_run_several(pyps_call *call, const ps_op *op, size_t nargs, PyObject *out,
                              size_t noutputs);
/* An operation of the table by its name; kept, so that it is looked up once. NULL and an exception
 * if there is none. */
const ps_op *pyps_op(const char *name);
/* The shortest call: an operation on arguments that are ready, with the current location. On failure
 * an exception is set. */
int pyps_op_tensors(const char *name, const ps_arg *args, size_t nargs, ps_tensor **out,
                    const pyps_dialect *dialect);
int pyps_functions_setup(PyObject *module);

/* ---- operators.c, index.c, methods.c ------------------------------------------------------- */

extern PyNumberMethods pyps_number_methods;
extern PyMappingMethods pyps_mapping_methods;
extern PySequenceMethods pyps_sequence_methods;
extern PyBufferProcs pyps_buffer_procs;
extern PyAsyncMethods pyps_async_methods;
PyObject *pyps_compare(PyObject *a, PyObject *b, int op);
PyObject *pyps_iter(PyObject *self);
int pyps_operators_setup(PyObject *module);

/* index.c */
PyObject *pyps_getitem(PyObject *self, PyObject *key);
int pyps_setitem(PyObject *self, PyObject *key, PyObject *value);
Py_ssize_t pyps_length(PyObject *self);
int pyps_contains(PyObject *self, PyObject *value);

/* ---- import.c, export.c -------------------------------------------------------------------- */

/* Wanted of an import. */
typedef struct pyps_import {
    const pyps_dialect *dialect;
    int dtype;      /* a ps_dtype, or -1: as the object says */
    int copy;       /* 1: always; 0: never, ValueError where it cannot be; -1: if needed */
    bool sequences; /* whether lists and tuples are taken */
    ps_device *device;
    int depth; /* of sequences around it that were taken apart already: 0 from outside */
} pyps_import;

/* A tensor of an object: array, number, sequence, DLPack, buffer, __array__. The elements have been
 * captured when it returns. NULL and an exception on failure; NULL without one if the object is of
 * no kind that is known (the caller says what it wanted). */
ps_tensor *pyps_import_object(PyObject *object, const pyps_import *wanted);
int pyps_import_setup(PyObject *module);

/* x.asnumpy(), tolist(), item(), repr and so on are methods: export.c has their functions. */
PyObject *pyps_item(PyObject *self); /* as a Python number; ValueError if not one */
PyObject *pyps_repr(PyObject *self);
PyObject *pyps_str(PyObject *self);
int pyps_export_setup(PyObject *module);

/* ---- engine.c, random.c, dlpack.c ---------------------------------------------------------- */

/* A device by its name: a str; None is the CPU. */
int pyps_device_parse(PyObject *object, ps_device **device);
int pyps_engine_setup(PyObject *module);
int pyps_random_setup(PyObject *module);
/* random.c: the generator of a penstock.random.Generator, borrowed; NULL and an exception. */
ps_generator *pyps_generator_of(PyObject *object);
int pyps_dlpack_setup(PyObject *module);
int pyps_blas_setup(PyObject *module);        /* blas.c */
int pyps_files_setup(PyObject *module);       /* files.c */
int pyps_safetensors_setup(PyObject *module); /* safetensors.c */
int pyps_handle_setup(PyObject *module);      /* handle.c */
int pyps_autograd_setup(PyObject *module);    /* autograd.c */
int pyps_custom_setup(PyObject *module);      /* custom.c */
int pyps_hook_setup(PyObject *module);        /* hook.c */
int pyps_update_setup(PyObject *module);      /* update.c */

#endif
