#include "cmd/regression/baseline/states.h"

#include "base/memory.h"
#include "cmd/regression/baseline/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* States of format 1 have no columns, but the sizes of the accelerations after the velocities. */
static const char first_magic[20] = "gravreel state 1\n", magic[20] = "gravreel state 2\n";
enum { BODIES_MOST = 1 << 26, NAME = 32 /* bytes of a column's name */ };

static enum status no_memory(size_t count)
{
    return status_fail(STATUS_RUNTIME, "no memory left to keep a state of %zu bodies", count);
}

static void chain(struct state *state)
{
    for (int s = 0; s < state->simulations; s++)
        state->view[s].next = s + 1 < state->simulations ? &state->view[s + 1] : NULL;
}

/* Allocates the floats of a view, aligned as renderers need them, and its energies. */
static enum status view_make(struct view *view, size_t count, size_t energies)
{
    view->memory = VIEW_HOST;
    view->device = -1;
    view->count = count;
    view->energy_count = energies;
    const size_t bytes = (count * sizeof(float[4]) + 63) / 64 * 64 + 64;
    view->position = aligned_alloc(64, bytes);
    view->velocity = aligned_alloc(64, bytes);
    view->energy = energies ? memory_new(energies, sizeof *view->energy) : NULL;
    return view->position && view->velocity ? STATUS_OK : no_memory(count);
}

static enum status add_column(struct view *view, const char *name)
{
    float *value = malloc((view->count + 1) * sizeof *value);
    view->columns[view->column_count++] =
        (struct view_column){.name = memory_text(name), .memory = VIEW_HOST, .value = value};
    return value ? STATUS_OK : no_memory(view->count);
}

static enum status doubles_make(struct state *state, size_t count)
{
    state->position = malloc((count + 1) * sizeof *state->position);
    state->velocity = malloc((count + 1) * sizeof *state->velocity);
    state->mass = malloc((count + 1) * sizeof *state->mass);
    return state->position && state->velocity && state->mass ? STATUS_OK : no_memory(count);
}

/* ---- taking ---- */

static enum status copy_floats(struct view *out, const struct view *from,
                               struct simulation *simulation)
{
    const size_t count = from->count;
    enum status status =
        simulation_view_read(simulation, from->memory, from->position, 4 * count, out->position);
    if (status == STATUS_OK)
        status = simulation_view_read(simulation, from->memory, from->velocity, 4 * count,
                                      out->velocity);
    for (int k = 0; k < from->column_count && status == STATUS_OK; k++) {
        const struct view_column *column = &from->columns[k];
        status = add_column(out, column->name);
        if (status == STATUS_OK)
            status = simulation_view_read(simulation, column->memory, column->value, count,
                                          out->columns[k].value);
    }
    return status;
}

static enum status take_view(struct view *out, struct simulation *simulation)
{
    struct view *present = NULL;
    enum status status = simulation_view_create(simulation, &present);
    if (status == STATUS_OK)
        status = simulation_view_fill(simulation, present);
    if (status == STATUS_OK)
        status = view_make(out, present->count, present->energy_count);
    if (status == STATUS_OK) {
        out->time = present->time;
        out->interval = present->interval;
        out->step = present->step;
        out->frame = present->frame;
        if (out->energy)
            memcpy((void *)out->energy, present->energy,
                   present->energy_count * sizeof *present->energy);
        status = copy_floats(out, present, simulation);
    }
    simulation_view_destroy(simulation, &present);
    return status;
}

static enum status take_doubles(struct state *state, struct simulation *simulation)
{
    const size_t count = state->view[0].count;
    const struct bodies *bodies;
    enum status status = doubles_make(state, count);
    if (status == STATUS_OK)
        status = simulation_bodies(simulation, &bodies);
    if (status != STATUS_OK)
        return status;
    memcpy(state->position, bodies->position, count * sizeof *state->position);
    memcpy(state->velocity, bodies->velocity, count * sizeof *state->velocity);
    memcpy(state->mass, bodies->mass, count * sizeof *state->mass);
    return STATUS_OK;
}

