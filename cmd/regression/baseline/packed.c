#include "cmd/regression/baseline/packed.h"

#include "base/memory.h"
#include "cmd/regression/baseline/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* States of format 1 have no columns, but the sizes of the accelerations after the velocities. */
static const char first_magic[20] = "gravreel state 1\n", state_magic[20] = "gravreel state 2\n",
                  picture_magic[20] = "gravreel picture 1\n";
enum { BODIES_MOST = 1 << 26, NAME = 32 /* bytes of a column's name */ };
enum { SIDE_MOST = 32768, PIXELS_MOST = 1 << 26 };

/* ---- memory of a state ---- */

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

static enum status doubles_make(struct state *state, bool masses)
{
    const size_t count = state->view[0].count;
    state->position = malloc((count + 1) * sizeof *state->position);
    state->velocity = malloc((count + 1) * sizeof *state->velocity);
    state->mass = masses ? malloc((count + 1) * sizeof *state->mass) : NULL;
    return state->position && state->velocity && (state->mass || !masses) ? STATUS_OK
                                                                          : no_memory(count);
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

/* ---- taking a state ---- */

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
    enum status status = doubles_make(state, true);
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

/* ---- a state as bytes; each function writes or reads ---- */

/* The stored data of the first simulation. */
enum detail { FLOATS, DOUBLES, DOUBLES_AND_MASSES, DETAILS };

/* Component c of all rows of four floats: a column compresses better than rows. */
static void code_component(struct pack *pack, float *rows, size_t count, size_t c)
{
    float *column = memory_new(count, sizeof *column);
    for (size_t i = 0; i < count && !pack->reading; i++)
        column[i] = rows[4 * i + c];
    pack_block(pack, column, count, sizeof *column);
    for (size_t i = 0; i < count && pack->reading; i++)
        rows[4 * i + c] = column[i];
    free(column);
}

/* `first`: in format 1, which has one column. */
static enum status code_columns(struct pack *pack, struct view *view, bool first)
{
    uint64_t columns = pack->reading ? 1 : (uint64_t)view->column_count;
    enum status status = STATUS_OK;
    if (!first)
        pack_count(pack, &columns);
    pack->broken = pack->broken || columns > VIEW_COLUMNS_MAX;
    for (uint64_t k = 0; k < columns && status == STATUS_OK && !pack->broken; k++) {
        char name[NAME + 1] = COLUMN_ACCELERATION;
        if (!pack->reading) {
            memset(name, 0, sizeof name);
            snprintf(name, NAME, "%s", view->columns[k].name);
        }
        if (!first)
            pack_bytes(pack, name, NAME);
        if (pack->reading)
            status = add_column(view, name);
        if (status == STATUS_OK)
            pack_block(pack, view->columns[k].value, view->count, sizeof(float));
    }
    return status;
}

/* `follows`: positions and velocities follow as doubles. */
static enum status code_view(struct pack *pack, struct view *view, bool follows, bool first)
{
    uint64_t count = view->count, energies = view->energy_count;
    pack_count(pack, &count);
    pack_number(pack, &view->time);
    pack_number(pack, &view->interval);
    pack_count(pack, &view->step);
    pack_count(pack, &energies);
    /* Deflate expands one byte to at most 1032, so that a short file cannot claim much memory. */
    pack->broken =
        pack->broken || (pack->reading && (count > BODIES_MOST || energies > ENERGY_POINTS_MAX ||
                                           count > 1032 * (uint64_t)pack->size));
    if (pack->broken)
        return STATUS_OK;
    const enum status status = pack->reading ? view_make(view, count, energies) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (energies)
        pack_block(pack, (void *)view->energy, 3 * energies, sizeof(double));
    for (size_t c = 0; c < 3 && !follows; c++) {
        code_component(pack, view->position, count, c);
        code_component(pack, view->velocity, count, c);
    }
    code_component(pack, view->position, count, 3);
    for (size_t i = 0; i < count && pack->reading; i++)
        view->velocity[4 * i + 3] = 0;
    return code_columns(pack, view, first);
}

static enum status code_doubles(struct pack *pack, struct state *state, enum detail detail)
{
    struct view *view = &state->view[0];
    const enum status status =
        pack->reading ? doubles_make(state, detail == DOUBLES_AND_MASSES) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    pack_block(pack, state->position, 3 * view->count, sizeof(double));
    pack_block(pack, state->velocity, 3 * view->count, sizeof(double));
    if (detail == DOUBLES_AND_MASSES)
        pack_block(pack, state->mass, view->count, sizeof(double));
    for (size_t i = 0; i < view->count && pack->reading; i++)
        for (size_t c = 0; c < 3; c++) {
            view->position[4 * i + c] = (float)state->position[i][c];
            view->velocity[4 * i + c] = (float)state->velocity[i][c];
        }
    return STATUS_OK;
}

static enum status code_state(struct pack *pack, struct state *state)
{
    char magic[sizeof state_magic];
    uint64_t simulations = (uint64_t)state->simulations, detail = state->mass ? DOUBLES_AND_MASSES
                                                                  : state->position ? DOUBLES
                                                                                    : FLOATS;
    memcpy(magic, state_magic, sizeof magic);
    pack_bytes(pack, magic, sizeof magic);
    pack_count(pack, &state->frame);
    for (int k = 0; k < RENDERER_STATE; k++)
        pack_number(pack, &state->renderer[k]);
    pack_count(pack, &simulations);
    pack_count(pack, &detail);
    const bool first = memcmp(magic, first_magic, sizeof magic) == 0;
    if (pack->broken || (!first && memcmp(magic, state_magic, sizeof magic) != 0) ||
        simulations < 1 || simulations > PANELS_MAX || detail >= DETAILS)
        return status_fail(STATUS_IO, "an object of the baseline is not a state");
    enum status status = STATUS_OK;
    for (int s = 0; s < (int)simulations && status == STATUS_OK && !pack->broken; s++) {
        state->simulations = pack->reading ? s + 1 : state->simulations;
        state->view[s].frame = state->frame;
        status = code_view(pack, &state->view[s], detail && s == 0, first);
    }
    return status == STATUS_OK && detail && !pack->broken
               ? code_doubles(pack, state, (enum detail)detail)
               : status;
}

void state_pack(const struct state *state, void **data, size_t *size)
{
    struct pack pack = {0};
    struct state copy = *state; /* reading changes a state, writing does not */
    (void)code_state(&pack, &copy);
    *data = pack.data;
    *size = pack.size;
}

enum status state_unpack(const void *data, size_t size, struct state *out)
{
    struct pack pack = {.data = (uint8_t *)data, .size = size, .reading = true};
    *out = (struct state){0};
    enum status status = code_state(&pack, out);
    chain(out);
    if (status == STATUS_OK && !pack_is_read(&pack))
        status = status_fail(STATUS_IO,
                             "a state in the baseline is truncated or followed by extra data");
    return status;
}

/* ---- pictures ---- */

enum status picture_create(struct picture **out, enum picture_format format, uint32_t width,
                           uint32_t height)
{
    struct picture *picture = memory_new(1, sizeof *picture);
    picture_layout(&picture->layout, format, width, height);
    picture->data = calloc(1, picture->layout.size);
    *out = picture;
    if (picture->data)
        return STATUS_OK;
    const size_t bytes = picture->layout.size;
    picture_free(out);
    return status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes", bytes);
}

void picture_free(struct picture **picture)
{
    if (*picture)
        free((*picture)->data);
    free(*picture);
    *picture = NULL;
}

enum status picture_copy(const struct picture *picture, struct picture **out)
{
    const struct picture_layout *layout = &picture->layout;
    enum status status = picture_create(out, layout->format, layout->width, layout->height);
    if (status != STATUS_OK)
        return status;
    for (int p = 0; p < layout->planes; p++)
        for (size_t row = 0; row < layout->plane[p].rows; row++)
            memcpy((*out)->data + (*out)->layout.plane[p].offset +
                       row * (*out)->layout.plane[p].stride,
                   picture->data + layout->plane[p].offset + row * layout->plane[p].stride,
                   layout->plane[p].bytes);
    (*out)->frame = picture->frame;
    (*out)->time = picture->time;
    return STATUS_OK;
}

/* One plane: samples of 1 or 2 bytes in rows without gaps. */
struct plane {
    size_t width, rows, step, bytes; /* width: samples per row; step: samples to the next one of the
                                      * same colour; bytes: per sample */
    uint8_t *data;
    size_t stride;
};

static struct plane plane_of(const struct picture *picture, int p)
{
    const struct picture_layout *layout = &picture->layout;
    const size_t bytes = picture_format_bits(layout->format) > 8 ? 2 : 1;
    return (struct plane){
        .width = layout->plane[p].bytes / bytes,
        .rows = layout->plane[p].rows,
        .step = picture_format_is_rgb(layout->format)      ? 4
                : layout->format == PICTURE_NV12 && p == 1 ? 2
                                                           : 1,
        .bytes = bytes,
        .data = picture->data + layout->plane[p].offset,
        .stride = layout->plane[p].stride,
    };
}

static uint32_t value_at(const uint8_t *at, size_t bytes)
{
    return bytes == 1 ? *at : (uint32_t)(at[0] | at[1] << 8);
}

static void set_value(uint8_t *at, size_t bytes, uint32_t value)
{
    at[0] = (uint8_t)value;
    if (bytes == 2)
        at[1] = (uint8_t)(value >> 8);
}

static uint32_t median(uint32_t left, uint32_t upper, uint32_t corner)
{
    const uint32_t low = left < upper ? left : upper, high = left < upper ? upper : left;
    return corner >= high ? low : corner <= low ? high : left + upper - corner;
}

static uint32_t expected(const struct plane *plane, const uint8_t *at, size_t row, size_t column)
{
    const bool first = column < plane->step;
    const size_t bytes = plane->bytes, back = plane->step * bytes;
    const uint32_t left = first ? 0 : value_at(at - back, bytes),
                   upper = row ? value_at(at - plane->stride, bytes) : 0;
    if (first || row == 0)
        return first ? upper : left;
    return median(left, upper, value_at(at - plane->stride - back, bytes));
}

static enum status code_plane(struct pack *pack, const struct plane *plane)
{
    const size_t count = plane->width * plane->rows, bytes = plane->bytes;
    uint8_t *differences = malloc(count * bytes), *difference = differences;
    if (!differences)
        return status_fail(STATUS_RUNTIME, "no memory for a picture's plane of %zu bytes",
                           count * bytes);
    if (pack->reading)
        pack_block(pack, differences, count, bytes);
    for (size_t row = 0; row < plane->rows; row++)
        for (size_t column = 0; column < plane->width; column++, difference += bytes) {
            uint8_t *at = plane->data + row * plane->stride + column * bytes;
            const uint32_t guess = expected(plane, at, row, column);
            if (pack->reading)
                set_value(at, bytes, value_at(difference, bytes) + guess);
            else
                set_value(difference, bytes, value_at(at, bytes) - guess);
        }
    if (!pack->reading)
        pack_block(pack, differences, count, bytes);
    free(differences);
    return STATUS_OK;
}

static enum status code_planes(struct pack *pack, const struct picture *picture)
{
    enum status status = STATUS_OK;
    for (int p = 0; p < picture->layout.planes && status == STATUS_OK; p++) {
        const struct plane plane = plane_of(picture, p);
        status = code_plane(pack, &plane);
    }
    return status;
}

/* The head of a picture's bytes. */
struct head {
    char magic[sizeof picture_magic];
    uint64_t format, width, height, frame;
    double time;
};

static void code_head(struct pack *pack, struct head *head)
{
    pack_bytes(pack, head->magic, sizeof head->magic);
    pack_count(pack, &head->format);
    pack_count(pack, &head->width);
    pack_count(pack, &head->height);
    pack_count(pack, &head->frame);
    pack_number(pack, &head->time);
}

enum status picture_pack(const struct picture *picture, void **data, size_t *size)
{
    struct pack pack = {0};
    struct head head = {.format = picture->layout.format,
                        .width = picture->layout.width,
                        .height = picture->layout.height,
                        .frame = picture->frame,
                        .time = picture->time};
    memcpy(head.magic, picture_magic, sizeof head.magic);
    code_head(&pack, &head);
    const enum status status = code_planes(&pack, picture);
    *data = pack.data;
    *size = pack.size;
    return status;
}

enum status picture_unpack(const void *data, size_t size, struct picture **out)
{
    struct pack pack = {.data = (uint8_t *)data, .size = size, .reading = true};
    struct head head;
    *out = NULL;
    code_head(&pack, &head);
    if (pack.broken || memcmp(head.magic, picture_magic, sizeof head.magic) != 0 ||
        head.format >= PICTURE_FORMATS || head.width < 1 || head.width > SIDE_MOST ||
        head.height < 1 || head.height > SIDE_MOST || head.width * head.height > PIXELS_MOST)
        return status_fail(STATUS_IO, "an object of the baseline is not a picture");
    enum status status = picture_create(out, (enum picture_format)head.format, (uint32_t)head.width,
                                        (uint32_t)head.height);
    if (status != STATUS_OK)
        return status;
    (*out)->frame = head.frame;
    (*out)->time = head.time;
    status = code_planes(&pack, *out);
    if (status == STATUS_OK && !pack_is_read(&pack))
        status =
            status_fail(STATUS_IO, "a picture of the baseline is truncated or followed by extra "
                                   "data; restore the file, or record the baseline again");
    if (status != STATUS_OK)
        picture_free(out);
    return status;
}
