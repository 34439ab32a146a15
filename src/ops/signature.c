/* Signatures of rows, "x, axis: ints = none", taken apart. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/fpmode.h"
#include "base/number.h"
#include "ops/op.h"

#include <ctype.h>
#include <string.h>

typedef struct kind_name {
    const char *text;
    ps_arg_kind kind;
    ps_arg_role role;
} kind_name;

/* Besides, "choice(a b)": one of these texts. */
static const kind_name kinds[] = {
    {"tensor", PS_ARG_TENSOR, PS_ROLE_NONE},
    {"tensor or number", PS_ARG_TENSOR, PS_ROLE_NONE},
    {"mask", PS_ARG_TENSOR, PS_ROLE_MASK},
    {"positions", PS_ARG_TENSOR, PS_ROLE_POSITIONS},
    {"positions or number", PS_ARG_TENSOR, PS_ROLE_POSITIONS},
    {"scalar", PS_ARG_SCALAR, PS_ROLE_NONE},
    {"bool", PS_ARG_BOOL, PS_ROLE_NONE},
    {"int", PS_ARG_INT, PS_ROLE_NONE},
    {"axis", PS_ARG_INT, PS_ROLE_AXIS},
    {"float", PS_ARG_DOUBLE, PS_ROLE_NONE},
    {"ints", PS_ARG_INTS, PS_ROLE_NONE},
    {"axes", PS_ARG_INTS, PS_ROLE_AXES},
    {"tensors", PS_ARG_TENSORS, PS_ROLE_NONE},
    {"dtype", PS_ARG_DTYPE, PS_ROLE_NONE},
    {"text", PS_ARG_TEXT, PS_ROLE_NONE},
    {"generator", PS_ARG_GENERATOR, PS_ROLE_NONE},
};

/* Copies the next word up to one of `ends` without the blanks around it; moves *at behind it. */
static char *next_word(const char **at, const char *ends)
{
    while (isspace((unsigned char)**at))
        ++*at;
    size_t length = strcspn(*at, ends);
    const char *begin = *at;
    *at += length;
    while (length > 0 && isspace((unsigned char)begin[length - 1]))
        length--;
    char *word = ps__calloc(1, length + 1);
    if (word != NULL)
        memcpy(word, begin, length);
    return word;
}

/* "choice(a b)": the texts between the parentheses, in `kind` itself; NULL if it is none. */
static char *read_choices(char *kind)
{
    size_t length = strlen(kind);
    if (strncmp(kind, "choice(", 7) != 0 || length < 9 || kind[length - 1] != ')')
        return NULL;
    memmove(kind, kind + 7, length - 8);
    kind[length - 8] = '\0';
    return kind;
}

/* Fills in what a kind says; takes the text over if it has choices. */
static bool read_kind(ps_op_arg_info *info, char **kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].text, *kind) == 0) {
            info->kind = kinds[i].kind;
            info->role = kinds[i].role;
            return true;
        }
    info->choices = read_choices(*kind);
    if (info->choices == NULL)
        return false;
    info->kind = PS_ARG_TEXT;
    info->role = PS_ROLE_CHOICE;
    *kind = NULL;
    return true;
}

static ps_scalar default_scalar(const char *text)
{
    char *end;
    uint64_t mode = ps__fpmode_enter(); /* decimals are rounded, but not as the caller likes */
    double number = ps__number_parse(text, &end);
    ps__fpmode_leave(mode);
    if (strpbrk(text, ".e") == NULL && number > -0x1p63 && number < 0x1p63)
        return (ps_scalar){PS_SCALAR_INT64, {.i = (int64_t)number}};
    return (ps_scalar){PS_SCALAR_DOUBLE, {.d = number}};
}

static ps_scalar default_dtype(const char *text)
{
    ps_dtype dtype;
    int64_t number = ps__dtype_from_name(text, &dtype) ? (int64_t)dtype : -1;
    return (ps_scalar){PS_SCALAR_INT64, {.i = number}};
}

/* A name that expressions can use, and that no argument before has. */
static bool name_is_free(const ps_op *op, const char *name)
{
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    bool fine = isalpha((unsigned char)name[0]) && name[length] == '\0';
    for (unsigned i = 0; fine && i < op->nargs; i++)
        fine = strcmp(op->args[i].name, name) != 0;
    return fine;
}

/* Whether a number may stand for a tensor: in elementwise rows it may. */
static bool takes_number(const ps_op *op, const char *kind)
{
    if (kind == NULL || strcmp(kind, "tensor") == 0 || strcmp(kind, "mask") == 0)
        return op->row.expression != NULL;
    return strstr(kind, " or number") != NULL;
}

/* One argument: "name", "name: kind" or "name: kind = default". */
static ps_status parse_argument(ps_op *op, const char **at)
{
    unsigned index = op->nargs;
    ps_op_arg_info *info = &op->args[index];
    char *name = next_word(at, ":=,"), *kind = NULL, *value = NULL;
    bool memory = name != NULL;
    if (**at == ':')
        memory &= (++*at, kind = next_word(at, "=,")) != NULL;
    if (**at == '=')
        memory &= (++*at, value = next_word(at, ",")) != NULL;
    bool fine = memory && name_is_free(op, name);
    info->name = name;
    info->kind = PS_ARG_TENSOR;
    info->scalar = takes_number(op, kind);
    if (kind != NULL)
        fine &= read_kind(info, &kind);
    info->required = value == NULL;
    info->default_text = value;
    if (op->operands == index && (info->kind == PS_ARG_TENSOR || info->kind == PS_ARG_SCALAR))
        op->operands++;
    if (value != NULL)
        op->defaults[index] =
            info->kind == PS_ARG_DTYPE ? default_dtype(value) : default_scalar(value);
    op->omitted[index] = ps__arg_omitted(op, index);
    op->required = (uint8_t)(info->required ? index + 1 : op->required);
    op->nargs++;
    ps__free(kind);
    if (!memory)
        return ps__fail(PS_ERR_MEMORY, "no memory for operation %s", op->row.name);
    return fine ? PS_OK
                : ps__fail(PS_ERR_ARGUMENT, "%s: cannot read the signature \"%s\" at \"%s\"",
                           op->row.name, op->row.signature, *at);
}

ps_status ps__signature_read(ps_op *op)
{
    const char *at = op->row.signature;
    while (*at != '\0') {
        if (op->nargs == PS__ARGS)
            return ps__fail(PS_ERR_ARGUMENT, "%s: more than %d arguments in \"%s\"", op->row.name,
                            PS__ARGS, op->row.signature);
        ps_status status = parse_argument(op, &at);
        if (status != PS_OK)
            return status;
        if (*at == ',')
            at++;
    }
    return PS_OK;
}
