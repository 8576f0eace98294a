#include "sim/bodies/components.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "sim/bodies/edit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_first(const void *a, const void *b)
{
    const struct component_params *x = *(const struct component_params *const *)a;
    const struct component_params *y = *(const struct component_params *const *)b;
    return (x->first > y->first) - (x->first < y->first);
}

static enum status check_component(const struct component_params *component, const char *path,
                                   size_t rows, bool by_id)
{
    const char *galaxy = component->galaxy, *slash = *galaxy ? "/" : "", *name = component->name;
    if (strlen(name) >= BODIES_NAME_MAX || strlen(galaxy) >= BODIES_NAME_MAX)
        return status_fail(STATUS_USAGE,
                           "component '%s%s%s' has a name longer than %d bytes; shorten it", galaxy,
                           slash, name, BODIES_NAME_MAX - 1);
    if (!(isfinite(component->light) && component->light >= 0))
        return status_fail(STATUS_USAGE,
                           "component '%s%s%s' has light %g; give a finite number "
                           "not below 0",
                           galaxy, slash, name, component->light);
    if (component->last < component->first ||
        (!by_id && (component->first < 1 || component->last > rows)))
        return status_fail(
            STATUS_USAGE,
            by_id ? "component '%s%s%s' has the ids %llu to %llu, which are not in order; give the "
                    "lower one first"
                  : "component '%s%s%s' has the rows %llu to %llu, and %s has rows 1 to %zu; give "
                    "a range within them",
            galaxy, slash, name, (unsigned long long)component->first,
            (unsigned long long)component->last, path, rows);
    return STATUS_OK;
}

static enum status check_components(const struct bodies_params *params, size_t rows)
{
    const size_t n = params->component_count;
    const struct component_params **sorted = memory_new(n, sizeof *sorted);
    enum status status = STATUS_OK;
    for (size_t c = 0; c < n && status == STATUS_OK; c++) {
        sorted[c] = &params->components[c];
        status = check_component(sorted[c], params->file, rows, params->by_id);
    }
    if (status == STATUS_OK)
        qsort(sorted, n, sizeof *sorted, by_first);
    for (size_t c = 1; c < n && status == STATUS_OK; c++) {
        const struct component_params *a = sorted[c - 1], *b = sorted[c];
        if (b->first <= a->last)
            status = status_fail(STATUS_USAGE,
                                 "components '%s%s%s' and '%s%s%s' both have %s %llu; give ranges "
                                 "that do not overlap",
                                 a->galaxy, *a->galaxy ? "/" : "", a->name, b->galaxy,
                                 *b->galaxy ? "/" : "", b->name, params->by_id ? "id" : "row",
                                 (unsigned long long)b->first);
    }
    free(sorted);
    return status;
}

static void name_component(struct component *component, const struct component_params *from)
{
    *component =
        (struct component){.draw = from->draw, .light = from->light, .softening = from->softening};
    snprintf(component->name, BODIES_NAME_MAX, "%s", from->name);
    snprintf(component->galaxy, BODIES_NAME_MAX, "%s", from->galaxy);
}

/* Whether the ranges are consecutive and cover all rows. */
static bool is_in_order(const struct bodies_params *params, size_t rows)
{
    uint64_t next = 1;
    for (size_t c = 0; c < params->component_count; next = params->components[c++].last + 1)
        if (params->components[c].first != next)
            return false;
    return next == rows + 1;
}

/* Finds for each body the component whose range contains its row or id; n: none. */
static void find_groups(const struct bodies *bodies, const struct bodies_params *params,
                        uint32_t *group)
{
    const size_t n = params->component_count;
    const struct component_params *ranges = params->components;
    for (size_t i = 0; i < bodies->count; i++) {
        const uint64_t number = params->by_id ? bodies->id[i] : i + 1;
        size_t c = 0;
        while (c < n && (number < ranges[c].first || number > ranges[c].last))
            c++;
        group[i] = (uint32_t)c;
    }
}

/* Sorts by component; bodies outside all ranges come last and are cut off. `size`: number of bodies
 * per component. */
static enum status sort_ranges(struct bodies *bodies, const struct bodies_params *params,
                               size_t *size)
{
    const size_t n = params->component_count;
    uint32_t *group = malloc(bodies->count * sizeof *group);
    if (!group)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for sorting %zu bodies into components, which takes %zu "
                           "bytes",
                           bodies->count, bodies->count * sizeof *group);
    find_groups(bodies, params, group);
    bodies_sort(bodies, group, n + 1, size);
    bodies->count -= size[n];
    free(group);
    for (size_t c = 0; c < n; c++)
        if (size[c] == 0)
            return status_fail(STATUS_USAGE,
                               "component '%s' has the ids %llu to %llu, but no body of %s has an "
                               "id in that range; correct the range",
                               params->components[c].name,
                               (unsigned long long)params->components[c].first,
                               (unsigned long long)params->components[c].last, params->file);
    return STATUS_OK;
}

