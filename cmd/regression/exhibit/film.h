/* Pictures of 8-bit RGB as a film, or as a PNG sequence. Used by one thread. */
#ifndef CMD_REGRESSION_EXHIBIT_FILM_H
#define CMD_REGRESSION_EXHIBIT_FILM_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct rgb_film_params {
    const char *path; /* its extension says what is written; sizes that must be even are padded */
    uint32_t width, height;
    uint32_t fps_num, fps_den;
    double crf; /* negative: the codec's usual */
    uint32_t threads;
};

struct rgb_film;

/* STATUS_USAGE where such pictures cannot be written to that path, else as sink_open. */
enum status rgb_film_open(struct rgb_film **out, const struct rgb_film_params *params);

/* rgb[height][width][3], rows from the top, full range. */
enum status rgb_film_write(struct rgb_film *film, const uint8_t *rgb);

/* keep: finishes the file, else nothing is left of it. Frees the film either way; accepts a pointer
 * to NULL. *bytes: size of the finished file; may be NULL. */
enum status rgb_film_close(struct rgb_film **film, bool keep, uint64_t *bytes);

#endif
