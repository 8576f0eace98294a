#include "sim/ranks/stretch_device.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "kernels/exact_tree/cuda/stretch_cuda.h"
#include "sim/ranks/demand.h"
#include "sim/solver/cuda/device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WARPS = 24,   /* per multiprocessor, see kernels/exact_tree/cuda/exact_tree_cuda.cu */
    ASKING = 32,  /* ranks that are answered at once */
    FOREIGN = 64, /* a margin of places for foreign bodies, at least */
};

struct block {
    void *at;
    size_t bytes;
};

struct cuda {
    struct stretch_device device;
    int number;
    unsigned multiprocessors;
    bool mixed;
    size_t total;
    cudaStream_t stream;

    /* Bodies: present, kept, and room for the next order. */
    struct block body, spare, kept;
    size_t kept_count;
    struct block key, spare_key, order, spare_order, scratch;
    size_t from, stay; /* of the order: the bodies that stay */
    struct block moving, came, came_key, came_spare_key, came_order, came_spare_order;
    struct block weight, sum;

    /* The tree: places before, own and behind. */
    struct exact_tree tree;
    uint32_t base;
    size_t places;
    uint32_t start; /* the number of the first own place among all bodies */
    uint32_t before, behind;
    struct exact_tree_borders borders;
    struct block parent, arrived, wide, opened, stack, next, cost, turns;
    size_t wide_count;
    struct block needed, ranked;

    struct block head, survey, small, demands, foreign_demands, roots, offers, asked, tops, bodies;
    struct block outbox, inbox, list; /* of the host, page-locked */
    struct exact_tree_frame frame;
    /* Host. */
    struct partial top; /* see partial_make_tops */
    struct partial_tops cells;
};

static struct cuda *cuda_of(struct stretch_device *device)
{
    return (struct cuda *)device;
}

static enum status check(const struct cuda *d, int error, const char *what)
{
    if (error == cudaSuccess)
        return STATUS_OK;
    (void)cudaGetLastError();
    return status_fail(STATUS_RUNTIME, "%s cannot %s: %s", d->device.name, what,
                       cudaGetErrorString((cudaError_t)error));
}

/* Enlarges a block; its content is lost. */
static int make_room(struct block *block, size_t bytes)
{
    if (bytes <= block->bytes && block->at)
        return cudaSuccess;
    (void)cudaFree(block->at);
    *block = (struct block){0};
    const size_t size = bytes + bytes / 16 + 256;
    int error = cudaMalloc(&block->at, size);
    if (error == cudaSuccess)
        block->bytes = size;
    return error;
}

static int make_locked_room(struct block *block, size_t bytes)
{
    if (bytes <= block->bytes && block->at)
        return cudaSuccess;
    (void)cudaFreeHost(block->at);
    *block = (struct block){0};
    const size_t size = bytes + bytes / 4 + 4096;
    int error = cudaMallocHost(&block->at, size);
    if (error == cudaSuccess)
        block->bytes = size;
    return error;
}

static int to_device(struct cuda *d, void *to, const void *from, size_t bytes)
{
    return bytes > 0 ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, d->stream)
                     : cudaSuccess;
}

static int to_host(struct cuda *d, void *to, const void *from, size_t bytes)
{
    return bytes > 0 ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream)
                     : cudaSuccess;
}

static int wait_for(struct cuda *d)
{
    return cudaStreamSynchronize(d->stream);
}

/* Stops at the first error. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        if (error == cudaSuccess)                                                                  \
            error = (call);                                                                        \
    } while (0)

static void swap(struct block *one, struct block *other)
{
    const struct block former = *one;
    *one = *other;
    *other = former;
}

/* Applies to every array of the tree. */
#define ARRAYS(X) X(body) X(place) X(moments) X(span) X(box) X(thirds) X(wide)

static void free_tree(struct cuda *d)
{
#define FREE(name) (void)cudaFree(d->tree.name);
    ARRAYS(FREE)
#undef FREE
    d->tree = (struct exact_tree){0};
    d->places = 0;
}

static void close_cuda(struct stretch_device **device)
{
    struct cuda *d = cuda_of(*device);
    struct block *const blocks[] = {&d->body,        &d->spare,
                                    &d->kept,        &d->key,
                                    &d->spare_key,   &d->order,
                                    &d->spare_order, &d->scratch,
                                    &d->moving,      &d->came,
                                    &d->came_key,    &d->came_spare_key,
                                    &d->came_order,  &d->came_spare_order,
                                    &d->weight,      &d->sum,
                                    &d->parent,      &d->arrived,
                                    &d->wide,        &d->opened,
                                    &d->stack,       &d->next,
                                    &d->cost,        &d->needed,
                                    &d->ranked,      &d->head,
                                    &d->survey,      &d->small,
                                    &d->demands,     &d->foreign_demands,
                                    &d->roots,       &d->offers,
                                    &d->asked,       &d->tops,
                                    &d->bodies,      &d->turns};
    (void)cudaSetDevice(d->number);
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        (void)cudaFree(blocks[b]->at);
    (void)cudaFreeHost(d->outbox.at);
    (void)cudaFreeHost(d->inbox.at);
    (void)cudaFreeHost(d->list.at);
    free_tree(d);
    if (d->stream)
        (void)cudaStreamDestroy(d->stream);
    (void)cudaGetLastError(); /* the device may not even exist */
    partial_close(&d->top);
    free(d->cells.cells);
    free(d);
    *device = NULL;
}

