/* Checkpoints: files from which a run continues bit for bit.
 *
 * A checkpoint is an HDF5 file of double precision behind a user block that holds a checksum over
 * all of it, so that nothing of a damaged file is ever used; docs/architecture.md has the
 * format. One file holds all simulations of a film at one frame. Files are written through a
 * temporary one, fsync and rename (base/file.h).
 *
 * Statuses: STATUS_IO when a file cannot be read or written, is damaged or cut short, or is not
 * a checkpoint at all (an earlier one may serve instead); STATUS_USAGE when it is intact but
 * belongs to another scene, other bodies or another format (no other will serve). Either sentence
 * names the file. Thread-safe, except that a simulation is used by one thread at a time. */
#ifndef SIM_CHECKPOINT_CHECKPOINT_H
#define SIM_CHECKPOINT_CHECKPOINT_H

#include "sim/simulation.h"

enum {
    CHECKPOINT_FORMAT = 1,
    CHECKPOINT_NAME_MAX = 48,
    CHECKPOINT_TEXT_MAX = 64,
    CHECKPOINT_ARRAYS_MAX = 64,
    CHECKPOINT_VALUES_MAX = 1 << 20, /* of one array */
};

/* A small table that is kept beside the states: [rows][columns] doubles, any bits. */
struct checkpoint_array {
    char name[CHECKPOINT_NAME_MAX]; /* letters, digits, _ and -; not "" */
    size_t rows, columns;           /* rows * columns <= CHECKPOINT_VALUES_MAX, columns >= 1 */
    double *values;
};

struct checkpoint_arrays {
    size_t count;
    struct checkpoint_array *array;
};

struct checkpoint_info {
    char program[CHECKPOINT_TEXT_MAX]; /* version that wrote it */
    char scene[CHECKPOINT_TEXT_MAX];   /* hash of the resolved scene */
    uint64_t frame, step;              /* of the first simulation */
    double time;                       /* likewise, as simulation_time counts it */
    uint64_t count;                    /* bodies */
    uint64_t simulations;
};

/* Writes the present state of `count` >= 1 simulations at the same frame: what simulation_get_state
 * gives, and the energy history where one is kept. `arrays` may be NULL. The simulations
 * continue as if nothing had been written. Needs memory for three copies of a state meanwhile.
 * STATUS_USAGE for arrays beyond the limits above. */
enum status checkpoint_write(const char *path, struct simulation *const *simulations, size_t count,
                             const char *scene, const struct checkpoint_arrays *arrays);

/* Sets simulations, opened with the same scene and bodies in the same order and with their clock
 * set, to the checkpoint; those that keep an energy history get the saved one.
 * *arrays (may be NULL): what was given to checkpoint_write, to be freed. After a failure another
 * checkpoint may be read, and one simulation alone is as it was unless its solver failed; of
 * several some may have changed. */
enum status checkpoint_read(const char *path, struct simulation *const *simulations, size_t count,
                            const char *scene, struct checkpoint_arrays *arrays);
void checkpoint_arrays_free(struct checkpoint_arrays *arrays); /* accepts a zeroed one */

/* Checks the whole file and says what it holds. */
enum status checkpoint_inspect(const char *path, struct checkpoint_info *info);

#endif
