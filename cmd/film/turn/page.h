/* Writes the page of turn.h: page.html with its style and script, the film as JSON, and the bodies'
 * paths and columns, deflated and in base64. page.js has the page's side of this format. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/turn/paths.h"
#include "render/sink/sink.h"

enum { PAGE_BYTES = 20000000 };

struct page_group {
    uint64_t first, count; /* of the page's bodies */
    uint64_t number;       /* of the first body in the film */
    double share;          /* bodies in the film for each in the page */
};

struct page_moment {
    uint64_t frame;
    double exposure;
    struct camera_aim aim;
};

struct page_column {
    const char *name;
    bool constant;
    float none;    /* means that a body has no number, like all numbers below 0 or beyond 1e30 */
    float *values; /* [column_times][bodies] */
};

struct page {
    const struct film *film;
    const struct recipe *recipe;
    const struct page_group *groups; /* the recipe's */
    struct paths paths;
    const struct page_moment *moments; /* [paths.frames] */
    const struct page_column *columns; /* the recipe's */
    uint32_t column_times;
    const uint32_t *column_frame; /* [column_times] ascending; those beyond paths.frames are not
                                   * written */
    const float *mass;            /* [bodies]; NULL: masses do not matter */
};

/* Says how large the largest error is. STATUS_RUNTIME if the page does not fit into PAGE_BYTES. */
enum status page_write(const struct page *page, struct sink *sink);
