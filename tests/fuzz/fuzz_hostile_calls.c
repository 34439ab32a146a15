/* Random calls of every public function, about half of them wrong in some argument.
 *
 * Each returns a status, and if that is a failure a text; a call that fails has queued nothing. A
 * sanitizer's build sees reads and writes out of place, undefined arithmetic and leaks. The calls
 * are made in a child: when it dies, its parent tells which call it was, and the seed.
 *
 *   PENSTOCK_FUZZ_CALLS   how many (10000)
 *   PENSTOCK_FUZZ_SEED    another sequence of calls (1)
 *   PENSTOCK_FUZZ_TRACE   1: prints each call's name
 *
 * A function that penstock.h declares and no list has is a failure. */
#include "fuzz/support/hostile.h"
#include "ops/support/sanitized.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const hostile_call *const lists[] = {hostile_engine_calls, hostile_task_calls,
                                            hostile_tensor_calls, hostile_index_calls,
                                            hostile_op_calls,     hostile_other_calls,
                                            hostile_grad_calls,   hostile_update_calls};
enum { LISTS = sizeof lists / sizeof lists[0], CALLS_MOST = 256 };

/* What the child has come to; read by its parent. */
typedef struct progress {
    uint64_t call, succeeded;
    char name[64];
    uint64_t made[CALLS_MOST], fine[CALLS_MOST]; /* by function */
} progress;

static progress *seen;

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- no function is forgotten ------------------------------------------------------------ */

static bool have(const char *name, size_t length)
{
    for (size_t l = 0; l < LISTS; l++)
        for (const hostile_call *at = lists[l]; at->name != NULL; at++)
            if (strlen(at->name) == length && memcmp(at->name, name, length) == 0)
                return true;
    return false;
}

/* The name is what stands before the first parenthesis after PS_API. */
static unsigned check_line(const char *line)
{
    const char *api = strstr(line, "PS_API "), *end = api != NULL ? strchr(api, '(') : NULL;
    if (end == NULL || strstr(line, "#define") != NULL)
        return 0;
    const char *name = end;
    while (name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z'))
        name--;
    if (!have(name, (size_t)(end - name))) {
        printf("%.*s is called by no test here\n", (int)(end - name), name);
        return 1000;
    }
    return 1;
}

static bool nothing_forgotten(void)
{
    char line[512];
    unsigned found = 0;
    FILE *header = fopen(PENSTOCK_HEADER, "r");
    while (header != NULL && fgets(line, sizeof line, header) != NULL)
        found += check_line(line);
    if (header != NULL)
        fclose(header);
    unsigned listed = 0;
    for (size_t l = 0; l < LISTS; l++)
        for (const hostile_call *at = lists[l]; at->name != NULL; at++)
            listed++;
    if (found != listed)
        printf("%u functions in the header, %u in the lists\n", found, listed);
    return found == listed;
}

/* ---- the child --------------------------------------------------------------------------- */

static uint64_t pushed(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < 2; i++) {
        ps_engine_stats stats = {.size = sizeof stats};
        if (ps_engine_get_stats(world.engines[i], &stats) == PS_OK)
            sum += stats.pushed;
    }
    return sum;
}

/* Picks by weight; *index is its place in all lists together. */
static const hostile_call *choose(size_t *index)
{
    size_t total = 0;
    for (size_t l = 0; l < LISTS; l++)
        for (const hostile_call *at = lists[l]; at->name != NULL; at++)
            total += at->weight;
    size_t left = below(total);
    *index = 0;
    for (size_t l = 0; l < LISTS; l++)
        for (const hostile_call *at = lists[l]; at->name != NULL; at++, ++*index) {
            if (left < at->weight)
                return at;
            left -= at->weight;
        }
    return NULL;
}

/* A failure has a text; asking for it looks for the place. */
static bool told(const hostile_call *call, ps_status status)
{
    if (status == PS_OK)
        return true;
    ps_error_info info = {.size = sizeof info};
    bool fine = strcmp(ps_status_name(status), "PS_UNKNOWN") != 0 || strstr(call->name, "fail");
    if (!fine || ps_last_error()[0] == '\0' || ps_last_error_info(&info) != PS_OK ||
        info.text[0] == '\0') {
        printf("%s: status %d, text \"%s\"\n", call->name, (int)status, ps_last_error());
        return false;
    }
    return true;
}

