/* docs/operations.md: the reference page. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

/* In a table a bar would end the cell. */
static void put_cell(const char *text)
{
    for (; *text != '\0'; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

static const struct {
    uint32_t flag;
    const char *text;
} notes[] = {{PS_OP_VIEW, "View"},         {PS_OP_WAITS, "Waits"}, {PS_OP_POSITIONS, "Positions"},
             {PS_OP_COMPOSED, "Composed"}, {PS_OP_NN, "nn"},       {PS_OP_LINALG, "linalg"},
             {PS_OP_RANDOM, "random"},     {PS_OP_OPTIM, "optim"}};

static void put_row(const ps_op_info *info)
{
    printf("| `%s(", info->name);
    put_cell(info->signature);
    printf(")` | ");
    put_cell(info->doc);
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (info->flags & notes[i].flag)
            printf(" **%s.**", notes[i].text);
    if (info->symbol != NULL) {
        printf(" Operator: `");
        put_cell(info->symbol);
        printf("`.");
    }
    if (info->expression != NULL && strcmp(info->group, "elementwise") == 0) {
        printf(" `");
        put_cell(info->expression);
        printf("`");
    }
    printf(" | %s | %s | %s | %s |\n", info->dtypes, info->result, info->exact ? "yes" : "no",
           strncmp(info->gradient, "no: ", 4) != 0 ? "yes" : "no");
}

static bool seen_before(size_t index)
{
    ps_op_info info = generate_info(index);
    for (size_t i = 0; i < index; i++)
        if (strcmp(generate_info(i).group, info.group) == 0)
            return true;
    return false;
}

static void put_group(const char *group)
{
    printf("\n## %c%s\n\n| operation | | takes | gives | exact | gradient |\n"
           "| --- | --- | --- | --- | --- | --- |\n",
           group[0] - 'a' + 'A', group + 1);
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        if (strcmp(info.group, group) == 0)
            put_row(&info);
    }
}

void generate_docs(void)
{
    puts(
        "# Operations\n\n"
        "<!-- Made from the table of operations by `make generate`; do not edit. -->\n\n"
        "Every operation is called through `ps_op_call`, or by its function in `penstock_ops.h`. An\n"
        "argument without a kind is a tensor; in elementwise operations a number may stand for it.\n"
        "*takes*: the element types that the operands' common type may have; integers and bool become\n"
        "float32 where only floating-point types are taken. *exact*: the same bits on every\n"
        "instruction set. *gradient*: the table states a rule.\n\n"
        "**View**: the result shares the elements of the first argument where it can. **Waits**: the\n"
        "shape of the result depends on values, so the call waits for its arguments; no other\n"
        "operation waits. **Positions**: so are the elements of the result, from 0. **Composed**: made\n"
        "of other operations. **nn**, **linalg**, **random**, **optim**: the name space in languages that have\n"
        "such.\n\n"
        "Expressions of elementwise operations are made of the arguments' names, numbers, `+ - * /`,\n"
        "comparisons, parentheses and the primitives (the elementwise operations whose expression is\n"
        "their own name). `ps_op_register` adds operations by such expressions at run time.");
    for (size_t i = 0; i < ps_op_count(); i++)
        if (!seen_before(i))
            put_group(generate_info(i).group);
}
