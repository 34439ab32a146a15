/* Convolutions with one window, which is the whole image, and what flows back through them: products of
 * matrices with a row for each image, or for each channel of the result. Tiles over pixels would have
 * one column in use, and on the way back multiply each pixel with the weights of all others. */
#include "backend/cpu/convolve.h"

#include "memory/memory.h"

/* Images, or weights, as rows of elements side by side; copied if they do not lie so. */
typedef struct rows {
    char *data;
    int64_t row, count; /* elements from one to the next, and of one */
    void *own;
    size_t bytes;
} rows;

bool ps__convolve_is_whole(const ps__work_convolve *work, const ps__image *x,
                           const ps__image *weight)
{
    if (work->groups != 1)
        return false;
    for (int a = 0; a < 2; a++) {
        int64_t length = x->shape[PS__IMAGE_H + a];
        if (weight->shape[PS__IMAGE_H + a] != length || work->windows.padding[a] != 0 ||
            (work->windows.dilation[a] != 1 && length != 1))
            return false;
    }
    return true;
}

static bool lie_side_by_side(const ps__image *image, int64_t item)
{
    int64_t stride = item;
    for (int i = PS__IMAGE_DIMS - 1; i > PS__IMAGE_N; i--) {
        if (image->strides[i] != stride && image->shape[i] != 1)
            return false;
        stride *= image->shape[i];
    }
    return image->strides[PS__IMAGE_N] % item == 0;
}

/* Between an image and rows that have its elements side by side. */
static void move_rows(const ps__image *image, size_t item, char *side, bool back)
{
    const int64_t *shape = image->shape, *strides = image->strides;
    const ps__kernel_set *kernels = ps__kernels_get();
    unsigned log = (unsigned)__builtin_ctzll(item);
    size_t width = (size_t)shape[PS__IMAGE_W];
    ptrdiff_t stride = (ptrdiff_t)strides[PS__IMAGE_W];
    for (int64_t n = 0; n < shape[PS__IMAGE_N]; n++)
        for (int64_t c = 0; c < shape[PS__IMAGE_C]; c++)
            for (int64_t h = 0; h < shape[PS__IMAGE_H]; h++, side += width * item) {
                char *line = ps__image_at(image, n, c) + h * strides[PS__IMAGE_H];
                if (back)
                    kernels->scatter[log](width, line, stride, side);
                else
                    kernels->gather[log](width, side, line, stride);
            }
}

/* As they are, or room for them. */
static ps_status rows_of(const ps__image *image, size_t item, rows *r)
{
    *r =
        (rows){.data = image->data, .row = image->strides[PS__IMAGE_N] / (int64_t)item, .count = 1};
    for (int i = PS__IMAGE_C; i < PS__IMAGE_DIMS; i++)
        r->count *= image->shape[i];
    if (lie_side_by_side(image, (int64_t)item))
        return PS_OK;
    r->bytes = (size_t)ps__image_count(image) * item;
    ps_status status = ps_memory_alloc(r->bytes, &r->own);
    r->data = r->own;
    r->row = r->count;
    return status;
}

static void rows_end(const rows *r)
{
    if (r->own != NULL)
        ps_memory_free(r->own, r->bytes);
}

static ps_status multiply(const ps__lane *lane, bool data, ps_dtype dtype, const ps__image *dy,
                          const rows *other, const rows *to)
{
    int64_t item = (int64_t)ps__dtype_bytes(dtype);
    int64_t image = dy->strides[PS__IMAGE_N] / item, channel = dy->strides[PS__IMAGE_C] / item;
    return ps__multiply(lane, &(ps__gemm){.dtype = dtype,
                                          .m = dy->shape[data ? PS__IMAGE_N : PS__IMAGE_C],
                                          .n = other->count,
                                          .k = dy->shape[data ? PS__IMAGE_C : PS__IMAGE_N],
                                          .a = dy->data,
                                          .a_row = data ? image : channel,
                                          .a_column = data ? channel : image,
                                          .b = other->data,
                                          .b_row = other->row,
                                          .b_column = 1,
                                          .c = to->data,
                                          .c_row = to->row});
}

ps_status ps__convolve_whole(const ps__lane *lane, ps__convolve_pass pass, ps_dtype dtype,
                             const ps__image *other, const ps__image *dy, const ps__image *to)
{
    size_t item = ps__dtype_bytes(dtype);
    rows from, made = {0};
    ps_status status = rows_of(other, item, &from);
    if (status == PS_OK)
        status = rows_of(to, item, &made);
    if (status == PS_OK) {
        if (from.own != NULL)
            move_rows(other, item, from.own, false);
        status = multiply(lane, pass == PS__CONVOLVE_DATA, dtype, dy, &from, &made);
    }
    if (status == PS_OK && made.own != NULL)
        move_rows(to, item, made.own, true);
    rows_end(&from);
    rows_end(&made);
    return status;
}

/* The result: images times weights, and the bias, one element for each channel. */
static ps_status multiply_images(const ps__lane *lane, ps_dtype dtype, const ps__image *y,
                                 const rows *x, const rows *weight, const void *bias)
{
    return ps__multiply(lane, &(ps__gemm){.dtype = dtype,
                                          .m = y->shape[PS__IMAGE_N],
                                          .n = y->shape[PS__IMAGE_C],
                                          .k = x->count,
                                          .a = x->data,
                                          .a_row = x->row,
                                          .a_column = 1,
                                          .b = weight->data,
                                          .b_row = 1,
                                          .b_column = weight->row,
                                          .c = y->data,
                                          .c_row = y->shape[PS__IMAGE_C],
                                          .bias = bias});
}

ps_status ps__convolve_whole_result(const ps__lane *lane, ps_dtype dtype, const ps__image *x,
                                    const ps__image *weight, const ps__image *y,
                                    const ps__operand *bias)
{
    size_t item = ps__dtype_bytes(dtype), channels = (size_t)y->shape[PS__IMAGE_C];
    rows images, weights = {0};
    void *start = NULL;
    ps_status status = rows_of(x, item, &images);
    if (status == PS_OK)
        status = rows_of(weight, item, &weights);
    if (status == PS_OK && bias != NULL)
        status = ps_memory_alloc(channels * item, &start);
    if (status == PS_OK) {
        if (images.own != NULL)
            move_rows(x, item, images.own, false);
        if (weights.own != NULL)
            move_rows(weight, item, weights.own, false);
        if (bias != NULL)
            ps__kernels_get()->gather[__builtin_ctzll(item)](channels, start, bias->data,
                                                             (ptrdiff_t)bias->strides[0]);
        status = multiply_images(lane, dtype, y, &images, &weights, start);
    }
    if (start != NULL)
        ps_memory_free(start, channels * item);
    rows_end(&images);
    rows_end(&weights);
    return status;
}
