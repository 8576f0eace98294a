#include "sim/ranks/curve.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/gravity/exact_tree/exact_build.h"
#include "sim/gravity/tree/morton.h"
#include "sim/ranks/stretch_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = EXACT_TREE_GROUP };

/* Stretches are chosen anew when the largest cost of a rank exceeds the mean by this factor. */
static const double TOLERANCE = 1.05;

void curve_open(struct curve *curve, size_t total)
{
    const size_t ranks = (size_t)ranks_count();
    *curve = (struct curve){.total = total};
    curve->starts = memory_new(ranks + 1, sizeof *curve->starts);
    curve->splitters = memory_new(ranks, sizeof *curve->splitters);
}

void curve_close(struct curve *curve)
{
    free(curve->starts);
    free(curve->splitters);
    free(curve->key);
    free(curve->spare_key);
    free(curve->order);
    free(curve->spare_order);
    share_close(&curve->spare);
    *curve = (struct curve){0};
}

int curve_owner(const struct curve *curve, size_t place)
{
    int low = 0, high = ranks_count();
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (curve->starts[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Keys and order stay. */
static enum status make_room(struct curve *curve, size_t count)
{
    if (curve->room > 0 && count <= curve->room)
        return STATUS_OK;
    const size_t room = count + count / 16 + 64;
    free(curve->spare_key);
    free(curve->spare_order);
    uint64_t *key = realloc(curve->key, room * sizeof *key);
    uint32_t *order = realloc(curve->order, room * sizeof *order);
    curve->key = key ? key : curve->key;
    curve->order = order ? order : curve->order;
    curve->spare_key = malloc(room * sizeof *key);
    curve->spare_order = malloc(room * sizeof *order);
    if (!key || !order || !curve->spare_key || !curve->spare_order) {
        curve->room = 0;
        return status_fail(STATUS_RUNTIME, "no memory for the keys of %zu bodies; use more ranks",
                           room);
    }
    curve->room = room;
    return STATUS_OK;
}

static void swap_arrays(struct curve *curve)
{
    uint64_t *key = curve->key;
    uint32_t *order = curve->order;
    curve->key = curve->spare_key;
    curve->order = curve->spare_order;
    curve->spare_key = key;
    curve->spare_order = order;
}

static bool is_finite(const double at[3])
{
    return isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
}

static const struct stretch_survey NOBODY = {.low = {INFINITY, INFINITY, INFINITY},
                                             .high = {-INFINITY, -INFINITY, -INFINITY},
                                             .half_low = INFINITY};

static void add_survey(struct stretch_survey *all, const struct stretch_survey *part)
{
    for (int c = 0; c < 3; c++) {
        all->low[c] = part->low[c] < all->low[c] ? part->low[c] : all->low[c];
        all->high[c] = part->high[c] > all->high[c] ? part->high[c] : all->high[c];
    }
    all->half_low = part->half_low < all->half_low ? part->half_low : all->half_low;
    all->half_high = part->half_high > all->half_high ? part->half_high : all->half_high;
    all->spoilt |= part->spoilt;
    exact_tree_add_census(&all->census, &part->census);
}

void census_pack(const struct exact_tree_census *census, uint64_t out[CENSUS_NUMBERS])
{
    out[0] = (uint64_t)census->exponents;
    out[1] = (uint64_t)census->moving;
    out[2] = (uint64_t)census->weights;
    out[3] = (uint64_t)census->massive;
    out[4] = census->broken;
}

struct exact_tree_census census_unpack(const uint64_t sum[CENSUS_NUMBERS])
{
    return (struct exact_tree_census){.exponents = (long long)sum[0],
                                      .moving = (long long)sum[1],
                                      .weights = (long long)sum[2],
                                      .massive = (long long)sum[3],
                                      .broken = sum[4] > 0};
}

/* Surveys the rank's bodies; see stretch_device.h. */
static void survey_share(const struct share *share, size_t step, uint64_t *sample,
                         struct stretch_survey *out, int threads)
{
    *out = NOBODY;
#pragma omp parallel num_threads(threads)
    {
        struct stretch_survey own = NOBODY;
#pragma omp for schedule(dynamic, 4096)
        for (size_t i = 0; i < share->count; i++) {
            const struct share_body *body = share->body + i;
            if (body->number % step == 0)
                memcpy(sample + 3 * (body->number / step), body->position, sizeof body->position);
            struct stretch_survey one = {.half_low = body->half,
                                         .half_high = body->half,
                                         .spoilt = !is_finite(body->position)};
            memcpy(one.low, body->position, sizeof one.low);
            memcpy(one.high, body->position, sizeof one.high);
            exact_tree_count(&one.census, exact_tree_size(body->acceleration));
            exact_tree_weigh(&one.census, body->mass);
            add_survey(&own, &one);
        }
#pragma omp critical
        add_survey(out, &own);
    }
}

/* A sample travels as the bits of its numbers. One rank sets each, so that a sum of integers brings
 * it unchanged to all. */
enum status curve_frame(const struct curve *curve, const struct share *share, double softening,
                        double largest, struct exact_tree_frame *frame,
                        struct exact_tree_census *census, bool *spoilt, int threads)
{
    enum { NUMBERS = 3 * KEY_SAMPLE + CENSUS_NUMBERS + 1 };
    const size_t step = key_sample_stride(curve->total);
    struct key_sample *sample = memory_new(1, sizeof *sample);
    uint64_t *sum = memory_new(NUMBERS, sizeof *sum), *counts = sum + 3 * KEY_SAMPLE;
    struct stretch_survey own;
    struct stretch_device *const device = curve->device;
    enum status status = STATUS_OK;
    sample->count = (curve->total + step - 1) / step;
    if (device)
        status = device->ops->survey(device, step, sum, sample->count, &own);
    else
        survey_share(share, step, sum, &own, threads);
    status = ranks_agree(status);
    if (status == STATUS_OK) {
        census_pack(&own.census, counts);
        counts[CENSUS_NUMBERS] = own.spoilt;
        status = ranks_sum(sum, NUMBERS);
    }
    *spoilt = counts[CENSUS_NUMBERS] > 0;
    if (status == STATUS_OK && !*spoilt) {
        double ends[8] = {[6] = -own.half_low, [7] = own.half_high};
        struct key_box box;
        for (int c = 0; c < 3; c++) {
            ends[c] = -own.low[c];
            ends[3 + c] = own.high[c];
        }
        *census = census_unpack(counts);
        status = ranks_largest(ends, 8);
        memcpy(sample->at, sum, sample->count * sizeof *sample->at);
        key_box_begin(&box, sample);
        const double low[3] = {-ends[0], -ends[1], -ends[2]};
        key_box_end(&box, sample, fmax(key_box_away(&box, low), key_box_away(&box, ends + 3)));
        *frame = exact_tree_frame_of(box.centre, box.scale, softening, largest);
        exact_tree_set_kinds(frame, curve->total, -ends[6], ends[7]);
    }
    free(sample);
    free(sum);
    return status;
}

static double weight_of(const struct curve *curve, const struct share_body *body)
{
    return body->cost > 0 && curve->rate > 0 ? (double)body->cost * curve->rate : 1;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t one = ((const struct curve_sample *)a)->key,
                   other = ((const struct curve_sample *)b)->key;
    return (one > other) - (one < other);
}

/* Takes samples of the rank's bodies, each of which stands for the same share of their cost. */
static void take_samples(const struct curve *curve, const struct share *share, size_t wanted,
                         struct curve_sample *sample)
{
    double all = 0, sum = 0;
    size_t taken = 0;
    for (size_t i = 0; i < share->count; i++)
        all += weight_of(curve, share->body + i);
    for (size_t i = 0; i < share->count && taken < wanted; i++) {
        sum += weight_of(curve, share->body + curve->order[i]);
        while (taken < wanted && sum >= all * ((double)taken + 0.5) / (double)wanted)
            sample[taken++] = (struct curve_sample){curve->key[i], all / (double)wanted};
    }
    while (taken < wanted && share->count > 0)
        sample[taken++] = (struct curve_sample){curve->key[share->count - 1], all / (double)wanted};
    while (taken < wanted)
        sample[taken++] = (struct curve_sample){0};
}

/* Collective: chooses where the stretches of ranks begin, from samples of all ranks. */
static enum status choose_splitters(struct curve *curve, const struct share *share)
{
    const size_t ranks = (size_t)ranks_count();
    const size_t wanted = ranks < 64 ? 1024 : 16 + 65536 / ranks;
    struct curve_sample *own = memory_new(wanted, sizeof *own);
    struct curve_sample *all = memory_new(wanted * ranks, sizeof *all);
    enum status status = STATUS_OK;
    if (curve->device)
        status = curve->device->ops->samples(curve->device, curve->rate, wanted, own);
    else
        take_samples(curve, share, wanted, own);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_gather_each(own, all, wanted * sizeof *own);
    if (status == STATUS_OK) {
        double total = 0, sum = 0;
        qsort(all, wanted * ranks, sizeof *all, by_key);
        for (size_t k = 0; k < wanted * ranks; k++)
            total += all[k].weight;
        size_t next = 0;
        for (size_t k = 0; k < wanted * ranks && next + 1 < ranks; k++) {
            while (next + 1 < ranks && sum >= total * (double)(next + 1) / (double)ranks)
                curve->splitters[next++] = all[k].key;
            sum += all[k].weight;
        }
        while (next + 1 < ranks)
            curve->splitters[next++] = UINT64_MAX;
    }
    free(own);
    free(all);
    return status;
}

/* The first of the sorted keys that is not below `from`. */
static size_t lower_bound(const uint64_t *key, size_t count, uint64_t from)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (key[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Orders bodies with equal keys; keys_sort orders them by their present place. */
static void order_equal(const struct share_body *body, const struct exact_tree_frame *frame,
                        const uint64_t *key, uint32_t *order, size_t count)
{
    exact_tree_order_equal(frame, key, order, count, body->position, SHARE_DOUBLES, &body->number,
                           sizeof *body / sizeof body->number);
}

/* Bytes to and from every rank. */
struct transfer {
    size_t *out, *in;
    size_t arriving; /* bytes */
};

static void transfer_close(struct transfer *transfer)
{
    free(transfer->out);
    free(transfer->in);
}

/* Sorted bodies: those that stay on the rank, and those that arrived. */
struct sorted {
    const struct exact_tree_frame *frame;
    const struct share_body *body;
    const uint64_t *key;
    const uint32_t *order;
    size_t count;
};

/* Whether the sorted body at a place comes before a body with that key. */
static bool comes_before(const struct sorted *sorted, size_t at, uint64_t key,
                         const struct share_body *body)
{
    const struct share_body *own = sorted->body + sorted->order[at];
    return sorted->key[at] < key ||
           (sorted->key[at] == key && exact_tree_precedes(sorted->frame, own->position, own->number,
                                                          body->position, body->number));
}

/* The number of bodies that come before a body with that key. */
static size_t before(const struct sorted *sorted, uint64_t key, const struct share_body *body)
{
    size_t low = 0, high = sorted->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (comes_before(sorted, middle, key, body))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Copies bodies `first` to before `end` of `from` as below. */
static void merge_some(const struct sorted *from, const struct sorted *other, size_t first,
                       size_t end, size_t skip, struct share_body *leaving, struct share_body *to,
                       uint64_t *key)
{
    size_t passed = before(other, from->key[first], from->body + from->order[first]);
    for (size_t i = first; i < end; i++) {
        const struct share_body *body = from->body + from->order[i];
        while (passed < other->count && comes_before(other, passed, from->key[i], body))
            passed++;
        const size_t place = i + passed;
        if (place < skip) {
            leaving[place] = *body;
            continue;
        }
        to[place - skip] = *body;
        key[place - skip] = from->key[i];
    }
}

/* Copies the bodies of `from` to their places in the merged order; bodies before `skip` go to
 * `leaving`. */
static void merge(const struct sorted *from, const struct sorted *other, size_t skip,
                  struct share_body *leaving, struct share_body *to, uint64_t *key, int threads)
{
    enum { SHARE = 4096 };
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t first = 0; first < from->count; first += SHARE)
        merge_some(from, other, first, first + SHARE < from->count ? first + SHARE : from->count,
                   skip, leaving, to, key);
}

/* Collective: the place along the curve of each rank's first body, if this rank has `own`. */
static enum status count_places(struct curve *curve, size_t own)
{
    const size_t ranks = (size_t)ranks_count();
    enum status status = ranks_gather_each(&own, curve->starts + 1, sizeof own);
    curve->starts[0] = 0;
    for (size_t r = 0; r < ranks; r++)
        curve->starts[r + 1] += curve->starts[r];
    if (status == STATUS_OK && curve->starts[ranks] != curve->total)
        return status_fail(STATUS_RUNTIME, "the ranks have %zu bodies instead of %zu",
                           curve->starts[ranks], curve->total);
    return status;
}

/* Moves each start to the next whole group. */
static void align_starts(struct curve *curve)
{
    for (int r = 1; r < ranks_count(); r++) {
        const size_t start = (curve->starts[r] + GROUP - 1) / GROUP * GROUP;
        curve->starts[r] = start < curve->total ? start : curve->total;
    }
}

/* Bodies of the share that leave, as in stretch_device.h. */
static enum status take_from_share(const struct curve *curve, const struct share *share,
                                   size_t from, size_t stay, struct share *leaving)
{
    enum status status = share_room(leaving, share->count - stay);
    for (size_t i = 0; status == STATUS_OK && i < share->count; i++)
        if (i < from || i >= from + stay)
            leaving->body[leaving->count++] = share->body[curve->order[i]];
    return status;
}

/* Room for bodies that arrive: page-locked memory of the device, if there is one. */
static enum status room_for_arrivals(const struct curve *curve, struct share *arrived, size_t count,
                                     struct share_body **out)
{
    enum status status;
    if (curve->device) {
        void *inbox = NULL;
        status = curve->device->ops->inbox(curve->device, count * sizeof **out, &inbox);
        *out = inbox;
        return status;
    }
    status = share_room(arrived, count);
    *out = arrived->body;
    return status;
}

/* Bodies on the move: those whose keys lie in other ranks' stretches. */
static enum status send_away(struct curve *curve, const struct share *share,
                             struct transfer *transfer, struct share *arrived,
                             struct share_body **arrivals, size_t *from, size_t *stay)
{
    const size_t ranks = (size_t)ranks_count(), own = (size_t)ranks_own();
    struct stretch_device *const device = curve->device;
    struct share leaving = {0};
    const struct share_body *out = NULL;
    size_t *cuts = memory_new(ranks + 1, sizeof *cuts);
    enum status status = STATUS_OK;
    cuts[ranks] = share->count;
    if (device)
        status = device->ops->cut(device, curve->splitters, cuts);
    for (size_t r = 1; r < ranks; r++) {
        if (!device)
            cuts[r] = lower_bound(curve->key, share->count, curve->splitters[r - 1]);
        cuts[r] = cuts[r] < cuts[r - 1] ? cuts[r - 1] : cuts[r];
    }
    for (size_t r = 0; r < ranks; r++)
        transfer->out[r] = r == own ? 0 : (cuts[r + 1] - cuts[r]) * sizeof *share->body;
    *from = cuts[own];
    *stay = cuts[own + 1] - cuts[own];
    free(cuts);
    if (status == STATUS_OK && device)
        status = device->ops->take(device, *from, *stay, &out);
    else if (status == STATUS_OK)
        status = take_from_share(curve, share, *from, *stay, &leaving);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = share_announce(transfer->out, transfer->in, &transfer->arriving);
    arrived->count = transfer->arriving / sizeof *share->body;
    if (status == STATUS_OK)
        status = ranks_agree(room_for_arrivals(curve, arrived, arrived->count, arrivals));
    if (status == STATUS_OK)
        status =
            ranks_exchange(device ? out : leaving.body, transfer->out, *arrivals, transfer->in);
    share_close(&leaving);
    return status;
}

/* Sorts the bodies that arrived; the caller frees key and order. */
static void sort_arrived(const struct share *arrived, const struct exact_tree_frame *frame,
                         int threads, uint64_t **key, uint32_t **order)
{
    const size_t count = arrived->count;
    uint64_t *spare_key = memory_new(count + 1, sizeof *spare_key);
    uint32_t *spare_order = memory_new(count + 1, sizeof *spare_order);
    *key = memory_new(count + 1, sizeof **key);
    *order = memory_new(count + 1, sizeof **order);
    if (count > 0) {
        exact_tree_keys(frame, arrived->body->position, SHARE_DOUBLES, &arrived->body->half,
                        SHARE_DOUBLES, count, *key, threads);
        if (keys_sort(count, *key, *order, spare_key, spare_order, threads)) {
            memcpy(*key, spare_key, count * sizeof *spare_key);
            memcpy(*order, spare_order, count * sizeof *spare_order);
        }
        order_equal(arrived->body, frame, *key, *order, count);
    }
    free(spare_key);
    free(spare_order);
}

/* Merges the bodies that stay and those that arrived into the spare share, from the rank's first
 * whole group on. `leaving`: the bodies before it. */
static enum status merge_shares(struct curve *curve, const struct share *share, size_t from,
                                size_t stay, const struct share *arrived,
                                const struct exact_tree_frame *frame, size_t skip, size_t most,
                                struct share *leaving, int threads)
{
    const size_t ranks = (size_t)ranks_count();
    uint64_t *key = NULL;
    uint32_t *order = NULL;
    enum status status = share_room(leaving, skip);
    if (status == STATUS_OK)
        status = share_room(&curve->spare, most);
    if (status != STATUS_OK)
        return status;
    sort_arrived(arrived, frame, threads, &key, &order);
    /* the merged keys go to spare_key, which must also have room for the bodies that are appended
     */
    status = make_room(curve, stay + arrived->count + 2 * GROUP + (size_t)GROUP * ranks);
    const struct sorted staying = {frame, share->body, curve->key + from, curve->order + from,
                                   stay};
    const struct sorted arriving = {frame, arrived->body, key, order, arrived->count};
    if (status == STATUS_OK) {
        merge(&staying, &arriving, skip, leaving->body, curve->spare.body, curve->spare_key,
              threads);
        merge(&arriving, &staying, skip, leaving->body, curve->spare.body, curve->spare_key,
              threads);
    }
    free(key);
    free(order);
    return status;
}

/* The spare share, which now has all bodies of the rank, becomes the share. */
static void use_spare(struct curve *curve, struct share *share, size_t kept, size_t count,
                      const struct exact_tree_frame *frame, int threads)
{
    curve->spare.count = count;
    if (count > kept)
        exact_tree_keys(frame, curve->spare.body[kept].position, SHARE_DOUBLES,
                        &curve->spare.body[kept].half, SHARE_DOUBLES, count - kept,
                        curve->spare_key + kept, threads);
    const struct share former = *share;
    *share = curve->spare;
    curve->spare = former;
    swap_arrays(curve);
}

/* Collective: merges the bodies that stay and those that arrived; bodies before the rank's first
 * whole group go on to earlier ranks. */
static enum status settle(struct curve *curve, struct share *share, size_t from, size_t stay,
                          const struct share *arrived, const struct share_body *arrivals,
                          const struct exact_tree_frame *frame, struct transfer *transfer,
                          int threads)
{
    const int own = ranks_own();
    struct stretch_device *const device = curve->device;
    const size_t count = stay + arrived->count;
    enum status status = count_places(curve, count);
    if (status != STATUS_OK)
        return status;
    const size_t begin = curve->starts[own];
    align_starts(curve);
    const size_t start = curve->starts[own], skip = start - begin < count ? start - begin : count;
    const size_t kept = count - skip, end = curve->starts[own + 1];
    const size_t most = end - start > kept ? end - start : kept;
    struct share leaving = {0};
    const struct share_body *out = NULL;
    struct share_body *in = NULL;
    if (device)
        status = device->ops->merge(device, arrivals, arrived->count, skip, most, &out);
    else
        status =
            merge_shares(curve, share, from, stay, arrived, frame, skip, most, &leaving, threads);
    status = ranks_agree(status);
    if (status == STATUS_OK) {
        for (int r = 0; r < ranks_count(); r++) {
            const size_t low = curve->starts[r] > begin ? curve->starts[r] : begin;
            const size_t high =
                curve->starts[r + 1] < begin + skip ? curve->starts[r + 1] : begin + skip;
            transfer->out[r] = high > low ? (high - low) * sizeof *out : 0;
        }
        status = share_announce(transfer->out, transfer->in, &transfer->arriving);
    }
    const size_t coming = transfer->arriving / sizeof *out;
    if (status == STATUS_OK && kept + coming > most)
        status = status_fail(STATUS_RUNTIME, "%zu bodies arrive at a rank with room for %zu",
                             coming, most - kept);
    if (status == STATUS_OK && device)
        status = room_for_arrivals(curve, NULL, coming, &in);
    else if (status == STATUS_OK)
        in = curve->spare.body + kept;
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_exchange(device ? out : leaving.body, transfer->out, in, transfer->in);
    share_close(&leaving);
    if (status != STATUS_OK)
        return status;
    if (!device)
        use_spare(curve, share, kept, kept + coming, frame, threads);
    else
        status = device->ops->append(device, in, coming);
    if (device)
        share->count = device->count;
    return ranks_agree(status);
}

/* Sorts the share along the curve. */
static enum status sort_share(struct curve *curve, const struct share *share,
                              const struct exact_tree_frame *frame, int threads)
{
    enum status status = make_room(curve, share->count);
    if (status == STATUS_OK && share->count > 0) {
        exact_tree_keys(frame, share->body->position, SHARE_DOUBLES, &share->body->half,
                        SHARE_DOUBLES, share->count, curve->key, threads);
        if (keys_sort(share->count, curve->key, curve->order, curve->spare_key, curve->spare_order,
                      threads))
            swap_arrays(curve);
        order_equal(share->body, frame, curve->key, curve->order, share->count);
    }
    return status;
}

enum status curve_sort(struct curve *curve, struct share *share,
                       const struct exact_tree_frame *frame, int threads)
{
    const size_t ranks = (size_t)ranks_count();
    struct transfer transfer = {.out = memory_new(ranks, sizeof *transfer.out),
                                .in = memory_new(ranks, sizeof *transfer.in)};
    struct share arrived = {0};
    struct share_body *arrivals = NULL;
    size_t from = 0, stay = 0;
    enum status status = curve->device ? curve->device->ops->sort(curve->device, frame)
                                       : sort_share(curve, share, frame, threads);
    status = ranks_agree(status);
    if (status == STATUS_OK &&
        (!curve->known || curve->scale != frame->box || curve->imbalance > TOLERANCE)) {
        status = choose_splitters(curve, share);
        curve->known = true;
        curve->scale = frame->box;
    }
    if (status == STATUS_OK)
        status = send_away(curve, share, &transfer, &arrived, &arrivals, &from, &stay);
    if (status == STATUS_OK)
        status = settle(curve, share, from, stay, &arrived, arrivals, frame, &transfer, threads);
    share_close(&arrived);
    transfer_close(&transfer);
    return status;
}