static enum status arrange_ranges(struct bodies *bodies, const struct bodies_params *params)
{
    const size_t n = params->component_count;
    size_t *size = memory_new(n + 1, sizeof *size), first = 0;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < n; c++)
        size[c] = params->components[c].last - params->components[c].first + 1;
    if (params->by_id || !is_in_order(params, bodies->count))
        status = sort_ranges(bodies, params, size);
    if (status == STATUS_OK) {
        free(bodies->components);
        bodies->component_count = n;
        bodies->components = memory_new(n, sizeof *bodies->components);
    }
    for (size_t c = 0; status == STATUS_OK && c < n; c++) {
        struct component *component = &bodies->components[c];
        name_component(component, &params->components[c]);
        component->first = first;
        component->count = size[c];
        first += size[c];
    }
    free(size);
    return status;
}

void bodies_arrange_own(struct bodies *bodies, uint32_t *group)
{
    const size_t groups = bodies->component_count;
    if (group) {
        size_t *size = memory_new(groups, sizeof *size);
        bodies_sort(bodies, group, groups, size);
        for (size_t c = 0; c < groups; c++)
            bodies->components[c].count = size[c];
        free(size);
    }
    bodies->component_count = 0;
    for (size_t c = 0, first = 0; c < groups; c++) {
        struct component component = bodies->components[c];
        component.first = first;
        first += component.count;
        if (component.count > 0)
            bodies->components[bodies->component_count++] = component;
    }
}

enum status bodies_arrange(struct bodies *bodies, const struct bodies_params *params,
                           uint32_t *group)
{
    enum status status = STATUS_OK;
    if (params->component_count > 0) {
        if (params->by_id && !bodies->id)
            status = status_fail(STATUS_USAGE,
                                 "the components are given by ids, and the bodies of %s have none; "
                                 "leave out bodies.by_id and give rows",
                                 params->file);
        if (status == STATUS_OK)
            status = check_components(params, bodies->count);
        if (status == STATUS_OK)
            return arrange_ranges(bodies, params);
        if (status != STATUS_USAGE || !params->components_optional)
            return status;
        log_warning("%s; the scene's components are left out", status_text());
    }
    bodies_arrange_own(bodies, group);
    return STATUS_OK;
}

/* A body's cell. Its diagonal is the linking length, so that bodies in one cell are friends. */
struct cell_entry {
    uint64_t cell; /* the three indices, 21 bits each */
    uint32_t body;
};

struct friends {
    const struct bodies *bodies;
    struct cell_entry *entries; /* [count], sorted by cell */
    struct cell_entry *spare;
    uint32_t *leader; /* [count] parent in the union-find forest; a group's root is its leader */
    uint32_t *size;   /* [count] group size, for leaders */
    double low[3];
};

enum { BITS = 21, CELLS = 1 << BITS, REACH = 2, DIGIT = 11, DIGITS = 1 << DIGIT };

static uint32_t leader_of(struct friends *friends, uint32_t i)
{
    uint32_t *leader = friends->leader;
    while (leader[i] != i)
        i = leader[i] = leader[leader[i]];
    return i;
}

static void join(struct friends *friends, uint32_t a, uint32_t b)
{
    a = leader_of(friends, a);
    b = leader_of(friends, b);
    if (a != b)
        friends->leader[a > b ? a : b] = a > b ? b : a;
}

/* Radix sort by cell, least significant digit first. */
static void sort_cells(struct friends *friends)
{
    const size_t count = friends->bodies->count;
    for (int shift = 0; shift < 3 * BITS; shift += DIGIT) {
        size_t next[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++)
            next[((friends->entries[i].cell >> shift) & (DIGITS - 1)) + 1]++;
        for (size_t d = 0; d < DIGITS; d++)
            next[d + 1] += next[d];
        for (size_t i = 0; i < count; i++)
            friends->spare[next[(friends->entries[i].cell >> shift) & (DIGITS - 1)]++] =
                friends->entries[i];
        struct cell_entry *kept = friends->entries;
        friends->entries = friends->spare;
        friends->spare = kept;
    }
}

static void fill_cells(struct friends *friends, double side)
{
    for (size_t i = 0; i < friends->bodies->count; i++) {
        uint64_t cell = 0;
        for (int k = 0; k < 3; k++) {
            const double at = (friends->bodies->position[i][k] - friends->low[k]) / side;
            cell = cell << BITS | (uint64_t)(at + REACH);
        }
        friends->entries[i] = (struct cell_entry){cell, (uint32_t)i};
    }
    sort_cells(friends);
}

