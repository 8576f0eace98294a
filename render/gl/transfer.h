/* Uploads views to GL and reads finished planes back. There are two implementations: plain GL (any
 * driver), and CUDA-GL interop (only the finished planes cross the bus, and the bodies if GL runs
 * on another device than the simulation). Only for the renderer; a GL context must be current. */
#pragma once

#include "base/status.h"
#include "render/gl/gl.h"
#include "render/picture/picture.h"
#include "sim/view.h"

enum { TRANSFER_SLOTS = 2, TRANSFER_SOURCES_MAX = 4 };

/* Bodies first .. first + count - 1. */
struct transfer_range {
    size_t first, count;
};

/* The objects that a transfer works on; the renderer owns them. */
struct transfer_params {
    size_t count;                      /* number of bodies */
    const struct body_buffers *bodies; /* [sources], of count bodies each */
    int sources;
    const struct transfer_range *drawn; /* of all sources, for the order; NULL: all bodies */
    int drawn_count;
    struct picture_layout layout;
    struct gl_target (*packed)[PICTURE_PLANES_MAX]; /* [TRANSFER_SLOTS], RGBA8, 4 bytes per texel */
    struct view_place views;
    int gl_device; /* the CUDA device that GL runs on; -1: none */
};

struct transfer {
    const struct transfer_ops *ops;
};

struct transfer_ops {
    const char *description;
    enum status (*open)(const struct transfer_params *params, struct transfer **out);
    void (*close)(struct transfer **transfer);
    /* Copies the bodies of all sources with the columns that their buffers have; view->next leads
     * from one source to the next. Call before each start. */
    enum status (*upload)(struct transfer *transfer, const struct view *view);
    /* Waits until the bodies have been copied, after which the view may change. */
    enum status (*uploaded)(struct transfer *transfer);
    /* Starts copying the slot's targets, whose GL commands have been issued, to `data`; wait
     * completes it. */
    enum status (*start)(struct transfer *transfer, int slot, uint8_t *data);
    enum status (*wait)(struct transfer *transfer, int slot);
    uint8_t *(*allocate)(size_t size);
    void (*release)(uint8_t *data);
};

extern const struct transfer_ops transfer_gl;
extern const struct transfer_ops transfer_cuda; /* without CUDA, open is STATUS_DEVICE */

/* The faster implementation that is possible for these places; opening it may still fail. Views in
 * host memory take it if they name a device, so that films of a run have what the films that
 * simulate have. */
const struct transfer_ops *transfer_choose(const struct view_place *views, int gl_device);

/* Copies numbers of a view in CUDA memory to host memory: for GL that is not on the view's device.
 */
enum status transfer_fetch(const struct view *view, const float *from, size_t floats, float *to);

/* Copies a column in host memory to its GL buffer. A constant column is copied only once; *filled
 * remembers that. */
enum status transfer_put_column(const struct view *view, const struct view_column *column,
                                GLuint buffer, bool *filled);

/* The view's column that buffer k of `bodies` is for; STATUS_RUNTIME: the view does not have it. */
enum status transfer_find_column(const struct view *view, const struct body_buffers *bodies, int k,
                                 const struct view_column **out);
/* Whether the buffer of column k is not read, because struct view_along has the column. */
bool transfer_skips_column(const struct body_buffers *bodies, int k);
/* STATUS_RUNTIME: the view has no order. */
enum status transfer_check_order(const struct view *view);
