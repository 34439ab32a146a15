/* Out of memory at every point of a training step, for networks of each kind (support/training.h): the
 * Nth call for memory or a thread fails, for N = 1, 2, 3 ... until none is left to fail; once with only
 * that call failing, once with all after it failing too.
 *
 * What must hold each time: each call that failed says what it lacked; weights and states of optimisers
 * are those of before the step or of after it, all of them, or cannot be read; nothing of a graph is
 * left, nor any memory (AddressSanitizer's build looks); and when there is memory again, the same step
 * comes to the right bits.
 *
 * Once in children, each a process in which nothing was ever called; and once after each other, when
 * all that is made only once is there. And the same under a hard limit on memory, from one that leaves no
 * room to one that leaves enough. */
#include "engine/process.h"

#undef CHECK_OK
#include "support/training.h"

#include "base/alloc.h"

enum {
    SEEDS = FIXTURE_SANITIZED ? 2 : 6,
    COLD_WAYS = FIXTURE_SANITIZED ? 1 : 2,
    ROOMS = 12,
    LAST_FAULT = 5000,
    FAULT_MET = 42
};

static const train_form forms[] = {TRAIN_VECTORS, TRAIN_IMAGES, TRAIN_IMAGES_LAST, TRAIN_SEQUENCE,
                                   TRAIN_IDS};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* A program of that size, with steps that take one batch each. */
static void draw(training *t, train_form form, unsigned number, bool large)
{
    uint64_t seed = 1000 * (uint64_t)form;
    for (unsigned found = 0; found <= number; found += t->large == large)
        training_draw_of(t, seed++, form);
    t->adds = t->reads_each_step = false;
    t->penalised = -1; /* test_autograd_stress.c has gradients of gradients */
}

static void drain(void)
{
    ps_engine *engine;
    if (ps_engine_default(&engine) != PS_OK)
        return;
    for (int i = 0; i < 200 && ps_wait_all(engine, NULL) != PS_OK; i++)
        ;
}

static bool no_graph(void)
{
    ps_graph_stats found = {.size = sizeof found};
    return ps_graph_get_stats(&found) == PS_OK && found.nodes == 0 && found.saves == 0;
}

/* ---- one step ------------------------------------------------------------------------------- */

typedef struct fault {
    unsigned long nth; /* 0: none */
    bool sticky;
    ps_mode mode;
    uint64_t room; /* bytes that there may be more than before the step; 0: any */
} fault;

static uint64_t live_bytes(void)
{
    ps_memory_stats memory = {.size = sizeof memory};
    return ps_memory_get_stats(&memory) == PS_OK ? memory.live : 0;
}

static void read_start(const training *t, train_log *log)
{
    train_run r;
    train_start(&r, t);
    train_read(&r, log);
    train_end(&r);
}

/* A step under the fault; how many calls could have failed. */
static unsigned long step_under(const training *t, const fault *f, train_log *log)
{
    train_run r;
    train_start(&r, t);
    drain();
    (void)ps_thread_set_mode(f->mode);
    (void)ps_memory_set_limit(f->room != 0 ? live_bytes() + f->room : 0);
    ps__fault_set(f->nth, f->sticky);
    train_step(&r);
    drain();
    unsigned long calls = ps__fault_count();
    ps__fault_set(0, false);
    (void)ps_memory_set_limit(0);
    (void)ps_thread_set_mode(PS_MODE_DEFAULT);
    (void)ps_thread_set_state(ps_thread_state() & ~PS_STATE_RECORDING);
    train_read(&r, log);
    train_end(&r);
    drain();
    return calls;
}

/* ---- what it may come to -------------------------------------------------------------------- */

static const train_entry *entry_of(const train_log *log, const char *name)
{
    for (unsigned i = 0; i < log->count; i++)
        if (strcmp(log->entries[i].name, name) == 0)
            return &log->entries[i];
    return NULL;
}

static bool says_what_it_lacked(ps_status status)
{
    return status == PS_OK || status == PS_ERR_MEMORY || status == PS_ERR_THREAD;
}

