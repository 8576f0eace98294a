/* The choice among sinks by a format's name or a path's extension. Thread-safe. */
#pragma once

#include "base/choice.h"
#include "render/sink/sink.h"

/* Entries are struct sink_ops. */
extern const struct registry sink_registry;

/* Chooses by params->format, else by the extension of params->path. STATUS_USAGE lists the
 * formats. */
enum status sink_choose(const struct sink_params *params, const struct sink_ops **ops);

/* Returns the name of the format that is chosen in the same way: "mp4", "png", "hash"; NULL: none
 * is. */
const char *sink_format(const struct sink_params *params);

/* "mp4, mkv, ...": all formats, or those selected by their extension. */
void sink_list_formats(bool by_extension, char *out, size_t size);

/* Chooses a sink and checks everything that needs no file: sizes, frame rate, codec, preset, and
 * that the encoder opens. */
enum status sink_make_plan(const struct sink_params *params, struct sink_plan *plan);

/* Chooses, checks, creates the path's folder if it is missing, and opens. */
enum status sink_open(const struct sink_params *params, struct sink **out);
