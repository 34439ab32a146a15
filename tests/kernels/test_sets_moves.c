/* gather, scatter, fill, copy2d and stream of every set, the reference among them, against plain
 * loops over bytes. What lies between the elements must stay as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/support/arena.h"
#include "kernels/support/sets.h"

static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 255, 400};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const ptrdiff_t steps[] = {1, 2, 3, 4, 5, 0, -1, -2, -3}; /* in elements */
enum { STEPS = sizeof steps / sizeof *steps };

static guarded ours, plain, source;

static int begin(void **state)
{
    (void)state;
    ours = arena_make();
    plain = arena_make();
    source = arena_make();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&ours);
    arena_free(&plain);
    arena_free(&source);
    return 0;
}

/* Bytes that tell where they come from. */
static void fill_source(void)
{
    uint32_t seed = 1;
    for (size_t i = 0; i < ARENA_BYTES; i++) {
        seed = seed * 1664525 + 1013904223;
        source.bytes[i] = (unsigned char)(seed >> 24);
    }
}

static void clear(void)
{
    memset(ours.bytes, ARENA_FILL, ARENA_BYTES);
    memset(plain.bytes, ARENA_FILL, ARENA_BYTES);
}

static void compare(const ps__kernel_set *set, const char *what, size_t element, size_t n,
                    ptrdiff_t step)
{
    if (memcmp(ours.bytes, plain.bytes, ARENA_BYTES) != 0)
        fail_msg("%s: %s of %zu elements of %zu bytes, stride %td elements, is wrong", set->name,
                 what, n, element, step);
}

/* Where the first of n elements `step` apart lies, so that all lie in the arena: against its end for
 * even sizes, at a small offset for odd ones. */
static size_t first_of(size_t n, size_t element, ptrdiff_t step, bool at_end)
{
    size_t apart = (size_t)(step < 0 ? -step : step);
    size_t span = n ? ((n - 1) * apart + 1) * element : 0;
    size_t low = at_end ? ARENA_BYTES - span : 3 * element;
    return step < 0 && n ? low + (n - 1) * apart * element : low;
}

/* ---- Along one stride ------------------------------------------------------------------ */

static void check_gather(const ps__kernel_set *set, int log, size_t n, ptrdiff_t step)
{
    size_t element = (size_t)1 << log;
    ptrdiff_t stride = step * (ptrdiff_t)element;
    const unsigned char *in = source.bytes + first_of(n, element, step, n % 2);
    size_t to = first_of(n, element, 1, n % 3 == 0);
    clear();
    for (size_t i = 0; i < n; i++)
        memcpy(plain.bytes + to + i * element, in + (ptrdiff_t)i * stride, element);
    set->gather[log](n, ours.bytes + to, in, stride);
    compare(set, "gather", element, n, step);
}

static void check_scatter(const ps__kernel_set *set, int log, size_t n, ptrdiff_t step)
{
    size_t element = (size_t)1 << log;
    ptrdiff_t stride = step * (ptrdiff_t)element;
    const unsigned char *in = source.bytes + first_of(n, element, 1, n % 2);
    size_t to = first_of(n, element, step, n % 3 == 0);
    clear();
    for (size_t i = 0; i < n; i++)
        memcpy(plain.bytes + to + (ptrdiff_t)i * stride, in + i * element, element);
    set->scatter[log](n, ours.bytes + to, stride, in);
    compare(set, "scatter", element, n, step);
}

static void check_fill(const ps__kernel_set *set, int log, size_t n)
{
    size_t element = (size_t)1 << log, to = first_of(n, element, 1, n % 2);
    const unsigned char *in = source.bytes + n * element;
    clear();
    for (size_t i = 0; i < n; i++)
        memcpy(plain.bytes + to + i * element, in, element);
    set->fill[log](n, ours.bytes + to, in);
    compare(set, "fill", element, n, 0);
}

static void check_strides(const ps__kernel_set *set)
{
    for (int log = 0; log < 5; log++) {
        for (size_t s = 0; s < SIZES; s++) {
            check_fill(set, log, sizes[s]);
            for (size_t k = 0; k < STEPS; k++) {
                check_gather(set, log, sizes[s], steps[k]);
                check_scatter(set, log, sizes[s], steps[k]);
            }
        }
    }
}

static void strides_are_walked(void **state)
{
    fill_source();
    check_strides(sets_of(state));
}

/* ---- Two strides ----------------------------------------------------------------------- */

/* How a matrix lies: distances in elements, and where its element (0, 0) is. */
typedef struct matrix {
    ptrdiff_t row, column;
    size_t first;
} matrix;

enum { MATRICES = 8 };

/* By rows, by columns, each with a gap, with a step between elements, and backwards. */
static matrix matrix_make(int kind, size_t rows, size_t columns)
{
    ptrdiff_t r = (ptrdiff_t)rows, c = (ptrdiff_t)columns;
    size_t last = rows * columns - 1;
    switch (kind) {
    case 0:
        return (matrix){c, 1, 0};
    case 1:
        return (matrix){1, r, 0};
    case 2:
        return (matrix){c + 3, 1, 1};
    case 3:
        return (matrix){1, r + 5, 2};
    case 4:
        return (matrix){2 * c + 1, 2, 0};
    case 5:
        return (matrix){3, 3 * r, 1};
    case 6:
        return (matrix){-c, -1, last};
    default:
        return (matrix){-1, r, rows - 1};
    }
}

