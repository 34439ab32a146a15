/* The language frontends of this process.
 *
 * Invariants
 *   1. Entries are added from the first place on, by compare-and-swap, and stay, with all but `uses`
 *      as it was: they are read without a lock, also in the child of a fork. An entry's number is its
 *      place plus one.
 *   2. No two that are not GONE have the same name: whoever loses a place looks at what is there
 *      before the next.
 *   3. `resolve` is called by threads that are counted in `uses`, and by none that found it GONE. So
 *      when that is set and the count is 0, its code may go. */
#include "base/frontend.h"

#include <string.h>

#include "base/alloc.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/futex.h"
#include "base/sized.h"
#include "base/twofold.h"

enum { NUMBER_SHIFT = 56, NAME_BYTES = 32 };

static const uint64_t ID_MASK = (UINT64_C(1) << NUMBER_SHIFT) - 1;
static const uint32_t GONE = UINT32_C(1) << 31;

typedef struct entry {
    ps_frontend frontend; /* its name is the one below */
    char name[NAME_BYTES];
    ps__word uses; /* how many calls of `resolve` are under way; GONE: unregistered */
} entry;

/* A call of `resolve` that the thread is in. */
typedef struct asking {
    const entry *of;
    const struct asking *outer;
} asking;

static __thread const asking *innermost __attribute__((tls_model("initial-exec")));

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

static bool is_named(entry *there, const char *name)
{
    return strcmp(there->name, name) == 0 &&
           (ps__load(&there->uses) & GONE) == 0; /* its own word */
}

/* The place of the entry, or of the one that has its name; PS_FRONTENDS_MAX: there is none left. */
static unsigned place_of(entry *fresh)
{
    unsigned place = 0;
    for (; place < PS_FRONTENDS_MAX; place++) {
        entry *there = NULL;
        if (ps__cas(&entries[place], &there, fresh) || is_named(there, fresh->name))
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

static entry *entry_of(uint64_t location)
{
    uint64_t number = location >> NUMBER_SHIFT;
    if (number == 0 || number > PS_FRONTENDS_MAX)
        return NULL;
    return ps__load_acquire(&entries[number - 1]); /* pairs with place_of */
}

const ps_frontend *ps__frontend_of(uint64_t location)
{
    ps__twofold lines;
    (void)ps__twofold_lines(location, &lines);
    const entry *there = entry_of(lines.forward);
    return there != NULL ? &there->frontend : NULL;
}

/* ---- Asking, and going ------------------------------------------------------------------- */

static uint32_t asked_here(const entry *of)
{
    uint32_t count = 0;
    for (const asking *each = innermost; each != NULL; each = each->outer)
        count += each->of == of;
    return count;
}

/* Pairs with the loop of `go`. */
static void stop_using(entry *there)
{
    if (ps__sub_acq_rel(&there->uses, 1) == (GONE | 1))
        ps__futex_wake(&there->uses, INT32_MAX);
}

bool ps__frontend_resolve(uint64_t location, ps_place *place)
{
    entry *there = entry_of(location);
    if (there == NULL || there->frontend.resolve == NULL)
        return false;
    bool known = false;
    if ((ps__add_acq_rel(&there->uses, 1) & GONE) == 0) { /* pairs with the or of `go` */
        const asking self = {there, innermost};
        innermost = &self;
        known = there->frontend.resolve(there->frontend.state, location & ID_MASK, place);
        innermost = self.outer;
    }
    stop_using(there);
    return known && place->file != NULL;
}

/* Until nobody is in `resolve`, and nobody will be. */
static void go(entry *there)
{
    (void)ps__or_acq_rel(&there->uses, GONE); /* pairs with the add of ps__frontend_resolve */
    for (;;) {
        uint32_t uses = ps__load_acquire(&there->uses); /* pairs with stop_using */
        if (uses == GONE)
            break;
        (void)ps__futex_wait(&there->uses, uses, -1);
    }
}

ps_status ps_frontend_unregister(uint64_t base)
{
    entry *there = (base & ID_MASK) == 0 ? entry_of(base) : NULL;
    if (there == NULL)
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_frontend_unregister: 0x%llx is not what ps_frontend_register has given",
                        (unsigned long long)base);
    if (asked_here(there) > 0)
        return ps__fail(PS_ERR_STATE,
                        "ps_frontend_unregister: this thread is inside of the function by which %s "
                        "finds its lines",
                        there->name);
    go(there);
    return PS_OK;
}

void ps__frontends_fork_child(void)
{
    for (unsigned i = 0; i < PS_FRONTENDS_MAX; i++) {
        entry *there = ps__load(&entries[i]); /* no other threads: pairs with nothing */
        if (there != NULL)
            ps__store(&there->uses, (ps__load(&there->uses) & GONE) | asked_here(there));
    }
}
