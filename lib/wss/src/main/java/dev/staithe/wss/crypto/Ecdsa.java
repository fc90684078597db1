package dev.staithe.wss.crypto;

import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Signatures of elliptic curves: XML Signature 1.1 section 6.4.3 has both numbers one after the
 * other, libraries have them in DER.
 */
final class Ecdsa {
  private static final int MOST = 66;

  private Ecdsa() {}

  /** To DER; null where it is no such signature. */
  static byte @Nullable [] toDer(byte[] numbers) {
    int half = numbers.length / 2;
    if (numbers.length % 2 != 0 || half == 0 || half > MOST) {
      return null;
    }
    byte[] r = new BigInteger(1, Arrays.copyOf(numbers, half)).toByteArray();
    byte[] s = new BigInteger(1, Arrays.copyOfRange(numbers, half, 2 * half)).toByteArray();
    int content = 4 + r.length + s.length;
    int head = content < 128 ? 2 : 3;
    byte[] der = new byte[head + content];
    der[0] = 0x30;
    if (head == 3) {
      der[1] = (byte) 0x81;
    }
    der[head - 1] = (byte) content;
    int at = number(der, head, r);
    number(der, at, s);
    return der;
  }

  private static int number(byte[] der, int at, byte[] number) {
    der[at] = 2;
    der[at + 1] = (byte) number.length;
    System.arraycopy(number, 0, der, at + 2, number.length);
    return at + 2 + number.length;
  }

  /**
   * From DER.
   *
   * @param bytes of one number, as long as the curve's order
   */
  static byte[] fromDer(byte[] der, int bytes) {
    int at = (der[1] & 0x80) == 0 ? 2 : 3;
    byte[] numbers = new byte[2 * bytes];
    for (int i = 0; i < 2; i++) {
      int length = der[at + 1];
      int zeros = Math.max(0, length - bytes);
      int copied = length - zeros;
      System.arraycopy(der, at + 2 + zeros, numbers, (i + 1) * bytes - copied, copied);
      at += 2 + length;
    }
    return numbers;
  }
}
