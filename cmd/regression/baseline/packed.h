/* States and pictures of a film, and their form as bytes: objects of a baseline. Used by one thread
 * at a time. */
#pragma once

#include "base/status.h"
#include "render/draw.h"
#include "render/picture/picture.h"
#include "render/renderer.h"
#include "sim/simulation.h"

/* A copy of the renderer's input for one frame: the views of all simulations in host memory, and
 * the renderer's state before that frame. A new renderer can draw the old film's frame from it,
 * even if the physics has changed. */
struct state {
    uint64_t frame;
    double renderer[RENDERER_STATE];
    int simulations;              /* 0: empty */
    struct view view[PANELS_MAX]; /* linked in a list; the state owns their memory */
    /* [count of the first view]: masses, positions and velocities of the first simulation, in its
     * own precision. All are NULL where only the views were kept; mass alone is NULL in states that
     * an older program stored. */
    double *mass, (*position)[3], (*velocity)[3];
};

/* Copies the present frame of the simulations; `exact` also keeps the doubles of the first one.
 * Fills in everything except `renderer`. Returns STATUS_RUNTIME when memory is short. Free in every
 * case. */
enum status state_take(struct state *out, struct simulation *const *simulations, int count,
                       bool exact);
void state_free(struct state *state); /* accepts a zeroed one */

/* The caller frees *data. */
void state_pack(const struct state *state, void **data, size_t *size);
/* Returns STATUS_IO when the data are not such a state. Free in every case. */
enum status state_unpack(const void *data, size_t size, struct state *out);

/* Pictures as the encoder is given them, compressed without loss. Every sample of a plane is
 * predicted from earlier ones (the median of the left one, the upper one and the gradient;
 * Weinberger, Seroussi & Sapiro 2000), and the residuals are deflated. The caller frees *data. */
enum status picture_pack(const struct picture *picture, void **data, size_t *size);

/* picture_free frees *out. Returns STATUS_IO when the data are not such a picture, STATUS_RUNTIME
 * when memory is short. */
enum status picture_unpack(const void *data, size_t size, struct picture **out);
void picture_free(struct picture **picture); /* accepts a pointer to NULL */

/* Makes an empty picture, or a copy with its own memory; picture_free frees it. */
enum status picture_create(struct picture **out, enum picture_format format, uint32_t width,
                           uint32_t height);
enum status picture_copy(const struct picture *picture, struct picture **out);
