/* DLPack: what goes out, what comes in, when the deleter is called, and structs that lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tensor/dlpack.h"
#include "tensor/tensor.h"

/* The layout that other libraries are compiled with, on machines with 64-bit pointers. */
_Static_assert(offsetof(DLManagedTensorVersioned, manager_ctx) == 8, "manager_ctx");
_Static_assert(offsetof(DLManagedTensorVersioned, deleter) == 16, "deleter");
_Static_assert(offsetof(DLManagedTensorVersioned, flags) == 24, "flags");
_Static_assert(offsetof(DLManagedTensorVersioned, dl_tensor) == 32, "dl_tensor");
_Static_assert(sizeof(DLManagedTensorVersioned) == 80, "DLManagedTensorVersioned");
_Static_assert(offsetof(DLTensor, device) == 8, "device");
_Static_assert(offsetof(DLTensor, ndim) == 16, "ndim");
_Static_assert(offsetof(DLTensor, dtype) == 20, "dtype");
_Static_assert(offsetof(DLTensor, shape) == 24, "shape");
_Static_assert(offsetof(DLTensor, strides) == 32, "strides");
_Static_assert(offsetof(DLTensor, byte_offset) == 40, "byte_offset");

/* ---- a foreign tensor ------------------------------------------------------------------ */

typedef struct foreign {
    DLManagedTensorVersioned managed;
    int deleted; /* how often */
    int64_t shape[40], strides[40];
    _Alignas(64) unsigned char memory[1024];
} foreign;

static void foreign_delete(DLManagedTensorVersioned *managed)
{
    ((foreign *)managed->manager_ctx)->deleted++;
}

/* int32 of shape (4, 6), with strides, 64 bytes into the memory. */
static void foreign_make(foreign *f)
{
    *f = (foreign){.shape = {4, 6}, .strides = {6, 1}};
    for (int i = 0; i < 200; i++)
        memcpy(f->memory + 4 * i, &(int32_t){i}, 4);
    f->managed = (DLManagedTensorVersioned){
        .version = {1, 0},
        .manager_ctx = f,
        .deleter = foreign_delete,
        .dl_tensor = {.data = f->memory,
                      .device = {kDLCPU, 0},
                      .ndim = 2,
                      .dtype = {kDLInt, 32, 1},
                      .shape = f->shape,
                      .strides = f->strides,
                      .byte_offset = 64},
    };
}

static void assert_elements(ps_tensor *tensor, size_t count, const int32_t *expected)
{
    int32_t elements[64];
    assert_int_equal(ps_tensor_count(tensor), count);
    assert_int_equal(ps_tensor_to_host(tensor, elements, sizeof elements), PS_OK);
    assert_memory_equal(elements, expected, count * sizeof elements[0]);
}

/* ---- out ------------------------------------------------------------------------------- */

static const DLDataType types[PS__DTYPES] = {
    {kDLBool, 8, 1},   {kDLInt, 8, 1},      {kDLInt, 16, 1},      {kDLInt, 32, 1},
    {kDLInt, 64, 1},   {kDLUInt, 8, 1},     {kDLUInt, 16, 1},     {kDLUInt, 32, 1},
    {kDLUInt, 64, 1},  {kDLFloat, 16, 1},   {kDLBfloat, 16, 1},   {kDLFloat, 32, 1},
    {kDLFloat, 64, 1}, {kDLComplex, 64, 1}, {kDLComplex, 128, 1},
};

