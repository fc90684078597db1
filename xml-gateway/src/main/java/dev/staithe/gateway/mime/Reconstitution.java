package dev.staithe.gateway.mime;

import dev.staithe.wss.Refusal;
import dev.staithe.xml.ByteNames;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.Octets;
import dev.staithe.xml.Tag;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts back into an envelope what XOP took out of it (XOP 1.0 section 3.2): each {@code Include}
 * becomes the base64 of the part that it names. That is what a sender signs, and what is judged: a
 * part that is changed, or stands where another should, is a signature that does not fit. All other
 * bytes of the envelope stay as they are. Every part is put back exactly once, so nothing is left
 * beside the envelope, and nothing grows but by base64.
 */
public final class Reconstitution {
  /** What came of it. */
  public sealed interface Outcome {
    /** An envelope with everything in it, in UTF-8, without an XML declaration. */
    record Whole(byte[] envelope) implements Outcome {}

    /** Not to be put together. */
    record Refused(Refusal reason, String detail) implements Outcome {}
  }

  /** The media type of an envelope that parts were taken out of. */
  static final String TYPE = "application/xop+xml";

  private static final ByteNames NAMES =
      new ByteNames(List.of("http://www.w3.org/2004/08/xop/include"));
  private static final int XOP = 1;
  private static final byte[] INCLUDE = "Include".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HREF = "href".getBytes(StandardCharsets.US_ASCII);

  /** As much as is encoded at once: thirds of it fall on whole groups. */
  private static final int CHUNK = 3 << 13;

  /** An Include, and what comes in its place. */
  private record Place(int from, int to, MimePart part) {}

  private static final class Broken extends Exception {
    private final Refusal reason;
    private final String detail;

    private Broken(Refusal reason, String detail) {
      super(detail, null, false, false);
      this.reason = reason;
      this.detail = detail;
    }

    private Broken(String detail) {
      this(Refusal.MALFORMED, detail);
    }
  }

  private final byte[] whole;
  private final Map<String, MimePart> waiting = new HashMap<>();
  private final List<Place> places = new ArrayList<>();
  private final XmlScanner scanner = new XmlScanner(NAMES);

  private Reconstitution(byte[] whole) {
    this.whole = whole;
  }

  /**
   * Puts an envelope together.
   *
   * @param body of all parts; not changed
   * @param contentType of that, {@code multipart/related}
   * @param most bytes that the envelope may have then
   */
  public static Outcome of(byte[] body, String contentType, long most) {
    try {
      return new Outcome.Whole(new Reconstitution(body).envelope(contentType, most));
    } catch (Broken e) {
      return new Outcome.Refused(e.reason, e.detail);
    } catch (XmlRefused e) {
      Refusal reason =
          switch (e.kind()) {
            case TOO_LARGE, OVER_LIMIT -> Refusal.LIMIT;
            case FORBIDDEN, MALFORMED -> Refusal.MALFORMED;
          };
      return new Outcome.Refused(reason, e.reason());
    }
  }

  private byte[] envelope(String contentType, long most) throws Broken, XmlRefused {
    MimeParts parts = MimeParts.of(whole, contentType).orElse(null);
    if (parts == null) {
      throw new Broken("no root part of MTOM");
    }
    if (!MediaType.isXop(contentType) || !parts.root().type().equals(TYPE)) {
      // SOAP with attachments: they mean something by themselves, and nothing vouches for that.
      throw new Broken(Refusal.COVERAGE, "attachments beside an envelope that keys protect");
    }
    List<MimePart> others = parts.others().orElse(null);
    if (others == null) {
      throw new Broken("parts that cannot be told apart, are encoded, or are too many");
    }
    for (MimePart each : others) {
      if (each.id() == null) {
        throw unreferenced();
      }
      if (each.id().equals(parts.root().id()) || waiting.put(each.id(), each) != null) {
        throw new Broken("two parts of one Content-ID");
      }
    }
    byte[] in = XmlScanner.utf8(MediaType.utf8(parts.root().contentType(), parts.envelope()));
    scanner.limit(XmlLimits.ofBytes(most), NonContent.ALL);
    scanner.document(in);
    // A declaration may tell of the encoding that it came in.
    int begin = scanner.position();
    find(in);
    if (!waiting.isEmpty()) {
      throw unreferenced();
    }
    return together(in, begin, most);
  }

