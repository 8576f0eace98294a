#include "cmd/cli/report_options.h"

#include "cmd/judge/limits_file.h"
#include "cmd/report/html.h"
#include "cmd/report/json.h"
#include "cmd/report/junit.h"
#include "cmd/report/markdown.h"
#include "cmd/report/text.h"

#include <stdio.h>
#include <time.h>

void report_options_open(struct report_options *options)
{
    *options = (struct report_options){0};
    limits_open(&options->limits);
}

void report_options_close(struct report_options *options)
{
    limits_close(&options->limits);
}

static enum status read_limits(struct report_options *options, const char *path)
{
    char today[16];
    struct tm utc;
    const time_t now = time(NULL);
    strftime(today, sizeof today, "%Y-%m-%d", gmtime_r(&now, &utc));
    return limits_read(options->limits, path, today);
}

enum status report_options_take(struct report_options *options, int key, const char *argument)
{
    switch (key) {
    case REPORT_OPTION_LIMIT:
        return limits_set(options->limits, argument) == STATUS_OK
                   ? STATUS_OK
                   : status_prefix(STATUS_USAGE, "--limit");
    case REPORT_OPTION_LIMITS:
        return read_limits(options, argument);
    case REPORT_OPTION_JSON:
        options->json = argument;
        return STATUS_OK;
    case REPORT_OPTION_JUNIT:
        options->junit = argument;
        return STATUS_OK;
    case REPORT_OPTION_MARKDOWN:
        options->markdown = argument;
        return STATUS_OK;
    default:
        options->html = argument;
        return STATUS_OK;
    }
}

enum status report_options_write(const struct report_options *options, const struct report *report,
                                 bool quiet)
{
    enum status status = STATUS_OK;
    if (!quiet)
        report_print(report, stdout, text_style_of(stdout));
    if (options->json)
        status = report_write_json(report, options->json);
    if (status == STATUS_OK && options->junit)
        status = report_write_junit(report, options->junit);
    if (status == STATUS_OK && options->markdown)
        status = report_write_markdown(report, options->markdown);
    if (status == STATUS_OK && options->html)
        status = report_write_html(report, options->html, options->json);
    return status == STATUS_OK ? report_status(report) : status;
}
