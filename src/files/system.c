/* Failing system calls as statuses. */
#include "files/system.h"

#include "base/error.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

ps_status ps__system_fail(const char *what, const char *path, const char *problem)
{
    int code = errno;
    char text[128];
    /* The GNU form returns the text, which need not be in `text`. */
    const char *reason = strerror_r(code, text, sizeof text);
    ps__fail(PS_ERR_SYSTEM, "%s: %s: %s: %s", what, path, problem, reason);
    errno = code;
    return PS_ERR_SYSTEM;
}

void ps__system_close(int file)
{
    int code = errno;
    close(file);
    errno = code;
}
