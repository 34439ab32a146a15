/* Writing a file whole or not at all.
 *
 * The bytes go to a new file beside the target, which is made durable and then renamed over it. So a
 * program that is killed, a full disk or a loss of power leaves the old file or the new one.
 *
 * Invariants
 *   1. The target is touched by the rename alone. The exception is a target that is there and is no
 *      ordinary file (a terminal, a pipe, /dev/null): there is nothing to keep whole, and a rename
 *      would put an ordinary file in the place of the device; it is written to as it is.
 *   2. A new file that is not renamed is removed, unless the process ends first.
 *   3. A symbolic link stays one: the file that it leads to is replaced, with its permissions. */
#include "files/sink.h"

#include "base/alloc.h"
#include "base/atomic.h"
#include "base/error.h"
#include "files/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16, ATTEMPTS = 1000 };

struct ps__sink {
    const char *what, *path; /* the caller's, for texts */
    int file;
    bool in_place; /* see invariant 1 */
    bool had_mode; /* the target was there, with these permissions */
    mode_t mode;
    size_t used; /* of the buffer */
    char target[PATH_MAX];
    char temporary[PATH_MAX + 64];
    char buffer[BUFFER_BYTES];
};

static ps_status failed(const ps__sink *sink, const char *problem)
{
    return ps__system_fail(sink->what, sink->path, problem);
}

/* ---- opening --------------------------------------------------------------------------- */

static ps_status take_path(ps__sink *sink)
{
    size_t length = strlen(sink->path);
    if (length < sizeof sink->target) {
        memcpy(sink->target, sink->path, length + 1);
        return PS_OK;
    }
    errno = ENAMETOOLONG;
    return failed(sink, "could not be opened for writing");
}

/* A file that exists: may it be written, and what is it called without links? */
static ps_status examine(ps__sink *sink, const struct stat *status)
{
    sink->in_place = !S_ISREG(status->st_mode);
    if (S_ISDIR(status->st_mode))
        errno = EISDIR;
    else if (sink->in_place)
        return PS_OK;
    else if (access(sink->path, W_OK) == 0 && realpath(sink->path, sink->target) != NULL) {
        sink->had_mode = true;
        sink->mode = status->st_mode & 07777;
        return PS_OK;
    }
    return failed(sink, "could not be opened for writing");
}

/* A name beside the target that nobody has. */
static int create_temporary(ps__sink *sink)
{
    static _Atomic uint32_t counter; /* so that threads do not meet; no order is needed */
    const char *slash = strrchr(sink->target, '/');
    int folder = slash != NULL ? (int)(slash - sink->target) + 1 : 0, file, attempts = 0;
    do {
        snprintf(sink->temporary, sizeof sink->temporary, "%.*s.penstock-%ld-%u.tmp", folder,
                 sink->target, (long)getpid(), ps__add(&counter, 1u));
        file = open(sink->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EEXIST && ++attempts < ATTEMPTS);
    if (file < 0)
        sink->temporary[0] = 0; /* whoever made it removes it */
    return file;
}

static ps_status open_file(ps__sink *sink)
{
    sink->file = sink->in_place ? open(sink->path, O_WRONLY | O_CLOEXEC) : create_temporary(sink);
    if (sink->file < 0)
        return failed(sink, "could not be opened for writing");
    if (sink->had_mode && fchmod(sink->file, sink->mode) != 0)
        return failed(sink, "could not be given the permissions of the old file");
    return PS_OK;
}

static ps_status sink_begin(ps__sink *sink)
{
    struct stat status;
    ps_status result = take_path(sink);
    if (result == PS_OK && stat(sink->path, &status) == 0)
        result = examine(sink, &status);
    else if (result == PS_OK && errno != ENOENT)
        result = failed(sink, "could not be opened for writing");
    return result == PS_OK ? open_file(sink) : result;
}

ps_status ps__sink_open(const char *what, const char *path, ps__sink **result)
{
    ps__sink *sink = ps__calloc(1, sizeof *sink);
    if (sink == NULL)
        return ps__fail(PS_ERR_MEMORY, "%s: no memory for writing %s", what, path);
    sink->what = what;
    sink->path = path;
    sink->file = -1;
    ps_status status = sink_begin(sink);
    if (status == PS_OK)
        *result = sink;
    else
        ps__sink_abandon(sink);
    return status;
}

/* ---- writing --------------------------------------------------------------------------- */

static ps_status write_out(ps__sink *sink, const char *data, size_t bytes)
{
    while (bytes != 0) {
        ssize_t done = write(sink->file, data, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            if (done == 0)
                errno = EIO;
            return failed(sink, "could not be written");
        }
        data += done;
        bytes -= (size_t)done;
    }
    return PS_OK;
}

static ps_status flush(ps__sink *sink)
{
    size_t used = sink->used;
    sink->used = 0;
    return write_out(sink, sink->buffer, used);
}

ps_status ps__sink_write(ps__sink *sink, const void *data, size_t bytes)
{
    if (bytes > BUFFER_BYTES - sink->used) {
        ps_status status = flush(sink);
        if (status != PS_OK)
            return status;
    }
    if (bytes > BUFFER_BYTES) /* large arrays are not copied */
        return write_out(sink, data, bytes);
    if (bytes != 0)
        memcpy(sink->buffer + sink->used, data, bytes);
    sink->used += bytes;
    return PS_OK;
}

ps_status ps__sink_number(ps__sink *sink, uint64_t value, int bytes)
{
    unsigned char little[8];
    for (int i = 0; i < bytes; i++)
        little[i] = (unsigned char)(value >> 8 * i);
    return ps__sink_write(sink, little, (size_t)bytes);
}

/* ---- ending ---------------------------------------------------------------------------- */

/* The new name is an entry of the folder, which has to be durable too. Not all file systems can do
 * that; what was written is there and whole in any case. */
static void sync_folder(ps__sink *sink)
{
    char *slash = strrchr(sink->target, '/');
    if (slash != NULL)
        slash[slash == sink->target] = 0; /* the root keeps its name */
    int folder = open(slash != NULL ? sink->target : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    fsync(folder);
    close(folder);
}

static ps_status make_durable(ps__sink *sink)
{
    ps_status status = flush(sink);
    if (status != PS_OK)
        return status;
    if (fsync(sink->file) != 0 && errno != EINVAL && errno != ENOTSUP) /* pipes cannot */
        return failed(sink, "could not be written");
    int file = sink->file;
    sink->file = -1;
    return close(file) == 0 ? PS_OK : failed(sink, "could not be written");
}

static ps_status replace(ps__sink *sink)
{
    if (sink->in_place)
        return PS_OK;
    if (rename(sink->temporary, sink->target) != 0)
        return failed(sink, "could not be replaced");
    sink->temporary[0] = 0;
    sync_folder(sink);
    return PS_OK;
}

ps_status ps__sink_commit(ps__sink *sink)
{
    ps_status status = make_durable(sink);
    if (status == PS_OK)
        status = replace(sink);
    ps__sink_abandon(sink);
    return status;
}

void ps__sink_abandon(ps__sink *sink)
{
    if (sink == NULL)
        return;
    int code = errno;
    if (sink->file >= 0)
        close(sink->file);
    if (sink->temporary[0] != 0)
        unlink(sink->temporary);
    ps__free(sink);
    errno = code;
}
