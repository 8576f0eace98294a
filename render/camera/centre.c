#include "render/camera/centre.h"

#include "base/functions/fn.h"

#include <math.h>

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

double camera_density(const struct camera_cloud *cloud, size_t step, double radius,
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
