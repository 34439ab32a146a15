"""Expressions over tensors, their gradients, and writes, for PaddlePaddle and for ours.

record_paddle.py asks the real PaddlePaddle 3.3.1, test_paddle_vectors.py ours.
"""

import itertools
import math
import re

import numpy as np

TENSORS = [
    "T([[1.5, -2., 0.], [4., 5.25, -6.]])",
    "T([[1, -2, 3], [4, 5, -6]])",
    "T([[1, -2, 3], [4, 5, -6]], dtype='int32')",
    "T([[True, False, True], [False, True, True]])",
    "T([[1, 200, 3], [4, 5, 6]], dtype='uint8')",
    "T([[1.5, -2., 0.], [4., 5.25, -6.]], dtype='float64')",
    "T(2.5)",
    "T(3)",
    "T([])",
    "T([1., 2., 3.])",
]

FUNCTIONS = """
abs
acos
asin
atan
ceil
cos
cosh
erf
exp
expm1
floor
isfinite
isinf
isnan
log
log10
log1p
log2
logical_not
neg
reciprocal
rsqrt
sign
sin
sinh
sqrt
square
tan
tanh
trunc
round
bitwise_not
""".strip().split("\n")

FORMS = """
-x
~x
x+1
x+1.5
1-x
2*x
x/2
2/x
x//2
x%2
x**2
x**0.5
2**x
x==1
x>1
x<=1.5
x+True
x.T
x.sum()
x.mean()
x.max()
x.min()
x.prod()
x.std()
x.var()
x.argmax()
x.argmin()
x.any()
x.all()
x.cumsum()
x.cumsum(axis=0)
x.cumprod(0)
x.sum(axis=0)
x.sum(axis=-1,keepdim=True)
x.sum(axis=[0,1])
x.mean(axis=1)
x.max(axis=1)
x.argmax(axis=1)
x.argmax(axis=1,keepdim=True)
x.norm()
x.norm(p=1)
x.norm(p=2,axis=1)
x.sort()
x.sort(axis=0,descending=True)
x.argsort()
x.topk(1)
x.unique()
x.nonzero()
x.flatten()
x.unsqueeze(0)
x.unsqueeze(-1)
x.squeeze()
x.reshape([-1])
x.reshape([3,2])
x.reshape([0,-1])
x.reshape([4])
x.tile([2])
x.tile([2,1,1])
x.flip(0)
x.flip([0,1])
x.roll(1)
x.roll(1,axis=0)
x.expand([2,2,3])
x.t()
x.transpose([1,0])
x.numel()
x.tolist()
x.item()
float(x)
int(x)
bool(x)
len(x)
x.clip(0,2)
x.clip(min=1)
x.astype('int32')
x.astype('bool')
x.astype('float64')
x.dot(x)
x@x
x.matmul(x,transpose_y=True)
x.mm(x.T)
x.isnan()
x[0]
x[-1]
x[0,1]
x[:,1]
x[::-1]
x[...,0]
x[None]
x[[0,1]]
x[x>1]
x[5]
x[0,0,0]
x[1:]
x[:0]
x['a']
x[1.5]
x[True]
x[T([0,1])]
x[T(0)]
x[0:1,None]
x[:,[0,2]]
x[[0,1],[0,2]]
x.ndim
x.shape
x.median()
x.logsumexp()
x.split(2)
x.chunk(3,axis=1)
x.unbind()
x.tril()
x.triu(1)
x.diagonal()
x.trace()
x.repeat_interleave(2)
x.repeat_interleave(2,axis=0)
x.gather(T([0,0]))
x.index_select(T([0]),axis=0)
x.masked_select(x>0)
x.masked_fill(x>0,0)
x.where(x,x)
paddle.where(x>0,x,x*2)
paddle.concat([x,x])
paddle.concat([x,x],axis=1)
paddle.stack([x,x],axis=-1)
paddle.stack([x,x],axis=5)
paddle.zeros_like(x)
paddle.ones_like(x,dtype='int32')
paddle.full_like(x,2)
x.add_(x)
x.add(1)
x.scale(2.,1.)
x.kthvalue(1)
paddle.count_nonzero(x)
x.sum(axis=9)
x.mean(axis='a')
x.unsqueeze(9)
x.squeeze(0)
x.isclose(x)
x.allclose(x)
x.equal_all(x)
x.maximum(x)
x.amax(axis=0)
paddle.outer(x,x)
paddle.add_n([x,x])
x.diag()
x.moveaxis(0,1)
x.swapaxes(0,1)
x.broadcast_to([2,2,3])
x.real()
x.conj()
x.nan_to_num()
x.bincount()
x.take_along_axis(x.argsort(),-1)
x.zero_()
x.fill_(7)
x.exp_()
x.floor_divide(x)
x.mod(x)
x.remainder(3)
x.pow(2)
x.lerp(x,0.5)
x.is_contiguous()
x.is_floating_point()
x.clone()
x.detach()
x.inplace_version
x.stop_gradient
x.element_size()
x.rank()
x.logical_and(x)
x.bitwise_and(x)
x&x
x|x
x^x
x<<1
abs(x)
x.cast('int64')
str(x.dtype)
x.frac()
x.inner(x)
x.kron(x)
x.nansum()
x.logical_not()
x.multiply(x)
x.subtract(x)
x.divide(x)
x.__array__().shape
np.ones(3,'float32')*x
list(x)
x.fmax(x)
x.cross(x)
x.dist(x)
x.reshape(3,2)
x.view([6])
x.view([3,-1])
x.index_add(T([0]),0,x[:1])
x.scatter(T([0]),x[:1])
x.hypot(x)
x.expand_as(T([[[1.]]]))
""".strip().split("\n")

