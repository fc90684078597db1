package dev.staithe.wss.stream;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A {@code wsc:DerivedKeyToken} as it is written (WS-SecureConversation 1.4 section 7). */
final class DerivationScan {
  private static final int DEFAULT_LENGTH = 32;
  private static final int MOST_OF_A_LABEL = 256;
  private static final byte[] NO_NONCE = new byte[0];
  private static final byte[] DEFAULT_LABEL =
      KeyDerivation.DEFAULT_LABEL.getBytes(StandardCharsets.US_ASCII);

  final @Nullable String id;
  @Nullable KeyName from;
  private @Nullable String generation;
  private @Nullable String start;
  private @Nullable String size;
  private byte[] label = DEFAULT_LABEL;
  private byte[] nonce = NO_NONCE;
  private int offset;
  private int length;

  DerivationScan(@Nullable String id) {
    this.id = id;
  }

  /** Reads the one that just started. */
  void read(Workspace work, int namespace) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    String algorithm = SecurityScan.attribute(scanner.tag(), Names.ALGORITHM);
    if (!algorithm.isEmpty() && KeyDerivation.of(algorithm) != KeyDerivation.P_SHA1) {
      throw new UnsupportedShape("another function of derivation");
    }
    while (EnvelopeScan.child(scanner)) {
      if (scanner.is(Names.WSSE, Names.TOKEN_REFERENCE) && from == null) {
        from = KeyName.reference(work);
      } else if (scanner.is(namespace, Names.OFFSET) && start == null) {
        start = SecurityScan.text(work);
      } else if (scanner.is(namespace, Names.LENGTH) && size == null) {
        size = SecurityScan.text(work);
      } else if (scanner.is(namespace, Names.GENERATION) && generation == null) {
        generation = SecurityScan.text(work);
      } else if (scanner.is(namespace, Names.LABEL) && label == DEFAULT_LABEL) {
        label = SecurityScan.text(work).getBytes(StandardCharsets.UTF_8);
      } else if (scanner.is(namespace, Names.NONCE) && nonce.length == 0) {
        nonce = SecurityScan.base64(work);
      } else {
        throw new UnsupportedShape("a derived key of another shape");
      }
    }
    if (from == null) {
      throw new UnsupportedShape("a derivation from nothing");
    }
  }

  /** Judges the numbers, before anything is derived. */
  void check(Expectation.Limits limits) throws Rejected {
    length = number(size, DEFAULT_LENGTH);
    if (generation != null && start != null) {
      throw new Rejected(Refusal.DERIVATION, "both a generation and an offset");
    }
    // At most four digits each, so that no product overflows.
    offset = generation == null ? number(start, 0) : number(generation, 0) * length;
    if (length < 1 || offset + length > limits.derivedBytes()) {
      throw new Rejected(Refusal.DERIVATION, "a derivation beyond the limits");
    }
    if (nonce.length == 0 || nonce.length > limits.nonceBytes()) {
      throw new Rejected(Refusal.DERIVATION, "a derivation without a nonce, or too long a one");
    }
    if (label.length > MOST_OF_A_LABEL) {
      throw new Rejected(Refusal.DERIVATION, "too long a label");
    }
  }

  /** The key; to be asked for after {@link #check}. */
  byte[] derive(byte[] secret) {
    return KeyDerivation.P_SHA1.derive(secret, label, nonce, offset, length);
  }

  private static int number(@Nullable String text, int otherwise) throws Rejected {
    if (text == null) {
      return otherwise;
    }
    int number = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        number = -1;
        break;
      }
      number = number * 10 + c - '0';
      if (i == 4) {
        number = -1;
        break;
      }
    }
    if (number < 0 || text.isEmpty()) {
      throw new Rejected(Refusal.DERIVATION, "a number of a derivation that is out of range");
    }
    return number;
  }
}
