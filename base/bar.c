#include "base/bar.h"

#include "base/clock.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double silent = 0.5, plain_interval = 5; /* seconds */

static int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void bar_format(uint64_t done, uint64_t wanted, const char *text, char *line, size_t size)
{
    enum { BAR_MIN = 8, BAR_MAX = 40 };
    char bar[BAR_MAX + 1];
    int room = terminal_width() - (int)strlen(text) - 4;
    if (room > BAR_MAX)
        room = BAR_MAX;
    if (room < BAR_MIN) {
        snprintf(line, size, "%.*s", terminal_width() - 1, text);
        return;
    }
    const int filled = done < wanted ? (int)(room * (double)done / (double)wanted) : room;
    memset(bar, ' ', (size_t)room);
    memset(bar, '=', (size_t)filled);
    if (filled < room)
        bar[filled] = '>';
    bar[room] = '\0';
    snprintf(line, size, "[%s] %s", bar, text);
}

void bar_duration(double seconds, char *text, size_t size)
{
    unsigned long s = seconds > 0 && seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 0;
    if (s >= 3600)
        snprintf(text, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, size, "%lu:%02lu", s / 60, s % 60);
}

void bar_seconds(double seconds, char *text, size_t size)
{
    if (seconds < 60)
        snprintf(text, size, "%.2g s", seconds);
    else
        bar_duration(seconds, text, size);
}

void bar_begin(struct bar *bar, const char *what)
{
    const double now = clock_seconds();
    *bar = (struct bar){what, now, now + plain_interval};
}

void bar_show(struct bar *bar, uint64_t done, uint64_t wanted)
{
    const double now = clock_seconds(), took = now - bar->began;
    if (log_get_level() < LOG_INFO || took < silent)
        return;
    char text[160], left[32] = "-:--", line[LOG_LINE_MAX];
    if (done > 0 && done <= wanted)
        bar_duration(took * (double)(wanted - done) / (double)done, left, sizeof left);
    snprintf(text, sizeof text, "%s %llu/%llu, %s left", bar->what, (unsigned long long)done,
             (unsigned long long)wanted, left);
    if (log_is_terminal()) {
        bar_format(done, wanted, text, line, sizeof line);
        log_set_line(line);
    } else if (now >= bar->next_line) {
        log_info("%s", text);
        bar->next_line = now + plain_interval;
    }
}

void bar_end(struct bar *bar)
{
    if (bar->what && log_is_terminal())
        log_set_line("");
    *bar = (struct bar){0};
}
