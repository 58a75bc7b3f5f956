/* The kernel's clock functions in the program's memory (vDSO): each becomes the system call, which traps. Some are found
 * by other ways than by symbol: the C library uses them inside, and other runtimes look for them themselves. */
#include "together.h"
#include <elf.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
static const struct { const char *name; int nr; } functions[] = {
    {"__vdso_clock_gettime", SYS_clock_gettime}, {"__vdso_gettimeofday", SYS_gettimeofday}, {"__vdso_time", SYS_time},
    {"__vdso_getcpu", SYS_getcpu}, {"__vdso_getrandom", SYS_getrandom},
};

static void write_call(char *at, int nr) {
    char *page = (char *)((uint64_t)at & ~(uint64_t)(PAGE - 1));
    long size = at + 8 > page + PAGE ? 2 * PAGE : PAGE;
    if (sys(SYS_mprotect, page, size, PROT_READ | PROT_WRITE | PROT_EXEC, 0, 0, 0) < 0) return;
    at[0] = (char)0xb8; /* mov nr,%eax; syscall; ret */
    memcpy(at + 1, &nr, 4);
    memcpy(at + 5, "\x0f\x05\xc3", 3);
    sys(SYS_mprotect, page, size, PROT_READ | PROT_EXEC, 0, 0, 0);
}

void trap_kernel_functions(const char *image) {
    const Elf64_Ehdr *head = (const void *)image;
    const Elf64_Phdr *parts = (const void *)(image + head->e_phoff);
    const Elf64_Dyn *entry = NULL;
    const char *names = NULL, *base = image;
    const Elf64_Sym *symbols = NULL;
    const uint32_t *hash = NULL;
    for (int i = 0; i < head->e_phnum; i++) {
        if (parts[i].p_type == PT_LOAD && !parts[i].p_offset) base = image - parts[i].p_vaddr;
        if (parts[i].p_type == PT_DYNAMIC) entry = (const void *)(image + parts[i].p_offset);
    }
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB) names = base + entry->d_un.d_ptr;
        if (entry->d_tag == DT_SYMTAB) symbols = (const void *)(base + entry->d_un.d_ptr);
        if (entry->d_tag == DT_HASH) hash = (const void *)(base + entry->d_un.d_ptr);
    }
    if (!names || !symbols) return;
    /* without a table of old style, which tells how many there are, the names follow the symbols */
    int count = hash ? (int)hash[1] : (int)((const Elf64_Sym *)names - symbols);
    for (int i = 0; i < count; i++)
        for (unsigned k = 0; k < sizeof functions / sizeof functions[0]; k++)
            if (symbols[i].st_shndx && strcmp(names + symbols[i].st_name, functions[k].name) == 0)
                write_call((char *)base + symbols[i].st_value, functions[k].nr);
}
