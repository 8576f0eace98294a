#include "cmd/film/job/diagnostics_log.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct diagnostics_log {
    FILE *file;
    const char *path;
    const struct film *film;
    double *half_mass; /* per component */
    uint64_t last;     /* frame of the last row */
};

static void quoted(FILE *file, const char *text)
{
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, file);
}

/* Writes the names of the columns with their units; units that the scene does not set are its
 * own. */
static enum status write_header(struct diagnostics_log *log)
{
    const struct units_params *units = &log->film->scene->bodies.units;
    const struct bodies *bodies = log->film->bodies;
    char length[48] = "length", time[48] = "time";
    if (units->length_kpc > 0)
        snprintf(length, sizeof length, "%g kpc", units->length_kpc);
    if (units->time_myr > 0)
        snprintf(time, sizeof time, "%g Myr", units->time_myr);
    fprintf(log->file,
            "frame,step,time [%s],kinetic energy [mass velocity^2],potential energy [mass "
            "velocity^2],total energy [mass velocity^2],virial ratio 2K/|W|",
            time);
    for (int c = 0; c < 3; c++)
        fprintf(log->file, ",momentum %c [mass velocity]", 'x' + c);
    for (int c = 0; c < 3; c++)
        fprintf(log->file, ",angular momentum %c [mass length velocity]", 'x' + c);
    for (int c = 0; c < 3; c++)
        fprintf(log->file, ",centre of mass %c [%s]", 'x' + c, length);
    for (size_t k = 0; k < bodies->component_count; k++) {
        const struct component *component = &bodies->components[k];
        fputs(",\"half-mass radius ", log->file);
        quoted(log->file, component->galaxy);
        fputs(*component->galaxy ? "/" : "", log->file);
        quoted(log->file, *component->name ? component->name : "bodies");
        fprintf(log->file, " [%s]\"", length);
    }
    return fputc('\n', log->file) == EOF ? status_cannot_write(log->path, errno) : STATUS_OK;
}

static enum status write_row(void *user, struct simulation *simulation)
{
    struct diagnostics_log *log = user;
    struct diagnostics d;
    enum status status = simulation_diagnose(simulation, &d);
    if (status == STATUS_OK)
        status = simulation_half_mass(simulation, log->half_mass);
    if (status != STATUS_OK)
        return status;
    log->last = simulation_frame(simulation);
    if (!log->file)
        return STATUS_OK;
    fprintf(log->file, "%llu,%llu,%.17g,%.17g,%.17g,%.17g,%.17g", (unsigned long long)log->last,
            (unsigned long long)simulation_step(simulation), simulation_time(simulation), d.kinetic,
            d.potential, d.energy, d.virial);
    const double *const vectors[] = {d.momentum, d.angular_momentum, d.centre};
    for (int k = 0; k < 9; k++)
        fprintf(log->file, ",%.17g", vectors[k / 3][k % 3]);
    for (size_t k = 0; k < log->film->bodies->component_count; k++)
        fprintf(log->file, ",%.17g", log->half_mass[k]);
    return fputc('\n', log->file) == EOF || fflush(log->file) != 0
               ? status_cannot_write(log->path, errno)
               : STATUS_OK;
}

/* Keeps the header and the rows of every `every`-th frame up to `frame`, without the extra last row
 * of a stopped run. Returns the number of rows; *last: the frame of the last one. */
static uint64_t cut_rows(char *text, uint64_t frame, uint64_t every, uint64_t *last)
{
    char *header = strchr(text, '\n'), *to = header ? header + 1 : text, *row = to, *end;
    uint64_t rows = 0;
    for (; (end = strchr(row, '\n')); row = end + 1) {
        const uint64_t number = strtoull(row, NULL, 10);
        const size_t size = (size_t)(end + 1 - row);
        if (number > frame)
            break;
        if (number % every != 0)
            continue;
        memmove(to, row, size);
        to += size;
        *last = number;
        rows++;
    }
    *to = '\0';
    return rows;
}

/* Keeps the rows before `frame` if they are complete. The file is replaced as a whole, so that a
 * run killed here still has them. */
static enum status keep_rows(struct diagnostics_log *log, uint64_t frame, bool resumed, bool *kept)
{
    enum { LIMIT = 1 << 30 };
    const uint64_t every = log->film->scene->simulation.diagnostics_every;
    char *text;
    *kept = false;
    if (frame == 0)
        return STATUS_OK;
    uint64_t rows = 0;
    enum status status = STATUS_OK;
    if (resumed && file_exists(log->path)) {
        status = file_read(log->path, LIMIT, &text, NULL);
        if (status != STATUS_OK)
            return status;
        rows = cut_rows(text, frame, every, &log->last);
        if (rows == frame / every + 1)
            status = file_write(log->path, text, strlen(text));
        free(text);
    }
    *kept = rows == frame / every + 1;
    if (!*kept)
        log_warning("'%s' lacks the rows before frame %llu, at which this run starts", log->path,
                    (unsigned long long)frame);
    return status;
}

static enum status open_file(struct diagnostics_log *log, bool resumed, bool *continues)
{
    enum status status =
        keep_rows(log, simulation_frame(log->film->simulations[0]), resumed, continues);
    if (status != STATUS_OK)
        return status;
    file_drop_link(log->path);
    log->file = fopen(log->path, *continues ? "a" : "w");
    if (!log->file)
        return status_cannot_write(log->path, errno);
    return *continues ? STATUS_OK : write_header(log);
}

/* Rank 0 has the file; the others take part in the sums. */
static enum status start_or_continue(struct diagnostics_log *log, bool resumed)
{
    bool continues = false;
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = open_file(log, resumed, &continues);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = ranks_first(&continues, sizeof continues);
    if (status == STATUS_OK)
        status = ranks_first(&log->last, sizeof log->last);
    return status == STATUS_OK && !continues ? write_row(log, log->film->simulations[0]) : status;
}

enum status diagnostics_log_open(struct diagnostics_log **out, const char *path,
                                 const struct film *film, bool resumed)
{
    *out = NULL;
    if (!path)
        return STATUS_OK;
    struct diagnostics_log *log = memory_new(1, sizeof *log);
    log->half_mass = memory_new(film->bodies->component_count, sizeof *log->half_mass);
    log->path = path;
    log->film = film;
    enum status status = start_or_continue(log, resumed);
    if (status != STATUS_OK) {
        (void)diagnostics_log_close(&log, false);
        return status;
    }
    const struct simulation_observer observer = {
        .every = film->scene->simulation.diagnostics_every, .see = write_row, .user = log};
    simulation_observe(film->simulations[0], &observer);
    *out = log;
    return STATUS_OK;
}

enum status diagnostics_log_close(struct diagnostics_log **log, bool complete)
{
    struct diagnostics_log *l = *log;
    enum status status = STATUS_OK;
    *log = NULL;
    if (!l)
        return STATUS_OK;
    simulation_observe(l->film->simulations[0], &(struct simulation_observer){.user = l});
    if (complete && simulation_frame(l->film->simulations[0]) != l->last)
        status = write_row(l, l->film->simulations[0]);
    if (l->file && fclose(l->file) != 0 && status == STATUS_OK)
        status = status_cannot_write(l->path, errno);
    free(l->half_mass);
    free(l);
    return status;
}
