package dev.staithe.wss.stream;

import dev.staithe.xml.Octets;
import dev.staithe.xml.Tag;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a security header: its tokens as they are written. Whatever is not of the shapes
 * that X.509 and SecureConversation prescribe is {@link UnsupportedShape}. Nothing is computed.
 */
final class SecurityScan {
  private static final int MOST = 32;

  /**
   * A child of the security header.
   *
   * @param from where it begins in the message
   * @param to where it ends
   */
  record Part(String name, int from, int to, @Nullable String id) {}

  /** A certificate as it came. */
  record Binary(@Nullable String id, String type, byte[] content) {}

  /** A {@code wsc:SecurityContextToken}. */
  record Context(
      int namespace, @Nullable String id, String identifier, @Nullable String instance) {}

  /** A {@code xenc:EncryptedKey}. */
  record Wrapped(
      @Nullable String id,
      String algorithm,
      @Nullable String digest,
      @Nullable String mask,
      KeyName recipient,
      byte[] value) {}

  private final Workspace work;
  private final XmlScanner scanner;
  final List<Part> parts = new ArrayList<>(8);
  @Nullable Part timestamp;
  String created = "";
  @Nullable String expires;
  final List<Binary> certificates = new ArrayList<>(1);
  @Nullable Context context;
  final List<DerivationScan> derivations = new ArrayList<>(2);
  @Nullable Wrapped wrapped;
  // What is referred to as encrypted; by the key that is wrapped, or by a list of its own.
  @Nullable String encryptedId;
  boolean encryptedByWrapped;
  @Nullable SignatureScan signature;

  SecurityScan(Workspace work, byte[] in) {
    this.work = work;
    this.scanner = work.scanner;
  }

  void read() throws XmlRefused, UnsupportedShape {
    while (EnvelopeScan.child(scanner)) {
      int from = scanner.startAt();
      String id = scanner.tag().identifier(scanner.scope());
      String name = token(id);
      var part = new Part(name, from, scanner.position(), id);
      parts.add(part);
      if (name.equals("Timestamp")) {
        timestamp = part;
      }
      if (parts.size() > MOST) {
        throw new UnsupportedShape("more tokens than anybody sends");
      }
    }
  }

  private String token(@Nullable String id) throws XmlRefused, UnsupportedShape {
    int namespace = scanner.namespace();
    if (scanner.is(Names.WSU, Names.TIMESTAMP) && timestamp == null) {
      timestamp();
      return "Timestamp";
    }
    if (scanner.is(Names.WSSE, Names.BINARY_TOKEN)) {
      String type = attribute(scanner.tag(), Names.VALUE_TYPE);
      certificates.add(new Binary(id, type, base64(work)));
      return "BinarySecurityToken";
    }
    if (namespace == Names.SC_13 || namespace == Names.SC_2005) {
      if (scanner.is(namespace, Names.CONTEXT_TOKEN) && context == null) {
        context = context(namespace, id);
        return "SecurityContextToken";
      }
      if (scanner.is(namespace, Names.DERIVED_TOKEN)) {
        var derivation = new DerivationScan(id);
        derivation.read(work, namespace);
        derivations.add(derivation);
        return "DerivedKeyToken";
      }
    }
    if (scanner.is(Names.XENC, Names.REFERENCE_LIST)) {
      references(false);
      return "ReferenceList";
    }
    if (scanner.is(Names.XENC, Names.ENCRYPTED_KEY) && wrapped == null) {
      wrapped = wrapped(id);
      return "EncryptedKey";
    }
    if (scanner.is(Names.DS, Names.SIGNATURE) && signature == null) {
      signature = new SignatureScan();
      signature.read(work);
      return "Signature";
    }
    throw new UnsupportedShape("another token, or one more");
  }