/* What an entry may be: as before, as after, unreadable. */
enum { BEFORE = 1, AFTER = 2, UNREADABLE = 4 };

static unsigned outcome(const train_log *before, const train_log *after, const train_entry *entry)
{
    const train_entry *old = entry_of(before, entry->name), *new = entry_of(after, entry->name);
    if (entry->status != PS_OK)
        return UNREADABLE;
    return (old != NULL && train_entry_same(entry, old) ? BEFORE : 0) |
           (new != NULL &&train_entry_same(entry, new) ? AFTER : 0);
}

/* What the update writes: what is learned, and the states of that. */
static bool is_updated(const training *t, const train_entry *entry)
{
    const char *number = strrchr(entry->name, ' ') + 1;
    return strncmp(entry->name, "gradient", 8) != 0 && strncmp(entry->name, "loss", 4) != 0 &&
           t->weights[atoi(number)].role == TRAIN_LEARNED;
}

static bool is_result(const train_entry *entry)
{
    return strncmp(entry->name, "gradient", 8) == 0 || strncmp(entry->name, "loss", 4) == 0;
}

/* False, with a text, if the step is not as it may be. */
static bool is_sound(const training *t, const train_log *before, const train_log *after,
                     const train_log *log, char *text, size_t room)
{
    unsigned common = BEFORE | AFTER | UNREADABLE; /* what all that is updated may be */
    bool whole = log->status == PS_OK, right = says_what_it_lacked(log->status);
    snprintf(text, room, "%s", log->error);
    for (unsigned i = 0; right && i < log->count; i++) {
        const train_entry *entry = &log->entries[i];
        unsigned found = outcome(before, after, entry);
        if (is_updated(t, entry))
            common &= found;
        right = says_what_it_lacked(entry->status) &&
                (whole ? (found & (AFTER | UNREADABLE)) != 0 : found != 0 || is_result(entry));
        if (!right)
            snprintf(text, room, "%s: %s, outcome %u after %s", entry->name,
                     ps_status_name(entry->status), found, ps_status_name(log->status));
    }
    if (right && common == 0)
        snprintf(text, room, "a part of the weights was updated");
    return right && common != 0;
}

/* ---- after each other ----------------------------------------------------------------------- */

static void check_again(const training *t, const train_log *after)
{
    static train_log log;
    char text[400];
    (void)step_under(t, &(fault){.mode = PS_MODE_DEFAULT}, &log);
    if (!train_log_same(after, &log, text, sizeof text))
        fail_msg("seed %ju, after a fault: %s", (uintmax_t)t->seed, text);
    train_log_free(&log);
}

static unsigned failed_steps;

/* Whether there was an nth call to fail. */
static bool check_fault(const training *t, const train_log *before, const train_log *after,
                        const fault *f)
{
    static train_log log;
    char text[400];
    unsigned long calls = step_under(t, f, &log);
    if (!is_sound(t, before, after, &log, text, sizeof text)) {
        training_print(t, stderr);
        fail_msg("fault %lu%s, room %ju, %s: %s", f->nth, f->sticky ? " and all after it" : "",
                 (uintmax_t)f->room, f->mode == PS_MODE_SYNC ? "synchronously" : "queued", text);
    }
    failed_steps += log.error[0] != '\0';
    train_log_free(&log);
    assert_true(no_graph());
    check_again(t, after);
    return calls >= f->nth;
}

static unsigned long check_faults(const training *t)
{
    static train_log before, after;
    unsigned long calls = 0;
    read_start(t, &before);
    (void)step_under(t, &(fault){.mode = PS_MODE_SYNC}, &after);
    assert_int_equal(after.status, PS_OK);
    for (int way = 0; way < 4; way++) {
        fault f = {.nth = 1, .sticky = way % 2 != 0};
        f.mode = way / 2 != 0 ? PS_MODE_SYNC : PS_MODE_ASYNC;
        while (check_fault(t, &before, &after, &f))
            assert_true(f.nth++ < LAST_FAULT);
        calls += f.nth - 1;
    }
    train_log_free(&before);
    train_log_free(&after);
    return calls;
}

