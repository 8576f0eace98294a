#include "render/camera/follow.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/camera/project.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- centre ---- */

/* Numbers of shifts and of bodies in the search, and in the refinement after it. */
enum { LEVELS = 16, SHIFTS_A_LEVEL = 2, SEARCHED = 512, SHIFTS = 6, SETTLED = 4096 };

static const double relaxation = 1.5;

/* x y z mass and vx vy vz of body k of the sample. If the view has only some of the bodies, the
 * sample is still of all bodies. */
static void find_rows(const struct view *view, size_t k, const float **position,
                      const float **velocity)
{
    const size_t stride = view_sample_stride(view->whole);
    const bool some = view->whole_sample;
    *position = some ? view->whole_sample + 4 * k : view_sample_row(view, k);
    *velocity = some ? view->whole_sample + 4 * ((view->whole + stride - 1) / stride + k)
                     : view_sample_velocity(view, k);
}

void camera_cloud_fill(struct camera_cloud *cloud, const struct view *view, double ahead,
                       const struct camera_range *ranges, int range_count)
{
    const size_t stride = view_sample_stride(view->whole_sample ? view->whole : view->count);
    double total = 0;
    size_t used = 0;
    for (int r = 0; r < range_count; r++) {
        const size_t end = (ranges[r].first + ranges[r].count + stride - 1) / stride;
        for (size_t k = (ranges[r].first + stride - 1) / stride; k < end; k++, used++) {
            const float *row, *velocity;
            find_rows(view, k, &row, &velocity);
            cloud->x[used] = row[0];
            cloud->y[used] = row[1];
            cloud->z[used] = row[2];
            if (ahead != 0) {
                cloud->x[used] += (float)(ahead * velocity[0]);
                cloud->y[used] += (float)(ahead * velocity[1]);
                cloud->z[used] += (float)(ahead * velocity[2]);
            }
            cloud->weight[used] = fabsf(row[3]);
            total += cloud->weight[used];
        }
    }
    cloud->count = used;
    for (size_t k = 0; k < used && total == 0; k++)
        cloud->weight[k] = 1;
}

void camera_centre_of_mass(const struct camera_cloud *cloud, double centre[3])
{
    double sum = 0, x = 0, y = 0, z = 0;
    for (size_t k = 0; k < cloud->count; k++) {
        const double weight = cloud->weight[k];
        sum += weight;
        x += weight * cloud->x[k];
        y += weight * cloud->y[k];
        z += weight * cloud->z[k];
    }
    centre[0] = sum > 0 ? x / sum : 0;
    centre[1] = sum > 0 ? y / sum : 0;
    centre[2] = sum > 0 ? z / sum : 0;
}

static double spread(const struct camera_cloud *cloud, size_t step, const double centre[3])
{
    double sum = 0, square = 0;
    for (size_t k = 0; k < cloud->count; k += step) {
        const double x = cloud->x[k] - centre[0], y = cloud->y[k] - centre[1],
                     z = cloud->z[k] - centre[2];
        sum += cloud->weight[k];
        square += cloud->weight[k] * (x * x + y * y + z * z);
    }
    return sum > 0 ? sqrt(square / sum) : 0;
}

/* (1 - (r / R)^2)^2, and 0 beyond R, written without a branch because a branch would be
 * unpredictable. */
static double kernel(double square)
{
    const double rest = 1 - square, inside = rest > 0 ? rest : 0;
    return inside * inside;
}

/* One mean shift over every step-th body. */
static void shift(const struct camera_cloud *cloud, size_t step, double radius, double centre[3])
{
    const double scale = 1 / (radius * radius);
    double sum = 0, mean[3] = {0};
    for (size_t k = 0; k < cloud->count; k += step) {
        const double x = cloud->x[k] - centre[0], y = cloud->y[k] - centre[1],
                     z = cloud->z[k] - centre[2];
        const double weight = cloud->weight[k] * kernel(scale * (x * x + y * y + z * z));
        sum += weight;
        mean[0] += weight * x;
        mean[1] += weight * y;
        mean[2] += weight * z;
    }
    for (int i = 0; i < 3 && sum > 0; i++)
        centre[i] += relaxation * mean[i] / sum;
}

