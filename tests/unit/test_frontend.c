/* Frontends and locations: numbers, places, lines of C in libraries that come and go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/frontend.h"

static uint64_t asked; /* the last id that `resolve` was asked for */
static bool may_enter = true;

static bool resolve(void *state, uint64_t id, ps_place *place)
{
    asked = id;
    place->file = state;
    place->function = "main";
    place->shown = id == 3 ? "Cell In[3]" : NULL;
    place->line = id;
    return may_enter;
}

static ps_frontend frontend_named(const char *name)
{
    return (ps_frontend){.size = sizeof(ps_frontend),
                         .name = name,
                         .origin = 1,
                         .resolve = resolve,
                         .state = "program.r"};
}

static uint64_t base_of(const ps_frontend *frontend)
{
    uint64_t base = 0;
    assert_int_equal(ps_frontend_register(frontend, &base), PS_OK);
    return base;
}

/* What is told of a task that was queued there and failed. */
static const char *text_of(uint64_t location)
{
    static ps_error_info info;
    info.size = sizeof info;
    ps__fail_info(&(ps_error_info){.status = PS_ERR_INDEX,
                                   .sequence = 7,
                                   .operation = "take",
                                   .location = location,
                                   .message = "out of range"});
    assert_int_equal(ps_last_error_info(&info), PS_OK);
    assert_int_equal(info.kind, PS_ERROR_INDEX);
    assert_string_equal(info.message, "out of range");
    return info.text;
}

static void the_same_is_the_same(void **state)
{
    (void)state;
    ps_frontend frontend = frontend_named("R");
    uint64_t base = base_of(&frontend);
    assert_true(base != 0 && base << 8 == 0 && base >> 63 == 0);
    char copy[] = "R";
    frontend.name = copy;
    assert_true(base_of(&frontend) == base);
    frontend.origin = 0;
    uint64_t other = 1;
    assert_int_equal(ps_frontend_register(&frontend, &other), PS_ERR_STATE);
    assert_non_null(strstr(ps_last_error(), "another frontend with the name R"));
    assert_int_equal(other, 1);
}

static void bad_ones_are_refused(void **state)
{
    (void)state;
    uint64_t base;
    ps_frontend frontend = frontend_named("");
    assert_int_equal(ps_frontend_register(&frontend, &base), PS_ERR_ARGUMENT);
    frontend.name = "12345678901234567890123456789012";
    assert_int_equal(ps_frontend_register(&frontend, &base), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "1 to 31 bytes"));
    frontend.name = NULL;
    assert_int_equal(ps_frontend_register(&frontend, &base), PS_ERR_ARGUMENT);
    frontend = frontend_named("two");
    frontend.origin = 2;
    assert_int_equal(ps_frontend_register(&frontend, &base), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "counts from 2"));
    assert_int_equal(ps_frontend_register(NULL, &base), PS_ERR_ARGUMENT);
    assert_int_equal(ps_frontend_register(&frontend, NULL), PS_ERR_ARGUMENT);
    frontend = frontend_named("no memory");
    ps__fault_set(1, true);
    ps_status status = ps_frontend_register(&frontend, &base);
    ps__fault_set(0, false);
    assert_int_equal(status, PS_ERR_MEMORY);
}

static void texts_name_the_line(void **state)
{
    (void)state;
    ps_frontend frontend = frontend_named("R");
    uint64_t base = base_of(&frontend);
    uint64_t last_id = (UINT64_C(1) << 56) - 1;
    assert_string_equal(text_of(base | 12), "out of range (in take, queued at program.r, line 12)");
    assert_int_equal(asked, 12);
    assert_string_equal(text_of(base | 3), "out of range (in take, queued at Cell In[3], line 3)");
    assert_string_equal(text_of(base), "out of range (in take, queued at program.r)");
    text_of(base | last_id);
    assert_true(asked == last_id);
    may_enter = false;
    assert_string_equal(text_of(base | 12), "out of range (in take, queued in R)");
    may_enter = true;
    assert_string_equal(text_of(UINT64_C(120) << 56 | 5),
                        "out of range (in take, queued operation 7)");
    assert_string_equal(text_of(5), "out of range (in take, queued operation 7)");
    assert_string_equal(text_of(0), "out of range (in take, queued operation 7)");
}

