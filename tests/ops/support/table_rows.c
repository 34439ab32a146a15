/* What rows say of themselves; and rows added at run time: good ones are called, fused, listed and
 * described; bad ones are refused and leave nothing behind. */
#include "sanitized.h"
#include "table.h"
#include "workers.h"

#include "ops/help.h"

#include <ctype.h>

/* ---- descriptions ------------------------------------------------------------------------ */

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, text) == 0)
            return true;
    return false;
}

static bool is_number(const char *text, bool whole)
{
    char *end;
    (void)strtod(text, &end);
    return end != text && *end == '\0' && !(whole && strpbrk(text, ".e") != NULL);
}

static bool is_type_name(const char *text)
{
    for (int i = 0; i < TABLE_TYPES; i++)
        if (strcmp(ps_dtype_name((ps_dtype)i), text) == 0)
            return true;
    return false;
}

static bool default_fits(const ps_op_arg_info *arg, const char *text)
{
    if (strcmp(text, "none") == 0)
        return arg->kind != PS_ARG_BOOL;
    switch (arg->kind) {
    case PS_ARG_TENSOR:
        return arg->scalar && is_number(text, false);
    case PS_ARG_BOOL:
        return is_one_of(text, (const char *const[]){"true", "false", NULL});
    case PS_ARG_INT:
        return is_number(text, true);
    case PS_ARG_DOUBLE:
    case PS_ARG_SCALAR:
        return is_number(text, false);
    case PS_ARG_DTYPE:
        return is_type_name(text);
    default:
        return false;
    }
}

static const char *const kind_names[] =
    {[PS_ARG_TENSOR] = "tensor",   [PS_ARG_SCALAR] = "scalar",
     [PS_ARG_BOOL] = "bool",       [PS_ARG_INT] = "int",
     [PS_ARG_DOUBLE] = "float",    [PS_ARG_INTS] = "ints",
     [PS_ARG_TENSORS] = "tensors", [PS_ARG_DTYPE] = "dtype",
     [PS_ARG_TEXT] = "text",       [PS_ARG_GENERATOR] = "generator"};

/* An argument's kind as a signature has it. */
static void write_kind(const table_row *row, const ps_op_arg_info *arg, char *text, size_t room)
{
    static const char *const roles[] = {[PS_ROLE_MASK] = "mask",
                                        [PS_ROLE_POSITIONS] = "positions",
                                        [PS_ROLE_AXIS] = "axis",
                                        [PS_ROLE_AXES] = "axes"};
    /* Of elementwise rows it goes without saying. */
    bool number = arg->scalar && (row->info.expression == NULL || !arg->required);
    if (arg->role == PS_ROLE_CHOICE)
        snprintf(text, room, "choice(%s)", arg->choices);
    else
        snprintf(text, room, "%s%s",
                 arg->role == PS_ROLE_NONE ? kind_names[arg->kind] : roles[arg->role],
                 number ? " or number" : "");
}

/* The signature, written again from the arguments. */
static void write_signature(const table_row *row, char *text, size_t room)
{
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < row->info.nargs; i++) {
        const ps_op_arg_info *arg = &row->info.args[i];
        char kind[64];
        write_kind(row, arg, kind, sizeof kind);
        bool plain = arg->required && strcmp(kind, "tensor") == 0;
        at += (size_t)snprintf(text + at, room - at, "%s%s%s%s%s%s", i == 0 ? "" : ", ", arg->name,
                               plain ? "" : ": ", plain ? "" : kind, arg->required ? "" : " = ",
                               arg->required ? "" : arg->default_text);
    }
}

