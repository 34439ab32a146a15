/* What the passes of convolutions share: see PS__WORK_CONVOLVE in work.h. */
#ifndef PS_BACKEND_CPU_CONVOLVE_H
#define PS_BACKEND_CPU_CONVOLVE_H

#include "backend/cpu/image.h"
#include "backend/cpu/panels.h"

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

/* Pieces of less work than this, in multiplications, are not worth a thread's while. */
enum { PS__CONVOLVE_PIECE = 1 << 20 };

/* Runs the body over [0, count), where each takes so much work. */
static inline ps_status ps__convolve_split(const ps__lane *lane, int64_t count, double work,
                                           ps_loop_fn body, void *arg)
{
    double together = work > 0 ? PS__CONVOLVE_PIECE / work : 1;
    size_t grain = together < 1 ? 1 : together < (double)count ? (size_t)together : (size_t)count;
    return ps__split_or_wait(lane, (size_t)count, grain, body, arg);
}

/* Distances in bytes at which elements of the caches would be in each other's way. */
static inline bool ps__is_crowded(int64_t bytes)
{
    return bytes % 4096 < 256 || bytes % 4096 > 4096 - 256;
}

/* ---- the result, and what flows back to images --------------------------------------------- */

/* Of a block: it is read once for each panel, so the cache should hold it beside that. */
enum { PS__CONVOLVE_BYTES = 640 << 10 };

/* H or W. Tap m of position i of the result reads from + m * from_step + i * stride of the source. */
typedef struct ps__convolve_axis {
    int64_t length;              /* of the source */
    int64_t count, first, step;  /* positions, and where they are in the result */
    int64_t taps, tap, tap_step; /* which ones of the kernel */
    int64_t from, from_step, stride;
    int64_t phases; /* planes of the source: tap m reads number m % phases */
    int64_t low;    /* the plane's first position, as that of a window */
    int64_t reach;  /* by which the plane is longer than the result */
} ps__convolve_axis;

static inline int64_t ps__floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The position of a tap in its plane, and what that plane begins with. */
static inline int64_t ps__axis_shift(const ps__convolve_axis *a, int64_t tap)
{
    return ps__floor_of(a->from + tap * a->from_step, a->stride);
}

static inline int64_t ps__axis_phase(const ps__convolve_axis *a, int64_t tap)
{
    return a->from + tap * a->from_step - ps__axis_shift(a, tap) * a->stride;
}

typedef struct ps__convolving {
    ps__image out, in, weight;
    int64_t out_row, in_row;  /* bytes between weights for channels of the result, of the source */
    int64_t groups, channels; /* of the source, in a group */
    size_t item;
    unsigned log; /* of the item */
    const ps__tiles *tiles;
    ps__convolve_axis h, w;
    ps__panels panels; /* channels of the result, in a group */
    int64_t depth;
    int64_t width, pitch;  /* elements of a plane's rows, and from one to the next */
    int64_t plane, planes; /* elements of a plane; planes of a channel */
    int64_t wanted;        /* pieces of work that there should be */
    int64_t images;        /* that are worked on by themselves; gathered: 1 */
    int64_t block, blocks; /* rows of the result at a time; gathered: tiles */
    int64_t shares;        /* that panels fall into, if there are not enough blocks */
    bool gathered;         /* convolve_gather.c does it, */
    bool in_place;         /* and reads the source where it lies, */
    bool by_rows;          /* or takes pixels by rows, of all images */
    int64_t *at;           /* where each step of the depth reads, */
    int64_t *packed_at;    /* and in a gathered tile */
    char *weights, *start; /* packed; what sums begin with, or NULL */
} ps__convolving;

/* The weights of a panel, what its sums begin with, and the first channel of the result. */
static inline char *ps__panel_weights(const ps__convolving *c, int64_t group, int64_t panel)
{
    int64_t index = group * c->panels.count + panel;
    return c->weights + index * c->panels.step * c->depth * (int64_t)c->item;
}

static inline int64_t ps__panel_first(const ps__convolving *c, int64_t group, int64_t panel)
{
    return group * c->panels.rows + panel * c->panels.each;
}

static inline const char *ps__panel_start(const ps__convolving *c, int64_t group, int64_t panel)
{
    return c->start != NULL ? c->start + ps__panel_first(c, group, panel) * (int64_t)c->item : NULL;
}

/* ---- convolve_gather.c --------------------------------------------------------------------- */

/* Whether the source can be read where it lies; pixels of a channel are made one row then. Whether
 * gathering takes less time than what was measured for planes. How the work is cut; the elements of
 * memory that a piece needs; where the depth reads; and one piece. */
bool ps__gather_in_place(ps__convolving *c);
bool ps__gather_pays(const ps__convolving *c);
void ps__gather_measure(ps__convolving *c);
int64_t ps__gather_room(const ps__convolving *c);
void ps__gather_steps(const ps__convolving *c);
void ps__gather_run(const ps__convolving *c, int64_t index, char *room, char *stage);

/* ---- convolve_whole.c ---------------------------------------------------------------------- */

/* Whether a convolution of these has one window, which is all of an image. */
bool ps__convolve_is_whole(const ps__work_convolve *work, const ps__image *x,
                           const ps__image *weight);
/* Such a one; bias may be NULL. */
ps_status ps__convolve_whole_result(const ps__lane *lane, ps_dtype dtype, const ps__image *x,
                                    const ps__image *weight, const ps__image *y,
                                    const ps__operand *bias);
/* What flows back through it to an operand: `other` is the weights, or x. */
ps_status ps__convolve_whole(const ps__lane *lane, ps__convolve_pass pass, ps_dtype dtype,
                             const ps__image *other, const ps__image *dy, const ps__image *to);

/* ---- convolve_weight.c --------------------------------------------------------------------- */

ps_status ps__convolve_weight(const ps__lane *lane, const ps__work_convolve *work,
                              const ps__operand *operands);

#endif
