#include "sim/checkpoint/checkpoint.h"

#include "base/ranks/ranks.h"
#include "base/file.h"
#include "base/memory.h"
#include "sim/checkpoint/seal.h"
#include "sim/hdf5/store.h"
#include "sim/state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_MAX = 32, TABLE_PATH_MAX = 96 };
static const size_t SPARE_BYTES = (size_t)1 << 20;

static void path_of(char out[TABLE_PATH_MAX], const char *group, const char *name)
{
    snprintf(out, TABLE_PATH_MAX, "%s/%s", group, name);
}

static void simulation_group(char out[GROUP_MAX], size_t simulation)
{
    snprintf(out, GROUP_MAX, "simulation_%zu", simulation + 1);
}

/* ---- writing ---- */

static bool put_table(struct store *store, const char *group, const char *name, size_t rows,
                      size_t columns, const double *values)
{
    char path[TABLE_PATH_MAX];
    path_of(path, group, name);
    return store_put_table(store, path, rows, columns, values);
}

/* The saved state of one simulation. */
struct taken {
    struct simulation_state state;
    double time;
    uint64_t energy_every; /* frames from one point to the next; 0: no energy is recorded */
    struct energy_point energy[ENERGY_POINTS_MAX];
    size_t energy_count;
    struct view_trail *trail;  /* NULL: the simulation keeps none */
    struct simulation *shared; /* NULL: the state has the bodies */
};

struct checkpoint {
    uint64_t frame;
    size_t bodies, count;
    struct taken simulations[]; /* [count] */
};

static enum status take(struct simulation *simulation, struct taken *out)
{
    const struct energy_history *energy = simulation_energy_history(simulation);
    const size_t bodies = simulation_saved(simulation);
    enum status status = STATUS_OK;
    out->shared = simulation_state_is_shared(simulation) ? simulation : NULL;
    if (out->shared)
        out->state = (struct simulation_state){.count = bodies};
    else
        status = simulation_state_create(bodies, &out->state);
    if (status == STATUS_OK)
        status = simulation_get_state(simulation, &out->state);
    if (status != STATUS_OK)
        return status;
    out->time = simulation_time(simulation);
    out->energy_every = energy ? energy->every : 0;
    out->energy_count = energy ? energy->count : 0;
    for (size_t k = 0; k < out->energy_count; k++)
        out->energy[k] = energy->points[k];
    return simulation_trail(simulation) ? simulation_save_trail(simulation, &out->trail)
                                        : STATUS_OK;
}

enum status checkpoint_take(struct simulation *const *simulations, size_t count,
                            struct checkpoint **out)
{
    *out = NULL;
    for (size_t s = 1; s < count; s++)
        if (simulation_frame(simulations[s]) != simulation_frame(simulations[0]))
            return status_fail(STATUS_RUNTIME,
                               "cannot store simulations at different frames in one checkpoint");
    struct checkpoint *checkpoint =
        memory_new(1, sizeof *checkpoint + count * sizeof(struct taken));
    checkpoint->frame = simulation_frame(simulations[0]);
    checkpoint->bodies = simulation_saved(simulations[0]);
    checkpoint->count = count;
    enum status status = STATUS_OK;
    for (size_t s = 0; status == STATUS_OK && s < count; s++)
        status = take(simulations[s], checkpoint->simulations + s);
    if (status != STATUS_OK)
        checkpoint_free(&checkpoint);
    *out = checkpoint;
    return status;
}

void checkpoint_free(struct checkpoint **checkpoint)
{
    for (size_t s = 0; *checkpoint && s < (*checkpoint)->count; s++) {
        simulation_state_free(&(*checkpoint)->simulations[s].state);
        trail_destroy(&(*checkpoint)->simulations[s].trail);
    }
    free(*checkpoint);
    *checkpoint = NULL;
}

