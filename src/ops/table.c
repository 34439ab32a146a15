/* The table at run time: rows with their signatures taken apart, found by name.
 *
 * Built-in rows are prepared together at the first use. Rows added later are in a list of their
 * own. Nothing is ever removed. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/fork_lock.h"
#include "base/number.h"
#include "base/sized.h"
#include "ops/calls.h"
#include "ops/gradient.h"
#include "ops/plugin.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const ps__op_row rows[] = {
#define ROW(name, group, signature, takes, flags, gives, expression, call, outputs, gradient, doc) \
    {#name,      group, signature, takes,    flags, PS__GIVES_##gives,                             \
     expression, call,  outputs,   gradient, doc,   NULL},
#include "ops/ops.def"
#undef ROW
};

static const struct {
    const char *name, *symbol;
} operators[] = {
#define OPERATOR(name, symbol) {#name, symbol},
#include "ops/operators.def"
#undef OPERATOR
};

enum { ROWS = sizeof rows / sizeof rows[0], NAME_ROOM = 64, ADDED_MAX = 4096 };
enum { SPACES = PS_OP_MAIN | PS_OP_NN | PS_OP_LINALG | PS_OP_RANDOM | PS_OP_OPTIM };

enum { SLOTS = 1024 };
_Static_assert(2 * ROWS < SLOTS, "a name is found by few looks");

static PS__FORK_LOCK(prepare_lock, PS__RANK_TABLE) static ps_op
    *built_in[ROWS]; /* by name; written before `prepared` is set, constant then */
/* A row's place in it + 1, at the slot of its name or behind that; 0: none. Constant like it. */
static uint16_t slots[SLOTS];
static _Atomic uint32_t prepared; /* set under the lock */

/* ---- preparing --------------------------------------------------------------------------- */

/* Whether all primitives that the expression names give the same bits everywhere. */
static bool expression_is_exact(const char *text)
{
    while (*text != '\0') {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        ps__prim prim;
        if (length != 0 && text[length] == '(' && ps__prim_from_name(text, length, &prim) &&
            !ps__prims[prim].exact)
            return false;
        text += length != 0 ? length : 1;
    }
    return true;
}

void ps__op_free(ps_op *op)
{
    ps__gradient_free(op);
    ps__plans_free(op);
    for (unsigned i = 0; i < op->nargs; i++) {
        ps__free((void *)op->args[i].name);
        ps__free((void *)op->args[i].default_text);
        ps__free((void *)op->args[i].choices);
    }
    ps__free(op);
}

/* What calls have room for. */
static ps_status check_limits(const ps_op *op)
{
    if (op->row.expression == NULL ||
        (op->operands <= PS__MAP_ARGS && op->row.outputs <= PS__MAP_OUTPUTS))
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT,
                    "%s: %d operands and %d outputs; an elementwise row has at most %d and %d",
                    op->row.name, op->operands, op->row.outputs, PS__MAP_ARGS, PS__MAP_OUTPUTS);
}

ps_status ps__op_make(const ps__op_row *row, ps_op **result)
{
    ps_op *op = ps__calloc(1, sizeof *op);
    if (op == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for operation %s", row->name);
    op->row = *row;
    if ((row->flags & SPACES) == 0)
        op->row.flags |= PS_OP_MAIN;
    ps_status status = ps__signature_read(op);
    if (status == PS_OK)
        status = check_limits(op);
    if (status != PS_OK) {
        ps__op_free(op);
        return status;
    }
    op->exact = row->expression != NULL ? expression_is_exact(row->expression)
                                        : (row->flags & PS__OP_INEXACT) == 0;
    *result = op;
    return PS_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(ps_op *const *)a)->row.name, (*(ps_op *const *)b)->row.name);
}

static const char *symbol_of(const char *name)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (strcmp(operators[i].name, name) == 0)
            return operators[i].symbol;
    return NULL;
}

static unsigned slot_of(const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return (hash ^ hash >> 16) % SLOTS;
}

