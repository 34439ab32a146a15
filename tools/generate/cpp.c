/* frontends/cpp/include/penstock/methods.hpp and ops.hpp: what C++ has of the table.
 *
 * methods.hpp comes before the class of arrays: enums for choices, and a template with a method for each
 * row that languages make one of. ops.hpp comes after it: structs of options, functions, operators. Rows
 * stand in name spaces as the table says. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names --------------------------------------------------------------------------------- */

static const struct {
    uint64_t flag;
    const char *name;   /* of the name space inside of penstock */
    const char *prefix; /* that rows there have in the table, and not in C++ */
} spaces[] = {{PS_OP_MAIN, NULL, ""},
              {PS_OP_NN, "nn", ""},
              {PS_OP_LINALG, "linalg", ""},
              {PS_OP_RANDOM, "random", "random_"},
              {PS_OP_OPTIM, "optim", ""}};

enum { SPACES = sizeof spaces / sizeof spaces[0] };

/* Where a row is defined: the first of its name spaces; the others name it too. */
static size_t space_of(const ps_op_info *info)
{
    for (size_t i = 0; i < SPACES; i++)
        if (info->flags & spaces[i].flag)
            return i;
    return 0;
}

static const char *cpp_name(const ps_op_info *info)
{
    const char *prefix = spaces[space_of(info)].prefix;
    size_t length = strlen(prefix);
    return strncmp(info->name, prefix, length) == 0 ? info->name + length : info->name;
}

/* ---- Choices ------------------------------------------------------------------------------- */

/* The enum of a choice is called as the argument; where arguments of one name have different choices, as
 * the first row with its choices and the argument. */
static void choice_name(const ps_op_arg_info *arg, char *name, size_t room)
{
    const char *first = NULL;
    bool conflict = false;
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        for (size_t k = 0; k < info.nargs; k++) {
            const ps_op_arg_info *other = &info.args[k];
            if (other->role != PS_ROLE_CHOICE || strcmp(other->name, arg->name) != 0)
                continue;
            bool same = strcmp(other->choices, arg->choices) == 0;
            conflict = conflict || !same;
            if (same && first == NULL)
                first = info.name;
        }
    }
    if (conflict)
        snprintf(name, room, "%s_%s", first, arg->name);
    else
        snprintf(name, room, "%s", arg->name);
}

static bool choice_came_before(size_t row, size_t place)
{
    const ps_op_arg_info *arg = &generate_info(row).args[place];
    for (size_t i = 0; i <= row; i++) {
        ps_op_info info = generate_info(i);
        for (size_t k = 0; k < (i < row ? info.nargs : place); k++)
            if (info.args[k].role == PS_ROLE_CHOICE && strcmp(info.args[k].name, arg->name) == 0 &&
                strcmp(info.args[k].choices, arg->choices) == 0)
                return true;
    }
    return false;
}

static size_t put_choices(const char *choices, const char *before, const char *after)
{
    size_t count = 0;
    while (*choices != '\0') {
        int length = (int)strcspn(choices, " ");
        printf("%s%s%.*s%s", count++ > 0 ? ", " : "", before, length, choices, after);
        choices += length;
        choices += *choices == ' ';
    }
    return count;
}

static void put_choice(const ps_op_arg_info *arg)
{
    char name[128];
    choice_name(arg, name, sizeof name);
    printf("enum class %s { ", name);
    put_choices(arg->choices, "", "");
    printf(" };\nnamespace detail\n{\ninline ps_arg arg(%s x)\n{\n"
           "    static const char *const texts[] = {",
           name);
    size_t count = put_choices(arg->choices, "\"", "\"");
    printf(
        "};\n    return ps_arg_text(static_cast<unsigned>(x) < %zu ? texts[static_cast<unsigned>(x)] : "
        "\"?\");\n}\n} // namespace detail\n\n",
        count);
}

static void put_all_choices(void)
{
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        for (size_t k = 0; k < info.nargs; k++)
            if (info.args[k].role == PS_ROLE_CHOICE && !choice_came_before(i, k))
                put_choice(&info.args[k]);
    }
}

