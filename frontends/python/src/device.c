/* Devices by their names. */
#include "core.h"

/* A dialect's own objects for devices have the library's name in an attribute. */
static PyObject *name_of(PyObject *object)
{
    static PyObject *attribute; /* interned at the first call */
    if (attribute == NULL)
        attribute = PyUnicode_InternFromString("penstock_device");
    PyObject *name = attribute != NULL ? PyObject_GetAttr(object, attribute) : NULL;
    if (name != NULL && PyUnicode_Check(name))
        return name;
    Py_XDECREF(name);
    return pyps_error(PyExc_TypeError, "a device must be a str such as 'cpu', not %R", object);
}

int pyps_device_parse(PyObject *object, ps_device **device)
{
    *device = NULL;
    if (object == Py_None)
        return 0;
    PyObject *named = PyUnicode_Check(object) ? Py_NewRef(object) : name_of(object);
    const char *name = named != NULL ? PyUnicode_AsUTF8(named) : NULL;
    ps_status status = name != NULL ? ps_device_find(name, device) : PS_OK;
    if (status != PS_OK)
        pyps_raise(NULL, status);
    Py_XDECREF(named);
    return name != NULL && status == PS_OK ? 0 : -1;
}
