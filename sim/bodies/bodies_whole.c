#include "sim/bodies/bodies_whole.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct whole bodies_whole(const struct bodies *bodies)
{
    uint64_t count = 0;
    for (size_t c = 0; c < bodies->component_count; c++)
        count += component_whole(&bodies->components[c]);
    return whole_of(bodies->shared ? count : bodies->count);
}

enum status whole_sum(const struct bodies *bodies, double *values, size_t count)
{
    const int ranks = ranks_count();
    if (!bodies->shared)
        return STATUS_OK;
    double *all = memory_new(count * (size_t)ranks, sizeof *all);
    enum status status = ranks_gather_each(values, all, count * sizeof *values);
    for (size_t k = 0; status == STATUS_OK && k < count; k++) {
        values[k] = 0;
        for (int r = 0; r < ranks; r++)
            values[k] += all[(size_t)r * count + k];
    }
    free(all);
    return status;
}

size_t whole_number(const struct bodies *bodies, size_t i)
{
    uint64_t first = 0;
    size_t c = 0;
    while (bodies->shared && c < bodies->component_count &&
           i >= bodies->components[c].first + bodies->components[c].count)
        first += component_whole(&bodies->components[c++]);
    if (!bodies->shared || c == bodies->component_count)
        return i;
    return (size_t)(first + bodies->components[c].before) + i - bodies->components[c].first;
}

size_t whole_index(const struct bodies *bodies, uint64_t number)
{
    uint64_t first = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const uint64_t begin = first + (bodies->shared ? component->before : 0);
        if (number >= begin && number < begin + component->count)
            return component->first + (size_t)(number - begin);
        first += component_whole(component);
    }
    return SIZE_MAX;
}

/* Collective: whole_continue with these bodies of every rank. */
static enum status continue_with(const struct bodies *bodies, size_t first, size_t count,
                                 whole_add add, const void *user, double *sums, size_t n)
{
    enum status status = STATUS_OK;
    if (!bodies->shared)
        add(user, bodies, first, count, sums);
    for (int r = 0; bodies->shared && r < ranks_count() && status == STATUS_OK; r++) {
        if (r == ranks_own())
            add(user, bodies, first, count, sums);
        status = ranks_share(sums, n * sizeof *sums, r);
    }
    return status;
}

enum status whole_continue(const struct bodies *bodies, size_t c, whole_add add, const void *user,
                           double *sums, size_t n)
{
    const struct component *component = &bodies->components[c];
    return continue_with(bodies, component->first, component->count, add, user, sums, n);
}

static void add_masses(const void *user, const struct bodies *bodies, size_t first, size_t count,
                       double *sums)
{
    (void)user;
    for (size_t i = first; i < first + count; i++)
        *sums += bodies->mass[i];
}

enum status whole_mass(const struct bodies *bodies, size_t c, double *mass)
{
    *mass = 0;
    return whole_continue(bodies, c, add_masses, NULL, mass, 1);
}

/* sums: of masses, moments and momenta. */
static void add_moments(const void *user, const struct bodies *bodies, size_t first, size_t count,
                        double *sums)
{
    (void)user;
    for (size_t i = first; i < first + count; i++) {
        sums[0] += bodies->mass[i];
        for (int k = 0; k < 3; k++) {
            sums[1 + k] += bodies->mass[i] * bodies->position[i][k];
            sums[4 + k] += bodies->mass[i] * bodies->velocity[i][k];
        }
    }
}

static void add_state(const void *user, const struct bodies *bodies, size_t first, size_t count,
                      double *sums)
{
    (void)user;
    for (size_t i = first; i < first + count; i++) {
        sums[0] += bodies->mass[i];
        for (int k = 0; k < 3; k++) {
            sums[1 + k] += bodies->position[i][k];
            sums[4 + k] += bodies->velocity[i][k];
        }
    }
}

enum status whole_hash(const struct bodies *bodies, char out[HASH_TEXT])
{
    struct hash_stream *stream = hash_open();
    enum status status = STATUS_OK;
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++) {
        const struct component *component = &bodies->components[c];
        const uint64_t count = component_whole(component);
        double sums[7] = {0};
        status = whole_continue(bodies, c, add_state, NULL, sums, 7);
        hash_add(stream, component->name, strlen(component->name) + 1);
        hash_add(stream, component->galaxy, strlen(component->galaxy) + 1);
        hash_add(stream, &count, sizeof count);
        hash_add(stream, sums, sizeof sums);
    }
    hash_end(&stream, status == STATUS_OK ? out : NULL);
    return status;
}

