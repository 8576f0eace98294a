#include "base/log.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum log_level threshold = LOG_INFO;
static bool only_errors;
static char last_line[LOG_LINE_MAX];

enum { REMEMBERED = 256 };
static struct {
    char text[REMEMBERED][HASH_TEXT];
    unsigned count;
} said;

static const struct {
    const char *name, *prefix, *colour;
} levels[] = {
    [LOG_ERROR] = {"error", "gravreel: ", "\033[1;31m"},
    [LOG_WARNING] = {"warning", "gravreel: warning: ", "\033[1;33m"},
    [LOG_INFO] = {"info", "", ""},
    [LOG_DEBUG] = {"debug", "debug: ", "\033[2m"},
};

void log_set_level(enum log_level level)
{
    threshold = only_errors ? LOG_ERROR : level;
}

void log_only_errors(void)
{
    only_errors = true;
    threshold = LOG_ERROR;
}

enum log_level log_get_level(void)
{
    return threshold;
}

bool log_level_from_name(const char *name, enum log_level *level)
{
    for (int i = LOG_ERROR; i <= LOG_DEBUG; i++) {
        if (strcmp(name, levels[i].name) == 0) {
            *level = (enum log_level)i;
            return true;
        }
    }
    return false;
}

bool log_is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

static bool is_coloured(void)
{
    const char *off = getenv("NO_COLOR");
    return log_is_terminal() && !(off && *off);
}

/* Overwrites the line with blanks, which every terminal understands, unlike an escape sequence. */
static void clear_line(void)
{
    if (last_line[0])
        fprintf(stderr, "\r%*s\r", (int)strlen(last_line), "");
}

static void draw_line(void)
{
    if (last_line[0])
        fputs(last_line, stderr);
    fflush(stderr);
}

/* Forgets the oldest texts first, so that memory is bounded. */
static bool said_before(const char *text)
{
    char hash[HASH_TEXT];
    hash_parts(&(struct hash_part){text, strlen(text)}, 1, hash);
    for (unsigned i = 0; i < said.count && i < REMEMBERED; i++)
        if (strcmp(said.text[i], hash) == 0)
            return true;
    memcpy(said.text[said.count++ % REMEMBERED], hash, sizeof hash);
    return false;
}

static _Thread_local char subject[64];

void log_set_part(const char *name)
{
    snprintf(subject, sizeof subject, "%s%s", name ? name : "", name ? ": " : "");
}

static void say(enum log_level level, bool once, const char *format, va_list args)
{
    if (level > threshold)
        return;
    char *own = text_format_list(format, args), *message;
    char *text = text_format("%s%s", subject, own);
    size_t size;
    const char *colour = is_coloured() ? levels[level].colour : "";
    FILE *collected = text_begin(&message, &size);
    fprintf(collected, "%s%s", colour, levels[level].prefix);
    text_put(collected, text, strchr(format, '\n') != NULL);
    fputs(*colour ? "\033[0m\n" : "\n", collected);
    text_end(collected);
    pthread_mutex_lock(&lock);
    if (!once || !said_before(text)) {
        clear_line();
        fwrite(message, 1, size, stderr); /* at once: other processes may write there, too */
        draw_line();
    }
    pthread_mutex_unlock(&lock);
    free(message);
    free(text);
    free(own);
}

void log_message(enum log_level level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(level, level == LOG_WARNING, format, args);
    va_end(args);
}

void log_message_once(enum log_level level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(level, true, format, args);
    va_end(args);
}

void log_set_line(const char *text)
{
    pthread_mutex_lock(&lock);
    clear_line();
    snprintf(last_line, sizeof last_line, "%s", text);
    draw_line();
    pthread_mutex_unlock(&lock);
}

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