static bool put_integrator(struct store *store, const char *group,
                           const struct integrator_state *state)
{
    double *numbers = malloc((state->size + 1) * sizeof *numbers);
    for (size_t i = 0; numbers && i < state->size; i++)
        numbers[i] = state->bytes[i];
    bool put = numbers && put_table(store, group, "integrator", state->size, 0, numbers);
    free(numbers);
    return put;
}

enum { TRAIL_COLUMNS = 8 };

static bool put_trail(struct store *store, const char *group, const struct view_trail *trail)
{
    const size_t rows = trail->frames * trail->bodies;
    double(*numbers)[TRAIL_COLUMNS] = malloc((rows + 1) * sizeof *numbers);
    for (size_t i = 0; numbers && i < rows; i++)
        for (int c = 0; c < TRAIL_COLUMNS; c++)
            numbers[i][c] = (double)trail->rows[i][c];
    bool put = numbers && put_table(store, group, "trail_time", trail->frames, 0, trail->time) &&
               put_table(store, group, "trail", rows, TRAIL_COLUMNS, numbers[0]);
    free(numbers);
    return put;
}

static const char *const row_names[ROWS] = {"mass", "position", "velocity", "acceleration"};

static size_t columns_of(enum simulation_rows kind)
{
    return kind == ROWS_MASS ? 0 : simulation_row_width(kind);
}

/* A table that is filled with what ranks send. */
struct filling {
    struct store *store;
    char path[TABLE_PATH_MAX];
    size_t rows;
};

static enum status fill(void *user, const double *rows, size_t count)
{
    struct filling *filling = user;
    const size_t first = filling->rows;
    filling->rows += count;
    return store_fill_table(filling->store, filling->path, first, count, rows)
               ? STATUS_OK
               : status_fail(STATUS_IO, "cannot write the table '%s' of a checkpoint",
                             filling->path);
}

/* *status: of the ranks. */
static bool put_bodies(struct store *store, const char *group, const struct taken *taken,
                       enum status *status)
{
    const size_t n = taken->state.count;
    bool good = true;
    for (unsigned k = 0; k < ROWS && good; k++) {
        const enum simulation_rows kind = (enum simulation_rows)k;
        struct filling filling = {.store = store};
        if (!taken->shared) {
            good = put_table(store, group, row_names[k], n, columns_of(kind),
                             simulation_state_rows(&taken->state, kind));
            continue;
        }
        path_of(filling.path, group, row_names[k]);
        good = store_make_table(store, filling.path, n, columns_of(kind), STORE_DOUBLES);
        if (good)
            *status = simulation_pass(taken->shared, kind, fill, &filling);
        good = good && *status == STATUS_OK;
    }
    return good;
}

static bool put_simulation(struct store *store, const struct taken *taken, size_t index,
                           enum status *status)
{
    char group[GROUP_MAX];
    simulation_group(group, index);
    const struct simulation_state *state = &taken->state;
    return store_put_group(store, group) && store_put_count(store, group, "step", state->step) &&
           store_put_count(store, group, "turn", state->turn) &&
           store_put_number(store, group, "time", taken->time) &&
           put_bodies(store, group, taken, status) &&
           put_integrator(store, group, &state->integrator) &&
           (!taken->energy_every ||
            (store_put_count(store, group, "energy_every", taken->energy_every) &&
             put_table(store, group, "energy", taken->energy_count, 3, &taken->energy[0].time))) &&
           (!taken->trail || put_trail(store, group, taken->trail));
}

static bool put_head(struct store *store, const struct checkpoint *checkpoint, const char *motion,
                     const char *plan)
{
    return store_put_text(store, "/", "program", GRAVREEL_VERSION) &&
           store_put_text(store, "/", "motion", motion) &&
           store_put_count(store, "/", "frame", checkpoint->frame) &&
           store_put_count(store, "/", "bodies", checkpoint->bodies) &&
           store_put_count(store, "/", "simulations", checkpoint->count) &&
           store_put_bytes(store, "plan", strlen(plan), plan);
}

