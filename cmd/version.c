#include "cmd/version.h"

#include "base/ranks/ranks.h"
#include "render/gl/context.h"
#include "render/picture/png_pdf.h"
#include "render/video/codecs.h"

enum { TEXT_MAX = 1024 };

void version_print(FILE *file)
{
    char libav[TEXT_MAX], png[TEXT_MAX], gl[TEXT_MAX];
    video_libraries(libav, sizeof libav);
    png_file_libraries(png, sizeof png);
    gl_context_describe(gl, sizeof gl);
    fprintf(file, "gravreel %s\n", GRAVREEL_VERSION);
    fprintf(file, "commit     %s\n", version_commit);
    fprintf(file, "CUDA       %s\n", GRAVREEL_CUDA_BUILT);
    fprintf(file, "MPI        %s\n", *ranks_library() ? ranks_library() : "not built in");
    fprintf(file, "encoding   %s, %s\n", libav, png);
    fprintf(file, "drawing    %s\n", gl);
    fputs("`gravreel doctor` tries the devices, the drawing and the encoders.\n", file);
}
