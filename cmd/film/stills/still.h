/* Single pictures of a scene: advances to a frame and draws it as in the film, with or without its
 * fades. */
#pragma once

#include "base/log.h"
#include "cmd/film/film.h"
#include "render/picture/png_pdf.h"

#include <stdbool.h>

struct snapshot {
    struct film film;
    struct view *view;
    struct picture *picture;
    bool bound;
    bool metered; /* the view is the one that the renderer has metered last */
};

/* Opens everything at frame 0, which sets the exposure (film_open). With a tile, pictures are the
 * upper left tile. Close in every case. */
enum status snapshot_open(struct snapshot *snapshot, const struct film_options *options);
void snapshot_close(struct snapshot *snapshot);

/* The frame of a moment that was given as `text`. STATUS_USAGE, naming --at, if the film does not
 * have that moment. */
enum status snapshot_find(const struct snapshot *snapshot, const struct moment *moment,
                          const char *text, uint64_t *frame);

/* The part of the frame's light that the film's fades, and a card that covers it, leave. */
double snapshot_left(const struct scene *scene, uint64_t frame);

/* Draws the frame, which must not be before the last one drawn unless the film shows a run and its
 * exposure does not adapt. *picture is valid until the next
 * call. */
enum status snapshot_take(struct snapshot *snapshot, uint64_t frame,
                          const struct picture **picture);

/* Checks the -o of a command that writes one PNG or, with `alone`, any picture format or PDF.
 * STATUS_USAGE if it is NULL (the message shows `example`), has another extension, is the file to
 * be shown, or exists without -y. */
enum status snapshot_check_output(const char *output, const char *shown, bool overwrite,
                                  const char *example, bool alone);

/* Whether the picture is to be a PDF file. */
bool snapshot_is_page(const char *output);

/* A picture of a scene that is drawn in tiles and read in rows, so that its size is limited neither
 * by the GL driver nor by memory. */

struct snapshot_tiles {
    struct snapshot *snapshot; /* not owned */
    struct bar bar;
    uint32_t whole_width;
    struct film_tile tile;
    size_t pixel;  /* bytes */
    uint8_t *band; /* a row of tiles, in the picture's layout */
};

/* Whether the scene's picture needs tiles, and of which size, else 0 x 0: for a flat picture with a
 * side beyond 4096. */
bool snapshot_needs_tiles(const struct scene *scene, struct film_tile *tile);

/* For a snapshot opened with this tile, after it has drawn its frame (snapshot_take). Fills *rows,
 * which refer to *tiles. */
enum status snapshot_tiles_open(struct snapshot_tiles *tiles, struct snapshot *snapshot,
                                const struct film_tile *tile, struct png_rows *rows);
void snapshot_tiles_close(struct snapshot_tiles *tiles); /* accepts all zero */

/* Draws the same tiles on a rank that lends its light. */
enum status snapshot_tiles_lend(struct snapshot *snapshot, const struct film_tile *tile);
