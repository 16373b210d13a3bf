# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Requests of an open port: one that is waited for, many at the same time, records of the SA."""
import errno
import functools
from typing import Any, NamedTuple

from ibmad.libraries import check, error, ffi, mad

CLASSES = (1, 0x81, 3, 4)  # SMPs by LID and by directed route, SA, performance


def local():
    """The address of the local port."""
    return ffi.new("ib_portid_t *")


def lid(number):
    """The address of a port that has a LID."""
    return ffi.new("ib_portid_t *", {"lid": number})


def route(*ports):
    """The address of the node at the end of a directed route: by which port each node is left."""
    return ffi.new("ib_portid_t *", {"drpath": {"cnt": len(ports), "p": bytes([0, *ports])}})


@functools.lru_cache(maxsize=None)
def _field_end(number):
    """How many bytes of an attribute a field needs; 0: the ID has no field."""
    attribute = ffi.new("uint8_t[1024]")
    mad.mad_encode_field(attribute, number, ffi.from_buffer(b"\xff" * len(attribute)))
    return len(bytes(ffi.buffer(attribute)).rstrip(b"\0"))


def field(data, number, offset=0):
    """A field of an attribute (bytes), by its ID, such as mad.IB_PORT_LID_F: a number of any width up
    to 64 bits. ValueError: the ID has no field, or data ends before it."""
    attribute = ffi.from_buffer(data)
    if offset < 0 or not 0 < _field_end(number) <= len(attribute) - offset:
        raise ValueError(f"field {number} at {offset} is not within {len(attribute)} bytes")
    return mad.mad_get_field64(attribute, offset, number)


class Result(NamedTuple):
    """The outcome of one of many requests: if it failed, data is None, and error an errno."""
    context: Any
    error: int
    status: int
    data: bytes


class Port:
    """An open port: of a device and number, or (None, 0) of the first that is active. Any number of
    threads may use it; only one may close it, once the others are done."""

    def __init__(self, name=None, number=0, classes=CLASSES):
        given = ffi.new("int[]", list(classes))
        name = ffi.NULL if name is None else ffi.new("char[]", name.encode())
        self.port = ffi.gc(check(mad.mad_rpc_open_port(name, number, given, len(given))),
                           mad.mad_rpc_close_port)
        self.queues = set()  # of smps() that are not over

    def close(self):
        """Closes the port. Later calls fail with EINVAL, a smps() that is not over with ECANCELED."""
        while self.queues:
            mad.mad_async_free(self.queues.pop())
        if self.port:
            ffi.release(self.port)
        self.port = ffi.NULL

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def smp(self, to, attr_id, attr_mod=0, set_data=None, timeout_ms=0):
        """Gets an attribute of the SMA at an address, or sets it to set_data; 64 bytes."""
        data = ffi.new("uint8_t[64]", set_data or b"")
        call = mad.smp_query_via if set_data is None else mad.smp_set_via
        check(call(data, to, attr_id, attr_mod, timeout_ms, self.port))
        return bytes(ffi.buffer(data))

    def perf(self, to, attr_id, port_number, timeout_ms=0):
        """Gets counters of a port: 192 bytes."""
        data = ffi.new("uint8_t[256]")
        check(mad.pma_query_via(data, to, port_number, timeout_ms, attr_id, self.port))
        return bytes(ffi.buffer(data)[0:192])

    def smps(self, requests, window=0, timeout_ms=0, attempts=0):
        """Gets attributes of many SMAs at the same time. requests are of (address, attribute,
        modifier, context); yields a Result for each, in the order in which they end."""
        requests = list(requests)
        options = ffi.new("struct mad_async_options *", {"window": window, "timeout_ms": timeout_ms,
                                                         "attempts": attempts})
        queue = check(mad.mad_async_create_sized(self.port, options, ffi.sizeof(options[0])))
        self.queues.add(queue)
        try:
            contexts = {}
            for to, attr_id, attr_mod, context in requests:
                request = ffi.new("struct mad_async_request *", {"to": to})
                number = check(mad.mad_async_smp_sized(queue, request, ffi.sizeof(request[0]), attr_id,
                                                       attr_mod, ffi.NULL))
                contexts[number] = context
            result = ffi.new("struct mad_async_result *")
            while check(mad.mad_async_dispatch(queue, 0, -1)):
                while mad.mad_async_next_sized(queue, result, ffi.sizeof(result[0])) > 0:
                    data = bytes(ffi.buffer(result.data, result.data_size)) if result.data else None
                    yield Result(contexts.pop(result.id), result.error, result.status, data)
                    if queue not in self.queues:
                        raise error(errno.ECANCELED)
        finally:
            if queue in self.queues:
                self.queues.remove(queue)
                mad.mad_async_free(queue)

    def sa_records(self, attr_id, mask=0, match=b"", timeout_ms=0):
        """All records of an attribute of the SA whose components in mask are those of match; each
        as bytes."""
        match = bytes(match)
        given = ffi.from_buffer(match)
        request = ffi.new("struct mad_sa_request *", {"attr_id": attr_id, "mask": mask, "data": given,
                                                      "data_size": len(match), "timeout_ms": timeout_ms})
        table = check(mad.mad_sa_query_sized(self.port, ffi.NULL, request, ffi.sizeof(request[0]),
                                             ffi.NULL))
        try:
            size = ffi.new("size_t *")
            return [bytes(ffi.buffer(mad.mad_sa_table_record(table, i, size), size[0]))
                    for i in range(mad.mad_sa_table_count(table))]
        finally:
            mad.mad_sa_table_free(table)