static bool is_identifier(const char *text)
{
    return islower((unsigned char)text[0]) &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static void check_arguments(const table_row *row)
{
    const ps_op_info *info = &row->info;
    for (size_t i = 0; i < info->nargs; i++) {
        const ps_op_arg_info *arg = &info->args[i];
        if (!is_identifier(arg->name) || table_argument(row, arg->name) != (int)i)
            fail_msg("%s: argument \"%s\" has no name of its own", info->name, arg->name);
        if (arg->required != (arg->default_text == NULL))
            fail_msg("%s: argument %s: required or with a default, not both", info->name,
                     arg->name);
        if (!arg->required && !default_fits(arg, arg->default_text))
            fail_msg("%s: argument %s cannot be \"%s\"", info->name, arg->name, arg->default_text);
        if (arg->required && i > 0 && !info->args[i - 1].required)
            fail_msg("%s: argument %s comes after one with a default", info->name, arg->name);
    }
}

static void check_description(const table_row *row, size_t place)
{
    const ps_op_info *info = &row->info;
    const char *doc = info->doc;
    size_t length = doc != NULL ? strlen(doc) : 0;
    if (length < 5 || doc[length - 1] != '.')
        fail_msg("%s: its description does not end with a full stop: \"%s\"", info->name, doc);
    char signature[768];
    write_signature(row, signature, sizeof signature);
    if (strcmp(signature, info->signature) != 0)
        fail_msg("%s: \"%s\" was read as \"%s\"", info->name, info->signature, signature);
    check_arguments(row);
    assert_true(is_identifier(info->name));
    assert_true(is_identifier(info->group));
    assert_true(is_one_of(info->result, (const char *const[]){"same", "bool", "real",
                                                              "see the description", NULL}));
    const ps_op *found;
    CHECK_OK(ps_op_find(info->name, &found));
    assert_ptr_equal(found, row->op);
    assert_ptr_equal(ps_op_at(place), row->op);
}

void table_test_descriptions(void **state)
{
    (void)state;
    size_t count = ps_op_count();
    assert_true(count > 100);
    for (size_t i = 0; i < count; i++) {
        table_row row;
        table_row_at(i, &row);
        check_description(&row, i);
    }
    assert_null(ps_op_at(count));
    assert_null(ps_op_at(SIZE_MAX));
    ps_op_info info = {.size = 1};
    CHECK_FAILS(PS_ERR_ARGUMENT, "size", ps_op_get_info(ps_op_at(0), &info));
    CHECK_FAILS(PS_ERR_ARGUMENT, "NULL", ps_op_get_info(NULL, &info));
}

/* ---- rows that are added ----------------------------------------------------------------- */

static const ps_op_def good = {.size = sizeof good,
                               .name = "owalk_blend",
                               .signature = "x1, x2, share: scalar = 0.25",
                               .dtypes = "real floating-point",
                               .result = "same",
                               .expression = "x1 + share * (x2 - x1)",
                               .gradient = "dy * (1 - share); dy * share",
                               .doc = "A mix of two.",
                               .to_float = true};

static ps_tensor *blend(ps_tensor *x, ps_tensor *y)
{
    return CALL("owalk_blend", T(x), T(y));
}

static void check_added_values(void)
{
    ps_tensor *x = from_floats(SHAPE(3), (float[]){0, 4, -8});
    ps_tensor *y = from_floats(SHAPE(3), (float[]){4, 4, 8});
    ps_tensor *a = blend(x, y), *b = CALL("owalk_blend", T(x), T(y), F(0.5));
    CHECK_VALUES(a, 1, 4, -4);
    CHECK_VALUES(b, 2, 4, 0);
    ps_tensor *c = CALL("owalk_blend", T(x), F(8));
    CHECK_VALUES(c, 2, 5, -4);
    ps_tensor *all[] = {x, y, a, b, c};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

/* Three in a row, of which nobody keeps the first two: they run as a group. */
static void check_added_fuses(void)
{
    ps_engine *engine;
    ps_engine_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    const char *mode = getenv("PENSTOCK_ENGINE");
    if (mode != NULL && strcmp(mode, "sync") == 0)
        return; /* nothing waits there to be joined */
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(5000));
    CHECK_OK(ps_tensor_wait(x, NULL));
    workers_stop(); /* else one could take the first before the third is there */
    CHECK_OK(ps_engine_get_stats(engine, &before));
    ps_tensor *a = CALL("owalk_blend", T(x), F(3)), *b = CALL("owalk_blend", T(a), T(x));
    ps_tensor_release(a);
    ps_tensor *c = CALL("owalk_blend", T(b), F(1));
    ps_tensor_release(b);
    CHECK_OK(ps_tensor_wait(c, NULL));
    CHECK_OK(ps_engine_get_stats(engine, &after));
    workers_go_on();
    ps_tensor_release(c);
    assert_int_equal(after.groups, before.groups + 1);
    ps_tensor_release(x);
}

void table_test_register(void **state)
{
    (void)state;
    size_t count = ps_op_count();
    const ps_op *op, *found;
    CHECK_OK(ps_op_register(&good, &op));
    assert_int_equal(ps_op_count(), count + 1);
    assert_ptr_equal(ps_op_at(count), op);
    CHECK_OK(ps_op_find("owalk_blend", &found));
    assert_ptr_equal(found, op);
    table_row row;
    table_row_at(count, &row);
    check_description(&row, count);
    assert_string_equal(row.info.expression, good.expression);
    assert_string_equal(row.info.gradient, good.gradient);
    assert_string_equal(row.info.dtypes, good.dtypes);
    assert_string_equal(row.info.group, "elementwise");
    assert_true(row.info.exact && table_is_elementwise(&row));
    check_added_values();
    check_added_fuses();
    table_test_values(NULL); /* the walks find it */
    ps_op_def other = good;
    other.name = "owalk_mixture";
    other.expression = "exp(x1) + share * x2";
    CHECK_OK(ps_op_register(&other, NULL));
    table_row_at(count + 1, &row);
    assert_false(row.info.exact);
}

/* ---- bad definitions --------------------------------------------------------------------- */

/* Refused with PS_ERR_ARGUMENT and a text; the table is as it was. */
static void check_refused(const ps_op_def *def, const char *what)
{
    size_t count = ps_op_count();
    const ps_op *op = (const ps_op *)&good;
    ps_status status = ps_op_register(def, &op);
    if (status != PS_ERR_ARGUMENT || ps_last_error()[0] == '\0')
        fail_msg("%s: %s", what, ps_status_name(status));
    if (ps_op_count() != count || op != (const ps_op *)&good)
        fail_msg("%s: left something behind", what);
    if (def != NULL && def->name != NULL && strncmp(def->name, "owalk_bad", 9) == 0)
        CHECK_FAILS(PS_ERR_ARGUMENT, "no operation", ps_op_find(def->name, &op));
}

static ps_op_def bad(void)
{
    ps_op_def def = good;
    def.name = "owalk_bad";
    def.signature = "x, y, share: scalar = 0.25";
    def.expression = "x + share * (y - x)";
    def.gradient = NULL;
    return def;
}

static void refuse_expression(const char *expression)
{
    ps_op_def def = bad();
    def.expression = expression;
    check_refused(&def, expression);
}

static void refuse_signature(const char *signature)
{
    ps_op_def def = bad();
    def.signature = signature;
    def.expression = "x";
    check_refused(&def, signature);
}

static void refuse_field(size_t offset, const char *text)
{
    ps_op_def def = bad();
    memcpy((char *)&def + offset, &text, sizeof text);
    check_refused(&def, text != NULL ? text : "NULL");
}

static void refuse_deep(const char *open, const char *close, int depth)
{
    char *text = calloc(1, (size_t)depth * (strlen(open) + strlen(close)) + 2);
    for (int i = 0; i < depth; i++)
        strcat(text, open);
    strcat(text, "x");
    for (int i = 0; i < depth; i++)
        strcat(text, close);
    refuse_expression(text);
    free(text);
}

static void refuse_long(void)
{
    char text[4096] = "x", numbers[4096] = "x";
    for (int i = 0; i < 200; i++)
        strcat(text, " + exp(x)");
    refuse_expression(text);
    for (int i = 0; i < 40; i++)
        snprintf(numbers + strlen(numbers), 32, " + %d.5", i);
    refuse_expression(numbers);
}

void table_test_register_refusals(void **state)
{
    (void)state;
    check_refused(NULL, "no definition");
    ps_op_def def = bad();
    def.size = 3;
    check_refused(&def, "a wrong size");
    static const size_t needed[] = {offsetof(ps_op_def, name), offsetof(ps_op_def, signature),
                                    offsetof(ps_op_def, dtypes), offsetof(ps_op_def, result),
                                    offsetof(ps_op_def, expression)};
    for (int i = 0; i < 5; i++)
        refuse_field(needed[i], NULL);
    static const char *const names[] = {"", "Add", "1x", "a b", "a-b", "add", "sum", "_x", "x\n"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        refuse_field(offsetof(ps_op_def, name), names[i]);
    refuse_field(offsetof(ps_op_def, dtypes), "float33");
    refuse_field(offsetof(ps_op_def, dtypes), "");
    refuse_field(offsetof(ps_op_def, result), "other");
    refuse_field(offsetof(ps_op_def, result), "see the description");
    static const char *const expressions[] = {"",
                                              " ",
                                              "z",
                                              "x + z",
                                              "x +",
                                              "(x",
                                              "x)",
                                              "x y",
                                              "exp(",
                                              "exp()",
                                              "exp(x",
                                              "exp(x, y)",
                                              "where(x, y)",
                                              "frob(x)",
                                              "x ** y",
                                              "x = y",
                                              "-",
                                              ".",
                                              "1.",
                                              "x + .",
                                              "0 + .",
                                              "x @ y",
                                              "exp x",
                                              "add(x,y,x,y)",
                                              "shift_left(x, y)",
                                              "bitwise_and(x, y)",
                                              "x <",
                                              "_x",
                                              "x_",
                                              "\xff\xfe",
                                              "%s%n",
                                              "1e",
                                              "1..2",
                                              "xx",
                                              "share(x)",
                                              "exp"};
    for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++)
        if (strcmp(expressions[i], "1.") != 0) /* a number, if an odd one */
            refuse_expression(expressions[i]);
    static const char *const signatures[] = {"",
                                             " ",
                                             ",",
                                             "x,,y",
                                             ": scalar",
                                             "x: frob",
                                             "x: ",
                                             "x, x",
                                             "x y",
                                             "1x",
                                             "x: int",
                                             "x: ints = none",
                                             "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q",
                                             "x, y: tensor = none",
                                             "x, s: scalar = none",
                                             "x, s: scalar = banana",
                                             "x, s: scalar =",
                                             "x = 3",
                                             "x, y: mask = 1",
                                             "x, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p"};
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++)
        refuse_signature(signatures[i]);
    refuse_deep("(", ")", 100);
    refuse_deep("-", "", 3000);
    refuse_deep("exp(", ")", 100);
    refuse_deep("(", ")", 20000);
    refuse_long();
}

