/* Requests of the page of `gravreel view`: a head of five lines, then the body. */
#include "tests/fuzz/target.h"

#include "cmd/view/view_request.h"
#include "scenes/keys.h"

#include <stdlib.h>
#include <string.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

enum { LINES = 5 };

static void check_wish(const struct wish *wish)
{
    fuzz_promise((uint64_t)wish->width * wish->height <= PICTURE_PIXELS_MAX,
                 "no picture is larger than the limit");
    fuzz_promise(wish->quality >= 1 && wish->quality <= 100, "the quality is one of JPEG's");
    for (int i = 0; i < wish->setting_count; i++) {
        const struct key *key = key_path_find(wish->settings[i].key);
        fuzz_promise(!key || !key->names_file, "no setting names a file");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1), *line[LINES + 1], *at = text;
    memcpy(text, data, size);
    for (int i = 0; i < LINES; i++) {
        line[i] = at;
        at += strcspn(at, "\n");
        if (*at)
            *at++ = '\0';
    }
    line[LINES] = at;
    const struct request_head head = {.method = line[0],
                                      .path = line[1],
                                      .host = *line[2] ? line[2] : NULL,
                                      .origin = *line[3] ? line[3] : NULL,
                                      .length = *line[4] ? line[4] : NULL};
    const struct resource *resource;
    const char *sentence;
    const int code = request_admit(&head, TOKEN, &resource, &sentence);
    fuzz_promise((code == 200) == (resource != NULL), "what is admitted has a resource");
    fuzz_promise(code != 200 || strstr(line[1], TOKEN), "nothing is admitted without the token");
    fuzz_promise(code == 200 || *sentence, "a refusal says why");
    struct fields *fields = calloc(1, sizeof *fields);
    struct wish *wish = calloc(1, sizeof *wish);
    if (fields_parse(fields, at, size - (size_t)(at - text)) == STATUS_OK &&
        wish_read(wish, fields) == STATUS_OK)
        check_wish(wish);
    fields_free(fields);
    free(wish);
    free(fields);
    free(text);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const char *const texts[] = {
        "GET\n/" TOKEN "/\n127.0.0.1:80\n\n\n",
        "POST\n/" TOKEN "/picture\nlocalhost:8000\nhttp://localhost:8000\n90\n"
        "frame=12&width=960&height=540&moving=1&exact=0&quality=80&pick=0.5%2c.25&"
        "set=camera.azimuth%3D30&set=output.title%3D%22a+b%C3%A9%22",
        "POST\n/" TOKEN "/save\n127.0.0.1\nhttp://127.0.0.1\n20\nset=bodies.file%3D/etc/passwd",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        take(user, texts[i], strlen(texts[i]));
}
