package dev.staithe.wss.stream;

import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.EndpointPolicy.Layout;
import dev.staithe.xml.ExclusiveCanonical;
import dev.staithe.xml.NamespaceScope;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.Octets;
import dev.staithe.xml.Tag;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * Protects one answer. All that is signed is written in canonical form in the first place, so what
 * is digested is what leaves. Declarations that nothing visibly uses are kept, and named in {@code
 * InclusiveNamespaces}: values may use them.
 */
final class MessageSealing {
  private static final String UTILITY = "staithe-wsu";
  private static final byte[] UTILITY_PREFIX = UTILITY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SOAP_PREFIX = "soap".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OTHER_PREFIX = "staithe-soap".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] UTILITY_NAMESPACE =
      Namespaces.WSU.getBytes(StandardCharsets.US_ASCII);

  private static final List<byte[]> FOR_WHOM =
      List.of(Names.ACTOR, Names.MUST_UNDERSTAND, Names.RELAY, Names.ROLE);

  /** How many prefixes are declared around the answer. */
  private static final int DECLARED = 3;

  /** What an identifier of ours adds to an answer, in bytes, at the most. */
  private static final long OWN = 1_024;

  private final Certificates certificates;
  private final Workspace work;
  private final Departure departure;
  private final EndpointPolicy policy;
  private final XmlScanner scanner;
  private final XmlLimits limits;
  private final int soap;
  private final String namespace;
  private final Instant now;
  private final boolean byKeys;
  private final Set<String> declaredWithin = new HashSet<>(2);
  private SecurityWriter security;
  private boolean again;
  private byte[] in;

  MessageSealing(
      Surroundings surroundings, Certificates certificates, Departure departure, Workspace work)
      throws XmlRefused {
    this.certificates = certificates;
    this.work = work;
    this.departure = departure;
    Expectation expectation = departure.expectation();
    this.policy = expectation.policy();
    this.scanner = work.scanner;
    long most = Math.max(expectation.limits().bytes(), departure.envelope().length) + OWN;
    this.limits = XmlLimits.ofBytes(Math.min(most, Integer.MAX_VALUE));
    this.soap =
        switch (departure.reply().version()) {
          case SOAP_1_1 -> Names.SOAP_1_1;
          case SOAP_1_2 -> Names.SOAP_1_2;
        };
    // It is the service's answer, and ours to send.
    work.canonical.limit(Integer.MAX_VALUE);
    work.other.limit(Integer.MAX_VALUE);
    this.namespace = departure.reply().version().namespace();
    this.now = surroundings.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    this.byKeys = !(departure.reply().keys() instanceof Reply.Keys.None);
    this.security = new SecurityWriter(work, certificates, policy);
    this.in = XmlScanner.utf8(departure.envelope());
  }

  /** Protects it. */
  Sealing.Sealed seal() throws XmlRefused, UnsupportedShape, GeneralSecurityException {
    try {
      return sealed();
    } finally {
      security.forget();
    }
  }

  private Sealing.Sealed sealed() throws XmlRefused, UnsupportedShape, GeneralSecurityException {
    begin();
    if (byKeys) {
      security.prepare(departure.reply().keys());
    }
    Octets blocks = work.part;
    blocks.clear();
    if (scanner.is(soap, Names.HEADER)) {
      work.header.set(scanner.scope());
      header(blocks);
      if (!EnvelopeScan.child(scanner)) {
        throw new UnsupportedShape("an envelope without a body");
      }
    }
    if (!scanner.is(soap, Names.BODY)) {
      throw new UnsupportedShape("not one Header at most, and then one Body");
    }
    String prefix = prefix();
    if (byKeys && scanner.tag().count() > 0 && identifier(scanner) == null) {
      // Attributes of the back end stay; an identifier is put among them, and all begins anew.
      in = identified(0, scanner.position(), in.length, work.nextId("b"));
      if (again) {
        throw new UnsupportedShape("an answer that binds " + UTILITY + " to something else");
      }
      again = true;
      security.forget();
      security = new SecurityWriter(work, certificates, policy);
      return sealed();
    }
    body(prefix);
    end();
    return envelope(prefix, blocks);
  }

  /** One that stands for SOAP also within the body. */
  private String prefix() throws UnsupportedShape {
    for (String each : List.of("soap", "staithe-soap")) {
      if (scanner.scope().namespace(each).equals(namespace)) {
        return each;
      }
    }
    throw new UnsupportedShape("an answer that binds staithe-soap to something else");
  }

  private void end() throws XmlRefused, UnsupportedShape {
    if (EnvelopeScan.child(scanner) || scanner.next() != XmlScanner.DONE) {
      throw new UnsupportedShape("not one Header at most, and then one Body");
    }
  }

  private void begin() throws XmlRefused, UnsupportedShape {
    scanner.limit(limits, NonContent.ALL);
    scanner.identify(null, Names.WSU);
    scanner.document(in);
    byte[] version = namespace.getBytes(StandardCharsets.US_ASCII);
    scanner.declare(SOAP_PREFIX, version);
    scanner.declare(OTHER_PREFIX, version);
    scanner.declare(UTILITY_PREFIX, UTILITY_NAMESPACE);
    scanner.next();
    if (!scanner.is(soap, Names.ENVELOPE) || !EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("no envelope of its request's SOAP");
    }
  }

  /**
   * What a signature may refer to the element by that was just started: others than we look for
   * {@code wsu:Id} and {@code Id} alone.
   */
  private static @Nullable String identifier(XmlScanner scanner) {
    Tag tag = scanner.tag();
    String plain = null;
    for (int i = 0; i < tag.count(); i++) {
      if (!tag.hasLocalName(i, Names.ID)) {
        continue;
      }
      int of = tag.namespace(i, scanner.scope());
      if (of == Names.WSU) {
        return tag.value(i);
      }
      if (of == NamespaceScope.NONE) {
        plain = tag.value(i);
      }
    }
    return plain;
  }

  private void header(Octets out) throws XmlRefused, UnsupportedShape, GeneralSecurityException {
    while (EnvelopeScan.child(scanner)) {
      if (scanner.is(Names.WSSE, Names.SECURITY)) {
        // Ours replaces whatever the back end wrote; there is one at most (BSP 1.1 R5206).
        scanner.skip();
        continue;
      }
      var name = new QName(scanner.namespaceName(), scanner.localName());
      boolean signed = byKeys && policy.signed().names(name);
      String id = signed ? identifier(scanner) : null;
      int from = scanner.startAt();
      int afterTag = scanner.position();
      scanner.skip();
      int to = scanner.position();
      byte[] block = in;
      if (signed && id == null) {
        id = work.nextId("h");
        block = identified(from, afterTag, to, id);
        from = 0;
        to = block.length;
      }
      ExclusiveCanonical writer = work.other;
      XmlScanner piece = piece(block, from, to, work.header, 2);
      if (signed && !String.valueOf(id).equals(identifier(piece))) {
        throw new UnsupportedShape("an answer that binds " + UTILITY + " to something else");
      }
      writer.beginInclusive(DECLARED);
      int start = out.size();
      String around = byKeys && policy.encrypted().names(name) ? encryptedHeader(piece) : "";
      writer.element(piece, out);
      declaredWithin.addAll(writer.keptBelow());
      if (id != null && (around.isEmpty() || !policy.encryptBeforeSigning())) {
        security.sign(id, writer.kept(), out.array(), start, out.size() - start);
      }
      if (!around.isEmpty()) {
        encryptHeader(around, signed && policy.encryptBeforeSigning(), out, start);
      }
    }
  }

  private XmlScanner piece(byte[] bytes, int from, int to, NamespaceScope scope, int around)
      throws XmlRefused {
    XmlScanner piece = work.piece;
    piece.limit(limits, NonContent.ALL);
    piece.identify(null, 0);
    piece.piece(bytes, from, to, scope, around);
    piece.next();
    return piece;
  }

  /** WSS 1.1 section 9.3: whom a block is for is said around it too; the start without its end. */
  private String encryptedHeader(XmlScanner block) {
    Tag tag = block.tag();
    var said = new StringBuilder();
    for (int i = 0; i < tag.count(); i++) {
      if (tag.hasPrefix(i) && tag.namespace(i, block.scope()) == soap) {
        for (byte[] each : FOR_WHOM) {
          if (tag.hasLocalName(i, each)) {
            said.append(" staithe-soap:").append(new String(each, StandardCharsets.US_ASCII));
            said.append("=\"").append(SecurityElements.attribute(tag.value(i))).append('"');
          }
        }
      }
    }
    return "<wsse11:EncryptedHeader xmlns:wsse11=\""
        + Namespaces.WSSE11
        + "\" xmlns:wsu=\""
        + Namespaces.WSU
        + "\" xmlns:staithe-soap=\""
        + namespace
        + '"'
        + said;
  }

  private void encryptHeader(String tag, boolean signed, Octets out, int start)
      throws XmlRefused, UnsupportedShape, GeneralSecurityException {
    security.encrypt(SecurityElements.ELEMENT, out, start);
    byte[] data = out.toByteArray(start, out.size());
    out.truncate(start);
    String id = work.nextId("h");
    out.put(tag);
    out.put(" wsu:Id=\"" + id + "\">");
    out.put(data);
    out.put("</wsse11:EncryptedHeader>");
    if (signed) {
      signAsWritten(id, List.of(), out, start);
    }
  }

  /** Signs what was put together of pieces, each in canonical form for itself: now as a whole. */
  private void signAsWritten(String id, List<String> prefixes, Octets out, int start)
      throws XmlRefused, UnsupportedShape {
    byte[] written = out.toByteArray(start, out.size());
    XmlScanner whole = work.piece;
    whole.limit(XmlLimits.ofBytes(Integer.MAX_VALUE), NonContent.NONE);
    whole.identify(null, 0);
    whole.piece(written, 0, written.length, new NamespaceScope(Names.NAMESPACES), 2);
    whole.next();
    out.truncate(start);
    work.other.begin(prefixes.stream().map(each -> each.getBytes(StandardCharsets.UTF_8)).toList());
    work.other.element(whole, out);
    security.sign(id, prefixes, out.array(), start, out.size() - start);
  }

  /** The bytes of an element with an identifier put into its tag. */
  private byte[] identified(int from, int afterTag, int to, String id) {
    int insert = afterTag - (in[afterTag - 2] == '/' ? 2 : 1);
    byte[] attribute = (" " + UTILITY + ":Id=\"" + id + "\"").getBytes(StandardCharsets.US_ASCII);
    byte[] block = new byte[to - from + attribute.length];
    System.arraycopy(in, from, block, 0, insert - from);
    System.arraycopy(attribute, 0, block, insert - from, attribute.length);
    System.arraycopy(in, insert, block, insert - from + attribute.length, to - insert);
    return block;
  }

  /** Writes the body: its tag, its content and its end, each known by where it begins. */
  private void body(String prefix) throws XmlRefused, GeneralSecurityException, UnsupportedShape {
    String id = String.valueOf(identifier(scanner));
    ExclusiveCanonical writer = work.canonical;
    writer.beginInclusive(DECLARED);
    Octets out = work.bodyOut;
    if (in.length > 1 << 18) {
      out.reserve(in.length - scanner.startAt() + 1_024);
    }
    int depth = scanner.depth();
    boolean plain = byKeys && scanner.tag().count() == 0;
    if (plain) {
      NamespaceScope scope = work.body;
      scope.set(scanner.scope());
      id = work.nextId("b");
      byte[] tag =
          ("<" + prefix + ":Body " + UTILITY + ":Id=\"" + id + "\"></" + prefix + ":Body>")
              .getBytes(StandardCharsets.US_ASCII);
      XmlScanner piece = piece(tag, 0, tag.length, scope, 1);
      if (!id.equals(identifier(piece))) {
        throw new UnsupportedShape("an answer that binds " + UTILITY + " to something else");
      }
      writer.start(piece, out);
    } else {
      writer.start(scanner, out);
    }
    int content = out.size();
    while (scanner.depth() >= depth) {
      int event = scanner.next();
      if (event == XmlScanner.TEXT) {
        scanner.canonicalText(out);
      } else if (event == XmlScanner.START) {
        writer.element(scanner, out);
      }
    }
    declaredWithin.addAll(writer.keptBelow());
    int end = out.size();
    if (plain) {
      out.put("</" + prefix + ":Body>");
    } else {
      writer.endTag(scanner, depth, out);
    }
    if (!byKeys) {
      return;
    }
    boolean encrypted = policy.encrypted().body();
    boolean signed = policy.signed().body();
    if (signed && !(encrypted && policy.encryptBeforeSigning())) {
      security.sign(id, writer.kept(), out.array(), 0, out.size());
    }
    if (encrypted) {
      // The content's place is taken by what it became.
      byte[] rest = out.toByteArray(end, out.size());
      out.truncate(end);
      security.encrypt(SecurityElements.CONTENT, out, content);
      out.put(rest);
      if (signed && policy.encryptBeforeSigning()) {
        signAsWritten(id, writer.kept(), out, 0);
      }
    }
  }

  private Sealing.Sealed envelope(String ofBody, Octets blocks)
      throws GeneralSecurityException, UnsupportedShape {
    String prefix = declaredWithin.contains(ofBody) ? "staithe-soap" : ofBody;
    Octets out = work.out;
    out.put("<" + prefix + ":Envelope xmlns:" + prefix + "=\"" + namespace + "\"><");
    out.put(prefix + ":Header>");
    out.put(blocks.array(), 0, blocks.size());
    security.begin(prefix, out);
    Octets timestamp = work.text;
    timestamp.clear();
    if (policy.timestamp()) {
      security.timestamp(now, departure.expectation().limits().freshness(), timestamp);
    }
    if (policy.layout() != Layout.LAX_TIMESTAMP_LAST) {
      out.put(timestamp.array(), 0, timestamp.size());
    }
    byte[] signature = null;
    if (byKeys) {
      if (policy.signatureConfirmation()) {
        security.confirm(departure.reply().confirmed());
      }
      signature = security.protection(out);
    }
    if (policy.layout() == Layout.LAX_TIMESTAMP_LAST) {
      out.put(timestamp.array(), 0, timestamp.size());
    }
    security.end(out);
    out.reserve(work.bodyOut.size() + 128);
    out.put("</" + prefix + ":Header>");
    Octets body = work.bodyOut;
    out.put(body.array(), 0, body.size());
    out.put("</" + prefix + ":Envelope>");
    return new Sealing.Sealed(out.toByteArray(), signature);
  }
}