/* ---- bodies ---- */

static enum status load(struct stretch_device *device, const struct share_body *body, size_t count)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(make_room(&d->body, (count + 1) * sizeof *body));
    TRY(to_device(d, d->body.at, body, count * sizeof *body));
    TRY(wait_for(d));
    device->count = error == cudaSuccess ? count : 0;
    return check(d, error, "take bodies");
}

static enum status save(struct stretch_device *device, struct share_body *out)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(to_host(d, out, d->body.at, device->count * sizeof *out));
    TRY(wait_for(d));
    return check(d, error, "give its bodies");
}

static enum status kick(struct stretch_device *device, double dt)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(stretch_cuda_kick(device->count, d->body.at, dt, d->stream));
    return check(d, error, "kick bodies");
}

static enum status drift(struct stretch_device *device, double dt)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(stretch_cuda_drift(device->count, d->body.at, dt, d->stream));
    return check(d, error, "move bodies");
}

static enum status damp(struct stretch_device *device, double factor)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(stretch_cuda_damp(device->count, d->body.at, factor, d->stream));
    return check(d, error, "damp bodies");
}

static enum status keep(struct stretch_device *device)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(make_room(&d->kept, (device->count + 1) * sizeof(struct share_body)));
    TRY(stretch_cuda_pick(device->count, d->body.at, NULL, d->kept.at, d->stream));
    TRY(wait_for(d));
    d->kept_count = device->count;
    return check(d, error, "keep its bodies");
}

static enum status restore(struct stretch_device *device)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(make_room(&d->body, (d->kept_count + 1) * sizeof(struct share_body)));
    TRY(stretch_cuda_pick(d->kept_count, d->kept.at, NULL, d->body.at, d->stream));
    TRY(wait_for(d));
    device->count = d->kept_count;
    return check(d, error, "restore its bodies");
}

static enum status largest(struct stretch_device *device, double *square)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(cudaMemsetAsync(d->small.at, 0, sizeof *square, d->stream));
    TRY(stretch_cuda_largest(device->count, d->body.at, d->small.at, d->stream));
    TRY(to_host(d, square, d->small.at, sizeof *square));
    TRY(wait_for(d));
    return check(d, error, "find the largest acceleration");
}

/* `first` initially has the value for bodies that are all finite. */
static enum status broken(struct stretch_device *device, size_t *first)
{
    struct cuda *d = cuda_of(device);
    unsigned number = (unsigned)*first;
    int error = cudaSetDevice(d->number);
    TRY(to_device(d, d->small.at, &number, sizeof number));
    TRY(stretch_cuda_broken(device->count, d->body.at, d->small.at, d->stream));
    TRY(to_host(d, &number, d->small.at, sizeof number));
    TRY(wait_for(d));
    *first = number;
    return check(d, error, "check its bodies");
}

static enum status inbox(struct stretch_device *device, size_t bytes, void **out)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(make_locked_room(&d->inbox, bytes));
    *out = d->inbox.at;
    return check(d, error, "lock memory for what arrives");
}

static const double *position_of(const struct cuda *d)
{
    return ((const struct share_body *)d->body.at)->position;
}

static const double *half_of(const struct cuda *d)
{
    return &((const struct share_body *)d->body.at)->half;
}

static const double *mass_of(const struct cuda *d)
{
    return &((const struct share_body *)d->body.at)->mass;
}

static const double *acceleration_of(const struct cuda *d)
{
    return ((const struct share_body *)d->body.at)->acceleration;
}

static enum status survey(struct stretch_device *device, size_t step, uint64_t *sample,
                          size_t samples, struct stretch_survey *out)
{
    struct cuda *d = cuda_of(device);
    struct exact_tree_share all;
    const size_t bytes = 3 * samples * sizeof *sample;
    int error = cudaSetDevice(d->number);
    TRY(make_room(&d->survey, EXACT_TREE_SURVEYORS * sizeof all));
    TRY(make_room(&d->small, bytes + 1));
    TRY(exact_tree_cuda_survey(device->count, position_of(d), SHARE_DOUBLES, mass_of(d), half_of(d),
                               SHARE_DOUBLES, acceleration_of(d), SHARE_DOUBLES, d->survey.at,
                               d->stream));
    if (samples > 0) {
        TRY(cudaMemsetAsync(d->small.at, 0, bytes, d->stream));
        TRY(stretch_cuda_sample(device->count, d->body.at, step, d->small.at, d->stream));
        TRY(to_host(d, sample, d->small.at, bytes));
    }
    TRY(to_host(d, &all, d->survey.at, sizeof all));
    TRY(wait_for(d));
    *out = (struct stretch_survey){.spoilt = all.broken != 0,
                                   .census = all.census,
                                   .half_low = all.half_low,
                                   .half_high = all.half_high};
    for (int c = 0; c < 3; c++) {
        out->low[c] = all.least[c];
        out->high[c] = all.most[c];
    }
    return check(d, error, "survey its bodies");
}

