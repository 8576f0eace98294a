/* Forces, apart from state: who pulls whom, and in which arithmetic.
 *
 * A force is a value. A solver owns the bodies (position, velocity and acceleration in double) and
 * keeps, in struct sources, what forces read of them; a force reads the sources and writes
 * accelerations along the path that it has for the solver's backend. Only the force
 * knows what an evaluation costs: code that counts interactions asks struct force.
 *
 * A new force is a file with its entry, and a row in force.c. A force that a further backend has is
 * a file with its path, and a row in the entry's `paths`. */
#ifndef SIM_GRAVITY_FORCE_H
#define SIM_GRAVITY_FORCE_H

#include "base/choice.h"
#include "kernels/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bodies;

/* What an evaluation reads: rows x y z m as in kernels/rows.h and half-squares of softening as in
 * softening.h, in numbers of force_ops.number bytes; host memory for the CPU path, device memory
 * for the CUDA path, padded as their kernels ask.
 *
 * Where force_ops.tiled, row k is body order[k], and rows are offsets from the centres of tiles of
 * neighbours (tiles.h); else they are the bodies in their order, at their positions. Accelerations
 * and potentials are written in the order of the bodies. */
struct sources {
    size_t bodies;           /* whose accelerations are computed */
    const void *rows;        /* of all bodies, at their present positions */
    const void *halves;      /* beside the rows; NULL: all pairs have `softening` */
    size_t count;            /* sources of this evaluation: all bodies, or every subset-th */
    const void *from;        /* their rows: `rows` itself, or those of a turn, see solver.turn */
    const void *from_halves; /* beside them; NULL where halves is */
    const uint32_t *order;   /* [bodies]; NULL unless tiled, as are centres */
    force_centres centres, from_centres; /* of rows and from */
    const double *weights;               /* CUDA: of the tiles of rows, see tiles.h */
    double softening;                    /* > 0; for a kernel of single precision rounded to it */
    const uint8_t *rungs; /* of all bodies, for force_path.partial: accelerations of those from
                             rung `from_rung` on are computed, the others' stay; NULL: all */
    int from_rung;
};

/* What a path chooses its kernels by. */
struct force_request {
    size_t bodies, sources; /* as in struct sources, which is not there yet */
    size_t subset;          /* 1: all bodies are sources */
    bool mixed;             /* halves are given */
    bool spline;            /* softening is by a spline; mixed, too */
    double error;        /* relative, RMS, of accelerations, for a force that lets it be chosen */
    const char *kernel;  /* solver_params.kernel, never NULL */
    int device;          /* CUDA: its number */
    int multiprocessors; /* CUDA: of the device */
    size_t budget;       /* CUDA: device memory that partial sums should stay within, bytes */
};

/* What the last evaluation of a tree did; seconds are 0 where they are not known. */
struct force_work {
    double pairs; /* of bodies */
    double joins; /* of cells, counted for either of the two; of a body with a cell by tree-exact */
    double build_seconds, moment_seconds, walk_seconds;
};

/* A force opened for a number of bodies. What a path keeps beside it follows in a struct of its
 * own that begins with this one. Used by one thread at a time. */
struct force {
    const struct force_ops *ops;
    const struct force_path *path;
    double interactions; /* pairs that one evaluation takes; where that depends on the bodies, those
                            of the last one */
    bool repeatable; /* every evaluation makes the same launches, so that CUDA may record them */
    struct force_work work_done; /* by a tree */
    size_t work_bytes;           /* CUDA: device memory to work in, at least a double per body */
    void *work;                  /* CUDA: that memory, the solver's, all zero at first */
    const char *name;            /* of the kernel chosen, for messages: "pairs512" */
    char kernel[96];             /* the kernel chosen, in words */
};

/* How a force is evaluated by one backend. Functions that return int return 0 or, on the
 * CPU, an enum status with its sentence, on CUDA a cudaError_t; there they only launch, on `stream`
 * (a cudaStream_t), and wait for nothing. */
struct force_path {
    const char *backend;      /* its name, solver_ops.name */
    size_t size;              /* of the struct that begins with struct force */
    bool (*runs)(int device); /* CUDA: whether that device can; NULL: every one */
    bool partial; /* accelerate may be asked for some of the bodies, at a cost that follows their
                     number */
    /* Chooses kernels and fills in the struct, which is all zero; takes no device memory.
     * STATUS_DEVICE: there is no kernel of the name asked for. */
    enum status (*open)(struct force *force, const struct force_request *request);
    /* Once, when the first sources and `work` are there, for masses above all, which stay; may
     * wait. NULL: nothing to prepare. */
    int (*prepare)(struct force *force, const struct sources *sources, void *stream);
    int (*accelerate)(struct force *force, const struct sources *sources, double (*out)[3],
                      void *stream);
    /* out[i]: the potential of body i from all others, also with a subset. */
    int (*potential)(struct force *force, const struct sources *sources, double *out, void *stream);
    /* CUDA, when the stream has been waited for: fills in interactions and work_done. Not
     * STATUS_OK, with a sentence: what was computed since is not to be used. NULL: nothing to look
     * at. */
    enum status (*look)(struct force *force, void *stream);
    void (*close)(struct force *force); /* frees what open took beside the struct; NULL: nothing */
};

struct force_ops {
    const char *name, *doc;
    size_t number; /* bytes of a number in its sources: sizeof(float) or sizeof(double) */
    const struct force_path *const *paths; /* of each backend that has it, up to a NULL; NULL: a
                                              choice between others, see auto.h */
    /* What the error of accelerations stays below for such bodies, relative, RMS, where `asked` was
     * asked for. NULL: rounding alone. */
    double (*error)(const struct bodies *bodies, double asked);
    bool same_everywhere; /* gives the same bits on every device */
    bool tiled;           /* see struct sources */
};

/* Rows of `paths`. */
#define FORCE_PATHS(...) ((const struct force_path *const[]){__VA_ARGS__, NULL})

extern const struct registry force_registry; /* of struct force_ops, default first */

/* The path of that backend; NULL: it does not have this force. */
const struct force_path *force_path_of(const struct force_ops *ops, const char *backend);

/* Whether that backend has this force and that device can evaluate it. */
bool force_runs(const struct force_ops *ops, const char *backend, int device);

/* `path` is one of ops->paths. */
enum status force_open(const struct force_ops *ops, const struct force_path *path,
                       const struct force_request *request, struct force **out);
void force_close(struct force **force); /* accepts a pointer to NULL; `work` is the solver's */

#endif
