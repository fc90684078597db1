package dev.staithe.wss.stream;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.crypto.ContentCipher;
import dev.staithe.xml.ExclusiveCanonical;
import dev.staithe.xml.NamespaceScope;
import dev.staithe.xml.Octets;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlScanner;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;

/** All that one message needs and that is dear to make; kept for the next one. */
final class Workspace {
  /** Identifiers whose table is kept: it is cleared for each message, and never grows smaller. */
  static final int MOST_IDENTIFIERS = 1_024;

  final XmlScanner scanner = new XmlScanner(Names.NAMESPACES);
  final XmlScanner piece = new XmlScanner(Names.NAMESPACES);
  final ExclusiveCanonical canonical = new ExclusiveCanonical(Names.INSTANCE);
  final ExclusiveCanonical other = new ExclusiveCanonical(Names.INSTANCE);
  final NamespaceScope header = new NamespaceScope(Names.NAMESPACES);
  final NamespaceScope security = new NamespaceScope(Names.NAMESPACES);
  final NamespaceScope partScope = new NamespaceScope(Names.NAMESPACES);
  final NamespaceScope body = new NamespaceScope(Names.NAMESPACES);
  final Octets text = new Octets(1 << 13);
  final Octets bodyOut = new Octets(1 << 13);
  final Octets part = new Octets(1 << 11);
  final Octets plain = new Octets(1 << 13);
  final Octets out = new Octets(1 << 14);
  Set<String> identifiers = new HashSet<>();
  final SecureRandom random = new SecureRandom();
  final ContentCipher cipher = new ContentCipher(random);
  private final String base = "-" + Long.toString(random.nextLong() >>> 1, 36) + "-";
  private long counter;
  private final Map<String, MessageDigest> digests = new HashMap<>();
  private final Map<String, Mac> macs = new HashMap<>();

  MessageDigest digest(String name) {
    MessageDigest digest = digests.get(name);
    if (digest == null) {
      digest = make(() -> MessageDigest.getInstance(name));
      digests.put(name, digest);
    }
    digest.reset();
    return digest;
  }

  Mac mac(String name) {
    return macs.computeIfAbsent(name, each -> make(() -> Mac.getInstance(each)));
  }

  /** An identifier that no other message of this service has, and no answer of a back end. */
  String nextId(String kind) {
    return kind + base + Long.toString(++counter, 36);
  }

  /** Forgets what a message left. */
  void clear() {
    if (identifiers.size() > MOST_IDENTIFIERS) {
      identifiers = new HashSet<>();
      scanner.identify(null, 0);
      piece.identify(null, 0);
    } else {
      identifiers.clear();
    }
    scanner.forget();
    piece.forget();
    text.clear();
    bodyOut.clear();
    part.clear();
    plain.wipe();
    out.clear();
  }

  static XmlLimits limits(Expectation.Limits limits) {
    int most = (int) Math.min(limits.bytes(), Integer.MAX_VALUE);
    return new XmlLimits(limits.bytes(), limits.depth(), limits.attributes(), 1_000, most);
  }

  private interface Maker<T> {
    T make() throws GeneralSecurityException;
  }

  private static <T> T make(Maker<T> maker) {
    try {
      return maker.make();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime lacks an algorithm", e);
    }
  }
}