  private void timestamp() throws XmlRefused, UnsupportedShape {
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.WSU, Names.CREATED)) {
      throw new UnsupportedShape("a timestamp of another shape");
    }
    created = text(work);
    if (EnvelopeScan.child(scanner)) {
      if (!scanner.is(Names.WSU, Names.EXPIRES)) {
        throw new UnsupportedShape("a timestamp of another shape");
      }
      expires = text(work);
      if (EnvelopeScan.child(scanner)) {
        throw new UnsupportedShape("a timestamp of another shape");
      }
    }
  }

  private Context context(int namespace, @Nullable String id) throws XmlRefused, UnsupportedShape {
    String identifier = null;
    String instance = null;
    while (EnvelopeScan.child(scanner)) {
      if (scanner.is(namespace, Names.IDENTIFIER) && identifier == null) {
        identifier = text(work);
      } else if (scanner.is(namespace, Names.INSTANCE_OF) && instance == null) {
        instance = text(work);
      } else {
        throw new UnsupportedShape("a context token of another shape");
      }
    }
    if (identifier == null) {
      throw new UnsupportedShape("a context token without an identifier");
    }
    return new Context(namespace, id, identifier, instance);
  }

  private void references(boolean byWrapped) throws XmlRefused, UnsupportedShape {
    while (EnvelopeScan.child(scanner)) {
      String uri = attribute(scanner.tag(), Names.URI);
      if (!scanner.is(Names.XENC, Names.DATA_REFERENCE)
          || uri.length() < 2
          || uri.charAt(0) != '#'
          || encryptedId != null) {
        throw new UnsupportedShape("more than the body encrypted");
      }
      encryptedId = uri.substring(1);
      encryptedByWrapped = byWrapped;
      scanner.skip();
    }
  }

  private Wrapped wrapped(@Nullable String id) throws XmlRefused, UnsupportedShape {
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.XENC, Names.ENCRYPTION_METHOD)) {
      throw new UnsupportedShape("an encrypted key of another shape");
    }
    String algorithm = attribute(scanner.tag(), Names.ALGORITHM);
    String digest = null;
    String mask = null;
    while (EnvelopeScan.child(scanner)) {
      if (scanner.is(Names.DS, Names.DIGEST_METHOD) && digest == null) {
        digest = attribute(scanner.tag(), Names.ALGORITHM);
      } else if (scanner.is(Names.XENC11, Names.MASK) && mask == null) {
        mask = attribute(scanner.tag(), Names.ALGORITHM);
      } else {
        throw new UnsupportedShape("other parameters of OAEP");
      }
      scanner.skip();
    }
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.DS, Names.KEY_INFO)) {
      throw new UnsupportedShape("an encrypted key of another shape");
    }
    KeyName recipient = KeyName.read(work);
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.XENC, Names.CIPHER_DATA)) {
      throw new UnsupportedShape("an encrypted key of another shape");
    }
    byte[] value = cipherValue(work);
    if (EnvelopeScan.child(scanner)) {
      if (!scanner.is(Names.XENC, Names.REFERENCE_LIST)) {
        throw new UnsupportedShape("an encrypted key of another shape");
      }
      references(true);
      if (EnvelopeScan.child(scanner)) {
        throw new UnsupportedShape("an encrypted key of another shape");
      }
    }
    return new Wrapped(id, algorithm, digest, mask, recipient, value);
  }

  /** The prefixes that the signature keeps in a part. */
  List<byte[]> prefixesOf(@Nullable String id) {
    if (signature != null && id != null) {
      for (SignatureScan.Ref each : signature.references) {
        if (each.id().equals(id)) {
          return each.prefixes();
        }
      }
    }
    return List.of();
  }

  /** The value of an attribute without a namespace; empty without. */
  static String attribute(Tag tag, byte[] name) {
    int at = tag.find(name);
    if (at < 0) {
      return "";
    }
    int known = Names.URIS.find(tag.valueIn(at), tag.valueAt(at), tag.valueEnd(at));
    return known > 0 ? Names.URIS.name(known) : tag.value(at);
  }

  /** The text of the element that just started, without white space around. */
  static String text(Workspace work) throws XmlRefused, UnsupportedShape {
    work.text.clear();
    if (!work.scanner.content(work.text)) {
      throw new UnsupportedShape("elements where text is expected");
    }
    return new String(work.text.array(), 0, work.text.size(), StandardCharsets.UTF_8).strip();
  }

  /** What the element that just started holds in base 64 (RFC 4648 section 4). */
  static byte[] base64(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    if (scanner.plainContent()) {
      int from = scanner.contentFrom();
      int to = scanner.contentTo();
      byte[] in = scanner.bytes();
      if (!hasSpace(in, from, to)) {
        return decode(in, from, to);
      }
      work.text.clear();
      work.text.put(in, from, to - from);
    } else {
      work.text.clear();
      if (!scanner.content(work.text)) {
        throw new UnsupportedShape("elements where text is expected");
      }
    }
    Octets text = work.text;
    byte[] decoded = decode(text.array(), 0, squeeze(text.array(), text.size()));
    text.clear();
    return decoded;
  }

  private static byte[] decode(byte[] in, int from, int to) throws UnsupportedShape {
    try {
      ByteBuffer decoded = Base64.getDecoder().decode(ByteBuffer.wrap(in, from, to - from));
      byte[] array = decoded.array();
      return array.length == decoded.limit() ? array : Arrays.copyOf(array, decoded.limit());
    } catch (IllegalArgumentException e) {
      throw new UnsupportedShape("not in base 64");
    }
  }

  private static boolean hasSpace(byte[] in, int from, int to) {
    for (int i = from; i < to; i++) {
      if (in[i] <= ' ') {
        return true;
      }
    }
    return false;
  }

  /** Takes white space out, which many put in. */
  private static int squeeze(byte[] in, int size) {
    int to = 0;
    while (to < size && in[to] > ' ') {
      to++;
    }
    for (int from = to; from < size; from++) {
      byte c = in[from];
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        in[to++] = c;
      }
    }
    return to;
  }

  /** The {@code xenc:CipherValue} in the {@code xenc:CipherData} that just started. */
  static byte[] cipherValue(Workspace work) throws XmlRefused, UnsupportedShape {
    if (!EnvelopeScan.child(work.scanner) || !work.scanner.is(Names.XENC, Names.CIPHER_VALUE)) {
      throw new UnsupportedShape("encrypted data elsewhere");
    }
    byte[] value = base64(work);
    if (EnvelopeScan.child(work.scanner)) {
      throw new UnsupportedShape("encrypted data of another shape");
    }
    return value;
  }
}
