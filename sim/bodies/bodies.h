/* Bodies as they stand at the start, in files and in checkpoints: double precision, host memory.
 *
 * Components are contiguous: component k holds bodies first .. first + count - 1, and the
 * components cover all bodies in order, so that "equal masses" and "do not draw" are properties of
 * a range. Not thread-safe for writing. */
#ifndef SIM_BODIES_BODIES_H
#define SIM_BODIES_BODIES_H

#include "base/status.h"
#include "sim/params.h"

#include <stdbool.h>
#include <stddef.h>

enum { BODIES_NAME_MAX = 48 };

struct component {
    char name[BODIES_NAME_MAX];   /* "disk" */
    char galaxy[BODIES_NAME_MAX]; /* "Milky Way", "" when unknown */
    size_t first, count;
    bool draw;
    double light;
    double softening; /* 0: the simulation's; see softening.h */
};

struct bodies {
    size_t count;
    double *mass;          /* [count] */
    double (*position)[3]; /* [count] */
    double (*velocity)[3]; /* [count] */
    size_t component_count;
    struct component *components; /* [component_count] */
};

/* Room for `count` >= 1 bodies in `components` >= 1 components, all zero. STATUS_RUNTIME when
 * memory is short. */
enum status bodies_create(struct bodies **out, size_t count, size_t components);
enum status bodies_copy(struct bodies **out, const struct bodies *bodies);
void bodies_destroy(struct bodies **bodies); /* accepts a pointer to NULL */

/* Makes the bodies that a scene asks for: the model or file, then the choice of components, then
 * the thinning to `count`, then the scale factors. STATUS_USAGE for bad content or a request that
 * makes no sense, STATUS_IO when a file cannot be read. The sentence names file and line, or the
 * scene key. */
enum status bodies_make(const struct bodies_params *params, struct bodies **out);

/* Keeps the components that `use` names (see bodies_params) and drops the rest. STATUS_USAGE names
 * the unknown component and lists those there are. */
enum status bodies_select(struct bodies *bodies, const char *use);

/* Keeps `count` bodies, taken evenly from each component in proportion to its size (largest
 * remainder; every component keeps at least one where count allows), with every component's total
 * mass kept by scaling the masses of those that stay. STATUS_USAGE when there are fewer than count.
 */
enum status bodies_thin(struct bodies *bodies, size_t count);

/* Multiplies positions, velocities and masses. */
void bodies_scale(struct bodies *bodies, double position, double velocity, double mass);

/* Moves the centre of mass to the origin at rest. Bodies without mass: nothing happens. */
void bodies_centre(struct bodies *bodies);

/* A model: how bodies come to be. One const entry a file, listed in bodies_models
 * (NULL-terminated). */
struct bodies_model {
    const char *name, *doc;
    enum status (*make)(const struct bodies_params *params, struct bodies **out);
};
extern const struct bodies_model *const bodies_models[];

/* Reads the 7-column collision table (mass x y z vx vy vz), plain or gzip, white-space separated;
 * an 8th column is the index of the galaxy and makes one component a galaxy (bodies are then sorted
 * by it, order kept within). Blank lines and lines that start with # are passed over. */
enum status bodies_read_table(const struct bodies_params *params, struct bodies **out);

#endif