/* ---- random strings ---------------------------------------------------------------------- */

static void random_text(uint64_t *seed, const char *const *parts, size_t count, char *text)
{
    size_t length = table_random(seed) % 12;
    text[0] = '\0';
    for (size_t i = 0; i <= length; i++)
        strcat(text, parts[table_random(seed) % count]);
}

/* An accepted row must be sound: listed, and calls of it end well or with an error. */
static void check_accepted(const ps_op *op)
{
    ps_op_info info = {.size = sizeof info};
    CHECK_OK(ps_op_get_info(op, &info));
    ps_tensor *x = from_floats(SHAPE(2), (float[]){1, -2}), *out = NULL;
    ps_arg args[3] = {T(x), T(x), T(x)};
    for (size_t i = 0; i < info.nargs; i++)
        if (info.args[i].kind == PS_ARG_SCALAR)
            args[i] = F(0.5);
    size_t required = 0;
    for (size_t i = 0; i < info.nargs; i++)
        required = info.args[i].required ? i + 1 : required;
    if (table_call(op, args, info.nargs, &out) == PS_OK)
        CHECK_OK(ps_tensor_wait(out, NULL));
    ps_tensor_release(out);
    out = NULL;
    if (table_call(op, args, required, &out) == PS_OK)
        CHECK_OK(ps_tensor_wait(out, NULL));
    ps_tensor_release(out);
    ps_tensor_release(x);
}

