package dev.staithe.pki;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.util.encoders.Hex;

/**
 * The subject of a person's or a service's certificate, in both ways of writing that are in use.
 * Two are equal where their relative names, and the characters in these, are the same; neither the
 * case nor the Unicode form is bent, but the kind of string in which an authority encoded them does
 * not matter, since authorities change it.
 *
 * @param name as RFC 4514 writes it, the most special first: {@code CN=Ada,O=Example,C=DE}. No two
 *     subjects have the same. Printable ASCII; what is not is escaped
 * @param slashed as OpenSSL and Globus write it: {@code /C=DE/O=Example/CN=Ada}. For people and
 *     logs: a slash inside a value looks like a new part, so it must not be compared
 */
public record GridSubject(String name, String slashed) {
  private static final Map<String, String> LABELS =
      Map.ofEntries(
          Map.entry("2.5.4.3", "CN"),
          Map.entry("2.5.4.4", "SN"),
          Map.entry("2.5.4.5", "serialNumber"),
          Map.entry("2.5.4.6", "C"),
          Map.entry("2.5.4.7", "L"),
          Map.entry("2.5.4.8", "ST"),
          Map.entry("2.5.4.9", "STREET"),
          Map.entry("2.5.4.10", "O"),
          Map.entry("2.5.4.11", "OU"),
          Map.entry("2.5.4.12", "title"),
          Map.entry("2.5.4.42", "GN"),
          Map.entry("0.9.2342.19200300.100.1.1", "UID"),
          Map.entry("0.9.2342.19200300.100.1.25", "DC"),
          Map.entry("1.2.840.113549.1.9.1", "emailAddress"));

  /** What else these are called where people write them. */
  private static final Map<String, String> KEYWORDS =
      Map.ofEntries(
          Map.entry("SN", "2.5.4.4"),
          Map.entry("SURNAME", "2.5.4.4"),
          Map.entry("SERIALNUMBER", "2.5.4.5"),
          Map.entry("TITLE", "2.5.4.12"),
          Map.entry("GN", "2.5.4.42"),
          Map.entry("GIVENNAME", "2.5.4.42"),
          Map.entry("USERID", "0.9.2342.19200300.100.1.1"),
          Map.entry("E", "1.2.840.113549.1.9.1"),
          Map.entry("EMAIL", "1.2.840.113549.1.9.1"),
          Map.entry("EMAILADDRESS", "1.2.840.113549.1.9.1"));

  private static final Pattern NEXT_PART = Pattern.compile("/(?=[A-Za-z0-9.]+=)");

  /** Bytes in a row as OpenSSL and Globus write those that are not printable ASCII. */
  private static final Pattern ESCAPED_BYTES = Pattern.compile("(?:\\\\x[0-9A-Fa-f]{2})+");

  /** The name of a certificate's subject. */
  public static GridSubject of(X500Principal subject) {
    RDN[] parts = X500Name.getInstance(subject.getEncoded()).getRDNs();
    StringBuilder name = new StringBuilder();
    StringBuilder slashed = new StringBuilder();
    for (int i = parts.length - 1; i >= 0; i--) {
      name.append(name.isEmpty() ? "" : ",");
      append(name, parts[i], true);
    }
    for (RDN part : parts) {
      append(slashed.append('/'), part, false);
    }
    return new GridSubject(name.toString(), slashed.toString());
  }

  /**
   * Reads a name that a person wrote, in either way. One that begins with a slash is taken apart at
   * each slash that stands before a keyword and an equals sign; a value that holds such a thing
   * must be written in the other way. In its values {@code \xC3\xA9} are bytes: of UTF-8, or else
   * of Latin-1, in which old authorities encoded.
   *
   * @throws IllegalArgumentException with one line where it is no name
   */
  public static GridSubject parse(String written) {
    String text = written.strip();
    try {
      GridSubject read =
          of(new X500Principal(text.startsWith("/") ? reversed(text) : text, KEYWORDS));
      if (read.name().isEmpty()) {
        throw new IllegalArgumentException("the empty name is nobody's");
      }
      return read;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no name of a certificate, such as CN=Ada,O=Example,C=DE", e);
    }
  }

