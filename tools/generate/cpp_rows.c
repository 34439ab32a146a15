/* rows.inc of tests/frontends/cpp: for each row a function that calls it from C++ with its defaults and
 * with each option by itself, and by name with the same arguments. test_rows.cpp compares. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

/* The same argument for the function (`named` false) and for the call by name. */
static void put_value(const ps_op_arg_info *arg, bool named)
{
    switch (arg->kind) {
    case PS_ARG_TENSOR:
        if (arg->role == PS_ROLE_MASK)
            printf("s.mask");
        else if (arg->role == PS_ROLE_POSITIONS)
            printf("s.places");
        else
            printf("s.x");
        break;
    case PS_ARG_SCALAR:
        printf("2");
        break;
    case PS_ARG_BOOL:
        printf(arg->default_text != NULL && strcmp(arg->default_text, "true") == 0 ? "false"
                                                                                   : "true");
        break;
    case PS_ARG_INT:
        printf("1");
        break;
    case PS_ARG_DOUBLE:
        printf("0.5");
        break;
    case PS_ARG_INTS:
        printf(arg->role == PS_ROLE_AXES ? "ps::ints{0}" : "s.lengths");
        break;
    case PS_ARG_TENSORS:
        printf("s.list");
        break;
    case PS_ARG_DTYPE:
        printf("ps::float64");
        break;
    case PS_ARG_TEXT:
        if (arg->role != PS_ROLE_CHOICE || named)
            printf("\"%.*s\"", arg->choices == NULL ? 4 : (int)strcspn(arg->choices, " "),
                   arg->choices == NULL ? "relu" : arg->choices);
        else
            printf("{}"); /* the first of the enum */
        break;
    default:
        printf("ps::generator(7)");
    }
}

static void put_required(const ps_op_info *info, bool named, const char **between)
{
    for (size_t i = 0; i < info->nargs; i++) {
        if (!info->args[i].required)
            continue;
        printf("%s", *between);
        put_value(&info->args[i], named);
        *between = ", ";
    }
}

/* By name the arguments stand in the order of the signature: options that are not meant are `none`. */
static void put_by_name(const ps_op_info *info, size_t option)
{
    printf("[&] { return ps::call_several(\"%s\"", info->name);
    for (size_t i = 0; i < info->nargs; i++) {
        printf(", ");
        if (info->args[i].required || i == option)
            put_value(&info->args[i], true);
        else
            printf("ps::none");
    }
    printf("); }");
}

static const char *space(const ps_op_info *info)
{
    return (info->flags & PS_OP_MAIN) != 0     ? ""
           : (info->flags & PS_OP_NN) != 0     ? "nn::"
           : (info->flags & PS_OP_LINALG) != 0 ? "linalg::"
           : (info->flags & PS_OP_RANDOM) != 0 ? "random::"
           : (info->flags & PS_OP_OPTIM) != 0  ? "optim::"
                                               : "";
}

static const char *short_name(const ps_op_info *info)
{
    return strcmp(space(info), "random::") == 0 && strncmp(info->name, "random_", 7) == 0
               ? info->name + 7
               : info->name;
}

/* A choice in braces alone would be an empty optional. */
static void put_option(const ps_op_arg_info *arg)
{
    if (arg->role == PS_ROLE_CHOICE)
        printf("{.%s = first}", arg->name);
    else {
        printf("{.%s = ", arg->name);
        put_value(arg, false);
        printf("}");
    }
}

static void put_call(const ps_op_info *info, size_t option)
{
    const char *between = "";
    printf("    compare(\"%s\", \"%s\", [&] { return list(ps::%s%s(", info->name,
           option < info->nargs ? info->args[option].name : "", space(info), short_name(info));
    put_required(info, false, &between);
    if (option < info->nargs) {
        printf("%s", between);
        put_option(&info->args[option]);
    }
    printf(")); },\n            ");
    put_by_name(info, option);
    puts(");");
}

void generate_cpp_rows(void)
{
    puts("// clang-format off\n// Made from the table of operations while the tests are built.");
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        printf("static void row_%s([[maybe_unused]] const sample &s)\n{\n", info.name);
        put_call(&info, info.nargs);
        for (size_t k = 0; k < info.nargs; k++)
            if (!info.args[k].required)
                put_call(&info, k);
        puts("}");
    }
    puts("static void (*const all_rows[])(const sample &) = {");
    for (size_t i = 0; i < ps_op_count(); i++)
        printf("    row_%s,\n", generate_info(i).name);
    puts("};");
}
