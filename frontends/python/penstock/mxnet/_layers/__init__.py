"""Operations of layers, for arrays of both dialects.

Functions have MXNet's arguments; mx.nd, mx.npx and the layers of mx.gluon.nn call them, under their
own names (see _public.py). An operation of the table that is given arrays of a dialect gives such
arrays and raises its exceptions, so what is one operation is called as it is; what is composed of
several is called with native arrays, by `_dialects.call`.
"""