  private static Broken unreferenced() {
    return new Broken(Refusal.COVERAGE, "a part that the envelope does not include");
  }

  private void find(byte[] in) throws Broken, XmlRefused {
    // Where the content begins of the element that just started.
    int content = -1;
    int event = scanner.next();
    while (event != XmlScanner.DONE) {
      if (event == XmlScanner.START && scanner.is(XOP, INCLUDE)) {
        place(in, content);
        content = -1;
      } else {
        content = event == XmlScanner.START ? scanner.position() : -1;
      }
      event = scanner.next();
    }
  }

  /** Section 2.1: nothing else is in its element, and nothing in it. */
  private void place(byte[] in, int content) throws Broken, XmlRefused {
    int from = scanner.startAt();
    Tag tag = scanner.tag();
    int href = tag.find(HREF);
    if (href < 0 || tag.count() > 1) {
      throw new Broken("an Include with more or less than its href");
    }
    MimePart part = named(tag.value(href));
    int inner = scanner.position();
    if (scanner.next() != XmlScanner.END
        || inner != scanner.position() && !isEndTag(in, inner)
        || from != content
        || !isEndTag(in, scanner.position())) {
      throw new Broken("an Include that is not alone in its element");
    }
    places.add(new Place(from, scanner.position(), part));
  }

  private static boolean isEndTag(byte[] in, int at) {
    return at + 1 < in.length && in[at] == '<' && in[at + 1] == '/';
  }

  /** Takes the part that a URL names (RFC 2392), so that it is not there a second time. */
  private MimePart named(String href) throws Broken {
    if (!href.regionMatches(true, 0, "cid:", 0, 4)) {
      throw new Broken("an Include of what is no part");
    }
    String written = href.substring(4);
    String meant = decoded(written);
    MimePart part = meant == null ? null : waiting.remove('<' + meant + '>');
    if (part == null) {
      // CXF escapes a Content-ID too, and names it as it is written there.
      part = waiting.remove('<' + written + '>');
    }
    if (part == null) {
      throw new Broken("an Include of a part that is not there, or no more");
    }
    return part;
  }

  /** Without percent signs (RFC 3986 section 2.1); null where it has one that escapes nothing. */
  private static @Nullable String decoded(String written) {
    byte[] in = written.getBytes(StandardCharsets.UTF_8);
    var out = new ByteArrayOutputStream(in.length);
    for (int i = 0; i < in.length; i++) {
      if (in[i] != '%') {
        out.write(in[i]);
        continue;
      }
      int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
      int low = i + 2 < in.length ? Character.digit(in[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        return null;
      }
      out.write(high << 4 | low);
      i += 2;
    }
    // Heads are read as these, byte by byte.
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  private byte[] together(byte[] in, int begin, long most) throws Broken {
    long size = in.length - begin;
    for (Place each : places) {
      size += (each.part().length() + 2L) / 3 * 4 - (each.to() - each.from());
    }
    if (size > most) {
      throw new Broken(
          Refusal.LIMIT, "more than " + most + " bytes with all parts in the envelope");
    }
    var out = new Octets((int) size);
    int done = begin;
    for (Place each : places) {
      out.put(in, done, each.from() - done);
      encode(each.part(), out);
      done = each.to();
    }
    out.put(in, done, in.length - done);
    return out.size() == out.array().length ? out.array() : out.toByteArray();
  }

  /** In the canonical form of XML Schema part 2 section 3.2.16: no space, no line break. */
  private void encode(MimePart part, Octets out) {
    for (int at = part.from(); at < part.to(); at += CHUNK) {
      int to = Math.min(at + CHUNK, part.to());
      out.put(Base64.getEncoder().encode(Arrays.copyOfRange(whole, at, to)));
    }
  }
}
