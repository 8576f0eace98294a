/* Inside the job only. */
#ifndef CMD_JOB_STATE_H
#define CMD_JOB_STATE_H

#include "cmd/job/tags.h"
#include "cmd/manifest/manifest.h"
#include "cmd/job/job.h"

#include <pthread.h>

struct job {
    const struct target *target;
    struct film *film;
    bool png, resumed, metered;
    char *scene, scene_hash[17], start_hash[HASH_TEXT], last_state[HASH_TEXT];
    struct manifest_plan plan;
    struct film_tags tags; /* of the finished film */
    const char *shared;    /* folder of checkpoints, see job_share; NULL: none */
    bool *done;            /* [segments of the run]: there before this run */

    pthread_mutex_t lock; /* protects what follows, from the threads of the pipeline */
    struct manifest *manifest;
    struct {
        uint64_t first, frames;
        char *path; /* NULL for PNG sequences */
    } partial;      /* the segment that a stop has cut short */
};

/* The number of a segment among those of the run. */
size_t job_place(const struct job *job, uint64_t index);

/* The path of a picture of a sequence, to be freed; NULL when memory is short. `user`: the job.
 */
char *job_frame_file(void *user, uint64_t frame);

enum status job_no_memory(void);
void job_free(struct job **job);

/* Finds out which segments there are, and puts simulations and renderer where the first missing one
 * can be made. *start: the frame at which they stand. */
enum status job_restore(struct job *job, uint64_t *start);

/* Lets the film go on from the checkpoint at `path`, which is freed. A damaged one is passed over
 * with a warning: *done says whether the film stands there now. */
enum status job_go_to(struct job *job, char *path, bool *done);

/* Leaves one in the shared folder, where there is such a folder and the frame has none. */
enum status job_leave_checkpoint(struct job *job, uint64_t frame);

#endif
