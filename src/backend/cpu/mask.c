/* Elements under masks: see PS__WORK_PACK and PS__WORK_SELECT in work.h.
 *
 * A mask becomes bits, 64 elements a word, and those of every piece are counted on the way: so
 * whoever reads under it knows where in the result each piece of his work begins. */
#include "backend/cpu/cpu.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { WORDS = PS__MASK_WORDS /* of bits, in a piece of work */ };

/* ---- masks as bits ------------------------------------------------------------------------ */

#define ONES UINT64_C(0x0101010101010101)

/* 64 elements as bits, fewer at the end; adds their number to *found. Anything but 0 is true. */
static uint64_t pack_word(const unsigned char *mask, int64_t count, int64_t *found)
{
    uint64_t word = 0, sums = 0;
    unsigned char rest[64] = {0};
    if (count < 64)
        mask = memcpy(rest, mask, (size_t)count);
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight;
        memcpy(&eight, mask + i, sizeof eight);
        eight = (((eight & 0x7f * ONES) + 0x7f * ONES) | eight) >> 7 & ONES;
        sums += eight;
        /* Byte 7 - k of the factor sends the bit of byte k to bit k of the top byte. */
        word |= (eight * 0x0102040810204080 >> 56) << i;
    }
    *found += (int64_t)(sums * ONES >> 56); /* the sum of all bytes, 64 at most */
    return word;
}

typedef struct packing {
    const ps__work_pack *work;
    const ps__operand *operands;
} packing;

static ps_status pack_piece(size_t begin, size_t end, void *arg)
{
    const ps__operand *operands = ((const packing *)arg)->operands;
    uint64_t *words = (uint64_t *)(void *)operands[0].data;
    const unsigned char *mask = (const unsigned char *)operands[2].data;
    int64_t found = 0, count = ((const packing *)arg)->work->count;
    for (size_t w = begin; w < end; w++)
        words[w] = pack_word(mask + 64 * w, count - 64 * (int64_t)w, &found);
    ((int64_t *)(void *)operands[1].data)[begin / WORDS + 1] = found;
    return PS_OK;
}

PS__CPU_RUN(pack)
{
    (void)count;
    packing p = {(const ps__work_pack *)work, operands};
    int64_t *starts = (int64_t *)(void *)operands[1].data, words = operands[0].shape[0];
    ps_status status = PS_OK;
    if (words != 0)
        status = ps__split(lane, (size_t)words, WORDS, pack_piece, &p);
    starts[0] = 0;
    for (int64_t i = 1; i < operands[1].shape[0]; i++)
        starts[i] += starts[i - 1];
    return status;
}

/* ---- what is selected ----------------------------------------------------------------------- */

typedef struct selecting {
    const ps__work_select *work;
    const ps__operand *operands;
} selecting;

static ps_status select_in_pieces(const ps__lane *lane, const ps__work *work,
                                  const ps__operand *operands, ps_loop_fn piece)
{
    selecting s = {(const ps__work_select *)work, operands};
    size_t words = (size_t)operands[1].shape[0];
    if (words == 0 || s.work->bytes == 0)
        return PS_OK;
    return ps__split(lane, words, WORDS, piece, &s);
}

/* Where a piece of the result begins; and where it ends if `past` is 1. */
static int64_t selected_before(const selecting *s, size_t word, size_t past)
{
    return ((const int64_t *)(const void *)s->operands[2].data)[word / WORDS + past];
}

/* Writes the element, and says where the next one goes: behind it if its bit is set. */
INLINE char *select_bit(uint64_t word, unsigned bit, const char *from, char *to, size_t bytes)
{
    memcpy(to, from + bit * bytes, bytes);
    return to + (word >> bit & 1) * bytes;
}

/* Copies what the word selects of 64 elements and returns where the next one goes. Where bits are
 * many (`dense`) it writes every element, and goes on only past those that count: no branch to guess
 * wrong. That may write one element too many, so it needs room before `end`. */