/* The first entry whose cell is at least `cell`. */
static size_t find_cell(const struct friends *friends, uint64_t cell)
{
    size_t low = 0, high = friends->bodies->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (friends->entries[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool are_near(const struct friends *friends, uint32_t a, uint32_t b, double length)
{
    const double *x = friends->bodies->position[a], *y = friends->bodies->position[b];
    const double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
    return dx * dx + dy * dy + dz * dz <= length * length;
}

/* A lower bound of the squared distance from a body to the bodies of a cell, from their bounding
 * box. */
static double gap(const double x[3], double (*box)[2])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double d = fmax(fmax(box[k][0] - x[k], x[k] - box[k][1]), 0);
        sum += d * d;
    }
    return sum;
}

/* The end of the cell that begins at the entry, and the bounding box of its bodies. */
static size_t measure_cell(const struct friends *friends, size_t begin, double (*box)[2])
{
    const struct cell_entry *entries = friends->entries;
    size_t end = begin;
    for (int k = 0; k < 3; k++) {
        box[k][0] = INFINITY;
        box[k][1] = -INFINITY;
    }
    for (; end < friends->bodies->count && entries[end].cell == entries[begin].cell; end++)
        for (int k = 0; k < 3; k++) {
            const double at = friends->bodies->position[entries[end].body][k];
            box[k][0] = fmin(box[k][0], at);
            box[k][1] = fmax(box[k][1], at);
        }
    return end;
}

/* Joins the groups of two cells if any pair of their bodies are friends. */
static void join_cells(struct friends *friends, size_t begin, size_t end, size_t other,
                       double length)
{
    const struct cell_entry *entries = friends->entries;
    double box[3][2];
    if (leader_of(friends, entries[begin].body) == leader_of(friends, entries[other].body))
        return;
    const size_t last = measure_cell(friends, other, box);
    for (size_t i = begin; i < end; i++) {
        const uint32_t body = entries[i].body;
        if (gap(friends->bodies->position[body], box) > length * length)
            continue;
        for (size_t j = other; j < last; j++)
            if (are_near(friends, body, entries[j].body, length)) {
                join(friends, body, entries[j].body);
                return;
            }
    }
}

static void join_around(struct friends *friends, size_t begin, size_t end, double length)
{
    const uint64_t cell = friends->entries[begin].cell;
    for (int dx = 0; dx <= REACH; dx++)
        for (int dy = -REACH; dy <= REACH; dy++) {
            /* the cells of a column are consecutive */
            const uint64_t middle = cell + ((uint64_t)dx << 2 * BITS) + (uint64_t)dy * CELLS;
            const bool own = dx == 0 && dy == 0;
            if (dx == 0 && dy < 0)
                continue;
            size_t at = own ? end : find_cell(friends, middle - REACH);
            while (at < friends->bodies->count && friends->entries[at].cell <= middle + REACH) {
                const uint64_t here = friends->entries[at].cell;
                join_cells(friends, begin, end, at, length);
                while (at < friends->bodies->count && friends->entries[at].cell == here)
                    at++;
            }
        }
}

static void find_friends(struct friends *friends, double length)
{
    const size_t count = friends->bodies->count;
    fill_cells(friends, length / sqrt(3));
    for (size_t i = 0; i < count; i++)
        friends->leader[i] = (uint32_t)i;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1;
             end < count && friends->entries[end].cell == friends->entries[begin].cell; end++)
            join(friends, friends->entries[begin].body, friends->entries[end].body);
    }
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && friends->entries[end].cell == friends->entries[begin].cell)
            end++;
        join_around(friends, begin, end, length);
    }
    memset(friends->size, 0, count * sizeof *friends->size);
    for (size_t i = 0; i < count; i++)
        friends->size[leader_of(friends, (uint32_t)i)]++;
}

/* The leaders of the largest groups, in descending size; false if a group is too small. */
static bool find_largest(const struct friends *friends, size_t galaxies, uint32_t *leaders)
{
    const size_t count = friends->bodies->count, least = count / 50 > 1 ? count / 50 : 1;
    for (size_t g = 0; g < galaxies; g++) {
        size_t best = count;
        for (size_t i = 0; i < count; i++) {
            bool taken = false;
            for (size_t k = 0; k < g; k++)
                taken |= leaders[k] == i;
            if (!taken && (best == count || friends->size[i] > friends->size[best]))
                best = i;
        }
        if (best == count || friends->size[best] < least)
            return false;
        leaders[g] = (uint32_t)best;
    }
    return true;
}

