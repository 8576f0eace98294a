/* A film under way: finished segments and checkpoints in OUT.parts, from which a run that was cut
 * short goes on, and from which the film is joined at the end.
 *
 * Films in files and PNG sequences are made so; streams, hashes and the like are not. A segment
 * holds output.segment frames, counted from the film's frame 0, so that parts made by several
 * machines meet. Segments are encoded by threads of their own, see encoders.h; what the manifest
 * says is only ever what is whole on the disk.
 *
 * Statuses as everywhere: STATUS_USAGE for another run's folder and for one that is there without
 * --resume or -y, STATUS_IO for files. */
#ifndef CMD_JOB_JOB_H
#define CMD_JOB_JOB_H

#include "cmd/film/film.h"
#include "cmd/pipeline/pipeline.h"
#include "cmd/job/target.h"

struct job;

/* the work folder for a target of a film of so many frames, to be freed; *folder NULL: it is
 * not made in segments. Each range of a PNG sequence has a folder of its own, so that several
 * machines can render into one sequence. */
enum status work_folder_path(const struct target *target, uint64_t frames, char **folder);

/* What follows reads target->work_folder. */

/* Whether there is a work folder with something in it. */
bool work_folder_used(const struct target *target);

/* Checks before anything is opened whether there is a work folder, whether another run is
 * writing it, and what is to become of it. */
enum status work_folder_check(const struct target *target, bool resume, bool overwrite);

/* Makes the folder, or, with `resume`, where there is one, finds out what it has and lets the film,
 * which stands at frame 0, go on from the latest good checkpoint. *start is the frame at which it
 * stands now. The film and the target must outlive the job. */
enum status job_open(struct job **out, const struct target *target, struct film *film, bool resume,
                     bool overwrite, uint64_t *start);

/* After job_open: `folder` holds checkpoints of this scene, which other runs may write as well.
 * Where the film stands at frame 0 it goes on to the latest of them that is of use, and leaves one
 * there at each segment. The folder's name must outlive the job. */
enum status job_share(struct job *job, const char *folder, uint64_t *start);

/* Whether there was something to go on from. */
bool job_is_resumed(const struct job *job);

/* Whether the renderer knows its exposure. */
bool job_is_metered(const struct job *job);

/* For pipeline_params: `user` is the struct job. */
extern const struct segment_ops job_segments;
bool job_wants(void *user, uint64_t frame);
enum status job_simulated(void *user, uint64_t frame);
enum status job_drawing(void *user, uint64_t frame);

uint64_t job_segment_length(const struct job *job); /* frames of a segment */

/* What a run has come to. */
enum job_end {
    JOB_DONE,    /* joins the film, writes the scene beside it and removes the folder */
    JOB_STOPPED, /* the same with the film so far, but keeps the folder for a resume */
    JOB_FUTILE,  /* the same, and removes the folder: a resume would fail as well */
    JOB_FAILED,  /* keeps the folder */
};

/* Removes what a run that was killed while it removed its folder has left. */
enum status work_folder_sweep(const struct target *target);

struct job_result {
    uint64_t frames, bytes; /* of the film, as far as it goes */
    bool film;              /* there is one */
    bool resumable;         /* the folder is kept and holds something */
};

/* Closes in every case. `stop` may end the joining, which then has STATUS_STOPPED. */
enum status job_close(struct job **job, enum job_end end, const volatile sig_atomic_t *stop,
                      struct job_result *result);

#endif
