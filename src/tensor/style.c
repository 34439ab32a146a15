/* The styles of texts, and how each decides between 12.5 and 1.25e+01. */
#include "tensor/style.h"

#include "tensor/decimal.h"

/* NumPy compares in the element type. It had this largest number for all types up to 2.2; since
 * then it is 1e6 for float32 and 1e3 for float16. */
static bool numpy_scientific(ps_dtype dtype, double largest, double smallest)
{
    return largest >= ps__decimal_in_type(dtype, 1e8) ||
           smallest < ps__decimal_in_type(dtype, 1e-4) ||
           ps__decimal_in_type(dtype, largest / smallest) > 1e3;
}

/* PyTorch compares in double precision. */
static bool torch_scientific(ps_dtype dtype, double largest, double smallest)
{
    (void)dtype;
    return largest > 1e8 || smallest < 1e-4 || largest / smallest > 1e3;
}

static bool never_scientific(ps_dtype dtype, double largest, double smallest)
{
    (void)dtype, (void)largest, (void)smallest;
    return false;
}

const ps__style ps__styles[PS__STYLES] = {
    [PS_FORMAT_NUMPY] = {.precision = 8,
                         .threshold = 1000,
                         .edge = 3,
                         .width = 75,
                         .scientific = numpy_scientific,
                         .alone = true,
                         .bool_width = 5,
                         .dots = "...",
                         .slack = 1},
    [PS_FORMAT_TORCH] = {.precision = 4,
                         .threshold = 1000,
                         .edge = 3,
                         .width = 80,
                         .scientific = torch_scientific,
                         .fixed = true,
                         .commas = true,
                         .counted = true,
                         .dots = " ...",
                         .slack = 2},
    [PS_FORMAT_PADDLE] = {.precision = 8,
                          .threshold = 1000,
                          .edge = 3,
                          .width = 80,
                          .scientific = never_scientific,
                          .each = true,
                          .edges = true,
                          .commas = true,
                          .nested = true,
                          .counted = true,
                          .dots = "..."},
};