static size_t image_bytes(const struct checkpoint *checkpoint)
{
    size_t numbers = 0;
    for (size_t s = 0; s < checkpoint->count; s++) {
        const struct view_trail *trail = checkpoint->simulations[s].trail;
        const size_t traced = trail ? TRAIL_COLUMNS * trail->frames * trail->bodies : 0;
        numbers += 11 * checkpoint->simulations[s].state.count + traced;
    }
    return numbers * sizeof(double) + SPARE_BYTES;
}

/* *status: of the ranks. */
static bool put_all(struct store *store, const struct checkpoint *checkpoint, const char *motion,
                    const char *plan, enum status *status)
{
    bool good = put_head(store, checkpoint, motion, plan);
    for (size_t s = 0; good && s < checkpoint->count; s++)
        good = put_simulation(store, checkpoint->simulations + s, s, status);
    return good;
}

/* The user of put_in_file. */
struct writing {
    const struct checkpoint *checkpoint;
    const char *path, *motion, *plan;
};

static enum status put_in_file(void *user, int descriptor)
{
    const struct writing *writing = user;
    enum status status = STATUS_OK;
    struct store *store = store_create_on(descriptor, SEAL_BYTES);
    errno = 0;
    bool good =
        store && put_all(store, writing->checkpoint, writing->motion, writing->plan, &status);
    good = good && store_finish(store);
    if (!good && status == STATUS_OK)
        status = status_fail(STATUS_IO, "cannot write the checkpoint '%s': %s", writing->path,
                             strerror(errno ? errno : EIO));
    store_close(&store);
    return status == STATUS_OK ? seal_file(descriptor, writing->path, CHECKPOINT_FORMAT) : status;
}

static enum status store_from_memory(const struct checkpoint *checkpoint, const char *path,
                                     const char *motion, const char *plan, bool shared)
{
    char *image;
    size_t size;
    enum status status = STATUS_OK;
    struct store *store = store_create(SEAL_BYTES, image_bytes(checkpoint) + strlen(plan));
    const bool good = store && put_all(store, checkpoint, motion, plan, &status) &&
                      store_image(store, &image, &size);
    if (good) {
        seal_set(image, size, CHECKPOINT_FORMAT);
        status = (shared ? file_write_shared : file_write)(path, image, size);
    } else {
        status = status_fail(STATUS_RUNTIME, "the checkpoint '%s' does not fit in memory", path);
    }
    store_close(&store);
    return status;
}

/* The other ranks send their pieces while rank 0 writes. */
static enum status pass_bodies(const struct checkpoint *checkpoint)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < checkpoint->count; s++)
        for (unsigned k = 0; k < ROWS && status == STATUS_OK; k++)
            status = simulation_pass(checkpoint->simulations[s].shared, (enum simulation_rows)k,
                                     NULL, NULL);
    return status;
}

enum status checkpoint_store(const struct checkpoint *checkpoint, const char *path,
                             const char *motion, const char *plan, bool shared)
{
    struct writing writing = {checkpoint, path, motion, plan};
    if (!checkpoint->simulations[0].shared)
        return store_from_memory(checkpoint, path, motion, plan, shared);
    return ranks_scope(ranks_own() == 0 ? file_write_by(path, shared, put_in_file, &writing)
                                        : pass_bodies(checkpoint));
}

/* ---- reading ---- */

static enum status lacks(const char *path, const char *what)
{
    return status_fail(STATUS_IO, "the checkpoint '%s' is undamaged but lacks %s", path, what);
}

static bool get_table(struct store *store, const char *group, const char *name, size_t rows,
                      size_t columns, double *out)
{
    char path[TABLE_PATH_MAX];
    path_of(path, group, name);
    return store_get_table(store, path, rows, columns, out);
}

struct head {
    char program[STORE_TEXT_MAX]; /* version of the program that wrote the file */
    char motion[STORE_TEXT_MAX];  /* the hash */
    uint64_t frame, bodies, simulations;
};

