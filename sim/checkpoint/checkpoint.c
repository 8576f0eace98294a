#include "sim/checkpoint/checkpoint.h"

#include "base/file.h"
#include "base/memory.h"
#include "sim/checkpoint/seal.h"
#include "sim/checkpoint/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)CHECKPOINT_TEXT_MAX == (int)STORE_TEXT_MAX, "one size of texts");

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

static enum status not_put(const char *path)
{
    return status_fail(STATUS_RUNTIME, "the checkpoint '%s' does not fit in memory", path);
}

static bool put_table(struct store *store, const char *group, const char *name, size_t rows,
                      size_t columns, const double *values)
{
    char path[TABLE_PATH_MAX];
    path_of(path, group, name);
    return store_put_table(store, path, rows, columns, values);
}

static bool put_state(struct store *store, const char *group, const struct simulation *simulation,
                      const struct simulation_state *state)
{
    const struct energy_history *energy = simulation_energy_history(simulation);
    const size_t n = state->count;
    return store_put_group(store, group) && store_put_count(store, group, "step", state->step) &&
           store_put_count(store, group, "tick", state->tick) &&
           store_put_count(store, group, "turn", state->turn) &&
           store_put_number(store, group, "time", simulation_time(simulation)) &&
           put_table(store, group, "mass", n, 0, state->mass) &&
           put_table(store, group, "position", n, 3, state->position[0]) &&
           put_table(store, group, "velocity", n, 3, state->velocity[0]) &&
           put_table(store, group, "acceleration", n, 3, state->acceleration[0]) &&
           (!energy ||
            put_table(store, group, "energy", energy->count, 3, &energy->points[0].time));
}

static enum status put_simulation(struct store *store, const char *path,
                                  struct simulation *simulation, size_t index)
{
    struct simulation_state state;
    char group[GROUP_MAX];
    simulation_group(group, index);
    enum status status = simulation_state_create(simulation_solver(simulation)->count, &state);
    if (status == STATUS_OK)
        status = simulation_get_state(simulation, &state);
    if (status == STATUS_OK && !put_state(store, group, simulation, &state))
        status = not_put(path);
    simulation_state_free(&state);
    return status;
}

static bool put_head(struct store *store, const struct simulation *simulation, size_t count,
                     const char *scene)
{
    return store_put_text(store, "/", "program", GRAVREEL_VERSION) &&
           store_put_text(store, "/", "scene", scene) &&
           store_put_count(store, "/", "frame", simulation_frame(simulation)) &&
           store_put_count(store, "/", "bodies", simulation_solver(simulation)->count) &&
           store_put_count(store, "/", "simulations", count);
}

static bool put_arrays(struct store *store, const struct checkpoint_arrays *arrays)
{
    bool good = store_put_group(store, "extra");
    for (size_t a = 0; good && arrays && a < arrays->count; a++) {
        const struct checkpoint_array *array = &arrays->array[a];
        good = put_table(store, "extra", array->name, array->rows, array->columns, array->values);
    }
    return good;
}

static size_t image_bytes(struct simulation *const *simulations, size_t count)
{
    size_t numbers = 0;
    for (size_t s = 0; s < count; s++)
        numbers += 10 * simulation_solver(simulations[s])->count;
    return numbers * sizeof(double) + SPARE_BYTES;
}

static enum status check_arrays(const char *path, const struct checkpoint_arrays *arrays)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (arrays->count > CHECKPOINT_ARRAYS_MAX)
        return status_fail(STATUS_USAGE, "'%s' would hold %zu arrays, but at most %d fit", path,
                           arrays->count, CHECKPOINT_ARRAYS_MAX);
    for (size_t a = 0; a < arrays->count; a++) {
        const struct checkpoint_array *array = &arrays->array[a];
        size_t length = strnlen(array->name, sizeof array->name);
        if (length == 0 || length == sizeof array->name || strspn(array->name, letters) != length)
            return status_fail(STATUS_USAGE,
                               "'%s' would hold an array called '%.*s'; a name has 1 to %d "
                               "letters, digits, _ and -",
                               path, (int)length, array->name, CHECKPOINT_NAME_MAX - 1);
        for (size_t b = 0; b < a; b++)
            if (strcmp(array->name, arrays->array[b].name) == 0)
                return status_fail(STATUS_USAGE, "'%s' would hold two arrays called '%s'", path,
                                   array->name);
        if (array->columns == 0 || array->rows > CHECKPOINT_VALUES_MAX / array->columns)
            return status_fail(
                STATUS_USAGE, "'%s' would hold the array %s of %zu x %zu numbers; at most %d fit",
                path, array->name, array->rows, array->columns, CHECKPOINT_VALUES_MAX);
    }
    return STATUS_OK;
}

