#include "cmd/render_report.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/progress.h"
#include "cmd/film/expect.h"
#include "cmd/film/start/panels.h"

#include <stdlib.h>

bool render_went_well(enum status status)
{
    return status == STATUS_OK || status == STATUS_STOPPED;
}

static int report_stop(const struct render_run *run, const char *hint)
{
    const struct target_result *result = &run->report->result;
    const unsigned long long frames = result->frames,
                             wanted = run->target->last - run->target->first + 1;
    if (result->kept)
        log_warning("stopped by %s after %llu of %llu frames; '%s' ends there%s", interrupt_words(),
                    frames, wanted, run->target->params.path, hint);
    else if (frames > 0)
        log_warning("stopped by %s while joining %llu of %llu frames; they are in '%s'%s",
                    interrupt_words(), frames, wanted, run->target->work_folder, hint);
    else
        log_warning("stopped by %s before the first frame%s", interrupt_words(),
                    result->resumable ? hint : "; nothing was written");
    return interrupt_exit_code(STATUS_STOPPED, NULL);
}

/* Checks the physics of a film that is complete. */
static enum status judge_physics(const struct render_run *run)
{
    const struct simulation *simulation = run->film->simulations[0];
    const struct expect_run found = {.start = &run->report->before,
                                     .now = &run->report->after,
                                     .elapsed = simulation_time(simulation),
                                     .frame = simulation_frame(simulation)};
    if (!film_played(run->scene)) /* the forces of snapshots are unknown */
        expect_warn(&run->scene->simulation, &found);
    enum status status = expect_judge(&run->scene->expect, &found);
    return status == STATUS_OK || !run->report->result.kept
               ? status
               : status_prefix(status,
                               "'%s' is complete, but its physics exceeds a limit of the scene",
                               run->target->params.path);
}

/* The rest of a sentence that says how to continue; the caller frees it. */
static char *hint_of(const struct render_run *run)
{
    if (!run->report->result.resumable)
        return memory_text("");
    return text_format("; to continue: gravreel resume '%s'%s", run->target->params.path,
                       run->manifest ? " (without the manifest, which is not written)" : "");
}

static int report_with(const struct render_run *run, enum status status, const char *hint)
{
    const struct target_result *result = &run->report->result;
    if (result->kept && render_went_well(status))
        summary_print(run->target, run->scene, run->film, run->report, run->summary);
    else if (result->kept)
        log_warning("the %llu frames rendered so far are in '%s'",
                    (unsigned long long)result->frames, run->target->params.path);
    if (status == STATUS_STOPPED)
        return report_stop(run, hint);
    if (status == STATUS_OK)
        return (int)judge_physics(run);
    if (result->resumable)
        log_warning("the segments made so far are in '%s'%s", run->target->work_folder, hint);
    return (int)status;
}

int render_report(const struct render_run *run, enum status status)
{
    char *hint = hint_of(run);
    const int code = report_with(run, status, hint);
    free(hint);
    return code;
}
