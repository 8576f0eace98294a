/* Forces, separate from state: which bodies pull which, and in which arithmetic.
 *
 * A force is a value. A solver owns the bodies (position, velocity and acceleration in double) and
 * keeps the input of forces in struct sources; a force reads the sources and writes accelerations
 * along its path for the solver's backend. Only the force knows what an evaluation costs: code that
 * counts interactions asks struct force.
 *
 * A new force is a file with its entry, and a row in force.c. To support a further backend, a force
 * needs a file with its path, and a row in the entry's `paths`. */
#pragma once

#include "base/choice.h"
#include "kernels/rows.h"
#include "sim/bodies/bodies.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bodies;

/* The input of an evaluation: rows x y z m as in kernels/rows.h and half-squares of softening as of
 * softening_halves, in numbers of force_ops.number bytes; in host memory for the CPU path, in
 * device memory for the CUDA path, padded as their kernels require.
 *
 * If force_ops.tiled, row k is body order[k], and rows are offsets from the centres of tiles of
 * neighbours (tiles.h); otherwise rows are the bodies in their order, at their positions.
 * Accelerations and potentials are written in the order of the bodies. */
struct sources {
    size_t bodies;           /* number of rows */
    size_t begin, end;       /* rows whose bodies are sinks: all, except on ranks (sim/ranks), where
                              * begin is a multiple of FORCE_TILE, and body k - begin is that of row
                              * k; only for paths of the CPU */
    const void *rows;        /* of all bodies, at their present positions */
    const void *halves;      /* of the rows; NULL: all pairs have `softening` */
    size_t count;            /* sources of this evaluation: all bodies, or every subset-th */
    const void *from;        /* the sources' rows: `rows` itself, or those of a turn, see
                              * solver.turn */
    const void *from_halves; /* of the sources' rows; NULL if halves is */
    const uint32_t *order;   /* [bodies]; NULL unless tiled, as are centres */
    force_centres centres, from_centres; /* of rows and from */
    const double *weights;               /* CUDA: of the tiles of rows, see tiles.h */
    double softening;                    /* > 0; rounded to single precision for a kernel of single
                                          * precision */
    const uint8_t *rungs; /* of all bodies, for force_path.partial: computes accelerations of the
                           * bodies from rung `from_rung` on and leaves the others unchanged; NULL:
                           * all */
    int from_rung;
    int apart; /* with rungs: bodies from this rung on do not pull each other, if the force can
                * leave that out (force.apart); 0: all do */
};

/* The input to a path's choice of kernels. */
struct force_request {
    size_t bodies, sources; /* as in struct sources, which does not exist yet; on ranks, bodies is
                             * the number of sinks */
    size_t among;        /* 0, or the number of bodies on whose accelerations an error is relative,
                          * of which these are some */
    bool slice;          /* on ranks */
    size_t subset;       /* 1: all bodies are sources */
    bool mixed;          /* halves are given */
    bool spline;         /* softening is by a spline; implies mixed */
    double error;        /* relative RMS error of accelerations, for a force with a selectable
                          * error */
    const char *kernel;  /* solver_params.kernel, never NULL */
    int device;          /* CUDA: its number */
    int multiprocessors; /* CUDA: of the device */
    size_t budget;       /* CUDA: device memory budget of partial sums, in bytes */
};

/* Counters of the last evaluation of a tree; seconds are 0 if unknown. */
struct force_work {
    double pairs; /* of bodies */
    double joins; /* cell-cell, counted once for each of the two cells; in tree-exact, body-cell */
    double build_seconds, moment_seconds, walk_seconds;
};

/* CUDA: what is known of the accelerations before the next evaluation. */
enum force_past {
    FORCE_PAST_OPEN,  /* nothing: they may all be zero */
    FORCE_PAST_ASKED, /* `accelerate` was called; `look` will tell */
    FORCE_PAST_KNOWN, /* there are some, so that a tree needs fewer launches */
};

/* A force opened for a number of bodies. A path with further data has a struct of its own that
 * begins with this one. Used by one thread at a time. */
struct force {
    const struct force_ops *ops;
    const struct force_path *path;
    double interactions; /* pairs in one evaluation or, if that depends on the bodies, in the last
                          * one */
    bool repeatable;     /* every evaluation makes the same launches, so CUDA may record them */
    bool apart;          /* the last evaluation left out what sources.apart asks for */
    struct force_work work_done; /* by a tree */
    enum force_past past;        /* set by its path; reset by the solver when it loads a state */
    size_t work_bytes;           /* CUDA: device memory needed, at least a double per body */
    size_t work_spare;           /* CUDA: at its end, bytes that hold nothing between evaluations */
    void *work;                  /* CUDA: that memory, owned by the solver, initially all zero */
    const char *name;            /* of the kernel chosen, for messages: "pairs512" */
    char kernel[96];             /* the kernel chosen, in words */
};

/* How a backend evaluates a force. Functions that return int return 0 or, on the CPU, an enum
 * status with its message, on CUDA a cudaError_t; on CUDA they only launch, on `stream` (a
 * cudaStream_t), and do not wait. */
