#include "render/density/density_scale.h"

#include "render/camera/project.h"

#include <math.h>
#include <stdlib.h>

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
            if (!(clip[3] > 0) || fabs(clip[2]) > clip[3])
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
        for (int face = 0; face < 6 && status == STATUS_OK; face++) {
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
