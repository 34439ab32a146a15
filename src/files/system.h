/* What the files of this layer share about failing system calls. */
#ifndef PS_FILES_SYSTEM_H
#define PS_FILES_SYSTEM_H

#include "penstock.h"

/* PS_ERR_SYSTEM with a text, "ps_params_load: path: could not be opened: ..."; errno is what it was,
 * so that callers can tell a missing file from a full disk. */
ps_status ps__system_fail(const char *what, const char *path, const char *problem);

/* Closes a file that is given up, and leaves errno alone. */
void ps__system_close(int file);

#endif