  /**
   * The name as people know it, for rules to compare: slashed, but for names in which a value looks
   * like a further part, or is not all of printable ASCII. These are written as RFC 4514 does, so
   * that no two subjects are written alike.
   */
  public String distinct() {
    try {
      return !slashed.contains("\\x") && parse(slashed).name.equals(name) ? slashed : name;
    } catch (IllegalArgumentException e) {
      return name;
    }
  }

  /** Whether a value, written with slashes, would look like further parts of the name. */
  public static boolean misleadsWithSlashes(X500Principal subject) {
    for (RDN part : X500Name.getInstance(subject.getEncoded()).getRDNs()) {
      for (AttributeTypeAndValue each : part.getTypesAndValues()) {
        if (each.getValue() instanceof ASN1String value
            && NEXT_PART.matcher(value.getString()).find()) {
          return true;
        }
      }
    }
    return false;
  }

  private static String reversed(String slashed) {
    StringBuilder name = new StringBuilder();
    String[] parts = NEXT_PART.split(slashed);
    for (int i = parts.length - 1; i > 0; i--) {
      int equals = parts[i].indexOf('=');
      name.append(name.isEmpty() ? "" : ",").append(parts[i], 0, equals + 1);
      escape(name, decoded(parts[i].substring(equals + 1)));
    }
    if (parts.length < 2 || !parts[0].isEmpty()) {
      throw new IllegalArgumentException("no keyword after the first slash");
    }
    return name.toString();
  }

  private static String decoded(String value) {
    return ESCAPED_BYTES
        .matcher(value)
        .replaceAll(
            run -> {
              byte[] bytes = HexFormat.of().parseHex(run.group().replace("\\x", ""));
              return Matcher.quoteReplacement(text(bytes));
            });
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }

  private static void append(StringBuilder out, RDN part, boolean escaped) {
    AttributeTypeAndValue[] values = part.getTypesAndValues();
    for (int i = 0; i < values.length; i++) {
      ASN1ObjectIdentifier type = values[i].getType();
      String label = LABELS.get(type.getId());
      out.append(i == 0 ? "" : "+").append(label == null ? type.getId() : label).append('=');
      ASN1Encodable value = values[i].getValue();
      if (label == null || !(value instanceof ASN1String string)) {
        out.append('#').append(der(value));
      } else if (escaped) {
        escape(out, string.getString());
      } else {
        visible(out, string.getString());
      }
    }
  }

  private static String der(ASN1Encodable value) {
    try {
      return Hex.toHexString(value.toASN1Primitive().getEncoded("DER")).toUpperCase(Locale.ROOT);
    } catch (java.io.IOException e) {
      throw new IllegalArgumentException("a name that cannot be encoded", e);
    }
  }

  /** RFC 4514 section 2.4. */
  private static void escape(StringBuilder out, String value) {
    for (int i = 0; i < value.length(); ) {
      int c = value.codePointAt(i);
      boolean atEdge = i == 0 || i == value.length() - 1;
      if (c < ' ' || c >= 0x7f) {
        hex(out, c, "\\");
      } else if (",+\"\\<>;=".indexOf(c) >= 0 || c == ' ' && atEdge || c == '#' && i == 0) {
        out.append('\\').append((char) c);
      } else {
        out.append((char) c);
      }
      i += Character.charCount(c);
    }
  }

  private static void visible(StringBuilder out, String value) {
    value
        .codePoints()
        .forEach(
            c -> {
              if (c < ' ' || c >= 0x7f) {
                hex(out, c, "\\x");
              } else {
                out.append((char) c);
              }
            });
  }

  /** So that the line of a log, and of an answer, is one, and look-alikes do not look alike. */
  private static void hex(StringBuilder out, int codePoint, String prefix) {
    for (byte b : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
      out.append(prefix).append(String.format(Locale.ROOT, "%02X", b & 0xff));
    }
  }

  /** In RFC 4514's way. */
  @Override
  public String toString() {
    return name;
  }
}
