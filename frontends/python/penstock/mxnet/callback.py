"""mx.callback: functions that training loops call after batches and epochs.

Those of batches get an object with the attributes epoch, nbatch and eval_metric.
"""

import logging
import math
import time

from ._missing import missing
from .model import save_checkpoint

__all__ = [
    *("LogValidationMetricsCallback", "ProgressBar", "Speedometer", "do_checkpoint"),
    *("log_train_metric", "module_checkpoint", "save_checkpoint"),
]


def do_checkpoint(prefix, period=1):
    """A function for the end of epochs that saves the parameters of every period-th one."""
    period = int(max(1, period))

    def checkpoint(iter_no, sym, arg, aux):
        if (iter_no + 1) % period == 0:
            save_checkpoint(prefix, iter_no + 1, sym, arg, aux)

    return checkpoint


def module_checkpoint(mod, prefix, period=1, save_optimizer_states=False):
    """The same by the save_checkpoint of an object of one's own."""
    period = int(max(1, period))

    def checkpoint(iter_no, sym=None, arg=None, aux=None):
        if (iter_no + 1) % period == 0:
            mod.save_checkpoint(prefix, iter_no + 1, save_optimizer_states)

    return checkpoint


def log_train_metric(period, auto_reset=False):
    """A function for the end of batches that logs the metric after every period-th one."""

    def log(param):
        if param.nbatch % period != 0 or param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            logging.info("Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, value)
        if auto_reset:
            param.eval_metric.reset_local()

    return log


class Speedometer:
    """Logs the speed and the metric after every `frequent`-th batch."""

    __module__ = "mxnet.callback"

    def __init__(self, batch_size, frequent=50, auto_reset=True):
        self.batch_size = batch_size
        self.frequent = frequent
        self.init = False
        self.tic = 0
        self.last_count = 0
        self.auto_reset = auto_reset

    def __call__(self, param):
        count = param.nbatch
        if self.last_count > count:
            self.init = False  # another epoch has begun
        self.last_count = count
        if not self.init:
            self.init = True
            self.tic = time.time()
        elif count % self.frequent == 0:
            self._log(param, count)
            self.tic = time.time()

    def _log(self, param, count):
        passed = time.time() - self.tic
        speed = self.frequent * self.batch_size / passed if passed > 0 else float("inf")
        if param.eval_metric is None:
            logging.info("Iter[%d] Batch [%d]\tSpeed: %.2f samples/sec", param.epoch, count, speed)
            return
        pairs = param.eval_metric.get_name_value()
        first = 0
        if self.auto_reset:
            param.eval_metric.reset_local()
            first = count - self.frequent
        text = "".join(f"\t{name}={value:f}" for name, value in pairs)
        logging.info(
            "Epoch[%d] Batch [%d-%d]\tSpeed: %.2f samples/sec%s",
            *(param.epoch, first, count, speed, text),
        )


class ProgressBar:
    """Logs how much of an epoch is done, as a bar."""

    __module__ = "mxnet.callback"

    def __init__(self, total, length=80):
        self.bar_len = length
        self.total = total

    def __call__(self, param):
        part = param.nbatch / float(self.total)
        filled = int(round(self.bar_len * part))
        bar = "=" * filled + "-" * (self.bar_len - filled)
        logging.info("[%s] %s%%\r", bar, math.ceil(100.0 * part))


class LogValidationMetricsCallback:
    """Logs the metric when an epoch is over."""

    __module__ = "mxnet.callback"

    def __call__(self, param):
        if not param.eval_metric:
            return
        for name, value in param.eval_metric.get_name_value():
            logging.info("Epoch[%d] Validation-%s=%f", param.epoch, name, value)


__getattr__ = missing("mxnet.callback")
