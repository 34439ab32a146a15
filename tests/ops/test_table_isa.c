/* Instruction sets: rows that the table calls exact give the same bits on each. The program runs
 * itself once for each set, with PENSTOCK_ISA in its environment, and compares what the children
 * write: a checksum for each row and type (support/table_checksums.c). */
#include "help.h"
#include "support/table.h"

#include <sys/wait.h>

enum { LINES = 32768, SETS = 3, NO_SUCH_SET = 77 };

typedef struct line {
    char row[48], type[16];
    uint64_t sum;
    int exact;
} line;

typedef struct listing {
    const char *set;
    bool there;
    size_t count;
    line *lines;
} listing;

static int be_child(void)
{
    ps_engine *engine;
    ps_tensor *x = NULL;
    bool there = ps_engine_default(&engine) == PS_OK &&
                 call_into("ones", 1, &INTS(1), &x) == PS_OK && ps_tensor_wait(x, NULL) == PS_OK;
    ps_tensor_release(x);
    if (!there)
        return NO_SUCH_SET;
    table_write_checksums(stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}

static pid_t start(const char *set, int *from)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        setenv("PENSTOCK_ISA", set, 1);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/proc/self/exe", "test_table_isa", "checksums", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *from = ends[0];
    return pid;
}

static void read_listing(listing *l)
{
    int from, status;
    l->lines = calloc(LINES, sizeof *l->lines);
    pid_t pid = start(l->set, &from);
    FILE *file = fdopen(from, "r");
    unsigned long long sum;
    for (line *at = l->lines; l->count < LINES && fscanf(file, "%47s %15s %llx %d", at->row,
                                                         at->type, &sum, &at->exact) == 4;
         at++, l->count++)
        at->sum = sum;
    fclose(file);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    l->there = !(WIFEXITED(status) && WEXITSTATUS(status) == NO_SUCH_SET);
    if (l->there && status != 0)
        fail_msg("the child for %s ended with status %x", l->set, (unsigned)status);
}

static size_t compare(const listing *a, const listing *b)
{
    size_t differ = 0;
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_string_equal(a->lines[i].row, b->lines[i].row);
        assert_string_equal(a->lines[i].type, b->lines[i].type);
        if (a->lines[i].exact && a->lines[i].sum != b->lines[i].sum) {
            print_message("%s of %s: %s and %s differ\n", a->lines[i].row, a->lines[i].type, a->set,
                          b->set);
            differ++;
        }
    }
    return differ;
}

static void test_exact_rows_are_the_same_on_all_sets(void **state)
{
    (void)state;
    listing sets[SETS] = {{.set = "ref"}, {.set = "avx2"}, {.set = "avx512"}};
    size_t differ = 0;
    for (int i = 0; i < SETS; i++) {
        read_listing(&sets[i]);
        if (i == 0)
            assert_true(sets[0].there && sets[0].count > 1000);
        else if (sets[i].there)
            differ += compare(&sets[0], &sets[i]);
    }
    for (int i = 0; i < SETS; i++)
        free(sets[i].lines);
    assert_int_equal(differ, 0);
}

int main(int argc, char **argv)
{
    alarm(LIMIT_S);
    if (argc == 2 && strcmp(argv[1], "checksums") == 0)
        return be_child();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_rows_are_the_same_on_all_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
