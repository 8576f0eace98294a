#include "cmd/judge/values.h"

#include <stdio.h>
#include <string.h>

/* "libx264 medium crf 21": the encoder, its preset and its quality with the option's name, of which
 * any but the first may be missing. */
static void read_encoding(const char *encoding, char *preset, char *quality, size_t size)
{
    char words[4][32] = {""};
    const int count = encoding ? sscanf(encoding, "%31[^ ,] %31[^ ,] %31[^ ,] %31[^ ,]", words[0],
                                        words[1], words[2], words[3])
                               : 0;
    snprintf(preset, size, "%s", count == 2 || count == 4 ? words[1] : "");
    snprintf(quality, size, "%s", count >= 3 ? words[count - 1] : "");
}

static void say_default(char *value, const char *chosen)
{
    snprintf(value, DIFFERENCE_VALUE_MAX, *chosen ? "default (%s)" : "default", chosen);
}

static void say(const char *key, char *value, const char *encoding)
{
    char preset[32], quality[32];
    read_encoding(encoding, preset, quality, sizeof preset);
    if (strcmp(key, "output.crf") == 0 && *value == '-')
        say_default(value, quality);
    else if (strcmp(key, "output.preset") == 0 && strcmp(value, "\"\"") == 0)
        say_default(value, preset);
}

void values_say(struct scene_difference *found, size_t count, const char *encoding_a,
                const char *encoding_b)
{
    for (size_t i = 0; i < count; i++) {
        say(found[i].key, found[i].a, encoding_a);
        say(found[i].key, found[i].b, encoding_b);
    }
}
