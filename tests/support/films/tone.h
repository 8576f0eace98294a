/* Audio files with one thing to hear, and where it is heard in a film. For tests only. */
#pragma once

#include <stdbool.h>

/* `seconds` of silence but for a tone of 50 ms that begins at `at`: .wav is PCM, .m4a AAC, .flac
 * FLAC. Tagged "title=Song". False where this libav cannot. */
bool tone_write(const char *path, double seconds, double at);

/* When the tone begins and all sound ends in a film or audio file, decoded as a player does;
 * *found false: there is no sound. */
struct tone {
    bool found;
    double at, end;
    char codec[32];
};
struct tone tone_find(const char *path);
