/* Devices by their names. */
#include "core.h"

int pyps_device_parse(PyObject *object, ps_device **device)
{
    *device = NULL;
    if (object == Py_None)
        return 0;
    const char *name = PyUnicode_Check(object) ? PyUnicode_AsUTF8(object) : NULL;
    if (name == NULL) {
        if (!PyErr_Occurred())
            pyps_error(PyExc_TypeError, "a device must be a str such as 'cpu', not %R", object);
        return -1;
    }
    ps_status status = ps_device_find(name, device);
    if (status != PS_OK)
        pyps_raise(NULL, status);
    return status == PS_OK ? 0 : -1;
}
