#include "scenes/size_rate.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Reads one to nine digits, which fit into 32 bits. */
static bool read_digits(const char **at, uint32_t *value, int *places)
{
    int count = 0;
    for (*value = 0; isdigit((unsigned char)**at); ++*at) {
        if (++count > 9)
            return false;
        *value = *value * 10 + (uint32_t)(**at - '0');
    }
    *places = count;
    return count > 0;
}

bool frame_size_parse(const char *text, uint32_t *width, uint32_t *height)
{
    static const struct {
        const char *word;
        uint32_t width, height;
    } words[] = {
        {"720p", 1280, 720},      {"1080p", 1920, 1080},     {"1440p", 2560, 1440},
        {"2160p", 3840, 2160},    {"4k", 3840, 2160},        {"8k", 7680, 4320},
        {"vertical", 1080, 1920}, {"portrait", 1080, 1920},  {"9:16", 1080, 1920},
        {"16:9", 1920, 1080},     {"landscape", 1920, 1080}, {"square", 1080, 1080},
        {"1:1", 1080, 1080},      {"4:5", 1080, 1350},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i].word) == 0) {
            *width = words[i].width;
            *height = words[i].height;
            return true;
        }
    }
    int places;
    if (!read_digits(&text, width, &places) || (*text != 'x' && *text != 'X'))
        return false;
    text++;
    return read_digits(&text, height, &places) && *text == '\0';
}

static void reduce(uint32_t *num, uint32_t *den)
{
    uint32_t a = *num, b = *den;
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    *num /= a;
    *den /= a;
}

bool frame_rate_parse(const char *text, uint32_t *num, uint32_t *den)
{
    static const struct {
        const char *word;
        uint32_t thousands;
    } customary[] = {
        {"23.976", 24}, {"23.98", 24}, {"29.97", 30},
        {"47.952", 48}, {"59.94", 60}, {"119.88", 120},
    };
    for (size_t i = 0; i < sizeof customary / sizeof *customary; i++) {
        if (strcmp(text, customary[i].word) == 0) {
            *num = customary[i].thousands * 1000;
            *den = 1001;
            return true;
        }
    }
    int places;
    *den = 1;
    if (!read_digits(&text, num, &places))
        return false;
    if (*text == '/') {
        text++;
        if (!read_digits(&text, den, &places))
            return false;
    } else if (*text == '.') {
        uint32_t fraction;
        text++;
        if (!read_digits(&text, &fraction, &places) || places > 3 || *num > 1000000)
            return false;
        for (; places > 0; places--)
            *den *= 10;
        *num = *num * *den + fraction;
    }
    if (*text != '\0' || *num == 0 || *den == 0)
        return false;
    reduce(num, den);
    return true;
}
