#include "cmd/film/start/halos.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/catalogue.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"
#include "sim/hdf5/hdf5_reader.h"
#include "sim/models/models.h"
#include "sim/playback/playback.h"
#include "sim/playback/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double kpc_cm = 3.0856775814913673e21;

/* In the scene's units. Moments are times since the first snapshot or, in a comoving frame, scale
 * factors, in which bodies are interpolated, too (sim/playback/playback.c). */
struct knot {
    double moment, position[3], velocity[3], radius;
    double box[3]; /* edges of a periodic box; 0: none */
};

struct halo_path {
    struct tracked tracked; /* `by` is this track */
    struct knot *knots;     /* [count] in the order of time */
    size_t count;
    const struct halos *of;
    struct halo_path *next;
};

struct halos {
    size_t count; /* of snapshots and catalogues */
    char **paths;
    double *moments, (*boxes)[3]; /* see struct knot */
    bool comoves;
    struct cosmology cosmology; /* of a comoving frame */
    double age;                 /* of its universe at the first snapshot */
    double centre[3];           /* of a box that expands, see struct series; otherwise 0 */
    struct catalogue *catalogues;
    struct halo_path *tracks;
};

/* ---- reading ---- */

/* Reads h from a snapshot's header, for catalogues that do not state it; 0: unknown. */
static double hubble_of(const char *snapshot)
{
    static const char *const places[][2] = {
        {"Header", "HubbleParam"}, {"Parameters", "HubbleParam"}, {"Cosmology", "h"}};
    struct hdf5_file *file = NULL;
    struct hdf5_attribute found = {0};
    enum status status = hdf5_open(&file, snapshot);
    for (int i = 0; i < 3 && status == STATUS_OK && found.count == 0; i++)
        status = hdf5_attribute(file, places[i][0], places[i][1], &found);
    hdf5_close(&file);
    return status == STATUS_OK && found.count > 0 && found.number[0] > 0 ? found.number[0] : 0;
}

/* Converts a catalogue to the scene's units and frame, as series_read does the snapshot. */
static enum status convert(const struct halos *halos, const struct series *series, size_t k)
{
    struct catalogue *catalogue = &halos->catalogues[k];
    const struct bodies_params *params = series->params;
    const struct series_file *file = &series->files[k];
    struct snapshot head;
    enum status status = format_read_time(file->path, params->format, &head);
    if (status != STATUS_OK)
        return status;
    const struct snapshot_units units = units_of_file(&head, params);
    const double unit_cm = units_for_scene(&params->units, &units).length_kpc * kpc_cm;
    double by = units_factors(&params->units, &units).position, shift[3];
    if (series_comoves(series))
        by /= file->scale;
    if (catalogue->length_kpc > 0 && unit_cm > 0) {
        const double h = catalogue->hubble > 0 ? catalogue->hubble : hubble_of(file->path);
        const double a = catalogue->scale > 0 && !series_comoves(series) ? catalogue->scale : 1;
        by = catalogue->length_kpc * kpc_cm * a / h / unit_cm;
        if (!(h > 0))
            status =
                status_fail(STATUS_USAGE,
                            "lengths of the catalogue '%s' are in units of 1/h, and h is found "
                            "neither in the catalogue nor in the snapshot '%s'; give snapshots "
                            "in HDF5 that state HubbleParam, or set bodies.units to none to "
                            "take all numbers as they are",
                            halos->paths[k], file->path);
    }
    snapshot_free(&head);
    for (int c = 0; c < 3; c++)
        shift[c] = series->centre[c] - file->centre[c];
    for (size_t i = 0; i < catalogue->count; i++) {
        struct halo *halo = &catalogue->halos[i];
        for (int c = 0; c < 3; c++)
            halo->position[c] = halo->position[c] * by + shift[c];
        halo->radius *= by * catalogue->radius_unit;
    }
    return status;
}

