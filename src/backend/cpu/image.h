/* Images, and windows over them: what convolutions and pooling share. */
#ifndef PS_BACKEND_CPU_IMAGE_H
#define PS_BACKEND_CPU_IMAGE_H

#include "backend/cpu/cpu.h"

enum { PS__IMAGE_N, PS__IMAGE_C, PS__IMAGE_H, PS__IMAGE_W, PS__IMAGE_DIMS };

/* An operand of four dimensions in that order. */
typedef struct ps__image {
    char *data;
    int64_t shape[PS__IMAGE_DIMS], strides[PS__IMAGE_DIMS]; /* strides in bytes */
} ps__image;

static inline ps__image ps__image_of(const ps__operand *operand, bool channels_last)
{
    static const uint8_t lie[2][PS__IMAGE_DIMS] = {{0, 1, 2, 3}, {0, 3, 1, 2}};
    ps__image image = {.data = operand->data};
    for (int i = 0; i < PS__IMAGE_DIMS; i++) {
        image.shape[i] = operand->shape[lie[channels_last][i]];
        image.strides[i] = operand->strides[lie[channels_last][i]];
    }
    return image;
}

static inline int64_t ps__image_count(const ps__image *image)
{
    int64_t count = 1;
    for (int i = 0; i < PS__IMAGE_DIMS; i++)
        count *= image->shape[i];
    return count;
}

/* Where channel c of image n begins. */
static inline char *ps__image_at(const ps__image *image, int64_t n, int64_t c)
{
    return image->data + n * image->strides[PS__IMAGE_N] + c * image->strides[PS__IMAGE_C];
}

#endif
