/* Requests of the page: whether they may be answered, and what they ask for. Everything here is
 * text from elsewhere, and none of it names a file. Pure; thread-safe. */
#pragma once

#include "base/status.h"
#include "cmd/film/scene/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits of the token that each address begins with: 128 bits. */
enum { TOKEN_DIGITS = 32 };

/* The bytes that the fields of one request may take. */
enum { REQUEST_BYTES_MAX = 1 << 17 };

enum method { METHOD_GET = 1, METHOD_POST = 2 };

/* Something that the server has: one const entry each, in view_request.c. */
struct resource {
    const char *name; /* behind the token: "page.js"; "": the page */
    enum resource_kind {
        RESOURCE_FILE,    /* `text` */
        RESOURCE_KEYS,    /* the key table */
        RESOURCE_SCENE,   /* the scene with the page's changes: values, YAML, command */
        RESOURCE_PICTURE, /* a JPEG */
        RESOURCE_STATE,   /* how far the simulation and a film are */
        RESOURCE_SAVE,    /* writes the scene to the path of the command line */
        RESOURCE_RENDER,  /* starts the film of the command line */
        RESOURCE_STOP,    /* ends it */
    } kind;
    unsigned methods; /* of enum method */
    const char *type;
    const char *text;
};

/* The head of a request; members that it lacks are NULL. */
struct request_head {
    const char *method, *path; /* the path as it was sent, without what follows a '?' */
    const char *host, *origin;
    const char *site;   /* Sec-Fetch-Site, by which browsers tell where a request comes from */
    const char *length; /* Content-Length */
};

/* Returns 200 and the resource, or the HTTP status of a refusal and its sentence: another host than
 * the loopback (so that no name in the DNS can lead here), a page of another origin, an address
 * without the token, a resource or method that does not exist, a body that is too large. Compares
 * the token in a time that does not depend on where it differs. */
int request_admit(const struct request_head *head, const char token[TOKEN_DIGITS + 1],
                  const struct resource **resource, const char **sentence);

/* Fields "name=value&name=value", decoded. */
struct fields {
    int count;
    struct field {
        char *name, *value;
    } list[SETTINGS_MAX];
};

/* Parses a form, as the body of a POST or the end of an address has it. STATUS_USAGE for a wrong
 * escape, a control character, text that is not UTF-8, or too many fields. fields_free in every
 * case. */
enum status fields_parse(struct fields *out, const char *text, size_t size);
void fields_free(struct fields *fields);

enum { PICTURE_SIDE_MAX = 4096, PICTURE_PIXELS_MAX = 3840 * 2160 };

/* What a request asks for. The strings belong to the fields. */
struct wish {
    int setting_count;
    struct setting settings[SETTINGS_MAX]; /* changes to the scene: fields set=KEY=VALUE */
    uint64_t frame;
    uint32_t width, height; /* 0 x 0: the scene's */
    int quality;            /* of the JPEG */
    bool moving;            /* the picture follows a hand, and has fewer stars */
    bool exact;             /* it has the exposure of its own film; else, that of one before with
                             * another camera will do */
    bool background;        /* waits until nobody asks for another picture */
    bool picks;             /* what is drawn at `pick` is wanted, in parts of width and height */
    double pick[2];
};

/* STATUS_USAGE for an unknown field, a value out of range, or a key whose value names a file. */
enum status wish_read(struct wish *out, const struct fields *fields);
