/* The styles in which tensors are written as text: a row of settings each. */
#ifndef PS_TENSOR_STYLE_H
#define PS_TENSOR_STYLE_H

#include "penstock.h"

typedef struct ps__style {
    /* What -1 stands for in ps_format_options: */
    int precision;
    int64_t threshold;
    int edge;
    int width;
    /* Numbers: */
    /* Whether those between these two, finite and not 0, are better written with exponents. */
    bool (*scientific)(ps_dtype dtype, double largest, double smallest);
    bool fixed; /* All have `precision` digits after the point, or none if all are whole, and end
                       in the same place. Else as few as tell the number, point under point. */
    bool each;  /* Every number is written by itself: with `precision` digits after the point, or
                   none if it is whole; spaces fill up behind it. */
    bool edges; /* Only what a summary would show is looked at for how wide elements are. */
    bool alone; /* A number without dimensions is written as one by itself, not as an element. */
    int bool_width; /* of the elements, however wide those are that are shown */
    /* Layout: */
    bool commas;      /* between elements; after a prefix they always are */
    bool nested;      /* without elements brackets are written for every dimension */
    bool counted;     /* Lines of a row have equally many elements. Else as many as fit. */
    const char *dots; /* what stands for the elements that a row leaves out */
    int slack;        /* characters that must be left when a suffix joins the last line */
} ps__style;

/* By ps_format_style. */
enum { PS__STYLES = 3 };
extern const ps__style ps__styles[PS__STYLES];

#endif