enum status state_take(struct state *out, struct simulation *const *simulations, int count,
                       bool exact)
{
    *out = (struct state){.frame = simulation_frame(simulations[0])};
    enum status status = STATUS_OK;
    for (int s = 0; s < count && s < PANELS_MAX && status == STATUS_OK; s++) {
        out->simulations++;
        status = take_view(&out->view[s], simulations[s]);
    }
    chain(out);
    return status == STATUS_OK && exact ? take_doubles(out, simulations[0]) : status;
}

void state_free(struct state *state)
{
    for (int s = 0; s < state->simulations; s++) {
        free(state->view[s].position);
        free(state->view[s].velocity);
        free((void *)state->view[s].energy);
        for (int k = 0; k < state->view[s].column_count; k++) {
            free((void *)state->view[s].columns[k].name);
            free(state->view[s].columns[k].value);
        }
    }
    free(state->position);
    free(state->velocity);
    free(state->mass);
    *state = (struct state){0};
}

/* ---- as bytes ---- */

/* What is stored of the first simulation. */
enum detail { FLOATS, DOUBLES, DOUBLES_AND_MASSES, DETAILS };

static enum detail detail_of(const struct state *state)
{
    return state->mass ? DOUBLES_AND_MASSES : state->position ? DOUBLES : FLOATS;
}

static bool follows(const struct state *state, int s)
{
    return s == 0 && state->position;
}

/* Writes component c of all rows of four floats: a column compresses better than rows. */
static void put_column(struct pack *pack, const float *rows, size_t count, size_t c)
{
    float *column = memory_new(count, sizeof *column);
    for (size_t i = 0; i < count; i++)
        column[i] = rows[4 * i + c];
    pack_put_block(pack, column, count, sizeof *column);
    free(column);
}

static void get_column(struct pack *pack, float *rows, size_t count, size_t c)
{
    float *column = memory_new(count, sizeof *column);
    pack_get_block(pack, column, count, sizeof *column);
    for (size_t i = 0; i < count; i++)
        rows[4 * i + c] = column[i];
    free(column);
}

static void put_view(struct pack *pack, const struct view *view, bool floats)
{
    pack_put_count(pack, view->count);
    pack_put_number(pack, view->time);
    pack_put_number(pack, view->interval);
    pack_put_count(pack, view->step);
    pack_put_count(pack, view->energy_count);
    if (view->energy_count)
        pack_put_block(pack, view->energy, 3 * view->energy_count, sizeof(double));
    for (size_t c = 0; c < 3 && floats; c++) {
        put_column(pack, view->position, view->count, c);
        put_column(pack, view->velocity, view->count, c);
    }
    put_column(pack, view->position, view->count, 3);
    pack_put_count(pack, (uint64_t)view->column_count);
    for (int k = 0; k < view->column_count; k++) {
        char name[NAME] = "";
        snprintf(name, sizeof name, "%s", view->columns[k].name);
        pack_put(pack, name, sizeof name);
        pack_put_block(pack, view->columns[k].value, view->count, sizeof(float));
    }
}

enum status state_pack(const struct state *state, void **data, size_t *size)
{
    struct pack pack = {0};
    pack_put(&pack, magic, sizeof magic);
    pack_put_count(&pack, state->frame);
    for (int k = 0; k < RENDERER_STATE; k++)
        pack_put_number(&pack, state->renderer[k]);
    pack_put_count(&pack, (uint64_t)state->simulations);
    pack_put_count(&pack, (uint64_t)detail_of(state));
    for (int s = 0; s < state->simulations; s++)
        put_view(&pack, &state->view[s], !follows(state, s));
    if (state->position) {
        pack_put_block(&pack, state->position, 3 * state->view[0].count, sizeof(double));
        pack_put_block(&pack, state->velocity, 3 * state->view[0].count, sizeof(double));
    }
    if (state->mass)
        pack_put_block(&pack, state->mass, state->view[0].count, sizeof(double));
    *data = pack.data;
    *size = pack.size;
    return STATUS_OK;
}