void camera_core(const struct camera_cloud *cloud, double radius, double centre[3])
{
    camera_centre_of_mass(cloud, centre);
    const size_t few = (cloud->count + SEARCHED - 1) / SEARCHED;
    const size_t many = (cloud->count + SETTLED - 1) / SETTLED;
    const double begin = 2 * spread(cloud, few, centre);
    if (!(radius > 0) || begin == 0)
        return;
    for (int level = 0; level < LEVELS && begin > radius; level++) {
        const double here = radius * fn_pow(begin / radius, 1 - (double)level / LEVELS);
        for (int n = 0; n < SHIFTS_A_LEVEL; n++)
            shift(cloud, few, here, centre);
    }
    for (int n = 0; n < SHIFTS; n++)
        shift(cloud, many, radius, centre);
}

/* The sum of the weights of every step-th body, with the same kernel as camera_core. */
static double camera_density(const struct camera_cloud *cloud, size_t step, double radius,
                             const double place[3])
{
    const double scale = 1 / (radius * radius);
    double density = 0;
    for (size_t k = 0; k < cloud->count; k += step) {
        const double x = cloud->x[k] - place[0], y = cloud->y[k] - place[1],
                     z = cloud->z[k] - place[2];
        density += cloud->weight[k] * kernel(scale * (x * x + y * y + z * z));
    }
    return density;
}

/* ---- follow ---- */

enum kind { MASS, DENSEST, CORE, BODY, TRACKED };

struct place {
    enum kind kind;
    int body; /* in a view's `followed` */
    const struct tracked *tracked;
    struct camera_range *ranges; /* [part_count] */
    int range_count;
    double radius;
};

struct camera_follow {
    int place_count;
    struct place places[2];
    struct place *galaxies; /* [galaxy_count] */
    int galaxy_count;
};

/* Kernel radii R for finding the core and the densest region, in radii of the followed part. */
static const double core_breadth = 1.5, region_breadth = 2;

/* The power of the density by which galaxies are weighted, and how many bodies densities are summed
 * over. */
enum { PREFERENCE = 4, WEIGHED = 1 << 14 };

/* "Milky Way/disk", or "disk" for a part without a galaxy. The caller frees it. */
static char *part_name(const struct camera_part *part)
{
    return part->galaxy[0] ? text_format("%s/%s", part->galaxy, part->component)
                           : text_format("%s", part->component);
}

static bool is_any(const struct camera_part *part, const char *name)
{
    (void)part;
    (void)name;
    return true;
}

static bool is_in(const struct camera_part *part, const char *galaxy)
{
    return strcmp(part->galaxy, galaxy) == 0;
}

static bool is_named(const struct camera_part *part, const char *name)
{
    char *whole = part_name(part);
    const bool named =
        (part->galaxy[0] && strcmp(part->galaxy, name) == 0) || strcmp(whole, name) == 0;
    free(whole);
    return named;
}

/* Chooses the parts with this name: the drawn ones if there are any, otherwise all. False when no
 * part has the name. */
static bool choose_parts(struct place *place, const struct camera_follow_setup *setup,
                         bool (*is)(const struct camera_part *part, const char *name),
                         const char *name)
{
    double bodies = 0, radius = 0;
    place->range_count = 0;
    for (int all = 0; all < 2 && place->range_count == 0; all++)
        for (int i = 0; i < setup->part_count; i++) {
            const struct camera_part *part = &setup->parts[i];
            if (part->count == 0 || !(part->draw || all) || !is(part, name))
                continue;
            place->ranges[place->range_count++] = (struct camera_range){part->first, part->count};
            bodies += (double)part->count;
            radius += (double)part->count * part->radius;
        }
    place->radius = bodies > 0 ? radius / bodies : 0;
    return place->range_count > 0;
}