/* out_2.list before out_10.list */
static int by_number(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static enum status read_all(struct halos *halos, const struct scene *scene)
{
    struct series series;
    char **found;
    const char *pattern = scene->look.halos;
    halos->count = file_matches(pattern, &found);
    halos->paths = found;
    qsort(found, halos->count, sizeof *found, by_number);
    if (halos->count == 0)
        return status_fail(STATUS_IO,
                           "no catalogue of haloes is called '%s'; name them with a pattern in "
                           "quotes, such as 'out_*.list'",
                           pattern);
    enum status status = series_open(&series, &scene->bodies);
    if (status != STATUS_OK)
        return status;
    if (series.count != halos->count)
        status = status_fail(STATUS_USAGE,
                             "there are %zu catalogues '%s' and %zu snapshots '%s'; each snapshot "
                             "needs its own",
                             halos->count, pattern, series.count, scene->bodies.file);
    halos->moments = memory_new(halos->count, sizeof *halos->moments);
    halos->boxes = memory_new(halos->count, sizeof *halos->boxes);
    memcpy(halos->centre, series.centre, sizeof halos->centre);
    halos->comoves = series_comoves(&series);
    halos->cosmology = series_cosmology(&series);
    halos->age = series.files[0].time;
    halos->catalogues = memory_new(halos->count, sizeof *halos->catalogues);
    for (size_t k = 0; k < halos->count && status == STATUS_OK; k++) {
        halos->moments[k] =
            halos->comoves ? series.files[k].scale : series.files[k].time - halos->age;
        status = catalogue_read(halos->paths[k], &halos->catalogues[k]);
        if (status == STATUS_OK)
            status = convert(halos, &series, k);
        memcpy(halos->boxes[k], series.files[k].box, sizeof halos->boxes[k]);
    }
    series_close(&series);
    return status;
}

/* Without a merger tree, a number means another halo in each file. */
static enum status check_links(const struct halos *halos)
{
    for (size_t k = 0; k < halos->count; k++)
        if (halos->catalogues[k].linked)
            return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "the catalogues of look.halos, such as '%s', have no merger tree, and their "
                       "numbers mean other haloes in each file; give Rockstar's column DescID, "
                       "AHF's _mtree_idx or GADGET's subhalo_desc beside them",
                       halos->paths[0]);
}

enum status halos_open(struct halos **out, const struct scene *scene)
{
    *out = NULL;
    if (!scene->look.halos[0])
        return STATUS_OK;
    if (!scene->bodies.model->plays)
        return status_fail(STATUS_USAGE,
                           "look.halos is '%s', and catalogues belong to snapshots, one to each; "
                           "give the bodies by --snapshots, or leave it out",
                           scene->look.halos);
    *out = memory_new(1, sizeof **out);
    enum status status = read_all(*out, scene);
    if (status == STATUS_OK)
        status = check_links(*out);
    if (status != STATUS_OK)
        halos_close(out);
    return status;
}

void halos_close(struct halos **halos)
{
    struct halos *self = *halos;
    if (!self)
        return;
    while (self->tracks) {
        struct halo_path *track = self->tracks;
        self->tracks = track->next;
        free(track->knots);
        free(track);
    }
    for (size_t k = 0; k < self->count; k++) {
        free(self->paths[k]);
        if (self->catalogues)
            catalogue_free(&self->catalogues[k]);
    }
    free(self->paths);
    free(self->moments);
    free(self->boxes);
    free(self->catalogues);
    free(self);
    *halos = NULL;
}

/* ---- tracks ---- */

/* The catalogue with the halo's descendant, in which it has the id halo->next. */
static size_t next_of(const struct halos *halos, size_t k, const struct halo *halo)
{
    size_t found = k + 1;
    while (halo->next_scale > 0 && found < halos->count &&
           halos->catalogues[found].scale < halo->next_scale * (1 - 1e-5))
        found++;
    return found;
}

