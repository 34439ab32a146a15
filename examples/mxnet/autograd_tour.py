"""Gradients: of scalars and vectors, through Python's control flow, of parts only, of gradients."""

from mxnet import autograd, np, npx

npx.set_np()

x = np.arange(4.0)
x.attach_grad()
print("before:", x.grad)

with autograd.record():
    y = 2 * np.dot(x, x)
y.backward()
print("of 2 x.x:", x.grad, "which is 4 x:", (x.grad == 4 * x).all())

with autograd.record():
    y = x * x
y.backward()  # of a vector: as if it were summed
print("of x * x:", x.grad)

with autograd.record():
    u = (x * x).detach()
    z = u * x
z.backward()
print("with a part held fixed:", x.grad)


def halved(a):
    """How often it runs depends on the values."""
    b = a * 2
    while np.abs(b).sum() < 1000:
        b = b * 2
    return b if b.sum() > 0 else 100 * b


a = np.array([0.5, -0.25, 3.0])
a.attach_grad()
with autograd.record():
    d = halved(a)
d.backward()
print("through a loop:", a.grad, "which is d / a:", np.abs(a.grad - d / a).max())

a.attach_grad(grad_req="add")
for _ in range(3):
    with autograd.record():
        s = (a**3).sum()
    s.backward()
print("three times 3 a^2, added up:", a.grad)

t = np.array([0.1, 0.7, 1.3])
t.attach_grad()
with autograd.record():
    first = autograd.grad(np.sin(t), t, create_graph=True, retain_graph=True)[0]
    total = (first * first).sum()
total.backward()
print("of cos^2, by two derivatives:", t.grad)

print("recording:", autograd.is_recording(), "training:", autograd.is_training())
with autograd.record():
    with autograd.pause():
        print("paused:", autograd.is_recording(), autograd.is_training())
    print("inside:", autograd.is_recording(), autograd.is_training())
