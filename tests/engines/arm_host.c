/* Runs kernels on an Arm for arm.py. Requests come on standard input, all integers are 64 bits:

     size of the path, path of a shared object with `run`
     number of words, the argument block
     number of buffers, and for each: the word with its address, its size, its bytes

   The answer is the argument block as it is now, and the bytes of all buffers. Ends with status 3 if `run` changes FPCR. */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t fpcr(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return value;
}

static void take(void *to, size_t size)
{
    if (size && fread(to, 1, size, stdin) != size)
        exit(feof(stdin) ? 0 : 2);
}

static uint64_t number(void)
{
    uint64_t value;
    take(&value, sizeof value);
    return value;
}

int main(void)
{
    for (;;) {
        uint64_t size = number();
        char *path = calloc(size + 1, 1);
        take(path, size);
        uint64_t count = number();
        uint64_t *words = calloc(count, 8), *given = calloc(count, 8);
        take(given, count * 8);
        for (uint64_t i = 0; i < count; i++)
            words[i] = given[i];
        uint64_t buffers = number();
        void **at = calloc(buffers, sizeof *at);
        uint64_t *slots = calloc(buffers, 8), *sizes = calloc(buffers, 8);
        for (uint64_t i = 0; i < buffers; i++) {
            slots[i] = number();
            sizes[i] = number();
            at[i] = malloc(sizes[i] + 1);
            take(at[i], sizes[i]);
            words[slots[i]] = (uint64_t)at[i];
        }
        void *object = dlopen(path, RTLD_NOW);
        if (!object) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        void (*run)(void *) = (void (*)(void *))dlsym(object, "run");
        uint64_t before = fpcr();
        run(words);
        if (fpcr() != before)
            return 3;
        for (uint64_t i = 0; i < buffers; i++)
            words[slots[i]] = given[slots[i]];
        fwrite(words, 8, count, stdout);
        for (uint64_t i = 0; i < buffers; i++) {
            fwrite(at[i], 1, sizes[i], stdout);
            free(at[i]);
        }
        fflush(stdout);
        dlclose(object);
        free(path), free(words), free(given), free(at), free(slots), free(sizes);
    }
}
