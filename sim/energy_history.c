#include "sim/energy_history.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct energy_history *energy_history_create(uint64_t frames)
{
    /* One point each for the first and the last frame, and ENERGY_POINTS_MAX - 2 steps between. */
    const uint64_t last = frames > 0 ? frames - 1 : 0, steps = ENERGY_POINTS_MAX - 2;
    struct energy_history *history = memory_new(1, sizeof *history);
    history->last = last;
    history->every = last > steps ? (last - 1) / steps + 1 : 1;
    history->room = (size_t)(last / history->every) + 2;
    history->points = memory_new(history->room, sizeof *history->points);
    return history;
}

void energy_history_destroy(struct energy_history **history)
{
    if (!*history)
        return;
    free((*history)->points);
    free(*history);
    *history = NULL;
}

bool energy_history_due(const struct energy_history *history, uint64_t frame)
{
    return frame <= history->last && (frame % history->every == 0 || frame == history->last);
}

void energy_history_add(struct energy_history *history, const struct energy_point *point)
{
    if (history->count < history->room)
        history->points[history->count++] = *point;
}

enum status energy_history_restore(struct energy_history *history,
                                   const struct energy_point *points, size_t count)
{
    if (count > history->room)
        return status_fail(STATUS_USAGE,
                           "found %zu saved energies, but a film of %llu frames has at most %zu; "
                           "the file belongs to another film",
                           count, (unsigned long long)history->last + 1, history->room);
    for (size_t i = 0; i < count; i++) {
        const struct energy_point *point = &points[i];
        bool finite =
            isfinite(point->time) && isfinite(point->kinetic) && isfinite(point->potential);
        double direction = count > 1 ? points[1].time - points[0].time : 1;
        if (!finite || (i > 0 && !((point->time - points[i - 1].time) * direction > 0)))
            return status_fail(STATUS_USAGE,
                               "saved energy %zu of %zu is out of order or not a number; the file "
                               "is damaged",
                               i + 1, count);
    }
    if (count > 0)
        memcpy(history->points, points, count * sizeof *points);
    history->count = count;
    return STATUS_OK;
}