INLINE char *select_word(uint64_t word, const char *from, char *to, const char *end, bool dense,
                         size_t bytes)
{
    if (word == UINT64_MAX) {
        memcpy(to, from, 64 * bytes);
        return to + 64 * bytes;
    }
    if (dense && (size_t)(end - to) > 64 * bytes) {
        for (int i = 0; i < 64; i += 4, word >>= 4, from += 4 * bytes) {
            to = select_bit(word, 0, from, to, bytes);
            to = select_bit(word, 1, from, to, bytes);
            to = select_bit(word, 2, from, to, bytes);
            to = select_bit(word, 3, from, to, bytes);
        }
        return to;
    }
    for (; word != 0; word &= word - 1, to += bytes)
        memcpy(to, from + (size_t)__builtin_ctzll(word) * bytes, bytes);
    return to;
}

INLINE void select_words(const selecting *s, size_t begin, size_t end, size_t bytes)
{
    const uint64_t *words = (const uint64_t *)(const void *)s->operands[1].data;
    int64_t start = selected_before(s, begin, 0), stop = selected_before(s, begin, 1);
    char *to = s->operands[0].data + (size_t)start * bytes;
    const char *to_end = s->operands[0].data + (size_t)stop * bytes;
    const char *from = s->operands[3].data;
    bool dense = bytes <= 16 && stop - start > 10 * (int64_t)(end - begin);
    size_t full = (size_t)s->work->count / 64; /* words whose 64 elements all exist */
    for (size_t w = begin; w < end; w++)
        if (words[w] != 0)
            to = select_word(words[w], from + 64 * w * bytes, to, to_end, dense && w < full, bytes);
}

static ps_status select_piece(size_t begin, size_t end, void *arg)
{
    const selecting *s = arg;
    switch (s->work->bytes) { /* as constants they are single moves */
    case 1:
        select_words(s, begin, end, 1);
        break;
    case 2:
        select_words(s, begin, end, 2);
        break;
    case 4:
        select_words(s, begin, end, 4);
        break;
    case 8:
        select_words(s, begin, end, 8);
        break;
    case 16:
        select_words(s, begin, end, 16);
        break;
    default:
        select_words(s, begin, end, (size_t)s->work->bytes);
    }
    return PS_OK;
}

PS__CPU_RUN(select)
{
    (void)count;
    return select_in_pieces(lane, work, operands, select_piece);
}

/* ---- nonzero --------------------------------------------------------------------------------- */

/* The indices of all dimensions but the last, of the row that holds flat position `at`. */
static void find_row(const ps__work_select *work, int64_t at, int64_t *row)
{
    at /= work->shape[work->ndim - 1];
    for (int i = work->ndim - 2; i >= 0; i--) {
        row[i] = at % work->shape[i];
        at /= work->shape[i];
    }
}

INLINE void put_positions(const selecting *s, size_t begin, size_t end, int ndim)
{
    const ps__work_select *work = s->work;
    const uint64_t *words = (const uint64_t *)(const void *)s->operands[1].data;
    int last = ndim - 1;
    int64_t *to = (int64_t *)(void *)s->operands[0].data + selected_before(s, begin, 0) * ndim;
    int64_t row[PS_DIMS_MAX] = {0}, row_begin = 0, row_end = 0, length = work->shape[last];
    for (size_t w = begin; w < end; w++)
        for (uint64_t word = words[w]; word != 0; word &= word - 1) {
            int64_t at = 64 * (int64_t)w + __builtin_ctzll(word);
            if (at >= row_end) {
                row_begin = at - at % length;
                row_end = row_begin + length;
                find_row(work, at, row);
            }
            for (int i = 0; i < last; i++)
                to[i] = row[i];
            to[last] = at - row_begin;
            to += ndim;
        }
}

static ps_status position_piece(size_t begin, size_t end, void *arg)
{
    const selecting *s = arg;
    int ndim = (int)s->work->ndim;
    if (ndim == 1) /* as constants the inner loops are gone */
        put_positions(s, begin, end, 1);
    else if (ndim == 2)
        put_positions(s, begin, end, 2);
    else
        put_positions(s, begin, end, ndim);
    return PS_OK;
}

PS__CPU_RUN(nonzero)
{
    (void)count;
    return select_in_pieces(lane, work, operands, position_piece);
}
