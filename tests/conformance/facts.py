"""The facts about arrays of the reference on MXNet 1.9.1's behaviour, as programs. The number of a
fact is the number in that list; those with a name are facts beside it. What is compared by
distribution or concerns threads and files is tested elsewhere."""

FACTS = r"""
1 in nd:
    a = nd.array(onp.array([1.5, 2], dtype='float64'))
    b = nd.array(onp.array([1.5, 2], dtype='float16'))
    c = nd.array(onp.array([1, 2]))
    d = nd.array([1, 2])
    e = nd.array([True, False])
    f = nd.array(nd.array([1, 2], dtype='int32'))
    g = nd.array([1, 2], dtype='int32')
    h = nd.array(5)
    i = nd.array((1, 2))
    j = nd.array([nd.array([1, 2]), nd.array([3, 4])])
2 in np:
    a = np.array([1, 2])
    b = np.array([True, False])
    c = np.array(onp.array([1, 2], dtype='int32'))
    d = np.array(onp.array([1.5], dtype='float64'))
    e = np.array(onp.array([True]))
    f = np.arange(3)
    g = np.full((2,), 3)
    h = np.zeros((2,))
    i = np.random.randint(0, 3, size=(2,)).dtype
    j = np.argmax(a)
    k = np.argsort(a)
    l = np.nonzero(a)
    m = np.array([])
    n = np.array(5)
    o = np.full((2,), True)
2nd in nd:
    a = nd.array([3, 1, 2])
    b = nd.argmax(a, axis=0)
    c = nd.topk(a, k=2)
    d = nd.argsort(a)
    e = a.argmin(axis=0)
3 in nd:
    a = nd.array([[3, 3]])
    b = repr(a)
    c = str(a)
    d = repr(a.sum())
    e = a.sum()
    f = repr(nd.zeros((2, 2, 2)))
    g = repr(nd.arange(3, dtype='int32'))
    h = repr(nd.array([1.23456789, 1e10]))
    i = repr(nd.ones((1100,)))
    j = repr(nd.array([1, 2], ctx=mx.cpu(1)))
    k = '%s' % a
    l = f'{a}'
4 in np:
    a = np.array([[1, 2], [3, 4.5]])
    b = repr(a)
    c = str(a)
    d = repr(a.sum())
    e = repr(np.arange(3, dtype='int32'))
    f = repr(a > 2)
    g = str(np.array(6))
    h = repr(np.array([1.5], dtype='float64'))
    i = repr(np.zeros((0, 2)))
    j = repr(np.array(6, dtype='int64'))
    k = repr(np.zeros((2, 1100)))
    l = repr(np.array([1, 2], ctx=mx.cpu(1)))
    m = str(np.array(2, dtype='int32'))
    n = f'{a}'
    o = repr(np.array([1.5], dtype='float16'))
    p = '%s' % a[0]
5 in nd:
    a = nd.array([2.5])
    b = a.asscalar()
    c = nd.array([1, 2])
    d = c.asscalar()
    e = a.item()
    f = nd.array([3], dtype='int32').asscalar()
    g = nd.ones((1, 1)).asscalar()
5np in np:
    a = np.array([2.5])
    b = a.item()
    c = np.array([1, 2])
    d = c.item()
    e = a.asscalar()
    f = np.array(3, dtype='int32').item()
    g = np.array(True, dtype=bool).item()
    h = float(a)
    i = int(a)
    j = float(c)
    k = c.item(1)
    l = bool(a)
    m = bool(c)
6 in nd:
    a = nd.array([1, 2])
    b = float(nd.array([1]))
    c = int(nd.array([1]))
    d = a @ a
    e = a // 2
    f = a.std()
    g = a.item()
    h = bool(nd.array([1]))
    i = bool(a)
    j = len(a)
    k = a.tolist()
    l = a.dot(a)
6np in np:
    a = np.array([1, 2])
    b = a.asscalar()
    c = a.norm()
    d = a // 2
    e = np.random.seed(1)
    f = a @ a
    g = a.std()
    h = len(a)
    i = a.dot(a)
7 in nd:
    a = nd.array([1.0])
    b = a.dtype
    c = a.dtype is onp.float32
    d = a.dtype == 'float32'
    e = a.dtype == onp.dtype('float32')
    f = isinstance(a, nd.NDArray)
    g = isinstance(a, np.ndarray)
    h = str(type(a))
    i = nd.array([1], dtype='int64').dtype is onp.int64
7np in np:
    a = np.array([1.0])
    b = isinstance(a.dtype, onp.dtype)
    c = str(a.dtype)
    d = a.dtype == onp.float32
    e = a.dtype == 'float32'
    f = isinstance(a, nd.NDArray)
    g = isinstance(a, np.ndarray)
    h = issubclass(np.ndarray, nd.NDArray)
    i = str(type(a))
    j = a.dtype == np.float32
    k = str(np.float32)
    l = a.dtype.name
8 in nd:
    a = nd.array([-7, 7], dtype='int32')
    b = nd.array([2, -2], dtype='int32')
    c = a / b
    d = a / 2
    e = a + 1.5
    f = a * 0.5
    g = a % 3
    h = a % b
    i = a ** 2
    j = 7 / b
    k = a == 7
    l = a > 1.5
    m = nd.mean(a)
    n = a.sum()
8np in np:
    a = np.array([-7, 7], dtype='int32')
    b = np.array([2, -2], dtype='int32')
    c = a / b
    d = a / 2
    e = a + 1.5
    f = a * 0.5
    g = a ** 0.5
    h = a % 3
    i = 1.5 - a
    j = np.mean(a)
    k = np.exp(a)
    l = np.sum(a)
    m = a > 1.5
    n = a == 7
    o = 7 / b
    p = np.array([1, 4], dtype='int64') ** 0.5
    q = np.array([True]) + 1.5
    r = (a > 0) * 2.5
    s = (a > 0) + 1
    t = (a > 0) + (a > 0)
    u = np.sum(a > 0)
9 in nd:
    a = nd.array([1, 2], dtype='int32')
    b = nd.array([1.5, 2])
    c = a + b
    d = a * b
    e = a == b
    f = nd.dot(a, b)
    g = nd.concat(a, b, dim=0)
    h = nd.maximum(a, b)
9b in nd:
    a = nd.array([1, 2], dtype='int32')
    b = nd.array([1.5, 2])
    a += b
9np in np:
    a = np.array([1, 2], dtype='int32')
    b = np.array([1.5, 2])
    c = a + b
    d = a * b
    e = a - b
    f = a / b
    g = b ** a
    h = a == b
    i = a < b
    j = np.array([1.5], dtype='float64') + b
    k = np.array([1.5], dtype='float16') + b
    l = np.array([1], dtype='int64') + a
    m = np.array([1], dtype='uint8') + a
    n = np.maximum(a, b)
    o = np.dot(a, b)
    p = np.concatenate([a, b])
    q = np.where(b > 1, a, b)
    r = (b > 1) * b
    s = (b > 1) * a
    t = np.array([1], dtype='int8') + np.array([1], dtype='uint8')
9c in np:
    a = np.array([1, 2], dtype='int32')
    b = np.array([1.5, 2])
    a += b
9d in np:
    a = np.array([1, 2], dtype='int32')
    b = np.array([1.5, 2])
    b *= a
9e in np:
    a = np.array([1, 2], dtype='int32')
    a += 1.5
10 in nd:
    a = nd.array([1, 2, 3])
    b = a > 1
    c = a[nd.array([1, 0, 1]) > 0]
    d = a == 2
    e = a[[True, False, True]]
    f = a == 'x'
    g = a == None
    h = a != None
10np in np:
    a = np.array([1, 2, 3])
    b = a > 1
    c = a[a > 1]
    d = a == 2
    e = a[a > 5]
    f = a == None
    g = a != None
    h = a == 'x'
11 in np:
    a = np.array([1, 2, 3])
    b = a[np.array([True, False, True])]
    c = a[np.array([True, False, True], dtype=bool)]
    d = a[[True, False, True]]
    e = a[onp.array([True, False, True])]
    f = a[np.array([True, False], dtype=bool)]
12 in nd:
    a = nd.arange(6).reshape((2, 3))
    b = nd.arange(12).reshape((3, 2, 2))
    c = nd.dot(a, b)
    d = nd.array([1, 2, 3])
    e = nd.dot(d, d)
    f = nd.dot(a, d)
    g = nd.dot(a, a)
    h = nd.dot(a, a, transpose_b=True)
    i = nd.dot(a, a, transpose_a=True)
    j = nd.dot(b, a)
12np in np:
    a = np.arange(6).reshape((2, 3))
    b = np.arange(12).reshape((2, 3, 2))
    c = np.dot(a, b)
    d = np.array([1, 2, 3])
    e = np.dot(d, d)
    f = np.dot(a, d)
    g = np.dot(a, a)
    h = np.dot(a, a.T)
    i = a.dot(d)
    j = np.dot(a, 2)
    k = np.matmul(b, np.ones((2, 2)))
13 in nd:
    a = nd.zeros((2, 3, 4))
    b = a.reshape((0, -1))
    c = a.reshape((-3, 0))
    d = a.reshape((-2,))
    e = a.reshape((-4, 1, 2, -2))
    f = a.reshape((0, 0, 2, -1))
    g = a.reshape(4, 6)
    h = a.reshape((5, -1))
    i = a.reshape(-1)
    j = a.reshape((2, -1, 0))
    k = a.reshape((-1, 0), reverse=True)
    l = nd.reshape(a, shape=(0, -3))
    m = a.reshape((-1, -1))
13np in np:
    a = np.zeros((2, 3, 4))
    b = a.reshape((0, -1))
    c = a.reshape((6, -1))
    d = a.reshape(-2)
    e = a.reshape(6, 4)
    f = npx.reshape(a, (-2, -5))
    g = a.reshape((5, -1))
    h = npx.reshape(a, (-2, -1))
    i = npx.reshape(a, (-5, -2))
    j = npx.reshape(a, (-4,))
14 in nd:
    a = nd.zeros(())
    b = nd.zeros((0, 2))
    c = nd.array([])
    d = nd.ones((2,))[0]
    e = np.array([1, 2]).sum()
    f = np.zeros((0, 2))
    g = np.array(3)
15 in nd:
    a = nd.ones((2, 3))
    b = nd.concat(a, a)
    c = nd.concat(a, a, dim=0)
    d = nd.concatenate([a, a])
    e = nd.stack(a, a)
    f = nd.concat(nd.ones((2,)), nd.ones((2,)))
16 in nd:
    a = nd.arange(6).reshape((3, 2))
    b = nd.take(a, nd.array([0, 5]))
    c = nd.take(a, nd.array([-1]))
    d = nd.pick(a, nd.array([0, 5, 1]))
    e = nd.Embedding(nd.array([0, 7]), a, input_dim=3, output_dim=2)
    f = nd.one_hot(nd.array([0, 3, -1]), 3)
    g = a[[0, 5]]
    h = a[nd.array([5])]
    i = a[5]
    j = nd.take(a, nd.array([4]), mode='wrap')
    k = nd.take(a, nd.array([0, 5]), mode='raise')
16np in np:
    a = np.arange(6).reshape((3, 2))
    b = np.take(a, np.array([0, 5]), axis=0)
    c = np.take(a, np.array([0, 5]), axis=0, mode='clip')
    d = npx.pick(a, np.array([0, 5, 1]))
    e = npx.embedding(np.array([0, 7]), a, input_dim=3, output_dim=2)
    f = npx.one_hot(np.array([0, 3, -1]), 3)
    g = a[[0, 5]]
    h = a[np.array([5])]
    i = a[5]
    j = np.take(a, np.array([-1]), axis=0)
    k = np.take(a, np.array([1]))
17 in nd:
    a = nd.array([1, 2])
    b = np.array([1, 2])
    c = a + b
    d = b + a
    e = nd.dot(a, b)
    f = np.dot(a, b)
    g = nd.concat(a, b, dim=0)
    h = np.exp(a)
    i = nd.exp(b)
    j = a + onp.array([1, 2])
    k = b + onp.array([1, 2])
    l = onp.array([1, 2]) + b
    m = b == a
17np in np:
    a = nd.array([1, 2])
    b = np.array([1, 2])
    c = a + b
    d = b + a
    k = b + onp.array([1, 2])
    l = b - onp.array([1, 2])
    m = b * onp.float32(2)
    n = onp.float32(2) * b
    o = np.dot(b, onp.array([1, 2]))
    p = np.add(b, onp.array([1, 2]))
18 in np:
    a = np.random.normal(0, 1, shape=(2,))
    b = nd.random.normal(0, 1, size=(2,))
    c = np.random.normal(0, 1, size=(2,)).shape
    d = nd.random.normal(0, 1, shape=(2,)).shape
    e = np.random.uniform(size=3).dtype
    f = np.random.normal(size=(2, 2)).dtype
    g = np.random.randn(2, 3).shape
    h = np.random.rand(2).shape
    i = np.random.normal(0, -1, size=(2,))
    j = np.random.randint(5, 2)
    k = np.random.uniform(0, 1).shape
    l = np.random.randint(0, 2, size=(1,)).shape
19 in nd:
    a = nd.array([1, 2])
    b = a
    a += 1
    c = b is a
    a[:] = 5
    d = b is a
    e = onp.array([1, 2])
    f = nd.array(e)
    e[0] = 7
    g = f + 0
19np in np:
    a = np.array([1, 2])
    b = a
    a += 1
    c = b is a
    a[:] = 5
    d = b is a
    e = onp.array([1, 2], dtype='float32')
    f = np.array(e)
    e[0] = 7
    g = f + 0
    h = a[0]
    h += 1
    i = a + 0
    a -= 1
    a /= 2
    a **= 2
20 in nd:
    a = nd.array([1, 2])
    b = a.as_in_context(mx.cpu())
    c = b is a
    d = a.copyto(mx.cpu())
    e = a.detach()
    f = a.copy()
    g = nd.zeros((2,))
    h = a.copyto(g)
    i = h is g
    j = a.as_in_context(mx.cpu(1))
    k = a.astype('float32')
    l = a.astype('float32', copy=False)
    m = l is a
    n = a.copyto(a)
    o = a.copyto(nd.zeros((3,)))
20np in np:
    a = np.array([1, 2])
    b = a.as_in_ctx(mx.cpu())
    c = b is a
    d = a.copyto(mx.cpu())
    e = a.detach()
    f = a.copy()
    g = np.zeros((2,))
    h = a.copyto(g)
    i = h is g
    j = np.array(a)
    k = a.astype('float32')
    l = a.astype('float32', copy=False)
    m = l is a
    n = np.copy(a)
    o = a.as_nd_ndarray()
    p = a.as_np_ndarray() is a
21 in nd:
    a = nd.array([1])
    b = {a: 1}[a]
    c = hash(a) == hash(a)
    d = hash(a) == hash(nd.array([1]))
21np in np:
    a = np.array([1])
    b = hash(a)
22 in nd:
    a = nd.arange(24).reshape((4, 6))
    b = a[1]
    c = a[0:2]
    d = a[1, 1:3]
    e = a[:, 1]
    f = a[::2]
    g = a.T
    h = a.expand_dims(0)
    i = a.squeeze()
    j = a.flatten()
    k = a.reshape((6, 4))
    l = a[1:2, :]
    m = a[1:3, 2:4]
    n = a[:]
    o = a[...]
    p = a[[1]]
    q = a[-1]
    r = a[1:3][0]
22np in np:
    a = np.arange(24).reshape((4, 6))
    b = a[1]
    c = a[0:2]
    d = a[1, 1:3]
    e = a[:, 1]
    f = a[::2]
    g = a.T
    h = np.expand_dims(a, 0)
    i = a.squeeze()
    j = a.flatten()
    k = a.reshape((6, 4))
    l = a[1:2, :]
    m = a[1:3, 2:4]
    n = a[:]
    o = a[...]
    p = a[[1]]
    q = a[-1]
    r = a[1:3][0]
    s = a[None]
    t = a[1, 2]
    u = a.reshape(-1)
    v = np.ravel(a)
22more in nd:
    a = nd.arange(24).reshape((2, 3, 4))
    b = a[0, 1]
    c = a[0, 1:]
    d = a[:, 0]
    e = a[0:1, 1]
    f = a[0:1, :, 1:2]
    g = a[1, 2, 3]
    h = a[0].reshape((4, 3))
    i = a.reshape((-1,))[2:5]
    j = a.swapaxes(0, 1)
    k = nd.reshape(a, shape=(6, 4))
    l = a[1:1]
    m = nd.slice(a, begin=(0,), end=(1,))
    n = nd.identity(a)
    o = a.broadcast_to((2, 3, 4))
    p = a.slice_axis(0, 0, 1)
23 in nd:
    a = npx.set_np(shape=False)
    b = npx.is_np_array()
    c = mx.util.is_np_shape()
    d = npx.set_np()
    e = npx.is_np_array()
    f = npx.is_np_shape()
    g = npx.reset_np()
    h = npx.is_np_array()
    i = mx.util.is_np_array()
24 in nd:
    a = repr(mx.cpu(1))
    b = nd.ones((2,), ctx=mx.cpu(1))
    c = nd.ones((2,)) + b
    d = repr(c.context)
    e = mx.num_gpus()
    f = nd.ones((2,), ctx=mx.gpu())
    g = str(mx.cpu())
    h = mx.cpu() == mx.cpu(0)
    i = mx.cpu() == mx.cpu(1)
    j = b.context == mx.cpu(1)
    k = mx.gpu(0).device_type
    l = mx.cpu(1).device_id
    m = b.as_in_context(mx.gpu(3))
    n = repr(mx.current_context())
    o = str(mx.Context('cpu', 2))
    p = hash(mx.cpu()) == hash(mx.cpu(0))
    q = b + nd.ones((2,))
    r = repr(q.context)
    s = mx.context.num_gpus()
    t = repr(nd.zeros((1,), mx.cpu(2)).ctx)
25 in nd:
    a = issubclass(mx.base.MXNetError, RuntimeError)
    b = nd.random.normal(0, -1, shape=(2,))
    c = mx.MXNetError is mx.base.MXNetError
    d = nd.ones((2,)) + nd.ones((3,))
    e = nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))
    f = nd.ones((2, 3)).sum(axis=5)
    g = nd.ones((2, 3)).foo
    h = nd.foo
    i = nd.ones((2, 3)).reshape((4,))
    j = nd.concat(nd.ones((2, 3)), nd.ones((2, 2)), dim=0)
    k = nd.ones((2,))['a']
    l = nd.ones('a')
    m = nd.array(['a'])
    n = nd.array({})
    o = nd.array(None)
    p = nd.ones((2,), dtype='foo')
    q = nd.ones((-1,))
    r = nd.exp('x')
    s = nd.ones((2,)) + 'x'
    t = nd.ones((2,)) + None
    u = nd.ones((2,)) + [1, 2]
    v = nd.sum(nd.ones((2,)), foo=1)
    w = nd.array([[1, 2], [3]])
    x = nd.ones((2,))[1.5]
    y = nd.ones((2,))[0, 0]
25np in np:
    b = np.random.normal(0, -1, size=(2,))
    d = np.ones((2,)) + np.ones((3,))
    e = np.dot(np.ones((2, 3)), np.ones((2, 3)))
    f = np.ones((2, 3)).sum(axis=5)
    g = np.ones((2, 3)).foo
    h = np.foo
    i = np.ones((2, 3)).reshape((4,))
    j = np.concatenate([np.ones((2, 3)), np.ones((2, 2))])
    k = np.ones((2,))['a']
    l = np.ones('a')
    m = np.array(['a'])
    n = np.array({})
    o = np.array(None)
    p = np.ones((2,), dtype='foo')
    q = np.ones((-1,))
    r = np.exp('x')
    s = np.ones((2,)) + 'x'
    t = np.ones((2,)) + None
    u = np.ones((2,)) + [1, 2]
    v = np.sum(np.ones((2,)), foo=1)
    w = np.array([[1, 2], [3]])
    x = np.ones((2,))[1.5]
    y = np.ones((2,))[0, 0]
    z = np.exp(3.0)
    aa = np.exp([1, 2])
    ab = np.sum([1, 2])
    ac = np.add(1, 2)
    ad = np.concatenate([[1, 2], [3]])
    ae = np.ones(3.5)
    af = npx.foo
    ag = np.zeros((2,), 'int32')
    ah = np.dot(np.ones((2, 2)), np.ones((3,)))
    ai = np.array([1, 2])[np.array([0.5])]
26 in nd:
    a = [nd.random.normal(0, -1, shape=(2,)), nd.waitall()]
    b = nd.waitall()
    c = mx.nd.random.normal(0, -1, shape=(2,)).wait_to_read()
    d = nd.ones((2,)) + 1
    e = npx.waitall()
    f = mx.random.seed(1)
    g = mx.nd.random.uniform(0, 1, shape=(2, 2)).shape
    h = mx.random.uniform(shape=(2,)).shape
large in nd:
    a = nd.sin(nd.arange(60000)).reshape((200, 300))
    b = a.sum()
    c = a.mean(axis=0)[:5]
    d = nd.dot(a, a, transpose_b=True)[0, :5]
    e = nd.softmax(a, axis=1)[3, :5]
    f = nd.sort(a, axis=1)[7, :5]
    g = nd.topk(a, k=3, axis=1, ret_typ='value')[:2]
    h = a.argmax(axis=1)[:10]
    i = (a * a + 2 - a)[150, 290:]
    j = a.T[299, :5]
    k = nd.concat(a, a, dim=1)[10, 295:305]
    l = a.max(axis=0)[:5]
    m = nd.exp(a)[199, 295:]
    n = (a > 0).sum()
    o = a[50:150, ::7][3, :5]
    p = nd.norm(a)
    a[10:190] = 0
    q = a.sum(axis=1)[8:12]
    r = a.reshape((-1, 100)).shape
    s = nd.take(a, nd.array([0, 199, 5]))[:, :4]
    t = repr(a)
large in np:
    a = np.sin(np.arange(60000)).reshape((200, 300))
    b = a.sum()
    c = a.mean(axis=0)[:5]
    d = np.dot(a, a.T)[0, :5]
    e = npx.softmax(a, axis=1)[3, :5]
    f = np.sort(a, axis=1)[7, :5]
    g = np.cumsum(a, axis=1)[:2, 290:]
    h = a.argmax(axis=1)[:10]
    i = (a * a + 2 - a)[150, 290:]
    j = a.T[299, :5]
    k = np.concatenate([a, a], axis=1)[10, 295:305]
    l = a.std(axis=0)[:5]
    m = np.exp(a)[199, 295:]
    n = (a > 0).sum()
    o = a[50:150, ::7][3, :5]
    p = np.linalg.norm(a)
    q = a[a > 0.99].shape
    r = np.where(a > 0, a, 0)[0, :5]
    a[10:190] = 0
    s = a.sum(axis=1)[8:12]
    t = repr(a)
identity in nd:
    a = nd.ones((2, 3))
    b = a[:] is a
    c = a[...] is a
    d = a[:, :] is a
    e = a.reshape((2, 3)) is a
    f = a.as_nd_ndarray() is a
    g = a.as_in_context(a.context) is a
    h = a.copyto(a)
identity np in np:
    a = np.ones((2, 3))
    b = a[:] is a
    c = a[...] is a
    d = a[:, :] is a
    e = a[()] is a
    f = a.as_np_ndarray() is a
    g = a.as_in_ctx(a.ctx) is a
    h = a.copyto(a)
    i = a.squeeze() is a
copies in nd:
    import copy, pickle
    a = nd.array([[1, 2], [3, 4]], dtype='int32')
    b = copy.copy(a)
    c = copy.deepcopy(a)
    d = pickle.loads(pickle.dumps(a))
    e = str(type(d))
    f = repr(pickle.loads(pickle.dumps(mx.cpu(1))))
    g = pickle.loads(pickle.dumps(a[1]))
copies np in np:
    import copy, pickle
    a = np.array([[1, 2], [3, 4]], dtype='int32')
    b = copy.copy(a)
    c = copy.deepcopy(a)
    d = pickle.loads(pickle.dumps(a))
    e = str(type(d))
    f = pickle.loads(pickle.dumps(a[1]))
31 in np:
    a = np.pi
    b = np.e
    c = np.inf
    d = np.newaxis is None
    e = mx.__version__
    f = np.nan
    g = np.float32(1.5)
    h = np.int32(3)
    i = str(np.int64)
    j = str(np.bool)
    k = str(np.uint8)
    l = str(np.float64)
iterate in nd:
    a = nd.array([[1, 2], [3, 4]])
    b = [float(r.sum().asscalar()) for r in a]
    c = list(a)
    d = len(a)
    e = nd.array([1, 2])
    f = [v for v in e]
    g = sum(e)
    h = max(e)
    i = 1 in e
    j = zip(a, e) is None
iterate np in np:
    a = np.array([[1, 2], [3, 4]])
    b = [float(r.sum()) for r in a]
    c = list(a)
    d = len(a)
    e = np.array([1, 2])
    f = [v for v in e]
    g = sum(e)
    h = max(e)
    i = len(np.array(3))
    j = 1 in e
    k = list(np.array(3))
    l = sorted(e)
    m = range(int(e[1]))
    n = [10, 20, 30][int(e[0])]
    o = [10, 20, 30][e[0]]
"""


def programs():
    """As the runner takes them."""
    made = []
    for line in FACTS.strip().splitlines():
        if line.startswith(" "):
            made[-1]["steps"].append(line.strip())
        else:
            name, _, dialect = line.rstrip(":").rpartition(" in ")
            made.append({"dialect": dialect, "fact": name, "steps": []})
    return made
