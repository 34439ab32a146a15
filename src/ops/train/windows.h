/* Images and windows as arguments: what convolutions and pooling share. */
#ifndef PS_OPS_TRAIN_WINDOWS_H
#define PS_OPS_TRAIN_WINDOWS_H

#include "ops/compose.h"

enum { PS__N, PS__C, PS__H, PS__W, PS__IMAGE_NDIM };

/* Lengths of four dimensions; of images in that order, whatever their layout. */
typedef struct ps__lengths {
    int64_t at[PS__IMAGE_NDIM];
} ps__lengths;

/* Whether an argument says that channels come last. */
bool ps__channels_last(const ps_arg *layout);
/* From the order of dimensions of a layout, and to it. */
ps__lengths ps__image_lengths(const int64_t *shape, bool channels_last);
ps__lengths ps__image_shape(const ps__lengths *image, bool channels_last);

/* A number of at least `least`, and not so large that lengths overflow. */
ps_status ps__number_check(const ps__bound_call *call, unsigned index, int64_t number,
                           int64_t least);
/* One or two such, for H and W; `otherwise` if they are left out. */
ps_status ps__pair_read(const ps__bound_call *call, unsigned index, int64_t otherwise,
                        int64_t least, int64_t *pair);
/* Four lengths, none below 0. */
ps_status ps__lengths_read(const ps__bound_call *call, unsigned index, int64_t *shape);
/* A tensor has four dimensions and floating-point numbers, of 16 bits or more, that are real. */
ps_status ps__image_check(const ps__bound_call *call, unsigned index, int ndim);

/* How many windows, of the kernel's length, there are over a length with its padding; `up`: the last one
 * may reach beyond, if it begins before the end of the image. Refuses that there are none. */
ps_status ps__window_count(const ps__bound_call *call, const ps__windows *windows, int axis,
                           int64_t length, int64_t kernel, bool up, int64_t *count);

/* Whether a tensor has the shape that is expected of it. */
ps_status ps__image_expect(const ps__bound_call *call, unsigned index, const ps__lengths *shape);

/* The common type of the first so many arguments, which are tensors. */
ps_dtype ps__images_type(const ps__bound_call *call, unsigned tensors);

/* Work is done in float32 or float64, on operands of that type. Whether some of a call's are of
 * another; then what does the call: of converted tensors, its result brought into the common type. */
bool ps__images_convert(const ps__bound_call *call, unsigned tensors);
ps_status ps__images_converted(const ps__bound_call *call, unsigned tensors,
                               const ps__lengths *result);

#endif
