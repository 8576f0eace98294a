#include "render/density/light_tally.h"

#include "render/camera/project.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { ROWS = 96, COLUMNS_MOST = 384, FACES = 6, WIDEST = 16 };

/* Limits of radii in cells. The result for a smaller radius would depend on where in its cell a
 * body is; for wider, faint bodies the middle is enough. */
static const double narrowest = 1.5, widest = WIDEST;

struct grid {
    int columns;
    double cell[ROWS * COLUMNS_MOST];
};

/* Bins are the upper bits of the brightness as a float: 128 bins per doubling. */
static unsigned bin_of(float light)
{
    uint32_t bits;
    memcpy(&bits, &light, sizeof bits);
    return bits >> 16;
}

static float brightness_of(unsigned bin)
{
    const uint32_t bits = (uint32_t)bin << 16;
    float light;
    memcpy(&light, &bits, sizeof light);
    return light;
}

/* Spreads `light` around a place in cells; `radius` in cells, `unit` cells per unit of length
 * there. */
static void spread(struct grid *grid, double x, double y, double radius, double unit, double light)
{
    const double across = fmax(radius, narrowest), reach = fmin(across, widest);
    const double per_length = unit / across;
    const double middle = light * per_length * per_length;
    if (!(x > -reach && x < grid->columns + reach && y > -reach && y < ROWS + reach))
        return;
    const int left = (int)fmax(0, ceil(x - reach - 0.5)), low = (int)fmax(0, ceil(y - reach - 0.5));
    double rest[2 * WIDEST + 2];
    int width = 0;
    for (; left + width < grid->columns && left + width + 0.5 <= x + reach; width++) {
        const double right = (left + width + 0.5 - x) / reach;
        rest[width] = 1 - right * right;
    }
    for (int row = low; row < ROWS && row + 0.5 <= y + reach; row++) {
        const double up = (row + 0.5 - y) / reach;
        double *cell = grid->cell + row * grid->columns + left;
        for (int i = 0; i < width; i++) {
            const double inside = rest[i] - up * up;
            cell[i] += inside > 0 ? middle * inside * inside : 0;
        }
    }
}

static void look(struct grid *grid, const struct light_picture *picture,
                 const struct camera_aim *aim, struct light_tally *tally)
{
    const struct camera_window window = {.width = (uint32_t)grid->columns,
                                         .height = ROWS,
                                         .columns = (uint32_t)grid->columns,
                                         .rows = ROWS};
    struct camera_pose pose;
    camera_project(&pose, aim, &window);
    memset(grid->cell, 0, sizeof grid->cell);
    const float *m = pose.view_projection;
    const double unit = (double)pose.pixels_per_unit * pose.distance;
    for (size_t i = 0; i < picture->count; i++) {
        const double *p = picture->position[i];
        double clip[4];
        for (int k = 0; k < 4; k++)
            clip[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
        if (!(clip[3] > 0) || fabs(clip[2]) > clip[3] || !isfinite(picture->radius[i]))
            continue;
        spread(grid, (clip[0] / clip[3] + 1) / 2 * grid->columns,
               (clip[1] / clip[3] + 1) / 2 * ROWS, picture->radius[i] * unit / clip[3],
               unit / clip[3], picture->light[i]);
    }
    for (int i = 0; i < grid->columns * ROWS; i++) {
        const float light = (float)grid->cell[i];
        if (light > 0 && isfinite(light))
            tally->light[bin_of(light)] += grid->cell[i];
    }
}

void light_tally_add(struct light_tally *tally, const struct light_picture *picture)
{
    struct grid grid;
    grid.columns = picture->whole_sphere
                       ? ROWS
                       : (int)fmin(fmax(round(ROWS * picture->aspect), 16), COLUMNS_MOST);
    if (!picture->whole_sphere) {
        look(&grid, picture, &picture->aim, tally);
        return;
    }
    for (int face = 0; face < FACES; face++) {
        struct camera_aim aim;
        camera_aim_face(&aim, &picture->aim, face);
        look(&grid, picture, &aim, tally);
    }
}

double light_tally_below(const struct light_tally *tally, double share)
{
    double all = 0, sum = 0;
    unsigned last = 0;
    for (unsigned bin = 0; bin < LIGHT_TALLY_BINS; bin++) {
        all += tally->light[bin];
        if (tally->light[bin] > 0)
            last = bin;
    }
    for (unsigned bin = 0; bin < last; bin++)
        if ((sum += tally->light[bin]) >= share * all)
            return (double)brightness_of(bin);
    return (double)brightness_of(last);
}
