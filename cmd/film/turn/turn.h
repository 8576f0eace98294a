/* Makes a page in which a film can be turned: `-o film.html`. One file without network, of at most
 * PAGE_BYTES (page.h): up to TURN_BODIES of the drawn bodies over the film's time (paths.h), and
 * what a browser needs to draw them as the renderer does (struct recipe). page.js draws it.
 *
 * If more bodies are drawn, each group keeps an even selection of its bodies, whose light and
 * distances to neighbours are scaled up. Paths err by about a quarter of a pixel of the film, or
 * more if the file would be too large; the largest error is measured by decoding, printed and
 * stored. Long films of many bodies are sampled every few frames, so that the paths fit into
 * TURN_MEMORY.
 */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/pipeline/pipeline.h"
#include "render/sink/sink.h"

enum { TURN_BODIES = 60000, TURN_MEMORY = 1 << 30 };

/* STATUS_USAGE naming the key whose look a page cannot draw, or an option that is for films; or if
 * ranks share the bodies of snapshots. */
enum status turn_check(const struct scene *scene);

/* Simulates the film, whose parts `params` names, and writes the page to sink_html. On ranks, all
 * call it with a film whose rank 0 has all bodies, and rank 0 alone has a sink. A stop ends the
 * page at the last frame that was simulated, with STATUS_STOPPED. */
enum status turn_make(const struct film *film, struct sink *sink,
                      const struct pipeline_params *params, struct pipeline_progress *progress);
