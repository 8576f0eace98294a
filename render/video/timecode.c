#include "render/video/timecode.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct rate {
    uint32_t count;   /* numbers in a second */
    uint32_t dropped; /* numbers left out in a minute */
};

/* The rates of libav's tracks (libavutil's timecode.c) whose numbers have two digits. */
static bool find_rate(uint32_t num, uint32_t den, struct rate *rate)
{
    static const uint32_t counts[] = {24, 25, 30, 48, 50, 60, 100};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const bool whole = num == (uint64_t)counts[i] * den,
                   slowed = (uint64_t)num * 1001 == (uint64_t)counts[i] * 1000 * den;
        *rate = (struct rate){counts[i],
                              slowed && (counts[i] == 30 || counts[i] == 60) ? counts[i] / 15 : 0};
        if (whole || slowed)
            return true;
    }
    return false;
}

/* Two digits at each place; returns the mark before the frames, 0 for another form. */
static char parse(const char *text, uint32_t part[4])
{
    static const char form[] = "00:00:00?00";
    if (strlen(text) != sizeof form - 1)
        return 0;
    for (size_t i = 0; i < sizeof form - 1; i++) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == '0' ? !digit : form[i] == ':' && text[i] != ':')
            return 0;
    }
    for (int i = 0; i < 4; i++)
        part[i] = (uint32_t)(10 * (text[3 * i] - '0') + text[3 * i + 1] - '0');
    return text[8] == ':' || text[8] == ';' ? text[8] : 0;
}

enum status timecode_check(const char *text, uint32_t fps_num, uint32_t fps_den)
{
    struct rate rate;
    uint32_t part[4];
    const char mark = parse(text, part);
    if (!mark)
        return status_fail(STATUS_USAGE,
                           "output.timecode '%s' is not a timecode; write HH:MM:SS:FF, or "
                           "HH:MM:SS;FF with dropped frames",
                           text);
    if (!find_rate(fps_num, fps_den, &rate))
        return status_fail(STATUS_USAGE,
                           "%g frames per second have no timecode; use 24, 25, 30, 48, 50, 60, 100 "
                           "or their 1000/1001 (29.97), or leave out output.timecode",
                           (double)fps_num / fps_den);
    if (mark == ';' && !rate.dropped)
        return status_fail(STATUS_USAGE,
                           "output.timecode '%s' drops frames, which only 29.97 and 59.94 frames "
                           "per second do, but output.fps is %g; write ':' before the frames",
                           text, (double)fps_num / fps_den);
    const bool left_out = mark == ';' && part[2] == 0 && part[1] % 10 && part[3] < rate.dropped;
    if (part[0] > 23 || part[1] > 59 || part[2] > 59 || part[3] >= rate.count || left_out)
        return status_fail(
            STATUS_USAGE,
            "there is no timecode '%s' at %u frames per second%s; give output.timecode "
            "another value",
            text, rate.count, left_out ? ", because it is one of those left out" : "");
    return STATUS_OK;
}

void timecode_at(const char *text, uint32_t fps_num, uint32_t fps_den, uint64_t frame,
                 char out[TIMECODE_TEXT])
{
    struct rate rate;
    uint32_t part[4];
    const char mark = parse(text, part);
    (void)find_rate(fps_num, fps_den, &rate);
    const uint32_t dropped = mark == ';' ? rate.dropped : 0;
    const uint32_t minute = part[0] * 60 + part[1];
    const uint64_t ten = 600 * rate.count - 9 * dropped, short_minute = 60 * rate.count - dropped;
    uint64_t number = (uint64_t)(minute * 60 + part[2]) * rate.count + part[3] -
                      (uint64_t)dropped * (minute - minute / 10) + frame;
    number %= 144 * ten;
    const uint64_t tens = number / ten, rest = number % ten;
    const uint64_t short_ones = rest < dropped ? 0 : (rest - dropped) / short_minute;
    number += dropped * (9 * tens + short_ones);
    const uint64_t seconds = number / rate.count;
    snprintf(out, TIMECODE_TEXT, "%02u:%02u:%02u%c%02u", (unsigned)(seconds / 3600 % 24),
             (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60), mark,
             (unsigned)(number % rate.count % 100));
}