static enum status get_columns(struct pack *pack, struct view *view, bool first)
{
    const uint64_t columns = first ? 1 : pack_get_count(pack);
    enum status status = STATUS_OK;
    if (columns > VIEW_COLUMNS_MAX)
        pack->broken = true;
    for (uint64_t k = 0; k < columns && status == STATUS_OK && !pack->broken; k++) {
        char name[NAME + 1] = COLUMN_ACCELERATION;
        if (!first)
            pack_get(pack, name, NAME);
        status = add_column(view, name);
        if (status == STATUS_OK)
            pack_get_block(pack, view->columns[k].value, view->count, sizeof(float));
    }
    return status;
}

static enum status get_view(struct pack *pack, struct state *state, int s, bool floats, bool first)
{
    struct view *view = &state->view[s];
    const uint64_t count = pack_get_count(pack);
    view->time = pack_get_number(pack);
    view->interval = pack_get_number(pack);
    view->step = pack_get_count(pack);
    view->frame = state->frame;
    const uint64_t energies = pack_get_count(pack);
    /* Deflate expands one byte to at most 1032, so that a short file cannot claim much memory. */
    if (pack->broken || count > BODIES_MOST || energies > ENERGY_POINTS_MAX ||
        count > 1032 * (uint64_t)pack->size) {
        pack->broken = true;
        return STATUS_OK;
    }
    enum status status = view_make(view, count, energies);
    if (status != STATUS_OK)
        return status;
    if (energies)
        pack_get_block(pack, (void *)view->energy, 3 * energies, sizeof(double));
    for (size_t c = 0; c < 3 && floats; c++) {
        get_column(pack, view->position, count, c);
        get_column(pack, view->velocity, count, c);
    }
    get_column(pack, view->position, count, 3);
    for (size_t i = 0; i < count; i++)
        view->velocity[4 * i + 3] = 0;
    return get_columns(pack, view, first);
}

static enum status get_doubles(struct pack *pack, struct state *state, enum detail detail)
{
    struct view *view = &state->view[0];
    enum status status = doubles_make(state, view->count);
    if (status != STATUS_OK)
        return status;
    pack_get_block(pack, state->position, 3 * view->count, sizeof(double));
    pack_get_block(pack, state->velocity, 3 * view->count, sizeof(double));
    if (detail == DOUBLES_AND_MASSES) {
        pack_get_block(pack, state->mass, view->count, sizeof(double));
    } else {
        free(state->mass);
        state->mass = NULL;
    }
    for (size_t i = 0; i < view->count; i++)
        for (size_t c = 0; c < 3; c++) {
            view->position[4 * i + c] = (float)state->position[i][c];
            view->velocity[4 * i + c] = (float)state->velocity[i][c];
        }
    return STATUS_OK;
}

enum status state_unpack(const void *data, size_t size, struct state *out)
{
    struct pack pack = {.data = (uint8_t *)data, .size = size};
    char begins[sizeof magic];
    *out = (struct state){0};
    pack_get(&pack, begins, sizeof begins);
    out->frame = pack_get_count(&pack);
    for (int k = 0; k < RENDERER_STATE; k++)
        out->renderer[k] = pack_get_number(&pack);
    const uint64_t simulations = pack_get_count(&pack), detail = pack_get_count(&pack);
    const bool first = memcmp(begins, first_magic, sizeof begins) == 0;
    if (pack.broken || (!first && memcmp(begins, magic, sizeof magic) != 0) || simulations < 1 ||
        simulations > PANELS_MAX || detail >= DETAILS)
        return status_fail(STATUS_IO, "an object of the baseline is not a state");
    enum status status = STATUS_OK;
    for (int s = 0; s < (int)simulations && status == STATUS_OK && !pack.broken; s++) {
        out->simulations++;
        status = get_view(&pack, out, s, !(detail && s == 0), first);
    }
    if (status == STATUS_OK && detail && !pack.broken)
        status = get_doubles(&pack, out, (enum detail)detail);
    chain(out);
    if (status == STATUS_OK && !pack_is_read(&pack))
        status = status_fail(STATUS_IO, "an object of the baseline is not a whole state");
    return status;
}
