#include "cmd/film_tags.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status film_tags_make(struct film_tags *tags, const struct film *film)
{
    *tags = (struct film_tags){0};
    const struct scene *scene = film->scene;
    const struct solver *solver = simulation_solver(film->simulation);
    /* The CPU's words hold the number of threads, on which the film must not depend. */
    const char *device = solver->ops == &solver_cpu ? solver->ops->name : solver->device;
    tags->scene = scene_print(scene);
    tags->device = text_format("%s, %s", device, solver->kernel);
    snprintf(tags->seed, sizeof tags->seed, "%llu", (unsigned long long)scene->bodies.seed);
    if (!tags->scene || !tags->device)
        return status_fail(STATUS_RUNTIME, "no memory left to describe the film");
    const struct sink_tag list[FILM_TAGS] = {
        {"title", *scene->output.title ? scene->output.title : "gravreel"},
        {"comment",
         "made with gravreel " GRAVREEL_VERSION "; `gravreel info FILE` prints the scene"},
        {"gravreel_version", GRAVREEL_VERSION},
        {"gravreel_scene", tags->scene},
        {"gravreel_seed", tags->seed},
        {"gravreel_device", tags->device},
        {"gravreel_renderer", renderer_description(film->renderer)},
    };
    memcpy(tags->list, list, sizeof list);
    return STATUS_OK;
}

void film_tags_free(struct film_tags *tags)
{
    free(tags->scene);
    free(tags->device);
    *tags = (struct film_tags){0};
}
