/* A contact sheet: small pictures in rows and columns on a dark ground, each above its label. Used
 * by one thread at a time. */
#ifndef CMD_STILLS_CONTACT_SHEET_H
#define CMD_STILLS_CONTACT_SHEET_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHEET_SIDE_MAX = 32768, SHEET_THUMB_MIN = 32 };

struct sheet_params {
    uint32_t width;          /* of the sheet, in pixels */
    uint32_t columns, count; /* of the small pictures */
    uint32_t film_width, film_height;
    bool labels;
};

/* Where everything lies, in pixels from the upper left corner. */
struct sheet_layout {
    uint32_t width, height, margin, left; /* margin around and between; the first column's start */
    uint32_t thumb_width, thumb_height, label_height;
};

/* STATUS_USAGE when the width leaves too little for a small picture, or the sheet gets too high. */
enum status sheet_lay_out(const struct sheet_params *params, struct sheet_layout *layout);
void sheet_place(const struct sheet_params *params, const struct sheet_layout *layout,
                 uint32_t index, uint32_t *x, uint32_t *y);

struct sheet_page;
enum status sheet_page_open(struct sheet_page **out, const struct sheet_params *params);
void sheet_page_close(struct sheet_page **page); /* accepts a pointer to NULL */

/* Puts rgb[film_height][film_width][3] into place `index`. The label names the frame and the time,
 * in seconds of the film; negative: not known. */
enum status sheet_page_put(struct sheet_page *page, uint32_t index, const uint16_t *rgb,
                           uint64_t frame, double seconds);

/* Writes the sheet as a PNG of 8 bits. */
enum status sheet_page_write(const struct sheet_page *page, const char *path, uint64_t *bytes);

/* "1:02.5" */
void sheet_time(double seconds, char *text, size_t size);

#endif
