#include "base/choice.h"

#include "base/suggest.h"
#include "base/text.h"

#include <string.h>

const void *choice_at(const struct registry *registry, size_t i)
{
    if (i >= registry->count)
        return NULL;
    if (registry->stride == 0)
        return ((const struct choice *const *)registry->entries)[i];
    const struct choice *entry =
        (const void *)((const char *)registry->entries + i * registry->stride);
    return entry->name ? entry : NULL;
}

const void *choice_find(const struct registry *registry, const char *name)
{
    const struct choice *entry;
    for (size_t i = 0; (entry = choice_at(registry, i)); i++)
        if (strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}

enum status choice_require(const struct registry *registry, const char *name,
                           const struct choice **out)
{
    *out = choice_find(registry, name);
    if (*out)
        return STATUS_OK;
    for (const struct choice *old = registry->retired; old && old->name; old++)
        if (strcmp(old->name, name) == 0)
            return status_fail(STATUS_USAGE, "%s %s %s", registry->what, name, old->doc);
    struct suggestion suggestion = {name, NULL, 0};
    const struct choice *entry;
    char names[STATUS_TEXT_MAX / 2];
    for (size_t i = 0; (entry = choice_at(registry, i)); i++)
        suggest_offer(&suggestion, entry->name);
    choice_names(registry, names, sizeof names);
    return status_fail(STATUS_USAGE, "there is no %s '%s'%s%s choose one of %s%s", registry->what,
                       name, suggest_text(&suggestion), suggestion.best ? "" : ";",
                       registry->automatic ? "auto, " : "", names);
}

void choice_names(const struct registry *registry, char *out, size_t size)
{
    const struct choice *entry;
    static const char more[] = ", ...";
    out[0] = '\0';
    for (size_t i = 0; (entry = choice_at(registry, i)); i++) {
        const size_t used = strlen(out), end = choice_at(registry, i + 1) ? sizeof more : 1;
        if (used + strlen(entry->name) + (used ? 2 : 0) + end > size) {
            snprintf(out + used, size - used, "%s", used ? more : "...");
            return;
        }
        text_list(out, size, entry->name);
    }
}