/* ---- Types of arguments -------------------------------------------------------------------- */

static const char *type_name(const ps_op_arg_info *arg)
{
    static char choice[160];
    switch (arg->kind) {
    case PS_ARG_TENSOR:
        return arg->scalar ? "value" : "penstock::array";
    case PS_ARG_SCALAR:
        return "number";
    case PS_ARG_BOOL:
        return "bool";
    case PS_ARG_INT:
        return "integer";
    case PS_ARG_DOUBLE:
        return "double";
    case PS_ARG_INTS:
        return "ints";
    case PS_ARG_TENSORS:
        return "arrays";
    case PS_ARG_DTYPE:
        return "penstock::dtype";
    case PS_ARG_GENERATOR:
        return "penstock::generator";
    case PS_ARG_TEXT:
        if (arg->role != PS_ROLE_CHOICE)
            return "const char *";
        strcpy(choice, "penstock::");
        choice_name(arg, choice + strlen(choice), sizeof choice - strlen(choice));
        return choice;
    default:
        fprintf(stderr, "generate: argument %s is of no kind that C++ knows\n", arg->name);
        exit(1);
    }
}

/* Arrays for which numbers may stand are operands, which know their line. */
static bool is_operand(const ps_op_arg_info *arg)
{
    return arg->required && arg->kind == PS_ARG_TENSOR && arg->scalar;
}

/* Of a required argument: what is small by value, the rest by reference. */
static void put_parameter(const ps_op_arg_info *arg)
{
    bool by_value = arg->kind == PS_ARG_BOOL || arg->kind == PS_ARG_INT ||
                    arg->kind == PS_ARG_DOUBLE || arg->kind == PS_ARG_DTYPE ||
                    arg->kind == PS_ARG_TEXT;
    const char *type = is_operand(arg) ? "operand" : type_name(arg);
    printf(by_value ? "%s %s_" : "const %s &%s_", type, arg->name);
}

/* A default that C++ can state; else the argument is left out, and the library knows its own. */
static bool states_default(const ps_op_arg_info *arg)
{
    bool kind = arg->kind == PS_ARG_BOOL || arg->kind == PS_ARG_INT || arg->kind == PS_ARG_DOUBLE ||
                arg->kind == PS_ARG_DTYPE;
    return kind && strcmp(arg->default_text, "none") != 0 && strcmp(arg->default_text, "inf") != 0;
}

static void put_option(const ps_op_arg_info *arg)
{
    if (arg->kind == PS_ARG_INTS)
        printf("    ints %s = none;", arg->name);
    else if (states_default(arg))
        printf("    %s %s = %s%s;", type_name(arg), arg->name,
               arg->kind == PS_ARG_DTYPE ? "penstock::dtype::" : "", arg->default_text);
    else
        printf("    std::optional<%s> %s = {};", type_name(arg), arg->name);
    if (!states_default(arg) && strcmp(arg->default_text, "none") != 0)
        printf(" // %s", arg->default_text);
    puts("");
}

static bool has_options(const ps_op_info *info)
{
    for (size_t i = 0; i < info->nargs; i++)
        if (!info->args[i].required)
            return true;
    return false;
}

static void put_result(const ps_op_info *info, const char *array)
{
    if (info->noutputs > 1)
        printf("std::array<%s, %zu> ", array, info->noutputs);
    else
        printf("%s ", array);
}

static void put_comment(const ps_op_info *info, const char *indent)
{
    printf("%s// %s(%s)\n%s// %s\n", indent, info->name, info->signature, indent, info->doc);
}

/* ---- Operators ----------------------------------------------------------------------------- */

