/* Files as memory.
 *
 * What lies behind the end of a file that becomes shorter raises SIGBUS when it is read: that is
 * the promise which the caller of a borrowing load makes. */
#include "files/mapping.h"

#include "base/alloc.h"
#include "base/error.h"
#include "files/system.h"

#include <sys/mman.h>

ps_status ps__mapping_create(const char *what, const char *path, int file, size_t bytes,
                             ps__mapping **result)
{
    ps__mapping *mapping = ps__calloc(1, sizeof *mapping);
    if (mapping == NULL)
        return ps__fail(PS_ERR_MEMORY, "%s: no memory for mapping %s", what, path);
    void *data = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (data == MAP_FAILED) {
        ps_status status = ps__system_fail(what, path, "could not be mapped");
        ps__free(mapping);
        return status;
    }
    ps__store(&mapping->users, 1u); /* nobody else knows it yet */
    mapping->data = data;
    mapping->bytes = bytes;
    *result = mapping;
    return PS_OK;
}

void ps__mapping_retain(ps__mapping *mapping)
{
    ps__add(&mapping->users, 1u); /* the caller is one */
}

void ps__mapping_release(void *given)
{
    ps__mapping *mapping = given;
    /* Pairs with itself: the last one sees that the others have read. */
    if (mapping == NULL || ps__sub_acq_rel(&mapping->users, 1u) != 1)
        return;
    munmap(mapping->data, mapping->bytes);
    ps__free(mapping);
}
