/* Makes every view of a report of real pictures, for scripts/test-report and to look at.
 * make_report FOLDER CASES KIND [CLIP [hostile]]: FOLDER has a/ and b/ with frame_NNNNNN.png; the
 * views, and difference/, are written into it. KIND: 0 for all kinds of cases in turn, else 1 + one
 * kind. With `hostile` every text tries to break out. */
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/writers.h"
#include "cmd/regression/report/html_page.h"
#include "cmd/regression/report/report_json.h"
#include "render/picture/png_pdf.h"
#include "render/reader/reader.h"
#include "tests/support/films/report_fixture.h"

#include <stdio.h>
#include <stdlib.h>

enum { MARKS = 8, APART = 10, TILE = 32 };

struct sides {
    uint32_t width, height;
    uint16_t *a, *b;
};

static enum status read_side(const char *path, struct sides *sides, uint16_t **out)
{
    struct reader *reader;
    enum status status = reader_open(&reader, path);
    if (status != STATUS_OK)
        return status;
    const struct reader_info *info = reader_info(reader);
    sides->width = info->width;
    sides->height = info->height;
    *out = memory_new((size_t)info->width * info->height * 3, sizeof **out);
    status = reader_read(reader, 0, *out);
    reader_close(&reader);
    return status;
}

static int at(const uint16_t *rgb, const struct sides *sides, int x, int y)
{
    int sum = 0;
    for (int c = 0; c < 3; c++)
        sum += rgb[3 * ((size_t)y * sides->width + (size_t)x) + (size_t)c] / 257;
    return sum / 3;
}

static int change(const struct sides *sides, int x, int y)
{
    return at(sides->b, sides, x, y) - at(sides->a, sides, x, y);
}

static bool is_near(const struct shown_frame *shown, int x, int y)
{
    for (uint32_t m = 0; m < shown->mark_count; m++)
        if (abs(shown->marks[m].x - x) < APART && abs(shown->marks[m].y - y) < APART)
            return true;
    return false;
}

static void add_mark(struct shown_frame *shown, struct mark mark)
{
    shown->marks = memory_grow(shown->marks, shown->mark_count + (size_t)1, sizeof *shown->marks);
    shown->marks[shown->mark_count++] = mark;
}

/* The pixels that changed most, apart from each other, and the tile of the first. */
static void find_marks(struct shown_frame *shown, const struct sides *sides)
{
    shown->mark_count = 0;
    for (int m = 0; m < MARKS; m++) {
        int best = 0, x = 0, y = 0;
        for (int j = 0; j < (int)sides->height; j++)
            for (int i = 0; i < (int)sides->width; i++)
                if (abs(change(sides, i, j)) > abs(best) && !is_near(shown, i, j)) {
                    best = change(sides, i, j);
                    x = i;
                    y = j;
                }
        if (best == 0)
            return;
        struct mark mark = {.x = x, .y = y, .size = 4, .value = abs(best)};
        mark.kind = best < 0 ? MARK_MISSING_STAR : MARK_ADDED_STAR;
        add_mark(shown, mark);
    }
    const struct mark *first = &shown->marks[0];
    struct mark tile = {.x = first->x / TILE * TILE + TILE / 2,
                        .y = first->y / TILE * TILE + TILE / 2,
                        .size = TILE / 2.0,
                        .value = first->value / 2};
    tile.kind = MARK_TILE;
    add_mark(shown, tile);
}

static enum status draw_difference(const struct shown_frame *shown, const struct sides *sides)
{
    struct picture picture;
    picture_layout(&picture.layout, PICTURE_RGBA8, sides->width, sides->height);
    picture.data = memory_new(picture.layout.size, 1);
    for (uint32_t y = 0; y < sides->height; y++)
        for (uint32_t x = 0; x < sides->width; x++)
            for (uint32_t c = 0; c < 3; c++) {
                const size_t from = 3 * ((size_t)y * sides->width + x) + c;
                const int d = 4 * abs(sides->b[from] / 257 - sides->a[from] / 257);
                picture.data[y * picture.layout.plane[0].stride + 4 * x + c] =
                    (uint8_t)(d > 255 ? 255 : d);
            }
    uint64_t bytes;
    enum status status =
        png_file_write(shown->difference, &picture, &(struct png_settings){.level = 6}, 0, &bytes);
    free(picture.data);
    return status;
}

static enum status look(struct shown_frame *shown)
{
    struct sides sides = {0};
    enum status status = read_side(shown->a, &sides, &sides.a);
    if (status == STATUS_OK)
        status = read_side(shown->b, &sides, &sides.b);
    if (status == STATUS_OK) {
        find_marks(shown, &sides);
        status = draw_difference(shown, &sides);
    }
    free(sides.a);
    free(sides.b);
    return status;
}

static enum status look_at_all(struct report *report)
{
    enum status status = STATUS_OK;
    for (uint32_t c = 0; c < report->case_count; c++)
        for (uint32_t s = 0; s < report->cases[c].shown_count && status == STATUS_OK; s++)
            status = look(&report->cases[c].shown[s]);
    return status;
}

static enum status write_all(const struct report *report, const char *folder)
{
    static const char *const names[] = {"json", "html", "xml", "md"};
    char *paths[4];
    for (int p = 0; p < 4; p++)
        paths[p] = text_format("%s/report.%s", folder, names[p]);
    enum status status = report_write_json(report, paths[0]);
    if (status == STATUS_OK)
        status = report_write_html(report, paths[1], paths[0]);
    if (status == STATUS_OK)
        status = report_write_junit(report, paths[2]);
    if (status == STATUS_OK)
        status = report_write_markdown(report, paths[3]);
    for (int p = 0; p < 4; p++)
        free(paths[p]);
    return status;
}

int main(int count, char **words)
{
    if (count < 4) {
        fprintf(stderr, "usage: make_report FOLDER CASES KIND [CLIP [hostile]]\n");
        return STATUS_USAGE;
    }
    struct report report;
    struct report_fixture fixture = {.cases = (uint32_t)atoi(words[2]),
                                     .only = (uint32_t)atoi(words[3]),
                                     .pictures = words[1],
                                     .clip = count > 4 ? words[4] : NULL,
                                     .text = count > 5 ? fixture_hostile : NULL};
    char *differences = text_format("%s/difference", words[1]);
    enum status status = file_make_folder(differences);
    report_fixture_make(&report, &fixture);
    if (status == STATUS_OK)
        status = look_at_all(&report);
    if (status == STATUS_OK)
        status = write_all(&report, words[1]);
    if (status != STATUS_OK)
        fprintf(stderr, "make_report: %s\n", status_text());
    free(differences);
    report_free(&report);
    return (int)status;
}