static void all_members_are_told(void **state)
{
    (void)state;
    ps_frontend frontend = frontend_named("R");
    text_of(base_of(&frontend) | 3);
    ps_error_info info = {.size = sizeof info};
    assert_int_equal(ps_last_error_info(&info), PS_OK);
    assert_string_equal(info.file, "program.r");
    assert_string_equal(info.function, "main");
    assert_string_equal(info.place, "Cell In[3], line 3");
    assert_int_equal(info.line, 3);
    ps__fail(PS_ERR_MEMORY, "none left");
    assert_int_equal(ps_last_error_info(&info), PS_OK);
    assert_string_equal(info.text, "none left");
    assert_int_equal(info.kind, PS_ERROR_MEMORY);
    assert_null(info.file);
    assert_null(info.function);
    assert_null(info.place);
    assert_int_equal(info.line, 0);
}

/* ---- resolving that fails calls, and long names ------------------------------------------- */

static bool resolve_badly(void *state, uint64_t id, ps_place *place)
{
    (void)state;
    if (id == 1)
        text_of(0); /* fails, and asks */
    else
        ps__fail(PS_ERR_STATE, "in between");
    place->file = "bad.r";
    return true;
}

static void the_answer_outlives_the_question(void **state)
{
    (void)state;
    ps_frontend frontend = frontend_named("bad");
    frontend.resolve = resolve_badly;
    uint64_t base = base_of(&frontend);
    for (uint64_t id = 1; id <= 2; id++) {
        assert_string_equal(text_of(base | id), "out of range (in take, queued at bad.r)");
        assert_string_equal(ps_last_error(), "out of range");
    }
}

static void long_names_are_cut(void **state)
{
    (void)state;
    static char longest[5000];
    memset(longest, 'n', sizeof longest - 1);
    ps_frontend frontend = frontend_named("long");
    frontend.state = longest;
    const char *text = text_of(base_of(&frontend) | 1234);
    assert_non_null(strstr(text, "nnn..., line 1234)"));
    ps__fail_info(&(ps_error_info){.status = PS_ERR_TASK,
                                   .operation = longest,
                                   .location = base_of(&frontend) | 1234,
                                   .message = longest});
    ps_error_info info = {.size = sizeof info};
    assert_int_equal(ps_last_error_info(&info), PS_OK);
    assert_string_equal(info.text + strlen(info.text) - 12, ", line 1234)");
}

/* ---- lines of C ---------------------------------------------------------------------------- */

static void here_is_this_line(void **state)
{
    (void)state;
    char wanted[1000];
    const uint64_t here = PS_HERE, line = __LINE__;
    snprintf(wanted, sizeof wanted, "out of range (in take, queued at %s, line %d)", __FILE__,
             (int)line);
    assert_string_equal(text_of(here), wanted);
    ps_place place = {.size = sizeof place};
    assert_true(ps_location_resolve(here, &place));
    assert_string_equal(place.file, __FILE__);
    assert_null(place.function);
    assert_int_equal(place.line, line);
    assert_string_equal(text_of(ps_location_literal("x.c", 65535)),
                        "out of range (in take, queued at x.c, line 65535)");
    assert_string_equal(text_of(ps_location_literal("x.c", 65536)),
                        "out of range (in take, queued at x.c)");
}