static void check_round_trip(ps_dtype dtype, bool copy)
{
    unsigned char elements[6 * 16], again[6 * 16];
    size_t bytes = 6 * ps_dtype_bytes(dtype);
    for (size_t i = 0; i < sizeof elements; i++)
        elements[i] = (unsigned char)(dtype == PS_BOOL ? i % 2 : 3 * i + 1);
    ps_tensor *tensor, *back;
    DLManagedTensorVersioned *managed;
    assert_int_equal(ps_tensor_from_host(dtype, 2, (int64_t[]){2, 3}, NULL, elements, NULL,
                                         &tensor),
                     PS_OK);
    assert_int_equal(ps_tensor_to_dlpack(tensor, &managed), PS_OK);
    ps_tensor_release(tensor);
    assert_memory_equal(&managed->dl_tensor.dtype, &types[dtype], sizeof types[dtype]);
    assert_int_equal(managed->version.major, 1);
    assert_int_equal(managed->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    assert_int_equal(managed->dl_tensor.device.device_type, kDLCPU);
    assert_int_equal(managed->dl_tensor.ndim, 2);
    assert_memory_equal(managed->dl_tensor.shape, ((int64_t[]){2, 3}), 16);
    assert_memory_equal(managed->dl_tensor.strides, ((int64_t[]){3, 1}), 16);
    const char *data = managed->dl_tensor.data;
    assert_memory_equal(data + managed->dl_tensor.byte_offset, elements, bytes);
    assert_int_equal(ps_tensor_from_dlpack(managed, copy, &back), PS_OK);
    assert_int_equal(ps_tensor_dtype(back), dtype);
    assert_int_equal(ps_tensor_to_host(back, again, sizeof again), PS_OK);
    assert_memory_equal(again, elements, bytes);
    ps_tensor_release(back);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int dtype = 0; dtype < PS__DTYPES; dtype++) {
        check_round_trip((ps_dtype)dtype, false);
        check_round_trip((ps_dtype)dtype, true);
    }
}

/* Every second column from the back, transposed. */
static ps_tensor *make_view(void)
{
    int32_t elements[24];
    for (int i = 0; i < 24; i++)
        elements[i] = i;
    ps_tensor *tensor, *part, *view;
    assert_int_equal(ps_tensor_from_host(PS_INT32, 2, (int64_t[]){4, 6}, NULL, elements, NULL,
                                         &tensor),
                     PS_OK);
    ps_index indices[] = {{PS_INDEX_RANGE, 1, PS_INDEX_NONE, 1},
                          {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -2}};
    assert_int_equal(ps_tensor_index(tensor, indices, 2, &part), PS_OK);
    assert_int_equal(ps_tensor_permute(part, NULL, 0, &view), PS_OK);
    ps_tensor_release(tensor);
    ps_tensor_release(part);
    return view;
}

static const int32_t view_elements[] = {11, 17, 23, 9, 15, 21, 7, 13, 19};

static void test_strided_view(void **state)
{
    (void)state;
    for (int copy = 0; copy < 2; copy++) {
        ps_tensor *back, *view = make_view();
        DLManagedTensorVersioned *managed;
        assert_int_equal(ps_tensor_to_dlpack(view, &managed), PS_OK);
        ps_tensor_release(view);
        assert_memory_equal(managed->dl_tensor.strides, ((int64_t[]){-2, 6}), 16);
        assert_int_equal(*(int32_t *)managed->dl_tensor.data, 11);
        assert_int_equal(ps_tensor_from_dlpack(managed, copy, &back), PS_OK);
        assert_elements(back, 9, view_elements);
        ps_tensor_release(back);
    }
}

static void test_export_pins(void **state)
{
    (void)state;
    ps_tensor *tensor;
    DLManagedTensorVersioned *one, *two;
    assert_int_equal(ps_tensor_from_host(PS_FLOAT32, 0, NULL, NULL, &(float){1}, NULL, &tensor),
                     PS_OK);
    ps__buffer *buffer = tensor->storage->buffer;
    assert_int_equal(ps_tensor_to_dlpack(tensor, &one), PS_OK);
    assert_int_equal(ps_tensor_to_dlpack(tensor, &two), PS_OK);
    assert_int_equal(one->dl_tensor.ndim, 0);
    assert_ptr_equal(one->dl_tensor.data, two->dl_tensor.data);
    assert_int_equal(buffer->pins, 2);
    one->deleter(one);
    assert_int_equal(buffer->pins, 1);
    two->deleter(two);
    assert_int_equal(buffer->pins, 0);
    assert_int_equal(buffer->uses, PS__BUFFER_REFERENCE);
    ps_tensor_release(tensor);
}

static void *delete_there(void *managed)
{
    DLManagedTensorVersioned *m = managed;
    m->deleter(m);
    return NULL;
}

