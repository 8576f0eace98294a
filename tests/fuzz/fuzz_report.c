/* Reports, as `baseline --accept` reads them. */
#include "tests/fuzz/target.h"

#include "base/file.h"
#include "cmd/regression/report/report_json.h"
#include "tests/support/films/report_fixture.h"
#include "tests/support/films/sink_fixture.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct report report;
    if (report_read_json(&report, fuzz_file(data, size)) == STATUS_OK)
        fuzz_promise(report.case_count == 0 || report.cases != NULL, "cases are there");
    report_free(&report);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    char *folder = fixture_folder();
    for (uint32_t kind = 0; kind <= FIXTURE_KINDS; kind++) {
        struct report report;
        char *bytes;
        size_t size;
        const struct report_fixture fixture = {.cases = kind ? 1 : 3, .only = kind};
        report_fixture_make(&report, &fixture);
        const char *path = fixture_path(folder, "report.json");
        if (report_write_json(&report, path) == STATUS_OK &&
            file_read(path, 1 << 24, &bytes, &size) == STATUS_OK) {
            take(user, bytes, size);
            free(bytes);
        }
        report_free(&report);
    }
    fixture_remove_folder(folder);
}
