/* What the files about the engine share: thread.c, wait.c, completions.c, engine.c, exit.c,
 * memory.c and trace.c. The setup functions are called by pyps_engine_setup. */
#ifndef PENSTOCK_PYTHON_ENGINE_H
#define PENSTOCK_PYTHON_ENGINE_H

#include "core.h"

/* thread.c: whether any thread has called the library. */
extern bool pyps_library_used;

/* wait.c: a timeout in seconds, or None, as options of a wait; `what` begins the text of an error. */
int pyps_timeout_parse(PyObject *timeout, ps_wait_options *options, const char *what);
/* Whether the wait itself ran out of time, and not a task that failed with that status. */
bool pyps_timed_out(ps_status status);
/* The argument `timeout` of a call with METH_FASTCALL and METH_KEYWORDS: borrowed, None if left
 * out; NULL and an exception if there is anything else. */
PyObject *pyps_timeout_arg(PyObject *const *args, Py_ssize_t nargs, PyObject *names,
                           const char *what);
int pyps_wait_setup(PyObject *module);

int pyps_completions_setup(PyObject *module);
int pyps_exit_setup(PyObject *module);
int pyps_memory_setup(PyObject *module);
int pyps_trace_setup(PyObject *module);

/* One field of a statistic: where it is in the struct of the library. */
typedef struct pyps_stat {
    const char *name, *doc;
    size_t offset; /* of a uint64_t */
} pyps_stat;

/* A named tuple type for them, also the module's `attribute`; at most 16 fields, ended by a NULL
 * name. */
PyTypeObject *pyps_stats_type(PyObject *module, const char *attribute, const char *name,
                              const char *doc, const pyps_stat *fields);
PyObject *pyps_stats_make(PyTypeObject *type, const pyps_stat *fields, const void *values);

/* A count from an object, of at most `most`; `what` begins the text of an error. */
int pyps_count(PyObject *object, uint64_t most, uint64_t *count, const char *what);

#endif