static void test_delete_on_another_thread(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        ps_tensor *view = make_view();
        DLManagedTensorVersioned *managed;
        pthread_t thread;
        assert_int_equal(ps_tensor_to_dlpack(view, &managed), PS_OK);
        assert_int_equal(pthread_create(&thread, NULL, delete_there, managed), 0);
        ps_tensor_release(view);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

static void test_empty(void **state)
{
    (void)state;
    ps_tensor *tensor, *back;
    DLManagedTensorVersioned *managed;
    assert_int_equal(ps_tensor_from_host(PS_INT16, 2, (int64_t[]){0, 3}, NULL, NULL, NULL, &tensor),
                     PS_OK);
    assert_int_equal(ps_tensor_to_dlpack(tensor, &managed), PS_OK);
    ps_tensor_release(tensor);
    assert_int_equal(ps_tensor_from_dlpack(managed, false, &back), PS_OK);
    assert_int_equal(ps_tensor_ndim(back), 2);
    assert_int_equal(ps_tensor_shape(back)[1], 3);
    assert_int_equal(ps_tensor_count(back), 0);
    ps_tensor_release(back);

    foreign f;
    foreign_make(&f);
    f.shape[0] = 0;
    f.strides[1] = INT64_MAX;
    f.managed.dl_tensor.data = NULL;
    assert_int_equal(ps_tensor_from_dlpack(&f.managed, false, &back), PS_OK);
    assert_int_equal(f.deleted, 1);
    ps_tensor_release(back);
    assert_int_equal(f.deleted, 1);
}

/* ---- in -------------------------------------------------------------------------------- */

static void test_copied(void **state)
{
    (void)state;
    foreign f;
    ps_tensor *tensor;
    int32_t expected[24];
    foreign_make(&f);
    memcpy(expected, f.memory + 64, sizeof expected);
    assert_int_equal(ps_tensor_from_dlpack(&f.managed, true, &tensor), PS_OK);
    assert_int_equal(f.deleted, 1);
    memset(f.memory, 0, sizeof f.memory);
    assert_elements(tensor, 24, expected);
    ps_tensor_release(tensor);
    assert_int_equal(f.deleted, 1);
}

static void test_taken_over(void **state)
{
    (void)state;
    foreign f;
    ps_tensor *tensor, *view;
    foreign_make(&f);
    assert_int_equal(ps_tensor_from_dlpack(&f.managed, false, &tensor), PS_OK);
    assert_elements(tensor, 24, (int32_t *)(f.memory + 64));
    ps__buffer *buffer = tensor->storage->buffer;
    assert_ptr_equal(buffer->data, f.memory + 64);
    assert_int_equal(buffer->bytes, 96);
    assert_true(buffer->pins > 0);
    assert_true(tensor->contiguous);
    assert_true(tensor->whole);
    assert_int_equal(ps_tensor_permute(tensor, NULL, 0, &view), PS_OK);
    ps_tensor_release(tensor);
    assert_int_equal(f.deleted, 0);
    ps_tensor_release(view);
    assert_int_equal(f.deleted, 1);
}

/* The cell of a buffer that was pinned for life is an ordinary one afterwards. */
static void test_pin_does_not_stay(void **state)
{
    (void)state;
    foreign f;
    ps_tensor *tensor;
    foreign_make(&f);
    assert_int_equal(ps_tensor_from_dlpack(&f.managed, false, &tensor), PS_OK);
    ps_tensor_release(tensor);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(ps_tensor_from_host(PS_INT8, 0, NULL, NULL, "", NULL, &tensor), PS_OK);
        assert_int_equal(tensor->storage->buffer->pins, 0);
        assert_int_equal(ps__buffer_readers(tensor->storage->buffer), 0);
        assert_null(tensor->storage->buffer->release);
        ps_tensor_release(tensor);
    }
}

static void test_negative_strides(void **state)
{
    (void)state;
    foreign f;
    ps_tensor *tensor;
    foreign_make(&f);
    f.shape[0] = 2, f.shape[1] = 3;
    f.strides[0] = 10, f.strides[1] = -2;
    for (int copy = 1; copy >= 0; copy--) {
        assert_int_equal(ps_tensor_from_dlpack(&f.managed, copy, &tensor), PS_OK);
        assert_elements(tensor, 6, (int32_t[]){16, 14, 12, 26, 24, 22});
        if (!copy) {
            assert_ptr_equal(tensor->storage->buffer->data, f.memory + 48);
            assert_int_equal(tensor->storage->buffer->bytes, 60);
            assert_int_equal(tensor->offset, 4);
        }
        ps_tensor_release(tensor);
    }
    assert_int_equal(f.deleted, 2);
}

