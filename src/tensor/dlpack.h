/* The binary layout in which array libraries hand tensors to each other: DLPack, version 1.
 *
 * Written from the published specification, under its names, so that a debugger and a reader find
 * what they know. The official header may be there too: whichever comes first counts, the other is
 * empty. Fields that are enumerations there are plain numbers here, because what comes from outside
 * may hold any number. */
#ifndef PS_TENSOR_DLPACK_H
#define PS_TENSOR_DLPACK_H

#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

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

enum {
    kDLCPU = 1,
    kDLCUDA = 2,
    kDLCUDAHost = 3 /* memory of the host that a GPU can reach, too */
};

typedef struct DLDevice {
    int32_t device_type;
    int32_t device_id;
} DLDevice;

enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLComplex = 5, kDLBool = 6 };

/* `bits` of one number; of a complex one both parts together. `lanes` is 1 but for vector types. */
typedef struct DLDataType {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
} DLDataType;

/* The first element is `byte_offset` bytes after `data`. Strides count elements; NULL: the elements
 * lie side by side, the last dimension fastest. */
typedef struct DLTensor {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides;
    uint64_t byte_offset;
} DLTensor;

/* Whoever is given this calls the deleter, if there is one, when it is done with the elements. */
struct DLManagedTensorVersioned {
    DLPackVersion version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
};

#endif

/* The official header leaves this one out in C. */
typedef struct DLManagedTensorVersioned DLManagedTensorVersioned;

#endif
