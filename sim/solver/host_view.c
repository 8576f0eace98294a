#include "sim/solver/host_view.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void *aligned(size_t size)
{
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

void host_view_destroy(struct solver *solver, struct view **view)
{
    (void)solver;
    if (!*view)
        return;
    free((*view)->position);
    free((*view)->velocity);
    for (int k = 0; k < (*view)->column_count; k++)
        free((*view)->columns[k].value);
    free(*view);
    *view = NULL;
}

enum status host_view_create(struct solver *solver, struct view **out)
{
    const size_t bytes = solver->count * sizeof(float[4]);
    struct view *view = memory_new(1, sizeof *view);
    *view = (struct view){.memory = VIEW_HOST, .device = -1, .count = solver->count};
    view->position = aligned(bytes);
    view->velocity = aligned(bytes);
    *out = NULL;
    bool whole = view->position && view->velocity;
    for (int k = 0; k < solver->columns.count; k++) {
        float *value = malloc(solver->count * sizeof *value);
        view->columns[view->column_count++] = (struct view_column){
            .name = solver->columns.list[k], .memory = VIEW_HOST, .value = value};
        whole = whole && value;
    }
    if (!whole) {
        host_view_destroy(solver, &view);
        return status_fail(STATUS_RUNTIME, "no memory for a view of %zu bodies, %zu bytes",
                           solver->count, 2 * bytes);
    }
    *out = view;
    return STATUS_OK;
}

enum status host_view_read(struct solver *solver, const float *from, size_t count, float *to)
{
    (void)solver;
    memcpy(to, from, count * sizeof *to);
    return STATUS_OK;
}
