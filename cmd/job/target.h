/* Where a run's pictures go: path, format, frames, and the rules about files that exist. */
#ifndef CMD_JOB_TARGET_H
#define CMD_JOB_TARGET_H

#include "cmd/film/film.h"
#include "scenes/scene.h"
#include "render/sink/sink.h"

/* What is asked for on the command line. */
struct target_request {
    const char *scene;   /* its name or path: a scene file is not overwritten */
    const char *output;  /* NULL: none given */
    const char *format;  /* "": by the output's extension */
    const char *backend; /* "auto", "cpu", "cuda" */
    int device;
    bool resume, overwrite;
    bool has_range;
    uint64_t first, last; /* last UINT64_MAX: to the end */
    unsigned encoders;    /* 0: by the processors */
};

struct target {
    struct sink_params params;
    struct sink_plan plan;
    uint64_t first, last;   /* frames, both included */
    unsigned encoders;      /* segments of the film encoded at once, at most */
    bool finished;          /* with --resume: nothing is left to do */
    char *scene_path;       /* where the resolved scene is written, NULL: nowhere */
    char *diagnostics_path; /* where diagnostics are written, NULL: nowhere */
    char *work_folder; /* where segments of the film are kept meanwhile, NULL: there are none */
};

/* Checks everything about the output without touching a file: format, codec, sizes, the range of
 * frames, whether the target exists (STATUS_USAGE without -y). Without -o the pictures go nowhere.
 */
enum status target_plan(struct target *target, const struct target_request *request,
                        const struct scene *scene);
void target_free(struct target *target);

/* Whether the film that stands at the target was made of this scene and begins at the target's
 * first frame; *frames: its number. */
bool target_holds_film(const struct target *target, const struct scene *scene, uint64_t *frames);

/* Opens the sink, with the film's metadata. */
enum status target_open(const struct target *target, const struct film *film, struct sink **sink);

#endif