/* Whether a name without surrounding spaces has the form "body N". */
static bool names_body(const char *name, uint64_t *number)
{
    static const char word[] = "body ";
    const size_t length = sizeof word - 1;
    if (strncmp(name, word, length) != 0)
        return false;
    const char *digits = name + strspn(name + length, " ") + length;
    errno = 0;
    const unsigned long long value = strtoull(digits, NULL, 10); /* ids may have all 64 bits */
    if (!*digits || digits[strspn(digits, "0123456789")] || errno != 0)
        return false;
    *number = value;
    return true;
}

static bool resolve_body(struct place *place, const struct camera_bodies *bodies, const char *name)
{
    uint64_t number;
    if (!names_body(name, &number))
        return false;
    place->kind = BODY;
    place->body = 0;
    while (place->body < bodies->count && bodies->number[place->body] != number)
        place->body++;
    return place->body < bodies->count;
}

static bool resolve_tracked(struct place *place, const struct camera_bodies *bodies,
                            const char *name)
{
    place->kind = TRACKED;
    place->tracked = bodies->find ? bodies->find(bodies->user, name) : NULL;
    return place->tracked != NULL;
}

static bool resolve(struct place *place, const struct camera_follow_setup *setup, const char *name)
{
    const bool densest = strcmp(name, "densest") == 0, mass = strcmp(name, "mass") == 0;
    place->kind = densest ? DENSEST : mass ? MASS : CORE;
    return choose_parts(place, setup, densest || mass ? is_any : is_named, name) ||
           resolve_body(place, &setup->bodies, name) ||
           resolve_tracked(place, &setup->bodies, name);
}

/* A copy without surrounding spaces. The caller frees it. */
static char *trimmed(const char *text, size_t length)
{
    for (; length > 0 && *text == ' '; length--)
        text++;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return text_format("%.*s", (int)length, text);
}

int camera_follow_bodies(const char *follow, uint64_t number[2])
{
    const char *first = strchr(follow, '+'), *last = strrchr(follow, '+');
    char *names[] = {trimmed(follow, first ? (size_t)(first - follow) : strlen(follow)),
                     first ? trimmed(last + 1, strlen(last + 1)) : NULL};
    int count = 0;
    for (int i = 0; i < 2; i++) {
        count += names[i] && names_body(names[i], &number[count]);
        free(names[i]);
    }
    return count;
}

bool camera_follow_finds(const char *follow, const struct camera_bodies *bodies)
{
    const char *first = strchr(follow, '+');
    struct place place;
    char *a = trimmed(follow, first ? (size_t)(first - follow) : strlen(follow));
    char *b = trimmed(first ? first + 1 : "", first ? strlen(first + 1) : 0);
    const bool found = resolve_tracked(&place, bodies, a) || resolve_tracked(&place, bodies, b);
    free(a);
    free(b);
    return found;
}

/* A name may itself contain a +, so the whole name is tried first, then each way to split it. */
static bool resolve_all(struct camera_follow *follow, const struct camera_follow_setup *setup,
                        const char *text)
{
    char *name = trimmed(text, strlen(text));
    bool found = resolve(&follow->places[0], setup, name);
    free(name);
    follow->place_count = 1;
    for (const char *plus = strchr(text, '+'); plus && !found; plus = strchr(plus + 1, '+')) {
        char *a = trimmed(text, (size_t)(plus - text)), *b = trimmed(plus + 1, strlen(plus + 1));
        found = resolve(&follow->places[0], setup, a) && resolve(&follow->places[1], setup, b);
        follow->place_count = 2;
        free(a);
        free(b);
    }
    return found;
}

static void offer(struct suggestion *suggestion, char *list, size_t size, const char *name)
{
    text_list(list, size, name);
    suggest_offer(suggestion, name);
}

static bool is_first_of_galaxy(const struct camera_follow_setup *setup, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(setup->parts[k].galaxy, setup->parts[i].galaxy) == 0)
            return false;
    return true;
}

