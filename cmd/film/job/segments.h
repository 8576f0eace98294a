/* The segments of a job: which frames are there, and writing the others. */
#pragma once

#include "base/tag.h"
#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/pipeline/encoders.h"

#include <pthread.h>

/* State shared by the files of a job, and the division of its frames into segments. */

/* The checkpoint being written while the simulation continues. One thread writes all of them, so
 * that memory does not grow with their number. */
struct checkpoint_writing {
    pthread_t thread;
    bool thread_runs; /* used, like the folders, only by the thread that leaves checkpoints: */
    bool shared, own;
    uint64_t frame;
    pthread_mutex_t lock; /* protects the following members */
    pthread_cond_t changed;
    struct checkpoint *taken; /* NULL: nothing to write */
    bool ends;
    struct failure failure;
};

/* On ranks, every rank has the job; rank 0 alone has the manifest, and the others what it decides.
 */
struct job {
    const struct target *target;
    struct film *film;
    bool sequence;  /* one picture file per frame; otherwise segments are films */
    bool resumed;   /* there was something to continue from */
    bool as_found;  /* see struct job_options */
    bool metered;   /* the renderer has its exposure */
    uint64_t start; /* the first frame that can be drawn */
    char *scene, scene_hash[17], motion_hash[17], start_hash[HASH_TEXT];
    char last_hash[HASH_TEXT];         /* of the state at the end of a film that is complete */
    char *program, *codec, *run_place; /* as the manifest has them */
    struct manifest_plan plan;
    struct tags tags;   /* of the finished film */
    const char *shared; /* folder of checkpoints shared by several runs; NULL: none */
    bool *done;         /* [frames of the run]: existed before this run */
    struct checkpoint_writing writing;

    pthread_mutex_t lock; /* protects the following members from the pipeline's threads */
    struct manifest *manifest;
    struct {
        uint64_t first, frames;
        char *path; /* NULL for a sequence */
    } partial;      /* the segment that a stop has interrupted */
};

/* Whether this is a rank from 1 on of several, which only follow what rank 0 decides. */
bool job_follows(void);

/* Segment `index` has frames from first to before end, limited to the run's. */
uint64_t job_segment_first(const struct job *job, uint64_t index);
uint64_t job_segment_end(const struct job *job, uint64_t index);

/* The path of a sequence's picture, see manifest_frame_file; `user` is the job. */
char *job_frame_file(void *user, uint64_t frame);

/* Notes which frames of the run the manifest has. */
void segments_note(struct job *job);

/* Whether the frame is still to be rendered; fits pipeline_events.wanted. `user`: the job. */
bool segments_want(void *user, uint64_t frame);

/* Called when a run has stopped: where it never came to the segment that an earlier stop had
 * interrupted, makes that segment's frames the partial segment, for a film by encoding them. */
enum status segments_show_unfinished(struct job *job);

/* Writes segments into the work folder and names the complete ones in the manifest. `user`: the
 * job. */
extern const struct segment_ops segments_write_films, segments_write_sequence;
