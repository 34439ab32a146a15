/* Sorting and searching: see order.h.
 *
 * Elements become keys (order_type.inc), unsigned numbers that are compared and taken apart as
 * such. Long rows of keys are sorted by their bytes, short ones by merging (order_sort.inc). For
 * places a key is joined with its place in a record: one 64-bit number where both have 32 bits, a
 * pair where not. Complex numbers are records of three numbers, and only compared. Many short rows
 * at once are in order_lanes.c. */
#include "kernels/order.h"
#include "kernels/ref/names.inc"

enum {
    RUN = 16,         /* elements that are sorted by insertion */
    RADIX_LEAST = 12, /* elements for each byte of keys beyond which passes over bytes pay */
    HEAP_BLOCK = 256, /* elements that are made records at a time */
    HEAP_PART = 16    /* a heap pays if at most one element in so many is wanted */
};

typedef struct pair {
    uint64_t key, place;
} pair;

/* A complex number. The two upper bits of `place` are which parts are NaN. */
typedef struct triple {
    uint64_t place, re, im;
} triple;

typedef void (*fill_fn)(size_t n, const void *x, uint64_t turn, uint64_t first, void *records);

typedef struct order_type {
    void (*keys)(size_t n, const void *x, uint64_t turn, void *keys);
    void (*elements)(size_t n, const void *keys, uint64_t turn, const void *x, void *out);
    fill_fn pack, pair;
    void (*search)(bool behind, size_t n, const void *sorted, size_t count, const void *x,
                   int64_t *places);
} order_type;

/* How many keys have each value of one of their bytes. */
typedef size_t radix_counts[256];

/* Whether n keys, of which so many bytes count, are sorted by those. */
static bool uses_radix(size_t n, size_t bytes)
{
    return n > RADIX_LEAST * bytes;
}

/* Bytes of the counts, which come first in scratch memory. */
static size_t radix_room(size_t n, size_t bytes)
{
    return uses_radix(n, bytes) ? bytes * sizeof(radix_counts) : 0;
}

/* How elements of `item` bytes become records. */
typedef struct filling {
    fill_fn fill;
    size_t item;
    uint64_t turn;
} filling;

/* ---- element types ------------------------------------------------------------------- */

#define T ps__element8
#define TAG truth
#define TRUTH
#include "kernels/ref/order_type.inc"
#define T ps__element8
#define TAG uint8
#define SIGN 0
#include "kernels/ref/order_type.inc"
#define T ps__element16
#define TAG uint16
#define SIGN 0
#include "kernels/ref/order_type.inc"
#define T ps__element32
#define TAG uint32
#define SIGN 0
#include "kernels/ref/order_type.inc"
#define T ps__element64
#define TAG uint64
#define SIGN 0
#include "kernels/ref/order_type.inc"
#define T ps__element8
#define TAG int8
#define SIGN 0x80
#include "kernels/ref/order_type.inc"
#define T ps__element16
#define TAG int16
#define SIGN 0x8000
#include "kernels/ref/order_type.inc"
#define T ps__element32
#define TAG int32
#define SIGN 0x80000000u
#include "kernels/ref/order_type.inc"
#define T ps__element64
#define TAG int64
#define SIGN (UINT64_C(1) << 63)
#include "kernels/ref/order_type.inc"
#define T ps__element16
#define TAG float16
#define SIGN 0x8000
#define INFINITE 0x7C00
#include "kernels/ref/order_type.inc"
#define T ps__element16
#define TAG bfloat16
#define SIGN 0x8000
#define INFINITE 0x7F80
#include "kernels/ref/order_type.inc"
#define T ps__element32
#define TAG float32
#define SIGN 0x80000000u
#define INFINITE 0x7F800000u
#include "kernels/ref/order_type.inc"
#define T ps__element64
#define TAG float64
#define SIGN (UINT64_C(1) << 63)
#define INFINITE (UINT64_C(0x7FF) << 52)
#include "kernels/ref/order_type.inc"

/* Of a NaN part only that it is one counts: it has one key. */
static triple triple_of(uint64_t re, uint64_t im, uint64_t nan, uint64_t place, uint64_t turn)
{
    uint64_t class = (uint64_t)(re == nan) << 1 | (uint64_t)(im == nan);
    return (triple){(class ^ (turn & 3)) << 62 | place, re ^ turn, im ^ turn};
}

static void triple_complex64(size_t n, const void *x, uint64_t turn, uint64_t first, void *records)
{
    const ps__element32 *from = x;
    triple *to = records;
    for (size_t i = 0; i < n; i++)
        to[i] = triple_of(key_float32(from[2 * i]), key_float32(from[2 * i + 1]), UINT32_MAX,
                          first + i, turn);
}

