/* Assembles the sources that are named on standard input, a path a line, with the D3DAssemble of the d3dcompiler_47 that is there (Wine's).
   Beside each source: PATH.words with the bytes of the shader, or PATH.refused with the messages. For tests/conformance/direct3d9_wine.py. */
#include <windows.h>
#include <stdio.h>
#include <string.h>

typedef struct Blob Blob;
struct Blob {
    struct {
        HRESULT(WINAPI *query)(Blob *, const GUID *, void **);
        ULONG(WINAPI *add)(Blob *);
        ULONG(WINAPI *release)(Blob *);
        void *(WINAPI *pointer)(Blob *);
        SIZE_T(WINAPI *size)(Blob *);
    } *is;
};
typedef HRESULT(WINAPI *Assemble)(const void *, SIZE_T, const char *, const void *, void *, UINT, Blob **, Blob **);

static char text[1 << 20];

static void keep(const char *path, const char *suffix, Blob *blob)
{
    char name[1100];
    FILE *file;
    snprintf(name, sizeof name, "%s.%s", path, suffix);
    file = fopen(name, "wb");
    if (file && blob)
        fwrite(blob->is->pointer(blob), 1, blob->is->size(blob), file);
    if (file)
        fclose(file);
}

int main(void)
{
    HMODULE library = LoadLibraryA("d3dcompiler_47.dll");
    Assemble assemble = library ? (Assemble)(void *)GetProcAddress(library, "D3DAssemble") : NULL;
    char path[1024];
    if (!assemble) {
        fprintf(stderr, "no D3DAssemble in d3dcompiler_47.dll\n");
        return 2;
    }
    while (fgets(path, sizeof path, stdin)) {
        Blob *shader = NULL, *messages = NULL;
        size_t size;
        FILE *file;
        path[strcspn(path, "\r\n")] = 0;
        file = fopen(path, "rb");
        if (!file)
            return 3;
        size = fread(text, 1, sizeof text, file);
        fclose(file);
        if (assemble(text, size, NULL, NULL, NULL, 0, &shader, &messages) >= 0 && shader)
            keep(path, "words", shader);
        else
            keep(path, "refused", messages);
        if (shader)
            shader->is->release(shader);
        if (messages)
            messages->is->release(messages);
    }
    return 0;
}
