/* The output of a run: path, format, frames, and the rules about existing files. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/tags.h"
#include "cmd/film/job/stale.h"
#include "scenes/scene.h"
#include "render/sink/sink.h"

/* The request of the command line. */
struct target_request {
    const char *scene;   /* its name or path: a scene file is not overwritten */
    const char *output;  /* NULL: not given */
    const char *format;  /* "": from the output's extension */
    const char *backend; /* "auto", "cpu", "cuda" */
    int device;
    bool resume, overwrite;
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
    char *scene_path;                     /* where the resolved scene is written, NULL: nowhere;
                                           * film.scene.yaml, or film.mp4.scene.yaml if that is the
                                           * scene of another film, such as film.mov */
    char *diagnostics_path;               /* where diagnostics are written, NULL: nowhere */
    struct stale stale; /* pictures of another sequence, to be removed before the first frame */
    char *work_folder;  /* of a film made in segments, see job.h; otherwise NULL */
};

/* In a job's manifest, the program's version is followed by this and the name of the backend. */
#define PROGRAM_SUFFIX " with "

/* In a job's manifest, the codec of a run that says less than all ends in this and the metadata's
 * name. */
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

/* Collective on ranks: gives the others, whose targets are empty, what they need of rank 0's: the
 * frames, the format of pictures, and whether there are a work folder and diagnostics, whose names
 * are "". */
enum status target_share(struct target *target);

/* Whether the film at the target's path was made from this scene and starts at the target's first
 * frame; *frames: its number of frames. */
bool target_holds_film(const struct target *target, const struct scene *scene, uint64_t *frames);
