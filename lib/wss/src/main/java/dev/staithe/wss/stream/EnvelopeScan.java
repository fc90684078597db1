package dev.staithe.wss.stream;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.NamespaceScope;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.Tag;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * One pass over an envelope: where its header blocks stand, what WS-Addressing says, and the body
 * already in canonical form. Nothing is concluded but that it is a well-formed envelope within
 * limits.
 */
final class EnvelopeScan {
  /**
   * A header block other than the security header.
   *
   * @param from where it begins in the message
   * @param to where it ends
   * @param id by which a signature refers to it; null without
   * @param mustBeUnderstood whether it may not be left out
   * @param text of a property of WS-Addressing; null for others
   */
  record Block(
      int namespace,
      QName name,
      int from,
      int to,
      @Nullable String id,
      boolean mustBeUnderstood,
      @Nullable String text) {}

  /** Each costs many times what it takes in the message, so that a flood of them is not kept. */
  static final int MOST_BLOCKS = 256;

  /** Longer messages are made room for at once. */
  private static final int LONG = 1 << 18;

  private final Workspace work;
  private final XmlScanner scanner;
  private final boolean secured;
  final byte[] in;
  final List<Block> blocks = new ArrayList<>(8);
  SoapVersion version = SoapVersion.SOAP_1_1;
  @Nullable SecurityScan security;
  boolean severalSecurities;
  boolean hasSecurity;
  @Nullable String bodyId;
  @Nullable QName operation;
  boolean uncovered;
  int children;
  // Where in the body's canonical form decrypted content belongs; -1 where none was encrypted.
  int hole = -1;
  @Nullable EncryptedScan encrypted;

  /**
   * A pass.
   *
   * @param secured whether the security header is read, and what is signed is expected; else
   *     nothing is written, and remarks are passed
   */
  EnvelopeScan(Workspace work, byte[] in, boolean secured) {
    this.work = work;
    this.scanner = work.scanner;
    this.in = in;
    this.secured = secured;
  }

  /** One that nothing or TLS protects. */
  static EnvelopeScan whole(Workspace work, byte[] envelope, Expectation expectation)
      throws XmlRefused, Rejected, UnsupportedShape {
    var scan = new EnvelopeScan(work, XmlScanner.utf8(envelope), false);
    scan.read(Workspace.limits(expectation.limits()));
    return scan;
  }

  /** Reads all of it. */
  void read(XmlLimits limits) throws XmlRefused, Rejected, UnsupportedShape {
    scanner.limit(limits, secured ? NonContent.COMMENTS : NonContent.ALL);
    scanner.identify(secured ? work.identifiers : null, Names.WSU);
    begin();
    if (isSoap(Names.HEADER)) {
      work.header.set(scanner.scope());
      header();
      if (!child()) {
        throw new Rejected(Refusal.MALFORMED, "an envelope without a body");
      }
    }
    if (!isSoap(Names.BODY)) {
      throw new Rejected(Refusal.MALFORMED, "not one Header at most, and then one Body");
    }
    body();
    if (child()) {
      throw new Rejected(Refusal.MALFORMED, "not one Header at most, and then one Body");
    }
    if (scanner.next() != XmlScanner.DONE) {
      throw new Rejected(Refusal.MALFORMED, "more than one element");
    }
    if (secured && scanner.unusual()) {
      throw new UnsupportedShape("names beyond ASCII");
    }
    if (severalSecurities) {
      throw new Rejected(Refusal.POLICY, "more than one security header");
    }
    if (scanner.ambiguous()) {
      throw new Rejected(Refusal.POLICY, "an identifier stands for two elements");
    }
    if (scanner.crowded()) {
      throw new Rejected(Refusal.LIMIT, "more identifiers than are taken");
    }
  }

  private void begin() throws XmlRefused, Rejected, UnsupportedShape {
    scanner.document(in);
    scanner.next();
    if (scanner.is(Names.SOAP_1_1, Names.ENVELOPE)) {
      version = SoapVersion.SOAP_1_1;
    } else if (scanner.is(Names.SOAP_1_2, Names.ENVELOPE)) {
      version = SoapVersion.SOAP_1_2;
    } else {
      scanner.skip();
      throw new Rejected(Refusal.MALFORMED, "no SOAP envelope");
    }
    if (!child()) {
      throw new Rejected(Refusal.MALFORMED, "an envelope without a body");
    }
  }

