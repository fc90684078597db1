// What of ITU-T X.690 (DER) a request and a PKCS#12 file need. Values are Uint8Array.

/** One value after the other. */
export function concat(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function tagged(tag, content) {
  const length = [];
  if (content.length < 0x80) {
    length.push(content.length);
  } else {
    for (let rest = content.length; rest > 0; rest = Math.floor(rest / 256)) length.unshift(rest % 256);
    length.unshift(0x80 | length.length);
  }
  return concat(Uint8Array.of(tag, ...length), content);
}

export const sequence = (...parts) => tagged(0x30, concat(...parts));
export const octets = (bytes) => tagged(0x04, bytes);
export const bits = (bytes) => tagged(0x03, concat(Uint8Array.of(0), bytes));
export const nothing = () => Uint8Array.of(0x05, 0x00);

function byBytes(one, other) {
  const at = one.findIndex((byte, i) => byte !== other[i]);
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
}

/** SET OF: in DER its values are sorted by their bytes. */
export const setOf = (...parts) => tagged(0x31, concat(...parts.sort(byBytes)));

/** [n] EXPLICIT, or IMPLICIT for a constructed content. */
export const context = (n, ...parts) => tagged(0xa0 | n, concat(...parts));

/** [n] IMPLICIT for a primitive content. */
export const contextPrimitive = (n, bytes) => tagged(0x80 | n, bytes);

/** A whole number that is not negative, as a number or as big-endian bytes. */
export function integer(value) {
  let bytes = value;
  if (typeof value === 'number') {
    const digits = [];
    for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
    bytes = Uint8Array.from(digits);
  }
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  bytes = bytes.subarray(start);
  if (bytes.length === 0 || bytes[0] & 0x80) bytes = concat(Uint8Array.of(0), bytes);
  return tagged(0x02, bytes);
}

/** An object identifier in its dotted form. */
export function oid(dotted) {
  const [first, second, ...others] = dotted.split('.').map(Number);
  const bytes = [];
  for (const arc of [first * 40 + second, ...others]) {
    const digits = [arc % 128];
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128));
    bytes.push(...digits);
  }
  return tagged(0x06, Uint8Array.from(bytes));
}

/** Characters of the basic plane; UTF-16, big-endian. */
export function utf16(text) {
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i] = text.charCodeAt(i) >> 8;
    bytes[2 * i + 1] = text.charCodeAt(i) & 0xff;
  }
  return bytes;
}

export const bmpString = (text) => tagged(0x1e, utf16(text));

/** PEM with one label around bytes. */
export function pem(label, bytes) {
  const text = btoa(String.fromCharCode(...bytes)).replace(/(.{64})/g, '$1\n').trim();
  return `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`;
}

/** The bytes of each certificate in a PEM text, in its order. */
export function certificates(text) {
  return [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)].map((found) =>
    Uint8Array.from(atob(found[1].replace(/\s/g, '')), (char) => char.charCodeAt(0)));
}
