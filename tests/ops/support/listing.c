/* Programs as text, and the smallest program that still fails. */
#include "program.h"

#include <inttypes.h>

static void print_ints(FILE *out, const int64_t *ints, size_t count)
{
    fprintf(out, "(");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRId64, i == 0 ? "" : ", ", ints[i]);
    fprintf(out, ")");
}

static void print_number(FILE *out, ps_scalar number)
{
    if (number.tag == PS_SCALAR_BOOL)
        fprintf(out, "%s", number.as.b ? "true" : "false");
    else if (number.tag == PS_SCALAR_INT64)
        fprintf(out, "%" PRId64, number.as.i);
    else if (number.tag == PS_SCALAR_DOUBLE)
        fprintf(out, "%.17g", number.as.d);
    else
        fprintf(out, "(%.17g, %.17g)", number.as.z[0], number.as.z[1]);
}

static void print_index(FILE *out, const step *s)
{
    fprintf(out, "s%d[", s->a);
    for (size_t i = 0; i < s->nindex; i++) {
        const ps_index *index = &s->index[i];
        fprintf(out, "%s", i == 0 ? "" : ", ");
        if (index->kind == PS_INDEX_NEW)
            fprintf(out, "new");
        else if (index->kind == PS_INDEX_AT)
            fprintf(out, "%" PRId64, index->start);
        else
            fprintf(out, "%" PRId64 ":%" PRId64 ":%" PRId64, index->start, index->stop,
                    index->step);
    }
    fprintf(out, "]");
}

static void print_right(FILE *out, const step *s)
{
    switch (s->kind) {
    case STEP_MAKE:
        fprintf(out, "make(%s, ", ps_dtype_name(s->dtype));
        print_ints(out, s->shape, (size_t)s->ndim);
        fprintf(out, ", seed %" PRIu64 "%s)", s->seed, s->special ? ", special" : "");
        break;
    case STEP_CALL:
        fprintf(out, "%s(", s->name);
        for (size_t i = 0; i < s->nargs; i++) {
            fprintf(out, "%s", i == 0 ? "" : ", ");
            if (s->args[i].slot < 0)
                print_number(out, s->args[i].number);
            else
                fprintf(out, "s%d", s->args[i].slot);
        }
        fprintf(out, ")");
        break;
    case STEP_REDUCE:
        fprintf(out, "%s(s%d, axes ", s->name, s->a);
        print_ints(out, s->ints, s->nints);
        fprintf(out, "%s)", s->keepdims ? ", keepdims" : "");
        break;
    case STEP_CAST:
        fprintf(out, "cast(s%d, %s)", s->a, ps_dtype_name(s->dtype));
        break;
    case STEP_PRODUCT:
        fprintf(out, "matmul(s%d, s%d)", s->a, s->b);
        break;
    case STEP_INDEX:
        print_index(out, s);
        break;
    case STEP_PERMUTE:
        fprintf(out, "permute(s%d, ", s->a);
        print_ints(out, s->ints, s->nints);
        fprintf(out, ")");
        break;
    case STEP_PART:
        fprintf(out, "%s(s%d)", s->keepdims ? "imaginary_part" : "real_part", s->a);
        break;
    case STEP_RESHAPE:
    case STEP_EXPAND:
        fprintf(out, "%s(s%d, ", s->kind == STEP_EXPAND ? "broadcast" : "reshape", s->a);
        print_ints(out, s->shape, (size_t)s->ndim);
        fprintf(out, ")");
        break;
    default:
        fprintf(out, "s%d", s->a);
    }
}

void program_print(const program *p, FILE *out)
{
    for (unsigned i = 0; i < p->nsteps; i++) {
        const step *s = &p->steps[i];
        if (s->skipped)
            continue;
        fprintf(out, "%4u  ", i);
        if (s->kind == STEP_DROP) {
            fprintf(out, "drop s%d", s->to);
        } else if (s->kind == STEP_READ) {
            fprintf(out, "read s%d", s->a);
        } else if (s->kind == STEP_SET) {
            print_index(out, s);
            fprintf(out, " = ");
            if (s->b >= 0)
                fprintf(out, "s%d", s->b);
            else
                print_number(out, s->args[0].number);
        } else {
            fprintf(out, "s%d %s ", s->to, s->into ? "<-" : "=");
            print_right(out, s);
        }
        fprintf(out, "\n");
    }
}

/* A meeting of threads may need several runs to happen. */
static bool still_differs(program *p, const setup *one, const setup *other, char *text, size_t room)
{
    bool same = true;
    for (int again = 0; same && again < 20; again++) {
        program_log a, b;
        program_play(p, one, &a);
        program_play(p, other, &b);
        same = program_log_same(&a, &b, text, room);
        program_log_free(&a);
        program_log_free(&b);
    }
    return !same;
}

void program_shrink(program *p, const setup *one, const setup *other, char *text, size_t room)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned i = p->nsteps; i-- > 0;) {
            if (p->steps[i].skipped)
                continue;
            p->steps[i].skipped = true;
            if (still_differs(p, one, other, text, room))
                changed = true;
            else
                p->steps[i].skipped = false;
        }
    }
}
