#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/farm/engine.h"
#include "cmd/film/farm/template.h"

#include <stdlib.h>
#include <string.h>

extern const char farm_slurm_template[]; /* slurm.sh */

/* The quoted pattern of the logs' names, in which sbatch expands percent signs. */
static char *logs_in(const char *folder)
{
    char *pattern = memory_new(2 * strlen(folder) + 16, 1), *to = pattern;
    for (const char *from = folder; *from; from++) {
        if (*from == '%')
            *to++ = '%';
        *to++ = *from;
    }
    strcpy(to, "/%x-%A-%a.log");
    char *quoted = text_quoted(pattern);
    free(pattern);
    return quoted;
}

static void put_case(FILE *file, size_t task, const char *line)
{
    fprintf(file, "%s    %zu) run %s ;;", task ? "\n" : "", task, line);
}

static void write_slurm(FILE *file, const struct farm_plan *plan)
{
    struct farm_place places[FARM_PLACES];
    size_t n = farm_places(places, plan);
    places[n++] = (struct farm_place){"name", text_quoted(plan->name)};
    places[n++] = (struct farm_place){"folder", text_quoted(plan->folder)};
    places[n++] = (struct farm_place){"logs", logs_in(plan->folder)};
    places[n++] =
        (struct farm_place){"partition", plan->partition ? text_quoted(plan->partition) : NULL};
    places[n++] = (struct farm_place){"begin", plan->begin ? memory_text(plan->begin) : NULL};
    places[n++] = (struct farm_place){"last", text_format("%zu", plan->tasks - 1)};
    places[n++] =
        (struct farm_place){"simulate", farm_lines(plan->simulate, plan->tasks, put_case)};
    places[n++] = (struct farm_place){"draw", farm_lines(plan->draw, plan->tasks, put_case)};
    places[n++] = (struct farm_place){"finish", memory_text(plan->finish)};
    farm_template_write(file, farm_slurm_template, places, n);
}

static char *start_slurm(const struct farm_plan *plan)
{
    (void)plan;
    return memory_text("sh");
}

const struct farm_engine farm_slurm = {
    .name = "slurm",
    .doc = "a Slurm cluster: arrays with dependencies, requeued when pre-empted",
    .start = start_slurm,
    .write = write_slurm,
};
