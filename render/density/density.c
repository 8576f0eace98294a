#include "render/density/density.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cell grid ---- */

static void make(struct cell_grid *out, double side, int border, uint32_t width, uint32_t height)
{
    out->side = side;
    out->border = border;
    out->columns = (int)ceil(width / side - 1e-9) + 2 * border;
    out->rows = (int)ceil(height / side - 1e-9) + 2 * border;
}

static uint32_t shorter(uint32_t width, uint32_t height)
{
    return width < height ? width : height;
}

void cell_grid_activity(struct cell_grid *out, uint32_t cells, uint32_t width, uint32_t height)
{
    make(out, fmax(1, (double)shorter(width, height) / cells), 0, width, height);
}

void cell_grid_density(struct cell_grid *out, uint32_t width, uint32_t height)
{
    make(out, (double)shorter(width, height) / DENSITY_CELLS, DENSITY_BORDER, width, height);
}

/* ---- density scale ---- */

struct tally {
    struct cell_grid grid;
    bool spread;
    float *counts;
};

static void count(const struct tally *tally, double x, double y)
{
    const struct cell_grid *grid = &tally->grid;
    const double reach = tally->spread ? CELL_SPLAT / 2.0 : 0;
    const int left = (int)fmax(0, floor(x - reach)), low = (int)fmax(0, floor(y - reach));
    for (int row = low; row < grid->rows && row <= y + reach; row++)
        for (int column = left; column < grid->columns && column <= x + reach; column++) {
            double weight = 1;
            if (tally->spread) {
                const double right = (column + 0.5 - x) / reach, up = (row + 0.5 - y) / reach;
                const double inside = fmax(0, 1 - right * right - up * up);
                weight = inside * inside;
            }
            tally->counts[row * grid->columns + column] += (float)weight;
        }
}

static void count_all(const struct tally *tally, const struct camera_pose *pose,
                      const struct camera_window *window, const struct density_picture *picture,
                      const struct view *view)
{
    const float *m = pose->view_projection;
    for (int g = 0; g < picture->group_count; g++) {
        const struct draw_group *group = &picture->groups[g];
        for (size_t i = group->first; i < group->first + group->count; i++) {
            const float *p = view->position + 4 * i;
            double clip[4];
            for (int k = 0; k < 4; k++)
                clip[k] = (double)m[k] * p[0] + (double)m[4 + k] * p[1] + (double)m[8 + k] * p[2] +
                          m[12 + k];
            if (!(clip[3] > 0) || fabs(clip[2]) > clip[3] || !camera_pose_has(pose, p))
                continue;
            const double x =
                (clip[0] / clip[3] + 1) / 2 * window->width / tally->grid.side + tally->grid.border;
            const double y = (clip[1] / clip[3] + 1) / 2 * window->height / tally->grid.side +
                             tally->grid.border;
            const double reach = CELL_SPLAT;
            if (x > -reach && x < tally->grid.columns + reach && y > -reach &&
                y < tally->grid.rows + reach)
                count(tally, x, y);
        }
    }
}

/* The largest count in a picture of the given size, seen from `aim`. */
static enum status measure(const struct density_picture *picture, const struct camera_aim *aim,
                           uint32_t width, uint32_t height, const struct view *view, bool spread,
                           double *most)
{
    const struct camera_window window = {
        .width = width, .height = height, .columns = width, .rows = height};
    struct tally tally = {.spread = spread};
    struct camera_pose pose;
    if (spread)
        cell_grid_density(&tally.grid, width, height);
    else
        cell_grid_activity(&tally.grid, picture->cells, width, height);
    const size_t cells = (size_t)tally.grid.columns * (size_t)tally.grid.rows;
    tally.counts = calloc(cells, sizeof *tally.counts);
    if (!tally.counts)
        return status_fail(STATUS_RUNTIME, "no memory left to count bodies in %zu cells, %zu bytes",
                           cells, cells * sizeof *tally.counts);
    camera_project(&pose, aim, &window);
    count_all(&tally, &pose, &window, picture, view);
    const enum status status = picture->sum && picture->sum->share
                                   ? picture->sum->share(picture->sum->user, tally.counts, cells)
                                   : STATUS_OK;
    /* Compared, not fmax(): gcc 12 for aarch64 stops with an internal error at -O3 where it
     * vectorizes the fmax() of floats that are converted to double. No count is NaN. */
    for (size_t i = 0; i < cells; i++)
        if (tally.counts[i] > *most)
            *most = tally.counts[i];
    free(tally.counts);
    return status;
}

enum status density_scale_measure(const struct density_picture *picture, const struct view *view,
                                  double *fullest, double *densest)
{
    const uint32_t width = picture->width, height = picture->height;
    enum status status = STATUS_OK;
    *fullest = *densest = 1;
    if (picture->whole_sphere) {
        for (int face = 0; face < camera_faces(picture->dome) && status == STATUS_OK; face++) {
            struct camera_aim aim;
            camera_aim_face(&aim, &picture->aim, face);
            status = measure(picture, &aim, DENSITY_CELLS, DENSITY_CELLS, view, true, densest);
        }
        return status;
    }
    status = measure(picture, &picture->aim, width, height, view, false, fullest);
    if (status == STATUS_OK)
        status = measure(picture, &picture->aim, width, height, view, true, densest);
    return status;
}

/* ---- light_tally ---- */

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
    for (int face = 0; face < camera_faces(picture->dome); face++) {
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
