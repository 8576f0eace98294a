/* Where a run's pictures go: path, format, frames, and the rules about files that exist. */
#ifndef CMD_JOB_TARGET_H
#define CMD_JOB_TARGET_H

#include "cmd/film/film.h"
#include "cmd/cli/options.h"
#include "render/sink/sink.h"

struct target {
    struct sink_params params;
    struct sink_plan plan;
    uint64_t first, last;   /* frames, both included */
    bool finished;          /* with --resume: nothing is left to do */
    char *scene_path;       /* where the resolved scene is written, NULL: nowhere */
    char *diagnostics_path; /* where diagnostics are written, NULL: nowhere */
    char *work_folder; /* where segments of the film are kept meanwhile, NULL: there are none */
};

/* Checks everything about the output without touching a file: format, codec, sizes, the range of
 * frames, whether the target exists (STATUS_USAGE without -y). Without -o the pictures go nowhere.
 */
enum status target_plan(struct target *target, const struct render_options *options,
                        const struct scene *scene);
void target_free(struct target *target);

/* Whether the film that stands at the target was made of this scene and begins at the target's
 * first frame; *frames: its number. */
bool target_holds_film(const struct target *target, const struct scene *scene, uint64_t *frames);

/* Segments of the film that are encoded at once, at most. */
unsigned target_encoders(const struct target *target, const struct render_options *options);

/* Opens the sink, with the film's metadata. */
enum status target_open(const struct target *target, const struct film *film, struct sink **sink);

#endif
