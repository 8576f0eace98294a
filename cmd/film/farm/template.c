#include "cmd/film/farm/template.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *mark(bool kept)
{
    return kept ? memory_text("") : NULL;
}

size_t farm_places(struct farm_place places[FARM_PLACES], const struct farm_plan *plan)
{
    const struct farm_place shared[] = {
        {"cpus", text_format("%u", plan->cpus)},
        {"gpus", plan->gpus ? text_format("%u", plan->gpus) : NULL},
        {"mebibytes", text_format("%" PRIu64, plan->mebibytes)},
        {"minutes", text_format("%" PRIu64, plan->minutes)},
        {"if ranges", mark(plan->simulate)},
        {"unless ranges", mark(!plan->simulate)},
    };
    memcpy(places, shared, sizeof shared);
    return sizeof shared / sizeof *shared;
}

char *farm_lines(char *const *lines, size_t count,
                 void (*put)(FILE *file, size_t i, const char *line))
{
    char *text = NULL;
    size_t size;
    if (!lines)
        return NULL;
    FILE *file = text_begin(&text, &size);
    for (size_t i = 0; i < count; i++)
        put(file, i, lines[i]);
    text_end(file);
    return text;
}

/* The place that begins at `at`; NULL: there is none. */
static const struct farm_place *find(const struct farm_place *places, size_t count, const char *at)
{
    for (size_t i = 0; i < count && strncmp(at, "{{", 2) == 0; i++) {
        const size_t length = strlen(places[i].name);
        if (strncmp(at + 2, places[i].name, length) == 0 && strncmp(at + 2 + length, "}}", 2) == 0)
            return &places[i];
    }
    return NULL;
}

static bool is_kept(const char *line, const char *end, const struct farm_place *places,
                    size_t count)
{
    for (; line < end; line++) {
        const struct farm_place *place = find(places, count, line);
        if (place && !place->value)
            return false;
    }
    return true;
}

static void write_line(FILE *file, const char *line, const char *end,
                       const struct farm_place *places, size_t count)
{
    while (line < end) {
        const struct farm_place *place = find(places, count, line);
        if (place) {
            fputs(place->value, file);
            line += strlen(place->name) + strlen("{{}}");
        } else {
            fputc(*line++, file);
        }
    }
}

void farm_template_write(FILE *file, const char *text, const struct farm_place *places,
                         size_t count)
{
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        end += *end == '\n';
        if (is_kept(text, end, places, count))
            write_line(file, text, end, places, count);
        text = end;
    }
    for (size_t i = 0; i < count; i++)
        free(places[i].value);
}
