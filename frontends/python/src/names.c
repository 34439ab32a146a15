/* The list of names.def, by operation. */
#include "names.h"

#include <stdlib.h>

static const pyps_names rows[] = {
#define NAMES(operation, names, traits, signature) {#operation, names, traits, signature},
#include "names.def"
#undef NAMES
};

/* In the order of their addresses. */
static struct entry {
    const ps_op *op;
    const pyps_names *names;
} entries[PYPS_COUNT(rows)];

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct entry *)a)->op;
    uintptr_t y = (uintptr_t)((const struct entry *)b)->op;
    return x < y ? -1 : x > y;
}

int pyps_names_setup(void)
{
    for (size_t i = 0; i < PYPS_COUNT(rows); i++) {
        entries[i] = (struct entry){pyps_op(rows[i].operation), &rows[i]};
        if (entries[i].op == NULL)
            return -1;
    }
    qsort(entries, PYPS_COUNT(rows), sizeof entries[0], by_address);
    return 0;
}

const pyps_names *pyps_names_of(const ps_op *op)
{
    const struct entry *found = bsearch(&(struct entry){op, NULL}, entries, PYPS_COUNT(rows),
                                        sizeof entries[0], by_address);
    return found != NULL ? found->names : NULL;
}

int pyps_names_form(const pyps_names *names)
{
    static const struct {
        char trait;
        pyps_form form;
    } forms[] = {{'R', PYPS_FORM_RESHAPE},
                 {'P', PYPS_FORM_PERMUTE},
                 {'N', PYPS_FORM_NEWAXIS},
                 {'B', PYPS_FORM_BROADCAST},
                 {'S', PYPS_FORM_STRIDED}};
    for (size_t i = 0; i < PYPS_COUNT(forms); i++)
        if (pyps_has_trait(names, forms[i].trait))
            return (int)forms[i].form;
    return -1;
}
