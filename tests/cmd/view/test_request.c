/* Which requests of the page are answered, and what their fields mean. */
#include "tests/support/test.h"

#include "cmd/view/view_request.h"
#include "scenes/keys.h"

#include <stdlib.h>
#include <string.h>

#define TOKEN "00112233445566778899aabbccddeeff"

static int admit(struct request_head head)
{
    const struct resource *resource;
    const char *sentence;
    head.method = head.method ? head.method : "GET";
    head.path = head.path ? head.path : "/" TOKEN "/";
    const int code = request_admit(&head, TOKEN, &resource, &sentence);
    assert_true((code == 200) == (resource != NULL));
    assert_true((code == 200) == (*sentence == '\0'));
    return code;
}

static int from(const char *host, const char *origin)
{
    return admit((struct request_head){.host = host, .origin = origin});
}

TEST(answers_the_loopback_alone)
{
    static const char *const good[] = {"127.0.0.1", "localhost", "127.0.0.1:80", "localhost:65535"};
    static const char *const bad[] = {NULL,
                                      "",
                                      "evil.example",
                                      "127.0.0.1:",
                                      "127.0.0.1.evil.example",
                                      "localhost.evil.example",
                                      "127.0.0.1:80@evil.example",
                                      "127.0.0.2:80",
                                      "0.0.0.0:80",
                                      "[::1]:80"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(from(good[i], NULL), 200);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(from(bad[i], NULL), 403);
}

TEST(answers_its_own_page_alone)
{
    const struct request_head keys = {.host = "127.0.0.1:80", .path = "/" TOKEN "/keys"};
    struct request_head head = keys;
    assert_int_equal(from("127.0.0.1:80", "http://127.0.0.1:80"), 200);
    assert_int_equal(from("127.0.0.1:80", "http://127.0.0.1:81"), 403);
    assert_int_equal(from("127.0.0.1:80", "http://localhost:80"), 403);
    assert_int_equal(from("127.0.0.1:80", "https://127.0.0.1:80"), 403);
    assert_int_equal(from("127.0.0.1:80", "null"), 403);
    static const char *const others[] = {"cross-site", "same-site", "", "SAME-ORIGIN"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        head.site = others[i];
        assert_int_equal(admit(head), 403);
    }
    head.site = "same-origin";
    assert_int_equal(admit(head), 200);
    head.site = "none";
    assert_int_equal(admit(head), 200);
    head = (struct request_head){.host = "127.0.0.1:80", .site = "cross-site"};
    assert_int_equal(admit(head), 200); /* a link to the page */
}

TEST(needs_the_token)
{
    static const char *const paths[] = {"/",
                                        "",
                                        "/page.js",
                                        "/" TOKEN,
                                        "/" TOKEN "0/",
                                        "/00112233445566778899aabbccddeefe/",
                                        "/10112233445566778899aabbccddeeff/",
                                        "/00112233445566778899AABBCCDDEEFF/",
                                        "//" TOKEN "/",
                                        "/../" TOKEN "/"};
    struct request_head head = {.host = "localhost"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        head.path = paths[i];
        assert_int_equal(admit(head), 403);
    }
}

TEST(has_no_other_paths)
{
    static const char *const paths[] = {"/" TOKEN "/../keys",   "/" TOKEN "//keys",
                                        "/" TOKEN "/keys/",     "/" TOKEN "/etc/passwd",
                                        "/" TOKEN "/./page.js", "/" TOKEN "/page.js%00",
                                        "/" TOKEN "/KEYS"};
    struct request_head head = {.host = "localhost"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        head.path = paths[i];
        assert_int_equal(admit(head), 404);
    }
    head = (struct request_head){.host = "localhost", .path = "/" TOKEN "/save"};
    assert_int_equal(admit(head), 405);
    head.method = "PUT";
    assert_int_equal(admit(head), 405);
    head.method = "POST";
    assert_int_equal(admit(head), 411);
    head.length = "12x";
    assert_int_equal(admit(head), 411);
    head.length = "999999999999";
    assert_int_equal(admit(head), 413);
    head.length = "12";
    assert_int_equal(admit(head), 200);
}

static enum status read_wish(struct wish *wish, struct fields *fields, const char *text)
{
    const enum status status = fields_parse(fields, text, strlen(text));
    return status == STATUS_OK ? wish_read(wish, fields) : status;
}

TEST(reads_what_is_wanted)
{
    struct fields *fields = calloc(1, sizeof *fields);
    struct wish *wish = calloc(1, sizeof *wish);
    assert_ok(read_wish(wish, fields,
                        "frame=12&width=96&height=54&moving=1&exact=1&pick=0.25%2C0.5&"
                        "set=output.title%3D%22a+%26%3D%C3%A9%22&set=camera.orbit=5"));
    assert_true(wish->frame == 12 && wish->width == 96 && wish->height == 54 && wish->quality > 80);
    assert_true(wish->moving && wish->exact && !wish->background && wish->picks);
    assert_true(wish->pick[0] == 0.25 && wish->pick[1] == 0.5);
    assert_int_equal(wish->setting_count, 2);
    assert_string_equal(wish->settings[0].key, "output.title");
    assert_string_equal(wish->settings[0].value, "\"a &=\u00e9\"");
    assert_string_equal(wish->settings[1].value, "5");
    fields_free(fields);
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"frame", "form"},
        {"frame=%4", "form"},
        {"frame=%zz", "form"},
        {"frame=%00", "form"},
        {"set=a.b%3D%ff", "not a text"},
        {"set=a.b%3D%1b", "not a text"},
        {"set=a.b%3D%c0%af", "not a text"},
        {"frame=-1", "whole number"},
        {"frame=1e9", "whole number"},
        {"width=96", "together"},
        {"width=4096&height=4096", "too large"},
        {"width=99999&height=16", "16 to 4096"},
        {"quality=0", "1 to 100"},
        {"pick=1.5,0", "0 to 1"},
        {"pick=nan,0", "0 to 1"},
        {"path=/etc/passwd", "no field 'path'"},
        {"set=camera.orbit", "SECTION.KEY=VALUE"},
        {"set=bodies.file%3D/etc/passwd", "names a file"},
        {"set=output.audio%3D/etc/passwd", "names a file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(read_wish(wish, fields, wrong[i].text), STATUS_USAGE, wrong[i].words);
        fields_free(fields);
    }
    static char many[3 * SETTINGS_MAX + 4];
    for (int i = 0; i <= SETTINGS_MAX; i++)
        memcpy(many + 3 * i, "a=&", 3);
    assert_fails(fields_parse(fields, many, strlen(many)), STATUS_USAGE, "at most");
    fields_free(fields);
    free(wish);
    free(fields);
}

TEST(no_key_names_a_file_unmarked)
{
    for (size_t i = 0; i < scene_key_count; i++)
        if (scene_keys[i].type == KEY_TEXT && strstr(scene_keys[i].name, "file"))
            assert_true(scene_keys[i].names_file);
}

TESTS(NULL, NULL)
