/* Structs as JSON by a table: every kind and shape of member, written and read, and invalid texts.
 */
#include "tests/support/test.h"

#include "base/json/codec.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int32_t x, y;
    double weight;
};

struct named {
    char *name;
    uint64_t value;
};

struct group {
    char *title;
    struct point *points;
    uint32_t point_count;
};

struct thing {
    char *text, *maybe, *lines;
    char name[8], hash[HASH_TEXT];
    uint16_t small[3];
    uint32_t whole;
    uint64_t large;
    int32_t negative;
    int64_t index;
    int32_t place[2];
    bool flag;
    double real, level, row[3];
    uint8_t codes[2];
    enum { LEFT, RIGHT } side;
    int missing_side;
    const struct choice *entry;
    struct group group;
    struct point corner[2];
    struct point few[3];
    size_t few_count;
    bool has_few;
    double *band;
    struct named *map, *rest;
    uint32_t map_count, rest_count;
};

static const struct choice sides[] = {{"left", NULL}, {"right", NULL}};
static const struct registry side_words = REGISTRY_OF("side", sides);

static char *upper(const struct json_place *place)
{
    const struct group *group = place->item;
    return text_format("%s of %s", group->title, (const char *)place->user);
}

static const struct json_member point[] = {
    {"x", AS_SIGNED, MEMBER_AT(struct point, x)},
    {"y", AS_SIGNED, MEMBER_AT(struct point, y)},
    {"weight", AS_REAL | OPTIONAL, MEMBER_AT(struct point, weight)},
    {0},
};
static const struct json_member pair[] = {
    {"x", AS_SIGNED, MEMBER_AT(struct point, x)},
    {"y", AS_SIGNED, MEMBER_AT(struct point, y)},
    {0},
};
static const struct json_member group[] = {
    {"of", AS_DERIVED, .derive = upper},
    {"title", AS_TEXT, MEMBER_AT(struct group, title)},
    {"points", AS_OBJECT, MEMBER_LIST(struct group, points, point_count), .most = 2,
     .members = point},
    {0},
};
static const struct json_member named[] = {
    {"", AS_TEXT, MEMBER_AT(struct named, name)},
    {"", AS_WHOLE, MEMBER_AT(struct named, value)},
    {0},
};
static const struct json_member members[] = {
    {"format", AS_FORMAT, .least = 2, .most = 3},
    {"text", AS_TEXT, MEMBER_AT(struct thing, text)},
    {"maybe", AS_TEXT | NULLABLE, MEMBER_AT(struct thing, maybe)},
    {"lines", AS_LINES, MEMBER_AT(struct thing, lines)},
    {"name", AS_NAME, MEMBER_AT(struct thing, name)},
    {"hash", AS_HASH | OPTIONAL, MEMBER_AT(struct thing, hash)},
    {"small", AS_WHOLE, MEMBER_ARRAY(struct thing, small)},
    {"whole", AS_WHOLE, MEMBER_AT(struct thing, whole), .least = 1, .most = 9},
    {"large", AS_WHOLE | OPTIONAL, MEMBER_AT(struct thing, large)},
    {"negative", AS_SIGNED, MEMBER_AT(struct thing, negative)},
    {"index", AS_INDEX | NULLABLE, MEMBER_AT(struct thing, index)},
    {"place", AS_INDEX | LIST_NULLABLE, MEMBER_ARRAY(struct thing, place)},
    {"flag", AS_FLAG, MEMBER_AT(struct thing, flag)},
    {"real", AS_REAL | OPTIONAL, MEMBER_AT(struct thing, real)},
    {"level", AS_REAL | NULLABLE, MEMBER_AT(struct thing, level), .infinite = "inf"},
    {"row", AS_REAL | OPTIONAL | NULLABLE, MEMBER_ARRAY(struct thing, row)},
    {"codes", AS_CODES, MEMBER_AT(struct thing, codes)},
    {"side", AS_WORD, MEMBER_AT(struct thing, side), .words = &side_words},
    {"no_side", AS_WORD | NULLABLE, MEMBER_AT(struct thing, missing_side), .words = &side_words},
    {"entry", AS_ENTRY, MEMBER_AT(struct thing, entry), .words = &side_words},
    {"group", AS_OBJECT, MEMBER_AT(struct thing, group), .members = group},
    {"corner", AS_TUPLE, MEMBER_ARRAY(struct thing, corner), .members = pair},
    {"few", AS_OBJECT | OPTIONAL, MEMBER_SHORT_LIST(struct thing, few, few_count),
     .has = offsetof(struct thing, has_few), .members = point},
    {"band", AS_REAL | COUNTED | LIST_NULLABLE, MEMBER_LIST(struct thing, band, large)},
    {"map", AS_WHOLE | OPTIONAL, MEMBER_MAP(struct thing, map, map_count), .members = named},
    {"", AS_WHOLE, MEMBER_MAP(struct thing, rest, rest_count), .members = named},
    {JSON_SEAL, .as = AS_SEAL | OPTIONAL},
    {0},
};
static const struct json_form form = {.members = members, .style = STYLE_LINES};
static char user[] = "all";

