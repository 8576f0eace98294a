/* Cores are the fixed points of shifts that sum over all bodies. */
#include "tests/support/test.h"

#include "sim/bodies/bodies.h"
#include "sim/pilot/galaxy_core.h"

#include <math.h>
#include <string.h>

enum { BODIES = 1500, MOMENTS = 40 };

/* A dense galaxy with a tail, and one body in twenty outside, turning and on its way. */
static void place(struct bodies *bodies, double time)
{
    for (size_t i = 0; i < BODIES; i++) {
        const double even = fmod(0.6180339887498949 * (double)(i + 1), 1);
        const double r = i % 20 ? 2 * even * even : 5 + 0.01 * (double)i;
        const double angle = 2.4 * (double)i + time / (0.1 + r), tail = i % 7 ? 0 : 0.3 * r;
        bodies->position[i][0] = 3 * sin(time) + r * cos(angle) + tail;
        bodies->position[i][1] = 5 * time * time + r * sin(angle);
        bodies->position[i][2] = 0.1 * r * cos(3 * angle);
        bodies->mass[i] = 1 + (double)(i % 3);
    }
}

static void settle_plainly(const struct bodies *bodies, double radius, double centre[3])
{
    double moved = INFINITY;
    for (int n = 0; n < 100 && moved > 1e-6 * radius; n++) {
        const double inverse = 1 / (radius * radius);
        double sum = 0, mean[3] = {0}, square = 0;
        for (size_t i = 0; i < BODIES; i++) {
            const double *x = bodies->position[i];
            const double dx = x[0] - centre[0], dy = x[1] - centre[1], dz = x[2] - centre[2];
            const double rest = 1 - (dx * dx + dy * dy + dz * dz) * inverse;
            const double weight = rest > 0 ? bodies->mass[i] * rest * rest : 0;
            sum += weight;
            for (int c = 0; c < 3; c++)
                mean[c] += weight * x[c];
        }
        for (int c = 0; c < 3; c++) {
            square += (mean[c] / sum - centre[c]) * (mean[c] / sum - centre[c]);
            centre[c] = mean[c] / sum;
        }
        moved = sqrt(square);
    }
}

/* From where the last two lead, slowly and fast. */
TEST(a_core_is_the_fixed_point_of_sums_over_all_bodies)
{
    struct bodies *bodies = NULL;
    struct galaxy_core *core = NULL;
    double last[2][3], found[3];
    assert_ok(bodies_create(&bodies, BODIES, 1));
    bodies->components[0].count = BODIES;
    bodies->components[0].draw = true;
    strcpy(bodies->components[0].galaxy, "one");
    place(bodies, 0);
    assert_ok(galaxy_core_open(&core, bodies, 0));
    galaxy_core_find(core, bodies, last[0]);
    memcpy(last[1], last[0], sizeof last[0]);
    for (int k = 1; k < MOMENTS; k++) {
        double wanted[3];
        for (int c = 0; c < 3; c++)
            wanted[c] = 2 * last[0][c] - last[1][c];
        place(bodies, 0.02 * k + (k % 3 ? 0 : 0.01 * (k % 7)));
        settle_plainly(bodies, galaxy_core_radius(core), wanted);
        galaxy_core_find(core, bodies, found);
        assert_memory_equal(found, wanted, sizeof found);
        memcpy(last[1], last[0], sizeof last[0]);
        memcpy(last[0], found, sizeof last[0]);
    }
    galaxy_core_close(&core);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