static void test_unusual_but_right(void **state)
{
    (void)state;
    foreign f;
    ps_tensor *tensor;
    foreign_make(
        &f); /* no strides, no deleter, memory that a GPU can reach, a later minor version */
    f.managed.dl_tensor.strides = NULL;
    f.managed.deleter = NULL;
    f.managed.dl_tensor.device = (DLDevice){kDLCUDAHost, 3};
    f.managed.version.minor = 99;
    f.managed.flags = ~UINT64_C(0);
    for (int copy = 0; copy < 2; copy++) {
        assert_int_equal(ps_tensor_from_dlpack(&f.managed, copy, &tensor), PS_OK);
        assert_elements(tensor, 24, (int32_t *)(f.memory + 64));
        ps_tensor_release(tensor);
    }
    foreign_make(&f); /* strides that lead nowhere */
    f.shape[0] = 1;
    f.strides[0] = INT64_MIN;
    assert_int_equal(ps_tensor_from_dlpack(&f.managed, false, &tensor), PS_OK);
    assert_elements(tensor, 6, (int32_t[]){16, 17, 18, 19, 20, 21});
    assert_true(ps_tensor_strides(tensor)[0] == 6);
    ps_tensor_release(tensor);
    foreign_make(&f); /* one element many times; shape may be NULL for a single one */
    f.strides[0] = f.strides[1] = 0;
    assert_int_equal(ps_tensor_from_dlpack(&f.managed, false, &tensor), PS_OK);
    assert_int_equal(tensor->storage->buffer->bytes, 4);
    ps_tensor_release(tensor);
    foreign_make(&f);
    f.managed.dl_tensor.ndim = 0;
    f.managed.dl_tensor.shape = f.managed.dl_tensor.strides = NULL;
    assert_int_equal(ps_tensor_from_dlpack(&f.managed, false, &tensor), PS_OK);
    assert_elements(tensor, 1, (int32_t[]){16});
    ps_tensor_release(tensor);
}

/* ---- structs that lie ------------------------------------------------------------------ */

/* Changes one thing about a right struct; returns what the error's text must have, or NULL if there
 * is no such change. */
static const char *spoil(int change, foreign *f, DLTensor *t)
{
    switch (change) {
    case 0:
        f->managed.version = (DLPackVersion){2, 7};
        return "version 2.7";
    case 1:
        f->managed.version.major = 0;
        return "version 0.0";
    case 2:
        t->data = NULL;
        return "data is NULL for shape (4, 6)";
    case 3:
        t->device = (DLDevice){kDLCUDA, 5};
        return "device type 2 (id 5)";
    case 4:
        t->ndim = -3;
        return "-3 dimensions";
    case 5:
        t->ndim = 33;
        return "33 dimensions";
    case 6:
        t->shape = NULL;
        return "shape is NULL";
    case 7:
        t->dtype.lanes = 4;
        return "4 lanes";
    case 8:
        t->dtype.lanes = 0;
        return "0 lanes";
    case 9:
        t->dtype.code = 3;
        return "code 3";
    case 10:
        t->dtype.bits = 24;
        return "24 bits";
    case 11:
        t->byte_offset = UINT64_MAX - 15;
        return "18446744073709551600";
    case 12:
        t->byte_offset = 6;
        return "not a multiple of 4";
    default:
        return NULL;
    }
}

static const char *spoil_dims(int change, foreign *f, DLTensor *t)
{
    switch (change) {
    case 0:
        f->shape[1] = -6;
        return "(4, -6)";
    case 1:
        f->shape[0] = f->shape[1] = INT64_C(1) << 32;
        return "(4294967296, 4294967296)";
    case 2: /* lengths beside a zero */
        t->ndim = 3;
        f->shape[0] = 0;
        f->shape[1] = f->shape[2] = INT64_MAX;
        return "(0, 9223372036854775807, 9223372036854775807)";
    case 3:
        f->strides[0] = INT64_MAX;
        return "9223372036854775807";
    case 4:
        f->strides[1] = INT64_MIN;
        return "-9223372036854775808";
    case 5: /* each fits, their sum does not */
        f->shape[0] = f->shape[1] = 2;
        f->strides[0] = f->strides[1] = INT64_MAX / 2 + 1;
        return "reach too far";
    case 6: /* numbers that fit, but below all addresses */
        f->strides[0] = -(INT64_C(1) << 50);
        return "outside of memory";
    default:
        return NULL;
    }
}