/* The only valid text of the struct below. */
static const char whole_text[] = "{\n"
                                 " \"format\": 3,\n"
                                 " \"text\": \"a \\\"b\\\" \xc3\xa9\",\n"
                                 " \"maybe\": null,\n"
                                 " \"lines\": [\n  \"one\",\n  \"\",\n  \"two\"\n ],\n"
                                 " \"name\": \"x.bin\",\n"
                                 " \"hash\": \"0123456789abcdef0123456789abcdef\",\n"
                                 " \"small\": [0, 1, 65535],\n"
                                 " \"whole\": 9,\n"
                                 " \"large\": 2,\n"
                                 " \"negative\": -7,\n"
                                 " \"index\": null,\n"
                                 " \"place\": [3, 4],\n"
                                 " \"flag\": true,\n"
                                 " \"real\": 0.1,\n"
                                 " \"level\": \"-inf\",\n"
                                 " \"row\": [1.0, null, 3e-12],\n"
                                 " \"codes\": \"00ff\",\n"
                                 " \"side\": \"right\",\n"
                                 " \"no_side\": null,\n"
                                 " \"entry\": \"left\",\n"
                                 " \"group\": {\n  \"of\": \"t of all\",\n  \"title\": \"t\",\n"
                                 "  \"points\": [\n   {\"x\": 1, \"y\": 2, \"weight\": 0.5},\n   "
                                 "{\"x\": -1, \"y\": 0}\n  ]\n },\n"
                                 " \"corner\": [\n  [1, 2],\n  [3, 4]\n ],\n"
                                 " \"few\": [\n  {\"x\": 5, \"y\": 6}\n ],\n"
                                 " \"band\": [0.5, 1.5],\n"
                                 " \"map\": {\n  \"a\": 1,\n  \"b\": 2\n },\n"
                                 " \"other\": 3\n"
                                 "}";

static enum status read_text(struct thing *thing, const char *text)
{
    int format;
    *thing = (struct thing){0};
    return json_read(&form, text, strlen(text), thing, user, &format);
}

TEST(every_member_goes_both_ways)
{
    struct thing thing;
    assert_ok(read_text(&thing, whole_text));
    assert_string_equal(thing.lines, "one\n\ntwo\n");
    assert_null(thing.maybe);
    assert_int_equal(thing.small[2], 65535);
    assert_int_equal(thing.negative, -7);
    assert_int_equal(thing.index, -1);
    assert_true(thing.place[0] == 3 && thing.place[1] == 4 && thing.flag && thing.real == 0.1);
    assert_true(thing.level == -INFINITY && isnan(thing.row[1]) && thing.row[2] == 3e-12);
    assert_int_equal(thing.codes[1], 255);
    assert_true(thing.side == RIGHT && thing.missing_side == -1 && thing.entry == &sides[0]);
    assert_int_equal(thing.group.point_count, 2);
    assert_true(thing.group.points[0].weight == 0.5 && isnan(thing.group.points[1].weight));
    assert_int_equal(thing.corner[1].y, 4);
    assert_true(thing.has_few && thing.few_count == 1 && thing.few[0].y == 6);
    assert_true(thing.band[1] == 1.5);
    assert_true(thing.map_count == 2 && thing.map[1].value == 2);
    assert_string_equal(thing.rest[0].name, "other");
    char *again = json_write(&form, &thing, user);
    assert_string_equal(again, whole_text);
    free(again);
    json_free(members, &thing);
}

static char *changed(const char *from, const char *to)
{
    const char *at = strstr(whole_text, from);
    assert_non_null(at);
    return text_format("%.*s%s%s", (int)(at - whole_text), whole_text, to, at + strlen(from));
}

TEST(what_is_left_out_is_nothing)
{
    struct thing thing;
    char *text = changed("\"real\": 0.1,", "");
    assert_ok(read_text(&thing, text));
    assert_true(isnan(thing.real));
    *thing.hash = '\0';
    thing.has_few = false;
    thing.row[0] = thing.row[2] = NAN;
    thing.small[0] = 8;
    char *again = json_write(&form, &thing, user);
    const char *const gone[] = {"\"hash\"", "\"few\"", "\"row\"", "\"real\""};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        assert_null(strstr(again, gone[i]));
    json_free(members, &thing);
    assert_ok(read_text(&thing, again));
    assert_true(!*thing.hash && !thing.has_few && isnan(thing.row[0]) && thing.small[0] == 8);
    json_free(members, &thing);
    free(again);
    free(text);
}

