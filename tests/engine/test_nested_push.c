/* Tasks that push tasks: all of them run, in the order that their variables ask for, and a task's
 * own variables count as used until it has returned. */
#include "fixture.h"

typedef struct tree {
    ps_engine *engine;
    tally ran, failed;
    int depth;
} tree;

typedef struct node {
    tree *tree;
    int level;
} node;

static void free_node(void *arg)
{
    free(arg);
}

static ps_status grow(ps_task *self, void *arg);

static ps_status push_node(tree *t, int level)
{
    node *n = malloc(sizeof *n);
    *n = (node){t, level};
    ps_status status = PUSH(t->engine, .run = grow, .arg = n, .drop = free_node);
    if (status != PS_OK)
        free(n);
    return status;
}

static ps_status grow(ps_task *self, void *arg)
{
    node *n = arg;
    (void)self;
    for (int child = 0; child < 2 && n->level < n->tree->depth; child++)
        if (push_node(n->tree, n->level + 1) != PS_OK)
            tally_add(&n->tree->failed);
    tally_add(&n->tree->ran);
    return PS_OK;
}

static void a_tree_of_pushes(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 2, 8};
    for (int i = 0; i < 3; i++) {
        tree t = {.engine = fixture_engine(workers[i]), .depth = FIXTURE_SANITIZED ? 9 : 13};
        CHECK_OK(push_node(&t, 0));
        tally_wait(&t.ran, (2u << t.depth) - 1);
        CHECK_OK(ps_wait_all(t.engine, NULL));
        assert_int_equal(tally_read(&t.failed), 0);
        CHECK_OK(ps_engine_destroy(t.engine));
    }
}

enum { CHILDREN = 200 };

typedef struct family {
    ps_engine *engine;
    ps_var *x;
    long value; /* guarded by the order on x */
    tally wrong;
    uint64_t parent_sequence;
} family;

typedef struct child {
    family *family;
    long expected;
} child;

static ps_status child_task(ps_task *self, void *arg)
{
    child *c = arg;
    if (c->family->value != c->expected || ps_task_sequence(self) <= c->family->parent_sequence)
        tally_add(&c->family->wrong);
    c->family->value = c->expected + 1;
    return PS_OK;
}

static child children[CHILDREN];

static ps_status parent_task(ps_task *self, void *arg)
{
    family *f = arg;
    f->parent_sequence = ps_task_sequence(self);
    for (long i = 0; i < CHILDREN; i++) {
        children[i] = (child){f, i};
        if (fixture_push(f->engine, child_task, &children[i], NULL, f->x) != PS_OK)
            tally_add(&f->wrong);
    }
    fixture_spin(200000); /* a child that does not wait for its parent finds 0 changed */
    if (f->value != 0)
        tally_add(&f->wrong);
    return PS_OK;
}

static void run_family(unsigned workers, bool parent_reads, bool parent_writes)
{
    family f = {.engine = fixture_engine(workers)};
    f.x = fixture_var(f.engine);
    ps_var *done = fixture_var(f.engine);
    CHECK_OK(PUSH(f.engine, .run = parent_task, .arg = &f, .reads = &f.x, .nreads = parent_reads,
                  .writes = VARS(done, f.x), .nwrites = parent_writes ? 2 : 1));
    CHECK_OK(ps_wait_read(done, NULL));
    CHECK_OK(ps_wait_read(f.x, NULL));
    assert_int_equal(tally_read(&f.wrong), 0);
    assert_int_equal(f.value, CHILDREN);
    ps_var_release(done);
    ps_var_release(f.x);
    CHECK_OK(ps_engine_destroy(f.engine));
}

static void children_follow_their_parent(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 4; workers++) {
        run_family(workers, true, false);
        run_family(workers, false, true);
        run_family(workers, true, true);
    }
}

typedef struct relay {
    ps_engine *engine;
    ps_var *x;
    long left; /* guarded by the order on x */
    tally done;
} relay;

static ps_status pass_on(ps_task *self, void *arg)
{
    relay *r = arg;
    (void)self;
    if (--r->left == 0)
        tally_add(&r->done);
    else if (fixture_push(r->engine, pass_on, r, NULL, r->x) != PS_OK)
        return PS_ERR_TASK;
    return PS_OK;
}

/* Nobody ever waits: each task is the only one that pushes. */
static void a_chain_that_pushes_itself(void **state)
{
    (void)state;
    relay r = {.engine = fixture_engine(2), .left = FIXTURE_SCALED(20000)};
    r.x = fixture_var(r.engine);
    CHECK_OK(fixture_push(r.engine, pass_on, &r, NULL, r.x));
    tally_wait(&r.done, 1);
    CHECK_OK(ps_wait_all(r.engine, NULL));
    ps_var_release(r.x);
    CHECK_OK(ps_engine_destroy(r.engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_of_pushes),
        cmocka_unit_test(children_follow_their_parent),
        cmocka_unit_test(a_chain_that_pushes_itself),
    };
    return FIXTURE_RUN(tests);
}