static const char *subject(const struct camera_follow_setup *setup)
{
    return setup->key ? setup->key : "it";
}

static enum status fail_unknown_body(const struct camera_follow_setup *setup, uint64_t number)
{
    if (setup->bodies.last == 0)
        return status_fail(
            STATUS_USAGE, "%s is '%s', but no body has the id %llu; give an id of the bodies' file",
            subject(setup), setup->follow, (unsigned long long)number);
    return status_fail(STATUS_USAGE,
                       "%s is '%s', but the bodies have no ids and are numbered from 1 to %llu; "
                       "give one of these numbers instead of %llu",
                       subject(setup), setup->follow, (unsigned long long)setup->bodies.last,
                       (unsigned long long)number);
}

static enum status fail_unknown(struct camera_follow *follow,
                                const struct camera_follow_setup *setup)
{
    const char *text = setup->follow, *plus = strchr(text, '+');
    char *name = trimmed(text, plus ? (size_t)(plus - text) : strlen(text)), list[512] = "";
    if (plus && resolve(&follow->places[0], setup, name)) {
        free(name);
        name = trimmed(plus + 1, strlen(plus + 1));
    }
    uint64_t number;
    if (names_body(name, &number)) {
        free(name);
        return fail_unknown_body(setup, number);
    }
    char **labels = memory_new((size_t)setup->part_count, sizeof *labels);
    struct suggestion suggestion = {name, NULL, 0};
    offer(&suggestion, list, sizeof list, "mass");
    offer(&suggestion, list, sizeof list, "densest");
    for (int i = 0; i < setup->part_count; i++) {
        const struct camera_part *part = &setup->parts[i];
        if (part->galaxy[0] && is_first_of_galaxy(setup, i))
            offer(&suggestion, list, sizeof list, part->galaxy);
        labels[i] = part_name(part);
        offer(&suggestion, list, sizeof list, labels[i]);
    }
    char *within = plus ? text_format(" in '%s'", text) : memory_text("");
    const enum status status = status_fail(
        STATUS_USAGE,
        "%s%snothing is called '%s'%s%s choose one of %s, body N for a single one, halo N "
        "or group N of look.halos, or A+B for the midpoint of two",
        setup->key ? setup->key : "", setup->key ? ": " : "", name, within,
        suggestion.best ? suggest_text(&suggestion) : ";", list);
    free(within);
    for (int i = 0; i < setup->part_count; i++)
        free(labels[i]);
    free(labels);
    free(name);
    return status;
}

/* Only some of many bodies are sampled, so that a small part may have none in the sample. */
static enum status check_sample(const struct camera_follow *follow,
                                const struct camera_follow_setup *setup)
{
    size_t bodies = 0;
    for (int i = 0; i < setup->part_count; i++) {
        const size_t end = setup->parts[i].first + setup->parts[i].count;
        bodies = end > bodies ? end : bodies;
    }
    const size_t stride = view_sample_stride(bodies);
    for (int p = 0; p < follow->place_count; p++) {
        size_t seen = 0, count = 0;
        if (follow->places[p].kind == BODY || follow->places[p].kind == TRACKED)
            continue;
        for (int r = 0; r < follow->places[p].range_count; r++) {
            const struct camera_range *range = &follow->places[p].ranges[r];
            seen += (range->first + range->count + stride - 1) / stride -
                    (range->first + stride - 1) / stride;
            count += range->count;
        }
        if (seen == 0)
            return status_fail(STATUS_USAGE,
                               "%s is '%s', which has %zu of the %zu bodies, but the camera "
                               "samples only every %zuth; follow something with %zu or more",
                               subject(setup), setup->follow, count, bodies, stride, stride);
    }
    return STATUS_OK;
}

static void create_place(struct place *place, const struct camera_follow_setup *setup)
{
    place->kind = CORE;
    place->ranges = memory_new((size_t)setup->part_count, sizeof *place->ranges);
}

