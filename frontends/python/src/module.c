/* penstock._core: the module's parts put together. */
#include "core.h"

static int refuse_other_interpreters(void)
{
    if (PyInterpreterState_Get() == PyInterpreterState_Main())
        return 0;
    PyErr_SetString(PyExc_ImportError, "penstock works in the main interpreter only: its queue and "
                                       "threads belong to the process");
    return -1;
}

static int execute(PyObject *module)
{
    static int (*const setups[])(PyObject *) = {
        pyps_thread_setup,   pyps_location_setup,  pyps_dtype_setup,     pyps_array_setup,
        pyps_dialect_setup,  pyps_functions_setup, pyps_operators_setup, pyps_import_setup,
        pyps_export_setup,   pyps_dlpack_setup,    pyps_engine_setup,    pyps_random_setup,
        pyps_methods_setup,  pyps_blas_setup,      pyps_files_setup,     pyps_handle_setup,
        pyps_autograd_setup, pyps_custom_setup,    pyps_hook_setup,      pyps_safetensors_setup,
        pyps_update_setup,
    };
    if (refuse_other_interpreters() != 0 || PyType_Ready(&pyps_array_type) != 0)
        return -1;
    for (size_t i = 0; i < PYPS_COUNT(setups); i++)
        if (setups[i](module) != 0)
            return -1;
    return PyModule_AddStringConstant(module, "__version__", ps_version());
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, execute},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030D0000
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "penstock._core",
    .m_doc = "The part of Penstock's Python frontend that is written in C.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