/* The main progenitor in the latest catalogue that has one; NULL: none. */
static const struct halo *progenitor(const struct halos *halos, size_t of, const struct halo *halo,
                                     size_t *in)
{
    const struct halo *best = NULL;
    for (size_t k = of; k-- > 0 && !best;) {
        const struct catalogue *catalogue = &halos->catalogues[k];
        if (halo->before >= 0)
            best = catalogue_find(catalogue, (uint64_t)halo->before);
        for (size_t i = 0; halo->before < 0 && i < catalogue->count; i++) {
            const struct halo *other = &catalogue->halos[i];
            if (other->next >= 0 && (uint64_t)other->next == halo->id &&
                next_of(halos, k, other) == of && !(best && best->mass >= other->mass))
                best = other;
        }
        *in = k;
    }
    return best;
}

/* The shortest way from one knot to another along an axis, through the edge of a periodic box. */
static double way(const struct knot *from, const struct knot *to, int axis)
{
    const double a = from->position[axis], b = to->position[axis];
    return b - hermite_rounds(a, b, from->box[axis], to->box[axis]) * to->box[axis] - a;
}

/* Slopes of parabolas through three knots. */
static void find_velocities(struct halo_path *track)
{
    const size_t last = track->count - 1;
    for (size_t k = 0; k <= last && last > 0; k++) {
        const struct knot *a = &track->knots[k > 0 ? k - 1 : 0], *b = &track->knots[k],
                          *c = &track->knots[k < last ? k + 1 : last];
        const double before = b->moment - a->moment, after = c->moment - b->moment;
        const double share = k == 0 ? 0 : k == last ? 1 : after / (before + after);
        for (int i = 0; i < 3; i++) {
            const double left = before > 0 ? way(a, b, i) / before : 0;
            const double right = after > 0 ? way(b, c, i) / after : 0;
            track->knots[k].velocity[i] = share * left + (1 - share) * right;
        }
    }
}

static double moment_of(const struct halo_path *track, const struct view *view)
{
    const struct halos *of = track->of;
    return of->comoves ? cosmology_scale_at(&of->cosmology, of->age + view->time) : view->time;
}

static bool at_halo(const struct tracked *tracked, const struct view *view, double place[3])
{
    const struct halo_path *track = tracked->by;
    const struct knot *a = track->knots, *last = a + track->count - 1;
    const double moment = moment_of(track, view);
    const double within = fmin(fmax(moment, a->moment), last->moment);
    while (a < last - 1 && within > a[1].moment)
        a++;
    memcpy(place, a->position, sizeof a->position);
    if (last == track->knots)
        return true;
    const double h = a[1].moment - a->moment;
    const double u = (within - a->moment) / h;
    const struct hermite by = hermite_at(u, h);
    for (int i = 0; i < 3; i++) {
        const double box = (1 - u) * a->box[i] + u * a[1].box[i];
        const double low = track->of->centre[i] > 0 ? track->of->centre[i] - box / 2 : 0;
        double moved[3];
        hermite_move(&by, a->position[i], a->position[i] + way(a, a + 1, i), a->velocity[i],
                     a[1].velocity[i], moved);
        place[i] = moved[0];
        if (box > 0)
            place[i] -= box * floor((place[i] - low) / box);
    }
    return moment >= track->knots->moment - 1e-9 * h;
}

static double radius_at(const struct tracked *tracked, const struct view *view)
{
    const struct halo_path *track = tracked->by;
    const struct knot *a = track->knots, *last = a + track->count - 1;
    const double moment = moment_of(track, view);
    while (a < last && moment > a[1].moment)
        a++;
    if (a == last)
        return a->radius;
    const double u = fmax(moment - a->moment, 0) / (a[1].moment - a->moment);
    return (1 - u) * a->radius + u * a[1].radius;
}

static void say_missing(const struct halos *halos, const struct halo_path *track, const size_t *in)
{
    char list[256] = "";
    size_t missing = 0;
    for (size_t k = 1; k < track->count; k++)
        for (size_t gap = in [k - 1] + 1; gap < in[k]; gap++, missing++)
            text_list(list, sizeof list, halos->paths[gap]);
    if (missing > 0)
        log_info("%s is missing from %zu catalogue%s (%s), and is interpolated there",
                 track->tracked.name, missing, missing > 1 ? "s" : "", list);
    if (in[0] > 0)
        log_info("%s has no progenitor before '%s', and is not shown before", track->tracked.name,
                 halos->paths[in[0]]);
}