static int scratch_for(struct cuda *d, size_t count)
{
    size_t bytes = 0;
    int error = stretch_cuda_scratch(count, &bytes);
    TRY(make_room(&d->scratch, bytes));
    return error;
}

static enum status sort(struct stretch_device *device, const struct exact_tree_frame *frame)
{
    struct cuda *d = cuda_of(device);
    const size_t count = device->count;
    struct exact_tree_head head = {.frame = *frame};
    int error = cudaSetDevice(d->number);
    d->frame = *frame;
    TRY(to_device(d, d->head.at, &head, sizeof head));
    TRY(scratch_for(d, count + 1));
    TRY(make_room(&d->key, (count + 1) * sizeof(uint64_t)));
    TRY(make_room(&d->spare_key, (count + 1) * sizeof(uint64_t)));
    TRY(make_room(&d->order, (count + 1) * sizeof(uint32_t)));
    TRY(make_room(&d->spare_order, (count + 1) * sizeof(uint32_t)));
    const struct stretch_sort plan = {d->key.at,         d->spare_key.at, d->order.at,
                                      d->spare_order.at, d->scratch.at,   d->scratch.bytes};
    TRY(stretch_cuda_sort(count, d->total, d->body.at, d->head.at, &plan, d->stream));
    TRY(wait_for(d)); /* head is gone then */
    return check(d, error, "sort its bodies");
}

static enum status samples(struct stretch_device *device, double rate, size_t wanted,
                           struct curve_sample *out)
{
    struct cuda *d = cuda_of(device);
    const size_t count = device->count;
    int error = cudaSetDevice(d->number);
    TRY(make_room(&d->weight, (count + 1) * sizeof(double)));
    TRY(make_room(&d->sum, (count + 1) * sizeof(double)));
    TRY(make_room(&d->small, wanted * sizeof *out));
    const struct stretch_sort plan = {.key = d->key.at,
                                      .order = d->order.at,
                                      .scratch = d->scratch.at,
                                      .scratch_bytes = d->scratch.bytes};
    TRY(stretch_cuda_weigh(count, d->body.at, rate, &plan, d->weight.at, d->sum.at, wanted,
                           d->small.at, d->stream));
    TRY(to_host(d, out, d->small.at, wanted * sizeof *out));
    TRY(wait_for(d));
    return check(d, error, "weigh its bodies");
}

static enum status cut(struct stretch_device *device, const uint64_t *splitters, size_t *cuts)
{
    struct cuda *d = cuda_of(device);
    const size_t ranks = (size_t)ranks_count();
    const size_t bytes = ranks * sizeof *splitters;
    int error = cudaSetDevice(d->number);
    TRY(make_room(&d->small, bytes + (ranks + 1) * sizeof *cuts));
    uint64_t *first = d->small.at;
    size_t *found = (size_t *)(first + ranks);
    TRY(to_device(d, first, splitters, bytes));
    TRY(stretch_cuda_cut(device->count, d->key.at, ranks, first, found, d->stream));
    TRY(to_host(d, cuts, found, (ranks + 1) * sizeof *cuts));
    TRY(wait_for(d));
    return check(d, error, "find who gets its bodies");
}

/* Bodies from device memory to the outbox. */
static int send_out(struct cuda *d, size_t count, const struct share_body **out)
{
    const size_t bytes = count * sizeof **out;
    int error = make_locked_room(&d->outbox, bytes);
    TRY(to_host(d, d->outbox.at, d->moving.at, bytes));
    TRY(wait_for(d));
    *out = d->outbox.at;
    return error;
}

static enum status take(struct stretch_device *device, size_t from, size_t stay,
                        const struct share_body **leaving)
{
    struct cuda *d = cuda_of(device);
    const size_t behind = device->count - from - stay;
    const uint32_t *order = d->order.at;
    int error = cudaSetDevice(d->number);
    d->from = from;
    d->stay = stay;
    TRY(make_room(&d->moving, (from + behind + 1) * sizeof **leaving));
    struct share_body *moving = d->moving.at;
    TRY(stretch_cuda_pick(from, d->body.at, order, moving, d->stream));
    TRY(stretch_cuda_pick(behind, d->body.at, order + from + stay, moving + from, d->stream));
    TRY(send_out(d, from + behind, leaving));
    return check(d, error, "send bodies");
}

/* Sorts what arrived. */
static int sort_arrived(struct cuda *d, const struct share_body *arrived, size_t count,
                        struct stretch_sorted *out)
{
    int error = make_room(&d->came, (count + 1) * sizeof *arrived);
    TRY(make_room(&d->came_key, (count + 1) * sizeof(uint64_t)));
    TRY(make_room(&d->came_spare_key, (count + 1) * sizeof(uint64_t)));
    TRY(make_room(&d->came_order, (count + 1) * sizeof(uint32_t)));
    TRY(make_room(&d->came_spare_order, (count + 1) * sizeof(uint32_t)));
    TRY(scratch_for(d, count + 1));
    TRY(to_device(d, d->came.at, arrived, count * sizeof *arrived));
    const struct stretch_sort plan = {d->came_key.at,   d->came_spare_key.at,
                                      d->came_order.at, d->came_spare_order.at,
                                      d->scratch.at,    d->scratch.bytes};
    TRY(stretch_cuda_sort(count, d->total, d->came.at, d->head.at, &plan, d->stream));
    *out = (struct stretch_sorted){d->came.at, d->came_key.at, d->came_order.at, count};
    return error;
}

