"""A JWT that a storage element gave away, judged by libraries that know nothing of it but its issuer.

usage: stranger.py LIBRARY AUDIENCE    SSL_CERT_FILE, and TOKEN with the token, are set

LIBRARY is pyjwt or scitokens. Both find the keys by the issuer's metadata. Prints the scope that was verified, or the
name of the error.
"""
import json
import os
import sys
import urllib.request

import jwt
import scitokens
from scitokens.utils.errors import SciTokensException

library, audience = sys.argv[1:]
token = os.environ["TOKEN"]
try:
    if library == "scitokens":
        believed = scitokens.SciToken.deserialize(token)
        issuer = believed["iss"]
        enforcer = scitokens.Enforcer(issuer, audience=audience)
        # It wants to be told of each claim that it does not know.
        enforcer.add_validator("wlcg.ver", lambda version: version.startswith("1."))
        enforcer.add_validator("staithe.giver", lambda giver: True)
        for path in "/data/ada/file", "/data/adam", "/data/other":
            print(path, enforcer.test(believed, "storage.read", path))
    else:
        issuer = jwt.decode(token, options={"verify_signature": False})["iss"]
        with urllib.request.urlopen(issuer + "/.well-known/openid-configuration", timeout=60) as answer:
            keys = json.load(answer)["jwks_uri"]
        key = jwt.PyJWKClient(keys).get_signing_key_from_jwt(token)
        claims = jwt.decode(token, key, algorithms=["ES256"], audience=audience, issuer=issuer,
                            options={"require": ["exp", "iat", "jti", "sub"]})
        print(claims["wlcg.ver"], claims["scope"])
except (jwt.PyJWTError, SciTokensException) as error:
    print(type(error).__name__)
