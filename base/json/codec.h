/* Writes structs as JSON and reads them back. A table gives each member of an object its name, its
 * kind and the place of its value in the struct; the same table serves writing and reading.
 *
 *     static const struct json_member members[] = {
 *         {"frame", AS_WHOLE, MEMBER_AT(struct stored, frame)},
 *         {"bias", AS_REAL | OPTIONAL, MEMBER_AT(struct stored, bias)},
 *         {"marks", AS_OBJECT, MEMBER_LIST(struct stored, marks, mark_count), .members = marks},
 *         {0},
 *     };
 *
 * Members are written in the table's order and read in any order. A member that is missing,
 * unknown, repeated, of the wrong kind or out of range is refused with a sentence that names it and
 * says what was found: "cases[0]: stages[1]: 'follows' is 0, not a flag". Thread-safe.
 */
#pragma once

#include "base/choice.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of a value in C, and its form in JSON. */
enum json_kind {
    AS_TEXT = 1, /* char *, allocated; NULL is written as "" */
    AS_LINES,    /* char *, allocated: a list of its lines, each of which ends with a line feed */
    AS_RAW,      /* char *, allocated: any value, as JSON */
    AS_NAME,     /* char []: a text that fits and has no '/' */
    AS_HASH,     /* char [HASH_TEXT]: the digits of a hash; "" means no hash */
    AS_WHOLE,    /* uint16_t, uint32_t or uint64_t, from `least` to `most`; a most of 0: any */
    AS_SIGNED,   /* int32_t */
    AS_INDEX,    /* int32_t, int64_t or uint64_t: 0 or more; nothing is -1 */
    AS_FLAG,     /* bool */
    AS_REAL,     /* double; finite, unless NULLABLE (NAN) or `infinite` is set */
    AS_CODES,    /* uint8_t []: a text of two hexadecimal digits each */
    AS_WORD,     /* an enum or int: the name of that entry of `words` */
    AS_ENTRY,    /* a pointer to an entry of `words`: its name */
    AS_DERIVED,  /* no field: a text computed from the rest of the object, and checked */
    AS_FORMAT,   /* no field: the format's number; writes `most`, reads `least` to `most` */
    AS_SEAL,     /* no field: the checksum that json_seal adds */
    AS_OBJECT,   /* a struct with a table of its own, `members` */
    AS_TUPLE,    /* the same, as a list of values without names */
};

/* How many values a member has. The macros below, as MEMBER_LIST, fill this in. */
enum json_shape {
    SHAPE_ONE,
    SHAPE_FIXED, /* a list as long as an array in the struct, or of one dimension of it */
    SHAPE_SHORT, /* a list in an array of the struct, and a count */
    SHAPE_LIST,  /* a list in allocated memory, and a count */
    SHAPE_MAP,   /* the same as an object; `members` has two rows, for the name and the value. If
                    the member's own name is "", it holds all that the table does not name. */
};

/* Flags, added to a kind: AS_TEXT | OPTIONAL. */
enum {
    OPTIONAL = 0x100, /* left out if empty: "", 0, false, NAN, only zeros, no list, or an object
                         whose first member is empty; read as empty if missing */
    NULLABLE = 0x200, /* may be null: a text that is NULL, a number that is NAN, an index or word
                         that is -1; a hash may be "" */
    LIST_NULLABLE = 0x400, /* may be null: a list that is NULL, or an array of -1 */
    COUNTED = 0x800,       /* has as many entries as an earlier member says or has */
    UNREAD = 0x1000,       /* must be there, with any value */
};

/* An object that is being written or read, for `derive`. */
struct json_place {
    const struct json_place *up; /* the enclosing object; NULL at the top */
    const void *item;
    size_t index; /* in its list */
    const struct json_form *form;
    void *user;
};

struct json_member {
    const char *name;
    unsigned as;
    enum json_shape shape;
    size_t offset, size;      /* of a list, the size of an entry */
    size_t count, count_size; /* offset and size of a list's count */
    unsigned count_up;        /* levels up to the object with the count */
    size_t has; /* offset of a bool: whether the list is present; 0: always */
    uint64_t least, most; /* limits of a number; `most` of a list: its entries, 0: no limit */
    const char *infinite; /* how INFINITY is written; "-" is put before it for -INFINITY */
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
        STYLE_INDENTED, /* a line per value; 17 digits */
        STYLE_SORTED,   /* the same, with the members of each object sorted by name */
        STYLE_LINES,    /* a line per member of nested objects and per entry of their lists; lists
                           of numbers on one line; the shortest digits that read back the same */
    } style;
    bool open;                       /* ignores members that the table does not name */
    char *(*mend)(const char *text); /* makes any text valid UTF-8; NULL: invalid texts fail */
};

/* Returns the text, without a final line feed; the caller frees it. NULL if JSON cannot hold a
 * value: a text that is not UTF-8, a number that is too large or not finite. */
char *json_write(const struct json_form *form, const void *from, void *user);

/* Fills in a struct that is {0}; json_free frees what it allocates, also after a failure. *format
 * is the number in the text, 0 if there is none or the text is not JSON. STATUS_USAGE for another
 * format, STATUS_IO for anything else. */
enum status json_read(const struct json_form *form, const char *text, size_t size, void *to,
                      void *user, int *format);

/* Sets the members of a struct that is {0} to empty: numbers to NAN, texts to "". */
void json_clear(const struct json_member *members, void *item);

/* Frees texts and lists, and sets all members to 0. */
void json_free(const struct json_member *members, void *item);

/* Returns an object's text with a further member, the hash of its first `hashed` bytes; the caller
 * frees it. */
#define JSON_SEAL "xxh3_128"
char *json_seal(const char *text, size_t hashed);

/* Whether the text ends with the right checksum, for texts that were hashed whole. */
bool json_is_sealed(const char *text, size_t size);
