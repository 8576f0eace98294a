/* Shared by the sinks that write a file per picture: threads that write the files, and a record of
 * written files, so that a run can be undone. */
#ifndef RENDER_SINK_SEQUENCE_H
#define RENDER_SINK_SEQUENCE_H

#include "render/sink/sink.h"

struct sequence_files {
    const char *kind; /* "PNG", for messages */
    /* Writes one file, completely or not at all, from any of the threads. `written` is the number
     * written before, for messages; *bytes is the file's size. */
    enum status (*write)(const void *settings, const char *name, const struct picture *picture,
                         uint64_t written, uint64_t *bytes);
    void (*free)(void *settings);
};

/* Opens such a sink; its plan is made. Takes over `settings`, also on failure. */
enum status sequence_open(const struct sink_params *params, const struct sink_plan *plan,
                          const struct sink_ops *ops, const struct sequence_files *files,
                          void *settings, struct sink **out);

/* write and close of all these sinks. */
enum status sequence_write(struct sink *sink, const struct picture *picture);
enum status sequence_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes);

#endif
