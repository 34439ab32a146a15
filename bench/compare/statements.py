"""Statements in Python that bench-compare measures beside those of the other benchmarks: results
into arrays that are there (out=), indexing, chains of large arrays.

A row is named KIND.SHAPE; its statement sees `x` and `z` of that shape, `i`, half as many positions
along the first axis, `mask`, and for the result `out` and `number`."""

# Kind: the statement, and whether it is run many times before a wait, its value being for one of
# them. Others bind `y`, which is waited for each time; None: nothing to wait for.
KINDS = {
    "chain": ("y = ps.nn.relu(x * x + 2) * 0.5 - x; y = ps.exp(y * 0.01) + x", False),
    "add_out": ("y = ps.add(x, z, out=out)", False),
    "many_add_out": ("ps.add(x, z, out=out)", True),
    "many_add_out_number": ("ps.add(x, 1, out=out)", True),
    "exp_out": ("y = ps.exp(x, out=out)", False),
    "matmul_out": ("y = ps.matmul(x, z, out=out)", False),
    "many_matmul_out": ("ps.matmul(x, z, out=out)", True),
    "sum_out": ("y = ps.sum(x, out=number)", False),
    "many_sum_out": ("ps.sum(x, out=number)", True),
    "many_add": ("x + z", True),
    "many_iadd": ("box[0] += 1", True),
    "many_sum": ("ps.sum(x)", True),
    "many_dot": ("ps.dot(x, z)", True),
    "many_where": ("ps.where(mask, x, z)", True),
    "many_reshape": ("x.reshape((-1,))", True),
    "many_take": ("ps.take(x, i, axis=0)", True),
    "take": ("y = ps.take(x, i, axis=0)", False),
    "many_index_array": ("x[i]", True),
    "index_array": ("y = x[i]", False),
    "many_put_number": ("x[0] = 1.5", True),
    "many_put_slice": ("x[:1] = z[:1]", True),
    "many_put_array": ("x[i] = 1.5", True),
    "put_array": ("x[i] = 1.5; y = x", False),
    "put_mask": ("x[mask] = 1.5; y = x", False),
    "two_places": ("f(); g()", True),
    "array": ("y = ps.array([1.5, 2.5])", False),
    "asnumpy": ("x.asnumpy()", None),
}
SMALL, MATRIX, SQUARE = "2", "2x2", "1000x1000"
ROWS = [
    *(f"chain.{n}x{n}" for n in (1000, 2000, 4000)),
    f"many_add_out.{SMALL}", f"many_add_out_number.{SMALL}", f"add_out.{SQUARE}",
    "add_out.4000x4000", f"exp_out.{SQUARE}",
    f"many_matmul_out.{MATRIX}", "matmul_out.256x256",
    f"many_sum_out.{SMALL}", f"sum_out.{SQUARE}",
    f"many_add.{SMALL}", f"many_iadd.{SMALL}", f"many_sum.{SMALL}", f"many_dot.{MATRIX}",
    f"many_where.{SMALL}", f"many_reshape.{MATRIX}",
    f"many_take.{SMALL}", f"take.{SQUARE}",
    f"many_index_array.{SMALL}", f"index_array.{SQUARE}",
    f"many_put_number.{SMALL}", f"many_put_slice.{SMALL}", f"many_put_array.{SMALL}",
    f"put_array.{SQUARE}", f"put_mask.{SQUARE}",
    f"two_places.{SMALL}", f"array.{SMALL}", f"asnumpy.{SMALL}",
]