static void what_is_no_line_is_not_read(void **state)
{
    (void)state;
    char stack[] = "stack";
    static const char no_text[] = "\x01\x02";
    const uint64_t bad[] = {UINT64_MAX, UINT64_C(1) << 63, ps_location_literal(stack, 1),
                            ps_location_literal(no_text, 1), ps_location_literal("", 1)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_string_equal(text_of(bad[i]), "out of range (in take, queued in C)");
    assert_int_equal(ps_location_literal((const char *)(UINTPTR_MAX - 7), 1), 0);
}

static void a_library_that_is_gone(void **state)
{
    (void)state;
    void *plugin = dlopen(LOCATION_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(plugin);
    uint64_t (*here)(void) = (uint64_t(*)(void))dlsym(plugin, "plugin_here");
    assert_non_null(here);
    uint64_t location = here();
    assert_non_null(strstr(text_of(location), "location_plugin.c, line "));
    assert_int_equal(dlclose(plugin), 0);
    assert_null(dlopen(LOCATION_PLUGIN, RTLD_NOW | RTLD_NOLOAD));
    assert_string_equal(text_of(location), "out of range (in take, queued in C)");
}

static void resolving_needs_a_struct(void **state)
{
    (void)state;
    ps_place small = {.size = sizeof small.size};
    assert_false(ps_location_resolve(PS_HERE, NULL));
    assert_false(ps_location_resolve(PS_HERE, &small));
    assert_false(ps_location_resolve(0, &(ps_place){.size = sizeof(ps_place)}));
}

/* ---- frontends that go --------------------------------------------------------------------- */

static void texts_name_one_that_is_gone(void **state)
{
    (void)state;
    ps_frontend frontend = frontend_named("going");
    uint64_t base = base_of(&frontend);
    assert_string_equal(text_of(base | 12), "out of range (in take, queued at program.r, line 12)");
    assert_int_equal(ps_frontend_unregister(base), PS_OK);
    asked = 0;
    assert_string_equal(text_of(base | 12), "out of range (in take, queued in going)");
    assert_int_equal(ps_frontend_unregister(base), PS_OK);
    frontend.state = "again.r";
    uint64_t again = base_of(&frontend);
    assert_true(again != base);
    assert_string_equal(text_of(base | 12), "out of range (in take, queued in going)");
    assert_int_equal(asked, 0);
    assert_string_equal(text_of(again | 12), "out of range (in take, queued at again.r, line 12)");
    assert_int_equal(ps_frontend_unregister(again), PS_OK);
}

static void only_what_was_registered_goes(void **state)
{
    (void)state;
    ps_frontend frontend = frontend_named("R");
    const uint64_t bad[] = {0, 1, base_of(&frontend) | 1, UINT64_C(126) << 56, UINT64_MAX, PS_HERE};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(ps_frontend_unregister(bad[i]), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "is not what ps_frontend_register has given"));
}

static ps_status status_inside;

static bool resolve_and_go(void *base, uint64_t id, ps_place *place)
{
    static char said[200];
    (void)id;
    status_inside = ps_frontend_unregister(*(uint64_t *)base);
    snprintf(said, sizeof said, "%s", ps_last_error());
    place->file = said;
    return true;
}

static void nobody_goes_while_asked(void **state)
{
    (void)state;
    static uint64_t base;
    ps_frontend frontend = frontend_named("inside");
    frontend.resolve = resolve_and_go;
    frontend.state = &base;
    base = base_of(&frontend);
    assert_non_null(strstr(text_of(base | 1), "by which inside finds its lines"));
    assert_int_equal(status_inside, PS_ERR_STATE);
    assert_int_equal(ps_frontend_unregister(base), PS_OK);
    assert_string_equal(text_of(base | 1), "out of range (in take, queued in inside)");
}

enum { HELD = 7 }; /* the id that is not answered until `answer` */

static uint64_t slow_base;
static _Atomic bool entered, answer, answered;

static bool resolve_slowly(void *state, uint64_t id, ps_place *place)
{
    (void)state;
    place->file = "slow.r";
    if (id == HELD) {
        entered = true;
        while (!answer)
            sched_yield();
        answered = true;
    }
    return true;
}

static void *ask(void *unused)
{
    ps_place place = {.size = sizeof place};
    return ps_location_resolve(slow_base | HELD, &place) ? unused : NULL;
}

/* What was answered when the frontend was gone. */
static void *go_away(void *unused)
{
    (void)unused;
    return ps_frontend_unregister(slow_base) == PS_OK && answered ? &slow_base : NULL;
}

/* In the child of a fork nobody asks. */
static void go_in_a_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        ps__frontends_fork_child();
        _exit(ps_frontend_unregister(slow_base) == PS_OK ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void going_waits_for_answers(void **state)
{
    (void)state;
    pthread_t asks, goes;
    void *found, *in_order;
    ps_frontend frontend = frontend_named("slow");
    frontend.resolve = resolve_slowly;
    slow_base = base_of(&frontend);
    assert_int_equal(pthread_create(&asks, NULL, ask, &slow_base), 0);
    while (!entered)
        sched_yield();
    go_in_a_child();
    assert_int_equal(pthread_create(&goes, NULL, go_away, NULL), 0);
    while (strstr(text_of(slow_base | 1), "queued in slow") == NULL)
        sched_yield();
    answer = true;
    pthread_join(asks, &found);
    pthread_join(goes, &in_order);
    assert_non_null(found);
    assert_non_null(in_order);
}

/* ---- all there can be: last, since they stay ---------------------------------------------- */

enum { BEFORE = 7 }; /* R, bad, long, going twice, inside, slow */

static char names[PS_FRONTENDS_MAX + 1][24];
static uint64_t bases[2][PS_FRONTENDS_MAX + 1];

static void *register_all(void *arg)
{
    uint64_t *own = arg;
    for (int i = 0; i <= PS_FRONTENDS_MAX; i++) {
        ps_frontend frontend = frontend_named(names[i]);
        (void)ps_frontend_register(&frontend, &own[i]);
    }
    return NULL;
}

/* Two threads at once get the same numbers, each once, from 1 to 126. */
static void there_are_126(void **state)
{
    (void)state;
    pthread_t threads[2];
    unsigned fresh = 0;
    bool seen[PS_FRONTENDS_MAX + 1] = {false};
    for (int i = 0; i <= PS_FRONTENDS_MAX; i++)
        snprintf(names[i], sizeof names[i], "language %d", i);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, register_all, bases[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i <= PS_FRONTENDS_MAX; i++) {
        assert_true(bases[0][i] == bases[1][i]);
        if (bases[0][i] == 0)
            continue;
        uint64_t number = bases[0][i] >> 56;
        assert_true(number >= 1 && number <= PS_FRONTENDS_MAX && !seen[number]);
        seen[number] = true;
        fresh++;
    }
    assert_int_equal(fresh, PS_FRONTENDS_MAX - BEFORE);
    ps_frontend frontend = frontend_named("one more");
    uint64_t base;
    assert_int_equal(ps_frontend_register(&frontend, &base), PS_ERR_STATE);
    assert_non_null(strstr(ps_last_error(), "at most 126"));
    frontend = frontend_named("R");
    assert_int_equal(ps_frontend_register(&frontend, &base), PS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(bad_ones_are_refused),
        cmocka_unit_test(texts_name_the_line),
        cmocka_unit_test(all_members_are_told),
        cmocka_unit_test(the_answer_outlives_the_question),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(here_is_this_line),
        cmocka_unit_test(what_is_no_line_is_not_read),
        cmocka_unit_test(a_library_that_is_gone),
        cmocka_unit_test(resolving_needs_a_struct),
        cmocka_unit_test(texts_name_one_that_is_gone),
        cmocka_unit_test(only_what_was_registered_goes),
        cmocka_unit_test(nobody_goes_while_asked),
        cmocka_unit_test(going_waits_for_answers),
        cmocka_unit_test(there_are_126),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
