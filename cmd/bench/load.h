/* Whether others used the machine while something was measured. For one thread. */
#ifndef CMD_BENCH_LOAD_H
#define CMD_BENCH_LOAD_H

#include "base/load.h"

/* True, with a sentence, when others used so much since `*since` that figures are not to be
 * believed, also where processors were idle. Moves it to now; zeros only begin. */
bool bench_load_note(struct load *since, char *note, size_t size);

#endif