static enum status merge(struct stretch_device *device, const struct share_body *arrived,
                         size_t count, size_t skip, size_t most, const struct share_body **leaving)
{
    struct cuda *d = cuda_of(device);
    struct stretch_sorted came, stay;
    int error = cudaSetDevice(d->number);
    TRY(sort_arrived(d, arrived, count, &came));
    TRY(make_room(&d->spare, (most + 1) * sizeof *arrived));
    TRY(make_room(&d->spare_key, (most + 1) * sizeof(uint64_t)));
    TRY(make_room(&d->moving, (skip + 1) * sizeof *arrived));
    if (error == cudaSuccess) {
        stay = (struct stretch_sorted){d->body.at, (const uint64_t *)d->key.at + d->from,
                                       (const uint32_t *)d->order.at + d->from, d->stay};
        TRY(stretch_cuda_merge(d->head.at, &stay, &came, skip, d->moving.at, d->spare.at,
                               d->spare_key.at, d->stream));
        TRY(stretch_cuda_merge(d->head.at, &came, &stay, skip, d->moving.at, d->spare.at,
                               d->spare_key.at, d->stream));
    }
    TRY(send_out(d, skip, leaving));
    swap(&d->body, &d->spare);
    swap(&d->key, &d->spare_key);
    device->count = d->stay + count - skip;
    return check(d, error, "merge bodies");
}

static enum status append(struct stretch_device *device, const struct share_body *arrived,
                          size_t count)
{
    struct cuda *d = cuda_of(device);
    struct share_body *end = (struct share_body *)d->body.at + device->count;
    int error = cudaSetDevice(d->number);
    TRY(to_device(d, end, arrived, count * sizeof *arrived));
    TRY(stretch_cuda_keys(count, end, d->head.at, (uint64_t *)d->key.at + device->count,
                          d->stream));
    TRY(wait_for(d)); /* the inbox is used again */
    device->count += count;
    return check(d, error, "take bodies");
}

static enum status edge(struct stretch_device *device, uint32_t start, uint64_t ends[2],
                        struct top_cut *cuts, uint32_t *found)
{
    struct cuda *d = cuda_of(device);
    const size_t count = device->count;
    const uint64_t *key = d->key.at;
    int error = cudaSetDevice(d->number);
    TRY(make_room(&d->small, sizeof *found + TOP_CUTS_MOST * sizeof *cuts));
    struct top_cut *list = d->small.at;
    uint32_t *counter = (uint32_t *)(list + TOP_CUTS_MOST);
    TRY(cudaMemsetAsync(counter, 0, sizeof *counter, d->stream));
    TRY(stretch_cuda_edge(count, key, start, start > 0, start + count < d->total, list, counter,
                          d->stream));
    TRY(to_host(d, ends, key, sizeof *ends));
    TRY(to_host(d, ends + 1, key + count - 1, sizeof *ends));
    TRY(to_host(d, found, counter, sizeof *found));
    TRY(to_host(d, cuts, list, TOP_CUTS_MOST * sizeof *cuts));
    TRY(wait_for(d));
    return check(d, error, "find the edges of its tree");
}

/* ---- the tree ---- */

/* Allocates arrays with room for `before` places, the own ones and `behind` places; their content
 * is lost. */
static int make_places(struct cuda *d, size_t before, size_t behind)
{
    const size_t count = d->device.count;
    int error = cudaSuccess;
    if (before <= d->base && d->base + count + behind <= d->places && d->places > 0)
        return error;
    free_tree(d);
    const size_t places = before + count + count / 16 + behind;
    d->base = (uint32_t)before;
#define ALLOCATE(name) TRY(cudaMalloc((void **)&d->tree.name, places * sizeof *d->tree.name));
    ARRAYS(ALLOCATE)
#undef ALLOCATE
    d->places = error == cudaSuccess ? places : 0;
    return error;
}

/* Fills in the rank's own cells. */
static int fill_own(struct cuda *d)
{
    const size_t count = d->device.count;
    d->tree.bodies = d->total > 1 ? 2 : 1; /* a walk asks whether there is one */
    d->borders.base = d->base;
    int error = stretch_cuda_bodies(count, d->body.at, d->head.at, &d->tree, d->base, d->stream);
    if (count > 0)
        TRY(exact_tree_cuda_fill_part(count, d->key.at, &d->borders, &d->tree, d->parent.at,
                                      d->arrived.at, d->stream));
    struct stretch_wide *wide = memory_new(d->wide_count + 1, sizeof *wide);
    memcpy(wide, d->list.at, d->wide_count * sizeof *wide);
    for (size_t k = 0; k < d->wide_count; k++)
        wide[k].place += d->base;
    TRY(to_device(d, d->wide.at, wide, d->wide_count * sizeof *wide));
    TRY(stretch_cuda_wide(d->wide_count, d->wide.at, &d->tree, d->stream));
    TRY(wait_for(d));
    free(wide);
    return error;
}

