/* Structs as JSON. A table says of each member of an object its name, its kind and where its value
 * lies in the struct; by the one table a struct is both written and read.
 *
 *     static const struct json_member members[] = {
 *         {"frame", AS_WHOLE, MEMBER_AT(struct stored, frame)},
 *         {"bias", AS_REAL | OPTIONAL, MEMBER_AT(struct stored, bias)},
 *         {"marks", AS_OBJECT, MEMBER_LIST(struct stored, marks, mark_count), .members = marks},
 *         {0},
 *     };
 *
 * The members of a text come in the table's order. Reading accepts them in any order, and refuses
 * what is missing, unknown, there twice, of another kind or out of range, with a sentence that
 * names the member and says what was found: "cases[0]: stages[1]: 'follows' is 0, not a flag".
 * Thread-safe.
 */
#ifndef BASE_JSON_CODEC_H
#define BASE_JSON_CODEC_H

#include "base/choice.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a value is in C and in JSON. */
enum json_kind {
    AS_TEXT = 1, /* char *, allocated; NULL is written as "" */
    AS_LINES,    /* char *, allocated: a list of its lines, each of which ends with a line feed */
    AS_RAW,      /* char *, allocated: any value, as JSON */
    AS_NAME,     /* char []: a text that fits and has no '/' */
    AS_HASH,     /* char [HASH_TEXT]: the digits of a hash; "" is none */
    AS_WHOLE,    /* uint16_t, uint32_t or uint64_t, from `least` to `most`; a most of 0: any */
    AS_SIGNED,   /* int32_t */
    AS_INDEX,    /* int32_t, int64_t or uint64_t: 0 or more; nothing is -1 */
    AS_FLAG,     /* bool */
    AS_REAL,     /* double; only what is NULLABLE or has `infinite` may be other than finite */
    AS_CODES,    /* uint8_t []: a text of two hexadecimal digits each */
    AS_WORD,     /* an enum or int: the name of that entry of `words` */
    AS_ENTRY,    /* a pointer to an entry of `words`: its name */
    AS_DERIVED,  /* nothing: a text that follows from the rest of the object */
    AS_FORMAT,   /* nothing: the format's number, `most`; `least` and more are read */
    AS_SEAL,     /* nothing: what json_seal has added */
    AS_OBJECT,   /* a struct with a table of its own, `members` */
    AS_TUPLE,    /* the same as a list of the values, without names */
};

/* How many there are; lists follow MEMBER_LIST and its like below. */
enum json_shape {
    SHAPE_ONE,
    SHAPE_FIXED, /* a list as long as an array in the struct, or of one dimension of it */
    SHAPE_SHORT, /* a list in an array of the struct, and a count */
    SHAPE_LIST,  /* a list in allocated memory, and a count */
    SHAPE_MAP,   /* the same as an object: `members` has the name's row and the value's. With the
                    name "" these are whatever the object's table does not name. */
};

/* Added to a kind: AS_TEXT | OPTIONAL. */
enum {
    OPTIONAL = 0x100, /* left out, and read as, "", 0, false, NAN, only zeros, no list; an object
                         where its first member is left out */
    NULLABLE = 0x200, /* a text may be NULL, a number NAN, an index or word -1: all these are null;
                         a hash may be "" */
    LIST_NULLABLE = 0x400, /* the list may be NULL, or -1 everywhere: both are null */
    COUNTED = 0x800,       /* the count is another member's, which comes before */
    UNREAD = 0x1000,       /* has to be there, but its value is not looked at */
};

/* An object on the way in or out, for what is derived from it. */
struct json_place {
    const struct json_place *up; /* the object that it is in; NULL: this is the whole text */
    const void *item;
    size_t index; /* in its list */
    const struct json_form *form;
    void *user;
};

struct json_member {
    const char *name;
    unsigned as;
    enum json_shape shape;
    size_t offset, size;      /* size of one of a list */
    size_t count, count_size; /* offset and size of a list's count, */
    unsigned count_up;        /* in the struct so many objects further out */
    size_t has;               /* offset of a bool that says whether a short list is there; or 0 */
    uint64_t least, most;     /* of a whole number; most entries of a list, 0: any number */
    const char *infinite;     /* how INFINITY is written; -INFINITY has '-' before it */
    const struct registry *words;
    const struct json_member *members;
    char *(*derive)(const struct json_place *place); /* the caller frees it */
};

#define MEMBER_SIZE(type, field) sizeof(((type *)NULL)->field)
#define MEMBER_COUNT(type, field)                                                                  \
    .count = offsetof(type, field), .count_size = MEMBER_SIZE(type, field)

#define MEMBER_AT(type, field) .offset = offsetof(type, field), .size = MEMBER_SIZE(type, field)
#define MEMBER_ARRAY(type, field)                                                                  \
    .shape = SHAPE_FIXED, .offset = offsetof(type, field), .size = MEMBER_SIZE(type, field[0]),    \
    .most = MEMBER_SIZE(type, field) / MEMBER_SIZE(type, field[0])
#define MEMBER_SHORT_LIST(type, field, number)                                                     \
    .shape = SHAPE_SHORT, .offset = offsetof(type, field), .size = MEMBER_SIZE(type, field[0]),    \
    .most = MEMBER_SIZE(type, field) / MEMBER_SIZE(type, field[0]), MEMBER_COUNT(type, number)
#define MEMBER_LIST(type, field, number)                                                           \
    .shape = SHAPE_LIST, .offset = offsetof(type, field), .size = MEMBER_SIZE(type, field[0]),     \
    MEMBER_COUNT(type, number)
#define MEMBER_MAP(type, field, number)                                                            \
    .shape = SHAPE_MAP, .offset = offsetof(type, field), .size = MEMBER_SIZE(type, field[0]),      \
    MEMBER_COUNT(type, number)

struct json_form {
    const struct json_member *members;
    enum {
        STYLE_INDENTED, /* each value on a line; 17 digits */
        STYLE_SORTED,   /* the same, the members of each object by name */
        STYLE_LINES,    /* the members of the outer objects and the entries of their lists on a
                           line each, numbers in one; as many digits as it takes to read the same
                           number */
    } style;
    bool open;                       /* members without a row are passed over */
    char *(*mend)(const char *text); /* makes UTF-8 of any text; NULL: such a text fails */
};

/* The caller frees the text, which ends without a line feed. NULL when a text in it is not UTF-8 or
 * a number too large. */
char *json_write(const struct json_form *form, const void *from, void *user);

/* Fills in a struct that is {0}, in every case as far as it came; strings and lists in it are the
 * caller's. *format is the text's, 0 when it is not JSON or has none. STATUS_USAGE: of another
 * format; STATUS_IO: anything else. */
enum status json_read(const struct json_form *form, const char *text, size_t size, void *to,
                      void *user, int *format);

/* Makes a struct that is {0} one of which nothing is said, and frees what json_read has made in
 * one. */
void json_clear(const struct json_member *members, void *item);
void json_free(const struct json_member *members, void *item);

/* The text of an object with a checksum of its first `hashed` bytes as a further member. The caller
 * frees it. */
#define JSON_SEAL "xxh3_128"
char *json_seal(const char *text, size_t hashed);

/* Whether a text of any format has the checksum of all that it was sealed with. */
bool json_is_sealed(const char *text, size_t size);

#endif
