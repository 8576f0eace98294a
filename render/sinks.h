/* Every sink there is, and the choice among them by a format's name or a path's extension.
 * Thread-safe. */
#ifndef RENDER_SINKS_H
#define RENDER_SINKS_H

#include "base/choice.h"
#include "render/sink/sink.h"

/* Of struct sink_ops. */
extern const struct registry sink_registry;

/* By params->format, else by the extension of params->path. STATUS_USAGE lists the formats. */
enum status sink_choose(const struct sink_params *params, const struct sink_ops **ops);

/* "mp4, mkv, ...": all formats, or those that an extension can name. */
void sink_list_formats(bool by_extension, char *out, size_t size);

/* Chooses and checks everything that can be checked without touching a file: sizes, frame rate,
 * codec, preset, and that the encoder opens. */
enum status sink_make_plan(const struct sink_params *params, struct sink_plan *plan);

/* Chooses, checks, makes the path's folder where it is missing, and opens. */
enum status sink_open(const struct sink_params *params, struct sink **out);

#endif