WHOLE = """
paddle.zeros([2,3])
paddle.zeros([])
paddle.zeros(3)
paddle.zeros(T([2,3]))
paddle.zeros([T(2),3])
paddle.ones([0,2])
paddle.full([2],1.5,'int32')
paddle.full([2],True)
paddle.arange(5,0,-2)
paddle.arange(0,1,0.25)
paddle.arange(3,dtype='float64')
paddle.arange(2.5)
paddle.linspace(0,10,3,dtype='int64')
paddle.eye(2,3,dtype='int32')
paddle.eye(-1)
paddle.meshgrid(T([1,2]),T([3.]))
T([[1,2],[3,4.5]])
T(np.float32(3))
T([np.float32(3)])
T(np.array(3))
T((1,2))
T(range(3))
T([[]])
T([1,2],dtype='bool')
T([0.5,2],dtype='bool')
T(True)
T([1.5],dtype='float16')
T(1e40)
T([2**40],dtype='int32')
T(None)
T([1,'a'])
paddle.to_tensor([1.,2.],'float64')
paddle.shape(T([[1.]]))
paddle.numel(T([1.]))
paddle.assign([1,2])
paddle.assign(T([1.]))
paddle.logspace(0,2,3)
paddle.bernoulli(T([1.,0.]))
paddle.is_tensor(1)
paddle.broadcast_shape([2,1],[3])
paddle.broadcast_tensors([T([1.]),T([[1.],[2.]])])
paddle.searchsorted(T([1.,2.,3.]),T([2.]))
paddle.bmm(paddle.ones([2,2,2]),paddle.ones([3,2,2]))
paddle.mv(paddle.ones([2,2]),paddle.ones([3]))
paddle.ones([2,3])@paddle.ones([2])
paddle.addmm(paddle.ones([2,2]),paddle.ones([2,2]),paddle.ones([2,2]))
paddle.vstack([T([1.]),T([2.])])
paddle.hstack([T([1.]),T([2.])])
paddle.chunk(T([1,2,3,4]),2)
paddle.split(T([1,2,3]),[1,1])
paddle.concat([])
paddle.stack([])
paddle.concat([T([1.]),T([[1.]])])
paddle.grad(T(1.),T(2.))
""".strip().split("\n")

