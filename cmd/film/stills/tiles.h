/* A picture of a scene that is drawn in tiles and read in rows, so that its size is limited neither
 * by the GL driver nor by memory. */
#pragma once

#include "base/log.h"
#include "cmd/film/stills/snapshot.h"

#include "render/picture/png_pdf.h"

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