enum status whole_centre(struct bodies *bodies, size_t from, size_t to)
{
    double sums[7] = {0};
    enum status status = STATUS_OK;
    for (size_t c = from; c < to && status == STATUS_OK; c++)
        status = whole_continue(bodies, c, add_moments, NULL, sums, 7);
    for (size_t c = from; c < to && status == STATUS_OK && sums[0] > 0; c++) {
        const size_t first = bodies->components[c].first;
        for (size_t i = first; i < first + bodies->components[c].count; i++)
            for (int k = 0; k < 3; k++) {
                bodies->position[i][k] -= sums[1 + k] / sums[0];
                bodies->velocity[i][k] -= sums[4 + k] / sums[0];
            }
    }
    return status;
}

void whole_divide(struct component *component, size_t first, unsigned part, unsigned parts)
{
    const size_t whole = component->count;
    component->before = share_begin(whole, part, parts);
    component->first = first;
    component->count = share_begin(whole, part + 1, parts) - (size_t)component->before;
    component->whole = whole;
}

void whole_take(struct bodies *bodies, const uint64_t *whole, unsigned part, unsigned parts)
{
    size_t kept = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        struct component *component = &bodies->components[kept];
        *component = bodies->components[c];
        component->whole = whole[c];
        component->before = share_begin(whole[c], part, parts);
        kept += whole[c] > 0;
    }
    bodies->component_count = kept;
    bodies->shared = true;
}

enum status whole_any(const struct bodies *bodies, bool *is)
{
    double value = *is;
    const enum status status = bodies->shared ? ranks_largest(&value, 1) : STATUS_OK;
    *is = value > 0;
    return status;
}

