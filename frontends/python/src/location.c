/* Where in the user's program a call stands, as a 64-bit id.
 *
 * An id is the frontend's number, that of a code object, and the place inside it in the lowest bits.
 * At a call only the running frame's code object is looked up (the last one is remembered); file,
 * line and function are found when an error is shown.
 *
 * Code objects are kept alive by a table, so that an id stays good after a function or a cell of a
 * notebook is gone. Programs that make code as they go (exec in a loop) must not grow for ever: when
 * the table has doubled, code that nobody else holds is dropped, if the queue is empty and nothing
 * has failed since it was entered. Numbers are never used twice.
 *
 * The fields of a running frame are not part of Python's documented interface and change with its
 * version; only the functions of "The running frame" touch them. */
#include "core.h"

#define Py_BUILD_CORE 1
#if PY_VERSION_HEX >= 0x030E0000
#include <internal/pycore_interpframe.h>
#else
#include <internal/pycore_frame.h>
#endif
#undef Py_BUILD_CORE

typedef struct entry {
    PyCodeObject *code; /* a reference; NULL: free */
    uint32_t number;
    bool inside;     /* of this package: the caller's frame counts instead */
    uint64_t failed; /* the engine's count of failures when it was entered */
} entry;

/* Open addressing by the code's address; the capacity is a power of two, at most half is used. */
static entry *entries;
static size_t capacity, used;
static size_t drop_at = 1024; /* entries from which on it is worth to look for dead code */
static uint32_t next_number = 1;
static entry last; /* a copy of the entry that was used last */
static PyObject *package_folder;

enum { PLACE_BITS = 24 };
static uint64_t base; /* of all ids: from ps_frontend_register */

/* ---- The running frame ------------------------------------------------------------------- */

static inline struct _PyInterpreterFrame *running_frame(void)
{
    PyThreadState *state = PyThreadState_Get();
#if PY_VERSION_HEX >= 0x030D0000
    struct _PyInterpreterFrame *frame = state->current_frame;
#else
    struct _PyInterpreterFrame *frame = state->cframe->current_frame;
#endif
#if PY_VERSION_HEX >= 0x030C0000
    /* The interpreter's own frames have no code. One is current while a function's locals go. */
    while (PYPS_UNLIKELY(frame != NULL && frame->owner > FRAME_OWNED_BY_FRAME_OBJECT))
        frame = frame->previous;
#endif
    return frame;
}

static inline PyCodeObject *running_code(struct _PyInterpreterFrame *frame)
{
#if PY_VERSION_HEX >= 0x030D0000
    return _PyFrame_GetCode(frame);
#else
    return frame->f_code;
#endif
}

/* The frame that called one; those that have not begun are passed over, as Python itself does. */
static inline struct _PyInterpreterFrame *caller_of(struct _PyInterpreterFrame *frame)
{
    do
        frame = frame->previous;
    while (frame != NULL && _PyFrame_IsIncomplete(frame));
    return frame;
}

static inline uint32_t running_place(struct _PyInterpreterFrame *frame)
{
    return (uint32_t)_PyInterpreterFrame_LASTI(frame);
}

/* ---- The table --------------------------------------------------------------------------- */

static size_t slot_of(PyCodeObject *code)
{
    size_t slot = ((uintptr_t)code >> 4) * 0x9E3779B97F4A7C15u >> 17 & (capacity - 1);
    while (entries[slot].code != NULL && entries[slot].code != code)
        slot = (slot + 1) & (capacity - 1);
    return slot;
}

static bool resize(size_t wanted)
{
    entry *old = entries, *fresh = PyMem_Calloc(wanted, sizeof *fresh);
    size_t count = capacity;
    if (fresh == NULL)
        return false;
    entries = fresh;
    capacity = wanted;
    for (size_t i = 0; i < count; i++)
        if (old[i].code != NULL)
            entries[slot_of(old[i].code)] = old[i];
    PyMem_Free(old);
    return true;
}

static bool engine_stats(ps_engine_stats *stats)
{
    ps_engine *engine;
    stats->size = sizeof *stats;
    return ps_engine_default(&engine) == PS_OK && ps_engine_get_stats(engine, stats) == PS_OK;
}

static bool is_dead(const entry *kept, uint64_t failed)
{
    return kept->code != NULL && Py_REFCNT(kept->code) == 1 && kept->failed == failed;
}

/* Drops what no task and no error can name any more. */
static void drop_dead(void)
{
    ps_engine_stats stats;
    PyObject *dead = PyList_New(0); /* code is released only when the table is in order again */
    if (dead == NULL) {
        PyErr_Clear();
        return;
    }
    if (!engine_stats(&stats) || stats.unfinished != 0) { /* after the list: that may run code */
        Py_DECREF(dead);
        return;
    }
    for (size_t i = 0; i < capacity; i++) {
        if (!is_dead(&entries[i], stats.failed))
            continue;
        if (PyList_Append(dead, (PyObject *)entries[i].code) != 0) {
            PyErr_Clear();
            break;
        }
        Py_DECREF(entries[i].code); /* the list has it */
        entries[i].code = NULL;
        used--;
    }
    (void)resize(capacity); /* chains of slots must have no holes; if it fails, keep them all */
    last.code = NULL;
    Py_DECREF(dead);
}

static bool is_inside(PyCodeObject *code)
{
    if (package_folder == NULL || !PyUnicode_Check(code->co_filename))
        return false;
    return PyUnicode_Tailmatch(code->co_filename, package_folder, 0, PY_SSIZE_T_MAX, -1) == 1;
}

