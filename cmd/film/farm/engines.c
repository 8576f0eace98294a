#include "cmd/film/farm/engines.h"

#include "base/json/facts.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ==== filling in templates ==== */

static char *mark(bool kept)
{
    return kept ? memory_text("") : NULL;
}

enum { FARM_PLACES = 32 };

/* The places of a plan that mean the same in every language: cpus, gpus, mebibytes, minutes, and
 * marks for lines: "if ranges" of a film, "unless ranges". Returns their number. */
static size_t farm_places(struct farm_place places[FARM_PLACES], const struct farm_plan *plan)
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

/* The texts, each written by `put` with its number, as one value; NULL if `lines` is NULL. */
static char *farm_lines(char *const *lines, size_t count,
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

/* ==== make ==== */

/* A recipe's line: make expands dollars, and the shell gets everything else as it is. */
static void put_line(FILE *file, const char *line)
{
    fputc('\t', file);
    for (; *line; line++) {
        if (*line == '$')
            fputc('$', file);
        fputc(*line, file);
    }
    fputc('\n', file);
}

/* Targets are numbers, because make cannot quote the names of files. */
static void put_targets(FILE *file, const char *stage, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(file, " %s-%zu", stage, i);
}

/* One task per device at a time; without devices two, so that one draws while another simulates. */
static char *start_make(const struct farm_plan *plan)
{
    return text_format("make -j%u -f", plan->gpus ? plan->gpus : 2);
}

/* plan->begin is left out: every task begins, and replaces its report of an earlier job. */
static void write_make(FILE *file, const struct farm_plan *plan)
{
    const size_t n = plan->tasks;
    char *command = start_make(plan);
    fprintf(file,
            "# Written by gravreel farm. `%s FILE` runs on this machine, that many tasks at once;\n"
            "# run it again to continue after an interruption.\n"
            ".PHONY: all",
            command);
    free(command);
    if (plan->simulate)
        put_targets(file, "simulate", n);
    put_targets(file, "draw", n);
    fputs("\nall:", file);
    put_targets(file, "draw", n);
    fputc('\n', file);
    put_line(file, plan->finish);
    for (size_t i = 0; i < n && plan->simulate; i++) {
        fprintf(file, "simulate-%zu:", i);
        if (i > 0)
            fprintf(file, " simulate-%zu", i - 1);
        fputc('\n', file);
        put_line(file, plan->simulate[i]);
    }
    for (size_t i = 0; i < n; i++) {
        fprintf(file, "draw-%zu:", i);
        if (plan->simulate)
            fprintf(file, " simulate-%zu", i);
        fputc('\n', file);
        /* a film that fails does not keep the others from their report */
        if (plan->report)
            fputs("\t-", file);
        put_line(file, plan->draw[i]);
    }
}

static const struct farm_engine farm_make = {
    .name = "make",
    .doc = "one machine without a scheduler, several tasks or GPUs at once",
    .start = start_make,
    .one_machine = true,
    .write = write_make,
};

/* ==== OpenCue ==== */

extern const char farm_opencue_template[]; /* opencue.py */

/* Writes a string literal of Python and JavaScript, in UTF-8. */
static void put_literal(FILE *file, size_t i, const char *text)
{
    (void)i;
    fputc('\'', file);
    for (; *text; text++) {
        if (strchr("'\\\n", *text))
            fputc('\\', file);
        fputc(*text == '\n' ? 'n' : *text, file);
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

static const struct farm_engine farm_opencue = {
    .name = "opencue",
    .doc = "a studio's farm under OpenCue: an outline in Python, with a layer per task",
    .start = start_opencue,
    .write = write_opencue,
};

/* ==== Slurm ==== */

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

static const struct farm_engine farm_slurm = {
    .name = "slurm",
    .doc = "a Slurm cluster: arrays with dependencies, requeued when pre-empted",
    .start = start_slurm,
    .write = write_slurm,
};

/* ==== a list ==== */

static void put_name(struct facts *to, const char *name, const char *stage, size_t number)
{
    char *task = text_format("%s-%zu", stage, number);
    facts_text(to, name, task);
    free(task);
}

static struct facts *open_task(const struct farm_plan *plan, const char *stage, size_t number,
                               const char *command)
{
    struct facts *task = facts_open();
    put_name(task, "task", stage, number);
    facts_text(task, "command", command);
    facts_whole(task, "cpus", plan->cpus);
    facts_whole(task, "gpus", plan->gpus);
    facts_whole(task, "mebibytes", plan->mebibytes);
    facts_whole(task, "minutes", plan->minutes);
    facts_list(task, "after");
    return task;
}

static void add_after(struct facts *task, const char *stage, size_t number)
{
    put_name(facts_list(task, "after"), NULL, stage, number);
}

static void write_task(FILE *file, struct facts *task)
{
    char *line = facts_written(&task, 0, 17);
    fprintf(file, "%s\n", line);
    free(line);
}

/* In an order in which the tasks can run one after the other. */
static void write_list(FILE *file, const struct farm_plan *plan)
{
    struct facts *task;
    if (plan->begin)
        write_task(file, open_task(plan, "begin", 0, plan->begin));
    for (size_t i = 0; i < plan->tasks && plan->simulate; i++) {
        task = open_task(plan, "simulate", i, plan->simulate[i]);
        if (i > 0 || plan->begin)
            add_after(task, i > 0 ? "simulate" : "begin", i > 0 ? i - 1 : 0);
        write_task(file, task);
    }
    for (size_t i = 0; i < plan->tasks; i++) {
        task = open_task(plan, "draw", i, plan->draw[i]);
        if (plan->simulate || plan->begin)
            add_after(task, plan->simulate ? "simulate" : "begin", plan->simulate ? i : 0);
        write_task(file, task);
    }
    task = open_task(plan, "finish", 0, plan->finish);
    for (size_t i = 0; i < plan->tasks; i++)
        add_after(task, "draw", i);
    write_task(file, task);
}

/* One task after the other, on this machine. */
static char *start_list(const struct farm_plan *plan)
{
    (void)plan;
    return memory_text("sh -c 'jq -r .command \"$0\" | sh -e'");
}

static const struct farm_engine farm_list = {
    .name = "list",
    .doc = "any other scheduler: a line of JSON for each task, with its command, those before it "
           "and what it needs",
    .start = start_list,
    .write = write_list,
};

/* ==== Flamenco ==== */

extern const char farm_flamenco_template[]; /* flamenco.js */

/* Writes the lines of the list engine as items of a JavaScript array. */
static char *listed_tasks(const struct farm_plan *plan)
{
    char *text = NULL, *lines = NULL;
    size_t size;
    FILE *file = text_begin(&lines, &size);
    write_list(file, plan);
    text_end(file);
    file = text_begin(&text, &size);
    for (const char *at = lines; *at; at++)
        if (*at != '\n')
            fputc(*at, file);
        else if (at[1])
            fputs(",\n    ", file);
    text_end(file);
    free(lines);
    return text;
}

static void write_flamenco(FILE *file, const struct farm_plan *plan)
{
    struct farm_place places[FARM_PLACES];
    char *here = get_current_dir_name();
    size_t n = farm_places(places, plan);
    places[n++] = (struct farm_place){"name", farm_lines(&plan->name, 1, put_literal)};
    places[n++] = (struct farm_place){"here", farm_lines(here ? &here : NULL, 1, put_literal)};
    places[n++] = (struct farm_place){"tasks", listed_tasks(plan)};
    places[n++] = (struct farm_place){"if checks", mark(plan->checks)};
    farm_template_write(file, farm_flamenco_template, places, n);
    free(here);
}

static char *start_flamenco(const struct farm_plan *plan)
{
    (void)plan;
    return memory_text("cp -t FLAMENCO-MANAGER/scripts");
}

static const struct farm_engine farm_flamenco = {
    .name = "flamenco",
    .doc = "a farm under Flamenco: a job type in JavaScript, with the tasks of the list",
    .start = start_flamenco,
    .write = write_flamenco,
};

static const struct farm_engine *const engines[] = {&farm_slurm, &farm_opencue, &farm_flamenco,
                                                    &farm_make, &farm_list};
const struct registry farm_engine_registry = REGISTRY_LIST("engine", engines);
