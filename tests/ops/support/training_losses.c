/* Losses of rows of numbers, one for each class, and what they compare with. */
#include "training.h"

/* ---- what is compared with ------------------------------------------------------------------ */

static void shape_of(const train_run *r, int64_t *shape)
{
    shape[0] = r->t->batch;
    shape[1] = r->t->classes;
}

static ps_tensor *any_numbers(train_run *r)
{
    int64_t shape[2];
    shape_of(r, shape);
    return train_normal(r, 2, shape, 0, 1);
}

/* What the row makes of any numbers. */
static ps_tensor *made_by(train_run *r, const char *row)
{
    ps_tensor *x = any_numbers(r), *made = TRAIN(r, row, T(x));
    ps_tensor_release(x);
    return made;
}

static ps_tensor *signs(train_run *r)
{
    return made_by(r, "sign");
}

static ps_tensor *shares_of_one(train_run *r)
{
    return made_by(r, "sigmoid");
}

static ps_tensor *shares(train_run *r)
{
    return made_by(r, "softmax");
}

static ps_tensor *labels(train_run *r)
{
    return train_integers(r, 1, &r->t->batch, r->t->classes);
}

/* ---- losses --------------------------------------------------------------------------------- */

static ps_tensor *of_two(train_run *r, const train_loss *loss, ps_tensor *x)
{
    ps_tensor *target = loss->target(r), *made = TRAIN(r, loss->name, T(x), T(target));
    ps_tensor_release(target);
    return made;
}

static ps_tensor *with_number(train_run *r, const train_loss *loss, ps_tensor *x)
{
    ps_tensor *target = loss->target(r);
    ps_tensor *made = TRAIN(r, loss->name, T(x), T(target), F(r->t->parameter));
    ps_tensor_release(target);
    return made;
}

/* A weight for each class. */
static ps_tensor *class_weights(train_run *r)
{
    ps_tensor *x = train_normal(r, 1, &r->t->classes, 1, 0.2);
    ps_tensor *made = TRAIN(r, "abs", T(x));
    ps_tensor_release(x);
    return made;
}

static ps_tensor *with_weights(train_run *r, const train_loss *loss, ps_tensor *x)
{
    ps_tensor *target = loss->target(r), *weights = class_weights(r);
    ps_tensor *made = TRAIN(r, loss->name, T(x), T(target), T(weights));
    ps_tensor_release(target);
    ps_tensor_release(weights);
    return made;
}

static ps_tensor *sigmoid_bce(train_run *r, const train_loss *loss, ps_tensor *x)
{
    ps_tensor *target = loss->target(r);
    bool weighted = r->t->parameter > 1;
    ps_tensor *made = TRAIN(r, loss->name, T(x), T(target), weighted ? F(r->t->parameter) : NONE,
                            B(loss->before != NULL));
    ps_tensor_release(target);
    return made;
}

static ps_tensor *of_logits(train_run *r, const train_loss *loss, ps_tensor *x)
{
    ps_tensor *target = loss->target(r);
    ps_tensor *made = TRAIN(r, loss->name, T(x), T(target), B(false));
    ps_tensor_release(target);
    return made;
}

static ps_tensor *cross_entropy(train_run *r, const train_loss *loss, ps_tensor *x)
{
    const training *t = r->t;
    bool whole = loss->target == labels, weighted = t->parameter > 1;
    ps_tensor *target = loss->target(r), *weights = weighted ? class_weights(r) : NULL;
    ps_tensor *made = TRAIN(r, loss->name, T(x), T(target), I(-1),
                            whole && t->ignored >= 0 ? I(t->ignored) : NONE, F(t->smoothing),
                            weighted ? T(weights) : NONE);
    ps_tensor_release(target);
    ps_tensor_release(weights);
    return made;
}

/* The row that takes no 16-bit floats. */
static ps_tensor *cross_entropy_rows(train_run *r, const train_loss *loss, ps_tensor *x)
{
    ps_dtype dtype = r->t->dtype == PS_FLOAT64 ? PS_FLOAT64 : PS_FLOAT32;
    ps_tensor *target = loss->target(r), *wide = TRAIN(r, "cast", T(x), D(dtype));
    ps_tensor *made = TRAIN(r, loss->name, T(wide), T(target),
                            r->t->ignored >= 0 ? I(r->t->ignored) : NONE, F(r->t->smoothing));
    ps_tensor_release(target);
    ps_tensor_release(wide);
    return made;
}

/* Not a row, but what is left of one: the numbers themselves, at the labels. */
static ps_tensor *picked(train_run *r, const train_loss *loss, ps_tensor *x)
{
    ps_tensor *target = loss->target(r), *found = TRAIN(r, "pick", T(x), T(target));
    ps_tensor *made = TRAIN(r, "negative", T(found));
    ps_tensor_release(target);
    ps_tensor_release(found);
    return made;
}

static const train_loss losses[] = {
    {"l1_loss", of_two, NULL, any_numbers},
    {"l2_loss", of_two, NULL, any_numbers},
    {"huber_loss", with_number, NULL, any_numbers},
    {"hinge_loss", with_number, NULL, signs},
    {"squared_hinge_loss", with_number, NULL, signs},
    {"logistic_loss", of_two, NULL, signs},
    {"bce_logits", of_two, NULL, shares_of_one},
    {"bce_logits_weighted", with_weights, NULL, shares_of_one},
    {"bce_probabilities", of_two, "sigmoid", shares_of_one},
    {"bce_probabilities_weighted", with_weights, "sigmoid", shares_of_one},
    {"sigmoid_bce_loss", sigmoid_bce, NULL, shares_of_one},
    {"sigmoid_bce_loss", sigmoid_bce, "sigmoid", shares_of_one},
    {"kl_divergence", of_two, "log_softmax", shares},
    {"kl_div_loss", of_two, "log_softmax", shares},
    {"kl_div_loss", of_logits, NULL, shares},
    {"softmax_cross_entropy", cross_entropy, NULL, labels},
    {"softmax_cross_entropy", cross_entropy, NULL, labels},
    {"softmax_cross_entropy", cross_entropy, NULL, shares},
    {"cross_entropy_rows", cross_entropy_rows, NULL, labels},
    {"pick", picked, "log_softmax", labels},
};

void train_draw_loss(training *t)
{
    t->loss = &losses[train_pick(t, 0, sizeof losses / sizeof losses[0] - 1)];
    t->summed = train_one_in(t, 3);
    t->whole = train_one_in(t, 6);
    t->ignored = train_one_in(t, 3) ? train_pick(t, 0, t->classes - 1) : -1;
    t->smoothing = train_one_in(t, 3) ? train_between(t, 0, 0.5) : 0;
    t->parameter = train_between(t, 0.3, 1.7);
}

/* One number, or one for each element. */
static ps_tensor *reduced(train_run *r, ps_tensor *each)
{
    if (r->t->whole)
        return train_retained(r, each);
    return TRAIN(r, r->t->summed ? "sum" : "mean", T(each));
}

ps_tensor *train_run_loss(train_run *r, ps_tensor *x)
{
    const train_loss *loss = r->t->loss;
    ps_tensor *first = loss->before != NULL ? TRAIN(r, loss->before, T(x)) : train_retained(r, x);
    ps_tensor *each = loss->run(r, loss, first), *made = reduced(r, each);
    ps_tensor_release(first);
    ps_tensor_release(each);
    return made;
}
