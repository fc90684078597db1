package dev.staithe.xml;

import dev.staithe.xml.XmlRefused.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decodes a document by its byte order mark or its declaration (XML 1.0, appendix F). Done here and
 * strictly, because the parser's own decoder writes about invalid bytes to the standard error
 * stream and knows many more encodings than anybody sends.
 */
final class XmlEncoding {
  /** The longest declaration, in two octets for each character, with what stands before it. */
  private static final int DECLARATION = 2 * Declaration.LONGEST + 8;

  private static final Pattern DECLARES = Pattern.compile("\\A<\\?xml[ \\t\\r\\n]");

  private static final Pattern ENCODING =
      Pattern.compile("^<\\?xml\\s[^>]*?encoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");

  private static final List<Charset> ACCEPTED =
      List.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);

  private XmlEncoding() {}

  static Reader decode(InputStream in) throws IOException, XmlRefused {
    var pushback = new PushbackInputStream(in, DECLARATION);
    byte[] head = pushback.readNBytes(DECLARATION);
    Charset charset = StandardCharsets.UTF_8;
    int mark = 0;
    if (startsWith(head, 0xEF, 0xBB, 0xBF)) {
      mark = 3;
    } else if (startsWith(head, 0xFE, 0xFF)) {
      charset = StandardCharsets.UTF_16BE;
      mark = 2;
    } else if (startsWith(head, 0xFF, 0xFE)) {
      charset = StandardCharsets.UTF_16LE;
      mark = 2;
    } else if (startsWith(head, 0, '<')) {
      charset = StandardCharsets.UTF_16BE;
    } else if (startsWith(head, '<', 0)) {
      charset = StandardCharsets.UTF_16LE;
    } else {
      charset = declared(new String(head, StandardCharsets.ISO_8859_1));
    }
    // The parser would take declarations that say nothing, as of the encoding ''.
    String begin =
        new String(
            head,
            mark,
            head.length - mark,
            charset == StandardCharsets.UTF_8 ? StandardCharsets.ISO_8859_1 : charset);
    if (DECLARES.matcher(begin).find() && !Declaration.isOne(begin)) {
      throw XmlScanner.malformed("no declaration of XML 1.0");
    }
    pushback.unread(head, mark, head.length - mark);
    return new InputStreamReader(
        pushback,
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  private static Charset declared(String head) throws XmlRefused {
    Matcher matcher = ENCODING.matcher(head);
    if (!matcher.find()) {
      return StandardCharsets.UTF_8;
    }
    String name = matcher.group(1).toUpperCase(Locale.ROOT);
    for (Charset charset : ACCEPTED) {
      if (charset.name().equals(name) || charset.aliases().contains(name)) {
        return charset;
      }
    }
    throw new XmlRefused(Kind.MALFORMED, "the encoding is not accepted: UTF-8 is expected");
  }

  private static boolean startsWith(byte[] head, int... bytes) {
    if (head.length < bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if ((head[i] & 0xff) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
