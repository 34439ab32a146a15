/* Reading PENSTOCK_* variables, strictly: a value is taken whole or refused, never in part, so
 * that a typing error cannot pass for a setting. */
#include "base/environment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/atomic.h"
#include "base/error.h"

extern char **environ;

/* How a value is quoted in a message: long ones are cut, the variable's name is what counts. */
#define QUOTED "\"%.80s\""

/* NULL when unset or empty. */
static const char *value_of(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

/* Reads the digits at *cursor and moves it past them; false if there are none or too many. */
static bool read_digits(const char **cursor, uint64_t *value)
{
    const char *at = *cursor;
    uint64_t sum = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*at - '0'), &sum))
            return false;
    }
    if (at == *cursor)
        return false;
    *cursor = at;
    *value = sum;
    return true;
}

ps_status ps__env_count(const char *name, uint64_t low, uint64_t high, uint64_t *value)
{
    const char *text = value_of(name);
    if (!text)
        return PS_OK;
    const char *cursor = text;
    uint64_t number;
    if (!read_digits(&cursor, &number) || *cursor || number < low || number > high)
        return ps__fail(PS_ERR_ENVIRONMENT,
                        "%s is " QUOTED ": expected a whole number from %" PRIu64 " to %" PRIu64,
                        name, text, low, high);
    *value = number;
    return PS_OK;
}

/* How far to shift for K, M, G, T; 0 for any other letter. */
static unsigned suffix_shift(char letter)
{
    switch (letter) {
    case 'k':
    case 'K':
        return 10;
    case 'm':
    case 'M':
        return 20;
    case 'g':
    case 'G':
        return 30;
    case 't':
    case 'T':
        return 40;
    }
    return 0;
}

/* What may follow the number: nothing, B, or a power of 1024 with nothing, B or iB after it. */
static bool read_suffix(const char *text, unsigned *shift)
{
    *shift = suffix_shift(*text);
    if (*shift == 0)
        return *text == '\0' || strcasecmp(text, "b") == 0;
    text++;
    return *text == '\0' || strcasecmp(text, "b") == 0 || strcasecmp(text, "ib") == 0;
}

ps_status ps__env_bytes(const char *name, uint64_t *value)
{
    const char *text = value_of(name);
    if (!text)
        return PS_OK;
    const char *cursor = text;
    uint64_t number;
    unsigned shift;
    if (!read_digits(&cursor, &number) || !read_suffix(cursor, &shift) ||
        number > UINT64_MAX >> shift)
        return ps__fail(PS_ERR_ENVIRONMENT,
                        "%s is " QUOTED ": expected bytes, a whole number that may end in "
                        "K, M, G or T, such as 512M",
                        name, text);
    *value = number << shift;
    return PS_OK;
}

/* "async, sync" */
static void list_words(char *text, size_t capacity, const char *const *words, unsigned count)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < count && used < capacity; i++) {
        int length = snprintf(text + used, capacity - used, "%s%s", i ? ", " : "", words[i]);
        used += length > 0 ? (size_t)length : 0;
    }
}

ps_status ps__env_choice(const char *name, const char *const *words, unsigned count,
                         unsigned *index)
{
    const char *text = value_of(name);
    if (!text)
        return PS_OK;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *index = i;
            return PS_OK;
        }
    }
    char known[512];
    list_words(known, sizeof known, words, count);
    return ps__fail(PS_ERR_ENVIRONMENT, "%s is " QUOTED ": expected one of %s", name, text, known);
}

/* ---- Lending the environment an entry -------------------------------------------------- */

/* Copies of the environment that were put in its place. Another thread may be reading one at any
 * later time, so none is freed. Newest first; pairs with itself only, in `keep`. */
typedef struct lent {
    struct lent *next;
    char *entries[]; /* ours, those of the environment, NULL */
} lent;

static _Atomic(lent *) kept;

static void keep(lent *copy)
{
    copy->next = ps__load_acquire(&kept);
    while (!ps__cas(&kept, &copy->next, copy))
        continue;
}

static lent *lent_make(const char *entry, char **entries)
{
    size_t count = 0;
    while (entries != NULL && entries[count] != NULL)
        count++;
    lent *copy = ps__calloc(1, sizeof *copy + (count + 2) * sizeof copy->entries[0]);
    if (copy == NULL)
        return NULL;
    copy->entries[0] = (char *)entry;
    if (count > 0)
        memcpy(&copy->entries[1], entries, count * sizeof entries[0]);
    return copy;
}

/* The variable is the C library's, which reads it as a plain pointer: one store puts an array in the
 * place of another, and getenv finds either. At the end the environment stays in the copy, beginning
 * after our entry, and does not go back to the old array: what a thread has changed in place since
 * then is in the copy. If it was made anew in between, it is left alone. */
ps_status ps__env_with(const char *entry, void (*body)(void *arg), void *arg)
{
    char **before = __atomic_load_n(&environ, __ATOMIC_ACQUIRE);
    lent *copy = lent_make(entry, before);
    if (copy == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a copy of the environment");
    keep(copy);
    __atomic_store_n(&environ, copy->entries, __ATOMIC_RELEASE);
    body(arg);
    char **ours = copy->entries;
    __atomic_compare_exchange_n(&environ, &ours, &copy->entries[1], false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
    return PS_OK;
}