static void fill_slots(void)
{
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned at = slot_of(built_in[i]->row.name);
        while (slots[at] != 0)
            at = (at + 1) % SLOTS;
        slots[at] = (uint16_t)(i + 1);
    }
}

static void prepare_rows(void)
{
    for (int i = 0; i < ROWS; i++) {
        ps__op_row row = rows[i];
        row.symbol = symbol_of(row.name);
        if (ps__op_make(&row, &built_in[i]) != PS_OK) {
            while (i-- > 0)
                ps__op_free(built_in[i]);
            return;
        }
    }
    qsort(built_in, ROWS, sizeof built_in[0], by_name);
    fill_slots();
    ps__store_release(&prepared, 1u); /* pairs with the acquire in ready */
}

static bool table_ready(void)
{
    if (PS_LIKELY(ps__load_acquire(&prepared))) /* pairs with the release in prepare */
        return true;
    ps__lock_take(&prepare_lock.lock);
    if (!ps__load(&prepared)) /* only written under the lock */
        prepare_rows();
    ps__unlock(&prepare_lock.lock);
    return ps__load(&prepared) != 0; /* as above, or not at all */
}

static ps_status not_ready(void)
{
    return ps__fail(PS_ERR_MEMORY, "no memory for the table of operations");
}

/* ---- texts ------------------------------------------------------------------------------- */

typedef struct set_name {
    const char *text;
    ps__dtype_set set;
} set_name;

static const set_name sets[] = {
    {"all", PS__SET_ALL},
    {"numeric", PS__SET_NUMERIC},
    {"bool or real", PS__SET_BOOL | PS__SET_REAL},
    {"real", PS__SET_REAL},
    {"floating-point", PS__SET_FLOAT | PS__SET_COMPLEX},
    {"real floating-point", PS__SET_FLOAT},
    {"float32 or float64", PS__SET_FLOAT & ~PS__SET_HALF},
    {"integer", PS__SET_INTEGER},
    {"bool or integer", PS__SET_BOOL | PS__SET_INTEGER},
};

static const char *set_text(ps__dtype_set set)
{
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (sets[i].set == set)
            return sets[i].text;
    return "some";
}

static const char *const gives[] = {"same", "bool", "real", "see the description"};

/* ---- rows added at run time -------------------------------------------------------------- */

static PS__FORK_LOCK(added_lock, PS__RANK_ROWS) /* guards additions */
    static ps_op *added[ADDED_MAX];             /* those below the count are constant */
static _Atomic size_t added_count;

static const ps_op *find_added(const char *name)
{
    size_t count = ps__load_acquire(&added_count); /* pairs with the release in ps__op_add */
    for (size_t i = 0; i < count; i++)
        if (strcmp(added[i]->row.name, name) == 0)
            return added[i];
    return NULL;
}

/* ---- finding ----------------------------------------------------------------------------- */

static const ps_op *find_row(const char *name)
{
    for (unsigned at = slot_of(name); slots[at] != 0; at = (at + 1) % SLOTS) {
        const ps_op *op = built_in[slots[at] - 1];
        if (strcmp(op->row.name, name) == 0)
            return op;
    }
    return find_added(name);
}

