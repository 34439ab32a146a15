/* Normalising: kernels over elements that lie side by side, of float32 or float64, which are
 * computed in.
 *
 * Sums are made by the lanes of vectors of 64 bytes, four vectors at a time, and the lanes are added
 * up in float64: the order depends on n alone, and is the same on every instruction set. So are all
 * bits. Nothing overlaps. */
#ifndef PS_KERNELS_NORM_H
#define PS_KERNELS_NORM_H

#include "kernels/kernels.h"

/* Elements that were normalised: (x - mean) * scale. */
typedef struct ps__norm_part {
    size_t n;
    const void *x;
    double mean, scale;
} ps__norm_part;

/* Rows of so many columns, one behind the other; and as many of what flows, for those that need it. */
typedef struct ps__norm_table {
    size_t rows, columns;
    const void *x, *flow;
} ps__norm_table;

typedef struct ps__norm_kernels {
    double (*sum)(size_t n, const void *x);
    /* Of squared distances from the mean. */
    double (*squares)(size_t n, const void *x, double mean);
    /* out = (x - mean) * scale * gamma + beta; gamma and beta have an element for each of x, or are
     * NULL. */
    void (*by_elements)(const ps__norm_part *part, const void *gamma, const void *beta, void *out);
    /* The same with one number for all. */
    void (*by_numbers)(const ps__norm_part *part, double gamma, double beta, void *out);
    /* With g = flow * gamma, or flow where gamma is NULL: the sums of g, and of g times what was
     * normalised. */
    void (*back_sums)(const ps__norm_part *part, const void *flow, const void *gamma,
                      double sums[2]);
    /* out = (g - mean of g - what was normalised * mean of g times that) * factor. */
    void (*back)(const ps__norm_part *part, const void *flow, const void *gamma,
                 const double means[2], double factor, void *out);
    /* Adds flow times what was normalised to dgamma, and flow to dbeta. */
    void (*back_columns)(const ps__norm_part *part, const void *flow, void *dgamma, void *dbeta);
    void (*add)(size_t n, const void *x, void *to); /* to += x */

    /* Of each column the mean and the sum of squared distances from it, which are 0 before. Here and
     * below a few rows at a time are added up in order, and the sums of these in float64. */
    void (*column_moments)(const ps__norm_table *t, double *means, double *squares);
    /* out = (x - mean) * scale + beta, by numbers of the columns; beta may be NULL. */
    void (*by_columns)(const ps__norm_table *t, const void *mean, const void *scale,
                       const void *beta, void *out);
    /* Adds for each column what flows to `plain`, and that times x - mean to `along`. */
    void (*column_flows)(const ps__norm_table *t, const void *mean, double *plain, double *along);
    /* out = (flow - plain - (x - mean) * slope) * factor, by numbers of the columns. */
    void (*back_by_columns)(const ps__norm_table *t, const void *mean, const void *plain,
                            const void *slope, const void *factor, void *out);
} ps__norm_kernels;

const ps__norm_kernels *ps__norm_kernels_of(const ps__kernel_set *set, ps_dtype dtype);

#endif
