"""One operation of Rucio on a storage element, by Rucio's own code.

usage: rucio-webdav.py PORT OPERATION ARGUMENT...    the token is in BEARER_TOKEN, a proxy in X509_USER_PROXY

Prints what the operation returns, or the exception of Rucio that its user reads, and then ends with 1.
"""
import logging
import os
import sys
import warnings
import zlib

from rucio.common.exception import RucioException
from rucio.rse import rsemanager

# Rucio's log is not under test; requests warns of certificates, which Rucio does not verify.
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


def settings(port):
    """What the server of Rucio tells its clients of a storage element."""
    operations = ("read", "write", "delete", "third_party_copy_read", "third_party_copy_write")
    ranks = {operation: 1 for operation in operations}
    return {
        "rse": "STAITHE",
        "id": "0",
        "deterministic": True,
        "lfn2pfn_algorithm": "hash",
        "sign_url": None,
        "verify_checksum": True,
        "availability_read": True,
        "availability_write": True,
        "availability_delete": True,
        "protocols": [
            {
                "scheme": "https",
                "hostname": "localhost",
                "port": port,
                "prefix": "/data/",
                "impl": "rucio.rse.protocols.webdav.Default",
                "extended_attributes": None,
                "domains": {"lan": dict(ranks), "wan": dict(ranks)},
            }
        ],
    }


def did(text):
    scope, name = text.split(":", 1)
    return {"scope": scope, "name": name}


def upload(rse, name, folder, token):
    with open(os.path.join(folder, did(name)["name"]), "rb") as file:
        content = file.read()
    lfn = did(name) | {"filesize": len(content), "adler32": "%08x" % zlib.adler32(content)}
    return rsemanager.upload(rse, lfn, source_dir=folder, auth_token=token)["success"]


def rename(rse, old, new, token):
    names = {"new_" + key: value for key, value in did(new).items()}
    return rsemanager.rename(rse, did(old) | names, auth_token=token)


def pfn(rse, name, token):
    return rsemanager.lfns2pfns(rse, did(name), auth_token=token)[name]


def by_protocol(rse, operation, token, *arguments):
    protocol = rsemanager.create_protocol(rse, "write", auth_token=token)
    protocol.connect()
    try:
        return getattr(protocol, operation)(*arguments)
    finally:
        protocol.close()


def main(port, operation, *arguments):
    rse, token = settings(int(port)), os.environ.get("BEARER_TOKEN")
    match operation:
        case "upload":
            return upload(rse, *arguments, token)
        case "download":
            name, folder = arguments
            return by_protocol(rse, "get", token, pfn(rse, name, token), os.path.join(folder, did(name)["name"]))
        case "exists":
            return rsemanager.exists(rse, did(arguments[0]), auth_token=token)
        case "delete":
            return rsemanager.delete(rse, did(arguments[0]), auth_token=token)
        case "rename":
            return rename(rse, *arguments, token)
        case _:
            return by_protocol(rse, operation, token, *arguments)


try:
    print(main(*sys.argv[1:]))
except RucioException as refused:
    print(f"{type(refused).__name__}: {refused}")
    sys.exit(1)