/* Maps doubles to whole numbers in the same order, with -0 below 0. */
static uint64_t ordered(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double from_ordered(uint64_t number)
{
    const uint64_t bits = number >> 63 ? number & ~(UINT64_C(1) << 63) : ~number;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t count_up_to(const double *sorted, size_t count, double limit)
{
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (sorted[middle] <= limit)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Collective: finds the smallest value that more than `rank` of all values do not exceed. */
static enum status find_ranked(const double *sorted, size_t count, uint64_t rank, double *out)
{
    uint64_t low = ordered(-INFINITY), high = ordered(INFINITY);
    enum status status = STATUS_OK;
    while (low < high && status == STATUS_OK) {
        const uint64_t middle = low + (high - low) / 2;
        uint64_t below = count_up_to(sorted, count, from_ordered(middle));
        status = ranks_sum(&below, 1);
        if (below > rank)
            high = middle;
        else
            low = middle + 1;
    }
    *out = from_ordered(low) + 0.0; /* turns -0 into 0: they compare equal */
    return status;
}

enum status whole_percentile(const struct bodies *bodies, const double *sorted, size_t count,
                             double fraction, bool above, double *out)
{
    uint64_t all = count;
    const enum status status = bodies->shared ? ranks_sum(&all, 1) : STATUS_OK;
    *out = 0;
    if (status != STATUS_OK || all == 0)
        return status;
    const double exact = fraction * (double)(all - 1);
    const uint64_t rank = (uint64_t)(above ? ceil(exact) : exact);
    if (bodies->shared)
        return find_ranked(sorted, count, rank, out);
    *out = sorted[rank];
    return STATUS_OK;
}

/* ---- copies of some bodies on every rank ---- */

/* The numbers of a packed body, columns last. */
enum { OF_MASS, OF_ID, OF_POSITION, OF_VELOCITY = OF_POSITION + 3, OF_COLUMNS = OF_VELOCITY + 3 };

static void pack(const struct bodies *bodies, size_t i, double *out)
{
    out[OF_MASS] = bodies->mass[i];
    if (bodies->id)
        memcpy(&out[OF_ID], &bodies->id[i], sizeof *bodies->id);
    memcpy(&out[OF_POSITION], bodies->position[i], sizeof *bodies->position);
    memcpy(&out[OF_VELOCITY], bodies->velocity[i], sizeof *bodies->velocity);
    for (size_t k = 0; k < bodies->columns.count; k++)
        out[OF_COLUMNS + k] = bodies->columns.list[k].value[i];
}

static void unpack(const double *in, struct bodies *bodies, size_t i)
{
    bodies->mass[i] = in[OF_MASS];
    if (bodies->id)
        memcpy(&bodies->id[i], &in[OF_ID], sizeof *bodies->id);
    memcpy(bodies->position[i], &in[OF_POSITION], sizeof *bodies->position);
    memcpy(bodies->velocity[i], &in[OF_VELOCITY], sizeof *bodies->velocity);
    for (size_t k = 0; k < bodies->columns.count; k++)
        bodies->columns.list[k].value[i] = in[OF_COLUMNS + k];
}

/* Collective: gathers the rows of all ranks, of `width` bytes each, on every rank. This rank has
 * `own` rows; all ranks together must have `count`. */
static enum status gather_rows(const void *rows, size_t own, size_t width, size_t count, void *all)
{
    const size_t ranks = (size_t)ranks_count();
    uint64_t mine = own, *of = memory_new(ranks, sizeof *of);
    size_t *bytes = memory_new(ranks, sizeof *bytes), sum = 0;
    enum status status = ranks_gather_each(&mine, of, sizeof mine);
    for (size_t r = 0; r < ranks; r++) {
        bytes[r] = of[r] * width;
        sum += of[r];
    }
    if (status == STATUS_OK && sum != count)
        status = status_fail(STATUS_RUNTIME, "all ranks together sent %zu bodies instead of %zu",
                             sum, count);
    if (status == STATUS_OK)
        status = ranks_gather(rows, all, bytes);
    free(of);
    free(bytes);
    return status;
}

/* Collective: whole_rows to the bodies from `first` on of `out`, which has room and the columns. */
static enum status copy_rows(const struct bodies *bodies, size_t c, size_t picks, whole_row row,
                             const void *user, struct bodies *out, size_t first)
{
    const struct component *from = &bodies->components[c];
    const size_t width = OF_COLUMNS + bodies->columns.count;
    const uint64_t whole = component_whole(from);
    size_t own = 0;
    double *rows = memory_new(picks * width + 1, sizeof *rows),
           *all = memory_new(picks * width + 1, sizeof *all);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < picks; i++) {
        const uint64_t k = row(user, i, whole);
        if (k >= from->before && k < from->before + from->count)
            pack(bodies, from->first + (size_t)(k - from->before), rows + own++ * width);
    }
    if (bodies->shared)
        status = gather_rows(rows, own, width * sizeof *rows, picks, all);
    for (size_t i = 0; status == STATUS_OK && i < picks; i++)
        unpack((bodies->shared ? all : rows) + i * width, out, first + i);
    free(rows);
    free(all);
    return status;
}

/* Bodies with room for `count` in `components`, and the columns of `like`. */
static enum status create_like(const struct bodies *like, size_t count, size_t components,
                               struct bodies **out)
{
    enum status status = bodies_create(out, count, components);
    if (status == STATUS_OK && like->id)
        status = bodies_add_ids(*out, count);
    for (size_t k = 0; k < like->columns.count && status == STATUS_OK; k++) {
        const struct body_column *column = &like->columns.list[k];
        status =
            body_columns_add(&(*out)->columns, column->name, column->unit, column->single, count);
    }
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}

enum status whole_rows(const struct bodies *bodies, size_t c, size_t picks, whole_row row,
                       const void *user, struct bodies **out)
{
    enum status status = create_like(bodies, picks, 1, out);
    if (status == STATUS_OK)
        status = copy_rows(bodies, c, picks, row, user, *out, 0);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}

static uint64_t kept_row(const void *user, size_t i, uint64_t count)
{
    return thin_row(i, *(const size_t *)user, count);
}

static enum status gather_component(const struct bodies *bodies, size_t c, size_t share,
                                    struct bodies *out)
{
    const struct component *from = &bodies->components[c];
    struct component *to = &out->components[out->component_count];
    const size_t first = out->count;
    double before, after = 0;
    enum status status = whole_mass(bodies, c, &before);
    if (status == STATUS_OK)
        status = copy_rows(bodies, c, share, kept_row, &share, out, first);
    if (status != STATUS_OK)
        return status;
    *to = *from;
    to->first = first;
    to->count = share;
    to->whole = to->before = 0;
    for (size_t i = first; i < first + share; i++)
        after += out->mass[i];
    if (share < from->whole)
        thin_weigh(out, first, share, (double)from->whole / (double)share, before, after);
    out->count += share;
    out->component_count++;
    return STATUS_OK;
}

enum status whole_thin(const struct bodies *bodies, size_t count, struct bodies **out)
{
    const uint64_t all = whole_size(bodies_whole(bodies));
    *out = NULL;
    if (!bodies->shared) {
        const enum status status = bodies_copy(out, bodies);
        return status == STATUS_OK ? bodies_thin(*out, count) : status;
    }
    const size_t kept = count < all ? count : (size_t)all;
    size_t *share = memory_new(bodies->component_count, sizeof *share);
    thin_share(bodies, kept, share);
    enum status status = create_like(bodies, kept, bodies->component_count, out);
    if (status == STATUS_OK)
        (*out)->count = (*out)->component_count = 0;
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++)
        if (share[c] > 0)
            status = gather_component(bodies, c, share[c], *out);
    free(share);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}

/* Collective: keeps `share` bodies of component c; those on this rank move to `to`. */
static enum status keep(struct bodies *bodies, size_t c, struct component *component, size_t share,
                        size_t to)
{
    double all, left = 0;
    size_t kept = 0;
    uint64_t before = 0;
    enum status status = whole_mass(bodies, c, &all);
    for (size_t i = 0; i < share; i++) {
        const uint64_t row = thin_row(i, share, component->whole);
        before += row < component->before;
        if (row >= component->before && row < component->before + component->count)
            bodies_move(bodies, to + kept++, component->first + (size_t)(row - component->before));
    }
    if (status == STATUS_OK)
        status = continue_with(bodies, to, kept, add_masses, NULL, &left, 1);
    if (status == STATUS_OK && share < component->whole)
        thin_weigh(bodies, to, kept, (double)component->whole / (double)share, all, left);
    component->first = to;
    component->count = kept;
    component->whole = share;
    component->before = before;
    return status;
}

enum status whole_keep(struct bodies *bodies, size_t count)
{
    const uint64_t all = whole_size(bodies_whole(bodies));
    if (!bodies->shared || count >= all || count == 0)
        return count == all ? STATUS_OK : bodies_thin(bodies, count);
    size_t *share = memory_new(bodies->component_count, sizeof *share), to = 0, components = 0;
    enum status status = STATUS_OK;
    thin_share(bodies, count, share);
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++) {
        struct component component = bodies->components[c];
        if (share[c] == 0)
            continue;
        status = keep(bodies, c, &component, share[c], to);
        to += component.count;
        bodies->components[components++] = component;
    }
    bodies->count = to;
    bodies->component_count = components;
    free(share);
    return status;
}

