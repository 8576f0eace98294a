/* Numbers as text. Pure, thread-safe. */
#ifndef SCENES_NUMBER_H
#define SCENES_NUMBER_H

enum { NUMBER_TEXT_MAX = 40 };

/* The shortest decimal text that reads back as exactly this number. */
void number_print(double value, char out[NUMBER_TEXT_MAX]);

#endif
