"""Statements that are spelt alike in every library: small arrays, where the call is the cost."""

STATEMENTS = {
    "wait": "y = x + 1",
    "queue": "for _ in range(burst): y = x + 1",
    "kept": "y = [x + 1 for _ in range(burst)]",
    "grow": "y = x\nfor _ in range(burst): y = y + 1",
    "many_index": "for _ in range(burst): y = x[0]",
    "many_slice": "for _ in range(burst): y = x[1:2]",
    "many_sum": "for _ in range(burst): y = x.sum()",
    "many_exp": "for _ in range(burst): y = exp(x)",
    "item": "y = x.item()",
    "add_item": "y = (x + 1).item()",
}