static void find_galaxies(struct camera_follow *follow, const struct camera_follow_setup *setup)
{
    follow->galaxies = memory_new((size_t)setup->part_count, sizeof *follow->galaxies);
    for (int i = 0; i < setup->part_count; i++) {
        if (!is_first_of_galaxy(setup, i))
            continue;
        struct place *galaxy = &follow->galaxies[follow->galaxy_count++];
        create_place(galaxy, setup);
        choose_parts(galaxy, setup, is_in, setup->parts[i].galaxy);
    }
}

enum status camera_follow_open(struct camera_follow **out, const struct camera_follow_setup *setup)
{
    *out = NULL;
    if (!setup->follow || !setup->follow[0])
        return STATUS_OK;
    struct camera_follow *follow = *out = memory_new(1, sizeof *follow);
    create_place(&follow->places[0], setup);
    create_place(&follow->places[1], setup);
    find_galaxies(follow, setup);
    enum status status = resolve_all(follow, setup, setup->follow) ? check_sample(follow, setup)
                                                                   : fail_unknown(follow, setup);
    if (status != STATUS_OK)
        camera_follow_close(out);
    return status;
}

void camera_follow_close(struct camera_follow **follow)
{
    if (!*follow)
        return;
    for (int i = 0; i < (*follow)->galaxy_count; i++)
        free((*follow)->galaxies[i].ranges);
    free((*follow)->galaxies);
    free((*follow)->places[0].ranges);
    free((*follow)->places[1].ranges);
    free(*follow);
    *follow = NULL;
}

double camera_follow_radius(const struct camera_follow *follow)
{
    const struct place *place = &follow->places[0];
    return follow->place_count == 1 && place->kind == CORE ? place->radius : 0;
}

static void find_densest(const struct camera_follow *follow, const struct view *view, double ahead,
                         const struct camera_cloud *drawn, double radius, double centre[3])
{
    const size_t step = 1 + (size_t)follow->galaxy_count * drawn->count / WEIGHED;
    struct camera_cloud galaxy;
    double total = 0, sum[3] = {0};
    for (int g = 0; g < follow->galaxy_count; g++) {
        const struct place *place = &follow->galaxies[g];
        double core[3];
        camera_cloud_fill(&galaxy, view, ahead, place->ranges, place->range_count);
        camera_core(&galaxy, core_breadth * place->radius, core);
        const double weight = fn_pow(camera_density(drawn, step, radius, core), PREFERENCE);
        total += weight;
        vector_add(sum, sum, weight, core);
    }
    camera_centre_of_mass(drawn, centre);
    for (int i = 0; i < 3 && total > 0; i++)
        centre[i] = sum[i] / total;
}

void camera_follow_centre(const struct camera_follow *follow, const struct view *view, double ahead,
                          double centre[3])
{
    struct camera_cloud cloud;
    memset(centre, 0, 3 * sizeof *centre);
    for (int p = 0; follow && p < follow->place_count; p++) {
        const struct place *place = &follow->places[p];
        double found[3];
        if (place->kind == BODY) {
            const float *row = view->followed[place->body];
            for (int i = 0; i < 3; i++)
                centre[i] += (row[i] + ahead * row[4 + i]) / follow->place_count;
            continue;
        }
        if (place->kind == TRACKED) {
            struct view then = *view;
            then.time += ahead;
            (void)place->tracked->at(place->tracked, &then, found);
            vector_add(centre, centre, 1.0 / follow->place_count, found);
            continue;
        }
        camera_cloud_fill(&cloud, view, ahead, place->ranges, place->range_count);
        if (place->kind == DENSEST && place->radius > 0)
            find_densest(follow, view, ahead, &cloud, region_breadth * place->radius, found);
        else if (place->kind == CORE)
            camera_core(&cloud, core_breadth * place->radius, found);
        else
            camera_centre_of_mass(&cloud, found);
        vector_add(centre, centre, 1.0 / follow->place_count, found);
    }
}

/* ---- align ---- */

