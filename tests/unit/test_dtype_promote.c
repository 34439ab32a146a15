/* Element types: names and sizes, and the type of a result whose operands' types differ, against the
 * array API standard's tables and the rules that dtype.h adds to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "dtype/dtype.h"

static void names_and_sizes(void **state)
{
    (void)state;
    static const size_t bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
    for (int i = 0; i < PS__DTYPES; i++) {
        ps_dtype found = PS_BOOL;
        assert_int_equal(ps_dtype_bytes((ps_dtype)i), bytes[i]);
        assert_true(ps__dtype_from_name(ps_dtype_name((ps_dtype)i), &found));
        assert_int_equal(found, i);
    }
#define CHECK(name, number, text) assert_string_equal(ps_dtype_name(PS_##name), text);
    PS_DTYPE_LIST(CHECK)
#undef CHECK
    ps_dtype untouched = PS_INT8;
    assert_false(ps__dtype_from_name("float", &untouched));
    assert_int_equal(untouched, PS_INT8);
    assert_int_equal(ps_dtype_bytes((ps_dtype)15), 0);
    assert_int_equal(ps_dtype_bytes((ps_dtype)-1), 0);
    assert_non_null(ps_dtype_name((ps_dtype)99));
}

static void types_are_found_by_name(void **state)
{
    (void)state;
    ps_dtype found = PS_BOOL;
#define CHECK(name, number, text)                                                                  \
    assert_int_equal(ps_dtype_find(text, &found), PS_OK);                                          \
    assert_int_equal(found, PS_##name);
    PS_DTYPE_LIST(CHECK)
#undef CHECK
    found = PS_INT8;
    static const char *const wrong[] = {"", "float", "Float32", "float32 ", "unknown dtype"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(ps_dtype_find(wrong[i], &found), PS_ERR_ARGUMENT);
        assert_non_null(strstr(ps_last_error(), wrong[i]));
    }
    assert_int_equal(ps_dtype_find(NULL, &found), PS_ERR_ARGUMENT);
    assert_int_equal(ps_dtype_find("int8", NULL), PS_ERR_ARGUMENT);
    assert_int_equal(found, PS_INT8);
}

static void promotion_is_public(void **state)
{
    (void)state;
    for (int a = 0; a < PS__DTYPES; a++) {
        for (int b = 0; b < PS__DTYPES; b++) {
            ps_dtype result = PS_BOOL;
            assert_int_equal(ps_dtype_promote((ps_dtype)a, (ps_dtype)b, &result), PS_OK);
            assert_int_equal(result, ps__promote((ps_dtype)a, (ps_dtype)b));
        }
    }
    ps_dtype untouched = PS_INT8;
    assert_int_equal(ps_dtype_promote((ps_dtype)15, PS_BOOL, &untouched), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "15"));
    assert_int_equal(ps_dtype_promote(PS_BOOL, (ps_dtype)-1, &untouched), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "-1"));
    assert_int_equal(ps_dtype_promote(PS_BOOL, PS_BOOL, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(untouched, PS_INT8);
}

static void kinds_parts_and_computing(void **state)
{
    (void)state;
    assert_int_equal(ps__dtypes[PS_COMPLEX64].real, PS_FLOAT32);
    assert_int_equal(ps__dtypes[PS_COMPLEX128].real, PS_FLOAT64);
    assert_int_equal(ps__dtypes[PS_FLOAT16].compute, PS_FLOAT32);
    assert_int_equal(ps__dtypes[PS_BFLOAT16].compute, PS_FLOAT32);
    assert_int_equal(ps__dtypes[PS_INT8].compute, PS_INT8);
    ps__dtype_set integers = 0, inexact = 0;
    for (int i = 0; i < PS__DTYPES; i++) {
        integers |= ps__dtype_is_integer((ps_dtype)i) ? PS__DTYPE_BIT(i) : 0;
        inexact |= ps__dtype_is_inexact((ps_dtype)i) ? PS__DTYPE_BIT(i) : 0;
    }
    assert_int_equal(integers, PS__SET_INTEGER);
    assert_int_equal(inexact, PS__SET_FLOAT | PS__SET_COMPLEX);
}

/* Rows and columns in the order of the numbers: b is bool, i and u integers, h float16, g bfloat16,
 * f and d float32 and float64, c and z complex64 and complex128. Digits are bytes. */
