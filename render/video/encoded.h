/* A sink whose pictures are encoded and written into a container by libav: shared by films
 * (video.h) and loops (loop.h). */
#pragma once

#include "render/sink/sink.h"
#include "render/video/container.h"
#include "render/video/encoder.h"
#include "render/video/muxer.h"

struct encoded_sink {
    struct sink base;
    struct encoder *encoder;
    struct muxer *muxer;
};

struct encoded_kind {
    const struct sink_ops *ops; /* its entries are struct container */
    /* Chooses the codec, and rejects requests that the container cannot fulfil. */
    enum status (*open_encoder)(const struct sink_params *params, const struct container *container,
                                struct encoder **out);
    /* Completes a plan that has format, container and libraries. */
    void (*describe)(const struct encoder *encoder, const struct container *container,
                     struct sink_plan *plan);
};

/* The verbs of struct sink_ops. */
enum status encoded_plan(const struct encoded_kind *kind, const struct sink_params *params,
                         struct sink_plan *plan);
enum status encoded_open(const struct encoded_kind *kind, const struct sink_params *params,
                         struct sink **out);
enum status encoded_write(struct sink *sink, const struct picture *picture);
enum status encoded_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes);
