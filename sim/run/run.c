#include "sim/run/run.h"

#include "base/memory.h"
#include "sim/playback/playback.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A frame in memory. */
struct kept {
    struct run_moment moment;
    float *block[RUN_SIMULATIONS_MAX]; /* NULL if the run is in a file */
};

struct run {
    struct run_about about;
    struct run_file *file; /* NULL: in memory */
    struct kept **kept;    /* [about.frames] */
    uint64_t added;
    _Atomic uint64_t count;
};

size_t run_width(const struct run_about *about)
{
    return 6 + (size_t)about->columns.count;
}

void run_rows_at(const struct run_about *about, float *block, struct run_rows *out)
{
    const size_t count = about->bodies->count;
    *out = (struct run_rows){(float(*)[3])block, (float(*)[3])(block + 3 * count), {NULL}};
    for (int c = 0; c < about->columns.count; c++)
        out->column[c] = block + (6 + (size_t)c) * count;
}

void run_pilots_free(struct run_pilots *pilots)
{
    for (int p = 0; p < pilots->count; p++) {
        free(pilots->list[p].motion);
        free(pilots->list[p].separation);
    }
    *pilots = (struct run_pilots){.count = 0};
}

void run_about_free(struct run_about *about)
{
    bodies_destroy(&about->bodies);
    free(about->scene);
    for (int s = 0; s < about->simulation_count; s++)
        free(about->simulations[s].acceleration);
    run_pilots_free(&about->pilots);
    *about = (struct run_about){.bodies = NULL};
}

static enum status no_memory(const struct run_about *about, uint64_t frame)
{
    return status_fail(STATUS_RUNTIME,
                       "no memory left for frame %llu of the run, %zu bytes; ask for fewer bodies "
                       "or frames",
                       (unsigned long long)frame,
                       run_width(about) * about->bodies->count * sizeof(float));
}

/* ---- opening ---- */

static enum status begin(struct run **out, const struct run_about *about)
{
    struct run *run = memory_new(1, sizeof *run);
    run->about = *about;
    if (run->about.every == 0)
        run->about.every = 1;
    run->kept = calloc(about->frames + 1, sizeof *run->kept);
    *out = run;
    return run->kept ? STATUS_OK
                     : status_fail(STATUS_RUNTIME, "no memory left for a run of %llu frames",
                                   (unsigned long long)about->frames);
}

static enum status end_opening(struct run **run, enum status status)
{
    if (status != STATUS_OK)
        run_close(run);
    return status;
}

enum status run_create(struct run **out, const struct run_about *about)
{
    return end_opening(out, begin(out, about));
}

enum status run_create_file(struct run **out, const struct run_about *about, const char *path)
{
    enum status status = begin(out, about);
    if (status == STATUS_OK)
        status = run_file_create(&(*out)->file, &(*out)->about, path);
    return end_opening(out, status);
}

/* Frames up to which all are complete can be read: between two kept frames none is. */
static uint64_t readable(const struct run_about *about, uint64_t added)
{
    const uint64_t last = added == 0 ? 0 : (added - 1) / about->every * about->every;
    return added == 0 || added == about->frames ? added : last + 1;
}

static enum status read_moments(struct run *run, uint64_t count)
{
    enum status status = STATUS_OK;
    for (uint64_t f = 0; f < count && status == STATUS_OK; f++) {
        run->kept[f] = memory_new(1, sizeof *run->kept[f]);
        status = run_file_moment(run->file, &run->about, f, &run->kept[f]->moment);
    }
    run->added = count;
    run->count = readable(&run->about, count);
    return status;
}

static enum status open_file(struct run **out, const char *path, bool writes)
{
    struct run_about about = {.bodies = NULL};
    struct run_file *file = NULL;
    *out = NULL;
    enum status status = run_file_open(&file, &about, path, writes);
    if (status == STATUS_OK) {
        status = begin(out, &about);
        (*out)->file = file;
        return status;
    }
    run_about_free(&about);
    run_file_close(&file);
    return status;
}

