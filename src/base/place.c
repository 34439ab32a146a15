/* Finding the place of a location.
 *
 * A line of C is the address of its file's name. The library in which that lay may be gone, and
 * something else may lie there: so the address must be inside of a library that is loaded, be
 * readable, and begin a text. It is read through a pipe, since the system says of bad memory that it
 * is bad where a load would end the process; by a bare system call, since what is behind the text is
 * read too. */
#include "base/frontend.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sized.h"
#include "base/twofold.h"

enum { FILE_BYTES = 1024 /* no name is longer: fits a pipe */ };

/* Copies what can be read there; how many bytes. */
static size_t peek(const char *from, char *to, size_t most)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    long count = syscall(SYS_write, ends[1], from, most);
    long got = count > 0 ? read(ends[0], to, (size_t)count) : 0;
    close(ends[0]);
    close(ends[1]);
    return got > 0 ? (size_t)got : 0;
}

static bool is_text(const char *bytes, size_t count)
{
    size_t length = strnlen(bytes, count);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)bytes[i] < ' ')
            return false;
    return length > 0 && length < count;
}

static bool find_literal(uint64_t location, ps_place *place)
{
    const char *file = (const char *)(uintptr_t)(location << 1 >> 17);
    char bytes[FILE_BYTES];
    Dl_info info;
    if (dladdr(file, &info) == 0 || !is_text(bytes, peek(file, bytes, sizeof bytes)))
        return false;
    *place = (ps_place){.size = sizeof *place, .file = file, .line = location & 0xFFFF};
    return true;
}

bool ps__place_find(uint64_t location, ps_place *place, const char **language)
{
    ps__twofold lines;
    (void)ps__twofold_lines(location, &lines);
    location = lines.forward;
    const ps_frontend *frontend = ps__frontend_of(location);
    bool literal = ps__location_is_literal(location);
    *language = frontend != NULL ? frontend->name : literal ? "C" : NULL;
    *place = (ps_place){.size = sizeof *place};
    return literal ? find_literal(location, place) : ps__frontend_resolve(location, place);
}

bool ps_location_resolve(uint64_t location, ps_place *place)
{
    ps_place found;
    const char *language;
    return place != NULL && ps__place_find(location, &found, &language) &&
           ps__sized_fill(place, &found, sizeof found);
}