static enum status fill(struct stretch_device *device, const struct curve *curve,
                        const struct top *top)
{
    struct cuda *d = cuda_of(device);
    const size_t count = device->count, start = curve->starts[ranks_own()];
    int error = cudaSetDevice(d->number);
    d->start = (uint32_t)start;
    d->borders = (struct exact_tree_borders){.start = d->start,
                                             .before = curve->before,
                                             .behind = curve->behind,
                                             .key_before = curve->key_before,
                                             .key_behind = curve->key_behind};
    TRY(make_room(&d->parent, (count + 1) * sizeof(uint32_t)));
    TRY(make_room(&d->arrived, (count + 1) * sizeof(uint32_t)));
    TRY(make_room(&d->wide, (top->cell_count + 1) * sizeof(struct stretch_wide)));
    TRY(make_locked_room(&d->list, (top->cell_count + 1) * sizeof(struct stretch_wide)));
    TRY(make_places(d, d->base > 0 ? d->base : count / 8 + FOREIGN, FOREIGN));
    struct stretch_wide *wide = d->list.at;
    d->wide_count = 0;
    for (size_t k = 0; error == cudaSuccess && k < top->cell_count; k++) {
        const struct top_cell *cell = top->cells + k;
        if (cell->split >= start && cell->split < start + count)
            wide[d->wide_count++] = (struct stretch_wide){
                cell->split - d->start, cell->last - cell->first >= EXACT_TREE_WIDE};
    }
    TRY(fill_own(d));
    return check(d, error, "build its part of the tree");
}

/* The number of the own places' numbers in the arrays, less those among all bodies. */
static uint32_t moved_in(const struct cuda *d)
{
    return d->base - d->start;
}

static enum status branches(struct stretch_device *device, const struct top *top, char *to,
                            size_t bytes)
{
    struct cuda *d = cuda_of(device);
    struct stretch_branch *list = memory_new(top->branch_count + 1, sizeof *list);
    size_t count = 0, used = 0;
    for (size_t k = 0; k < top->branch_count; k++) {
        const struct top_branch *branch = top->branches + k;
        if (branch->owner != ranks_own())
            continue;
        list[count++] =
            (struct stretch_branch){branch->first, branch->last, branch->number, (uint32_t)used};
        used += stretch_branch_bytes(branch);
    }
    const size_t list_bytes = (count * sizeof *list + 15) / 16 * 16;
    int error = cudaSetDevice(d->number);
    TRY(make_room(&d->roots, list_bytes + bytes + 16));
    char *made = (char *)d->roots.at + list_bytes;
    TRY(to_device(d, d->roots.at, list, count * sizeof *list));
    TRY(stretch_cuda_branches(count, d->roots.at, &d->tree, moved_in(d), made, d->stream));
    TRY(to_host(d, to, made, bytes));
    TRY(wait_for(d));
    free(list);
    return check(d, error, "give its branches");
}

/* Puts what a walk needs into the head. */
static int set_head(struct cuda *d, const struct exact_tree_census *census)
{
    struct exact_tree_head head = {.frame = d->frame, .known = census != NULL};
    if (census)
        head.census = *census;
    int error = to_device(d, d->head.at, &head, sizeof head);
    TRY(wait_for(d));
    return error;
}

static enum status demands(struct stretch_device *device, const struct exact_tree_rule *rule,
                           const struct exact_tree_census *census, struct demand **list,
                           uint64_t *count)
{
    struct cuda *d = cuda_of(device);
    unsigned found = 0;
    size_t room = d->demands.bytes / sizeof **list;
    int error = cudaSetDevice(d->number);
    TRY(set_head(d, census));
    if (room == 0)
        room = device->count / (DEMAND_SPAN / 2) + 64;
    for (int turn = 0; turn < 2; turn++) {
        TRY(make_room(&d->demands, room * sizeof **list));
        TRY(cudaMemsetAsync(d->small.at, 0, sizeof found, d->stream));
        TRY(stretch_cuda_demands(device->count, d->body.at, d->base, &d->tree, d->head.at, rule,
                                 census != NULL, d->mixed, d->demands.at, (unsigned)room,
                                 d->small.at, d->stream));
        TRY(to_host(d, &found, d->small.at, sizeof found));
        TRY(wait_for(d));
        if (found <= room)
            break;
        room = found;
    }
    TRY(make_locked_room(&d->outbox, found * sizeof **list));
    TRY(to_host(d, d->outbox.at, d->demands.at, found * sizeof **list));
    TRY(wait_for(d));
    *list = d->outbox.at;
    *count = found;
    return check(d, error, "find what it needs");
}

/* Warps that walk at once, each with its own stack. */
static unsigned warps_of(const struct cuda *d)
{
    return d->multiprocessors * WARPS;
}

