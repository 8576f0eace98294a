/* Single pictures of a scene: advances to a frame and draws it, just as a film would show it. */
#ifndef CMD_STILLS_SNAPSHOT_H
#define CMD_STILLS_SNAPSHOT_H

#include "cmd/film/film.h"
#include "cmd/cli/options.h"

#include <stdbool.h>

struct snapshot {
    struct film film;
    struct view *view;
    struct picture *picture;
    bool bound;
};

/* Checks -o of a command that writes one PNG: STATUS_USAGE when it is missing (`example` is what it
 * may look like), is no .png, is what would be shown, or is there already without -y. */
enum status snapshot_target(const struct render_options *options, const char *example);

/* Opens everything at frame 0, from which the exposure is set. The options' backend and device.
 * Pictures are the upper left tile only where `tile` is given; see snapshot_tiles.h. Close in every
 * case. */
enum status snapshot_open(struct snapshot *snapshot, const struct scene *scene,
                          const struct render_options *options, enum picture_format format,
                          const struct film_tile *tile);
void snapshot_close(struct snapshot *snapshot);

/* Draws the frame, which is not before the last one. *picture is valid until the next take. */
enum status snapshot_take(struct snapshot *snapshot, uint64_t frame,
                          const struct picture **picture);

#endif
