#include "cmd/cli/progress.h"

#include "base/bar.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double plain_interval = 5.0; /* seconds between lines without a terminal */
static const double file_interval = 0.5;
static const double load_interval = 2.0; /* interval of the load average, in seconds */

static const char first_key[] = "frame="; /* first key of every block */

struct progress {
    bool quiet, bar;
    FILE *file;
    double next_line, next_block;
    struct load since;
    struct load_parts load; /* of the latest interval */
};

void progress_bytes(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

enum status progress_check(const char *path, bool overwrite)
{
    char head[sizeof first_key] = "";
    size_t size;
    if (!path || overwrite || !file_exists(path) || file_is_special(path))
        return path ? output_check(path) : STATUS_OK;
    enum status status = file_read_head(path, head, sizeof head - 1, &size);
    if (status != STATUS_OK || size == 0 || strcmp(head, first_key) == 0)
        return status == STATUS_OK ? output_check(path) : status;
    return status_fail(STATUS_USAGE,
                       "'%s' exists already and does not hold the progress of a run; replace it "
                       "with -y or choose another name for --progress",
                       path);
}

static FILE *open_file(const char *path)
{
    file_drop_link(path);
    const int descriptor = file_is_special(path)
                               ? file_open_to_write(path)
                               : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
}

enum status progress_open(struct progress **out, bool quiet, const char *path)
{
    struct progress *progress = *out = memory_new(1, sizeof *progress);
    progress->quiet = quiet;
    progress->next_line = clock_seconds() + plain_interval;
    progress->since = load_now();
    progress->load = load_since(progress->since);
    if (path) {
        progress->file = file_is_standard(path) ? stdout : open_file(path);
        if (!progress->file) {
            free(progress);
            *out = NULL;
            return status_fail(STATUS_IO, "cannot write the progress file '%s': %s", path,
                               strerror(errno));
        }
    }
    progress->bar = !quiet && log_is_terminal();
    return STATUS_OK;
}

static double rate(const struct pipeline_progress *now)
{
    return now->elapsed > 0 ? (double)now->done[STAGE_ENCODE] / now->elapsed : 0;
}

static void write_block(struct progress *progress, const struct pipeline_progress *now,
                        const char *word)
{
    double fps = rate(now);
    fprintf(progress->file, "%s%llu\nframes=%llu\nfps=%.2f\n", first_key,
            (unsigned long long)now->done[STAGE_ENCODE], (unsigned long long)now->wanted, fps);
    fprintf(progress->file, "simulated_time=%.6g\nelapsed=%.2f\n", now->time, now->elapsed);
    for (int s = 0; s < STAGE_COUNT; s++)
        fprintf(progress->file, "busy_%s=%.2f\n", stage_name((enum stage)s), now->busy[s]);
    fprintf(progress->file, "others=%.2f\n", progress->load.others);
    fprintf(progress->file, "bottleneck=%s\nsize=%llu\nprogress=%s\n",
            stage_name(pipeline_bottleneck(now)), (unsigned long long)now->bytes, word);
    fflush(progress->file);
}

static void format_text(const struct progress *progress, const struct pipeline_progress *now,
                        char *text, size_t size)
{
    double fps = rate(now);
    uint64_t done = now->done[STAGE_ENCODE];
    char left[32] = "-:--", load[80];
    if (fps > 0)
        bar_duration((double)(now->wanted - done) / fps, left, sizeof left);
    load_describe(progress->load, load, sizeof load);
    snprintf(text, size, "%llu/%llu frames, %.1f frames/s, %s left, slowest: %s%s%s",
             (unsigned long long)done, (unsigned long long)now->wanted, fps, left,
             stage_name(pipeline_bottleneck(now)), *load ? "; " : "", load);
}

static void read_load(struct progress *progress, double clock)
{
    if (!(clock >= progress->since.clock + load_interval))
        return;
    progress->load = load_since(progress->since);
    progress->since = load_now();
}

void progress_tick(void *user, const struct pipeline_progress *now)
{
    struct progress *progress = user;
    double clock = clock_seconds();
    read_load(progress, clock);
    if (progress->file && clock >= progress->next_block) {
        write_block(progress, now, "continue");
        progress->next_block = clock + file_interval;
    }
    if (progress->quiet)
        return;
    if (progress->bar) {
        char text[240], line[LOG_LINE_MAX];
        format_text(progress, now, text, sizeof text);
        bar_format(now->done[STAGE_ENCODE], now->wanted, text, line, sizeof line);
        log_set_line(line);
    } else if (clock >= progress->next_line) {
        char text[240];
        format_text(progress, now, text, sizeof text);
        log_info("%s", text);
        progress->next_line = clock + plain_interval;
    }
}

void progress_hide(struct progress *progress)
{
    if (progress->bar)
        log_set_line("");
    progress->bar = false;
}

enum status progress_close(struct progress **progress, const struct pipeline_progress *last,
                           const char *word)
{
    struct progress *self = *progress;
    if (!self)
        return STATUS_OK;
    progress_hide(self);
    enum status status = STATUS_OK;
    if (self->file) {
        write_block(self, last, word);
        bool bad = ferror(self->file);
        const bool standard = self->file == stdout;
        if ((standard ? fflush(self->file) : fclose(self->file)) != 0 || bad)
            status = status_fail(STATUS_IO, "cannot write the progress file: %s", strerror(errno));
    }
    free(self);
    *progress = NULL;
    return status;
}