  private void header() throws XmlRefused, Rejected, UnsupportedShape {
    while (child()) {
      NamespaceScope scope = scanner.scope();
      Tag tag = scanner.tag();
      boolean forUs = isForUs(tag);
      if (scanner.is(Names.WSSE, Names.SECURITY) && forUs) {
        severalSecurities |= hasSecurity;
        hasSecurity = true;
        if (!secured) {
          block(tag, scope, forUs);
        } else if (severalSecurities) {
          scanner.skip();
        } else {
          work.security.set(scope);
          security = new SecurityScan(work, in);
          security.read();
        }
      } else {
        block(tag, scope, forUs);
      }
    }
  }

  private void block(Tag tag, NamespaceScope scope, boolean forUs)
      throws XmlRefused, Rejected, UnsupportedShape {
    if (blocks.size() == MOST_BLOCKS) {
      throw new Rejected(Refusal.LIMIT, "more header blocks than are taken");
    }
    int from = scanner.startAt();
    int namespace = scanner.namespace();
    String id = tag.identifier(scope);
    boolean must = forUs && mustUnderstand(tag);
    if (secured && (namespace == Names.XENC || namespace == Names.WSSE11)) {
      throw new UnsupportedShape("an encrypted header block");
    }
    var name = new QName(scanner.namespaceName(), scanner.localName());
    String text = null;
    if (namespace == Names.WSA || namespace == Names.WSA_2004) {
      text = addressing(namespace);
    } else {
      scanner.skip();
    }
    blocks.add(new Block(namespace, name, from, scanner.position(), id, must, text));
  }

  private @Nullable String addressing(int namespace) throws XmlRefused, UnsupportedShape {
    if (scanner.is(namespace, Names.REPLY_TO) || scanner.is(namespace, Names.FAULT_TO)) {
      return endpoint(namespace);
    }
    if (scanner.is(namespace, Names.ACTION)
        || scanner.is(namespace, Names.MESSAGE_ID)
        || scanner.is(namespace, Names.TO)) {
      return text();
    }
    scanner.skip();
    return null;
  }

  /** Its address; empty where there is not just one, as services may differ in which they take. */
  private String endpoint(int namespace) throws XmlRefused, UnsupportedShape {
    String address = null;
    while (child()) {
      if (scanner.is(namespace, Names.ADDRESS)) {
        String each = text();
        address = address == null ? each : "";
      } else {
        scanner.skip();
      }
    }
    return address == null ? "" : address;
  }

  private String text() throws XmlRefused, UnsupportedShape {
    work.text.clear();
    if (!scanner.content(work.text)) {
      throw new UnsupportedShape("elements where text is expected");
    }
    return new String(work.text.array(), 0, work.text.size(), StandardCharsets.UTF_8).strip();
  }

  private void body() throws XmlRefused, UnsupportedShape {
    bodyId = scanner.tag().identifier(scanner.scope());
    work.body.set(scanner.scope());
    if (!secured) {
      passBody();
      return;
    }
    work.canonical.begin(security == null ? List.of() : security.prefixesOf(bodyId));
    work.canonical.start(scanner, work.bodyOut);
    int depth = scanner.depth();
    while (true) {
      int event = scanner.next();
      if (event == XmlScanner.TEXT) {
        work.canonical.text(scanner, work.bodyOut);
      } else if (event == XmlScanner.END) {
        break;
      } else {
        child(depth);
      }
    }
    // Not left: what was encrypted is written within it later.
    work.canonical.endTag(scanner, depth, work.bodyOut);
    uncovered = work.canonical.uncovered();
  }

  /** Whoever passes a message on does that in the bytes that came. */
  private void passBody() throws XmlRefused {
    while (child()) {
      children++;
      operation = children == 1 ? new QName(scanner.namespaceName(), scanner.localName()) : null;
      scanner.skip();
    }
  }

