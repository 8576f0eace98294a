#include "render/camera_centre.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 16, SHIFTS_A_LEVEL = 2, SHIFTS_AT_LAST = 4, SEARCHED = 1024, COMPARED = 512 };

static const double relaxation = 1.5;

void camera_cloud_fill(struct camera_cloud *cloud, const struct view *view,
                       const struct camera_range *ranges, int range_count)
{
    const size_t stride = view_sample_stride(view->count);
    double total = 0;
    size_t used = 0;
    for (int r = 0; r < range_count; r++) {
        const size_t end = (ranges[r].first + ranges[r].count + stride - 1) / stride;
        for (size_t k = (ranges[r].first + stride - 1) / stride; k < end; k++, used++) {
            const float *row = view_sample_row(view, k);
            cloud->x[used] = row[0];
            cloud->y[used] = row[1];
            cloud->z[used] = row[2];
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

static double spread(const struct camera_cloud *cloud, const double centre[3])
{
    double sum = 0, square = 0;
    for (size_t k = 0; k < cloud->count; k++) {
        const double x = cloud->x[k] - centre[0], y = cloud->y[k] - centre[1],
                     z = cloud->z[k] - centre[2];
        sum += cloud->weight[k];
        square += cloud->weight[k] * (x * x + y * y + z * z);
    }
    return sum > 0 ? sqrt(square / sum) : 0;
}

/* One shift, of every step-th body. */
static void shift(const struct camera_cloud *cloud, size_t step, double radius, double centre[3])
{
    const double scale = 1 / (radius * radius);
    double sum = 0, mean[3] = {0};
    for (size_t k = 0; k < cloud->count; k += step) {
        const double x = cloud->x[k] - centre[0], y = cloud->y[k] - centre[1],
                     z = cloud->z[k] - centre[2];
        const double rest = 1 - scale * (x * x + y * y + z * z);
        const double weight = rest > 0 ? cloud->weight[k] * rest * rest : 0;
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
    const double begin = 2 * spread(cloud, centre);
    const size_t step = (cloud->count + SEARCHED - 1) / SEARCHED, few = (step + 3) / 4;
    if (!(radius > 0) || begin == 0)
        return;
    for (int level = 0; level < LEVELS && begin > radius; level++) {
        const double here = radius * pow(begin / radius, 1 - (double)level / LEVELS);
        for (int n = 0; n < SHIFTS_A_LEVEL; n++)
            shift(cloud, step, here, centre);
    }
    for (int n = 0; n < SHIFTS_AT_LAST; n++)
        shift(cloud, few, radius, centre);
    for (int n = 0; n < SHIFTS_AT_LAST; n++)
        shift(cloud, 1, radius, centre);
}

void camera_densest(const struct camera_cloud *cloud, double radius, double centre[3])
{
    const size_t step = cloud->count > COMPARED ? (cloud->count + COMPARED - 1) / COMPARED : 1;
    struct {
        float x, y, z, weight, density;
    } few[COMPARED];
    size_t count = 0;
    float most = 0;
    double sum = 0, mean[3] = {0};
    camera_centre_of_mass(cloud, centre);
    if (!(radius > 0))
        return;
    const float scale = (float)(1 / (radius * radius));
    for (size_t k = 0; k < cloud->count; k += step, count++) {
        few[count].x = (float)(cloud->x[k] - centre[0]);
        few[count].y = (float)(cloud->y[k] - centre[1]);
        few[count].z = (float)(cloud->z[k] - centre[2]);
        few[count].weight = few[count].density = cloud->weight[k];
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            const float x = few[i].x - few[j].x, y = few[i].y - few[j].y, z = few[i].z - few[j].z;
            const float rest = 1 - scale * (x * x + y * y + z * z);
            const float kernel = rest > 0 ? rest * rest : 0;
            few[i].density += few[j].weight * kernel;
            few[j].density += few[i].weight * kernel;
        }
    for (size_t i = 0; i < count; i++)
        most = fmaxf(most, few[i].density);
    for (size_t i = 0; i < count; i++) {
        const double weight = few[i].weight * pow(few[i].density / most, 8);
        sum += weight;
        mean[0] += weight * few[i].x;
        mean[1] += weight * few[i].y;
        mean[2] += weight * few[i].z;
    }
    for (int i = 0; i < 3 && sum > 0; i++)
        centre[i] += mean[i] / sum;
}