static bool get_head(struct store *store, struct head *head)
{
    return store_get_text(store, "/", "program", head->program) &&
           store_get_text(store, "/", "motion", head->motion) &&
           store_get_count(store, "/", "frame", &head->frame) &&
           store_get_count(store, "/", "bodies", &head->bodies) &&
           store_get_count(store, "/", "simulations", &head->simulations);
}

/* Opens a file only after its checksum shows that it is undamaged, so that HDF5 never sees damaged
 * data. */
static enum status open_checked(const char *path, struct store **store, struct head *head)
{
    *store = NULL;
    enum status status = seal_check(path, CHECKPOINT_FORMAT);
    if (status != STATUS_OK)
        return status;
    *store = store_open(path);
    return *store && get_head(*store, head) ? STATUS_OK : lacks(path, "its head");
}

static enum status check_motion(const char *path, const struct head *head, const char *motion)
{
    return strcmp(head->motion, motion) == 0
               ? STATUS_OK
               : status_fail(
                     STATUS_USAGE,
                     "in the checkpoint '%s' bodies move otherwise than in this scene (hash "
                     "%s, expected %s); give the scene that it was made with, or use "
                     "another folder for this one",
                     path, head->motion, motion);
}

enum status checkpoint_check(const char *path, const char *motion)
{
    struct head head;
    struct store *store;
    enum status status = open_checked(path, &store, &head);
    store_close(&store);
    return status == STATUS_OK ? check_motion(path, &head, motion) : status;
}

static enum status check_head(const char *path, const struct head *head,
                              struct simulation *const *simulations, size_t count,
                              const char *motion)
{
    size_t bodies = simulation_saved(simulations[0]);
    if (head->bodies != bodies)
        return status_fail(STATUS_USAGE,
                           "the checkpoint '%s' has %llu bodies, and this film has %zu", path,
                           (unsigned long long)head->bodies, bodies);
    const enum status status = check_motion(path, head, motion);
    if (status != STATUS_OK)
        return status;
    if (head->simulations != count)
        return status_fail(STATUS_USAGE,
                           "the checkpoint '%s' has %llu simulations, and this film has %zu", path,
                           (unsigned long long)head->simulations, count);
    return STATUS_OK;
}

static bool get_state(struct store *store, const char *group, struct simulation_state *state,
                      double *time)
{
    bool got = store_get_count(store, group, "step", &state->step) &&
               store_get_count(store, group, "turn", &state->turn) &&
               store_get_number(store, group, "time", time);
    for (unsigned k = 0; k < ROWS && got && state->mass; k++)
        got =
            get_table(store, group, row_names[k], state->count, columns_of((enum simulation_rows)k),
                      simulation_state_rows(state, (enum simulation_rows)k));
    return got;
}

/* A file from which bodies go to the ranks that share them. */
struct reading {
    struct store *store;
    const char *path;
    char group[GROUP_MAX];
};

static enum status give_rows(void *user, enum simulation_rows kind, size_t first, size_t count,
                             double *out)
{
    const struct reading *reading = user;
    char path[TABLE_PATH_MAX];
    path_of(path, reading->group, row_names[kind]);
    return store_get_rows(reading->store, path, columns_of(kind), first, count, out)
               ? STATUS_OK
               : lacks(reading->path, "its state");
}

static bool get_integrator(struct store *store, const char *group, struct integrator_state *state)
{
    char table[TABLE_PATH_MAX];
    size_t columns;
    path_of(table, group, "integrator");
    if (!store_table_size(store, table, &state->size, &columns))
        return false;
    double *numbers = malloc((state->size + 1) * sizeof *numbers);
    state->bytes = malloc(state->size + 1);
    bool got = numbers && state->bytes && store_get_table(store, table, state->size, 0, numbers);
    for (size_t i = 0; got && i < state->size; i++) {
        got = numbers[i] >= 0 && numbers[i] <= UINT8_MAX && numbers[i] == rint(numbers[i]);
        state->bytes[i] = got ? (uint8_t)numbers[i] : 0;
    }
    free(numbers);
    return got;
}

