/* The format that few-body programs of NEMO and the Maryland school exchange (mpv): a line `N t`,
 * then N lines of mass, position and velocity. Only the first time is read. */
#include "sim/formats/formats.h"

#include "base/log.h"
#include "base/text.h"
#include "sim/formats/columns.h"
#include "sim/formats/table_names.h"
#include "sim/formats/text_rows.h"

#include <string.h>

enum { NUMBERS = COLUMNS_NEEDED, HEADER = 2 };

static bool is_header(char *const words[], int count, uint64_t *bodies, double *time)
{
    return count == HEADER && text_parse_digits(words[0], strlen(words[0]), bodies) &&
           body_number(words[1], time);
}

static bool probe(const struct format_head *head)
{
    char line[WORDS_LINE], *words[NUMBERS];
    uint64_t bodies;
    double time;
    const char *at = (const char *)head->bytes, *end = at + head->size;
    const int first = words_of_head(&at, end, line, words, NUMBERS);
    return is_header(words, first, &bodies, &time) && bodies > 0;
}

struct mpv {
    bool begun; /* its first line was read */
    uint64_t bodies;
    struct table_comments comments; /* before the first row */
    struct snapshot *out;
};

static enum status read_header(struct mpv *mpv, struct place at, char *const words[], int count)
{
    mpv->begun = true;
    if (!is_header(words, count, &mpv->bodies, &mpv->out->time))
        return status_fail(STATUS_USAGE,
                           "%s:%zu: expected a line with the number of bodies and the time",
                           at.path, at.line);
    mpv->out->time_known = true;
    return body_rows_check(at.path, mpv->bodies);
}

/* Comments that name other columns than the format has. */
static enum status check_comments(const struct mpv *mpv, struct place at)
{
    struct table_names names = {0};
    enum status status = STATUS_OK;
    table_comments_find(&mpv->comments, NUMBERS, &names);
    if (names.count > 0 && !table_names_begin(&names, false))
        status = status_fail(STATUS_USAGE,
                             "%s:%zu: this comment names other columns than mass x y z vx vy vz, "
                             "which follow a line of two numbers; remove one of the two lines",
                             at.path, names.line);
    table_names_free(&names);
    return status;
}

static enum status read_row(const struct mpv *mpv, struct place at, char *const words[], int count,
                            size_t done, struct body_row *row)
{
    if (count != NUMBERS)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: expected 7 numbers (mass x y z vx vy vz) for body %zu of "
                           "%llu, found %d",
                           at.path, at.line, done + 1, (unsigned long long)mpv->bodies, count);
    const enum status status = done == 0 ? check_comments(mpv, at) : STATUS_OK;
    return status == STATUS_OK ? words_row(at, words, 1, row) : status;
}

static enum status read_behind(const struct mpv *mpv, struct place at, int count)
{
    if (count != HEADER)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: there are more rows than the %llu that its first line says",
                           at.path, at.line, (unsigned long long)mpv->bodies);
    log_info("%s has several snapshots; only the first is read", at.path);
    return STATUS_OK;
}

static enum status parse(void *user, struct place at, char *line, struct body_rows *rows,
                         struct body_row *row, enum text_line *what)
{
    struct mpv *mpv = user;
    char *words[NUMBERS + 1];
    const char *comment = words_of_comment(line);
    const int count = comment ? 0 : words_split(line, words, NUMBERS + 1);
    const size_t done = rows->snapshot->bodies ? rows->snapshot->bodies->count : 0;
    if (comment && done == 0)
        table_comments_keep(&mpv->comments, comment, at.line);
    if (count == 0)
        return STATUS_OK;
    if (!mpv->begun)
        return read_header(mpv, at, words, count);
    *what = done < mpv->bodies ? TEXT_ROW : TEXT_END;
    return *what == TEXT_ROW ? read_row(mpv, at, words, count, done, row)
                             : read_behind(mpv, at, count);
}

static enum status read(const char *path, struct snapshot *out)
{
    struct mpv mpv = {.out = out};
    const enum status status =
        text_rows_read(path, out, parse, &mpv, "; expected a line of their number and the time");
    table_comments_free(&mpv.comments);
    if (status == STATUS_OK && out->bodies->count < mpv.bodies)
        return status_fail(STATUS_USAGE, "%s ends after %zu of %llu bodies; copy or save it again",
                           path, out->bodies->count, (unsigned long long)mpv.bodies);
    return status;
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    char time[BODY_NUMBER_BYTES];
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_number_text(snapshot->time_known ? snapshot->time : 0, time);
    body_output_print(output, "%zu %s\n", bodies->count, time);
    for (size_t i = 0; i < bodies->count; i++) {
        words_put(output, bodies, i, ' ');
        body_output_put(output, "\n", 1);
    }
    return body_output_close(&output, STATUS_OK);
}

const struct format format_mpv = {
    .name = "mpv",
    .doc = "text: a line of the number of bodies and the time, then mass x y z vx vy vz per line",
    .extensions = "mpv",
    .keeps = KEEPS_TIME | KEEPS_DOUBLES,
    .text = true,
    .probe = probe,
    .read = read,
    .write = write,
};