enum status checkpoint_write(const char *path, struct simulation *const *simulations, size_t count,
                             const char *scene, const struct checkpoint_arrays *arrays)
{
    char *image;
    size_t size;
    for (size_t s = 1; s < count; s++)
        if (simulation_frame(simulations[s]) != simulation_frame(simulations[0]))
            return status_fail(STATUS_RUNTIME, "the simulations of '%s' are at different frames",
                               path);
    enum status status = arrays ? check_arrays(path, arrays) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct store *store = store_create(SEAL_BYTES, image_bytes(simulations, count));
    if (!store || !put_head(store, simulations[0], count, scene) || !put_arrays(store, arrays))
        status = not_put(path);
    for (size_t s = 0; status == STATUS_OK && s < count; s++)
        status = put_simulation(store, path, simulations[s], s);
    if (status == STATUS_OK && !store_image(store, &image, &size))
        status = not_put(path);
    if (status == STATUS_OK) {
        seal_set(image, size, CHECKPOINT_FORMAT);
        status = file_write(path, image, size);
    }
    store_close(&store);
    return status;
}

/* ---- reading ---- */

static enum status lacks(const char *path, const char *what)
{
    return status_fail(STATUS_IO, "the checkpoint '%s' is undamaged but lacks its %s", path, what);
}

static bool get_table(struct store *store, const char *group, const char *name, size_t rows,
                      size_t columns, double *out)
{
    char path[TABLE_PATH_MAX];
    path_of(path, group, name);
    return store_get_table(store, path, rows, columns, out);
}

static bool get_info(struct store *store, struct checkpoint_info *info)
{
    return store_get_text(store, "/", "program", info->program) &&
           store_get_text(store, "/", "scene", info->scene) &&
           store_get_count(store, "/", "frame", &info->frame) &&
           store_get_count(store, "/", "bodies", &info->count) &&
           store_get_count(store, "/", "simulations", &info->simulations) &&
           store_get_count(store, "simulation_1", "step", &info->step) &&
           store_get_number(store, "simulation_1", "time", &info->time);
}

/* Only what its checksum has proved undamaged is given to HDF5. */
static enum status open_checked(const char *path, struct store **store,
                                struct checkpoint_info *info)
{
    *store = NULL;
    *info = (struct checkpoint_info){0};
    enum status status = seal_check(path, CHECKPOINT_FORMAT);
    if (status != STATUS_OK)
        return status;
    *store = store_open(path);
    return *store && get_info(*store, info) ? STATUS_OK : lacks(path, "head");
}

enum status checkpoint_inspect(const char *path, struct checkpoint_info *info)
{
    struct store *store;
    enum status status = open_checked(path, &store, info);
    store_close(&store);
    return status;
}

static enum status check_info(const char *path, const struct checkpoint_info *info,
                              struct simulation *const *simulations, size_t count,
                              const char *scene)
{
    size_t bodies = simulation_solver(simulations[0])->count;
    if (info->count != bodies)
        return status_fail(STATUS_USAGE,
                           "the checkpoint '%s' has %llu bodies, and this film has %zu", path,
                           (unsigned long long)info->count, bodies);
    if (strcmp(info->scene, scene) != 0)
        return status_fail(STATUS_USAGE,
                           "the checkpoint '%s' belongs to another scene (hash %s, expected %s); "
                           "give the scene that it was made with",
                           path, info->scene, scene);
    if (info->simulations != count)
        return status_fail(STATUS_USAGE,
                           "the checkpoint '%s' has %llu simulations, and this film has %zu", path,
                           (unsigned long long)info->simulations, count);
    return STATUS_OK;
}

static enum status get_array(struct store *store, const char *path, const char *group,
                             const char *name, struct checkpoint_array *out)
{
    char table[TABLE_PATH_MAX];
    snprintf(out->name, sizeof out->name, "%s", name);
    path_of(table, group, name);
    if (!store_table_size(store, table, &out->rows, &out->columns) || out->columns == 0 ||
        out->rows > CHECKPOINT_VALUES_MAX / out->columns)
        return lacks(path, name);
    out->values = memory_new(out->rows * out->columns, sizeof *out->values);
    return store_get_table(store, table, out->rows, out->columns, out->values) ? STATUS_OK
                                                                               : lacks(path, name);
}

