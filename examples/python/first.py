"""The first program: three lines are queued, the fourth waits for what it prints."""

import sys

import penstock as ps

x = ps.ones((1, 2))
y = ps.ones((1, 2))
z = x * y + 2
print(z)

if "--digest" in sys.argv:
    print("digest z", z.tobytes().hex())