enum status run_open(struct run **out, const char *path)
{
    uint64_t count = 0;
    enum status status = open_file(out, path, false);
    if (status == STATUS_OK)
        status = run_file_count((*out)->file, &(*out)->about, &count);
    if (status == STATUS_OK && count == 0)
        status = status_fail(STATUS_USAGE,
                             "the run '%s' has no frame yet; continue it with `gravreel simulate`",
                             path);
    if (status == STATUS_OK)
        status = read_moments(*out, count);
    return end_opening(out, status);
}

/* The first thing in which two runs differ; NULL: none. */
static const char *find_difference(const struct run_about *a, const struct run_about *b)
{
    if (strcmp(a->moves, b->moves) != 0)
        return "the motion of its scene";
    if (a->bodies->count != b->bodies->count)
        return "its number of bodies";
    if (a->frames != b->frames)
        return "its number of frames";
    if (a->every != b->every)
        return "--every";
    if (a->columns.count != b->columns.count || a->simulation_count != b->simulation_count)
        return "what its look needs";
    for (int c = 0; c < a->columns.count; c++)
        if (strcmp(a->columns.list[c], b->columns.list[c]) != 0)
            return "what its look needs";
    for (int s = 0; s < a->simulation_count; s++) {
        const struct run_simulation *one = &a->simulations[s], *other = &b->simulations[s];
        if (strcmp(one->physics, other->physics) != 0)
            return "the physics of its panels";
        if (strcmp(one->model, other->model) != 0 || strcmp(one->kernel, other->kernel) != 0)
            return "the device or kernel that computes it";
    }
    const size_t bytes = a->bodies->count * sizeof *a->bodies->position;
    return memcmp(a->bodies->position, b->bodies->position, bytes) == 0 &&
                   memcmp(a->bodies->velocity, b->bodies->velocity, bytes) == 0
               ? NULL
               : "its bodies at the start";
}

enum status run_continue(struct run **out, const struct run_about *about, const char *path,
                         uint64_t count)
{
    uint64_t complete = 0;
    enum status status = open_file(out, path, true);
    const char *differs = status == STATUS_OK ? find_difference(&(*out)->about, about) : NULL;
    if (differs)
        status = status_fail(STATUS_USAGE,
                             "the run '%s' was begun with something else: %s; name another file, "
                             "or start over with -y",
                             path, differs);
    if (status == STATUS_OK)
        status = run_file_count((*out)->file, &(*out)->about, &complete);
    if (status == STATUS_OK && complete < count)
        status = status_fail(STATUS_IO,
                             "the run '%s' has %llu complete frames, but its checkpoint is at "
                             "frame %llu; start over with -y",
                             path, (unsigned long long)complete, (unsigned long long)count - 1);
    if (status == STATUS_OK)
        status = read_moments(*out, count);
    return end_opening(out, status);
}

static void free_kept(struct kept *kept)
{
    for (int s = 0; kept && s < RUN_SIMULATIONS_MAX; s++)
        free(kept->block[s]);
    free(kept);
}

void run_close(struct run **run)
{
    if (!*run)
        return;
    for (uint64_t f = 0; (*run)->kept && f < (*run)->about.frames; f++)
        free_kept((*run)->kept[f]);
    free((*run)->kept);
    run_file_close(&(*run)->file);
    run_about_free(&(*run)->about);
    free(*run);
    *run = NULL;
}

enum status run_sync(const struct run *run)
{
    return run->file ? run_file_sync(run->file) : STATUS_OK;
}

const struct run_about *run_about(const struct run *run)
{
    return &run->about;
}

const char *run_path(const struct run *run)
{
    return run->file ? run_file_path(run->file) : "";
}

const char *run_hash(const struct run *run)
{
    return run->file ? run_file_hash(run->file) : "";
}

uint64_t run_count(const struct run *run)
{
    return atomic_load_explicit(&run->count, memory_order_acquire);
}

const struct run_moment *run_moment(const struct run *run, uint64_t frame)
{
    return &run->kept[frame]->moment;
}

bool run_keeps(const struct run_about *about, uint64_t frame)
{
    return frame % about->every == 0 || frame + 1 == about->frames;
}

/* ---- appending ---- */

