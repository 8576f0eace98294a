#include "cmd/view/view_request.h"

#include "base/memory.h"
#include "base/text.h"
#include "scenes/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char view_page_html[], view_page_css[], view_page_js[];

static const struct resource resources[] = {
    {"", RESOURCE_FILE, METHOD_GET, "text/html; charset=utf-8", view_page_html},
    {"page.css", RESOURCE_FILE, METHOD_GET, "text/css; charset=utf-8", view_page_css},
    {"page.js", RESOURCE_FILE, METHOD_GET, "text/javascript; charset=utf-8", view_page_js},
    {"keys", RESOURCE_KEYS, METHOD_GET, "application/json", NULL},
    {"scene", RESOURCE_SCENE, METHOD_GET | METHOD_POST, "application/json", NULL},
    {"picture", RESOURCE_PICTURE, METHOD_GET | METHOD_POST, "image/jpeg", NULL},
    {"state", RESOURCE_STATE, METHOD_GET, "application/json", NULL},
    {"save", RESOURCE_SAVE, METHOD_POST, "application/json", NULL},
    {"render", RESOURCE_RENDER, METHOD_POST, "application/json", NULL},
    {"stop", RESOURCE_STOP, METHOD_POST, "application/json", NULL},
};

/* ---- admission ---- */

static bool is_loopback(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(names[i]);
        const char *port = host + length;
        if (strncmp(host, names[i], length) == 0 &&
            (!*port || (*port == ':' && port[1] && !port[1 + strspn(port + 1, "0123456789")])))
            return true;
    }
    return false;
}

static bool is_own(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    const size_t length = sizeof scheme - 1;
    return strncmp(origin, scheme, length) == 0 && strcmp(origin + length, host) == 0;
}

static bool has_token(const char *path, const char *token)
{
    unsigned difference = 0;
    if (strnlen(path, TOKEN_DIGITS + 2) != TOKEN_DIGITS + 2)
        return false;
    for (int i = 0; i < TOKEN_DIGITS; i++)
        difference |= (unsigned char)path[1 + i] ^ (unsigned char)token[i];
    return difference == 0 && path[0] == '/' && path[1 + TOKEN_DIGITS] == '/';
}

int request_admit(const struct request_head *head, const char token[TOKEN_DIGITS + 1],
                  const struct resource **resource, const char **sentence)
{
    static const char *const methods[] = {[METHOD_GET] = "GET", [METHOD_POST] = "POST"};
    uint64_t length = 0;
    const struct resource *found = NULL;
    *resource = NULL;
    *sentence = "";
    if (!head->host || !is_loopback(head->host)) {
        *sentence = "only 127.0.0.1 and localhost are answered";
        return 403;
    }
    if (head->origin && !is_own(head->origin, head->host)) {
        *sentence = "another page asks";
        return 403;
    }
    if (!has_token(head->path, token)) {
        *sentence = "the address lacks the token; open the one that `gravreel view` has printed";
        return 403;
    }
    const char *name = head->path + TOKEN_DIGITS + 2;
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
        if (strcmp(resources[i].name, name) == 0)
            found = &resources[i];
    if (!found) {
        *sentence = "there is nothing of that name";
        return 404;
    }
    /* A link may lead to the page from anywhere; nothing else is anybody else's to ask for. */
    if (*name && head->site && strcmp(head->site, "same-origin") != 0 &&
        strcmp(head->site, "none") != 0) {
        *sentence = "another page asks";
        return 403;
    }
    unsigned method = METHOD_POST;
    while (method > 0 && strcmp(methods[method], head->method) != 0)
        method--;
    if (!(method & found->methods)) {
        *sentence = "it cannot be asked for in this way";
        return 405;
    }
    if (method != METHOD_POST) {
        *resource = found;
        return 200;
    }
    if (!head->length || !text_parse_digits(head->length, strlen(head->length), &length)) {
        *sentence = "a POST needs its length";
        return 411;
    }
    if (length > REQUEST_BYTES_MAX) {
        *sentence = "the request is too large";
        return 413;
    }
    *resource = found;
    return 200;
}

/* ---- fields ---- */

static bool is_text(const char *text)
{
    for (uint32_t next; (next = text_character(&text));)
        if (next == TEXT_NO_CHARACTER || next == 0x7f ||
            (next < 0x20 && next != '\n' && next != '\t'))
            return false;
    return true;
}

static enum status fields_add(struct fields *fields, const char *name, const char *value)
{
    if (fields->count == SETTINGS_MAX)
        return status_fail(STATUS_USAGE, "a request can have at most %d fields", SETTINGS_MAX);
    if (!is_text(name) || !is_text(value))
        return status_fail(STATUS_USAGE, "a field of the request is not a text");
    fields->list[fields->count++] = (struct field){memory_text(name), memory_text(value)};
    return STATUS_OK;
}

static int hexadecimal(char digit)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = digit ? strchr(digits, digit) : NULL;
    return at ? (int)(at - digits) % 16 : -1;
}