  private void child(int depth) throws XmlRefused, UnsupportedShape {
    children++;
    if (encrypted != null) {
      throw new UnsupportedShape("more than encrypted data in the body");
    }
    if (scanner.is(Names.XENC, Names.ENCRYPTED_DATA) && security != null) {
      if (children > 1) {
        throw new UnsupportedShape("more than encrypted data in the body");
      }
      encrypted = new EncryptedScan();
      encrypted.read(work);
      hole = work.bodyOut.size();
      return;
    }
    if (children == 1 && in.length > LONG) {
      // No more than what is left, and not half as much again.
      work.bodyOut.reserve(in.length - scanner.startAt() + 1_024);
    }
    operation = children == 1 ? new QName(scanner.namespaceName(), scanner.localName()) : null;
    work.canonical.element(scanner, work.bodyOut);
    if (scanner.depth() != depth) {
      throw new IllegalStateException("an element that does not end where it ends");
    }
  }

  /** Goes to the next element, or to the end of the one around. */
  private boolean child() throws XmlRefused {
    return child(scanner);
  }

  /** Goes to the next element, or to the end of the one around; text between is passed. */
  static boolean child(XmlScanner scanner) throws XmlRefused {
    while (true) {
      switch (scanner.next()) {
        case XmlScanner.START -> {
          return true;
        }
        case XmlScanner.END, XmlScanner.DONE -> {
          return false;
        }
        default -> {
          // Text between elements says nothing.
        }
      }
    }
  }

  private boolean isSoap(byte[] localName) {
    return scanner.is(version == SoapVersion.SOAP_1_1 ? Names.SOAP_1_1 : Names.SOAP_1_2, localName);
  }

  private boolean isForUs(Tag tag) {
    String role =
        soapAttribute(tag, version == SoapVersion.SOAP_1_1 ? Names.ACTOR : Names.ROLE).strip();
    return switch (role) {
      case "",
          "http://schemas.xmlsoap.org/soap/actor/next",
          "http://www.w3.org/2003/05/soap-envelope/role/next",
          "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver" ->
          true;
      default -> false;
    };
  }

  private boolean mustUnderstand(Tag tag) {
    String value = soapAttribute(tag, Names.MUST_UNDERSTAND).strip();
    return value.equals("1") || value.equals("true");
  }

  private String soapAttribute(Tag tag, byte[] localName) {
    int namespace = version == SoapVersion.SOAP_1_1 ? Names.SOAP_1_1 : Names.SOAP_1_2;
    for (int i = 0; i < tag.count(); i++) {
      if (tag.hasPrefix(i)
          && tag.hasLocalName(i, localName)
          && tag.namespace(i, scanner.scope()) == namespace) {
        return tag.value(i);
      }
    }
    return "";
  }

  /** What WS-Addressing says in some of the header blocks. */
  static PlainMessage.Addressing addressing(List<Block> blocks) throws Rejected {
    PlainMessage.Addressing newer = addressing(blocks, Names.WSA);
    PlainMessage.Addressing older = addressing(blocks, Names.WSA_2004);
    if (newer.namespace() != null && older.namespace() != null) {
      throw new Rejected(Refusal.MALFORMED, "addressing properties in two namespaces");
    }
    return newer.namespace() == null ? older : newer;
  }

  private static PlainMessage.Addressing addressing(List<Block> blocks, int namespace)
      throws Rejected {
    String action = property(blocks, namespace, "Action");
    String messageId = property(blocks, namespace, "MessageID");
    String to = property(blocks, namespace, "To");
    String replyTo = property(blocks, namespace, "ReplyTo");
    String faultTo = property(blocks, namespace, "FaultTo");
    return action == null && messageId == null && to == null && replyTo == null && faultTo == null
        ? PlainMessage.Addressing.NONE
        : new PlainMessage.Addressing(
            Names.NAMESPACES.name(namespace), action, messageId, to, replyTo, faultTo);
  }

  private static @Nullable String property(List<Block> blocks, int namespace, String name)
      throws Rejected {
    String found = null;
    for (Block each : blocks) {
      if (each.namespace() == namespace && each.name().getLocalPart().equals(name)) {
        if (found != null) {
          throw new Rejected(Refusal.MALFORMED, "an addressing property that is there twice");
        }
        found = each.text() == null ? "" : each.text();
      }
    }
    return found;
  }
}