/* Orders groups by what their first bodies cost last. */
static int turn_groups(struct cuda *d, struct exact_tree_turns *turns)
{
    const size_t groups = exact_tree_groups(d->device.count);
    const struct share_body *body = d->body.at;
    int error = make_room(&d->turns, 4 * groups * sizeof(float));
    TRY(scratch_for(d, d->device.count));
    if (error != cudaSuccess)
        return error;
    *turns = (struct exact_tree_turns){.cost = d->turns.at,
                                       .spare = (float *)d->turns.at + groups,
                                       .index = (uint32_t *)d->turns.at + 2 * groups,
                                       .turn = (uint32_t *)d->turns.at + 3 * groups,
                                       .scratch = d->scratch.at,
                                       .scratch_bytes = d->scratch.bytes};
    TRY(cudaMemcpy2DAsync(turns->cost, sizeof(float), &body->cost, EXACT_TREE_GROUP * sizeof *body,
                          sizeof(float), groups, cudaMemcpyDeviceToDevice, d->stream));
    TRY(exact_tree_cuda_turn(groups, turns, d->stream));
    return error;
}

/* Answers up to ASKING ranks from `first` on; appends to the outbox. */
static int answer(struct cuda *d, const struct demands *demands, const struct exact_tree_rule *rule,
                  double margin, size_t roots, int first, struct offers *offers, size_t *used)
{
    struct stretch_asking asking = {.list = d->foreign_demands.at,
                                    .ranks = ranks_count() - first < ASKING ? ranks_count() - first
                                                                            : ASKING};
    unsigned counts[ASKING][2];
    struct partial_cell *cells[ASKING];
    struct partial_body *bodies[ASKING];
    const size_t count = d->device.count;
    for (int r = 0; r < asking.ranks; r++) {
        const int rank = first + r;
        asking.first[r] = demands->starts[rank];
        asking.count[r] =
            rank == ranks_own() ? 0 : demands->starts[rank + 1] - demands->starts[rank];
    }
    char *small = d->small.at;
    unsigned *counters = (unsigned *)small;
    struct partial_cell **cells_at = (struct partial_cell **)(small + sizeof counts);
    struct partial_body **bodies_at =
        (struct partial_body **)(small + sizeof counts + sizeof cells);
    int error = cudaMemsetAsync(d->opened.at, 0, (count + 1) * sizeof(uint32_t), d->stream);
    TRY(cudaMemsetAsync(counters, 0, sizeof counts, d->stream));
    TRY(stretch_cuda_ask(&asking, d->roots.at, roots, &d->tree, d->base, rule, d->mixed, margin,
                         d->opened.at, warps_of(d), d->stack.at, d->stream));
    TRY(stretch_cuda_offer(count, d->roots.at, roots, &d->tree, d->base, d->start - d->base,
                           d->opened.at, counters, NULL, NULL, d->stream));
    TRY(to_host(d, counts, counters, sizeof counts));
    TRY(wait_for(d));
    if (error != cudaSuccess)
        return error;
    size_t bytes = 0;
    for (int r = 0; r < asking.ranks; r++) {
        offers->cells[first + r] = counts[r][0];
        offers->out[first + r] = counts[r][0] * sizeof **cells + counts[r][1] * sizeof **bodies;
        bytes += offers->out[first + r];
    }
    TRY(make_room(&d->offers, bytes + 1));
    char *at = d->offers.at;
    for (int r = 0; r < asking.ranks; r++) {
        cells[r] = (struct partial_cell *)at;
        bodies[r] = (struct partial_body *)(cells[r] + counts[r][0]);
        at += offers->out[first + r];
    }
    TRY(to_device(d, cells_at, cells, (size_t)asking.ranks * sizeof *cells));
    TRY(to_device(d, bodies_at, bodies, (size_t)asking.ranks * sizeof *bodies));
    TRY(cudaMemsetAsync(counters, 0, sizeof counts, d->stream));
    TRY(stretch_cuda_offer(count, d->roots.at, roots, &d->tree, d->base, d->start - d->base,
                           d->opened.at, counters, cells_at, bodies_at, d->stream));
    if (error == cudaSuccess && *used + bytes > d->outbox.bytes) {
        struct block larger = {0};
        error = make_locked_room(&larger, *used + bytes);
        if (error == cudaSuccess && *used > 0)
            memcpy(larger.at, d->outbox.at, *used);
        (void)cudaFreeHost(d->outbox.at);
        d->outbox = larger;
    }
    TRY(to_host(d, (char *)d->outbox.at + *used, d->offers.at, bytes));
    TRY(wait_for(d));
    *used += bytes;
    return error;
}

static enum status offer(struct stretch_device *device, const struct demands *demands,
                         const struct exact_tree_rule *rule, double margin, const struct top *top,
                         struct offers *offers)
{
    struct cuda *d = cuda_of(device);
    const size_t asked = demands->starts[ranks_count()];
    uint32_t *roots = memory_new(top->branch_count + 1, sizeof *roots);
    size_t count = 0, used = 0;
    for (size_t k = 0; k < top->branch_count; k++) {
        const struct top_branch *branch = top->branches + k;
        if (branch->owner == ranks_own() && branch->last - branch->first >= EXACT_TREE_LEAF)
            roots[count++] = branch->number + moved_in(d);
    }
    int error = cudaSetDevice(d->number);
    offers_open(offers);
    TRY(make_room(&d->foreign_demands, (asked + 1) * sizeof *demands->list));
    TRY(make_room(&d->roots, (count + 1) * sizeof *roots));
    TRY(make_room(&d->opened, (device->count + 1) * sizeof(uint32_t)));
    TRY(make_room(&d->small, 4096));
    TRY(make_room(&d->stack, (size_t)warps_of(d) * EXACT_TREE_STACK * sizeof(uint32_t)));
    TRY(make_locked_room(&d->outbox, 4096));
    TRY(to_device(d, d->foreign_demands.at, demands->list, asked * sizeof *demands->list));
    TRY(to_device(d, d->roots.at, roots, count * sizeof *roots));
    for (int first = 0; error == cudaSuccess && first < ranks_count(); first += ASKING)
        error = answer(d, demands, rule, margin, count, first, offers, &used);
    TRY(wait_for(d));
    offers->send = d->outbox.at;
    free(roots);
    return check(d, error, "find what others need");
}