static void check_copy2d(const ps__kernel_set *set, int log, size_t rows, size_t columns, int to,
                         int from)
{
    size_t element = (size_t)1 << log;
    matrix out = matrix_make(to, rows, columns), in = matrix_make(from, rows, columns);
    clear();
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            ptrdiff_t o = (ptrdiff_t)out.first + (ptrdiff_t)r * out.row + (ptrdiff_t)c * out.column;
            ptrdiff_t i = (ptrdiff_t)in.first + (ptrdiff_t)r * in.row + (ptrdiff_t)c * in.column;
            memcpy(plain.bytes + (size_t)o * element, source.bytes + (size_t)i * element, element);
        }
    }
    ptrdiff_t bytes = (ptrdiff_t)element;
    set->copy2d[log](rows, columns, ours.bytes + out.first * element, out.row * bytes,
                     out.column * bytes, source.bytes + in.first * element, in.row * bytes,
                     in.column * bytes);
    if (memcmp(ours.bytes, plain.bytes, ARENA_BYTES) != 0)
        fail_msg("%s: copy2d of %zu x %zu elements of %zu bytes, layouts %d to %d, is wrong",
                 set->name, rows, columns, element, from, to);
}

static void check_matrices(const ps__kernel_set *set)
{
    static const size_t shapes[][2] = {{1, 1},   {1, 17},  {17, 1},  {2, 2},  {3, 5},   {4, 4},
                                       {7, 9},   {8, 8},   {9, 16},  {16, 9}, {16, 16}, {17, 33},
                                       {32, 16}, {33, 17}, {15, 31}, {5, 64}, {64, 5},  {23, 22}};
    for (int log = 0; log < 5; log++) {
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            for (int pair = 0; pair < MATRICES * MATRICES; pair++)
                check_copy2d(set, log, shapes[s][0], shapes[s][1], pair / MATRICES,
                             pair % MATRICES);
        }
    }
}

/* One element for a whole row or column: an input's stride may be 0. And nothing to copy. */
static void check_broadcast(const ps__kernel_set *set)
{
    for (int log = 0; log < 5; log++) {
        ptrdiff_t element = (ptrdiff_t)1 << log;
        for (int kind = 0; kind < 3; kind++) {
            ptrdiff_t in_row = kind & 1 ? element : 0, in_column = kind & 2 ? element : 0;
            clear();
            for (ptrdiff_t r = 0; r < 13; r++) {
                for (ptrdiff_t c = 0; c < 21; c++)
                    memcpy(plain.bytes + (r * 21 + c) * element,
                           source.bytes + r * in_row + c * in_column, (size_t)element);
            }
            set->copy2d[log](13, 21, ours.bytes, 21 * element, element, source.bytes, in_row,
                             in_column);
            compare(set, "copy2d with a stride of 0", (size_t)element, 13 * 21, kind);
        }
        clear();
        set->copy2d[log](0, 21, ours.bytes, element, element, source.bytes, element, element);
        set->copy2d[log](13, 0, ours.bytes, element, element, source.bytes, element, element);
        compare(set, "copy2d of nothing", (size_t)element, 0, 0);
    }
}

static void matrices_are_copied(void **state)
{
    fill_source();
    check_matrices(sets_of(state));
    check_broadcast(sets_of(state));
}

/* Large enough for any blocks that a transposition is done in. */
static void check_large(const ps__kernel_set *set)
{
    enum { ROWS = 131, COLUMNS = 267 };
    for (int log = 0; log < 5; log++) {
        size_t element = (size_t)1 << log, bytes = ROWS * COLUMNS * element;
        unsigned char *in = malloc(bytes), *out = malloc(bytes);
        assert_true(in && out);
        for (size_t i = 0; i < bytes; i++)
            in[i] = (unsigned char)(i * 2654435761u >> 11);
        set->copy2d[log](ROWS, COLUMNS, out, (ptrdiff_t)element, ROWS * (ptrdiff_t)element, in,
                         COLUMNS * (ptrdiff_t)element, (ptrdiff_t)element);
        for (size_t r = 0; r < ROWS; r++) {
            for (size_t c = 0; c < COLUMNS; c++) {
                if (memcmp(out + (c * ROWS + r) * element, in + (r * COLUMNS + c) * element,
                           element) != 0)
                    fail_msg("%s: transposition of %zu bytes, (%zu, %zu) is wrong", set->name,
                             element, r, c);
            }
        }
        free(in);
        free(out);
    }
}

static void large_matrices_are_transposed(void **state)
{
    check_large(sets_of(state));
}

/* ---- Streams --------------------------------------------------------------------------- */

static void check_stream(const ps__kernel_set *set)
{
    for (size_t bytes = 0; bytes < 3000; bytes += bytes < 300 ? 1 : 61) {
        for (size_t offset = 0; offset < 4; offset++) {
            size_t to = offset == 3 ? ARENA_BYTES - bytes : offset * 7;
            const unsigned char *in =
                offset == 2 ? source.bytes + ARENA_BYTES - bytes : source.bytes + offset * 5;
            clear();
            memcpy(plain.bytes + to, in, bytes);
            set->stream(ours.bytes + to, in, bytes);
            compare(set, "stream", 1, bytes, 0);
        }
    }
}

static void streams_copy(void **state)
{
    fill_source();
    check_stream(sets_of(state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_ALL_SETS(strides_are_walked, begin, end),
        ON_ALL_SETS(matrices_are_copied, begin, end),
        ON_ALL_SETS(large_matrices_are_transposed, NULL, NULL),
        ON_ALL_SETS(streams_copy, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
