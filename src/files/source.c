/* Reading bytes whose number is known before.
 *
 * Large reads of a file go straight to where they are wanted; small ones through a buffer. A file
 * that becomes shorter meanwhile is an error like any other. */
#include "files/source.h"

#include "base/error.h"
#include "files/system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ps_status ps__source_fail(const ps__source *source, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (source->path == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s", source->what, text);
    return ps__fail(PS_ERR_ARGUMENT, "%s: %s: %s", source->what, source->path, text);
}

/* ---- beginning and end ----------------------------------------------------------------- */

static ps_status measure(ps__source *source)
{
    struct stat status;
    if (fstat(source->file, &status) != 0)
        return ps__system_fail(source->what, source->path, "could not be read");
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return ps__system_fail(source->what, source->path, "could not be read");
    }
    if (!S_ISREG(status.st_mode))
        return ps__source_fail(source, "it is not an ordinary file");
    source->left = (uint64_t)status.st_size;
    return PS_OK;
}

ps_status ps__source_open(const char *what, const char *path, ps__source *source)
{
    source->what = what;
    source->path = path;
    source->ready = source->buffer;
    source->nready = 0;
    /* Not to hang at a pipe that nobody writes to; ordinary files do not know the difference. */
    source->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source->file < 0)
        return ps__system_fail(what, path, "could not be opened");
    ps_status status = measure(source);
    if (status != PS_OK)
        ps__source_close(source);
    return status;
}

void ps__source_memory(const char *what, const void *data, size_t bytes, ps__source *source)
{
    source->what = what;
    source->path = NULL;
    source->file = -1;
    source->left = bytes;
    source->ready = data;
    source->nready = bytes;
}

void ps__source_close(ps__source *source)
{
    if (source->file >= 0)
        ps__system_close(source->file);
    source->file = -1;
}

/* ---- reading --------------------------------------------------------------------------- */

/* At least one byte of the file, at most so many. */
static ps_status fetch(ps__source *source, void *to, size_t bytes, size_t *got)
{
    ssize_t done;
    do
        done = read(source->file, to, bytes);
    while (done < 0 && errno == EINTR);
    if (done < 0)
        return ps__system_fail(source->what, source->path, "could not be read");
    if (done == 0)
        return ps__source_fail(source, "it became shorter while it was read");
    *got = (size_t)done;
    return PS_OK;
}

static void take_ready(ps__source *source, char **to, size_t *bytes)
{
    size_t count = *bytes < source->nready ? *bytes : source->nready;
    if (count == 0)
        return;
    memcpy(*to, source->ready, count);
    source->ready += count;
    source->nready -= count;
    *to += count;
    *bytes -= count;
}

ps_status ps__source_read(ps__source *source, const char *part, void *to, size_t bytes)
{
    if (bytes > source->left)
        return ps__source_fail(source, "%s needs %zu bytes and %" PRIu64 " are left", part, bytes,
                               source->left);
    source->left -= bytes;
    char *at = to;
    take_ready(source, &at, &bytes);
    while (bytes != 0) {
        bool direct = bytes >= PS__SOURCE_BYTES;
        size_t got = 0;
        ps_status status =
            fetch(source, direct ? at : source->buffer, direct ? bytes : PS__SOURCE_BYTES, &got);
        if (status != PS_OK)
            return status;
        if (direct) {
            at += got;
            bytes -= got;
        } else {
            source->ready = source->buffer;
            source->nready = got;
            take_ready(source, &at, &bytes);
        }
    }
    return PS_OK;
}

static uint64_t little(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

ps_status ps__source_u32(ps__source *source, const char *part, uint32_t *value)
{
    unsigned char bytes[4] = {0};
    ps_status status = ps__source_read(source, part, bytes, sizeof bytes);
    *value = (uint32_t)little(bytes, sizeof bytes);
    return status;
}

ps_status ps__source_u64(ps__source *source, const char *part, uint64_t *value)
{
    unsigned char bytes[8] = {0};
    ps_status status = ps__source_read(source, part, bytes, sizeof bytes);
    *value = little(bytes, sizeof bytes);
    return status;
}