/* The C++ operator of a row's symbol, "+", and whether it has one operand; NULL if C++ has none. */
static const char *operator_of(const ps_op_info *info, bool *unary)
{
    static const char *const binary[] = {"+",  "-",  "*", "/",  "%",  "&",  "|", "^",
                                         "<<", ">>", "<", "<=", "==", "!=", ">", ">="};
    static const char *const single[] = {"-", "+", "~"};
    char symbol[16];
    if (info->symbol == NULL)
        return NULL;
    *unary = sscanf(info->symbol, "x1 %15s x2", symbol) != 1;
    for (size_t i = 0; !*unary && i < sizeof binary / sizeof binary[0]; i++)
        if (strcmp(symbol, binary[i]) == 0)
            return binary[i];
    for (size_t i = 0; *unary && i < sizeof single / sizeof single[0]; i++)
        if (info->symbol[0] == single[i][0] && strcmp(info->symbol + 1, "x") == 0)
            return single[i];
    return NULL;
}

static bool is_comparison(const char *symbol)
{
    return strchr(symbol, '=') != NULL || strcmp(symbol, "<") == 0 || strcmp(symbol, ">") == 0;
}

static void put_operator(const ps_op_info *info)
{
    bool unary;
    const char *symbol = operator_of(info, &unary);
    if (symbol == NULL)
        return;
    if (unary) {
        printf("inline array operator%s(const operand &x)\n{\n"
               "    return detail::queue_unary(detail::row_of_%s, x);\n}\n",
               symbol, info->name);
        return;
    }
    printf("inline array operator%s(const operand &x1, const operand &x2)\n{\n"
           "    return detail::queue_binary(detail::row_of_%s, x1, x2);\n}\n",
           symbol, info->name);
    if (is_comparison(symbol))
        return;
    printf("inline array &operator%s=(array &x1, const operand &x2)\n{\n"
           "    detail::queue_update(detail::row_of_%s, x1, x2);\n    return x1;\n}\n"
           "template <detail::written Place> void operator%s=(Place &&x1, const operand &x2)\n{\n"
           "    detail::update_place(detail::row_of_%s, x1, x2);\n}\n",
           symbol, info->name, symbol, info->name);
}

/* ---- Functions ----------------------------------------------------------------------------- */

static void put_parameters(const ps_op_info *info, size_t from, bool defaults)
{
    for (size_t i = from; i < info->nargs; i++)
        if (info->args[i].required) {
            put_parameter(&info->args[i]);
            printf(", ");
        }
    if (has_options(info)) {
        printf("const %s_options &options%s, ", cpp_name(info), defaults ? " = {}" : "");
    }
    printf("location at%s)", defaults ? " = location()" : "");
}

static void put_struct(const ps_op_info *info)
{
    if (!has_options(info))
        return;
    printf("struct %s_options {\n", cpp_name(info));
    for (size_t i = 0; i < info->nargs; i++)
        if (!info->args[i].required)
            put_option(&info->args[i]);
    puts("};\n");
}

static void put_body(const ps_op_info *info)
{
    printf("    const ps_arg args[] = {");
    for (size_t i = 0; i < info->nargs; i++)
        printf(info->args[i].required ? "%sdetail::arg(%s_)" : "%sdetail::arg(options.%s)",
               i > 0 ? ", " : "", info->args[i].name);
    printf("};\n");
    if (info->noutputs > 1)
        printf("    return detail::queue_several<%zu>(", info->noutputs);
    else
        printf("    return detail::queue(");
    printf("detail::row_of_%s, args, %zu, at", info->name, info->nargs);
    for (size_t i = 0; i < info->nargs; i++)
        if (is_operand(&info->args[i]))
            printf(", %s_", info->args[i].name);
    puts(");\n}\n");
}

static void put_function(const ps_op_info *info)
{
    put_struct(info);
    put_comment(info, "");
    printf("inline ");
    put_result(info, "penstock::array");
    printf("%s(", cpp_name(info));
    put_parameters(info, 0, true);
    printf("\n{\n");
    put_body(info);
}

