/* What the sinks that write a file per picture share: threads that write the files, and what has been
 * written, so that a run can be undone. */
#ifndef RENDER_SINK_SEQUENCE_H
#define RENDER_SINK_SEQUENCE_H

#include "render/sink/sink.h"

struct sequence_files {
    const char *kind; /* "PNG", for sentences */
    /* One file, written whole or not at all, by any of the threads. `written` counts those before,
     * for the sentence; *bytes is the file's size. */
    enum status (*write)(const void *settings, const char *name, const struct picture *picture,
                         uint64_t written, uint64_t *bytes);
    void (*free)(void *settings);
};

/* The open of such a sink, whose plan is made. Takes `settings`, in every case. */
enum status sequence_open(const struct sink_params *params, const struct sink_plan *plan,
                          const struct sink_ops *ops, const struct sequence_files *files,
                          void *settings, struct sink **out);

/* The write and the close of all of them. */
enum status sequence_write(struct sink *sink, const struct picture *picture);
enum status sequence_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes);

#endif
