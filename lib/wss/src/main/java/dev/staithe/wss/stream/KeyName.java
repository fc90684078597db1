package dev.staithe.wss.stream;

import dev.staithe.wss.Surroundings;
import dev.staithe.xml.NamespaceScope;
import dev.staithe.xml.Tag;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** How a message names a key: {@code wsse:SecurityTokenReference} (WSS 1.1 section 7). */
sealed interface KeyName {
  /** Of an issuer: the Java runtime reads names in the square of their length. */
  int MOST_OF_A_NAME = 4_096;

  /** A token of the security header. */
  record Token(String id) implements KeyName {}

  /**
   * A context that the message does not repeat.
   *
   * @param instance of its key after a renewal; null for the first
   */
  record Context(String identifier, @Nullable String instance) implements KeyName {}

  /** A certificate. */
  record Certificate(Surroundings.Name name) implements KeyName {}

  /** Reads the {@code ds:KeyInfo} that just started. */
  static KeyName read(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.WSSE, Names.TOKEN_REFERENCE)) {
      throw new UnsupportedShape("a key that is not named by reference");
    }
    KeyName name = reference(work);
    if (EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("a key that is named twice");
    }
    return name;
  }

  /** Reads the {@code wsse:SecurityTokenReference} that just started. */
  static KeyName reference(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    Tag tag = scanner.tag();
    for (int i = 0; i < tag.count(); i++) {
      int namespace = tag.namespace(i, scanner.scope());
      if (namespace == Names.SC_2005 || namespace == Names.SC_13) {
        throw new UnsupportedShape("a derivation that is implied");
      }
    }
    if (!EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("an empty reference");
    }
    KeyName name;
    if (scanner.is(Names.WSSE, Names.REFERENCE)) {
      String uri = SecurityScan.attribute(scanner.tag(), Names.URI);
      if (uri.isEmpty()) {
        throw new UnsupportedShape("an empty reference");
      }
      name =
          uri.charAt(0) == '#'
              ? new Token(uri.substring(1))
              : new Context(uri, instance(scanner.tag(), scanner.scope()));
      scanner.skip();
    } else if (scanner.is(Names.WSSE, Names.KEY_IDENTIFIER)) {
      name = identified(work);
    } else if (scanner.is(Names.DS, Names.X509_DATA)) {
      name = issued(work);
    } else {
      throw new UnsupportedShape("a reference of another form");
    }
    if (EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("a reference to more than one token");
    }
    return name;
  }

  /** {@code wsc:Instance} of a reference (WS-SecureConversation 1.4 section 8); null without. */
  private static @Nullable String instance(Tag tag, NamespaceScope scope) {
    String older = null;
    for (int i = 0; i < tag.count(); i++) {
      if (tag.hasPrefix(i) && tag.hasLocalName(i, Names.INSTANCE_OF)) {
        int namespace = tag.namespace(i, scope);
        if (namespace == Names.SC_13) {
          return tag.value(i);
        }
        if (namespace == Names.SC_2005) {
          older = tag.value(i);
        }
      }
    }
    return older;
  }

  private static KeyName identified(Workspace work) throws XmlRefused, UnsupportedShape {
    String type = SecurityScan.attribute(work.scanner.tag(), Names.VALUE_TYPE);
    byte[] value = SecurityScan.base64(work);
    if (type.endsWith("#ThumbprintSHA1")) {
      return new Certificate(new Surroundings.Name.Thumbprint(value));
    }
    if (type.endsWith("#X509SubjectKeyIdentifier")) {
      return new Certificate(new Surroundings.Name.KeyIdentifier(value));
    }
    throw new UnsupportedShape("a key identifier of another kind");
  }

  private static KeyName issued(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    String issuer = null;
    String serial = null;
    if (EnvelopeScan.child(scanner)
        && scanner.is(Names.DS, Names.ISSUER_SERIAL)
        && EnvelopeScan.child(scanner)
        && scanner.is(Names.DS, Names.ISSUER_NAME)) {
      issuer = SecurityScan.text(work);
      if (EnvelopeScan.child(scanner) && scanner.is(Names.DS, Names.SERIAL_NUMBER)) {
        serial = SecurityScan.text(work);
      }
    }
    if (issuer == null
        || serial == null
        || issuer.length() > MOST_OF_A_NAME
        || serial.length() > 64
        || !serial.matches("-?[0-9]+")
        || EnvelopeScan.child(scanner)
        || EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("data of X.509 of another shape");
    }
    return new Certificate(new Surroundings.Name.IssuerSerial(issuer, new BigInteger(serial)));
  }
}