static void put_space(size_t space)
{
    if (spaces[space].name != NULL)
        printf("namespace %s\n{\n\n", spaces[space].name);
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        if (space_of(&info) == space)
            put_function(&info);
        else if (info.flags & spaces[space].flag) {
            const char *home = spaces[space_of(&info)].name;
            printf("using penstock::%s%s%s;\n\n", home != NULL ? home : "",
                   home != NULL ? "::" : "", cpp_name(&info));
        }
    }
    if (spaces[space].name != NULL)
        printf("} // namespace %s\n\n", spaces[space].name);
}

static void put_rows(void)
{
    puts("namespace detail\n{");
    for (size_t i = 0; i < ps_op_count(); i++) {
        const char *name = generate_info(i).name;
        printf("inline constinit row row_of_%s{\"%s\"};\n", name, name);
    }
    puts("} // namespace detail\n");
}

void generate_cpp_ops(void)
{
    puts(
        "// clang-format off\n"
        "// Made from the table of operations by `make generate`; do not edit.\n"
        "//\n"
        "// For each operation a function: required arguments, then a struct of the others, which have\n"
        "// defaults, as sum(x, {.axis = 0}). Rows with several results give a std::array of them.\n"
        "#ifndef PENSTOCK_OPS_HPP\n#define PENSTOCK_OPS_HPP\n\n#include <penstock/array.hpp>\n"
        "#include <penstock/index.hpp>\n\n"
        "namespace penstock\n{\n");
    put_rows();
    for (size_t i = 0; i < SPACES; i++)
        put_space(i);
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        put_operator(&info);
    }
    puts("\n} // namespace penstock\n\n#endif");
}

/* ---- Methods ------------------------------------------------------------------------------- */

/* What the table calls a method, and operators that C++ does not have. */
static bool is_method(const ps_op_info *info)
{
    bool unary;
    bool lacking = info->symbol != NULL && operator_of(info, &unary) == NULL;
    return info->nargs > 0 && info->args[0].kind == PS_ARG_TENSOR && info->args[0].required &&
           space_of(info) == 0 && ((info->flags & PS_OP_METHOD) != 0 || lacking);
}

static void put_declaration(const ps_op_info *info)
{
    if (has_options(info))
        printf("struct %s_options;\n", cpp_name(info));
    printf("inline ");
    put_result(info, "array");
    printf("%s(", cpp_name(info));
    put_parameters(info, 0, false);
    puts(";");
}

/* With options, or without: a struct that is not complete yet cannot be a default. */
static void put_method(const ps_op_info *info, bool with)
{
    printf("    ");
    put_result(info, "Array");
    printf("%s(", cpp_name(info));
    for (size_t i = 1; i < info->nargs; i++)
        if (info->args[i].required) {
            put_parameter(&info->args[i]);
            printf(", ");
        }
    if (with)
        printf("const %s_options &options, ", cpp_name(info));
    printf("location at = location()) const\n    {\n        return penstock::%s(this->me(at)",
           cpp_name(info));
    for (size_t i = 1; i < info->nargs; i++)
        if (info->args[i].required)
            printf(", %s_", info->args[i].name);
    if (has_options(info)) {
        if (with)
            printf(", options");
        else
            printf(", detail::no_options<%s_options, Self>::make()", cpp_name(info));
    }
    puts(", at);\n    }");
}

void generate_cpp_methods(void)
{
    puts("// clang-format off\n"
         "// Made from the table of operations by `make generate`; do not edit.\n"
         "//\n"
         "// Choices that operations offer, as enums; and the methods of arrays.\n"
         "#ifndef PENSTOCK_METHODS_HPP\n#define PENSTOCK_METHODS_HPP\n\n"
         "#include <penstock/members.hpp>\n\nnamespace penstock\n{\n");
    put_all_choices();
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        if (is_method(&info))
            put_declaration(&info);
    }
    puts("\ntemplate <class Self, class Array = array> struct methods : members<Self, Array> {");
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        if (!is_method(&info))
            continue;
        put_comment(&info, "    ");
        if (has_options(&info))
            put_method(&info, true);
        put_method(&info, false);
        puts("");
    }
    puts("};\n\n} // namespace penstock\n\n#endif");
}
