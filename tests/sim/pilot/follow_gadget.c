/* Follows the collision of two galaxies that another code has computed: from the bodies of
 * gadget2/galaxy_littleendian.dat of the test data to the times of the snapshots of gadget_hdf5.
 * Prints the disks' separation and all half-mass radii beside those of the snapshots; ends with 1
 * where a separation is off by more than its limit or a radius by more than a tenth.
 *
 * follow_gadget BODIES KERNEL STEPS [ERROR [BACKEND]]: softening kernel, steps per 10 / 1024 units
 * of time, simulation.force_error of the tree. 4 steps take some minutes on two processors. Run by
 * hand; docs/physics.md has what it gave. */
#include "base/clock.h"
#include "base/sort.h"
#include "sim/formats/formats.h"
#include "sim/formats/snapshot.h"
#include "sim/simulation.h"
#include "sim/gravity/force.h"
#include "tests/support/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HALO = 40000, DISK = 20000, BODIES = HALO + DISK, PARTS = 4, SNAPSHOTS = 4, FEW = 100 };

static const double GRAVITY = 43007.1;

/* Components: the disks of the galaxies A and B, their haloes; ids from `from` + 1 on. */
static const struct part {
    const char *name, *galaxy;
    size_t from, count;
    double softening;
} parts[PARTS] = {
    {"disk", "A", HALO, DISK / 2, 0.4},
    {"disk", "B", HALO + DISK / 2, DISK / 2, 0.4},
    {"halo", "A", 0, HALO / 2, 1.0},
    {"halo", "B", HALO / 2, HALO / 2, 1.0},
};

/* Of the snapshots: separations and radii, found as `measure` does. */
static const struct known {
    int frame;
    double separation, limit, radius[PARTS];
} snapshots[SNAPSHOTS] = {
    {0, 199.997, 0.01, {9.306, 9.306, 40.21, 40.21}},
    {51, 123.374, 0.6, {9.683, 9.685, 37.74, 37.70}},
    {102, 11.757, 0.3, {8.729, 8.724, 30.72, 30.96}},
    {154, 70.289, 1.5, {11.122, 10.688, 46.31, 45.47}},
};

