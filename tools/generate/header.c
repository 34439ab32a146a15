/* include/penstock_ops.h: a function for each operation, in C and C++. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

static size_t optional_count(const ps_op_info *info)
{
    size_t count = 0;
    for (size_t i = 0; i < info->nargs; i++)
        count += !info->args[i].required;
    return count;
}

/* The C function's name without the prefix; ps_var is a type. */
static const char *c_name(const ps_op_info *info)
{
    return strcmp(info->name, "var") == 0 ? "variance" : info->name;
}

/* An array with a place for each output, or just a place. */
static const char *result_name(const ps_op_info *info)
{
    return info->noutputs > 1 ? "results" : "result";
}

static void put_parameters(const ps_op_info *info, bool with)
{
    for (size_t i = 0; i < info->nargs; i++)
        if (info->args[i].required)
            printf("ps_arg %s, ", info->args[i].name);
    if (with)
        printf("const ps_%s_options *options, ", c_name(info));
    printf("ps_tensor **%s)\n{\n", result_name(info));
}

/* The function that a program names without calling it, and the macro that calls. */
static void put_names(const ps_op_info *info, bool with)
{
    const char *name = c_name(info), *suffix = with ? "_with" : "";
    printf("static inline ps_status ps_%s%s(", name, suffix);
    put_parameters(info, with);
    printf("    return ps_%s%s_at(0, ", name, suffix);
    for (size_t i = 0; i < info->nargs; i++)
        if (info->args[i].required)
            printf("%s, ", info->args[i].name);
    printf("%s%s);\n}\n", with ? "options, " : "", result_name(info));
    printf("#define ps_%s%s(...) ps_%s%s_at(PS_HERE, __VA_ARGS__)\n\n", name, suffix, name, suffix);
}

static void put_body(const ps_op_info *info, bool with)
{
    printf("    static const ps_op *op;\n    ps_arg args[%zu];\n", info->nargs ? info->nargs : 1);
    for (size_t i = 0; i < info->nargs; i++) {
        const ps_op_arg_info *arg = &info->args[i];
        if (arg->required)
            printf("    args[%zu] = %s;\n", i, arg->name);
        else if (with)
            printf("    args[%zu] = options->%s;\n", i, arg->name);
        else
            printf("    args[%zu].kind = PS_ARG_NONE;\n", i);
    }
    if (info->noutputs > 1)
        printf(
            "    return ps_ops_call_several(&op, \"%s\", args, %zu, location, results, %zu);\n}\n",
            info->name, info->nargs, info->noutputs);
    else
        printf("    return ps_ops_call(&op, \"%s\", args, %zu, location, result);\n}\n", info->name,
               info->nargs);
}

static void put_function(const ps_op_info *info, bool with)
{
    printf("static inline ps_status ps_%s%s_at(uint64_t location, ", c_name(info),
           with ? "_with" : "");
    put_parameters(info, with);
    put_body(info, with);
    put_names(info, with);
}

static void put_options(const ps_op_info *info)
{
    printf("typedef struct ps_%s_options {\n", c_name(info));
    for (size_t i = 0; i < info->nargs; i++)
        if (!info->args[i].required)
            printf("    ps_arg %s; /* %s */\n", info->args[i].name, info->args[i].default_text);
    printf("} ps_%s_options;\n\n", c_name(info));
}

static void put_functions(const ps_op_info *info)
{
    printf("/* %s(%s)\n * %s", info->name, info->signature, info->doc);
    if (info->noutputs > 1)
        printf("\n * results has room for %zu tensors", info->noutputs);
    puts(" */");
    put_function(info, false);
    if (optional_count(info) == 0)
        return;
    put_options(info);
    put_function(info, true);
}

void generate_header(void)
{
    puts(
        "/* clang-format off */\n"
        "/* Made from the table of operations by `make generate`; do not edit.\n"
        " *\n"
        " * For each operation a function with its required arguments, and where there are others a\n"
        " * second one, ps_NAME_with, whose options struct has them: those left zero are defaults. If\n"
        " * *result is NULL a new tensor is put there; else the result is written into that tensor.\n"
        " *\n"
        " * Calls are macros, so that errors of what is queued name their line: ps_NAME_at is the function\n"
        " * that they call, which takes the location first. */\n"
        "#ifndef PENSTOCK_OPS_H\n#define PENSTOCK_OPS_H\n\n#include \"penstock.h\"\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
        "/* Finds the operation at the first call. Threads that meet here find the same one. */\n"
        "static inline ps_status ps_ops_call_several(const ps_op **op, const char *name,\n"
        "                                            const ps_arg *args, size_t nargs,\n"
        "                                            uint64_t location, ps_tensor **results,\n"
        "                                            size_t noutputs)\n"
        "{\n"
        "    const ps_op *found = __atomic_load_n(op, __ATOMIC_RELAXED);\n"
        "    ps_call call;\n"
        "    if (found == NULL) {\n"
        "        ps_status status = ps_op_find(name, &found);\n"
        "        if (status != PS_OK)\n            return status;\n"
        "        __atomic_store_n(op, found, __ATOMIC_RELAXED);\n    }\n"
        "    call.size = sizeof call;\n    call.args = args;\n    call.nargs = nargs;\n"
        "    call.outputs = results;\n    call.noutputs = noutputs;\n    call.device = NULL;\n"
        "    call.location = location;\n    call.flags = 0;\n    return ps_op_call(found, &call);\n}\n\n"
        "static inline ps_status ps_ops_call(const ps_op **op, const char *name, const ps_arg *args,\n"
        "                                    size_t nargs, uint64_t location, ps_tensor **result)\n"
        "{\n    return ps_ops_call_several(op, name, args, nargs, location, result, 1);\n}\n");
    for (size_t i = 0; i < ps_op_count(); i++) {
        ps_op_info info = generate_info(i);
        put_functions(&info);
    }
    puts("#ifdef __cplusplus\n}\n#endif\n#endif");
}
