// A key and a certification request (RFC 2986) made in the browser: the key never leaves it.
import { bits, concat, context, integer, nothing, oid, sequence } from './der.js';

const KINDS = {
  ec: {
    generate: { name: 'ECDSA', namedCurve: 'P-256' },
    sign: { name: 'ECDSA', hash: 'SHA-256' },
    // ecdsa-with-SHA256, RFC 5758 section 3.2: no parameters.
    algorithm: () => sequence(oid('1.2.840.10045.4.3.2')),
    // WebCrypto gives r and s side by side; certificates have them in a sequence.
    signature: (raw) => sequence(integer(raw.subarray(0, raw.length / 2)), integer(raw.subarray(raw.length / 2))),
  },
  rsa: {
    generate: {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: Uint8Array.of(1, 0, 1),
      hash: 'SHA-256',
    },
    sign: { name: 'RSASSA-PKCS1-v1_5' },
    // sha256WithRSAEncryption, RFC 4055 section 5.
    algorithm: () => sequence(oid('1.2.840.113549.1.1.11'), nothing()),
    signature: (raw) => raw,
  },
};

/** A pair of keys, of kind 'ec' (P-256) or 'rsa' (2048 bit), whose private one can be exported. */
export function generate(kind) {
  return crypto.subtle.generateKey(KINDS[kind].generate, true, ['sign', 'verify']);
}

/** A request without a name, which the authority gives. */
export async function request(kind, keys) {
  const { sign, algorithm, signature } = KINDS[kind];
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey));
  const info = sequence(integer(0), sequence(), publicKey, context(0));
  const raw = new Uint8Array(await crypto.subtle.sign(sign, keys.privateKey, info));
  return sequence(concat(info, algorithm(), bits(signature(raw))));
}