GRADIENTS = """
x*2
x+x
x*x
x/2
2/x
x**2
x**3.
2**x
x//2
x%2
-x
x.exp()
x.abs()
x.sqrt()
x.log()
x.sin()
x.tanh()
x.sigmoid()
x.square()
x.sign()
x.floor()
x.round()
x.rsqrt()
x.reciprocal()
x.clip(1,2)
x.clip(min=1.5)
x.maximum(x.flip(0))
x.minimum(x*1)
x.sum()
x.sum(0)
x.sum(axis=1,keepdim=True)
x.mean()
x.mean(1)
x.max()
x.max(axis=1)
x.min(axis=0)
x.amax(axis=1)
x.prod()
x.prod(axis=0)
x.std()
x.var(axis=1)
x.norm()
x.norm(p=1)
x.norm(axis=1)
x.logsumexp()
x.cumsum()
x.cumsum(axis=1)
x.cumprod(1)
x.reshape([-1])
x.T
x.transpose([1,0])
x.unsqueeze(0)
x.flatten()
x.squeeze()
x.tile([2,2])
x.expand([2,2,3])
x.flip(0)
x.roll(1)
x[0]
x[:,1]
x[::-1]
x[[0,0]]
x[x>1.5]
x[T([1,0])]
x[None]
x[...,0]
paddle.concat([x,x])
paddle.stack([x,x])
x.split(3,axis=1)[1]
x.unbind()[0]
x@x.T
paddle.mm(x,x.T)
paddle.matmul(x,x,transpose_y=True)
paddle.dot(x,x)
paddle.outer(x,x)
paddle.mv(x,x[0])
x.sort()
x.sort(descending=True)
x.topk(2)[0]
x.kthvalue(1)[0]
x.median()
x.gather(T([0,0]))
x.index_select(T([0]),axis=1)
x.take_along_axis(T([[0],[1]]),1)
x.masked_fill(x>2,0.)
x.masked_select(x>2)
paddle.where(x>2,x,x*3)
x.astype('float64')
x.astype('int64')*1.5
x.repeat_interleave(2)
x.repeat_interleave(2,axis=1)
x.tril()
x.diag()
x.trace()
x.detach()*x
x.clone()
x.scale(2.,1.)
x.lerp(x*2,0.5)
x.erf()
x.expm1()
x.log1p()
x.atan()
x.cosh()
x.trunc()
x.frac()
x.moveaxis(0,1)
paddle.add_n([x,x])
x.inner(x)
x.kron(x)
x.dist(x*2)
x.nan_to_num()
paddle.atan2(x,x*2)
paddle.fmax(x,x*2)
x.scatter(T([0]),x[1:])
x.index_add(T([0]),0,x[1:])
x.gather_nd(T([[0,1]]))
x.broadcast_to([2,2,3])
paddle.meshgrid(x[0],x[0])[0]
paddle.tensordot(x,x,[[1],[1]])
x.cross(x*2,axis=1)
x.hypot(x)
x.logaddexp(x)
""".strip().split("\n")

WRITES = """
x[0]=5.
x[:]=y
x[0,1]=7
x[:,1:]=x[:,:2]
x[::-1]=x*1
x[[0,1],[1,2]]=9.
x[x>2]=0
x[T([0])]=1.
x[...,0]=-1
x[None]=3.
x[1]=y[0]
x[0:0]=1.
x[:,[0,2]]=y[:,:2]
x[5]=1
x[0]='a'
x[0]=[1,2,3]
x[0]=np.ones(3)
x[0]=np.ones(4)
x[True]=1.
x[-1,-1]=T(2.5)
x[0]=T([1,2,3])
x[0]=1+2j
x.T[0]=9.
x.reshape([-1])[0]=9.
x[0][1]=9.
x.flatten()[2]=4.
x.unsqueeze(0)[0,0]=2.
x.detach()[0]=2.
x.clone()[0]=2.
x.expand([2,2,3])[0]=1.
x.split(3,axis=1)[0][0]=1.
x.add_(y)
x.subtract_(y)
x.multiply_(y)
x.scale_(2.)
x.clip_(0,1)
x.exp_()
x.zero_()
x.fill_(3)
x.set_value(y)
x.set_value(np.zeros((2,3),'float32'))
x.set_value(np.zeros(2))
x.reshape_([3,2])
x.unsqueeze_(0)
x.squeeze_()
x.flatten_()
x+=1
x-=y
x*=y
x/=2
x//=2
x%=2
x**=2
x@=y.T
x.copy_(y)
y+=x
x.add_(1)
x.add_(2.5)
x.pow_(2)
x.sqrt_()
x.floor_()
x.tanh_()
""".strip().split("\n")

OPERATORS = "+ - * / // % == < &".split()
POINTS = ["[[1., 2., 3.], [1.5, 2., .5]]", "[[0., 0., 2.], [-1., 2., 2.]]"]


def cases():
    """Triples of a kind, a program, and what it is run on."""
    for name, tensor in itertools.product(FUNCTIONS, TENSORS):
        yield "value", f"paddle.{name}(x)", tensor
    for form, tensor in itertools.product(FORMS, TENSORS):
        yield "value", form, tensor
    for operator, first, second in itertools.product(OPERATORS, TENSORS, TENSORS):
        if first != second:
            yield "value", f"x {operator} {second}", first
    for whole in WHOLE:
        yield "value", whole, "None"
    for function, point in itertools.product(GRADIENTS, POINTS):
        yield "gradient", function, f"T({point}, stop_gradient=False)"
    for write, dtype in itertools.product(WRITES, ("float32", "int64")):
        yield "write", write, f"T({POINTS[0]}).astype('{dtype}')"


