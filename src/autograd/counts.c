/* Rows of numbers, and who has them: see counts.h. */
#include "autograd/counts.h"

#include <pthread.h>

enum { ROWS = 64 };

static ps__count_row rows[ROWS];

__thread ps__count_row *ps__count_own __attribute__((tls_model("initial-exec")));

/* Set at the thread's end: destructors that run later must not take a row, which nobody would leave. */
static __thread bool ended __attribute__((tls_model("initial-exec")));

static pthread_key_t key; /* written before anybody has a row */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool have_key; /* written there too */

/* Runs when a thread that has a row ends. */
static void leave(void *row)
{
    ended = true;
    ps__count_own = NULL;
    ps__store_release(&((ps__count_row *)row)->owned, 0u); /* pairs with taking it: its numbers */
}

static void make_key(void)
{
    have_key = pthread_key_create(&key, leave) == 0;
}

static ps__count_row *take_row(void)
{
    for (unsigned i = 1; i < ROWS; i++) {
        uint32_t nobody = 0;
        if (ps__load(&rows[i].owned) == 0 && ps__cas(&rows[i].owned, &nobody, 1u))
            return &rows[i]; /* pairs with leaving it */
    }
    return NULL;
}

static ps__count_row *own_row(void)
{
    pthread_once(&once, make_key);
    ps__count_row *row = ended || !have_key ? NULL : take_row();
    if (row != NULL && pthread_setspecific(key, row) != 0) {
        ps__store_release(&row->owned, 0u); /* as in leave */
        return NULL;
    }
    return ps__count_own = row;
}

void ps__count_slowly(unsigned what, int64_t by)
{
    if (own_row() != NULL)
        ps__count(what, by);
    else
        ps__add(&rows[0].numbers[what], by); /* as in ps__count */
}

int64_t ps__counted(unsigned what)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < ROWS; i++)
        sum += ps__load(&rows[i].numbers[what]); /* pairs with ps__count */
    return sum;
}
