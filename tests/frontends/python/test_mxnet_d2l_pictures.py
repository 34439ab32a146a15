"""What the book's library draws: our arrays go into matplotlib, without a screen."""

import numpy
import pytest


def test_lines(d2l):
    d2l.set_figsize((5, 4))
    assert d2l.plt.rcParams["figure.figsize"] == [5, 4]
    d2l.use_svg_display()
    x = d2l.np.arange(1, 4)
    d2l.plot([x], [x * x], "x", "y", xlim=[0, 5], yscale="log")
    axes = d2l.plt.gca()
    assert axes.lines[0].get_xydata().tolist() == [[1, 1], [2, 4], [3, 9]]
    assert (axes.get_xlabel(), axes.get_xlim(), axes.get_yscale()) == ("x", (0, 5), "log")
    d2l.set_axes(axes, "a", "b", [0, 1], [2, 3], "linear", "linear", ["one"])
    assert (axes.get_ylabel(), axes.get_ylim()) == ("b", (2, 3))
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["one"]


def test_board(d2l):
    """Two points of each line are one point of the picture."""
    board = d2l.ProgressBoard("x", ylim=[0, 9])
    for x in range(4):
        board.draw(x, d2l.np.array(2.0 * x), "line", every_n=2)
    assert [(p.x, float(p.y)) for p in board.data["line"]] == [(0.5, 1), (2.5, 5)]
    axes = board.fig.axes[0]
    assert axes.get_xlabel() == "x" and axes.get_ylim() == (0, 9)
    assert axes.lines[-1].get_xydata().tolist() == [[0.5, 1], [2.5, 5]]


def test_animation(d2l):
    animator = d2l.Animator("epoch", legend=["a", "b"], xlim=[0, 3])
    animator.add(1, (d2l.np.array(0.5), None))
    animator.add(2, (0.25, 4))
    first, second = animator.axes[0].lines
    assert first.get_xydata().tolist() == [[1, 0.5], [2, 0.25]]
    assert second.get_xydata().tolist() == [[2, 4]]
    assert len(animator.axes[0].get_legend().get_texts()) == 2


def test_pictures_in_rows(d2l):
    pictures = d2l.np.arange(24).reshape(6, 2, 2)
    axes = d2l.show_images(pictures, 2, 3, titles=list("abcdef"))
    assert [axis.get_title() for axis in axes] == list("abcdef")
    assert axes[5].images[0].get_array().tolist() == [[20, 21], [22, 23]]


def test_heat(d2l):
    d2l.show_heatmaps(d2l.np.eye(3).reshape(1, 1, 3, 3), "keys", "queries", titles=["t"])
    axes = d2l.plt.gcf().axes[0]
    assert axes.images[0].get_array().tolist() == numpy.eye(3).tolist()
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title()) == ("keys", "queries", "t")


def test_lengths(d2l):
    d2l.show_list_len_pair_hist(["a", "b"], "length", "count", [[1], [1, 2]], [[1, 2], [1, 2]])
    axes = d2l.plt.gca()
    counts = [sum(bar.get_height() for bar in bars) for bars in axes.containers]
    assert counts == [2, 2] and axes.get_xlabel() == "length"
    assert {bar.get_hatch() for bar in axes.containers[1]} == {"/"}


def test_arrow(d2l):
    d2l.annotate("here", (1, 2), (3, 4))
    (note,) = d2l.plt.gca().texts
    assert (note.get_text(), note.xy, note.xyann) == ("here", (1, 2), (3, 4))


@pytest.mark.parametrize("own_gradient", [True, False])
def test_way_down(d2l, own_gradient, capsys):
    """x1^2 + 2 x2^2 from (-5, -2): each step takes a fifth of x1, two fifths of x2."""

    def gradient(x1, x2):
        return 2 * x1, 4 * x2

    def down(x1, x2, s1, s2, f_grad=gradient):
        g1, g2 = f_grad(x1, x2)
        return x1 - 0.1 * g1, x2 - 0.1 * g2, 0, 0

    way = d2l.train_2d(down, 3, gradient if own_gradient else None)
    numpy.testing.assert_allclose(way[-1], (-5 * 0.8**3, -2 * 0.6**3))
    assert capsys.readouterr().out == "epoch 3, x1: -2.560000, x2: -0.432000\n"
    d2l.show_trace_2d(lambda x1, x2: x1**2 + 2 * x2**2, way)
    axes = d2l.plt.gca()
    numpy.testing.assert_allclose(axes.lines[0].get_xydata(), way)
    assert len(axes.collections) >= 1 and axes.get_xlabel() == "x1"  # lines of one height


def test_boxes(d2l):
    found = d2l.bbox_to_rect((10, 20, 40, 60), "red")
    assert (found.get_xy(), found.get_width(), found.get_height()) == ((10, 20), 30, 40)
    axes = d2l.plt.gca()
    d2l.show_bboxes(axes, d2l.np.array([[0, 0, 1, 2], [1, 1, 3, 3]]), ["dog", "cat"], "w")
    first, second = axes.patches
    assert (first.get_height(), second.get_xy(), second.get_width()) == (2, (1, 1), 2)
    assert [(text.get_text(), text.get_color()) for text in axes.texts] == [
        ("dog", "k"),
        ("cat", "k"),
    ]
