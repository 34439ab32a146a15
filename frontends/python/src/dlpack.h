/* The binary layout in which array libraries hand tensors to each other: DLPack.
 *
 * Written from the published specification, under its names; the older struct without a version is
 * the one that capsules named "dltensor" hold. Fields that are enumerations there are plain numbers
 * here, because what comes from outside may hold any number. */
#ifndef PENSTOCK_PYTHON_DLPACK_H
#define PENSTOCK_PYTHON_DLPACK_H

#include <stdint.h>

#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 0

#define DLPACK_FLAG_BITMASK_READ_ONLY (UINT64_C(1) << 0)
#define DLPACK_FLAG_BITMASK_IS_COPIED (UINT64_C(1) << 1)

/* Another major version is another layout, but for this struct and the deleter. */
typedef struct DLPackVersion {
    uint32_t major;
    uint32_t minor;
} DLPackVersion;

enum { kDLCPU = 1, kDLCUDAHost = 3 };

typedef struct DLDevice {
    int32_t device_type;
    int32_t device_id;
} DLDevice;

enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLComplex = 5, kDLBool = 6 };

/* `bits` of one number; of a complex one both parts together. */
typedef struct DLDataType {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
} DLDataType;

/* The first element is `byte_offset` bytes after `data`. Strides count elements; NULL: side by side,
 * the last dimension fastest. */
typedef struct DLTensor {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides;
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
    DLPackVersion version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
} DLManagedTensorVersioned;

#endif
