/* The output of a run: path, format, frames, and the rules about existing files. */
#pragma once

#include "base/status.h"
#include "cmd/film/film.h"
#include "cmd/film/tags.h"
#include "render/sink/sink.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pictures of another sequence with the same file names, which a player would mix in. They are
 * recognized by the scene in them, so that stills and pictures of other programs are left alone. */

struct stale {
    char **paths; /* owned */
    size_t count;
};

/* Finds pictures of the sequence at `pattern` (f/%06d.png), outside frames first to last, that were
 * made from another resolved scene. Free with stale_free in every case. */
void stale_find(struct stale *stale, const char *pattern, uint64_t first, uint64_t last,
                const char *scene);
void stale_free(struct stale *stale);

/* Removes them, and reports it. */
enum status stale_remove(const struct stale *stale);

/* The request of the command line. */
struct target_request {
    const char *scene;   /* its name or path: a scene file is not overwritten */
    const char *output;  /* NULL: not given */
    const char *format;  /* "": from the output's extension */
    const char *backend; /* "auto", "cpu", "cuda" */
    int device;
    bool resume, overwrite;
    bool as_begun; /* with resume: a film that looks otherwise is not set aside */
    bool has_range;
    uint64_t first, last;                                   /* last UINT64_MAX: to the end */
    bool silent;                                            /* leaves out the scene's sound */
    unsigned encoders;                                      /* 0: by the number of processors */
    const struct film_metadata *metadata;                   /* NULL: all */
    void (*change)(void *user, struct sink_params *params); /* before planning; or NULL */
    void *user;
};

struct target {
    const struct sink_ops *sink;
    struct sink_params params;
    struct sink_plan plan;
    uint64_t first, last;                 /* frames, inclusive */
    unsigned encoders;                    /* most segments of the film encoded at once */
    const struct film_metadata *metadata; /* metadata of the file; NULL: all */
    bool finished;                        /* with resume: nothing is left to do */
    char *pattern;                        /* params.path of a sequence; NULL: another's */
    char *scene_path;                     /* where the resolved scene is written, NULL: nowhere;
                                           * film.scene.yaml, or film.mp4.scene.yaml if that is the
                                           * scene of another film, such as film.mov */
    char *diagnostics_path;               /* where diagnostics are written, NULL: nowhere */
    struct stale stale; /* pictures of another sequence, to be removed before the first frame */
    char *work_folder;  /* of a film made in segments, see job.h; otherwise NULL */
    struct {
        char *output;       /* where the film goes that an earlier run has begun with another look,
                             * so that it can be finished; NULL: there is none */
        char *scene, *look; /* its scene, and how that differs */
        uint64_t frames;
    } aside;
};

/* In a job's manifest, the program's version is followed by this and the name of the backend. */
#define PROGRAM_SUFFIX " with "

/* The ending of a codec in a job's manifest, followed by the metadata's name, if the run does not
 * write all metadata. */
#define METADATA_SUFFIX ", metadata "

/* The result of a run. */
struct target_result {
    uint64_t frames, bytes; /* of the film, as far as it was made */
    bool kept;              /* whether there is a film */
    bool resumable;         /* the work folder is kept and has content */
};

/* Checks everything about the output without touching a file: format, codec, sizes, the range of
 * frames, whether the output exists (STATUS_USAGE without overwrite). Without an output, pictures
 * are discarded. Free with target_free in every case. */
enum status target_plan(struct target *target, const struct target_request *request,
                        const struct scene *scene);
void target_free(struct target *target);

/* Sets aside what the earlier run has left: its work folder, its film so far and its scene. */
enum status target_set_aside(const struct target *target);

/* Collective on ranks: gives the others, whose targets are empty, what they need of rank 0's: the
 * frames, the format of pictures, and whether there are a work folder and diagnostics, whose names
 * are "", and whether a film is set aside. */
enum status target_share(struct target *target);

/* Whether the film at the target's path was made from this scene and starts at the target's first
 * frame; *frames: its number of frames. */
bool target_holds_film(const struct target *target, const struct scene *scene, uint64_t *frames);

/* The work folder of a job, OUT.parts, before and after a run: its paths, without the film. Users
 * and scripts rely on the name. The folder holds, with names from cmd/film/manifest/manifest.h:
 *
 *     lock                    held (flock) while a run writes; names the process
 *     manifest.json           what is complete on disk, and the one before as
 *                             manifest.previous.json
 *     plan.json               the film's plan (plan_file.h), before the first segment
 *     segment-000003.mp4      the fourth segment, in the film's container
 *     pictures-000735.raw     pictures from 735 on of a segment that a stop has interrupted, as the
 *                             encoder got them; an encoder cannot be continued, but gets them again
 *     checkpoint-000720.h5    all simulations at frame 720, the first of a segment, or on the way
 *                             to it
 *
 * A segment or checkpoint is written under a temporary name, synced, renamed, hashed and then named
 * in the manifest, so that the manifest only names complete files. Pictures of a sequence are not
 * synced one by one: their hashes show which of them survived a power failure. */

/* OUT.parts, or OUT.FIRST-LAST.parts for a `range` of a PNG sequence, so that several ranges can be
 * rendered into one sequence simultaneously. The caller frees it. */
char *work_folder_path(const char *output, bool range, uint64_t first, uint64_t last);

/* Length in bytes of the longest file name in it. */
enum { WORK_NAME_MOST = 32 };

/* The following functions accept NULL for `folder`: there is none. */

/* Whether it contains something that can be resumed. */
bool work_folder_used(const char *folder);

/* STATUS_USAGE when another run is writing there; when there is something to resume, but the user
 * asked neither to resume nor to overwrite it; and when there is no folder to resume from. */
enum status work_folder_check(const char *folder, const char *output, bool resume, bool overwrite);

/* Removes the remains of a run that was killed while removing its folder. */
enum status work_folder_sweep(const char *folder);