static bool copy_block(const struct run_about *about, const struct run_rows *rows, float **out)
{
    const size_t count = about->bodies->count;
    struct run_rows to;
    *out = malloc((run_width(about) * count + 1) * sizeof **out);
    if (!*out)
        return false;
    run_rows_at(about, *out, &to);
    memcpy(to.position, rows->position, count * sizeof *to.position);
    memcpy(to.velocity, rows->velocity, count * sizeof *to.velocity);
    for (int c = 0; c < about->columns.count; c++)
        memcpy(to.column[c], rows->column[c], count * sizeof *to.column[c]);
    return true;
}

enum status run_add(struct run *run, const struct run_moment *moment, const struct run_rows *rows)
{
    const struct run_about *about = &run->about;
    const uint64_t frame = run->added;
    struct kept *kept = memory_new(1, sizeof *kept);
    enum status status = STATUS_OK;
    kept->moment = *moment;
    if (!run_keeps(about, frame)) {
        kept->moment.state[0] = '\0';
        for (int s = 0; s < about->simulation_count; s++)
            kept->moment.states[s][0] = '\0';
    }
    if (frame >= about->frames)
        status = status_fail(STATUS_RUNTIME, "the run ends with frame %llu",
                             (unsigned long long)about->frames - 1);
    else if (run->file)
        status = run_file_put(run->file, about, frame, &kept->moment, rows);
    else
        for (int s = 0; s < about->simulation_count && status == STATUS_OK; s++)
            if (!copy_block(about, &rows[s], &kept->block[s]))
                status = no_memory(about, frame);
    if (status != STATUS_OK) {
        free_kept(kept);
        return status;
    }
    free_kept(run->kept[frame]);
    run->kept[frame] = kept;
    run->added = frame + 1;
    atomic_store_explicit(&run->count, readable(about, run->added), memory_order_release);
    return STATUS_OK;
}

/* ---- reading ---- */

void run_buffer_free(struct run_buffer *buffer)
{
    free(buffer->numbers);
    *buffer = (struct run_buffer){NULL};
}

static enum status interpolate(const struct run *run, int simulation, uint64_t frame, float *blocks)
{
    const struct run_about *about = &run->about;
    const size_t count = about->bodies->count, block = run_width(about) * count;
    const uint64_t first = frame / about->every * about->every;
    uint64_t second = first + about->every;
    if (second >= about->frames)
        second = about->frames - 1;
    struct run_rows a, b, out;
    enum status status = run_file_rows(run->file, about, simulation, first, blocks + block);
    if (status == STATUS_OK)
        status = run_file_rows(run->file, about, simulation, second, blocks + 2 * block);
    if (status != STATUS_OK)
        return status;
    run_rows_at(about, blocks, &out);
    run_rows_at(about, blocks + block, &a);
    run_rows_at(about, blocks + 2 * block, &b);
    const double from = run_moment(run, first)->time, h = run_moment(run, second)->time - from;
    const double u = h == 0 ? 0 : (run_moment(run, frame)->time - from) / h;
    const struct hermite by = hermite_at(u, h == 0 ? 1 : h);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double moved[3];
            hermite_move(&by, (double)a.position[i][k], (double)b.position[i][k],
                         (double)a.velocity[i][k], (double)b.velocity[i][k], moved);
            out.position[i][k] = (float)moved[0];
            out.velocity[i][k] = h == 0 ? a.velocity[i][k] : (float)moved[1];
        }
    for (int c = 0; c < about->columns.count; c++)
        for (size_t i = 0; i < count; i++)
            out.column[c][i] =
                (float)((1 - u) * (double)a.column[c][i] + u * (double)b.column[c][i]);
    return STATUS_OK;
}

enum status run_read(const struct run *run, int simulation, uint64_t frame,
                     struct run_buffer *buffer, struct run_rows *out)
{
    const struct run_about *about = &run->about;
    if (!run->file) {
        run_rows_at(about, run->kept[frame]->block[simulation], out);
        return STATUS_OK;
    }
    const size_t block = run_width(about) * about->bodies->count;
    if (!buffer->numbers)
        buffer->numbers = malloc((block * (about->every > 1 ? 3 : 1) + 1) * sizeof(float));
    if (!buffer->numbers)
        return no_memory(about, frame);
    run_rows_at(about, buffer->numbers, out);
    return run_keeps(about, frame)
               ? run_file_rows(run->file, about, simulation, frame, buffer->numbers)
               : interpolate(run, simulation, frame, buffer->numbers);
}
