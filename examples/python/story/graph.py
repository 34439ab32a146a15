"""The picture of a dependency graph, from the events of a trace.

Each operation that was queued is a box in the column after those that it follows.
"""

import linecache

from svg import Canvas, text_width

BOX_HEIGHT, GAP_X, GAP_Y, LEFT, TOP = 76, 70, 28, 30, 84


class Node:
    def __init__(self, number, event):
        self.number = number  # in the order of queueing, from 1
        self.task, self.name = event.task, event.name
        self.code = source(event.place)
        self.follows = []
        self.column = self.row = 0


def source(place):
    """The text of the line that queued an operation."""
    return linecache.getline(place[0], place[1]).strip() if place else ""


def nodes_of(events):
    """The operations in the order of queueing, with those that they follow."""
    queued = [event for event in events if event.kind == "queued"]
    nodes = {event.task: Node(i + 1, event) for i, event in enumerate(queued)}
    for event in events:
        if event.kind == "depends" and event.task in nodes and event.other in nodes:
            before = nodes[event.other]
            if before not in nodes[event.task].follows:
                nodes[event.task].follows.append(before)
    return list(nodes.values())


def place_nodes(nodes):
    """Columns and rows; returns how many rows there are. What is followed was queued before."""
    filled = {}
    for node in nodes:
        node.column = 1 + max((before.column for before in node.follows), default=-1)
        node.row = filled.get(node.column, 0)
        filled[node.column] = node.row + 1
    most = max(filled.values(), default=1)
    for node in nodes:  # short columns in the middle
        node.row += (most - filled[node.column]) / 2
    return most


def box_width(nodes):
    texts = [text_width(node.code, 12, code=True) for node in nodes]
    return max([*texts, 120]) + 28


def draw_node(canvas, node, x, y, width):
    canvas.rect(x, y, width, BOX_HEIGHT, "box", radius=8, tip=f"task {node.task}")
    canvas.text(x + 14, y + 24, node.name or "?", "strong")
    canvas.text(x + width - 14, y + 24, f"no. {node.number}", "quiet", "end")
    canvas.text(x + 14, y + 46, node.code, "code")
    after = ", ".join(str(before.number) for before in node.follows)
    canvas.text(x + 14, y + 65, f"after no. {after}" if after else "needs nothing", "quiet")


def draw(events, title, note):
    nodes = nodes_of(events)
    rows = place_nodes(nodes)
    columns = 1 + max((node.column for node in nodes), default=0)
    width = box_width(nodes)
    right = LEFT + columns * (width + GAP_X) - GAP_X
    bottom = TOP + rows * (BOX_HEIGHT + GAP_Y) - GAP_Y
    across = round(max(right + LEFT, text_width(note, 12) + 2 * LEFT, 620))
    canvas = Canvas(across, bottom + 62, title, note)
    canvas.text(LEFT, 34, title, "title")
    canvas.text(LEFT, 57, note, "quiet")

    def corner(node):
        return LEFT + node.column * (width + GAP_X), TOP + node.row * (BOX_HEIGHT + GAP_Y)

    for node in nodes:
        x, y = corner(node)
        for before in node.follows:
            from_x, from_y = corner(before)
            canvas.arrow(from_x + width, from_y + BOX_HEIGHT / 2, x, y + BOX_HEIGHT / 2)
    for node in nodes:
        draw_node(canvas, node, *corner(node), width)
    draw_legend(canvas, bottom + 42)
    return canvas


def draw_legend(canvas, y):
    canvas.rect(LEFT, y - 12, 26, 16, "box", radius=4)
    canvas.text(LEFT + 36, y, "operation, and the line that queued it", "quiet")
    x = LEFT + 330
    canvas.arrow(x, y - 4, x + 40, y - 4)
    canvas.text(x + 50, y, "must be complete before", "quiet")