/* Decodes `size` bytes into *out, which the caller frees; NULL: a wrong escape, or a NUL. */
static char *decode(const char *text, size_t size)
{
    char *out = memory_new(size + 1, 1), *to = out;
    for (size_t i = 0; i < size; i++) {
        int high, low;
        char byte = text[i] == '+' ? ' ' : text[i];
        if (byte == '%') {
            if (size - i < 3 || (high = hexadecimal(text[i + 1])) < 0 ||
                (low = hexadecimal(text[i + 2])) < 0)
                goto wrong;
            byte = (char)(16 * high + low);
            i += 2;
        }
        if (!byte)
            goto wrong;
        *to++ = byte;
    }
    return out;
wrong:
    free(out);
    return NULL;
}

enum status fields_parse(struct fields *out, const char *text, size_t size)
{
    const char *end = text + size;
    enum status status = STATUS_OK;
    *out = (struct fields){0};
    while (text < end && status == STATUS_OK) {
        const char *stop = memchr(text, '&', (size_t)(end - text));
        stop = stop ? stop : end;
        const char *equals = memchr(text, '=', (size_t)(stop - text));
        char *name = equals ? decode(text, (size_t)(equals - text)) : NULL;
        char *value = equals ? decode(equals + 1, (size_t)(stop - equals - 1)) : NULL;
        status = name && value
                     ? fields_add(out, name, value)
                     : status_fail(STATUS_USAGE,
                                   "the request is not a form: NAME=VALUE&NAME=VALUE, escaped");
        free(name);
        free(value);
        text = stop < end ? stop + 1 : end;
    }
    return status;
}

void fields_free(struct fields *fields)
{
    for (int i = 0; i < fields->count; i++) {
        free(fields->list[i].name);
        free(fields->list[i].value);
    }
    fields->count = 0;
}

/* ---- wishes ---- */

static enum status take_setting(struct wish *wish, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return status_fail(STATUS_USAGE, "set needs SECTION.KEY=VALUE, found '%s'", text);
    *equals = '\0';
    const struct key *key = key_path_find(text);
    if (key && key->names_file)
        return status_fail(STATUS_USAGE,
                           "%s names a file, which only the command line of `gravreel view` can",
                           text);
    wish->settings[wish->setting_count++] = (struct setting){text, equals + 1, "the page", false};
    return STATUS_OK;
}

static enum status take_whole(const struct field *field, uint64_t least, uint64_t most,
                              uint64_t *out)
{
    if (text_parse_digits(field->value, strlen(field->value), out) && *out >= least && *out <= most)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "%s is '%s', not a whole number from %llu to %llu",
                       field->name, field->value, (unsigned long long)least,
                       (unsigned long long)most);
}

static enum status take_pick(struct wish *wish, const struct field *field)
{
    char rest;
    wish->picks = sscanf(field->value, "%lf,%lf%c", &wish->pick[0], &wish->pick[1], &rest) == 2 &&
                  wish->pick[0] >= 0 && wish->pick[0] <= 1 && wish->pick[1] >= 0 &&
                  wish->pick[1] <= 1;
    return wish->picks ? STATUS_OK
                       : status_fail(STATUS_USAGE, "pick is '%s', not two numbers from 0 to 1",
                                     field->value);
}

static enum status take_field(struct wish *wish, const struct field *field)
{
    enum { FRAME_MAX = 1 << 30 };
    static const struct {
        const char *name;
        size_t at;
    } flags[] = {{"moving", offsetof(struct wish, moving)},
                 {"exact", offsetof(struct wish, exact)},
                 {"background", offsetof(struct wish, background)}};
    const char *name = field->name;
    uint64_t number = 0;
    enum status status;
    if (strcmp(name, "set") == 0)
        return take_setting(wish, field->value);
    if (strcmp(name, "pick") == 0)
        return take_pick(wish, field);
    if (strcmp(name, "frame") == 0)
        return take_whole(field, 0, FRAME_MAX, &wish->frame);
    if (strcmp(name, "width") == 0 || strcmp(name, "height") == 0) {
        status = take_whole(field, 16, PICTURE_SIDE_MAX, &number);
        *(name[0] == 'w' ? &wish->width : &wish->height) = (uint32_t)number;
        return status;
    }
    if (strcmp(name, "quality") == 0) {
        status = take_whole(field, 1, 100, &number);
        wish->quality = (int)number;
        return status;
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(name, flags[i].name) == 0) {
            status = take_whole(field, 0, 1, &number);
            *(bool *)((char *)wish + flags[i].at) = number;
            return status;
        }
    return status_fail(STATUS_USAGE,
                       "there is no field '%s'; the fields are set, frame, width, height, quality, "
                       "moving, exact, background and pick",
                       name);
}

enum status wish_read(struct wish *out, const struct fields *fields)
{
    enum { QUALITY = 92 };
    enum status status = STATUS_OK;
    *out = (struct wish){.quality = QUALITY};
    for (int i = 0; i < fields->count && status == STATUS_OK; i++)
        status = take_field(out, &fields->list[i]);
    if (status == STATUS_OK && (out->width > 0) != (out->height > 0))
        status = status_fail(STATUS_USAGE, "width and height are given together or not at all");
    if (status == STATUS_OK && (uint64_t)out->width * out->height > PICTURE_PIXELS_MAX)
        status = status_fail(STATUS_USAGE, "a picture of %ux%u is too large for the page",
                             out->width, out->height);
    return status;
}