/* Puts the entry of `code` into `last`. */
static bool find(PyCodeObject *code)
{
    if (used >= drop_at) {
        drop_dead();
        drop_at = used * 2 < 1024 ? 1024 : used * 2;
    }
    if (used * 2 >= capacity && !resize(capacity == 0 ? 256 : capacity * 2))
        return false;
    entry *found = &entries[slot_of(code)];
    if (found->code == NULL) {
        ps_engine_stats stats;
        *found = (entry){.code = (PyCodeObject *)Py_NewRef((PyObject *)code),
                         .number = next_number++,
                         .inside = is_inside(code),
                         .failed = engine_stats(&stats) ? stats.failed : 0};
        used++;
    }
    last = *found;
    return true;
}

/* ---- Ids --------------------------------------------------------------------------------- */

static uint64_t id_of(uint32_t number, uint32_t place)
{
    return place >> PLACE_BITS == 0 ? base | (uint64_t)number << PLACE_BITS | place : 0;
}

/* The nearest frame outside of `frame`, which is one of this package, that is none. No object is made
 * of a frame: that would cost more than the rest of a short operation. */
static uint64_t outside(struct _PyInterpreterFrame *frame)
{
    while ((frame = caller_of(frame)) != NULL) {
        if (!find(running_code(frame)))
            return 0;
        if (!last.inside)
            return id_of(last.number, running_place(frame));
    }
    return 0;
}

PYPS_HOT uint64_t pyps_location(void)
{
    struct _PyInterpreterFrame *frame = running_frame();
    if (PYPS_UNLIKELY(frame == NULL))
        return 0;
    PyCodeObject *code = running_code(frame);
    if (PYPS_UNLIKELY(code != last.code) && !find(code))
        return 0;
    if (PYPS_UNLIKELY(last.inside))
        return outside(frame);
    return id_of(last.number, running_place(frame));
}

/* ---- What they stand for ----------------------------------------------------------------- */

/* "Cell In[3]" for the code of a notebook's cell; NULL, without an exception, if it is none. */
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
    return name;
}

/* In UTF-8: a bytes object; NULL, without an exception, if there is no text or no memory. */
static PyObject *encode(PyObject *text)
{
    PyObject *bytes =
        text != NULL ? PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace") : NULL;
    if (bytes == NULL)
        PyErr_Clear();
    return bytes;
}

static PyCodeObject *code_of(uint64_t id)
{
    for (size_t i = 0; i < capacity; i++)
        if (entries[i].code != NULL && entries[i].number == id >> PLACE_BITS)
            return entries[i].code;
    return NULL;
}

enum { FILE_TEXT, FUNCTION_TEXT, SHOWN_TEXT, TEXTS };

/* What the library has been told last: it copies that before anything else runs. */
static void give_texts(PyObject *const *fresh, ps_place *place)
{
    static PyObject *given[TEXTS];
    const char *texts[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
        Py_XSETREF(given[i], fresh[i]);
        texts[i] = given[i] != NULL ? PyBytes_AS_STRING(given[i]) : NULL;
    }
    place->file = texts[FILE_TEXT];
    place->function = texts[FUNCTION_TEXT];
    place->shown = texts[SHOWN_TEXT];
}

/* Finding a notebook's name for its cell runs code, which may come here again. */
static void fill_place(PyCodeObject *code, uint64_t id, ps_place *place)
{
    int at = (int)(id & ((1u << PLACE_BITS) - 1)), line;
    PyObject *fresh[TEXTS];
    Py_INCREF(code);
    line = PyCode_Addr2Line(code, at * (int)sizeof(_Py_CODEUNIT));
    PyObject *shown = shown_name(code->co_filename);
    fresh[FILE_TEXT] = encode(code->co_filename);
    fresh[FUNCTION_TEXT] = encode(code->co_qualname);
    fresh[SHOWN_TEXT] = encode(shown);
    Py_XDECREF(shown);
    Py_DECREF(code);
    give_texts(fresh, place);
    place->line = line > 0 ? (uint64_t)line : 0;
}

/* For ps_frontend: a thread without the interpreter's lock learns nothing. */
static bool resolve(void *state, uint64_t id, ps_place *place)
{
    (void)state;
    PyObject *type, *value, *traceback;
    if (!Py_IsInitialized() || !PyGILState_Check())
        return false;
    PyCodeObject *code = code_of(id);
    if (code == NULL)
        return false;
    PyErr_Fetch(&type, &value, &traceback);
    fill_place(code, id, place);
    PyErr_Restore(type, value, traceback);
    return true;
}

/* The folder of the package: what lies below is never shown as the user's line. */
static PyObject *set_package_folder(PyObject *module, PyObject *folder)
{
    (void)module;
    if (!PyUnicode_Check(folder))
        return PyErr_Format(PyExc_TypeError, "the folder must be a str, not %.100s",
                            Py_TYPE(folder)->tp_name);
    Py_XSETREF(package_folder, Py_NewRef(folder));
    Py_RETURN_NONE;
}

int pyps_location_setup(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"_set_package_folder", set_package_folder, METH_O, NULL},
        {NULL, NULL, 0, NULL},
    };
    const ps_frontend frontend = {.size = sizeof frontend, .name = "Python", .resolve = resolve};
    ps_status status = ps_frontend_register(&frontend, &base);
    if (status != PS_OK) {
        PyErr_SetString(PyExc_ImportError, ps_last_error()); /* there are no dialects yet */
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
