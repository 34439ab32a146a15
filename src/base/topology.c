/* What this process may use of the machine: the affinity mask and the limits of its cgroups.
 *
 * /proc/self/cgroup has a line "id:controllers:path" per hierarchy. Version 2 is the line
 * "0::path", its files lie under the cgroup root (or under "unified" there, when version 1 has the
 * root); a version 1 line names its controllers, and its files lie under the folder of that name.
 * A limit binds all groups below it, so every group from the process's own up to the root is
 * asked and the least answer counts. That also covers containers that see a path from outside:
 * the folders do not exist, and the walk ends at the root, which is the container's own group.
 *
 * "No limit" is UINT_MAX processors and UINT64_MAX bytes. Whatever is missing, unreadable or
 * malformed is no limit: a wrong guess here costs speed, a refusal to start costs everything. */
#include "base/topology.h"

#include "base/virtual.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

enum { PATH_BYTES = 2 * PATH_MAX };

/* From here up a limit is one that nobody set: version 1 shows "none" as the largest multiple of
 * the page size in 63 bits. */
static const uint64_t UNLIMITED_BYTES = UINT64_C(1) << 62;

/* What one group's folder allows, read from the files of its version. */
typedef uint64_t (*read_limit)(const char *folder);

/* The two readers of one resource, and the version 1 controller that has it. */
struct resource {
    const char *controller;
    read_limit version1, version2;
};

/* ---- The files of one group ------------------------------------------------------------ */

/* The text of folder/name without its line end; false if there is none. */
static bool read_file(const char *folder, const char *name, char *text, size_t capacity)
{
    int place = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (place < 0)
        return false;
    int file = openat(place, name, O_RDONLY | O_CLOEXEC);
    close(place);
    if (file < 0)
        return false;
    ssize_t length = read(file, text, capacity - 1);
    close(file);
    if (length <= 0)
        return false;
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return true;
}

/* Reads a positive whole number at *cursor and moves past it. */
static bool read_number(const char **cursor, uint64_t *number)
{
    if (**cursor < '0' || **cursor > '9')
        return false;
    char *end;
    errno = 0;
    *number = strtoull(*cursor, &end, 10);
    *cursor = end;
    return errno == 0 && *number > 0;
}

/* A file that holds one positive whole number and nothing else. */
static bool read_number_file(const char *folder, const char *name, uint64_t *number)
{
    char text[64];
    const char *cursor = text;
    return read_file(folder, name, text, sizeof text) && read_number(&cursor, number) &&
           *cursor == '\0';
}

/* Part of a processor counts as one: a thread can use it. */
static uint64_t processors_of(uint64_t quota, uint64_t period)
{
    return quota / period + (quota % period != 0);
}

static uint64_t cpu_version2(const char *folder)
{
    char text[64];
    const char *cursor = text;
    uint64_t quota, period;
    if (!read_file(folder, "cpu.max", text, sizeof text) || !read_number(&cursor, &quota) ||
        *cursor++ != ' ' || !read_number(&cursor, &period) || *cursor != '\0')
        return UINT64_MAX; /* "max 100000" among others */
    return processors_of(quota, period);
}

static uint64_t cpu_version1(const char *folder)
{
    uint64_t quota, period;
    if (!read_number_file(folder, "cpu.cfs_quota_us", &quota) || /* -1 among others */
        !read_number_file(folder, "cpu.cfs_period_us", &period))
        return UINT64_MAX;
    return processors_of(quota, period);
}

static uint64_t memory_limit(const char *folder, const char *name)
{
    uint64_t bytes;
    if (!read_number_file(folder, name, &bytes) || bytes >= UNLIMITED_BYTES)
        return UINT64_MAX;
    return bytes;
}

static uint64_t memory_version2(const char *folder)
{
    return memory_limit(folder, "memory.max");
}

static uint64_t memory_version1(const char *folder)
{
    return memory_limit(folder, "memory.limit_in_bytes");
}

static const struct resource cpu = {"cpu", cpu_version1, cpu_version2};
static const struct resource memory = {"memory", memory_version1, memory_version2};

/* ---- The groups of the process --------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The cgroup root, and room for the texts on the way through it. */
struct walk {
    const char *cgroup_root;
    char line[PATH_BYTES], folder[PATH_BYTES];
};

/* The least limit of mount/path and all folders above it up to the mount, which is a folder of the
 * cgroup root, or with "" that itself. */
static uint64_t walk_up(struct walk *walk, const char *mount, const char *path, read_limit limit_of)
{
    char *folder = walk->folder;
    const char *slash = *mount ? "/" : "";
    size_t root = strlen(walk->cgroup_root) + strlen(slash) + strlen(mount);
    if ((size_t)snprintf(folder, PATH_BYTES, "%s%s%s%s", walk->cgroup_root, slash, mount, path) >=
        PATH_BYTES)
        return UINT64_MAX;
    uint64_t limit = limit_of(folder);
    for (size_t end = strlen(folder); end > root;) {
        while (end > root && folder[end - 1] != '/')
            end--;
        while (end > root && folder[end - 1] == '/')
            end--;
        folder[end] = '\0';
        limit = least(limit, limit_of(folder));
    }
    return limit;
}

