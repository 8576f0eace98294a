/* A run: the views of every frame of a film's simulations, from which films are drawn without
 * simulating again. It is kept in host memory, or in a file.
 *
 * One thread appends frames, in order, while others read: frames below run_count never change.
 * Reading is thread-safe; each reader has a buffer of its own. Numbers are those of views
 * (sim/view.h), with their bits; the bodies at the start, and the accelerations there, are double.
 *
 * The file, NAME.gvr, is HDF5 after a user block of 512 bytes, and libhdf5 only makes it: all
 * tables have their final sizes and lie in one piece each, so that frames are written in place with
 * pwrite. The file is therefore valid HDF5 at any moment, also if the program is killed; parts that
 * were not written yet are holes. Readers do not need libhdf5, and trust nothing: the user block
 * has the checksum of the head, the head that of the bodies, and each frame has its own.
 *
 *     user block   text, a line each: "gravreel run", "format 2", "head OFFSET SIZE",
 *                  "xxh3-128 HASH" of the head; then zeros
 *     /head        [bytes] JSON: the scene, what was recorded, and where the tables are
 *     /bodies      at the start: mass [N], position and velocity [N, 3], id [N] if there are ids,
 *                  column_1 and up [N]
 *     /simulation_1 and up
 *       acceleration                 [N, 3] at the start, f64
 *       frame_position, frame_velocity  [S, N, 3], f32, of the S stored frames: each K-th and the
 *                                    last
 *       frame_COLUMN                 [S, N], f32
 *     /frames      [F, 18]: time, interval, step, whether energies follow, struct diagnostics
 *     /checks      [F, 14], u64: a checksum of the frame per simulation, 0: not yet written; the
 *                  hashes of the states in double precision, two numbers each, of all simulations
 *                  and of each
 *     /pilot_1 and up: samples [n, bodies, 6] and separation [n] of struct run_pilot, f64
 *
 * All other tables are f64, and all numbers little-endian. Statuses: STATUS_IO if a file cannot be
 * read or written, is cut short or damaged; STATUS_USAGE if it is intact but of another kind. */
#pragma once

#include "base/hash.h"
#include "sim/bodies/bodies.h"
#include "sim/view.h"

#include <stdint.h>

enum { RUN_SIMULATIONS_MAX = 4, RUN_PILOTS_MAX = 8, RUN_TEXT = 256, RUN_DIAGNOSED = 14 };

#define RUN_EXTENSION "gvr"

/* One of the simulations. */
struct run_simulation {
    char physics[RUN_TEXT];            /* tells it from the others: force, softening ... */
    char backend[16];                  /* of the solver that computed it, "cpu" or "cuda" */
    char force[32];                    /* the force that was used */
    char kernel[RUN_TEXT], model[128]; /* of the solver that computed it */
    double (*acceleration)[3];         /* [bodies] at the start */
};

/* What a pilot run of the film (sim/pilot) has seen, so that another film needs none. */
struct run_pilot {
    char key[RUN_TEXT];       /* its parameters */
    uint64_t bodies, samples; /* samples it ended with */
    double (*motion)[6];      /* [samples][bodies] position and velocity; NULL: nobody looked */
    double *separation;       /* [samples] of two galaxies; NULL: there are no two */
};

struct run_pilots {
    int count;
    struct run_pilot list[RUN_PILOTS_MAX];
};
void run_pilots_free(struct run_pilots *pilots); /* accepts all zero, and leaves it so */

struct run_about {
    struct bodies *bodies; /* at the start, with their columns */
    uint64_t frames;       /* of the whole film */
    uint32_t every;        /* each every-th frame is kept, and the last; others are interpolated */
    char moves[17];        /* hash of what the scene says about the motion */
    char *scene;           /* the whole scene as text */
    int simulation_count;
    struct run_simulation simulations[RUN_SIMULATIONS_MAX];
    struct column_names columns; /* of views that the solver filled; static strings */
    struct run_pilots pilots;
};
void run_about_free(struct run_about *about);

