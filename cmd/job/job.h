/* A film under way: finished pieces and checkpoints in OUT.parts, from which a run that was cut
 * short goes on, and from which the film is joined at the end.
 *
 * Films in files and PNG sequences are made so; streams, hashes and the like are not. A piece holds
 * output.segment frames, counted from the film's frame 0, so that parts made by several machines
 * meet. Pieces are encoded by threads of their own, see encoders.h; what the manifest says is only
 * ever what is whole on the disk.
 *
 * Statuses as everywhere: STATUS_USAGE for another run's folder and for one that is there without
 * --resume or -y, STATUS_IO for files. */
#ifndef CMD_JOB_JOB_H
#define CMD_JOB_JOB_H

#include "cmd/film/film.h"
#include "cmd/pipeline/pipeline.h"
#include "cmd/job/target.h"

struct parts;

/* The folder of parts for a target of a film of so many frames, to be freed; *folder NULL: it is
 * not made in parts. Each range of a PNG sequence has a folder of its own, so that several machines
 * can render into one sequence. */
enum status parts_folder(const struct target *target, uint64_t frames, char **folder);

/* What follows reads target->parts_path. */

/* Whether there is a folder of parts with something in it. */
bool parts_there(const struct target *target);

/* Checks before anything is opened whether there is a folder of parts, whether another run is
 * writing it, and what is to become of it. */
enum status parts_check(const struct target *target, bool resume, bool overwrite);

/* Makes the folder, or, with `resume`, where there is one, finds out what it has and lets the film,
 * which stands at frame 0, go on from the latest good checkpoint. *start is the frame at which it
 * stands now. The film and the target must outlive the parts. */
enum status parts_open(struct parts **out, const struct target *target, struct film *film,
                       bool resume, bool overwrite, uint64_t *start);

/* After parts_open: `folder` holds checkpoints of this scene, which other runs may write as well.
 * Where the film stands at frame 0 it goes on to the latest of them that is of use, and leaves one
 * there at each piece. The folder's name must outlive the parts. */
enum status parts_share(struct parts *parts, const char *folder, uint64_t *start);

/* Whether there was something to go on from. */
bool parts_resumed(const struct parts *parts);

/* Whether the renderer knows its exposure. */
bool parts_metered(const struct parts *parts);

/* For pipeline_params: `user` is the struct parts. */
extern const struct part_ops parts_ops;
bool parts_wanted(void *user, uint64_t frame);
enum status parts_simulated(void *user, uint64_t frame);
enum status parts_drawing(void *user, uint64_t frame);

uint64_t parts_length(const struct parts *parts); /* frames of a piece */

/* What a run has come to. */
enum parts_end {
    PARTS_DONE,    /* joins the film, writes the scene beside it and removes the folder */
    PARTS_STOPPED, /* the same with the film so far, but keeps the folder for a resume */
    PARTS_FUTILE,  /* the same, and removes the folder: a resume would fail as well */
    PARTS_FAILED,  /* keeps the folder */
};

/* Removes what a run that was killed while it removed its folder has left. */
enum status parts_sweep(const struct target *target);

struct parts_result {
    uint64_t frames, bytes; /* of the film, as far as it goes */
    bool film;              /* there is one */
    bool resumable;         /* the folder is kept and holds something */
};

/* Closes in every case. `stop` may end the joining, which then has STATUS_STOPPED. */
enum status parts_close(struct parts **parts, enum parts_end end, const volatile sig_atomic_t *stop,
                        struct parts_result *result);

#endif
