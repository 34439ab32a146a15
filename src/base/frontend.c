/* The language frontends of this process.
 *
 * Invariants
 *   1. Entries are added from the first place on, by compare-and-swap, and never change: they are
 *      read without a lock, also in the child of a fork. An entry's number is its place plus one.
 *   2. No two have the same name: whoever loses a place looks at what is there before the next. */
#include "base/frontend.h"

#include <string.h>

#include "base/alloc.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/sized.h"

enum { NUMBER_SHIFT = 56, NAME_BYTES = 32 };

typedef struct entry {
    ps_frontend frontend; /* its name is the one below */
    char name[NAME_BYTES];
} entry;

/* The exchange in `place_of` publishes an entry to the acquiring loads. */
static _Atomic(entry *) entries[PS_FRONTENDS_MAX];

static ps_status check(const ps_frontend *frontend)
{
    size_t length = frontend->name != NULL ? strnlen(frontend->name, NAME_BYTES) : 0;
    if (length == 0 || length == NAME_BYTES)
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_frontend_register: the name \"%.40s\" must have 1 to %d bytes",
                        frontend->name != NULL ? frontend->name : "", NAME_BYTES - 1);
    if (frontend->origin > 1)
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_frontend_register: %s counts from %llu, it must be 0 or 1",
                        frontend->name, (unsigned long long)frontend->origin);
    return PS_OK;
}

static bool is_same(const ps_frontend *a, const ps_frontend *b)
{
    return a->origin == b->origin && a->resolve == b->resolve && a->state == b->state;
}

/* The place of the entry, or of the one that has its name; PS_FRONTENDS_MAX: there is none left. */
static unsigned place_of(entry *fresh)
{
    unsigned place = 0;
    for (; place < PS_FRONTENDS_MAX; place++) {
        entry *there = NULL;
        if (ps__cas(&entries[place], &there, fresh) || strcmp(there->name, fresh->name) == 0)
            break;
    }
    return place;
}

static ps_status add(entry *fresh, uint64_t *base)
{
    unsigned place = place_of(fresh);
    if (place == PS_FRONTENDS_MAX)
        return ps__fail(PS_ERR_STATE, "ps_frontend_register: %s would be number %d; at most %d",
                        fresh->name, PS_FRONTENDS_MAX + 1, PS_FRONTENDS_MAX);
    const entry *there = ps__load_acquire(&entries[place]);
    if (!is_same(&there->frontend, &fresh->frontend))
        return ps__fail(PS_ERR_STATE,
                        "ps_frontend_register: there is another frontend with the name %s",
                        fresh->name);
    *base = (uint64_t)(place + 1) << NUMBER_SHIFT;
    return PS_OK;
}

static bool is_entered(const entry *fresh)
{
    for (unsigned i = 0; i < PS_FRONTENDS_MAX; i++)
        if (ps__load(&entries[i]) == fresh) /* our own: pairs with nothing */
            return true;
    return false;
}

ps_status ps_frontend_register(const ps_frontend *frontend, uint64_t *base)
{
    ps_frontend full;
    if (base == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_frontend_register: base is NULL");
    ps_status status = ps__sized_read("ps_frontend_register: frontend", &full, sizeof full,
                                      frontend, PS__SIZE_TO(ps_frontend, name));
    if (status == PS_OK)
        status = check(&full);
    entry *fresh = status == PS_OK ? ps__calloc(1, sizeof *fresh) : NULL;
    if (fresh == NULL)
        return status != PS_OK ? status
                               : ps__fail(PS_ERR_MEMORY, "no memory for frontend %s", full.name);
    memcpy(fresh->name, full.name, strlen(full.name));
    fresh->frontend = full;
    fresh->frontend.name = fresh->name;
    status = add(fresh, base);
    if (!is_entered(fresh))
        ps__free(fresh);
    return status;
}

const ps_frontend *ps__frontend_of(uint64_t location)
{
    uint64_t number = location >> NUMBER_SHIFT;
    if (number == 0 || ps__location_is_literal(location))
        return NULL;
    const entry *there = ps__load_acquire(&entries[number - 1]); /* pairs with place_of */
    return there != NULL ? &there->frontend : NULL;
}
