/* Places of maxima: NaN is larger than all, the first of equal ones stays; the same from every instruction
 * set, for any number of elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kernels/places.h"

enum { MOST = 70, LINES = 5 };

static double lines[LINES][MOST];

static int begin(void **state)
{
    static const double special[] = {NAN, -INFINITY, INFINITY, 0};
    (void)state;
    for (int k = 0; k < LINES; k++)
        for (int i = 0; i < MOST; i++)
            lines[k][i] = (i + k) % 7 == 0 ? special[(i + 2 * k) % 4] : (i * 11 + k * 5) % 9 - 4;
    return 0;
}

static int64_t place_of(int i)
{
    int64_t place = 0;
    for (int k = 1; k < LINES; k++) {
        double most = lines[place][i], next = lines[k][i];
        if (next > most || (isnan(next) && !isnan(most)))
            place = k;
    }
    return place;
}

static double at(ps_dtype dtype, const void *elements, size_t i)
{
    float single;
    double wide;
    memcpy(&single, (const char *)elements + i * sizeof single, sizeof single);
    memcpy(&wide, (const char *)elements + i * sizeof wide * (dtype == PS_FLOAT64), sizeof wide);
    return dtype == PS_FLOAT32 ? (double)single : wide;
}

static const void *line(ps_dtype dtype, int k, float *room)
{
    for (int i = 0; i < MOST; i++)
        room[i] = (float)lines[k][i];
    return dtype == PS_FLOAT32 ? (const void *)room : lines[k];
}

static void check_set(const ps__kernel_set *set, ps_dtype dtype, size_t n)
{
    const ps__place_kernels *kernels = ps__place_kernels_of(set, dtype);
    double most[MOST], chosen[MOST] = {0}, only[MOST], pairs[2 * MOST];
    int64_t places[MOST] = {0};
    float room[MOST];
    memcpy(most, line(dtype, 0, room), n * (dtype == PS_FLOAT32 ? 4 : 8));
    for (int k = 1; k < LINES; k++)
        kernels->larger(n, line(dtype, k, room), k, most, places);
    for (int k = 0; k < LINES; k++)
        kernels->choose(n, line(dtype, k, room), k, places, chosen);
    for (int k = 0; k < LINES; k++) {
        kernels->only(n, line(dtype, 1, room), k, places, only);
        kernels->pairs(n, line(dtype, 1, room), k - 1, places, pairs);
        for (size_t i = 0; i < n; i++) {
            double here = place_of((int)i) == k ? lines[1][i] : 0;
            double found = at(dtype, only, i), pair = at(dtype, pairs, 2 * i + 1);
            assert_true(found == here || (isnan(found) && isnan(here)));
            assert_true(pair == here || (isnan(pair) && isnan(here)));
        }
    }
    for (size_t i = 0; i < n; i++) {
        double wanted = lines[place_of((int)i)][i], found = at(dtype, most, i);
        assert_true(found == wanted || (isnan(found) && isnan(wanted)));
        found = at(dtype, chosen, i);
        assert_true(found == wanted || (isnan(found) && isnan(wanted)));
    }
}

static void every_set(void **state)
{
    static const char *const names[] = {"ref", "avx2", "avx512"};
    (void)state;
    for (size_t s = 0; s < 3; s++)
        for (size_t n = 0; n <= MOST && ps__kernels_find(names[s]) != NULL; n++) {
            check_set(ps__kernels_find(names[s]), PS_FLOAT32, n);
            check_set(ps__kernels_find(names[s]), PS_FLOAT64, n);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(every_set, begin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