/* Whether "cpu,cpuacct" names the controller. */
static bool names_controller(const char *list, const char *controller)
{
    size_t length = strlen(controller);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, controller, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* A path that leads out of the process's view of the tree ("/../other") names nothing that can
 * be seen; the root of the view is what is left. */
static const char *visible(const char *path)
{
    if (*path != '/')
        return "";
    for (const char *at = strstr(path, "/.."); at; at = strstr(at + 1, "/..")) {
        if (at[3] == '/' || at[3] == '\0')
            return "";
    }
    return path;
}

/* The limit that a line of /proc/self/cgroup leads to. Cuts it into its fields. */
static uint64_t limit_of_line(struct walk *walk, const struct resource *resource)
{
    char *line = walk->line;
    line[strcspn(line, "\n")] = '\0';
    char *list = strchr(line, ':');
    char *path = list ? strchr(list + 1, ':') : NULL;
    if (!path)
        return UINT64_MAX;
    *list++ = '\0';
    *path++ = '\0';
    const char *group = visible(path);
    if (strcmp(line, "0") == 0 && *list == '\0')
        return least(walk_up(walk, "", group, resource->version2),
                     walk_up(walk, "unified", group, resource->version2));
    if (!names_controller(list, resource->controller))
        return UINT64_MAX;
    /* Mounted under the whole list, and usually also under each name by a link. */
    return least(walk_up(walk, list, group, resource->version1),
                 walk_up(walk, resource->controller, group, resource->version1));
}

static uint64_t limit_of_process(const char *proc_cgroup, const char *cgroup_root,
                                 const struct resource *resource)
{
    struct walk *walk = ps__calloc(1, sizeof *walk); /* the stack may be a small one */
    FILE *file = walk ? fopen(proc_cgroup, "re") : NULL;
    uint64_t limit = UINT64_MAX;
    if (file) {
        walk->cgroup_root = cgroup_root;
        while (fgets(walk->line, sizeof walk->line, file))
            limit = least(limit, limit_of_line(walk, resource));
        fclose(file);
    }
    ps__free(walk);
    return limit;
}

unsigned ps__topology_quota(const char *proc_cgroup, const char *cgroup_root)
{
    return (unsigned)least(limit_of_process(proc_cgroup, cgroup_root, &cpu), UINT_MAX);
}

uint64_t ps__topology_memory_limit(const char *proc_cgroup, const char *cgroup_root)
{
    return limit_of_process(proc_cgroup, cgroup_root, &memory);
}

/* ---- Where the groups are -------------------------------------------------------------- */

#define PROC_CGROUP "/proc/self/cgroup"
#define CGROUP_ROOT "/sys/fs/cgroup"

#ifdef PENSTOCK_TESTING

static const char *pretended_proc, *pretended_root; /* NULL: the machine's own */

void ps__topology_pretend(const char *proc_cgroup, const char *cgroup_root)
{
    pretended_proc = proc_cgroup;
    pretended_root = cgroup_root;
}

static const char *proc_cgroup(void)
{
    return pretended_proc ? pretended_proc : PROC_CGROUP;
}

static const char *cgroup_root(void)
{
    return pretended_root ? pretended_root : CGROUP_ROOT;
}

#else

static inline const char *proc_cgroup(void)
{
    return PROC_CGROUP;
}

static inline const char *cgroup_root(void)
{
    return CGROUP_ROOT;
}

#endif

/* ---- The machine ----------------------------------------------------------------------- */

/* Processors in the affinity mask; 0 if it cannot be read. The kernel refuses a set smaller than
 * its own, whose size it does not tell: so larger ones are tried. */
static unsigned affinity(void)
{
    for (size_t processors = 1024; processors <= 1u << 20; processors *= 4) {
        size_t bytes = CPU_ALLOC_SIZE(processors);
        cpu_set_t *set = ps__calloc(1, bytes);
        if (!set)
            return 0;
        int result = sched_getaffinity(0, bytes, set);
        bool too_small = result != 0 && errno == EINVAL;
        unsigned count = result == 0 ? (unsigned)CPU_COUNT_S(bytes, set) : 0;
        ps__free(set);
        if (!too_small)
            return count;
    }
    return 0;
}

unsigned ps__topology_processors(void)
{
#ifdef PENSTOCK_TESTING
    if (ps__virtual_on())
        return ps__virtual_cores();
#endif
    unsigned count = affinity();
    if (count == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        count = online > 0 ? (unsigned)online : 1;
    }
    return (unsigned)least(count, ps__topology_quota(proc_cgroup(), cgroup_root()));
}

uint64_t ps__topology_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    uint64_t physical = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    return least(physical, ps__topology_memory_limit(proc_cgroup(), cgroup_root()));
}
