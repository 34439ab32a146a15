/* The run that formats plug into: see format.h. */
#include "engine/fixture.h"

#include "fuzz/support/format.h"

typedef struct counts {
    uint64_t loaded, refused, again;
} counts;

static void make_sample(const format *f, sample *s)
{
    const bytes *from = &f->corpus[damage_below(f->count)];
    memcpy(s->data, from->data, from->size);
    s->size = from->size;
    for (size_t i = damage_below(4); i < 4; i++)
        f->damage(s);
}

static void check_again(const format *f, const void *file, counts *c)
{
    void *again = NULL;
    CHECK_OK(f->save(scratch("again"), file));
    CHECK_OK(f->read_file(scratch("again"), f->flags - 1, &again));
    assert_true(f->equal(file, again));
    f->close(again);
    c->again++;
}

static void check_loaded(const format *f, const sample *s, void *file, counts *c)
{
    c->loaded++;
    if (f->check(file, s->size) && damage_below(16) == 0)
        check_again(f, file, c);
    f->close(file);
}

static void check_refused(const format *f, ps_status status, const void *file, counts *c)
{
    size_t length = strlen(f->function);
    c->refused++;
    CHECK_STATUS(status, PS_ERR_ARGUMENT);
    assert_null(file);
    assert_int_equal(strncmp(ps_last_error(), f->function, length), 0);
    assert_int_equal(strncmp(ps_last_error() + length, ": ", 2), 0);
}

/* A file gives what its bytes in memory give. */
static void check_file(const format *f, const sample *s, uint32_t flags, ps_status wanted)
{
    void *file = NULL;
    assert_true(bytes_write(scratch("sample"), (bytes){(unsigned char *)s->data, s->size}));
    CHECK_STATUS(f->read_file(scratch("sample"), flags, &file), wanted);
    if (file != NULL)
        f->check(file, s->size);
    f->close(file);
}

static void check_sample(const format *f, const sample *s, counts *c)
{
    unsigned char *exact = sample_exact(s);
    void *file = NULL;
    uint32_t flags = damage_below(8) < 6 ? 0 : (uint32_t)damage_below(f->flags);
    ps_status status = f->read_memory(exact, s->size, flags, &file);
    if (!f->borrows)
        free(exact - 1);
    if (status == PS_OK)
        check_loaded(f, s, file, c);
    else
        check_refused(f, status, file, c);
    if (f->borrows)
        free(exact - 1);
    if (damage_below(64) == 0)
        check_file(f, s, flags, status);
}

void format_run(const format *f)
{
    static sample s;
    counts c = {0};
    uint64_t files;
    damage_begin(&files);
    uint64_t before = damage_live_bytes();
    for (uint64_t i = 0; i < files; i++) {
        make_sample(f, &s);
        check_sample(f, &s, &c);
    }
    assert_int_equal(damage_live_bytes(), before);
    printf("%llu loaded, %llu refused, %llu saved again\n", (unsigned long long)c.loaded,
           (unsigned long long)c.refused, (unsigned long long)c.again);
    assert_true(c.loaded > 10 && c.refused > 10 && c.again > 0);
    for (size_t i = 0; i < f->count; i++)
        free(f->corpus[i].data);
}
