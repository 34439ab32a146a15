/* Processors and memory: the machine's own, and the limits in made-up cgroup trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/topology.h"

/* ---- A made-up tree: <folder>/proc is /proc/self/cgroup, <folder>/cgroup is its root. -- */

static char folder[PATH_MAX];
static char proc[PATH_MAX + 16];
static char root[PATH_MAX + 16];

static int tree_create(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/penstock-topology-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    snprintf(proc, sizeof proc, "%s/proc", folder);
    snprintf(root, sizeof root, "%s/cgroup", folder);
    return mkdir(root, 0700);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

static int tree_remove(void **state)
{
    (void)state;
    return nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void processes(const char *lines)
{
    write_file(proc, lines);
}

/* Writes a file of the tree and the folders above it. */
static void put(const char *path, const char *text)
{
    char whole[3 * PATH_MAX];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        assert_true(mkdir(whole, 0700) == 0 || errno == EEXIST);
        *at = '/';
    }
    write_file(whole, text);
}

static unsigned quota(void)
{
    return ps__topology_quota(proc, root);
}

static uint64_t limit(void)
{
    return ps__topology_memory_limit(proc, root);
}

/* ---- Version 2 ------------------------------------------------------------------------- */

static void version2_own_group(void **state)
{
    (void)state;
    processes("0::/user/job\n");
    put("user/job/cpu.max", "250000 100000\n");
    put("user/job/memory.max", "1073741824\n");
    assert_int_equal(quota(), 3); /* two and a half, rounded up */
    assert_int_equal(limit(), 1073741824);
}

static void version2_the_least_of_all_parents_counts(void **state)
{
    (void)state;
    processes("0::/a/b/c\n");
    put("a/b/c/cpu.max", "800000 100000\n");
    put("a/b/cpu.max", "200000 100000\n");
    put("a/cpu.max", "400000 100000\n");
    put("a/b/c/memory.max", "max\n");
    put("a/b/memory.max", "9000000\n");
    put("a/memory.max", "8000000\n");
    assert_int_equal(quota(), 2);
    assert_int_equal(limit(), 8000000);
    put("cpu.max", "100000 100000\n"); /* a container's root has files as well */
    put("memory.max", "7000000\n");
    assert_int_equal(quota(), 1);
    assert_int_equal(limit(), 7000000);
}

static void version2_other_groups_do_not_count(void **state)
{
    (void)state;
    processes("0::/a/b\n");
    put("a/other/cpu.max", "100000 100000\n");
    put("a/b/below/cpu.max", "100000 100000\n");
    put("a/b/below/memory.max", "4096\n");
    assert_true(quota() == UINT_MAX);
    assert_true(limit() == UINT64_MAX);
}

static void version2_max_is_no_limit(void **state)
{
    (void)state;
    processes("0::/a\n");
    put("a/cpu.max", "max 100000\n");
    put("a/memory.max", "max\n");
    assert_true(quota() == UINT_MAX);
    assert_true(limit() == UINT64_MAX);
}

static void version2_the_root_alone(void **state)
{
    (void)state;
    processes("0::/\n");
    put("cpu.max", "150000 100000\n");
    put("memory.max", "123456\n");
    assert_int_equal(quota(), 2);
    assert_int_equal(limit(), 123456);
}

static void a_path_from_outside_ends_at_the_root(void **state)
{
    (void)state;
    static const char *const lines[] = {"0::/docker/0123abcd\n", "0::/../../sibling\n", "0::/..\n"};
    put("cpu.max", "300000 100000\n");
    put("memory.max", "5000000\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        processes(lines[i]);
        assert_int_equal(quota(), 3);
        assert_int_equal(limit(), 5000000);
    }
}

/* Nothing above the root may be asked, not even by a path that points there. */
static void a_path_cannot_lead_out(void **state)
{
    (void)state;
    char outside[PATH_MAX + 32];
    snprintf(outside, sizeof outside, "%s/memory.max", folder);
    write_file(outside, "4096\n");
    processes("0::/..\n");
    assert_true(limit() == UINT64_MAX);
    processes("0::/a/../..\n");
    assert_true(limit() == UINT64_MAX);
    processes("0::/..name\n"); /* an odd name, but a name */
    put("..name/memory.max", "8192\n");
    assert_int_equal(limit(), 8192);
}

static void a_small_quota_is_one_processor(void **state)
{
    (void)state;
    processes("0::/a\n");
    put("a/cpu.max", "1000 100000\n");
    assert_int_equal(quota(), 1);
    put("a/cpu.max", "100001 100000\n");
    assert_int_equal(quota(), 2);
}

/* ---- Version 1 and both ---------------------------------------------------------------- */

static void version1_groups(void **state)
{
    (void)state;
    processes("12:memory:/box/inner\n"
              "7:cpuset:/\n"
              "4:cpu,cpuacct:/box\n"
              "1:name=systemd:/box\n");
    put("cpu,cpuacct/box/cpu.cfs_quota_us", "350000\n");
    put("cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
    put("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    put("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    put("memory/box/inner/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/box/memory.limit_in_bytes", "2147483648\n");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(quota(), 4);
    assert_int_equal(limit(), UINT64_C(2147483648));
}

static void version1_without_limits(void **state)
{
    (void)state;
    processes("2:memory:/\n3:cpu:/\n");
    put("cpu/cpu.cfs_quota_us", "-1\n");
    put("cpu/cpu.cfs_period_us", "100000\n");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_true(quota() == UINT_MAX);
    assert_true(limit() == UINT64_MAX);
}

static void version1_folder_by_controller_name(void **state)
{
    (void)state;
    processes("4:cpuacct,cpu:/box\n");
    put("cpu/box/cpu.cfs_quota_us", "200000\n");
    put("cpu/box/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota(), 2);
}

static void version1_names_are_compared_whole(void **state)
{
    (void)state;
    processes("4:cpuacct:/box\n5:cpuset:/box\n6:xcpu:/box\n");
    put("cpu/box/cpu.cfs_quota_us", "200000\n");
    put("cpu/box/cpu.cfs_period_us", "100000\n");
    assert_true(quota() == UINT_MAX);
}

static void version1_inside_a_container(void **state)
{
    (void)state;
    processes("4:cpu,cpuacct:/docker/abc\n5:memory:/docker/abc\n");
    put("cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
    put("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    put("memory/memory.limit_in_bytes", "1048576\n");
    assert_int_equal(quota(), 1);
    assert_int_equal(limit(), 1048576);
}

static void both_versions_together(void **state)
{
    (void)state;
    processes("5:memory:/box\n4:cpu,cpuacct:/box\n0::/slice/unit\n");
    put("cpu,cpuacct/box/cpu.cfs_quota_us", "600000\n");
    put("cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
    put("memory/box/memory.limit_in_bytes", "4000000\n");
    assert_int_equal(quota(), 6);
    assert_int_equal(limit(), 4000000);
    put("unified/slice/cpu.max", "500000 100000\n");
    put("unified/slice/unit/memory.max", "3000000\n");
    assert_int_equal(quota(), 5);
    assert_int_equal(limit(), 3000000);
}

/* ---- Malformed ------------------------------------------------------------------------- */

static void malformed_files_are_no_limit(void **state)
{
    (void)state;
    static const char *const cpu[] = {"",
                                      "\n",
                                      "100000\n",
                                      "100000 0\n",
                                      "0 100000\n",
                                      "x y",
                                      "-1 100000\n",
                                      "100000 -5\n",
                                      "100000 100000 7\n",
                                      "1e5 100000\n",
                                      "99999999999999999999999999 100000\n"};
    static const char *const memory[] = {"",       "\n",
                                         "lots\n", "-1\n",
                                         "0\n",    "12 34\n",
                                         "12k\n",  "99999999999999999999999999\n"};
    processes("0::/a\n4:cpu:/\n5:memory:/\n");
    for (size_t i = 0; i < sizeof cpu / sizeof cpu[0]; i++) {
        put("a/cpu.max", cpu[i]);
        if (quota() != UINT_MAX)
            fail_msg("cpu.max \"%s\" gave %u", cpu[i], quota());
    }
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        put("a/memory.max", memory[i]);
        put("memory/memory.limit_in_bytes", memory[i]);
        if (limit() != UINT64_MAX)
            fail_msg("memory.max \"%s\" gave %ju", memory[i], (uintmax_t)limit());
    }
    put("cpu/cpu.cfs_quota_us", "100000\n"); /* no period */
    assert_true(quota() == UINT_MAX);
    put("cpu/cpu.cfs_period_us", "0\n");
    assert_true(quota() == UINT_MAX);
    put("cpu/cpu.cfs_period_us", "100000"); /* no line end is fine */
    assert_int_equal(quota(), 1);
}

static void malformed_lists_of_groups_are_no_limit(void **state)
{
    (void)state;
    static const char *const lines[] = {"",      "\n",     "0\n",         "0:\n",
                                        ":::\n", "1::/\n", "no colons\n", "cpu:/\n"};
    put("cpu.max", "100000 100000\n");
    put("cpu/cpu.cfs_quota_us", "100000\n");
    put("cpu/cpu.cfs_period_us", "100000\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        processes(lines[i]);
        if (quota() != UINT_MAX)
            fail_msg("\"%s\" gave %u", lines[i], quota());
    }
    processes("broken\n0::/\n"); /* a bad line does not spoil a good one */
    assert_int_equal(quota(), 1);
}

static void endless_lines_are_survived(void **state)
{
    (void)state;
    static char lines[200000];
    memset(lines, 'a', sizeof lines - 1);
    memcpy(lines, "0::/", 4);
    put("cpu.max", "100000 100000\n");
    processes(lines);
    (void)quota();
    (void)limit();
}

static void missing_trees_are_no_limit(void **state)
{
    (void)state;
    assert_true(ps__topology_quota("/nonexistent/file", root) == UINT_MAX);
    assert_true(ps__topology_memory_limit("/nonexistent/file", root) == UINT64_MAX);
    processes("0::/a\n");
    assert_true(ps__topology_quota(proc, "/nonexistent/tree") == UINT_MAX);
}

/* ---- This machine ---------------------------------------------------------------------- */

static void the_machine_has_processors_and_memory(void **state)
{
    (void)state;
    unsigned processors = ps__topology_processors();
    long configured = sysconf(_SC_NPROCESSORS_CONF);
    assert_true(processors >= 1);
    assert_true((long)processors <= configured);
    uint64_t physical = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    assert_true(ps__topology_memory() >= 1 << 20);
    assert_true(ps__topology_memory() <= physical);
}

static void the_affinity_mask_counts(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++) {
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(ps__topology_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_true(ps__topology_processors() <= (unsigned)CPU_COUNT(&before));
}

#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, tree_create, tree_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TREE(version2_own_group),
        WITH_TREE(version2_the_least_of_all_parents_counts),
        WITH_TREE(version2_other_groups_do_not_count),
        WITH_TREE(version2_max_is_no_limit),
        WITH_TREE(version2_the_root_alone),
        WITH_TREE(a_path_from_outside_ends_at_the_root),
        WITH_TREE(a_path_cannot_lead_out),
        WITH_TREE(a_small_quota_is_one_processor),
        WITH_TREE(version1_groups),
        WITH_TREE(version1_without_limits),
        WITH_TREE(version1_folder_by_controller_name),
        WITH_TREE(version1_names_are_compared_whole),
        WITH_TREE(version1_inside_a_container),
        WITH_TREE(both_versions_together),
        WITH_TREE(malformed_files_are_no_limit),
        WITH_TREE(malformed_lists_of_groups_are_no_limit),
        WITH_TREE(endless_lines_are_survived),
        WITH_TREE(missing_trees_are_no_limit),
        cmocka_unit_test(the_machine_has_processors_and_memory),
        cmocka_unit_test(the_affinity_mask_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