static bool make_calls(uint64_t seed, uint64_t count, bool trace)
{
    chance_seed(seed);
    for (uint64_t i = 0; i < count; i++) {
        size_t index;
        const hostile_call *call = choose(&index);
        seen->call = i;
        snprintf(seen->name, sizeof seen->name, "%s", call->name);
        if (trace)
            fprintf(stderr, "%llu %s\n", (unsigned long long)i, call->name);
        ps_status status = call->make();
        if (trace)
            fprintf(stderr, "  %d %s\n", (int)status, status != PS_OK ? ps_last_error() : "");
        if (!told(call, status))
            return false;
        seen->made[index]++;
        seen->fine[index] += status == PS_OK;
        seen->succeeded += status == PS_OK;
    }
    return true;
}

/* The library's limit is on the CPU's memory; the machine's own bounds what other devices take.
 * Sanitizers reserve more than any such bound. */
static void limit_memory(void)
{
    struct rlimit most = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    ps_memory_set_limit(128 << 20);
    if (!SANITIZED && setrlimit(RLIMIT_DATA, &most) != 0)
        perror("setrlimit");
}

static int child(uint64_t seed, uint64_t count, const char *folder)
{
    limit_memory();
    world_create(folder);
    (void)pushed();
    bool fine = make_calls(seed, count, setting("PENSTOCK_FUZZ_TRACE", 0) != 0);
    (void)ps_thread_set_hooks(NULL);
    snprintf(seen->name, sizeof seen->name, "the end");
    world_destroy();
    return fine ? 0 : 1;
}

/* ---- the parent -------------------------------------------------------------------------- */

static void clean(const char *folder)
{
    static const char *const names[] = {"world.params", "one.params"};
    char path[512];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

/* Some need a task, which calls them itself (hostile_tasks.c); one comes too late after the first
 * matrix product. */
static bool may_never_succeed(const char *name)
{
    return strncmp(name, "ps_task_", 8) == 0 || strcmp(name, "ps_complete") == 0 ||
           strcmp(name, "ps_blas_propose") == 0;
}

/* Half of all calls come through, and of every function some: else the arguments are too wrong to
 * reach anything. */
static bool deep_enough(uint64_t count)
{
    bool fine = seen->succeeded >= count * 2 / 5 && seen->succeeded <= count * 4 / 5;
    size_t index = 0;
    for (size_t l = 0; l < LISTS; l++)
        for (const hostile_call *at = lists[l]; at->name != NULL; at++, index++)
            if (seen->made[index] > 200 && seen->fine[index] == 0 && !may_never_succeed(at->name)) {
                printf("%s: none of %llu calls succeeded\n", at->name,
                       (unsigned long long)seen->made[index]);
                fine = false;
            }
    return fine;
}

int main(void)
{
    uint64_t count = setting("PENSTOCK_FUZZ_CALLS", 10000), seed = setting("PENSTOCK_FUZZ_SEED", 1);
    char folder[] = "/tmp/penstock-hostile-XXXXXX";
    if (!nothing_forgotten() || mkdtemp(folder) == NULL)
        return 1;
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen == MAP_FAILED)
        return 1;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        exit(child(seed, count, folder));
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return 1;
    clean(folder);
    bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    printf("seed %llu: %llu calls, %llu succeeded\n", (unsigned long long)seed,
           (unsigned long long)seen->call + 1, (unsigned long long)seen->succeeded);
    if (!fine)
        printf("ended with %s %d at call %llu, %s; PENSTOCK_FUZZ_SEED=%llu makes them again\n",
               WIFSIGNALED(status) ? "signal" : "status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
               (unsigned long long)seen->call, seen->name, (unsigned long long)seed);
    return fine && deep_enough(count) ? 0 : 1;
}