/* every: frames from one point to the next in this film. */
static bool get_energy(struct store *store, const char *group, uint64_t every, struct taken *out)
{
    char table[TABLE_PATH_MAX];
    size_t columns;
    path_of(table, group, "energy");
    return store_get_count(store, group, "energy_every", &out->energy_every) &&
           out->energy_every == every &&
           store_table_size(store, table, &out->energy_count, &columns) && columns == 3 &&
           out->energy_count <= ENERGY_POINTS_MAX &&
           store_get_table(store, table, out->energy_count, columns, &out->energy[0].time);
}

static bool get_rows(struct store *store, const char *group, struct view_trail *trail)
{
    const size_t rows = trail->frames * trail->bodies;
    double(*numbers)[TRAIL_COLUMNS] = malloc((rows + 1) * sizeof *numbers);
    bool got = numbers && get_table(store, group, "trail_time", trail->frames, 0, trail->time) &&
               get_table(store, group, "trail", rows, TRAIL_COLUMNS, numbers[0]);
    for (size_t i = 0; got && i < rows; i++)
        for (int c = 0; c < TRAIL_COLUMNS; c++)
            trail->rows[i][c] = (float)numbers[i][c];
    free(numbers);
    return got;
}

/* How many frames a trail has at a frame. */
static size_t traced(const struct view_trail *trail, uint64_t frame)
{
    return frame < trail->room ? (size_t)frame + 1 : trail->room;
}

static enum status get_trail(struct store *store, const char *path, const char *group,
                             uint64_t frame, const struct simulation *simulation, struct taken *out)
{
    char table[TABLE_PATH_MAX];
    size_t columns;
    enum status status = simulation_new_trail(simulation, &out->trail);
    if (status != STATUS_OK)
        return status;
    path_of(table, group, "trail_time");
    return store_table_size(store, table, &out->trail->frames, &columns) &&
                   out->trail->frames == traced(out->trail, frame) &&
                   get_rows(store, group, out->trail)
               ? STATUS_OK
               : lacks(path, "the trails of this film");
}

static enum status get_simulation(struct store *store, const char *path, uint64_t frame,
                                  struct simulation *simulation, size_t index, struct taken *out)
{
    char group[GROUP_MAX];
    simulation_group(group, index);
    const size_t bodies = simulation_saved(simulation);
    enum status status = STATUS_OK;
    if (simulation_state_is_shared(simulation))
        out->state = (struct simulation_state){.count = bodies};
    else
        status = simulation_state_create(bodies, &out->state);
    if (status == STATUS_OK && !get_state(store, group, &out->state, &out->time))
        status = lacks(path, "its state");
    if (status == STATUS_OK && !get_integrator(store, group, &out->state.integrator))
        status = lacks(path, "its integrator's state");
    const struct energy_history *energy = simulation_energy_history(simulation);
    if (status == STATUS_OK && energy && !get_energy(store, group, energy->every, out))
        status = lacks(path, "the energies of this film");
    if (status == STATUS_OK && simulation_trail(simulation))
        status = get_trail(store, path, group, frame, simulation, out);
    out->state.frame = frame;
    return status;
}

/* store: of a simulation whose bodies ranks share. */
static enum status restore(struct store *store, const char *path, struct simulation *simulation,
                           size_t index, struct taken *from)
{
    struct reading reading = {.store = store, .path = path};
    simulation_group(reading.group, index);
    if (simulation_state_is_shared(simulation)) {
        from->state.give = give_rows;
        from->state.giver = &reading;
    }
    enum status status = simulation_set_state(simulation, &from->state);
    if (status != STATUS_OK)
        return status;
    const double time = simulation_time(simulation);
    if (memcmp(&from->time, &time, sizeof time))
        return status_fail(STATUS_USAGE,
                           "frame %llu of '%s' is at time %.15g, and this film's at %.15g",
                           (unsigned long long)from->state.frame, path, from->time, time);
    if (simulation_energy_history(simulation))
        status = simulation_restore_energy(simulation, from->energy, from->energy_count);
    if (status == STATUS_OK && simulation_trail(simulation))
        status = simulation_restore_trail(simulation, from->trail);
    return status;
}