void table_test_register_random(void **state)
{
    (void)state;
    static const char *const words[] = {"x", "y",    "s",    "(",      ")",    ",", " + ", " - ",
                                        "*", "/",    "<=",   "<",      "==",   "!", "1",   "0.5",
                                        ".", "e9",   "exp(", "where(", "add(", "z", "_",   " ",
                                        "-", "abs(", "(x)",  "x*y",    "\t",   "%"};
    static const char *const parts[] = {"x",    "y",        "s",      ", ",   ",",   ": ",
                                        ":",    "scalar",   "tensor", "mask", " = ", "=",
                                        "1",    "0.5",      "none",   "int",  " ",   "-",
                                        "x, y", ": scalar", " = 2"};
    uint64_t seed = 20240607;
    int accepted = 0;
    for (int i = 0; i < (SANITIZED ? 2000 : 8000); i++) {
        char name[32], expression[256], signature[256];
        snprintf(name, sizeof name, "owalk_random_%d", i);
        random_text(&seed, words, sizeof words / sizeof words[0], expression);
        random_text(&seed, parts, sizeof parts / sizeof parts[0], signature);
        ps_op_def def = good;
        def.name = name;
        def.expression = expression;
        def.gradient = NULL;
        if (i % 2 == 0)
            def.signature = "x, y, s: scalar = 2";
        else
            def.signature = signature;
        if (i % 4 == 3)
            def.expression = "x";
        size_t count = ps_op_count();
        const ps_op *op = NULL;
        ps_status status = ps_op_register(&def, &op);
        if (status == PS_OK) {
            accepted++;
            check_accepted(op);
        } else if (status != PS_ERR_ARGUMENT || op != NULL) {
            fail_msg("\"%s\" over \"%s\": %s", def.expression, def.signature,
                     ps_status_name(status));
        }
        assert_int_equal(ps_op_count(), count + (status == PS_OK));
    }
    assert_true(accepted > 10);
}