TEST(what_is_wrong_is_named)
{
    static const struct {
        const char *from, *to, *sentence;
    } cases[] = {
        {"\"text\": \"a", "\"test\": \"a", "'text' is missing"},
        {"\"text\": \"a", "\"text\": 1, \"b\": \"", "'text' is 1, not a text"},
        {"\"one\"", "\"o\\nne\"", "'lines' is [\"o\\nne\",\"\",\"two\"], not a list of lines"},
        {"x.bin", "../x", "'name' is \"../x\", not a name"},
        {"x.bin", "12345678", "'name' is \"12345678\", not a name"},
        {"89abcdef\"", "89abcdeF\"", "not a hash"},
        {"65535", "65536", "'small' is 65536, not a whole number from 0 to 65535"},
        {"65535", "1, 2", "'small' has 4 entries, not 3"},
        {"\"whole\": 9", "\"whole\": 10", "'whole' is 10, not a whole number from 1 to 9"},
        {"\"whole\": 9", "\"whole\": 0", "'whole' is 0, not a whole number"},
        {"-7", "-3000000000", "'negative' is -3000000000, not a whole number"},
        {"\"index\": null", "\"index\": -1", "'index' is -1, not a whole number"},
        {"[3, 4]", "[3]", "'place' has 1 entry, not 2"},
        {"[3, 4]", "[3, -4]", "'place' is -4, not a whole number"},
        {"true", "1", "'flag' is 1, not a flag (true or false)"},
        {"0.1", "\"inf\"", "'real' is \"inf\", not a number"},
        {"0.1", "null", "'real' is null, not a number"},
        {"\"-inf\"", "\"--inf\"", "'level' is \"--inf\", not a number"},
        {"00ff", "00f", "'codes' is \"00f\", not a text of two"},
        {"\"right\"", "\"up\"", "'side' is \"up\", not a side"},
        {"\"entry\": \"left\"", "\"entry\": null", "'entry' is null, not a side"},
        {"t of all", "t of none",
         "group: 'of' is 't of none', but the other members imply 't of all'"},
        {"{\"x\": -1, \"y\": 0}", "{\"x\": -1}", "group: points[1]: 'y' is missing"},
        {"\"y\": 0}", "\"y\": 0, \"z\": 1}", "group: points[1]: 'z' is not a member"},
        {"{\"x\": -1, \"y\": 0}", "7", "group: 'points' is 7, not a JSON object"},
        {"\"y\": 0}", "\"y\": 0}, {}", "group: 'points' has 3 entries, more than 2"},
        {"[1, 2]", "[1, 2, 3]", "corner[0]: 'list' has 3 entries, not 2"},
        {"[1, 2]", "[1]", "corner[0]: 'y' is missing"},
        {"[1, 2]", "{}", "'corner' is {}, not a list"},
        {"[0.5, 1.5]", "[0.5]", "'band' has 1 entry, not 2"},
        {"\"b\": 2", "\"b\": -2", "'b' is -2, not a whole number"},
        {"\"other\": 3", "\"other\": {}", "'other' is {}, not a whole number"},
        {"\"other\": 3", "\"whole\": 3", "it is not JSON at line"},
        {"\"format\": 3", "\"format\": \"3\"", "'format' is \"3\", not a format's number"},
        {"\"format\": 3", "\"formats\": 3", "'format' is missing"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct thing thing;
        char *text = changed(cases[c].from, cases[c].to);
        assert_fails(read_text(&thing, text), STATUS_IO, cases[c].sentence);
        json_free(members, &thing);
        free(text);
    }
}

TEST(formats_have_limits)
{
    for (int format = 1; format <= 4; format++) {
        struct thing thing = {0};
        int found;
        char number[24];
        snprintf(number, sizeof number, "\"format\": %d", format);
        char *text = changed("\"format\": 3", number);
        const enum status status = json_read(&form, text, strlen(text), &thing, user, &found);
        assert_int_equal(status, format == 2 || format == 3 ? STATUS_OK : STATUS_USAGE);
        assert_int_equal(found, format);
        json_free(members, &thing);
        free(text);
    }
}

TEST(what_json_cannot_hold_is_not_written)
{
    struct thing thing;
    assert_ok(read_text(&thing, whole_text));
    thing.text[0] = '\xff';
    assert_null(json_write(&form, &thing, user));
    thing.text[0] = 'a';
    thing.map[0].value = UINT64_MAX;
    assert_null(json_write(&form, &thing, user));
    thing.map[0].value = 1;
    thing.band[0] = NAN;
    assert_null(json_write(&form, &thing, user));
    thing.band[0] = 1;
    memcpy(thing.rest[0].name, "text", sizeof "text");
    assert_null(json_write(&form, &thing, user));
    json_free(members, &thing);
}

TEST(seals_tell_other_bytes)
{
    char *sealed = json_seal(whole_text, strlen(whole_text));
    const size_t size = strlen(sealed);
    struct thing thing;
    assert_true(json_is_sealed(sealed, size));
    assert_ok(read_text(&thing, sealed));
    assert_int_equal(thing.rest_count, 1);
    json_free(members, &thing);
    for (size_t at = 0; at < size; at += 3) {
        sealed[at] ^= 1;
        assert_false(json_is_sealed(sealed, size));
        sealed[at] ^= 1;
        assert_false(json_is_sealed(sealed, at));
    }
    free(sealed);
}

TESTS(NULL, NULL)