static enum status get_arrays(struct store *store, const char *path, struct checkpoint_arrays *out)
{
    char name[CHECKPOINT_NAME_MAX];
    size_t count = 0;
    if (!store_group_size(store, "extra", &count) || count > CHECKPOINT_ARRAYS_MAX)
        return lacks(path, "arrays");
    out->array = memory_new(count, sizeof *out->array);
    enum status status = STATUS_OK;
    for (size_t a = 0; status == STATUS_OK && a < count; a++) {
        out->count++;
        status = store_group_name(store, "extra", a, name, sizeof name)
                     ? get_array(store, path, "extra", name, &out->array[a])
                     : lacks(path, "arrays");
    }
    return status;
}

void checkpoint_arrays_free(struct checkpoint_arrays *arrays)
{
    for (size_t a = 0; a < arrays->count; a++)
        free(arrays->array[a].values);
    free(arrays->array);
    *arrays = (struct checkpoint_arrays){0};
}

static bool get_state(struct store *store, const char *group, struct simulation_state *state,
                      double *time)
{
    const size_t n = state->count;
    return store_get_count(store, group, "step", &state->step) &&
           store_get_count(store, group, "tick", &state->tick) &&
           store_get_count(store, group, "turn", &state->turn) &&
           store_get_number(store, group, "time", time) &&
           get_table(store, group, "mass", n, 0, state->mass) &&
           get_table(store, group, "position", n, 3, state->position[0]) &&
           get_table(store, group, "velocity", n, 3, state->velocity[0]) &&
           get_table(store, group, "acceleration", n, 3, state->acceleration[0]);
}

static enum status get_energy(struct store *store, const char *path, const char *group,
                              struct simulation *simulation)
{
    struct checkpoint_array energy = {0};
    enum status status = get_array(store, path, group, "energy", &energy);
    if (status == STATUS_OK && energy.columns != 3)
        status = lacks(path, "energies");
    if (status == STATUS_OK) {
        struct energy_point *points = memory_new(energy.rows, sizeof *points);
        for (size_t p = 0; p < energy.rows; p++) {
            const double *row = energy.values + 3 * p;
            points[p] = (struct energy_point){row[0], row[1], row[2]};
        }
        status = simulation_restore_energy(simulation, points, energy.rows);
        free(points);
    }
    free(energy.values);
    return status;
}

static enum status get_simulation(struct store *store, const char *path, uint64_t frame,
                                  struct simulation *simulation, size_t index)
{
    struct simulation_state state;
    char group[GROUP_MAX];
    double time = 0;
    simulation_group(group, index);
    enum status status = simulation_state_create(simulation_solver(simulation)->count, &state);
    if (status == STATUS_OK && !get_state(store, group, &state, &time))
        status = lacks(path, "state");
    state.frame = frame;
    if (status == STATUS_OK)
        status = simulation_set_state(simulation, &state);
    simulation_state_free(&state);
    if (status == STATUS_OK && memcmp(&time, &(double){simulation_time(simulation)}, sizeof time))
        status = status_fail(STATUS_USAGE,
                             "frame %llu of '%s' is at time %.15g, and this film's at %.15g",
                             (unsigned long long)frame, path, time, simulation_time(simulation));
    if (status == STATUS_OK && simulation_energy_history(simulation))
        status = get_energy(store, path, group, simulation);
    return status;
}

enum status checkpoint_read(const char *path, struct simulation *const *simulations, size_t count,
                            const char *scene, struct checkpoint_arrays *arrays)
{
    struct checkpoint_info info;
    struct checkpoint_arrays found = {0};
    struct store *store;
    enum status status = open_checked(path, &store, &info);
    if (status == STATUS_OK)
        status = check_info(path, &info, simulations, count, scene);
    if (status == STATUS_OK)
        status = get_arrays(store, path, &found);
    for (size_t s = 0; status == STATUS_OK && s < count; s++)
        status = get_simulation(store, path, info.frame, simulations[s], s);
    store_close(&store);
    if (status != STATUS_OK || !arrays)
        checkpoint_arrays_free(&found);
    if (arrays)
        *arrays = found;
    return status;
}