/* The parts on the device: lists of cells and of bodies, those of the top first. */
struct parts {
    struct part {
        const struct partial_cell *cells;
        const struct partial_body *bodies;
        size_t cell_count, body_count;
    } * list; /* the caller frees it */
    size_t count;
};

static int upload_parts(struct cuda *d, const struct partial_parts *parts, struct parts *out)
{
    const size_t ranks = (size_t)ranks_count(), tops = d->cells.count * sizeof *d->cells.cells;
    struct partial_body *small = memory_new(parts->body_count + 2, sizeof *small);
    size_t count = 1, bytes = 0; /* the first is needed because the root is there */
    for (size_t k = 0; k < parts->body_count; k++)
        if (parts->bodies[k].number < d->start ||
            parts->bodies[k].number >= d->start + d->device.count)
            small[count++] = parts->bodies[k];
    for (size_t r = 0; r < ranks; r++)
        bytes += parts->raw_bytes[r];
    int error = make_room(&d->asked, bytes + 1);
    TRY(make_room(&d->tops, tops + 1));
    TRY(make_room(&d->bodies, count * sizeof *small));
    *out = (struct parts){.list = memory_new(ranks + 1, sizeof *out->list), .count = ranks + 1};
    out->list[0] = (struct part){d->tops.at, d->bodies.at, d->cells.count, count};
    const char *at = d->asked.at;
    for (size_t r = 0; r < ranks; at += parts->raw_bytes[r], r++) {
        const size_t cells = parts->raw_cells[r] * sizeof *d->cells.cells;
        out->list[r + 1] =
            (struct part){(const void *)at, (const void *)(at + cells), parts->raw_cells[r],
                          (parts->raw_bytes[r] - cells) / sizeof *small};
    }
    TRY(to_device(d, d->asked.at, parts->raw, bytes));
    TRY(to_device(d, d->tops.at, d->cells.cells, tops));
    TRY(to_device(d, d->bodies.at, small, count * sizeof *small));
    free(small);
    return error;
}

/* Marks and counts the foreign places that are needed. */
static int count_places(struct cuda *d, struct stretch_places *places, const struct parts *parts)
{
    uint32_t totals[2] = {0, 0};
    int error = make_room(&d->needed, places->words * sizeof(uint64_t));
    TRY(make_room(&d->ranked, (places->words + 1) * sizeof(uint32_t)));
    TRY(make_room(&d->small, 4096));
    TRY(scratch_for(d, places->words + 1));
    if (error != cudaSuccess)
        return error;
    places->needed = d->needed.at;
    places->ranked = d->ranked.at;
    TRY(cudaMemsetAsync(places->needed, 0, places->words * sizeof *places->needed, d->stream));
    for (size_t k = 0; k < parts->count; k++) {
        const struct part *part = parts->list + k;
        TRY(stretch_cuda_need_cells(part->cell_count, part->cells, places, d->stream));
        TRY(stretch_cuda_need_bodies(part->body_count, part->bodies, places, d->stream));
    }
    TRY(stretch_cuda_rank(places, d->scratch.at, d->scratch.bytes, d->small.at, d->stream));
    TRY(to_host(d, totals, d->small.at, sizeof totals));
    TRY(wait_for(d));
    d->before = places->before = totals[0];
    d->behind = totals[1] - totals[0];
    return error;
}

static enum status build(struct stretch_device *device, const struct curve *curve,
                         const struct top *top, const struct partial_parts *parts)
{
    struct cuda *d = cuda_of(device);
    const size_t count = device->count;
    struct stretch_places places = {
        .words = d->total / 64 + 1, .start = d->start, .end = d->start + (uint32_t)count};
    struct parts up = {0};
    enum status status = partial_make_tops(&d->top, curve, top, parts, &d->cells);
    if (status != STATUS_OK)
        return status;
    int error = cudaSetDevice(d->number);
    TRY(upload_parts(d, parts, &up));
    TRY(count_places(d, &places, &up));
    if (error == cudaSuccess && (d->before > d->base || d->base + count + d->behind > d->places)) {
        error = make_places(d, d->before + d->before / 4 + FOREIGN,
                            d->behind + d->behind / 4 + FOREIGN);
        TRY(fill_own(d));
    }
    places.base = d->base;
    TRY(stretch_cuda_forget(&places, d->behind, &d->tree, d->stream));
    for (size_t k = 0; k < up.count; k++) {
        const struct part *part = up.list + k;
        /* the body that marks the root as needed is not a body of a rank */
        const size_t skip = k == 0;
        TRY(stretch_cuda_put_bodies(part->body_count - skip, part->bodies + skip, &places, &d->tree,
                                    d->stream));
        TRY(stretch_cuda_put_cells(part->cell_count, part->cells, &places, &d->tree, d->stream));
    }
    free(up.list);
    return check(d, error, "take what others sent");
}

