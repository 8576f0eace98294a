#include "sim/run/run.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A frame in memory. */
struct kept {
    struct run_moment moment;
    float *block[RUN_SIMULATIONS_MAX];
};

struct run {
    struct run_about about;
    struct kept **kept; /* [about.frames] */
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

static void free_about(struct run_about *about)
{
    bodies_destroy(&about->bodies);
    free(about->scene);
    for (int s = 0; s < about->simulation_count; s++)
        free(about->simulations[s].acceleration);
}

enum status run_create(struct run **out, const struct run_about *about)
{
    struct run *run = memory_new(1, sizeof *run);
    run->about = *about;
    run->kept = calloc(about->frames + 1, sizeof *run->kept);
    *out = run;
    if (run->kept)
        return STATUS_OK;
    run_close(out);
    return status_fail(STATUS_RUNTIME, "no memory left for a run of %llu frames",
                       (unsigned long long)about->frames);
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
    const uint64_t count = run_count(*run);
    for (uint64_t f = 0; f < count; f++)
        free_kept((*run)->kept[f]);
    free((*run)->kept);
    free_about(&(*run)->about);
    free(*run);
    *run = NULL;
}

const struct run_about *run_about(const struct run *run)
{
    return &run->about;
}

uint64_t run_count(const struct run *run)
{
    return atomic_load_explicit(&run->count, memory_order_acquire);
}

const struct run_moment *run_moment(const struct run *run, uint64_t frame)
{
    return &run->kept[frame]->moment;
}

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
    const uint64_t frame = run_count(run);
    struct kept *kept = memory_new(1, sizeof *kept);
    bool fits = true;
    kept->moment = *moment;
    for (int s = 0; s < about->simulation_count && fits; s++)
        fits = copy_block(about, &rows[s], &kept->block[s]);
    if (!fits || frame >= about->frames) {
        free_kept(kept);
        return status_fail(STATUS_RUNTIME,
                           "no memory left for frame %llu of the run, %zu bytes; ask for fewer "
                           "bodies or frames",
                           (unsigned long long)frame,
                           run_width(about) * about->bodies->count * sizeof(float));
    }
    run->kept[frame] = kept;
    atomic_store_explicit(&run->count, frame + 1, memory_order_release);
    return STATUS_OK;
}

void run_buffer_free(struct run_buffer *buffer)
{
    free(buffer->numbers);
    *buffer = (struct run_buffer){NULL};
}

enum status run_read(const struct run *run, int simulation, uint64_t frame,
                     struct run_buffer *buffer, struct run_rows *out)
{
    (void)buffer;
    run_rows_at(&run->about, run->kept[frame]->block[simulation], out);
    return STATUS_OK;
}
