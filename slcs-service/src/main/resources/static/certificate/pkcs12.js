// A PKCS#12 file (RFC 7292) with one key and its certificates, encrypted as OpenSSL 3 does by itself:
// PBES2 with PBKDF2-HMAC-SHA256 and AES-256-CBC (RFC 8018), sealed with HMAC-SHA256.
import { bmpString, concat, context, contextPrimitive, integer, nothing, octets, oid, sequence, setOf, utf16 } from './der.js';

const PBKDF2_ITERATIONS = 600000;
const MAC_ITERATIONS = 2048;
const MAC_BLOCK = 64;

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const FRIENDLY_NAME = '1.2.840.113549.1.9.20';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';
const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const HMAC_SHA256 = '1.2.840.113549.2.9';
const AES_256_CBC = '2.16.840.1.101.3.4.1.42';
const SHA256 = '2.16.840.1.101.3.4.2.1';

const random = (length) => crypto.getRandomValues(new Uint8Array(length));

async function encrypt(password, plain) {
  const salt = random(16);
  const iv = random(16);
  const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveKey']);
  const key = await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: PBKDF2_ITERATIONS },
    typed,
    { name: 'AES-CBC', length: 256 },
    false,
    ['encrypt']);
  const algorithm = sequence(
    oid(PBES2),
    sequence(
      sequence(oid(PBKDF2), sequence(octets(salt), integer(PBKDF2_ITERATIONS), sequence(oid(HMAC_SHA256), nothing()))),
      sequence(oid(AES_256_CBC), octets(iv))));
  const content = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, plain));
  return { algorithm, content };
}

const repeated = (bytes) => {
  const all = new Uint8Array(MAC_BLOCK * Math.ceil(bytes.length / MAC_BLOCK));
  for (let i = 0; i < all.length; i++) all[i] = bytes[i % bytes.length];
  return all;
};

/** RFC 7292 appendix B.2 with SHA-256 and ID 3; one block is the whole key. */
async function macKey(password, salt) {
  const typed = concat(utf16(password), Uint8Array.of(0, 0));
  let block = concat(new Uint8Array(MAC_BLOCK).fill(3), repeated(salt), repeated(typed));
  for (let i = 0; i < MAC_ITERATIONS; i++) block = new Uint8Array(await crypto.subtle.digest('SHA-256', block));
  return crypto.subtle.importKey('raw', block, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/**
 * The file's bytes.
 *
 * @param key the private key as PKCS#8
 * @param certificates its own first, then those above it
 * @param name shown where the file is imported
 * @param password protects the file
 */
export async function pkcs12(key, certificates, name, password) {
  const id = new Uint8Array(await crypto.subtle.digest('SHA-256', certificates[0]));
  const attributes = setOf(
    sequence(oid(FRIENDLY_NAME), setOf(bmpString(name))),
    sequence(oid(LOCAL_KEY_ID), setOf(octets(id))));
  const shrouded = await encrypt(password, key);
  const keys = sequence(
    sequence(
      oid(SHROUDED_KEY_BAG),
      context(0, sequence(shrouded.algorithm, octets(shrouded.content))),
      attributes));
  const bags = certificates.map((certificate, i) =>
    sequence(
      oid(CERTIFICATE_BAG),
      context(0, sequence(oid(X509_CERTIFICATE), context(0, octets(certificate)))),
      ...(i === 0 ? [attributes] : [])));
  const hidden = await encrypt(password, sequence(...bags));
  const safe = sequence(
    sequence(
      oid(ENCRYPTED_DATA),
      context(0, sequence(integer(0), sequence(oid(DATA), hidden.algorithm, contextPrimitive(0, hidden.content))))),
    sequence(oid(DATA), context(0, octets(keys))));
  const salt = random(16);
  const seal = new Uint8Array(await crypto.subtle.sign('HMAC', await macKey(password, salt), safe));
  return sequence(
    integer(3),
    sequence(oid(DATA), context(0, octets(safe))),
    sequence(sequence(sequence(oid(SHA256), nothing()), octets(seal)), octets(salt), integer(MAC_ITERATIONS)));
}