static void triple_complex128(size_t n, const void *x, uint64_t turn, uint64_t first, void *records)
{
    const ps__element64 *from = x;
    triple *to = records;
    for (size_t i = 0; i < n; i++)
        to[i] = triple_of(key_float64(from[2 * i]), key_float64(from[2 * i + 1]), UINT64_MAX,
                          first + i, turn);
}

static const order_type *const types[PS__DTYPES] =
    {[PS_BOOL] = &type_truth,      [PS_UINT8] = &type_uint8,       [PS_UINT16] = &type_uint16,
     [PS_UINT32] = &type_uint32,   [PS_UINT64] = &type_uint64,     [PS_INT8] = &type_int8,
     [PS_INT16] = &type_int16,     [PS_INT32] = &type_int32,       [PS_INT64] = &type_int64,
     [PS_FLOAT16] = &type_float16, [PS_BFLOAT16] = &type_bfloat16, [PS_FLOAT32] = &type_float32,
     [PS_FLOAT64] = &type_float64};

/* ---- keys and records ---------------------------------------------------------------- */

#define KEY_LESS(a, b) ((a) < (b))
#define KEY_BYTE(a, i) ((uint8_t)((a) >> 8 * (i)))

#define T ps__element8
#define TAG 8
#define LESS KEY_LESS
#define BYTE(a, i) (a)
#include "kernels/ref/order_sort.inc"
#define T ps__element16
#define TAG 16
#define LESS KEY_LESS
#define BYTE KEY_BYTE
#include "kernels/ref/order_sort.inc"
#define T ps__element32
#define TAG 32
#define LESS KEY_LESS
#define BYTE KEY_BYTE
#include "kernels/ref/order_sort.inc"
#define T ps__element64
#define TAG 64
#define LESS KEY_LESS
#define BYTE KEY_BYTE
#include "kernels/ref/order_sort.inc"

#define T uint64_t
#define TAG packed
#define LESS KEY_LESS
#define BYTE(a, i) KEY_BYTE(a, 4 + (i))
#include "kernels/ref/order_sort.inc"
#define T uint64_t
#define TAG packed
#define LESS KEY_LESS
#define PLACE(a) ((a)&UINT32_MAX)
#include "kernels/ref/order_records.inc"

#define PAIR_LESS(a, b) ((a).key < (b).key || ((a).key == (b).key && (a).place < (b).place))
#define T pair
#define TAG pair
#define LESS PAIR_LESS
#define BYTE(a, i) KEY_BYTE((a).key, i)
#include "kernels/ref/order_sort.inc"
#define T pair
#define TAG pair
#define LESS PAIR_LESS
#define PLACE(a) ((a).place)
#include "kernels/ref/order_records.inc"

static inline bool triple_less(const triple *a, const triple *b)
{
    if (a->place >> 62 != b->place >> 62)
        return a->place >> 62 < b->place >> 62;
    if (a->re != b->re)
        return a->re < b->re;
    return a->im != b->im ? a->im < b->im : a->place < b->place;
}

#define TRIPLE_LESS(a, b) triple_less(&(a), &(b))
#define T triple
#define TAG triple
#define LESS TRIPLE_LESS
#include "kernels/ref/order_sort.inc"
#define T triple
#define TAG triple
#define LESS TRIPLE_LESS
#define PLACE(a) ((a).place & ~(UINT64_C(3) << 62))
#include "kernels/ref/order_records.inc"

/* ---- places -------------------------------------------------------------------------- */

typedef enum record_kind { PACKED, PAIR, TRIPLE } record_kind;

static record_kind record_of(ps_dtype dtype, size_t n)
{
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX)
        return TRIPLE;
    return ps__dtype_bytes(dtype) <= 4 && n <= UINT32_MAX ? PACKED : PAIR;
}

static bool uses_heap(size_t n, size_t wanted)
{
    return wanted <= n / HEAP_PART;
}

/* Triples are only compared. */
static size_t records_radix_room(record_kind kind, ps_dtype dtype, size_t n)
{
    return kind == TRIPLE ? 0 : radix_room(n, ps__dtype_bytes(dtype));
}

size_t ps__argsort_room(ps_dtype dtype, size_t n, size_t wanted)
{
    static const size_t bytes[] = {sizeof(uint64_t), sizeof(pair), sizeof(triple)};
    record_kind kind = record_of(dtype, n);
    if (uses_heap(n, wanted))
        return 2 * bytes[kind] * wanted;
    return 2 * bytes[kind] * n + records_radix_room(kind, dtype, n);
}

static filling filling_of(ps_dtype dtype, bool descending, record_kind kind)
{
    const order_type *type = types[dtype];
    filling f = {.item = ps__dtype_bytes(dtype), .turn = descending ? UINT64_MAX : 0};
    f.fill = kind == PACKED          ? type->pack
             : kind == PAIR          ? type->pair
             : dtype == PS_COMPLEX64 ? triple_complex64
                                     : triple_complex128;
    return f;
}

