#include "cmd/bench/plot/plot.h"
#include "cmd/bench/plot/draw.h"

#include "base/file.h"
#include "base/text.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALONE_WIDTH = 1200,
    ALONE_HEIGHT = 740,
    PANEL_WIDTH = 1000,
    PANEL_HEIGHT = 680,
    FOOT = 60,
};

/* ---- panel and page ---- */

static void draw_panel(cairo_t *cr, const struct plot_panel *panel, struct box page)
{
    bool lying = panel->x.category;
    const struct plot_axis *across = lying ? &panel->y : &panel->x,
                           *up = lying ? &panel->x : &panel->y;
    double left = fmin(plot_widest_label(cr, up), 0.4 * page.width) + 44;
    double legend = plot_legend_width(cr, panel), right = legend > 0 ? legend + 24 : 30;
    struct box box = {page.x + left, page.y + (lying ? 70 : 92), 0, 0};
    box.width = page.width - left - right;
    box.height = page.y + page.height - 74 - box.y;

    plot_set_colour(cr, plot_ink);
    plot_fit_font(cr, PLOT_TITLE, true, page.width - 60, panel->title);
    plot_put_text(cr, page.x + 30, page.y + 44, 0, panel->title);
    plot_set_font(cr, PLOT_TEXT, false);
    plot_set_colour(cr, plot_faint);
    plot_put_text(cr, box.x + box.width / 2, box.y + box.height + 50, 0.5, across->title);
    if (!lying)
        plot_put_text(cr, page.x + 30, box.y - 18, 0, up->title);

    plot_draw_axis(cr, across, &box, true, false, 0);
    plot_draw_axis(cr, up, &box, false, !lying, left - 24);
    plot_set_colour(cr, plot_faint);
    cairo_set_line_width(cr, 1);
    plot_line(cr, box.x, box.y + box.height, box.x + box.width, box.y + box.height);
    plot_line(cr, box.x, box.y, box.x, box.y + box.height);
    for (int published = 1; published >= 0; published--)
        for (size_t s = 0; s < panel->series_count; s++)
            if (panel->series[s].published == published)
                plot_draw_series(cr, panel, &box, &panel->series[s]);
    if (plot_needs_legend(panel))
        plot_draw_legend(cr, panel, box.x + box.width + 24, box.y, box.height);
}

static void draw_foot(cairo_t *cr, const struct bench_report *report, double width, double y)
{
    const char *words[] = {"CPU", "CUDA"}, *machines[] = {report->cpu, report->cuda};
    int lines = (report->cpu != NULL) + (report->cuda != NULL);
    y += lines == 2 ? 18 : 28;
    for (int m = 0; m < 2; m++) {
        char *text = machines[m] ? text_format("%s: %s", words[m], machines[m]) : NULL;
        if (!text)
            continue;
        plot_set_colour(cr, plot_faint);
        plot_fit_font(cr, PLOT_SMALL, false, width - 260, text);
        plot_put_text(cr, 30, y, 0, text);
        y += 19;
        free(text);
    }
    plot_set_font(cr, PLOT_SMALL, false);
    plot_set_colour(cr, plot_faint);
    plot_put_text(cr, width - 30, y - (lines ? 19 : 0), 1, "gravreel " GRAVREEL_VERSION " bench");
}

struct page {
    size_t count, columns, rows;
    double panel_width, panel_height, width, height;
};

static struct page lay_out(size_t count)
{
    struct page page = {.count = count, .columns = count > 1 ? 2 : 1};
    page.rows = (count + page.columns - 1) / page.columns;
    page.panel_width = count > 1 ? PANEL_WIDTH : ALONE_WIDTH;
    page.panel_height = count > 1 ? PANEL_HEIGHT : ALONE_HEIGHT;
    page.width = page.panel_width * (double)page.columns;
    page.height = page.panel_height * (double)page.rows + FOOT;
    return page;
}

static void draw_page(cairo_t *cr, const struct bench_report *report,
                      const struct plot_panel *panels, const struct page *page)
{
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t p = 0; p < page->count; p++)
        draw_panel(cr, &panels[p],
                   (struct box){page->panel_width * (double)(p % page->columns),
                                page->panel_height * (double)(p / page->columns), page->panel_width,
                                page->panel_height});
    draw_foot(cr, report, page->width, page->height - FOOT);
}

/* ---- the file ---- */

struct bytes {
    unsigned char *data;
    size_t size, room;
};

static cairo_status_t keep(void *user, const unsigned char *data, unsigned int size)
{
    struct bytes *bytes = user;
    if (bytes->size + size > bytes->room) {
        size_t room = 2 * (bytes->size + size);
        unsigned char *larger = realloc(bytes->data, room);
        if (!larger)
            return CAIRO_STATUS_NO_MEMORY;
        bytes->data = larger;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return CAIRO_STATUS_SUCCESS;
}

static enum status write_page(const struct bench_report *report, const struct plot_panel *panels,
                              size_t count, bool svg, const char *path)
{
    struct bytes bytes = {0};
    struct page page = lay_out(count);
    cairo_surface_t *surface =
        svg ? cairo_svg_surface_create_for_stream(keep, &bytes, page.width, page.height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)page.width, (int)page.height);
    cairo_t *cr = cairo_create(surface);
    draw_page(cr, report, panels, &page);
    cairo_status_t drawn = cairo_status(cr);
    cairo_destroy(cr);
    if (drawn == CAIRO_STATUS_SUCCESS && !svg)
        drawn = cairo_surface_write_to_png_stream(surface, keep, &bytes);
    cairo_surface_finish(surface);
    if (drawn == CAIRO_STATUS_SUCCESS)
        drawn = cairo_surface_status(surface);
    cairo_surface_destroy(surface);

    enum status status;
    if (drawn != CAIRO_STATUS_SUCCESS)
        status = status_fail(STATUS_RUNTIME, "the plot '%s' could not be drawn: %s", path,
                             cairo_status_to_string(drawn));
    else
        status = file_write(path, bytes.data, bytes.size);
    free(bytes.data);
    return status;
}

enum status bench_plot(const struct bench_report *report, const char *path)
{
    bool svg = strcmp(file_extension(path), "svg") == 0;
    if (!svg && strcmp(file_extension(path), "png") != 0)
        return status_fail(STATUS_USAGE,
                           "a plot is written as .svg or .png, and '%s' is neither; give it one of "
                           "these endings",
                           path);
    struct plot_panel *panels = calloc(report->table_count + 1, sizeof *panels);
    enum status status = STATUS_OK;
    size_t count = 0;
    for (size_t t = 0; panels && status == STATUS_OK && t < report->table_count; t++) {
        if (!plot_panel_make(&panels[count], report->tables[t]))
            status = status_fail(STATUS_RUNTIME, "no memory for the plot '%s'", path);
        else if (panels[count].series_count > 0)
            count++;
        else
            plot_panel_free(&panels[count]);
    }
    if (!panels)
        status = status_fail(STATUS_RUNTIME, "no memory for the plot '%s'", path);
    else if (status == STATUS_OK && count == 0)
        status = status_fail(STATUS_USAGE,
                             "there is nothing to plot in '%s': no table of this run holds a "
                             "number against an axis; choose another suite",
                             path);
    if (status == STATUS_OK)
        status = write_page(report, panels, count, svg, path);
    for (size_t p = 0; p < count; p++)
        plot_panel_free(&panels[p]);
    free(panels);
    return status;
}
