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

/* The device of a str. The last one that was found is remembered: programs mostly name one device, by
 * one object. Devices stay. */
static int find_device(PyObject *named, ps_device **device)
{
    static PyObject *last_name; /* with the interpreter's lock held */
    static ps_device *last_device;
    if (PYPS_LIKELY(named == last_name)) {
        *device = last_device;
        return 0;
    }
    const char *name = PyUnicode_AsUTF8(named);
    ps_status status = name != NULL ? ps_device_find(name, device) : PS_OK;
    if (status != PS_OK)
        pyps_raise(NULL, status);
    if (name == NULL || status != PS_OK)
        return -1;
    if (PyUnicode_CheckExact(named)) {
        Py_XSETREF(last_name, Py_NewRef(named));
        last_device = *device;
    }
    return 0;
}

int pyps_device_parse(PyObject *object, ps_device **device)
{
    *device = NULL;
    if (object == Py_None)
        return 0;
    if (PyUnicode_Check(object))
        return find_device(object, device);
    PyObject *named = name_of(object);
    int status = named != NULL ? find_device(named, device) : -1;
    Py_XDECREF(named);
    return status;
}