/* The text of the plan, which the caller frees; NULL: it is missing. */
static char *get_plan(struct store *store)
{
    size_t size;
    return store_get_bytes(store, "plan", &size);
}

enum status checkpoint_plan(const char *path, char **plan)
{
    struct head head;
    struct store *store;
    *plan = NULL;
    enum status status = open_checked(path, &store, &head);
    if (status == STATUS_OK && !(*plan = get_plan(store)))
        status = lacks(path, "its plan");
    store_close(&store);
    return status;
}

/* Collective: rank 0's state without its bodies, to all. */
static enum status share_state(const struct simulation *simulation, struct taken *taken)
{
    struct {
        uint64_t count, frame, step, turn, bytes, energy_count, traced;
        double time;
    } head = {taken->state.count,
              taken->state.frame,
              taken->state.step,
              taken->state.turn,
              taken->state.integrator.size,
              taken->energy_count,
              taken->trail ? taken->trail->frames : 0,
              taken->time};
    enum status status = ranks_first(&head, sizeof head);
    if (status != STATUS_OK)
        return status;
    if (ranks_own() > 0) {
        taken->state = (struct simulation_state){.count = head.count,
                                                 .frame = head.frame,
                                                 .step = head.step,
                                                 .turn = head.turn,
                                                 .integrator = {head.bytes, NULL}};
        taken->state.integrator.bytes = memory_new(head.bytes + 1, 1);
        taken->time = head.time;
        taken->energy_count = head.energy_count;
        if (simulation_trail(simulation))
            status = simulation_new_trail(simulation, &taken->trail);
    }
    if (status == STATUS_OK)
        status = ranks_first(taken->state.integrator.bytes, head.bytes);
    if (status == STATUS_OK)
        status = ranks_first(taken->energy, sizeof taken->energy);
    if (status != STATUS_OK || !taken->trail)
        return status;
    taken->trail->frames = head.traced;
    return ranks_first(taken->trail->time, head.traced * sizeof *taken->trail->time);
}

static enum status read_file(const char *path, struct simulation *const *simulations, size_t count,
                             const char *motion, struct store **store, struct checkpoint *found)
{
    struct head head;
    enum status status = open_checked(path, store, &head);
    if (status == STATUS_OK)
        status = check_head(path, &head, simulations, count, motion);
    for (size_t s = 0; status == STATUS_OK && s < count; s++)
        status =
            get_simulation(*store, path, head.frame, simulations[s], s, &found->simulations[s]);
    return status;
}

enum status checkpoint_read(const char *path, struct simulation *const *simulations, size_t count,
                            const char *motion)
{
    const bool together = ranks_are_together();
    struct store *store = NULL;
    struct checkpoint *found = memory_new(1, sizeof *found + count * sizeof(struct taken));
    found->count = count;
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = read_file(path, simulations, count, motion, &store, found);
    status = ranks_end_first(status);
    if (!simulation_state_is_shared(simulations[0]))
        store_close(&store); /* setting a state may open other files: those of snapshots */
    for (size_t s = 0; status == STATUS_OK && s < count; s++) {
        if (together)
            status = share_state(simulations[s], &found->simulations[s]);
        if (status == STATUS_OK)
            status = restore(store, path, simulations[s], s, &found->simulations[s]);
    }
    if (together)
        status = ranks_scope(status);
    store_close(&store);
    checkpoint_free(&found);
    return status;
}
