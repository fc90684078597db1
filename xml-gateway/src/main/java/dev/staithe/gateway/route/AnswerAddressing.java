package dev.staithe.gateway.route;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.PlainMessage;
import dev.staithe.xml.ByteNames;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import dev.staithe.xml.XmlText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says in answers what they are and what they relate to, where their requests were addressed
 * (WS-Addressing 1.0 core section 3.4, SOAP binding section 6): clients of WS-SecureConversation
 * demand it, and a plain service does not write it. A service that addresses its answers itself is
 * left alone.
 */
final class AnswerAddressing {
  private static final ByteNames NO_NAMES = new ByteNames(List.of());

  /** Where the new blocks go in an envelope. */
  private record Place(int root, int at, boolean inHeader, byte @Nullable [] closing) {}

  private final XmlScanner scanner = new XmlScanner(NO_NAMES);
  private final byte[] in;
  private final String soap;
  private boolean fault;

  private AnswerAddressing(byte[] in, SoapVersion version) {
    this.in = in;
    this.soap = version.namespace();
  }

  /**
   * Adds the header blocks.
   *
   * @param envelope of an answer or a fault
   * @param request that it answers; nothing of it that was not verified
   * @param action of an answer that is no fault; gives null where it is not known, and then nothing
   *     is added, since an answer without an action would be wrong
   * @return the same array where nothing is to be added, or nothing can be: engines judge it
   */
  static byte[] add(byte[] envelope, PlainMessage request, Supplier<@Nullable String> action) {
    PlainMessage.Addressing addressing = request.addressing();
    String namespace = addressing.namespace();
    String relation = addressing.relation();
    if (namespace == null || relation == null) {
      return envelope;
    }
    try {
      byte[] in = XmlScanner.utf8(envelope);
      var answer = new AnswerAddressing(in, request.version());
      Place place = answer.place();
      if (place == null) {
        return envelope;
      }
      String said = answer.fault ? ofFault(namespace) : action.get();
      return said == null || !Outgoing.isSafe(said)
          ? envelope
          : answer.written(place, blocks(namespace, said, relation));
    } catch (XmlRefused e) {
      return envelope;
    }
  }

  /** WS-Addressing 1.0 SOAP binding section 6, and section 4 of the one of 2004. */
  private static String ofFault(String namespace) {
    return Namespaces.WSA.equals(namespace) ? namespace + "/soap/fault" : namespace + "/fault";
  }

  private static String blocks(String namespace, String action, String relation) {
    String declared = " xmlns:wsa=\"" + XmlText.escapeAttribute(namespace) + "\">";
    return "<wsa:Action"
        + declared
        + XmlText.escape(action)
        + "</wsa:Action><wsa:RelatesTo"
        + declared
        + XmlText.escape(relation)
        + "</wsa:RelatesTo>";
  }

  /** Null where the answer is addressed already, or is no envelope of the request's SOAP. */
  private @Nullable Place place() throws XmlRefused {
    scanner.limit(XmlLimits.ofBytes(Math.max(1, in.length)), NonContent.ALL);
    scanner.identify(null, 0);
    scanner.document(in);
    scanner.next();
    if (!is("Envelope")) {
      return null;
    }
    int root = scanner.startAt();
    if (!child()) {
      return null;
    }
    Place place = new Place(root, scanner.startAt(), false, null);
    if (is("Header")) {
      place = inHeader(root);
      while (child()) {
        if (isAddressing(scanner.namespaceName())) {
          return null;
        }
        scanner.skip();
      }
      if (!child()) {
        return null;
      }
    }
    if (!is("Body")) {
      return null;
    }
    fault = child() && is("Fault");
    return place;
  }

  private Place inHeader(int root) {
    int start = scanner.startAt();
    int after = scanner.position();
    if (in[after - 2] != '/') {
      return new Place(root, after, true, null);
    }
    int end = start + 1;
    while (in[end] > ' ' && in[end] != '/') {
      end++;
    }
    byte[] name = new byte[end - start - 1];
    System.arraycopy(in, start + 1, name, 0, name.length);
    return new Place(root, after, true, name);
  }

  private static boolean isAddressing(String namespace) {
    return namespace.equals(Namespaces.WSA) || namespace.equals(Namespaces.WSA_2004);
  }

  private boolean is(String name) {
    return scanner.namespaceName().equals(soap) && scanner.localName().equals(name);
  }

  /** To the next child of the element that is open; false at its end. */
  private boolean child() throws XmlRefused {
    int next = scanner.next();
    while (next == XmlScanner.TEXT) {
      next = scanner.next();
    }
    return next == XmlScanner.START;
  }

  /**
   * Without what stood before the envelope: a declaration may name the encoding that it came in.
   */
  private byte[] written(Place place, String blocks) {
    var out = new ByteArrayOutputStream(in.length + 1_024);
    byte[] closing = place.closing();
    if (closing != null) {
      out.write(in, place.root(), place.at() - 2 - place.root());
      out.write('>');
      out.writeBytes(blocks.getBytes(StandardCharsets.UTF_8));
      out.write('<');
      out.write('/');
      out.writeBytes(closing);
      out.write('>');
    } else {
      out.write(in, place.root(), place.at() - place.root());
      String header =
          place.inHeader()
              ? blocks
              : "<staithe-soap:Header xmlns:staithe-soap=\""
                  + soap
                  + "\">"
                  + blocks
                  + "</staithe-soap:Header>";
      out.writeBytes(header.getBytes(StandardCharsets.UTF_8));
    }
    out.write(in, place.at(), in.length - place.at());
    return out.toByteArray();
  }
}