static enum status walk(struct stretch_device *device, const struct exact_tree_rule *rule,
                        const struct exact_tree_census *census, bool potential,
                        struct exact_tree_work *work, double *cost)
{
    struct cuda *d = cuda_of(device);
    const size_t count = device->count;
    const size_t groups = exact_tree_groups(count);
    const unsigned warps = (unsigned)(groups < warps_of(d) ? groups : warps_of(d));
    const enum exact_tree_kind kind = potential ? EXACT_TREE_POTENTIAL
                                      : census  ? EXACT_TREE_BY_ERROR
                                                : EXACT_TREE_FIRST;
    struct exact_tree_head head;
    struct exact_tree_turns turns = {0};
    int error = cudaSetDevice(d->number);
    *work = (struct exact_tree_work){0};
    *cost = 0;
    if (count == 0)
        return STATUS_OK;
    TRY(make_room(&d->next, (count + 1) * sizeof(double[3])));
    TRY(make_room(&d->cost, (count + 1) * sizeof(float)));
    TRY(make_room(&d->stack, (size_t)warps_of(d) * EXACT_TREE_STACK * sizeof(uint32_t)));
    TRY(set_head(d, census));
    TRY(turn_groups(d, &turns));
    const struct exact_tree_sinks_of sinks = {.first = d->base,
                                              .count = (uint32_t)count,
                                              .root = d->start == 0 ? d->base : d->base - d->before,
                                              .last = acceleration_of(d),
                                              .stride = SHARE_DOUBLES,
                                              .out = d->next.at,
                                              .cost = potential ? NULL : d->cost.at,
                                              .turn = turns.turn};
    TRY(exact_tree_cuda_walk_part(&d->tree, &sinks, d->mixed, warps, kind, rule, d->head.at,
                                  d->stack.at, d->stream));
    TRY(to_host(d, &head, d->head.at, sizeof head));
    TRY(wait_for(d));
    if (error == cudaSuccess) {
        *work = (struct exact_tree_work){head.work.pairs, head.work.joins, head.unsent};
        *cost = census ? head.costs : 0;
    }
    return check(d, error, "walk its tree");
}

static enum status finish(struct stretch_device *device, bool spoilt)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(stretch_cuda_finish(device->count, d->body.at, spoilt ? NULL : d->next.at,
                            spoilt ? NULL : d->cost.at, d->stream));
    return check(d, error, "set accelerations");
}

static enum status potentials(struct stretch_device *device, double *out)
{
    struct cuda *d = cuda_of(device);
    int error = cudaSetDevice(d->number);
    TRY(to_host(d, out, d->next.at, device->count * sizeof *out));
    TRY(wait_for(d));
    return check(d, error, "give its potentials");
}

static size_t foreign(const struct stretch_device *device)
{
    const struct cuda *d = (const struct cuda *)device;
    return (size_t)d->before + d->behind;
}

static const struct stretch_device_ops ops = {
    .close = close_cuda,
    .load = load,
    .save = save,
    .kick = kick,
    .drift = drift,
    .damp = damp,
    .keep = keep,
    .restore = restore,
    .largest = largest,
    .broken = broken,
    .inbox = inbox,
    .survey = survey,
    .sort = sort,
    .samples = samples,
    .cut = cut,
    .take = take,
    .merge = merge,
    .append = append,
    .edge = edge,
    .fill = fill,
    .branches = branches,
    .demands = demands,
    .offer = offer,
    .build = build,
    .walk = walk,
    .finish = finish,
    .potentials = potentials,
    .foreign = foreign,
};

enum status stretch_device_open(struct stretch_device **out, int number, size_t total, bool mixed)
{
    struct cudaDeviceProp properties;
    struct cuda *d = memory_new(1, sizeof *d);
    *out = NULL;
    *d = (struct cuda){.device = {.ops = &ops}, .number = number, .mixed = mixed, .total = total};
    enum status status = cuda_probe(number);
    if (status == STATUS_OK) {
        snprintf(d->device.name, sizeof d->device.name, "CUDA device %d", number);
        int error = cudaSetDevice(number);
        TRY(cudaGetDeviceProperties(&properties, number));
        if (error == cudaSuccess) {
            snprintf(d->device.name, sizeof d->device.name, "%.100s", properties.name);
            d->multiprocessors = (unsigned)properties.multiProcessorCount;
        }
        TRY(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
        TRY(make_room(&d->head, sizeof(struct exact_tree_head)));
        TRY(make_room(&d->small, 4096));
        TRY(make_room(&d->body, sizeof(struct share_body)));
        status = check(d, error, "set up a part of a tree");
    }
    struct stretch_device *device = &d->device;
    if (status == STATUS_OK)
        *out = device;
    else
        close_cuda(&device);
    return status;
}
