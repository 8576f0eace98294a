/* Whether a text is well-formed XML, or HTML written as strictly: every element is closed in order,
 * every attribute quoted and once, every '<' and '&' escaped, no character that XML forbids. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The start of an element, as written; valid during the call. */
struct markup_element {
    const char *name, *attributes;
    size_t name_length, attributes_length;
};

/* Fails the test with the place unless the text is well-formed. html: void elements have no end,
 * and what is in script and style is not looked at. `seen` may be NULL. */
void markup_check(const char *text, bool html,
                  void (*seen)(void *user, const struct markup_element *element), void *user);

/* Copies the value of an attribute of the element as it is written; false: it has none. */
bool markup_attribute(const struct markup_element *element, const char *name, char *out,
                      size_t size);