static struct halo_path *make_track(struct halos *halos, const char *name, const struct halo *halo)
{
    struct halo_path *track = memory_new(1, sizeof *track);
    struct knot *knots = track->knots = memory_new(halos->count, sizeof *knots);
    size_t *in = memory_new(halos->count, sizeof *in), k = halos->count - 1;
    for (; halo; halo = progenitor(halos, k, halo, &k)) {
        struct knot *knot = &knots[halos->count - ++track->count];
        in[halos->count - track->count] = k;
        *knot = (struct knot){.moment = halos->moments[k], .radius = halo->radius};
        memcpy(knot->box, halos->boxes[k], sizeof knot->box);
        memcpy(knot->position, halo->position, sizeof knot->position);
    }
    memmove(knots, knots + halos->count - track->count, track->count * sizeof *knots);
    memmove(in, in + halos->count - track->count, track->count * sizeof *in);
    find_velocities(track);
    track->of = halos;
    track->tracked = (struct tracked){.at = at_halo,
                                      .radius = knots[track->count - 1].radius,
                                      .radius_at = radius_at,
                                      .body = UINT64_MAX,
                                      .by = track};
    snprintf(track->tracked.name, sizeof track->tracked.name, "%s", name);
    say_missing(halos, track, in);
    free(in);
    track->next = halos->tracks;
    return halos->tracks = track;
}

/* "halo 17", "group 3" */
static bool parse(const char *name, bool *group, uint64_t *number)
{
    char *end;
    *group = strncmp(name, "group ", 6) == 0;
    if (!*group && strncmp(name, "halo ", 5) != 0)
        return false;
    const char *digits = name + (*group ? 6 : 5);
    *number = strtoull(digits, &end, 10);
    return *digits >= '0' && *digits <= '9' && !*end;
}

const struct tracked *halos_find(void *user, const char *name)
{
    struct halos *halos = user;
    bool group;
    uint64_t number;
    if (!halos || !parse(name, &group, &number))
        return NULL;
    for (const struct halo_path *track = halos->tracks; track; track = track->next)
        if (strcmp(track->tracked.name, name) == 0)
            return &track->tracked;
    const struct catalogue *last = &halos->catalogues[halos->count - 1];
    const struct halo *halo = group ? NULL : catalogue_find(last, number);
    for (size_t i = 0; group && i < last->count && !halo; i++)
        if (last->halos[i].group >= 0 && (uint64_t)last->halos[i].group == number)
            halo = &last->halos[i];
    return halo ? &make_track(halos, name, halo)->tracked : NULL;
}

static int by_mass(const void *a, const void *b)
{
    const struct halo *x = *(const struct halo *const *)a, *y = *(const struct halo *const *)b;
    return x->mass != y->mass ? (x->mass < y->mass) - (x->mass > y->mass)
                              : (x->id > y->id) - (x->id < y->id);
}

const char *halos_last(const struct halos *halos, size_t *count)
{
    *count = halos->catalogues[halos->count - 1].count;
    return halos->paths[halos->count - 1];
}

size_t halos_massive(const struct halos *halos, char (*names)[HALO_NAME], size_t most)
{
    const struct catalogue *last = &halos->catalogues[halos->count - 1];
    const size_t count = last->count < most ? last->count : most;
    const struct halo **list = memory_new(last->count + 1, sizeof *list);
    for (size_t i = 0; i < last->count; i++)
        list[i] = &last->halos[i];
    qsort(list, last->count, sizeof *list, by_mass);
    for (size_t i = 0; i < count; i++)
        snprintf(names[i], HALO_NAME, "halo %llu", (unsigned long long)list[i]->id);
    free(list);
    return count;
}

bool halos_are_called(const char *name)
{
    bool group;
    uint64_t number;
    return parse(name, &group, &number);
}