/* The side of the cube around all bodies; sets friends->low to its lowest corner. */
static double measure(struct friends *friends)
{
    const struct bodies *bodies = friends->bodies;
    double extent = 0;
    for (int k = 0; k < 3; k++) {
        double low = bodies->position[0][k], high = low;
        for (size_t i = 1; i < bodies->count; i++) {
            low = fmin(low, bodies->position[i][k]);
            high = fmax(high, bodies->position[i][k]);
        }
        friends->low[k] = low;
        extent = fmax(extent, high - low);
    }
    return extent;
}

/* Searches the linking length from one that joins all bodies down to the smallest that cell indices
 * can represent. */
static enum status find_length(struct friends *friends, size_t galaxies, uint32_t *leaders,
                               double *length)
{
    static const double STEP = 0.85;
    const double extent = measure(friends);
    for (*length = extent; *length > extent * 4 / CELLS; *length *= STEP) {
        find_friends(friends, *length);
        if (find_largest(friends, galaxies, leaders))
            return STATUS_OK;
    }
    return status_fail(STATUS_USAGE,
                       "the bodies do not form %zu groups of friends of friends with a fiftieth "
                       "of all bodies each; set bodies.detect to another number of galaxies, or "
                       "list bodies.components",
                       galaxies);
}

static void find_centres(struct friends *friends, size_t galaxies, const uint32_t *leaders,
                         double (*centre)[3])
{
    const struct bodies *bodies = friends->bodies;
    for (size_t g = 0; g < galaxies; g++) {
        size_t count = 0;
        memset(centre[g], 0, sizeof centre[g]);
        for (size_t i = 0; i < bodies->count; i++)
            for (int k = 0; leader_of(friends, (uint32_t)i) == leaders[g] && k < 3; k++) {
                centre[g][k] += bodies->position[i][k];
                count += k == 0;
            }
        for (int k = 0; k < 3; k++)
            centre[g][k] /= (double)count;
    }
}

static size_t galaxy_of(struct friends *friends, size_t galaxies, const uint32_t *leaders,
                        double (*centre)[3], size_t i)
{
    const double *x = friends->bodies->position[i];
    const uint32_t leader = leader_of(friends, (uint32_t)i);
    double least = INFINITY;
    size_t nearest = 0;
    for (size_t g = 0; g < galaxies; g++) {
        const double d =
            fn_hypot(fn_hypot(x[0] - centre[g][0], x[1] - centre[g][1]), x[2] - centre[g][2]);
        if (leaders[g] == leader)
            return g;
        if (d < least) {
            least = d;
            nearest = g;
        }
    }
    return nearest;
}

/* Component c of galaxy g becomes group g * components + c. */
static void divide(struct friends *friends, struct bodies *bodies, size_t galaxies,
                   const uint32_t *leaders, uint32_t *group)
{
    const size_t parts = bodies->component_count;
    double centre[DETECT_MAX][3];
    find_centres(friends, galaxies, leaders, centre);
    for (size_t c = 0; c < parts; c++)
        for (size_t i = 0; i < bodies->components[c].count; i++) {
            const size_t body = bodies->components[c].first + i;
            const size_t g = galaxy_of(friends, galaxies, leaders, centre, body);
            group[body] = (uint32_t)(g * parts + c);
        }
    struct component *all = memory_new(galaxies * parts, sizeof *all);
    for (size_t n = 0; n < galaxies * parts; n++) {
        all[n] = bodies->components[n % parts];
        snprintf(all[n].galaxy, BODIES_NAME_MAX, "galaxy %zu", n / parts + 1);
    }
    free(bodies->components);
    bodies->components = all;
    bodies->component_count = galaxies * parts;
}

enum status bodies_detect(struct bodies *bodies, size_t galaxies, double *length)
{
    const size_t count = bodies->count;
    uint32_t leaders[DETECT_MAX];
    struct friends friends = {.bodies = bodies,
                              .entries = malloc(count * sizeof *friends.entries),
                              .spare = malloc(count * sizeof *friends.spare),
                              .leader = malloc(count * sizeof *friends.leader),
                              .size = malloc(count * sizeof *friends.size)};
    enum status status = STATUS_OK;
    if (!friends.entries || !friends.spare || !friends.leader || !friends.size)
        status = status_fail(STATUS_RUNTIME, "no memory left for finding galaxies among %zu bodies",
                             count);
    if (status == STATUS_OK)
        status = find_length(&friends, galaxies, leaders, length);
    if (status == STATUS_OK) {
        divide(&friends, bodies, galaxies, leaders, friends.size);
        bodies_arrange_own(bodies, friends.size);
    }
    free(friends.entries);
    free(friends.spare);
    free(friends.leader);
    free(friends.size);
    return status;
}