ps_status ps_op_find(const char *name, const ps_op **op)
{
    if (name == NULL || op == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_op_find: %s is NULL", name == NULL ? "name" : "op");
    if (!table_ready())
        return not_ready();
    const ps_op *found = find_row(name);
    if (found == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "there is no operation \"%s\"", name);
    *op = found;
    return PS_OK;
}

size_t ps_op_count(void)
{
    return table_ready() ? ROWS + ps__load_acquire(&added_count) : 0; /* pairs as in find_added */
}

const ps_op *ps_op_at(size_t index)
{
    if (index >= ps_op_count())
        return NULL;
    return index < ROWS ? built_in[index] : added[index - ROWS];
}

ps_status ps_op_get_info(const ps_op *op, ps_op_info *info)
{
    if (op == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_op_get_info: op is NULL");
    ps_op_info full = {.name = op->row.name,
                       .signature = op->row.signature,
                       .doc = op->row.doc,
                       .group = op->row.group,
                       .dtypes = set_text(op->row.takes),
                       .result = gives[op->row.result],
                       .expression = op->row.expression,
                       .gradient = op->row.gradient,
                       .exact = op->exact,
                       .blocks = (op->row.flags & PS_OP_WAITS) != 0,
                       .nargs = op->nargs,
                       .noutputs = (size_t)op->row.outputs,
                       .args = op->args,
                       .flags = op->row.flags & ~PS__OP_INEXACT,
                       .symbol = op->row.symbol};
    return ps__sized_write("ps_op_get_info: info", info, &full, sizeof full);
}

/* ---- adding ------------------------------------------------------------------------------ */

static char *copied(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = ps__calloc(1, bytes);
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

static ps_status check_def(const ps_op_def *def)
{
    bool elementwise = def->expression != NULL && def->dtypes != NULL && def->result != NULL &&
                       def->rule == NULL && def->kernel == NULL;
    bool plugin = def->rule != NULL && def->kernel != NULL && def->expression == NULL &&
                  def->dtypes == NULL && def->result == NULL;
    if (def->name == NULL || def->signature == NULL || elementwise == plugin)
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_op_register: name and signature are needed, and either "
                        "dtypes, result and expression or rule and kernel");
    if (!isalpha((unsigned char)def->name[0]) ||
        def->name[strspn(def->name, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
        return ps__fail(PS_ERR_ARGUMENT, "ps_op_register: \"%s\" is no name: a-z, 0-9 and _",
                        def->name);
    return PS_OK;
}

/* What the table would say of the element types. */
static ps_status types_of(const ps_op_def *def, ps__op_row *row)
{
    if (def->kernel != NULL) {
        row->group = "added";
        row->takes = PS__SET_ALL;
        row->flags = PS__OP_INEXACT;
        row->call = ps__op_plugin;
        return PS_OK;
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(sets[i].text, def->dtypes) == 0)
            row->takes = sets[i].set;
    for (int i = PS__GIVES_SAME; i < PS__GIVES_OTHER; i++)
        if (strcmp(gives[i], def->result) == 0)
            row->result = (ps__result_rule)i;
    if (row->takes == 0 || row->result == PS__GIVES_OTHER)
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_op_register: %s: dtypes \"%s\" or result \"%s\" is none that there is: "
                        "docs/operations.md names the types; results are same, bool and real",
                        def->name, def->dtypes, def->result);
    row->flags = def->to_float ? PS_OP_TO_FLOAT : 0;
    return PS_OK;
}

/* One for each expression. */
static int count_outputs(const char *expression)
{
    int count = 1;
    for (; expression != NULL && *expression != '\0'; expression++)
        count += *expression == ';';
    return count;
}

static ps_status row_of(const ps_op_def *def, ps__op_row *row)
{
    *row = (ps__op_row){.group = "elementwise",
                        .outputs = count_outputs(def->expression),
                        .result = PS__GIVES_OTHER};
    ps_status status = types_of(def, row);
    if (status != PS_OK)
        return status;
    row->name = copied(def->name);
    row->signature = copied(def->signature);
    row->expression = def->expression != NULL ? copied(def->expression) : NULL;
    row->gradient = def->gradient != NULL ? copied(def->gradient) : NULL;
    row->doc = copied(def->doc != NULL ? def->doc : "");
    bool fine = row->name != NULL && row->signature != NULL && row->doc != NULL &&
                (row->expression != NULL || def->expression == NULL) &&
                (row->gradient != NULL || def->gradient == NULL);
    return fine ? PS_OK : ps__fail(PS_ERR_MEMORY, "no memory for operation %s", def->name);
}

static void row_free(ps__op_row *row)
{
    ps__free((void *)row->name);
    ps__free((void *)row->signature);
    ps__free((void *)row->expression);
    ps__free((void *)row->gradient);
    ps__free((void *)row->doc);
}

static bool default_is_number(const ps_op_arg_info *info)
{
    char *end;
    const char *text = info->default_text;
    (void)ps__number_parse(text, &end);
    return info->kind == PS_ARG_SCALAR && end != text && *end == '\0' &&
           text[strspn(text, "+-.0123456789e")] == '\0';
}

/* All arguments must be operands, and the expression must compile for one of the types. */
static ps_status check_op(const ps_op *op)
{
    ps_status status = op->kernel != NULL ? ps__plugin_check(op) : PS_OK;
    if (status != PS_OK)
        return status;
    if (op->kernel == NULL && (op->operands != op->nargs || op->nargs == 0))
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_op_register: %s: one to %d tensors or scalars, not \"%s\"",
                        op->row.name, PS__MAP_ARGS, op->row.signature);
    for (unsigned i = 0; i < op->nargs; i++)
        if (!op->args[i].required && !default_is_number(&op->args[i]))
            return ps__fail(PS_ERR_ARGUMENT,
                            "ps_op_register: %s: only scalars have defaults, and those are "
                            "numbers: not %s = %s",
                            op->row.name, op->args[i].name, op->args[i].default_text);
    if (op->kernel != NULL)
        return ps__gradient_kind_of(op) != PS__GRADIENT_EXPRESSION
                   ? PS_OK
                   : ps__fail(
                         PS_ERR_ARGUMENT,
                         "ps_op_register: %s: the gradient of a kernel is none or \"by NAME\", "
                         "not \"%s\"",
                         op->row.name, op->row.gradient);
    ps__operand_type types[PS__ARGS];
    unsigned dtype =
        31u - (unsigned)__builtin_clz(op->row.takes & PS__SET_FLOAT ? op->row.takes & PS__SET_FLOAT
                                                                    : op->row.takes);
    for (unsigned i = 0; i < op->nargs; i++)
        types[i] = op->args[i].kind == PS_ARG_SCALAR ? (ps__operand_type){true, PS_SCALAR_BOOL}
                                                     : (ps__operand_type){false, (uint8_t)dtype};
    const ps__plan *plan;
    const ps_op *gradient;
    status = ps__plan_get(op, types, -1, &plan);
    if (status == PS_OK && ps__gradient_kind_of(op) == PS__GRADIENT_EXPRESSION)
        status = ps__gradient_op(op, ~0u, &gradient);
    return status;
}

/* The caller has the lock. */
static ps_status add_row(ps_op *op)
{
    size_t count = ps__load(&added_count); /* changed only under the lock */
    if (find_row(op->row.name) != NULL)
        return ps__fail(PS_ERR_ARGUMENT, "there is already an operation \"%s\"", op->row.name);
    if (count == ADDED_MAX)
        return ps__fail(PS_ERR_STATE, "%d operations were added; there can be no more", ADDED_MAX);
    added[count] = op;
    ps__store_release(&added_count, count + 1); /* pairs with the acquire in find_added */
    return PS_OK;
}

static ps_status read_def(const ps_op_def *given, ps_op_def *def)
{
    ps_status status = ps__sized_read("ps_op_register: def", def, sizeof *def, given,
                                      PS__SIZE_TO(ps_op_def, expression));
    return status == PS_OK ? check_def(def) : status;
}

ps_status ps_op_register(const ps_op_def *given, const ps_op **result)
{
    ps_op_def def;
    ps__op_row row = {0};
    ps_op *op = NULL;
    ps_status status = read_def(given, &def);
    if (status == PS_OK && !table_ready())
        status = not_ready();
    if (status == PS_OK)
        status = row_of(&def, &row);
    if (status == PS_OK)
        status = ps__op_make(&row, &op);
    if (status == PS_OK) {
        op->rule = def.rule;
        op->kernel = def.kernel;
        op->context = def.context;
        status = check_op(op);
    }
    if (status == PS_OK) {
        ps__lock_take(&added_lock.lock);
        status = add_row(op);
        ps__unlock(&added_lock.lock);
    }
    if (status != PS_OK) {
        if (op != NULL)
            ps__op_free(op);
        row_free(&row);
        return status;
    }
    if (result != NULL)
        *result = op;
    return PS_OK;
}