static const char *const table[PS__DTYPES][PS__DTYPES] = {
    {"b", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "h", "g", "f", "d", "c", "z"},
    {"i1", "i1", "i2", "i4", "i8", "i2", "i4", "i8", "d", "h", "g", "f", "d", "c", "z"},
    {"i2", "i2", "i2", "i4", "i8", "i2", "i4", "i8", "d", "h", "g", "f", "d", "c", "z"},
    {"i4", "i4", "i4", "i4", "i8", "i4", "i4", "i8", "d", "h", "g", "f", "d", "c", "z"},
    {"i8", "i8", "i8", "i8", "i8", "i8", "i8", "i8", "d", "h", "g", "f", "d", "c", "z"},
    {"u1", "i2", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "h", "g", "f", "d", "c", "z"},
    {"u2", "i4", "i4", "i4", "i8", "u2", "u2", "u4", "u8", "h", "g", "f", "d", "c", "z"},
    {"u4", "i8", "i8", "i8", "i8", "u4", "u4", "u4", "u8", "h", "g", "f", "d", "c", "z"},
    {"u8", "d", "d", "d", "d", "u8", "u8", "u8", "u8", "h", "g", "f", "d", "c", "z"},
    {"h", "h", "h", "h", "h", "h", "h", "h", "h", "h", "f", "f", "d", "c", "z"},
    {"g", "g", "g", "g", "g", "g", "g", "g", "g", "f", "g", "f", "d", "c", "z"},
    {"f", "f", "f", "f", "f", "f", "f", "f", "f", "f", "f", "f", "d", "c", "z"},
    {"d", "d", "d", "d", "d", "d", "d", "d", "d", "d", "d", "d", "d", "z", "z"},
    {"c", "c", "c", "c", "c", "c", "c", "c", "c", "c", "c", "c", "z", "c", "z"},
    {"z", "z", "z", "z", "z", "z", "z", "z", "z", "z", "z", "z", "z", "z", "z"},
};

static void promotion_follows_the_table(void **state)
{
    (void)state;
    static const char *const short_names[] = {"b",  "i1", "i2", "i4", "i8", "u1", "u2", "u4",
                                              "u8", "h",  "g",  "f",  "d",  "c",  "z"};
    for (int a = 0; a < PS__DTYPES; a++) {
        for (int b = 0; b < PS__DTYPES; b++) {
            ps_dtype result = ps__promote((ps_dtype)a, (ps_dtype)b);
            assert_string_equal(short_names[result], table[a][b]);
        }
    }
}

static void weak_scalars_take_the_tensors_type(void **state)
{
    (void)state;
    assert_int_equal(ps__promote_weak(PS_BOOL, PS_SCALAR_BOOL), PS_BOOL);
    assert_int_equal(ps__promote_weak(PS_INT8, PS_SCALAR_BOOL), PS_INT8);
    assert_int_equal(ps__promote_weak(PS_INT8, PS_SCALAR_INT64), PS_INT8);
    assert_int_equal(ps__promote_weak(PS_UINT8, PS_SCALAR_UINT64), PS_UINT8);
    assert_int_equal(ps__promote_weak(PS_FLOAT16, PS_SCALAR_INT64), PS_FLOAT16);
    assert_int_equal(ps__promote_weak(PS_BFLOAT16, PS_SCALAR_DOUBLE), PS_BFLOAT16);
    assert_int_equal(ps__promote_weak(PS_FLOAT64, PS_SCALAR_DOUBLE), PS_FLOAT64);
    assert_int_equal(ps__promote_weak(PS_COMPLEX64, PS_SCALAR_DOUBLE), PS_COMPLEX64);
    assert_int_equal(ps__promote_weak(PS_COMPLEX64, PS_SCALAR_COMPLEX), PS_COMPLEX64);
}

static void weak_scalars_of_a_higher_kind_have_a_default(void **state)
{
    (void)state;
    assert_int_equal(ps__promote_weak(PS_BOOL, PS_SCALAR_INT64), PS_INT64);
    assert_int_equal(ps__promote_weak(PS_BOOL, PS_SCALAR_DOUBLE), PS_FLOAT32);
    assert_int_equal(ps__promote_weak(PS_INT64, PS_SCALAR_DOUBLE), PS_FLOAT32);
    assert_int_equal(ps__promote_weak(PS_INT8, PS_SCALAR_COMPLEX), PS_COMPLEX64);
    assert_int_equal(ps__promote_weak(PS_FLOAT16, PS_SCALAR_COMPLEX), PS_COMPLEX64);
    assert_int_equal(ps__promote_weak(PS_FLOAT32, PS_SCALAR_COMPLEX), PS_COMPLEX64);
    assert_int_equal(ps__promote_weak(PS_FLOAT64, PS_SCALAR_COMPLEX), PS_COMPLEX128);
    assert_int_equal(ps__dtype_to_complex(PS_FLOAT64), PS_COMPLEX128);
    assert_int_equal(ps__dtype_to_complex(PS_BFLOAT16), PS_COMPLEX64);
    assert_int_equal(ps__dtype_to_complex(PS_COMPLEX128), PS_COMPLEX128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_sizes),
        cmocka_unit_test(types_are_found_by_name),
        cmocka_unit_test(promotion_is_public),
        cmocka_unit_test(kinds_parts_and_computing),
        cmocka_unit_test(promotion_follows_the_table),
        cmocka_unit_test(weak_scalars_take_the_tensors_type),
        cmocka_unit_test(weak_scalars_of_a_higher_kind_have_a_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
