/* SHA-256, for C and C++: digests of elements that every language can make. */
#ifndef LANGUAGES_SHA256_H
#define LANGUAGES_SHA256_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sha256 {
    uint32_t state[8];
    uint8_t block[64];
    size_t used;    /* bytes of the block */
    uint64_t bytes; /* of all */
} sha256;

static inline uint32_t sha256_turn(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

/* The first 32 bits behind the point of the cube roots of the first 64 primes. */
static const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline void sha256_schedule(const uint8_t *block, uint32_t *words)
{
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + words[i - 7] +
                   (sha256_turn(a, 7) ^ sha256_turn(a, 18) ^ a >> 3) +
                   (sha256_turn(b, 17) ^ sha256_turn(b, 19) ^ b >> 10);
    }
}

static inline void sha256_block(sha256 *self)
{
    uint32_t words[64], v[8];
    sha256_schedule(self->block, words);
    memcpy(v, self->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t first = v[7] + sha256_constants[i] + words[i] + ((v[4] & v[5]) ^ (~v[4] & v[6])) +
                         (sha256_turn(v[4], 6) ^ sha256_turn(v[4], 11) ^ sha256_turn(v[4], 25));
        uint32_t second = ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])) +
                          (sha256_turn(v[0], 2) ^ sha256_turn(v[0], 13) ^ sha256_turn(v[0], 22));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        self->state[i] += v[i];
    self->used = 0;
}

static inline void sha256_begin(sha256 *self)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(self, 0, sizeof *self);
    memcpy(self->state, first, sizeof first);
}

static inline void sha256_add(sha256 *self, const void *data, size_t bytes)
{
    const uint8_t *from = (const uint8_t *)data;
    for (size_t i = 0; i < bytes; i++) {
        self->block[self->used++] = from[i];
        if (self->used == sizeof self->block)
            sha256_block(self);
    }
    self->bytes += bytes;
}

/* 64 hexadecimal digits and a zero. */
static inline void sha256_text(sha256 *self, char *text)
{
    const uint64_t bits = self->bytes * 8;
    const uint8_t mark = 0x80, none = 0;
    sha256_add(self, &mark, 1);
    while (self->used != 56)
        sha256_add(self, &none, 1);
    for (int i = 7; i >= 0; i--) {
        uint8_t byte = (uint8_t)(bits >> (8 * i));
        sha256_add(self, &byte, 1);
    }
    for (int i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[self->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[64] = 0;
}

#endif
