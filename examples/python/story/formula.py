"""What a loop of n steps should cost, from what its three stages cost.

In each step the program queues an operation (t1), a worker runs it (t2), and the program fetches
the result (t3).

- A program that waits in every step goes through the stages one after the other.
- A program that waits once, at the end, queues while the worker runs. If running is what takes
  long, the first call, n runs and the last fetch are left. Else the worker is done with each step
  before the next one is there, and the queueing alone takes the time.
- A program that helps when it has to wait shares all the work with the worker, but has to do the
  queueing itself.
"""


def synchronous(n, t1, t2, t3):
    return n * (t1 + t2 + t3)


def running_dominates(n, t1, t2):
    """Whether the worker is never without work: n * t2 > (n - 1) * t1."""
    return n * t2 > (n - 1) * t1


def asynchronous(n, t1, t2, t3):
    if running_dominates(n, t1, t2):
        return t1 + n * t2 + t3
    return n * max(t1, t2)


def helping(n, t1, t2):
    """One worker, and a program that runs what is queued where it would have to wait."""
    return n * max(t1, (t1 + t2) / 2)
