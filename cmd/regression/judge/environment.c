#include "cmd/regression/judge/stages.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 32 };

/* A part of a text, split into "Mesa" and "22.3.6"; the number may also come first, "256 bits". */
struct part {
    char *name, *value;
};

struct parts {
    struct part part[PARTS_MAX];
    size_t count;
};

static bool is_number(const char *word)
{
    return isdigit((unsigned char)word[word[0] == 'v' || word[0] == 'r']);
}

static void add_part(struct parts *parts, char *text)
{
    char *words[32], *rest = text;
    size_t count = 0, number = 0;
    for (char *word; count < 32 && (word = strsep(&rest, " "));)
        if (word[0])
            words[count++] = word;
    while (number < count && !is_number(words[number]))
        number++;
    if (count == 0 || parts->count == PARTS_MAX)
        return;
    char *name = memory_text(""), *value = memory_text("");
    for (size_t i = 0; i < count; i++) {
        char **into = i == number || (number > 0 && i > number) ? &value : &name;
        text_append(into, " ", "%s", words[i]);
    }
    parts->part[parts->count++] = (struct part){name, value};
}

static void split(struct parts *parts, const char *text)
{
    char *copy = memory_text(text), *rest = copy;
    *parts = (struct parts){.count = 0};
    for (char *one; (one = strsep(&rest, ",;()"));)
        add_part(parts, one);
    free(copy);
}

static void parts_free(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        free(parts->part[i].name);
        free(parts->part[i].value);
    }
}

static bool same_names(const struct parts *a, const struct parts *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->part[i].name, b->part[i].name) != 0)
            return false;
    return true;
}

static void change(struct case_report *one, const char *what, const char *before, const char *now)
{
    for (uint32_t i = 0; i < one->environment_count; i++)
        if (strcmp(one->environment[i].what, what) == 0)
            return;
    case_add_environment(one, what, before[0] ? before : "nothing", now[0] ? now : "nothing");
}

void environment_compare_text(const char *what, const char *before, const char *now,
                              struct case_report *one)
{
    struct parts a, b;
    before = before ? before : "";
    now = now ? now : "";
    if (strcmp(before, now) == 0)
        return;
    split(&a, before);
    split(&b, now);
    const bool matched = same_names(&a, &b);
    bool found = false;
    for (size_t i = 0; matched && i < a.count; i++) {
        if (strcmp(a.part[i].value, b.part[i].value) == 0)
            continue;
        change(one, a.part[i].name[0] ? a.part[i].name : what, a.part[i].value, b.part[i].value);
        found = true;
    }
    if (!found)
        change(one, what, before, now);
    parts_free(&a);
    parts_free(&b);
}

void environment_compare(const struct comparison *comparison, struct case_report *one)
{
    const struct record *a = comparison->before, *b = comparison->now;
    environment_compare_text("program", a->program, b->program, one);
    if (a->commit && *a->commit && b->commit && *b->commit && strcmp(a->commit, b->commit) != 0)
        change(one, "commit", a->commit, b->commit);
    if (a->platform.start && *a->platform.start)
        environment_compare_text("start", a->platform.start, b->platform.start, one);
    environment_compare_text("physics", a->platform.physics, b->platform.physics, one);
    environment_compare_text("drawing", a->platform.drawing, b->platform.drawing, one);
    environment_compare_text("encoder", a->platform.encoder, b->platform.encoder, one);
    environment_compare_text("muxer", a->platform.muxer, b->platform.muxer, one);
    environment_compare_text("libraries", a->libraries, b->libraries, one);
    /* This text names what computes and what draws, which the platforms' texts already cover. */
    if (comparison_same_text(a->platform.physics, b->platform.physics) &&
        comparison_same_text(a->platform.drawing, b->platform.drawing))
        environment_compare_text("device", a->device, b->device, one);
}