static double distance(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Appends the bodies of a part. */
static void take(const struct bodies *from, const struct part *part, struct bodies *to,
                 struct component *component)
{
    size_t place = component->first;
    for (size_t i = 0; i < from->count; i++) {
        const size_t id = (size_t)from->id[i];
        if (id <= part->from || id > part->from + part->count ||
            place == component->first + component->count)
            continue;
        to->mass[place] = from->mass[i] * GRAVITY;
        memcpy(to->position[place], from->position[i], sizeof *to->position);
        memcpy(to->velocity[place++], from->velocity[i], sizeof *to->velocity);
    }
}

/* In kpc and km/s, masses so that G = 1. */
static struct bodies *read_bodies(const char *path)
{
    struct snapshot snapshot = {0};
    struct bodies *bodies = NULL;
    if (format_read(path, NULL, &snapshot) == STATUS_OK && snapshot.bodies->count == BODIES &&
        snapshot.bodies->id && bodies_create(&bodies, BODIES, PARTS) == STATUS_OK)
        for (size_t p = 0, first = 0; p < PARTS; first += parts[p++].count) {
            struct component *c = &bodies->components[p];
            *c = (struct component){.first = first, .count = parts[p].count, .draw = true};
            c->softening = parts[p].softening;
            snprintf(c->name, sizeof c->name, "%s", parts[p].name);
            snprintf(c->galaxy, sizeof c->galaxy, "%s", parts[p].galaxy);
            take(snapshot.bodies, &parts[p], bodies, c);
        }
    snapshot_free(&snapshot);
    return bodies;
}

/* The mean of the bodies within `radius` of the centre; false: they are fewer than FEW. */
static bool shrink(const double (*x)[3], size_t count, double radius, double centre[3])
{
    double sum[3] = {0};
    size_t within = 0;
    for (size_t i = 0; i < count; i++)
        if (distance(x[i], centre) < radius) {
            within++;
            for (int k = 0; k < 3; k++)
                sum[k] += x[i][k];
        }
    for (int k = 0; within >= FEW && k < 3; k++)
        centre[k] = sum[k] / (double)within;
    return within >= FEW;
}

/* By spheres around their means, each four fifths of the last. */
static void find_centre(const double (*x)[3], size_t count, double centre[3])
{
    double radius = 0;
    memset(centre, 0, 3 * sizeof *centre);
    (void)shrink(x, count, HUGE_VAL, centre);
    for (size_t i = 0; i < count; i++)
        radius = fmax(radius, distance(x[i], centre));
    while (shrink(x, count, radius *= 0.8, centre))
        ;
}

/* Half-mass radii around the centres of the disks, and how far these are apart. */
static double measure(const struct bodies *bodies, double radius[PARTS])
{
    static double away[BODIES];
    double centre[2][3];
    for (int g = 0; g < 2; g++) {
        const struct component *disk = &bodies->components[g];
        find_centre((const double(*)[3])bodies->position + disk->first, disk->count, centre[g]);
    }
    for (int p = 0; p < PARTS; p++) {
        const struct component *c = &bodies->components[p];
        for (size_t i = 0; i < c->count; i++)
            away[i] = distance(bodies->position[c->first + i], centre[p % 2]);
        sort_doubles(away, c->count);
        radius[p] = (away[c->count / 2 - 1] + away[c->count / 2]) / 2;
    }
    return distance(centre[0], centre[1]);
}

static bool compare(const struct known *known, const struct bodies *bodies)
{
    double radius[PARTS];
    const double separation = measure(bodies, radius), off = separation - known->separation;
    bool good = fabs(off) <= known->limit;
    printf("%6.4f %8.3f %+7.3f  ", known->frame * 10 / 1024.0, separation, off);
    for (int p = 0; p < PARTS; p++) {
        const double ratio = radius[p] / known->radius[p] - 1;
        good = good && fabs(ratio) <= 0.1;
        printf(" %7.3f %+5.1f%%", radius[p], 100 * ratio);
    }
    printf("%s\n", good ? "" : "  off");
    return good;
}

int main(int argc, char **argv)
{
    struct bodies *bodies = argc > 3 ? read_bodies(argv[1]) : NULL;
    if (!bodies) {
        fprintf(stderr, "follow_gadget: usage: follow_gadget gadget2/galaxy_littleendian.dat "
                        "plummer|spline STEPS [ERROR [BACKEND]]\n");
        return 2;
    }
    const unsigned steps = (unsigned)strtoul(argv[3], NULL, 10);
    const struct simulation_params params = {
        .dt = 10 / 1024.0 / steps,
        .softening = 1,
        .softening_kernel = choose(&softening_kernel_registry, argv[2]),
        .steps_per_frame = steps,
        .force = choose(&force_registry, "tree"),
        .force_error = argc > 4 ? strtod(argv[4], NULL) : 2e-4,
        .integrator = choose(&integrator_registry, "kdk"),
        .damping = 1,
    };
    struct simulation *simulation;
    struct diagnostics first, last;
    const double start = clock_seconds();
    bool good = true;
    enum status status =
        simulation_open(&simulation, &params, argc > 5 ? argv[5] : "cpu", 0, bodies);
    if (status == STATUS_OK)
        status = simulation_diagnose(simulation, &first);
    printf("  time separation       disk A, B and halo A, B\n");
    for (int s = 0; status == STATUS_OK && s < SNAPSHOTS; s++) {
        const struct bodies *now;
        status = simulation_advance(simulation, (uint64_t)snapshots[s].frame, NULL);
        if (status == STATUS_OK)
            status = simulation_bodies(simulation, &now);
        if (status == STATUS_OK)
            good = compare(&snapshots[s], now) && good;
        (void)fflush(stdout);
    }
    if (status == STATUS_OK)
        status = simulation_diagnose(simulation, &last);
    if (status == STATUS_OK)
        printf("energy %+.2e, %.0f seconds, %s\n", last.energy / first.energy - 1,
               clock_seconds() - start, simulation_solver(simulation)->kernel);
    else
        fprintf(stderr, "follow_gadget: %s\n", status_text());
    simulation_close(&simulation);
    bodies_destroy(&bodies);
    return status == STATUS_OK ? !good : (int)status;
}
