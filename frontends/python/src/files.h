/* What the files about arrays in files share. */
#ifndef PYPS_FILES_H
#define PYPS_FILES_H

#include "core.h"

/* What failed on a file: OSError with its number and the file's name, else as the status says.
 * Returns NULL. */
PyObject *pyps_file_raise(ps_status status, int code, PyObject *path);

/* A str as UTF-8 that lives as long as it does; NULL and an exception if it is none, or has a null
 * character. `function` begins the text. */
const char *pyps_file_text(const char *function, PyObject *text);
/* The same of a tuple, as a list for PyMem_Free. */
const char **pyps_file_texts(const char *function, PyObject *texts);

/* Arrays that are saved, and their names. */
typedef struct pyps_saving {
    PyObject *path; /* as the caller gave it */
    PyObject *arrays, *names;
    Py_ssize_t count;
    ps_tensor **tensors;
    const char **texts; /* of the names, or NULL */
} pyps_saving;

/* The items of both sequences, waited for; names may be None. pyps_saving_end follows in any case. */
int pyps_saving_take(pyps_saving *saving, const char *function, PyObject *arrays, PyObject *names);
void pyps_saving_end(pyps_saving *saving);

#endif
