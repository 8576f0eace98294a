#include "base/memory.h"
#include "cmd/film/farm/engine.h"
#include "cmd/film/farm/template.h"

#include <string.h>

extern const char farm_opencue_template[]; /* opencue.py */

/* A Python string literal; bytes outside ASCII stay as they are, in UTF-8. */
static void put_literal(FILE *file, size_t i, const char *text)
{
    (void)i;
    fputc('\'', file);
    for (; *text; text++) {
        if (strchr("'\\", *text))
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('\'', file);
}

static void put_item(FILE *file, size_t i, const char *line)
{
    fputs("\n    ", file);
    put_literal(file, i, line);
    fputc(',', file);
}

static void write_opencue(FILE *file, const struct farm_plan *plan)
{
    struct farm_place places[FARM_PLACES];
    size_t n = farm_places(places, plan);
    places[n++] = (struct farm_place){"name", farm_lines(&plan->name, 1, put_literal)};
    places[n++] =
        (struct farm_place){"begin", plan->begin ? farm_lines(&plan->begin, 1, put_literal) : NULL};
    places[n++] = (struct farm_place){"if begin", plan->begin ? memory_text("") : NULL};
    places[n++] = (struct farm_place){"if checks", plan->checks ? memory_text("") : NULL};
    places[n++] =
        (struct farm_place){"simulate", farm_lines(plan->simulate, plan->tasks, put_item)};
    places[n++] = (struct farm_place){"draw", farm_lines(plan->draw, plan->tasks, put_item)};
    places[n++] = (struct farm_place){"finish", farm_lines(&plan->finish, 1, put_literal)};
    farm_template_write(file, farm_opencue_template, places, n);
}

static char *start_opencue(const struct farm_plan *plan)
{
    (void)plan;
    return memory_text("python3");
}

const struct farm_engine farm_opencue = {
    .name = "opencue",
    .doc = "a studio's farm under OpenCue: an outline in Python, with a layer per task",
    .start = start_opencue,
    .write = write_opencue,
};
