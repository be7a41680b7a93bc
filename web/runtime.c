/* What compiled rules need of a runtime, in WebAssembly, beside the mathematics of a C library.

numba's code calls NRT_* for arrays that a function allocates; PyErr_SetString belongs to errors
that no entry raises. `room` hands out memory for the caller's arrays, which is never given back. */

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned long size_t;

#define PAGE 65536u

extern unsigned char __heap_base;
static size_t top;

/* More memory, 64-byte aligned, at the end of what is in use. */
static void *more(size_t size)
{
    if (!top)
        top = ((size_t)&__heap_base + 63) & ~(size_t)63;
    size_t at = top;
    top += (size + 63) & ~(size_t)63;
    size_t pages = (top + PAGE - 1) / PAGE, have = __builtin_wasm_memory_size(0);
    if (pages > have && __builtin_wasm_memory_grow(0, pages - have) == (size_t)-1)
        __builtin_trap();
    return (void *)at;
}

__attribute__((export_name("room"))) void *room(size_t size) { return more(size); }

/* ---- blocks that are freed: of 2^k bytes, with a list of free ones for each k ------------- */
#define HEADER 64
#define CLASSES 32
static void *unused[CLASSES];
static unsigned live;

static void *take(i64 size)
{
    unsigned k = 7;
    while ((1ll << k) < size + HEADER)
        k++;
    void **block = unused[k];
    if (block)
        unused[k] = *block;
    else
        block = more((size_t)1 << k);
    ((unsigned *)block)[1] = k;
    live++;
    return (unsigned char *)block + HEADER;
}

static void give(void *data)
{
    void **block = (void **)((unsigned char *)data - HEADER);
    unsigned k = ((unsigned *)block)[1];
    *block = unused[k];
    unused[k] = block;
    live--;
}

/* How many blocks are in use; 0 between calls, or something leaks. */
__attribute__((export_name("live"))) unsigned live_blocks(void) { return live; }

/* numba's record of an allocation; it lies in front of the data. */
struct meminfo {
    u64 references;
    void *destructor, *destructor_info, *data;
    u64 size;
};

void *NRT_MemInfo_alloc_aligned(i64 size, int align)
{
    struct meminfo *info = take(size + HEADER);
    info->references = 1;
    info->destructor = info->destructor_info = 0;
    info->data = (unsigned char *)info + HEADER;
    info->size = size;
    return info;
}
void *NRT_MemInfo_alloc(i64 size) { return NRT_MemInfo_alloc_aligned(size, 16); }
__attribute__((export_name("release"))) void NRT_MemInfo_call_dtor(void *info) { give(info); }
void *NRT_Allocate(i64 size) { return take(size); }
void NRT_Free(void *data) { give(data); }

/* ---- errors: no entry raises any, so one is a fault -------------------------------------- */
void PyErr_SetString(void *kind, void *text) { __builtin_trap(); }
char PyExc_RuntimeError[4], PyExc_MemoryError[4], PyExc_ValueError[4];

/* ---- reshaping: of arrays without gaps, in C's order; 0 = not possible ----------------------- */
int numba_attempt_nocopy_reshape(i64 n, const i64 *shape, const i64 *strides, i64 new_n,
                                 const i64 *new_shape, i64 *new_strides, i64 size, int fortran)
{
    i64 step = size;
    for (i64 k = n - 1; k >= 0; step *= shape[k--])
        if (shape[k] != 1 && strides[k] != step)
            return 0;
    step = size;
    for (i64 k = new_n - 1; k >= 0; step *= new_shape[k--])
        new_strides[k] = step;
    return !fortran;
}

/* ---- one thread: nobody to wait for ------------------------------------------------------- */
int give_way(void) { return 0; }
