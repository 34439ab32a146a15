/* The engine as a task library: a small build system.
 *
 * Each target is a variable; compiling reads the sources and writes the object, linking reads the
 * objects. The program only says what reads and writes what; the engine finds out what can run
 * side by side. One source has a mistake: everything that needs it is skipped, the rest is not. */
#include <penstock.h>
#include <stdio.h>
#include <stdlib.h>

enum { SOURCES = 4 };

static void check(ps_status status)
{
    if (status == PS_OK)
        return;
    fprintf(stderr, "%s: %s\n", ps_status_name(status), ps_last_error());
    exit(1);
}

typedef struct job {
    const char *text;
    int broken;
} job;

static ps_status build(ps_task *self, void *arg)
{
    const job *what = arg;
    if (what->broken)
        return ps_task_fail(self, PS_ERR_TASK, "%s: syntax error", what->text);
    printf("  %s\n", what->text);
    return PS_OK;
}

static void push(ps_engine *engine, job *what, ps_var **reads, size_t nreads, ps_var **writes,
                 uint64_t location)
{
    check(ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                          .run = build,
                                          .arg = what,
                                          .reads = reads,
                                          .nreads = nreads,
                                          .writes = writes,
                                          .nwrites = 1,
                                          .name = "build",
                                          .location = location}));
}

int main(void)
{
    static job compile[SOURCES] = {{"compile lexer", 0},
                                   {"compile parser", 0},
                                   {"compile printer", 1},
                                   {"compile main", 0}};
    static job link[2] = {{"link the checker", 0}, {"link the formatter", 0}};
    ps_engine *engine;
    ps_var *object[SOURCES], *program[2];

    check(ps_engine_default(&engine));
    for (int i = 0; i < SOURCES; i++)
        check(ps_var_create(engine, &object[i]));
    for (int i = 0; i < 2; i++)
        check(ps_var_create(engine, &program[i]));

    for (int i = 0; i < SOURCES; i++)
        push(engine, &compile[i], NULL, 0, &object[i], PS_HERE);
    push(engine, &link[0], (ps_var *[]){object[0], object[1], object[3]}, 3, &program[0], PS_HERE);
    push(engine, &link[1], object, SOURCES, &program[1], PS_HERE);
    printf("everything is queued\n");

    check(ps_wait_read(program[0], NULL));
    printf("the checker is built\n");
    if (ps_wait_read(program[1], NULL) != PS_OK) {
        ps_error_info info = {.size = sizeof info};
        check(ps_last_error_info(&info));
        printf("the formatter is not: %s\n", info.text);
    }

    for (int i = 0; i < SOURCES; i++)
        ps_var_release(object[i]);
    for (int i = 0; i < 2; i++)
        ps_var_release(program[i]);
    return 0;
}