/* ---- the sample of a view ---- */

enum status whole_sample(const struct bodies *bodies, const float *position, const float *velocity,
                         size_t stride, float *out)
{
    struct row {
        uint64_t number;
        float position[4], velocity[4];
    };
    const size_t count = (whole_size(bodies_whole(bodies)) + stride - 1) / stride;
    struct row *own = memory_new(count, sizeof *own), *all = memory_new(count, sizeof *all);
    size_t used = 0;
    uint64_t first = 0;
    for (size_t c = 0; c < bodies->component_count; first += bodies->components[c++].whole) {
        const struct component *component = &bodies->components[c];
        const uint64_t begin = first + component->before, end = begin + component->count;
        for (uint64_t k = (begin + stride - 1) / stride; k * stride < end && used < count; k++) {
            const size_t i = component->first + (size_t)(k * stride - begin);
            struct row *row = &own[used++];
            row->number = k;
            memcpy(row->position, position + 4 * i, sizeof row->position);
            if (velocity)
                memcpy(row->velocity, velocity + 4 * i, sizeof row->velocity);
        }
    }
    enum status status = gather_rows(own, used, sizeof *own, count, all);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (all[i].number >= count) {
            status = status_fail(STATUS_RUNTIME, "a rank sent body %llu of a sample of %zu bodies",
                                 (unsigned long long)all[i].number, count);
            break;
        }
        memcpy(out + 4 * all[i].number, all[i].position, sizeof all[i].position);
        memcpy(out + 4 * (count + all[i].number), all[i].velocity, sizeof all[i].velocity);
    }
    free(own);
    free(all);
    return status;
}