static void first_places(const filling *f, record_kind kind, size_t n, const void *x, size_t wanted,
                         int64_t *places, void *scratch)
{
    if (wanted == 0)
        return;
    if (kind == PACKED)
        first_packed(f, n, x, wanted, places, scratch);
    else if (kind == PAIR)
        first_pair(f, n, x, wanted, places, scratch);
    else
        first_triple(f, n, x, wanted, places, scratch);
}

/* The number of bytes of packed keys as a constant. */
static uint64_t *sort_packed_keys(size_t item, size_t n, uint64_t *a, radix_counts *counts)
{
    switch (item) {
    case 1:
        return sort_packed(n, a, a + n, 1, counts);
    case 2:
        return sort_packed(n, a, a + n, 2, counts);
    default:
        return sort_packed(n, a, a + n, 4, counts);
    }
}

void ps__argsort(ps_dtype dtype, bool descending, size_t n, const void *x, size_t wanted,
                 int64_t *places, void *scratch)
{
    record_kind kind = record_of(dtype, n);
    filling f = filling_of(dtype, descending, kind);
    if (uses_heap(n, wanted)) {
        first_places(&f, kind, n, x, wanted, places, scratch);
        return;
    }
    void *records = (char *)scratch + records_radix_room(kind, dtype, n);
    f.fill(n, x, f.turn, 0, records);
    if (kind == PACKED) {
        places_packed(wanted, sort_packed_keys(f.item, n, records, scratch), places);
    } else if (kind == PAIR) {
        pair *a = records;
        places_pair(wanted, sort_pair(n, a, a + n, 8, scratch), places);
    } else {
        triple *a = records;
        places_triple(wanted, merge_sort_triple(n, a, a + n), places);
    }
}

/* ---- elements ------------------------------------------------------------------------ */

/* Complex numbers: their places behind the scratch for those. */
size_t ps__sort_room(ps_dtype dtype, size_t n)
{
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX)
        return ps__argsort_room(dtype, n, n) + n * sizeof(int64_t);
    return radix_room(n, ps__dtype_bytes(dtype)) + n * ps__dtype_bytes(dtype);
}

static void sort_complex(ps_dtype dtype, bool descending, size_t n, const char *x, char *out,
                         char *scratch)
{
    size_t item = ps__dtype_bytes(dtype);
    int64_t *places = (int64_t *)(void *)(scratch + ps__argsort_room(dtype, n, n));
    ps__argsort(dtype, descending, n, x, n, places, scratch);
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * item, x + (size_t)places[i] * item, item);
}

static const void *sort_keys(size_t bytes, size_t n, void *a, void *scratch)
{
    void *b = (char *)scratch + radix_room(n, bytes);
    switch (bytes) {
    case 1:
        return sort_8(n, a, b, 1, scratch);
    case 2:
        return sort_16(n, a, b, 2, scratch);
    case 4:
        return sort_32(n, a, b, 4, scratch);
    default:
        return sort_64(n, a, b, 8, scratch);
    }
}

void ps__sort(ps_dtype dtype, bool descending, size_t n, const void *x, void *out, void *scratch)
{
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX) {
        sort_complex(dtype, descending, n, x, out, scratch);
        return;
    }
    uint64_t turn = descending ? UINT64_MAX : 0;
    types[dtype]->keys(n, x, turn, out);
    const void *sorted = sort_keys(ps__dtype_bytes(dtype), n, out, scratch);
    types[dtype]->elements(n, sorted, turn, x, out);
}

/* ---- searching ----------------------------------------------------------------------- */

static void search_complex(const filling *f, bool behind, size_t n, const char *sorted,
                           size_t count, const char *x, int64_t *places)
{
    for (size_t i = 0; i < count; i++) {
        triple wanted, found;
        /* By its place a record is behind those that are alike, or before them. */
        f->fill(1, x + i * f->item, 0, behind ? 1 : 0, &wanted);
        size_t low = 0;
        for (size_t high = n; low < high;) {
            size_t middle = low + (high - low) / 2;
            f->fill(1, sorted + middle * f->item, 0, 0, &found);
            if (triple_less(&found, &wanted))
                low = middle + 1;
            else
                high = middle;
        }
        places[i] = (int64_t)low;
    }
}

void ps__search(ps_dtype dtype, bool behind, size_t n, const void *sorted, size_t count,
                const void *x, int64_t *places)
{
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX) {
        filling f = filling_of(dtype, false, TRIPLE);
        search_complex(&f, behind, n, sorted, count, x, places);
    } else {
        types[dtype]->search(behind, n, sorted, count, x, places);
    }
}
