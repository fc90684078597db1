"""A macaroon of a storage element, narrowed by pymacaroons and used by requests.

usage: macaroon.py URL-ASKED-AT URL-READ CAVEAT...    X509_USER_CERT, X509_USER_KEY, REQUESTS_CA_BUNDLE are set

Asks for a macaroon, adds each caveat, reads, and prints the status and the answer. A caveat "third:ID" is one of a
third party; format 2 is written where MACAROON_VERSION is 2. Where URL-READ is "-", prints the macaroon instead.
"""
import os
import sys

import requests
from pymacaroons import Macaroon
from pymacaroons.serializers import BinarySerializer

asked_at, read, *caveats = sys.argv[1:]
given = requests.post(
    asked_at,
    headers={"Content-Type": "application/macaroon-request"},
    json={"caveats": ["activity:DOWNLOAD,LIST"], "validity": "PT10M"},
    cert=(os.environ["X509_USER_CERT"], os.environ["X509_USER_KEY"]),
    timeout=60,
)
if given.status_code != 200:
    print(given.status_code, given.text.strip())
    sys.exit()
macaroon = Macaroon.deserialize(given.json()["macaroon"])
if os.environ.get("MACAROON_VERSION") == "2":
    macaroon = Macaroon(
        location=macaroon.location,
        identifier=macaroon.identifier,
        caveats=macaroon.caveats,
        signature=macaroon.signature,
        version=2,
    )
for caveat in caveats:
    if caveat.startswith("third:"):
        macaroon.add_third_party_caveat("https://third.example", "its key", caveat)
    else:
        macaroon.add_first_party_caveat(caveat)
token = macaroon.serialize(serializer=BinarySerializer())
if read == "-":
    print(token)
    sys.exit()
answer = requests.get(read, headers={"Authorization": "Bearer " + token}, timeout=60)
print(answer.status_code, answer.text.strip())
