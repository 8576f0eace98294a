#include "tests/support/films/markup.h"

#include "tests/support/test.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH = 64, NAME = 32 };

struct markup {
    const char *text, *at;
    bool html;
    int depth;
    char open[DEPTH][NAME];
};

static void blame(const struct markup *markup, const char *what)
{
    const long before = markup->at - markup->text < 60 ? (long)(markup->at - markup->text) : 60;
    fail_msg("%s at byte %ld: '%.*s' | '%.60s'", what, (long)(markup->at - markup->text),
             (int)before, markup->at - before, markup->at);
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) ||
           (length && strchr("-_:.", at[length]) && at[length]))
        length++;
    return length;
}

static void read_entity(struct markup *markup)
{
    static const char *const names[] = {"amp;", "lt;", "gt;", "quot;", "apos;"};
    const char *at = ++markup->at;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(at, names[i], strlen(names[i])) == 0)
            return;
    if (*at != '#' || !isdigit((unsigned char)at[1]))
        blame(markup, "a '&' that begins no entity");
    for (at++; isdigit((unsigned char)*at); at++)
        ;
    if (*at != ';')
        blame(markup, "an entity without its end");
}

/* One character of text; XML has no control characters but tab and line breaks. */
static void read_character(struct markup *markup)
{
    const unsigned char c = (unsigned char)*markup->at;
    if (c == '&') {
        read_entity(markup);
        return;
    }
    if ((c < 0x20 && !strchr("\t\n\r", c)) || c == 0x7f)
        blame(markup, "a control character");
    if (c == 0xff || c == 0xfe || c == 0xc0 || c == 0xc1)
        blame(markup, "a byte that is not UTF-8");
    markup->at++;
}

static void read_attributes(struct markup *markup)
{
    char seen[24][NAME];
    int count = 0;
    while (isspace((unsigned char)*markup->at)) {
        while (isspace((unsigned char)*markup->at))
            markup->at++;
        const size_t length = name_length(markup->at);
        if (length == 0)
            return;
        if (length >= NAME || count == 24)
            blame(markup, "more than an attribute may be");
        snprintf(seen[count], NAME, "%.*s", (int)length, markup->at);
        if (markup->html && strncmp(seen[count], "on", 2) == 0)
            blame(markup, "an attribute that acts");
        for (int i = 0; i < count; i++)
            if (strcmp(seen[i], seen[count]) == 0)
                blame(markup, "an attribute that is there already");
        count++;
        markup->at += length;
        if (*markup->at != '=' && markup->html)
            continue;
        if (markup->at[0] != '=' || markup->at[1] != '"')
            blame(markup, "an attribute without a quoted value");
        for (markup->at += 2; *markup->at != '"';) {
            if (!*markup->at || *markup->at == '<')
                blame(markup, "an attribute that does not end");
            read_character(markup);
        }
        markup->at++;
    }
}

static bool is_void(const char *name)
{
    static const char *const names[] = {"meta", "link", "img", "br", "input", "hr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void skip_to(struct markup *markup, const char *end)
{
    const char *found = strstr(markup->at, end);
    if (!found)
        blame(markup, "something that does not end");
    markup->at = found;
}

static void read_start(struct markup *markup,
                       void (*seen)(void *user, const struct markup_element *element), void *user)
{
    char name[NAME];
    struct markup_element element = {.name = ++markup->at};
    element.name_length = name_length(markup->at);
    if (element.name_length == 0 || element.name_length >= NAME)
        blame(markup, "a '<' that begins no element");
    snprintf(name, sizeof name, "%.*s", (int)element.name_length, markup->at);
    element.attributes = markup->at += element.name_length;
    read_attributes(markup);
    element.attributes_length = (size_t)(markup->at - element.attributes);
    if (seen)
        seen(user, &element);
    const bool closed = *markup->at == '/';
    markup->at += closed;
    if (*markup->at++ != '>')
        blame(markup, "an element that does not end");
    if (closed || (markup->html && is_void(name)))
        return;
    if (markup->depth >= DEPTH) {
        blame(markup, "elements too deep");
        return;
    }
    memcpy(markup->open[markup->depth++], name, NAME);
    if (markup->html && strcmp(name, "script") == 0)
        skip_to(markup, "</script>");
    if (markup->html && strcmp(name, "style") == 0)
        skip_to(markup, "</style>");
}

static void read_end(struct markup *markup)
{
    markup->at += 2;
    const size_t length = name_length(markup->at);
    const char *open = markup->depth ? markup->open[markup->depth - 1] : "";
    if (length != strlen(open) || strncmp(markup->at, open, length) != 0 ||
        markup->at[length] != '>')
        blame(markup, "an end of what is not open");
    markup->at += length + 1;
    markup->depth--;
}

void markup_check(const char *text, bool html,
                  void (*seen)(void *user, const struct markup_element *element), void *user)
{
    struct markup markup = {.text = text, .at = text, .html = html};
    if (strncmp(text, "<?xml", 5) == 0 || strncmp(text, "<!doctype", 9) == 0)
        skip_to(&markup, "\n");
    while (*markup.at) {
        if (markup.at[0] == '<' && markup.at[1] == '/')
            read_end(&markup);
        else if (markup.at[0] == '<')
            read_start(&markup, seen, user);
        else if (strncmp(markup.at, "]]>", 3) == 0)
            blame(&markup, "']]>' in a text");
        else
            read_character(&markup);
    }
    if (markup.depth)
        blame(&markup, "the end while an element is open");
}

bool markup_attribute(const struct markup_element *element, const char *name, char *out,
                      size_t size)
{
    char wanted[NAME + 4];
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *end = element->attributes + element->attributes_length;
    for (const char *at = element->attributes; at + strlen(wanted) < end; at++)
        if (strncmp(at, wanted, strlen(wanted)) == 0) {
            at += strlen(wanted);
            snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
            return true;
        }
    return false;
}