static void of_each_kind(void **state)
{
    (void)state;
    static training t;
    for (int form = 0; form < FORMS; form++)
        for (unsigned i = 0; i < SEEDS; i++) {
            draw(&t, forms[form], i, false);
            print_message("seed %ju: %lu calls failed\n", (uintmax_t)t.seed, check_faults(&t));
        }
}

/* ---- little room ---------------------------------------------------------------------------- */

/* Bytes that a step needs beside what there is before it. */
static uint64_t room_of(const training *t, train_log *after)
{
    uint64_t before = live_bytes();
    ps_memory_reset_peak();
    (void)step_under(t, &(fault){.mode = PS_MODE_SYNC}, after);
    assert_int_equal(after->status, PS_OK);
    ps_memory_stats memory = {.size = sizeof memory};
    assert_int_equal(ps_memory_get_stats(&memory), PS_OK);
    return memory.peak - before;
}

/* From nothing to all that it needs. */
static void check_rooms(const training *t)
{
    static train_log before, after;
    read_start(t, &before);
    uint64_t room = room_of(t, &after);
    for (uint64_t i = 0; i <= ROOMS; i++)
        for (int mode = 0; mode < 2; mode++)
            (void)check_fault(t, &before, &after,
                              &(fault){.mode = mode ? PS_MODE_SYNC : PS_MODE_ASYNC,
                                       .room = 1 + room * i / ROOMS});
    train_log_free(&before);
    train_log_free(&after);
}

static void in_little_room(void **state)
{
    (void)state;
    static training t;
    failed_steps = 0;
    for (int form = 0; form < FORMS; form++)
        for (unsigned i = 0; i < SEEDS; i++) {
            draw(&t, forms[form], i, true);
            check_rooms(&t);
        }
    print_message("%u steps failed\n", failed_steps);
    assert_true(failed_steps > 0);
}

/* ---- in children ---------------------------------------------------------------------------- */

typedef struct attempt {
    training t;
    fault f;
} attempt;

static int step_once(void *arg)
{
    static train_log before, after, log;
    const attempt *a = arg;
    char text[400];
    setenv("PENSTOCK_WORKERS", "2", 1);
    unsigned long calls = step_under(&a->t, &a->f, &log);
    CHILD_CHECK(no_graph());
    read_start(&a->t, &before);
    (void)step_under(&a->t, &(fault){.mode = PS_MODE_DEFAULT}, &after);
    CHILD_CHECK(after.status == PS_OK && after.error[0] == '\0');
    if (!is_sound(&a->t, &before, &after, &log, text, sizeof text)) {
        fprintf(stderr, "%s\n", text);
        return CHILD_FAILED;
    }
    train_log_free(&before);
    train_log_free(&after);
    train_log_free(&log);
    return calls >= a->f.nth ? FAULT_MET : 0;
}

static void check_cold(attempt *a)
{
    int result;
    a->f.nth = 0;
    do {
        a->f.nth++;
        result = child_run(step_once, a);
        if (result == 0 || result == FAULT_MET)
            continue;
        training_print(&a->t, stderr);
        fail_msg("fault %lu%s: child ended with %d", a->f.nth,
                 a->f.sticky ? " and all after it" : "", result);
    } while (result == FAULT_MET && a->f.nth < LAST_FAULT);
    assert_int_equal(result, 0);
    print_message("seed %ju: %lu calls failed\n", (uintmax_t)a->t.seed, a->f.nth - 1);
}

static void of_each_kind_the_first_time(void **state)
{
    (void)state;
    static attempt a;
    for (unsigned i = 0; i < FORMS * COLD_WAYS; i++) {
        draw(&a.t, forms[i % FORMS], i / FORMS, false);
        a.f = (fault){.sticky = i % 2 != 0, .mode = PS_MODE_ASYNC};
        check_cold(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_each_kind_the_first_time), /* before this process has threads */
        cmocka_unit_test(of_each_kind),
        cmocka_unit_test(in_little_room),
    };
    return FIXTURE_RUN(tests);
}
