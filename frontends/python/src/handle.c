/* Tensors handed to other frontends of the process and taken from them, in capsules.
 *
 * A capsule is named "ps_tensor" and holds a counted handle, whose operations may be unfinished. Its
 * context is the default engine of the library that the handle belongs to: a process may have that
 * twice, as a shared library and inside of this module, and a handle of one is nothing to the other. */
#include "core.h"

#define NAME "ps_tensor"

static void destroy(PyObject *capsule)
{
    ps_tensor_release(PyCapsule_GetPointer(capsule, NAME));
}

static PyObject *to_capsule(PyObject *module, PyObject *array)
{
    (void)module;
    if (!pyps_is_array(array))
        return pyps_error(PyExc_TypeError, "_to_capsule: %R is no penstock array", array);
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    ps_status status = ps_tensor_retain(pyps_tensor(array));
    if (status != PS_OK)
        return pyps_raise(pyps_dialect_get(array), status);
    PyObject *capsule = PyCapsule_New(pyps_tensor(array), NAME, destroy);
    if (capsule == NULL)
        ps_tensor_release(pyps_tensor(array));
    else if (PyCapsule_SetContext(capsule, engine) != 0)
        Py_CLEAR(capsule);
    return capsule;
}

static PyObject *from_capsule(PyObject *module, PyObject *capsule)
{
    (void)module;
    if (!PyCapsule_IsValid(capsule, NAME))
        return pyps_error(PyExc_TypeError, "_from_capsule: %R is no capsule \"" NAME "\"", capsule);
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    if (PyCapsule_GetContext(capsule) != engine) {
        PyErr_Clear();
        return pyps_error(PyExc_ValueError, "_from_capsule: the tensor belongs to another copy of "
                                            "the library in this process; DLPack crosses");
    }
    ps_tensor *tensor = PyCapsule_GetPointer(capsule, NAME);
    ps_status status = ps_tensor_retain(tensor);
    return status == PS_OK ? pyps_wrap(&pyps_array_type, pyps_native, tensor)
                           : pyps_raise(NULL, status);
}

int pyps_handle_setup(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"_to_capsule", to_capsule, METH_O,
         "_to_capsule($module, array, /)\n--\n\nThe array's handle, for another frontend."},
        {"_from_capsule", from_capsule, METH_O,
         "_from_capsule($module, capsule, /)\n--\n\nAn array of another frontend's handle."},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddFunctions(module, functions);
}
