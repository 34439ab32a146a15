/* Walks over the table of operations: see support/table.h. */
#include "help.h"
#include "support/table.h"

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_test_descriptions),
        cmocka_unit_test(table_test_numbers),
        cmocka_unit_test(table_test_results),
        cmocka_unit_test(table_test_roles),
        cmocka_unit_test(table_test_flags),
        cmocka_unit_test(table_test_refusals),
        cmocka_unit_test(table_test_values),
        cmocka_unit_test(table_test_small_shapes),
        cmocka_unit_test(table_test_layouts),
        cmocka_unit_test(table_test_broadcast),
        cmocka_unit_test(table_test_outputs),
        cmocka_unit_test(table_test_mixed),
        cmocka_unit_test(table_test_reductions),
        cmocka_unit_test(table_test_reduction_workers),
        cmocka_unit_test(table_test_register),
        cmocka_unit_test(table_test_register_refusals),
        cmocka_unit_test(table_test_register_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
