/* A terminal in place of standard error, and its content. */
#pragma once

/* Set-up and tear-down of a group of tests; 80 columns. */
int terminal_open(void **state);
int terminal_close(void **state);

void terminal_resize(unsigned short columns);

/* What has been written since the last call, "" if nothing; valid until the next call. */
const char *terminal_shown(void);
