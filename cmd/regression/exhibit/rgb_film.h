/* Writes 8-bit RGB pictures as a film or a PNG sequence. Used by one thread at a time. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct rgb_film_params {
    const char *path; /* the extension selects the format; odd sizes are padded if needed */
    uint32_t width, height;
    uint32_t fps_num, fps_den;
    double crf; /* negative: the codec's default */
    uint32_t threads;
};

struct rgb_film;

/* Returns STATUS_USAGE if such pictures cannot be written to that path, else the status of
 * sink_open. */
enum status rgb_film_open(struct rgb_film **out, const struct rgb_film_params *params);

/* Writes rgb[height][width][3]: rows from the top, full range. */
enum status rgb_film_write(struct rgb_film *film, const uint8_t *rgb);

/* If keep is true, finishes the file; otherwise removes it. Frees the film either way; accepts a
 * pointer to NULL. *bytes: size of the finished file; may be NULL. */
enum status rgb_film_close(struct rgb_film **film, bool keep, uint64_t *bytes);