struct force_path {
    const char *backend;      /* its name, solver_ops.name */
    size_t size;              /* of the struct that begins with struct force */
    bool (*runs)(int device); /* CUDA: whether that device is supported; NULL: every device is */
    bool partial; /* accelerate can compute some of the bodies only, at a cost that follows their
                   * number */
    /* Chooses kernels and fills in the struct, which is all zero; allocates no device memory.
     * STATUS_DEVICE: there is no kernel of the requested name. */
    enum status (*open)(struct force *force, const struct force_request *request);
    /* Called once when the first sources and `work` exist, mainly for masses, which do not change
     * later; may wait. NULL: nothing to prepare. */
    int (*prepare)(struct force *force, const struct sources *sources, void *stream);
    int (*accelerate)(struct force *force, const struct sources *sources, double (*out)[3],
                      void *stream);
    /* out[i]: the potential of body i due to all others, also with a subset. */
    int (*potential)(struct force *force, const struct sources *sources, double *out, void *stream);
    /* CUDA, after waiting for the stream: fills in interactions and work_done. If not STATUS_OK,
     * with a message, results since the last call are invalid. NULL: nothing to check. */
    enum status (*look)(struct force *force, void *stream);
    void (*close)(struct force *force); /* frees what open allocated besides the struct; NULL:
                                         * nothing */
};

struct force_ops {
    const char *name, *doc;
    size_t number; /* bytes of a number in its sources: sizeof(float) or sizeof(double) */
    const struct force_path *const *paths; /* NULL-terminated, one per backend that has the force;
                                            * NULL: chooses between other forces, see auto.h */
    /* An upper bound on the relative RMS error of accelerations for such bodies when `asked` is
     * requested. NULL: rounding errors only. */
    double (*error)(const struct bodies *bodies, double asked);
    bool same_everywhere; /* gives the same bits on every device */
    bool tiled;           /* see struct sources */
};

/* Rows of `paths`. */
#define FORCE_PATHS(...) ((const struct force_path *const[]){__VA_ARGS__, NULL})

extern const struct registry force_registry; /* of struct force_ops, default first */

/* The path for that backend; NULL: the backend does not have this force. */
const struct force_path *force_path_of(const struct force_ops *ops, const char *backend);

/* Whether that backend has this force and that device can evaluate it. */
bool force_runs(const struct force_ops *ops, const char *backend, int device);

/* `path` is one of ops->paths. */
enum status force_open(const struct force_ops *ops, const struct force_path *path,
                       const struct force_request *request, struct force **out);
void force_close(struct force **force); /* accepts a pointer to NULL; the solver frees `work` */

/* ---- the forces, a folder each, and their paths on a CUDA device ---- */

extern const struct force_ops force_fast, force_exact, force_double; /* all pairs */
extern const struct force_ops force_tensor;     /* all pairs on the matrix units of a CUDA device */
extern const struct force_ops force_tree;       /* with a required error */
extern const struct force_ops force_tree_exact; /* a tree with the same bits on every device */
extern const struct force_ops force_auto;       /* auto/auto.h; has no path of its own */
extern const struct force_path pairs_cuda_fast, pairs_cuda_exact, pairs_cuda_double, tensor_cuda,
    tree_cuda, tree_exact_cuda;

/* A body with more than this fraction of the total mass has plain interactions in force_tensor. */
#define FORCE_TENSOR_HEAVY (1. / 128)

/* STATUS_USAGE, with a message that says what to do, unless force_tensor supports the request: all
 * sources and one Plummer softening. */
enum status tensor_takes(const struct force_request *request);

/* ---- softening ---- */

/* Softening: its kind, and the lengths of bodies: each component's own, or the simulation's
 * (`fallback`). The length of a pair is symmetric, so that momentum is conserved. With h = eps^2 /
 * 2, it is eps_ij^2 = (eps_i^2 + eps_j^2) / 2 = h_i + h_j for Plummer softening, and the larger of
 * the two, as in GADGET, for spline softening (kernels/spline.h). Every kernel that takes the
 * softenings of both bodies combines them so: kernels/pairs, kernels/tree, kernels/exact_tree. */

struct softening_kernel {
    const char *name, *doc;
};

extern const struct softening_kernel softening_plummer, softening_spline;
extern const struct registry softening_kernel_registry; /* Entries are struct softening_kernel */

/* Suffix for the name of a force's kernel. */
const char *softening_words(bool spline, bool mixed);

/* The softening of body `from`, and the end of the run of bodies that share it. To visit all: for
 * (i = 0; i < count; i = softening_run(bodies, fallback, i, &eps)). */
size_t softening_run(const struct bodies *bodies, double fallback, size_t from, double *softening);

/* The smallest and the largest among the bodies; fallback if there are none. */
void softening_range(const struct bodies *bodies, double fallback, double *least, double *most);

/* halves[i] = eps_i^2 / 2 for i < padded, in numbers of `number` bytes: sizeof(float) or
 * sizeof(double); padding rows get the value of the first body. At least one body. */
void softening_halves(const struct bodies *bodies, double fallback, size_t padded, size_t number,
                      void *halves);