# ---- Answers -------------------------------------------------------------------------------------


def shown(paddle, value):
    """A value as JSON has it."""
    if isinstance(value, paddle.Tensor):
        elements = value.numpy()
        if elements.dtype.kind == "c":
            elements = np.stack([elements.real, elements.imag])
        return ["Tensor", str(value.dtype), list(value.shape), elements.tolist()]
    if isinstance(value, (list, tuple)) and not isinstance(value, type(paddle.ones([1]).shape)):
        return [type(value).__name__, [shown(paddle, one) for one in value]]
    return [type(value).__name__, str(value)]


def answer(paddle, case):
    """What a case gives: values, or the class of the exception with its text."""
    kind, program, given = case
    space = {"paddle": paddle, "np": np, "T": paddle.to_tensor}
    try:
        space["x"] = x = eval(given, space)
        if kind == "write":
            space["y"] = paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).astype(x.dtype)
            exec(program, space)
            now = space["x"]
            return [shown(paddle, now), shown(paddle, x), now is x, x.inplace_version]
        made = eval(program, space)
        if kind == "value":
            return shown(paddle, made)
        made.backward()
        return [shown(paddle, made), made.stop_gradient, shown(paddle, x.grad)]
    except Exception as error:
        return ["raises", type(error).__name__, str(error)[:120]]


def same(real, ours):
    """Whether two answers are: numbers within 1e-5 or 5e-7, of exceptions the class."""
    if isinstance(real, list) and isinstance(ours, list):
        if real[:1] == ["raises"]:
            return ours[:2] == real[:2]
        return len(real) == len(ours) and all(map(same, real, ours))
    if type(real) is float and type(ours) is float:
        return math.isclose(real, ours, rel_tol=1e-5, abs_tol=5e-7) or real != real and ours != ours
    return real == ours


# ---- What is known to differ ---------------------------------------------------------------------

# By a pattern of the real one's answer.
BY_ANSWER = {
    "of kernel": "more element types are taken here",
    "Type promotion only support": "tensors of all types promote",
    "type of data we are trying to retrieve": "tensors of all types promote",
    "Too many indices": "too many indices are an IndexError here",
}
# By a pattern of the case: its kind, program and tensor.
BY_CASE = {
    r"value (x//2|list\(x\)) T\((2.5|3)\)$": "what has no dimensions gets none, and no items",
    r"value x\.(std|var|norm|repeat_interleave|gather|index_select|kthvalue|diag|take_along_axis)"
    r"\(.*\) T\((2.5|3)\)$": "dimensions of what has none, named otherwise",
    r"value x\.(argmax|argmin|topk|median|logsumexp|gather|index_select|kthvalue|amax|index_add)"
    r"\(.*\) T\(\[\]\)$": "reductions and places of nothing raise here",
    r"value x.reshape\(\[0,-1\]\) T\(\[\]\)$": "a length of nothing is not inferred",
    r"value x & .* T\(\[\]\)$": "what cannot be combined is told by its types first",
    r"value x // T\(3\)|value x // T.* T\(3\)$": "those without dimensions are weak, for // too",
    r"value x\.(bincount|nan_to_num|frac|exp_|chunk|diagonal|trace|moveaxis|swapaxes)\(": (
        "wrong arguments have other classes"
    ),
    r"value x\.(divide|expand_as)\(": "0 / 0 is NaN; wrong arguments have other classes",
    r"value paddle\.meshgrid": "other checks",
    r"gradient x//2": "nothing flows, but the result does not stop it",
    r"gradient x\.(floor|round|trunc)": "nothing flows: no gradient, not zeros",
    r"gradient (x\.(prod|median|hypot)|paddle\.(atan2|fmax))": "other choices at ties and zeros",
    r"write x\.(add_\([12]|exp_|sqrt_|tanh_|copy_)": "numbers are taken; a tensor keeps its type",
}


def reason(case, real):
    """Why an answer may differ; None if it must not."""
    if real[:1] == ["raises"]:
        for text, why in BY_ANSWER.items():
            if text in real[2]:
                return why
    program = " ".join(case)
    for pattern, why in BY_CASE.items():
        if re.search(pattern, program):
            return why
    return None
