#include "sim/views.h"

enum status views_create(struct simulation *const *simulations, int count, struct view **out)
{
    struct view **link = out;
    enum status status = STATUS_OK;
    *out = NULL;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = simulation_view_create(simulations[i], link);
        if (status == STATUS_OK)
            link = &(*link)->next;
    }
    return status;
}

void views_destroy(struct simulation *const *simulations, struct view **views)
{
    for (int i = 0; *views; i++) {
        struct view *next = (*views)->next;
        simulation_view_destroy(simulations[i], views);
        *views = next;
    }
}

enum status views_fill(struct simulation *const *simulations, struct view *views)
{
    enum status status = STATUS_OK;
    for (int i = 0; views && status == STATUS_OK; i++, views = views->next)
        status = simulation_view_fill(simulations[i], views);
    return status;
}