/* A frame of all simulations. */
struct run_moment {
    uint64_t step;
    double time, interval; /* as in struct view */
    /* Hashes of the state in double precision (film_state_hash), of all simulations and of each. */
    char state[HASH_TEXT], states[RUN_SIMULATIONS_MAX][HASH_TEXT];
    bool diagnosed;                  /* of the first simulation: */
    double diagnosis[RUN_DIAGNOSED]; /* struct diagnostics (sim/diagnostics.h) */
};

/* The bodies of a frame in one simulation. */
struct run_rows {
    float (*position)[3], (*velocity)[3]; /* [bodies] */
    float *column[VIEW_COLUMNS_MAX];      /* [columns.count][bodies] */
};

struct run;

/* An empty run in host memory, with every 1. Takes over what `about` owns, also on failure. */
enum status run_create(struct run **out, const struct run_about *about);
/* The same in a new file, which replaces one of that name. */
enum status run_create_file(struct run **out, const struct run_about *about, const char *path);
/* Opens a file to read it. *out has the frames that are complete at this moment. */
enum status run_open(struct run **out, const char *path);
/* Opens a file to append frames from `count` on, of which at least as many must be complete. The
 * file is locked against others who do the same. STATUS_USAGE: it is a run of something else than
 * `about`, which is not taken over. */
enum status run_continue(struct run **out, const struct run_about *about, const char *path,
                         uint64_t count);
void run_close(struct run **run); /* accepts a pointer to NULL */

/* Whether the file's first bytes are those of a run. */
bool run_is_file(const char *path);

/* Waits until all frames are on the disk. */
enum status run_sync(const struct run *run);

const struct run_about *run_about(const struct run *run);
/* The file's path as given, and the hash of its head, which stays while the run grows; "" of a run
 * in memory. Valid while the run is open. */
const char *run_path(const struct run *run);
const char *run_hash(const struct run *run);

/* Appends the next frame; copies everything. Rows are ignored where run_keeps says so. */
enum status run_add(struct run *run, const struct run_moment *moment, const struct run_rows *rows);
/* Whether a frame's rows are kept, so that they are not interpolated. */
bool run_keeps(const struct run_about *about, uint64_t frame);

/* The number of frames, from frame 0 on, that can be read. */
uint64_t run_count(const struct run *run);
/* Of a frame below the count; valid while the run is open. The states of interpolated frames are
 * "". */
const struct run_moment *run_moment(const struct run *run, uint64_t frame);

/* Memory for one reader, at first zero. */
struct run_buffer {
    float *numbers;
};
void run_buffer_free(struct run_buffer *buffer);

/* The rows of a frame below the count: valid until the next call with this buffer, and only to be
 * read. Interpolated frames follow the cubic Hermite polynomial of positions and velocities;
 * columns are interpolated linearly. STATUS_IO: the frame is damaged. */
enum status run_read(const struct run *run, int simulation, uint64_t frame,
                     struct run_buffer *buffer, struct run_rows *out);

/* Numbers per body and frame of a simulation. */
size_t run_width(const struct run_about *about);
/* The rows in a block of that many numbers for each body. */
void run_rows_at(const struct run_about *about, float *block, struct run_rows *out);

/* ---- run_file.c: where a run's frames are ---- */

struct run_file;

enum status run_file_create(struct run_file **out, const struct run_about *about, const char *path);
/* Fills in *about, which the caller frees in every case. */
enum status run_file_open(struct run_file **out, struct run_about *about, const char *path,
                          bool writes);
void run_file_close(struct run_file **file); /* accepts a pointer to NULL */
enum status run_file_sync(const struct run_file *file);
const char *run_file_path(const struct run_file *file);
const char *run_file_hash(const struct run_file *file); /* of the head of an opened file */
/* The number of complete frames, from frame 0 on. */
enum status run_file_count(const struct run_file *file, const struct run_about *about,
                           uint64_t *count);
enum status run_file_put(const struct run_file *file, const struct run_about *about, uint64_t frame,
                         const struct run_moment *moment, const struct run_rows *rows);
enum status run_file_moment(const struct run_file *file, const struct run_about *about,
                            uint64_t frame, struct run_moment *out);
/* Reads and checks the rows of a frame that is kept into a block. */
enum status run_file_rows(const struct run_file *file, const struct run_about *about,
                          int simulation, uint64_t frame, float *block);
