/* A contact sheet: thumbnails in rows and columns on a dark background, each above its label. Used
 * by one thread at a time. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHEET_SIDE_MAX = 32768 };

struct sheet_params {
    uint32_t width;          /* of the sheet, in pixels */
    uint32_t columns, count; /* of the thumbnails */
    uint32_t film_width, film_height;
    double interval; /* shortest time between two pictures in seconds; 0: unknown */
    bool labels;
};

struct sheet_page;

/* STATUS_USAGE when the width leaves too little for a thumbnail, or the sheet gets too high. */
enum status sheet_page_open(struct sheet_page **out, const struct sheet_params *params);
void sheet_page_close(struct sheet_page **page); /* accepts a pointer to NULL */

/* Puts rgb[film_height][film_width][3] at position `index`. The label has the frame and the time,
 * in seconds of the film; negative: unknown. */
enum status sheet_page_put(struct sheet_page *page, uint32_t index, const uint16_t *rgb,
                           uint64_t frame, double seconds);

/* The same, with any text as its label; NULL: only the time. */
enum status sheet_page_put_named(struct sheet_page *page, uint32_t index, const uint16_t *rgb,
                                 const char *name, double seconds);

/* Writes the sheet as an 8-bit PNG. */
enum status sheet_page_write(const struct sheet_page *page, const char *path, uint64_t *bytes);

/* A contact sheet of the built-in scenes: a row of moments each. */

struct scene_sheet_params {
    const char *output;  /* the PNG */
    uint64_t bodies;     /* per scene, at most; files are thinned to it */
    uint32_t width;      /* of the sheet, pixels */
    uint32_t frames;     /* largest length of each film; 0: whole films */
    const char *only;    /* the name of a single scene; NULL: all */
    const char *backend; /* as for simulation_open */
    int device;
};

/* Logs at info level which scene it draws. Scenes whose bodies file is missing are left out with a
 * warning. STATUS_USAGE when none is left. */
enum status scene_sheet_make(const struct scene_sheet_params *params);
