package dev.staithe.wss.stream;

import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.EndpointPolicy.Layout;
import dev.staithe.xml.ExclusiveCanonical;
import dev.staithe.xml.NamespaceScope;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.Octets;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.xml.namespace.QName;

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

  /** How many prefixes are declared around the answer. */
  private static final int DECLARED = 3;

  private final Surroundings surroundings;
  private final Certificates certificates;
  private final Work work;
  private final Departure departure;
  private final EndpointPolicy policy;
  private final XmlScanner scanner;
  private final XmlLimits limits;
  private final int soap;
  private final String namespace;
  private final Instant now;
  private final SecurityWriter security;
  private byte[] in;

  MessageSealing(
      Surroundings surroundings, Certificates certificates, Departure departure, Work work)
      throws XmlRefused {
    this.surroundings = surroundings;
    this.certificates = certificates;
    this.work = work;
    this.departure = departure;
    Expectation expectation = departure.expectation();
    this.policy = expectation.policy();
    this.scanner = work.scanner;
    long most = Math.max(expectation.limits().bytes(), departure.envelope().length);
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
    this.security = new SecurityWriter(work, certificates, policy);
    this.in = XmlScanner.utf8(departure.envelope());
  }

  /** Protects it. */
  Sealing.Sealed seal() throws XmlRefused, Strange, GeneralSecurityException {
    try {
      return sealed();
    } finally {
      security.forget();
    }
  }

  private Sealing.Sealed sealed() throws XmlRefused, Strange, GeneralSecurityException {
    begin();
    Octets blocks = work.part;
    blocks.clear();
    if (scanner.is(soap, Names.HEADER)) {
      work.header.set(scanner.scope());
      header(blocks);
      if (!EnvelopeScan.child(scanner)) {
        throw new Strange("an envelope without a body");
      }
    }
    if (!scanner.is(soap, Names.BODY)) {
      throw new Strange("not one Header at most, and then one Body");
    }
    String prefix = scanner.scope().namespace("soap").equals(namespace) ? "soap" : "staithe-soap";
    if (scanner.tag().count() > 0 && scanner.tag().identifier(scanner.scope()) == null) {
      // Attributes of the back end stay; an identifier is put among them, and all begins anew.
      return again(identified(0, scanner.position(), in.length, work.nextId("b")));
    }
    body(prefix);
    end();
    return envelope(prefix, blocks);
  }

  private Sealing.Sealed again(byte[] envelope)
      throws XmlRefused, Strange, GeneralSecurityException {
    var same = new Departure(envelope, departure.reply(), departure.expectation());
    return new MessageSealing(surroundings, certificates, same, work).sealed();
  }

  private void end() throws XmlRefused, Strange {
    if (EnvelopeScan.child(scanner) || scanner.next() != XmlScanner.DONE) {
      throw new Strange("not one Header at most, and then one Body");
    }
  }

  private void begin() throws XmlRefused, Strange {
    scanner.limit(limits, NonContent.ALL);
    scanner.identify(null, Names.WSU);
    scanner.document(in);
    byte[] version = namespace.getBytes(StandardCharsets.US_ASCII);
    scanner.declare(SOAP_PREFIX, version);
    scanner.declare(OTHER_PREFIX, version);
    scanner.declare(UTILITY_PREFIX, UTILITY_NAMESPACE);
    scanner.next();
    if (!scanner.is(soap, Names.ENVELOPE) || !EnvelopeScan.child(scanner)) {
      throw new Strange("no envelope of its request's SOAP");
    }
  }

  private void header(Octets out) throws XmlRefused, Strange {
    while (EnvelopeScan.child(scanner)) {
      if (scanner.is(Names.WSSE, Names.SECURITY)) {
        // Ours replaces whatever the back end wrote; there is one at most (BSP 1.1 R5206).
        scanner.skip();
        continue;
      }
      var name = new QName(scanner.namespaceName(), scanner.localName());
      boolean signed = MessageOpening.wanted(policy.signed(), name);
      String id = signed ? scanner.tag().identifier(scanner.scope()) : null;
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
      work.piece.limit(limits, NonContent.ALL);
      work.piece.identify(null, 0);
      work.piece.piece(block, from, to, work.header, 2);
      work.piece.next();
      writer.beginInclusive(DECLARED);
      int start = out.size();
      writer.element(work.piece, out);
      if (id != null) {
        security.sign(id, writer.kept(), out.array(), start, out.size() - start);
      }
    }
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
  private void body(String prefix) throws XmlRefused, GeneralSecurityException, Strange {
    NamespaceScope scope = work.body;
    scope.set(scanner.scope());
    String id = String.valueOf(scanner.tag().identifier(scanner.scope()));
    ExclusiveCanonical writer = work.canonical;
    writer.beginInclusive(DECLARED);
    Octets out = work.bodyOut;
    if (in.length > 1 << 18) {
      out.reserve(in.length - scanner.startAt() + 1_024);
    }
    int depth = scanner.depth();
    boolean plain = scanner.tag().count() == 0;
    if (plain) {
      id = work.nextId("b");
      byte[] tag =
          ("<" + prefix + ":Body " + UTILITY + ":Id=\"" + id + "\"></" + prefix + ":Body>")
              .getBytes(StandardCharsets.US_ASCII);
      work.piece.limit(limits, NonContent.ALL);
      work.piece.identify(null, 0);
      work.piece.piece(tag, 0, tag.length, scope, 1);
      work.piece.next();
      writer.start(work.piece, out);
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
    int end = out.size();
    if (plain) {
      out.put("</" + prefix + ":Body>");
    } else {
      writer.endTag(scanner, depth, out);
    }
    if (policy.signed().body()) {
      security.sign(id, writer.kept(), out.array(), 0, out.size());
    }
    if (policy.encrypted().body()) {
      encrypt(content, end);
    }
  }

  private void encrypt(int content, int end) throws GeneralSecurityException, Strange {
    Octets out = work.bodyOut;
    String id = work.nextId("e");
    security.prepare(departure.reply().keys());
    byte[] key = security.encryptionKey();
    work.plain.clear();
    work.cipher.encrypt(
        policy.suite().encryption(), key, out.array(), content, end - content, work.plain);
    // The content's place is taken by what it became.
    byte[] rest = out.toByteArray(end, out.size());
    out.truncate(content);
    security.encryptedData(id, work.plain, out);
    out.put(rest);
    work.plain.clear();
  }

  private Sealing.Sealed envelope(String prefix, Octets blocks)
      throws GeneralSecurityException, Strange {
    Reply reply = departure.reply();
    security.prepare(reply.keys());
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
    if (policy.signatureConfirmation()) {
      security.confirm(reply.confirmed(), out);
    }
    security.keys(out);
    byte[] signature = security.signature(out);
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