static void check_lie(foreign *f, const char *text, bool copy)
{
    ps_tensor *tensor = NULL;
    assert_int_equal(ps_tensor_from_dlpack(&f->managed, copy, &tensor), PS_ERR_ARGUMENT);
    if (strstr(ps_last_error(), text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", ps_last_error(), text);
    assert_null(tensor);
    assert_int_equal(f->deleted, 0);
}

static void check_lies(const char *(*change)(int, foreign *, DLTensor *))
{
    const char *text;
    foreign f;
    for (int i = 0; foreign_make(&f), (text = change(i, &f, &f.managed.dl_tensor)) != NULL; i++) {
        check_lie(&f, text, false);
        check_lie(&f, text, true);
    }
}

static void test_lies(void **state)
{
    (void)state;
    check_lies(spoil);
    check_lies(spoil_dims);
}

static void test_null(void **state)
{
    (void)state;
    foreign f;
    ps_tensor *tensor;
    DLManagedTensorVersioned *managed;
    foreign_make(&f);
    assert_int_equal(ps_tensor_from_dlpack(NULL, true, &tensor), PS_ERR_ARGUMENT);
    assert_int_equal(ps_tensor_from_dlpack(&f.managed, true, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(ps_tensor_to_dlpack(NULL, &managed), PS_ERR_ARGUMENT);
    assert_int_equal(f.deleted, 0);
}

/* ---- random structs -------------------------------------------------------------------- */

__extension__ typedef __int128 wide;

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static int64_t draw_number(void)
{
    static const int64_t odd[] = {0,
                                  -1,
                                  INT64_MAX,
                                  INT64_MIN,
                                  INT64_C(1) << 31,
                                  INT64_C(1) << 59,
                                  INT64_C(1) << 62,
                                  -(INT64_C(1) << 61),
                                  INT32_MIN,
                                  4096};
    if (draw(12) == 0)
        return odd[draw(sizeof odd / sizeof odd[0])];
    return (int64_t)draw(5) - (draw(6) == 0);
}

static void foreign_draw(foreign *f)
{
    foreign_make(f);
    DLTensor *t = &f->managed.dl_tensor;
    for (int i = 0; i < 40; i++) {
        f->shape[i] = draw_number();
        f->strides[i] = draw_number();
    }
    t->ndim = draw(10) == 0 ? (int32_t)draw_number() : (int32_t)draw(4);
    t->dtype.code = (uint8_t)draw(draw(10) ? 3 : 9);
    t->dtype.bits = (uint8_t)(draw(10) ? 8u << draw(5) : draw(256));
    t->dtype.lanes = draw(20) ? 1 : (uint16_t)draw(3);
    t->byte_offset = draw(10) ? 512 + 16 * draw(4) : (uint64_t)draw_number();
    t->data = draw(20) ? f->memory : (void *)(uintptr_t)draw_number();
    t->strides = draw(5) ? f->strides : NULL;
    t->shape = draw(30) ? f->shape : NULL;
    t->device.device_type = draw(20) ? kDLCPU : (int)draw(5);
    f->managed.version.major = draw(30) ? 1 : (uint32_t)draw(4);
}

typedef enum verdict { WRONG, RIGHT, RIGHT_AND_INSIDE } verdict;

/* What must be said of it, worked out in wider numbers and another way. */
static verdict judge(const foreign *f)
{
    const DLTensor *t = &f->managed.dl_tensor;
    size_t bytes = 0, part = 0;
    for (int i = 0; i < PS__DTYPES; i++)
        if (memcmp(&types[i], &t->dtype, sizeof types[i]) == 0) {
            bytes = ps_dtype_bytes((ps_dtype)i);
            part = t->dtype.code == kDLComplex ? bytes / 2 : bytes;
        }
    if (f->managed.version.major != 1 || bytes == 0 || t->ndim < 0 || t->ndim > 32 ||
        (t->device.device_type != kDLCPU && t->device.device_type != kDLCUDAHost) ||
        (t->ndim > 0 && t->shape == NULL))
        return WRONG;
    wide product = (wide)bytes, low = 0, high = 0, step = 1, limit = (wide)1 << 61;
    bool empty = false;
    for (int i = t->ndim - 1; i >= 0; i--) {
        if (f->shape[i] < 0)
            return WRONG;
        empty |= f->shape[i] == 0;
        product *= f->shape[i] ? f->shape[i] : 1;
        if (product >= (wide)1 << 62)
            return WRONG;
    }
    for (int i = t->ndim - 1; i >= 0 && !empty; i--) {
        wide reach = (wide)(f->shape[i] - 1) * (t->strides ? t->strides[i] : step);
        *(reach < 0 ? &low : &high) += reach;
        step *= f->shape[i];
    }
    if (empty)
        return RIGHT_AND_INSIDE;
    wide first = (wide)(uintptr_t)t->data + (wide)t->byte_offset;
    wide bottom = first + low * (wide)bytes, top = first + (high + 1) * (wide)bytes;
    if (t->data == NULL || first > UINTPTR_MAX || bottom <= 0 || top > UINTPTR_MAX ||
        low < -(limit / (wide)bytes) || high >= limit / (wide)bytes || first % (wide)part != 0)
        return WRONG;
    wide begin = (wide)(uintptr_t)f->memory;
    return bottom >= begin && top <= begin + (wide)sizeof f->memory && product < 1 << 16
               ? RIGHT_AND_INSIDE
               : RIGHT;
}

/* Copies and reads only what lies in the memory that there is. */
static void check_drawn(foreign *f, verdict expected, int counts[3])
{
    ps_tensor *tensor = NULL;
    bool copy = expected != RIGHT && draw(2) == 0;
    ps_status status = ps_tensor_from_dlpack(&f->managed, copy, &tensor);
    counts[expected]++;
    if (expected == WRONG) {
        assert_int_equal(status, PS_ERR_ARGUMENT);
        assert_null(tensor);
        assert_int_equal(f->deleted, 0);
        return;
    }
    assert_int_equal(status, PS_OK);
    assert_int_equal(f->deleted, copy || ps_tensor_count(tensor) == 0);
    if (expected == RIGHT_AND_INSIDE) {
        size_t bytes = (size_t)ps_tensor_count(tensor) * ps_dtype_bytes(ps_tensor_dtype(tensor));
        void *elements = malloc(bytes + 1);
        assert_non_null(elements);
        assert_int_equal(ps_tensor_to_host(tensor, elements, bytes), PS_OK);
        free(elements);
    }
    ps_tensor_release(tensor);
    assert_int_equal(f->deleted, 1);
}

static void test_random(void **state)
{
    (void)state;
    int counts[3] = {0};
    seed = 7;
    for (int i = 0; i < 6000; i++) {
        foreign f;
        foreign_draw(&f);
        check_drawn(&f, judge(&f), counts);
    }
    for (int i = 0; i < 3; i++) /* none of the three is a rare exception */
        assert_true(counts[i] > 100);
}

/* ---- no memory ------------------------------------------------------------------------- */

static void test_import_faults(void **state)
{
    (void)state;
    for (int copy = 0; copy < 2; copy++) {
        foreign f;
        ps_tensor *tensor = NULL;
        ps_status status = PS_ERR_MEMORY;
        foreign_make(&f);
        for (unsigned long n = 1; status != PS_OK; n++) {
            assert_true(n < 100);
            assert_int_equal(f.deleted, 0);
            ps__fault_set(n, false);
            status = ps_tensor_from_dlpack(&f.managed, copy, &tensor);
            ps__fault_set(0, false);
        }
        assert_elements(tensor, 24, (int32_t *)(f.memory + 64));
        ps_tensor_release(tensor);
        assert_int_equal(f.deleted, 1);
    }
}

static void test_export_faults(void **state)
{
    (void)state;
    ps_tensor *view = make_view();
    ps__buffer *buffer = view->storage->buffer;
    DLManagedTensorVersioned *managed = NULL;
    ps__fault_set(1, false);
    assert_int_equal(ps_tensor_to_dlpack(view, &managed), PS_ERR_MEMORY);
    ps__fault_set(0, false);
    assert_null(managed);
    assert_int_equal(buffer->pins, 0);
    assert_int_equal(ps_tensor_to_dlpack(view, &managed), PS_OK);
    managed->deleter(managed);
    ps_tensor_release(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_strided_view),
        cmocka_unit_test(test_export_pins),
        cmocka_unit_test(test_delete_on_another_thread),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_copied),
        cmocka_unit_test(test_taken_over),
        cmocka_unit_test(test_pin_does_not_stay),
        cmocka_unit_test(test_negative_strides),
        cmocka_unit_test(test_unusual_but_right),
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_import_faults),
        cmocka_unit_test(test_export_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