/* In radii of the part. */
static const double disk_breadth = 3;

enum status camera_follow_check_axis(const struct camera_follow *follow, const char *key)
{
    for (int p = 0; follow && p < follow->place_count; p++)
        if (follow->places[p].kind == BODY || follow->places[p].kind == DENSEST)
            return status_fail(STATUS_USAGE,
                               "%s names what has no angular momentum of its own; name a galaxy, "
                               "a component, mass or A+B",
                               key);
    return STATUS_OK;
}

struct turning {
    size_t used; /* bodies of the cloud so far */
    double sum, velocity[3], axis[3];
};

/* Adds the bodies of one place: to the mean velocity, or, `about` that, to the angular momentum. */
static void turn(struct turning *turning, const struct camera_cloud *cloud,
                 const struct place *place, const struct view *view, const double centre[3],
                 const double *about)
{
    const size_t stride = view_sample_stride(view->whole_sample ? view->whole : view->count);
    for (int r = 0; r < place->range_count; r++) {
        const struct camera_range *range = &place->ranges[r];
        const size_t end = (range->first + range->count + stride - 1) / stride;
        for (size_t k = (range->first + stride - 1) / stride; k < end; k++) {
            const size_t i = turning->used++;
            const float *row, *velocity;
            find_rows(view, k, &row, &velocity);
            const double arm[] = {cloud->x[i] - centre[0], cloud->y[i] - centre[1],
                                  cloud->z[i] - centre[2]};
            const double weight = cloud->weight[i];
            double speed[3], moment[3];
            for (int a = 0; a < 3; a++)
                speed[a] = velocity[a] - (about ? about[a] : 0);
            vector_cross(moment, arm, speed);
            vector_add(about ? turning->axis : turning->velocity,
                       about ? turning->axis : turning->velocity, weight, about ? moment : speed);
            turning->sum += weight;
        }
    }
}

/* The bodies of all places, and their centre. */
static void gather(const struct camera_follow *follow, const struct view *view,
                   struct camera_cloud *cloud, double centre[3])
{
    const struct place *place = &follow->places[0];
    struct camera_range *ranges = NULL;
    int count = 0;
    for (int p = 0; p < follow->place_count; p++)
        count += follow->places[p].range_count;
    ranges = memory_new((size_t)count, sizeof *ranges);
    count = 0;
    for (int p = 0; p < follow->place_count; p++)
        for (int r = 0; r < follow->places[p].range_count; r++)
            ranges[count++] = follow->places[p].ranges[r];
    camera_cloud_fill(cloud, view, 0, ranges, count);
    free(ranges);
    const double radius = camera_follow_radius(follow);
    if (!(radius > 0)) {
        camera_centre_of_mass(cloud, centre);
        return;
    }
    camera_core(cloud, core_breadth * place->radius, centre);
    const double scale = 1 / (disk_breadth * radius * disk_breadth * radius);
    for (size_t k = 0; k < cloud->count; k++) {
        const double x = cloud->x[k] - centre[0], y = cloud->y[k] - centre[1],
                     z = cloud->z[k] - centre[2];
        cloud->weight[k] *= (float)kernel(scale * (x * x + y * y + z * z));
    }
}

void camera_follow_axis(const struct camera_follow *follow, const struct view *view, double axis[3])
{
    struct camera_cloud cloud;
    struct turning mean = {0}, turning = {0};
    double centre[3];
    gather(follow, view, &cloud, centre);
    for (int p = 0; p < follow->place_count; p++)
        turn(&mean, &cloud, &follow->places[p], view, centre, NULL);
    for (int a = 0; a < 3 && mean.sum > 0; a++)
        mean.velocity[a] /= mean.sum;
    for (int p = 0; p < follow->place_count; p++)
        turn(&turning, &cloud, &follow->places[p], view, centre, mean.velocity);
    const double length = vector_length(turning.axis);
    for (int a = 0; a < 3; a++)
        axis[a] = length > 0 ? turning.axis[a] / length : a == 2;
}
