#include "render/reader/encoder_name.h"

#include <string.h>

void encoder_name_find(const uint8_t *data, size_t size, char name[ENCODER_NAME_MAX])
{
    static const char *const marks[] = {"x264 - core ", "x265 (build "};
    for (size_t m = 0; m < sizeof marks / sizeof marks[0] && data && !*name; m++) {
        const uint8_t *at = memmem(data, size, marks[m], strlen(marks[m]));
        size_t length = 0;
        const size_t room = at ? size - (size_t)(at - data) : 0;
        while (length < room && length < ENCODER_NAME_MAX - 1 && at[length] >= ' ' &&
               at[length] < 127 && !(length > 2 && memcmp(at + length - 2, " - H", 4) == 0))
            length++;
        while (length > 0 && strchr(" -", at[length - 1]))
            length--;
        if (at) {
            memcpy(name, at, length);
            name[length] = '\0';
        }
    }
}
