"""What strangers' libraries say of a transfer under contract.

contract-strangers.py verify STATEMENT KEYS LOG-KEY
    scitt-cose verifies the statement and the log's receipt, http-message-signatures the receiver's request, or the sender's
    PUT of a push, and the receipt in it.
    Of a person, cryptography verifies that the certificate's key signed the property list, which names her key.
contract-strangers.py ask URL KEY KEY-ID CONTRACT PROPERTIES TOKEN AUTHORITY
    http-message-signatures signs a request for a file; prints the status and the digest that came back.
"""

import base64
import datetime
import hashlib
import json
import sys
import types

import cbor2
import http_message_signatures as hms
import requests
import scitt_cose
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding

COVERED = ("@method", "@target-uri", "contract", "host-properties", "want-repr-digest")


def number(text):
    return int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")


def pem(key):
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def public_keys(path):
    with open(path, encoding="utf-8") as file:
        found = json.load(file)["keys"]
    return {
        each["kid"]: pem(ec.EllipticCurvePublicNumbers(number(each["x"]), number(each["y"]), ec.SECP256R1()).public_key())
        for each in found
    }


class Keys(hms.HTTPSignatureKeyResolver):
    def __init__(self, public=None, private=None):
        self.public, self.private = public or {}, private

    def resolve_public_key(self, key_id):
        return self.public[key_id]

    def resolve_private_key(self, key_id):
        return self.private


def verify(statement_file, keys_file, log_key):
    with open(statement_file, "rb") as file:
        statement = file.read()
    keys = public_keys(keys_file)
    parsed = [each for each in (scitt_cose.parse_signed_statement(statement, public_key_pem=key) for key in keys.values())
              if each["signature_verified"]]
    assert len(parsed) == 1, parsed
    outer = cbor2.loads(statement)
    protected, _, payload, signature = outer.value
    entry = hashlib.sha256(cbor2.dumps(cbor2.CBORTag(18, [protected, {}, payload, signature]))).digest()
    raw = base64.b64decode(log_key.split("+", 2)[2])[1:]
    log = pem(ed25519.Ed25519PublicKey.from_public_bytes(raw))
    receipts = scitt_cose.extract_receipts(statement)
    result = scitt_cose.verify_receipt(receipts[0], leaf_entry_hex=entry.hex(), log_public_key_pem=log)
    assert result.ok, result.errors
    wrong = scitt_cose.verify_receipt(receipts[0], leaf_entry_hex="00" * 32, log_public_key_pem=log)
    assert not wrong.ok
    record = json.loads(parsed[0]["payload"])
    who = "host"
    if not record["receiver"].startswith("https://"):
        who = "person"
        keys = {**keys, **key_of_person(record)}
    if '"@method": ' in record["answer"]["base"]:
        what = "delivery"
        signed(record["answer"], keys, "staithe-delivery")
    else:
        what = "request"
        signed(record["request"], keys, "staithe-contract")
    signed(record["receipt"], keys, "staithe-receipt")
    print(f"statement, receipt and {what} verified,", who)


def key_of_person(record):
    lines = dict(line.split(": ", 1) for line in record["request"]["base"].split("\n"))
    header, claims, signature = lines['"host-properties"'].split(".")
    certificate = x509.load_der_x509_certificate(base64.b64decode(json.loads(decoded(header))["x5c"][0]))
    assert json.loads(decoded(header))["alg"] == "RS256"
    certificate.public_key().verify(
        decoded(signature), f"{header}.{claims}".encode(), padding.PKCS1v15(), hashes.SHA256())
    claims = json.loads(decoded(claims))
    assert certificate.subject.rfc4514_string() == claims["iss"] == record["receiver"], claims["iss"]
    jwk = claims["cnf"]["jwk"]
    key = ec.EllipticCurvePublicNumbers(number(jwk["x"]), number(jwk["y"]), ec.SECP256R1()).public_key()
    return {jwk["kid"]: pem(key)}


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signed(part, keys, tag):
    lines = dict(line.split(": ", 1) for line in part["base"].split("\n"))
    label = part["signature"].split("=", 1)[0]
    headers = {name.strip('"'): value for name, value in lines.items() if not name.startswith('"@')}
    headers["Signature"] = part["signature"]
    headers["Signature-Input"] = label + "=" + lines['"@signature-params"']
    message = types.SimpleNamespace(method=lines['"@method"'], url=lines['"@target-uri"'], headers=headers)
    verifier = hms.HTTPMessageVerifier(
        signature_algorithm=hms.algorithms.ECDSA_P256_SHA256, key_resolver=Keys(public=keys))
    results = verifier.verify(message, expect_tag=tag)
    assert len(results) == 1


def ask(url, key_file, key_id, contract, properties, token, authority):
    with open(key_file, "rb") as file:
        private = file.read()
    digest = base64.b64encode(hashlib.sha256(("Bearer " + token).encode()).digest()).decode()
    request = requests.Request("GET", url, headers={
        "Authorization": "Bearer " + token,
        "Contract": f'id="{contract}", token=:{digest}:',
        "Host-Properties": properties,
        "Want-Repr-Digest": "sha-256=10",
    }).prepare()
    signer = hms.HTTPMessageSigner(
        signature_algorithm=hms.algorithms.ECDSA_P256_SHA256, key_resolver=Keys(private=private))
    now = datetime.datetime.now(datetime.timezone.utc)
    signer.sign(request, key_id=key_id, created=now, expires=now + datetime.timedelta(minutes=2),
                nonce=contract, label="stranger", tag="staithe-contract", covered_component_ids=COVERED)
    with requests.Session() as session:
        session.trust_env = False
        answer = session.send(request, verify=authority)
    sent = base64.b64encode(hashlib.sha256(answer.content).digest()).decode()
    print(answer.status_code, answer.headers.get("Repr-Digest") == f"sha-256=:{sent}:", "Signature" in answer.headers,
          answer.text[:200] if answer.status_code != 200 else "")


if __name__ == "__main__":
    {"verify": verify, "ask": ask}[sys.argv[1]](*sys.argv[2:])
