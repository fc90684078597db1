package dev.staithe.pki;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * A name in a certificate, put together from parts so that no value can turn into two (RFC 5280
 * §4.1.2.4). Two names are equal where they are for a relying party: letters' case, their Unicode
 * form and the number of spaces do not count (RFC 5280 §7.1). Immutable and thread-safe.
 */
public final class DistinguishedName {
  /** RFC 5280 appendix A: the bound of a common name, an organization and its unit. */
  private static final int LONGEST = 64;

  /** More parts than this are nobody's name. */
  private static final int MOST_PARTS = 16;

  /** What a part may be. */
  public enum Attribute {
    /** A domain's label (RFC 4519). */
    DC(BCStyle.DC),
    /** A country of two letters. */
    C(BCStyle.C),
    /** A state or province. */
    ST(BCStyle.ST),
    /** A place. */
    L(BCStyle.L),
    /** An organization. */
    O(BCStyle.O),
    /** A part of an organization. */
    OU(BCStyle.OU),
    /** What a person or a thing is called. */
    CN(BCStyle.CN);

    private static final Map<ASN1ObjectIdentifier, Attribute> BY_OID = new HashMap<>();

    static {
      for (Attribute attribute : values()) {
        BY_OID.put(attribute.oid, attribute);
      }
    }

    private final ASN1ObjectIdentifier oid;

    Attribute(ASN1ObjectIdentifier oid) {
      this.oid = oid;
    }
  }

  /**
   * One part.
   *
   * @param value not blank, no control characters and no slash, at most 64 characters; not escaped
   */
  public record Part(Attribute attribute, String value) {
    /** Checks the value. */
    public Part {
      if (value.isBlank() || value.length() > LONGEST || !value.strip().equals(value)) {
        throw new IllegalArgumentException(
            attribute + " of a name is 1 to " + LONGEST + " characters, no spaces around them");
      }
      if (value.codePoints().anyMatch(DistinguishedName::forbidden)) {
        // A slash would begin another part in the form that the grid's maps of users are written
        // in.
        throw new IllegalArgumentException(
            attribute + " of a name holds a slash, a control character or half a character");
      }
      if (attribute == Attribute.C && !value.matches("[A-Za-z]{2}")) {
        throw new IllegalArgumentException("C of a name is a country of two letters");
      }
      if (attribute == Attribute.DC && !value.matches("[A-Za-z0-9-]+")) {
        throw new IllegalArgumentException("DC of a name is one label of a domain");
      }
    }

    private ASN1Encodable encoded() {
      if (attribute == Attribute.DC) {
        return new DERIA5String(value);
      }
      // Printable where it can be: what old software of the grid compares byte by byte.
      return DERPrintableString.isPrintableString(value)
          ? new DERPrintableString(value)
          : new DERUTF8String(value);
    }
  }

  private final List<Part> parts;
  private final String canonical;

  private DistinguishedName(List<Part> parts) {
    this.parts = List.copyOf(parts);
    if (this.parts.isEmpty() || this.parts.size() > MOST_PARTS) {
      throw new IllegalArgumentException("a name has 1 to " + MOST_PARTS + " parts");
    }
    this.canonical =
        this.parts.stream()
            .map(part -> "/" + part.attribute() + "=" + canonical(part.value()))
            .collect(Collectors.joining());
  }

  /**
   * A name of parts, the widest first: {@code DC, DC, O, CN}.
   *
   * @throws IllegalArgumentException where there are none or too many
   */
  public static DistinguishedName of(List<Part> parts) {
    return new DistinguishedName(parts);
  }

  /**
   * Reads the slash form, {@code /DC=org/O=Example/CN=Alice}; values hold no slash.
   *
   * @throws IllegalArgumentException where it is none, or has parts that {@link Attribute} lacks
   */
  public static DistinguishedName parse(String slashes) {
    if (!slashes.startsWith("/")) {
      throw new IllegalArgumentException("a name begins with a slash: /DC=org/O=Example");
    }
    var parts = new ArrayList<Part>();
    for (String text : slashes.substring(1).split("/", -1)) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("a part of a name is KIND=value: /DC=org/O=Example");
      }
      parts.add(new Part(attribute(text.substring(0, equals)), text.substring(equals + 1)));
    }
    return new DistinguishedName(parts);
  }

  /**
   * Takes a certificate's name.
   *
   * @throws IllegalArgumentException where it has parts that {@link Attribute} lacks, or two in one
   */
  public static DistinguishedName of(X500Principal principal) {
    var parts = new ArrayList<Part>();
    for (RDN rdn : X500Name.getInstance(principal.getEncoded()).getRDNs()) {
      var attribute = Attribute.BY_OID.get(rdn.getFirst().getType());
      if (rdn.isMultiValued()
          || attribute == null
          || !(rdn.getFirst().getValue() instanceof ASN1String value)) {
        throw new IllegalArgumentException("a name with parts of another kind");
      }
      parts.add(new Part(attribute, value.getString()));
    }
    return new DistinguishedName(parts);
  }

  /**
   * Makes any text fit for a value, so that different texts stay different: all but ASCII letters,
   * digits and {@code space . _ @ : ' ( ) -} become {@code %} and the two hexadecimal digits of
   * each byte of their UTF-8 form, as does a space at either end.
   */
  public static String escape(String text) {
    var escaped = new StringBuilder();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      char c = (char) (bytes[i] & 0xff);
      boolean inner = i > 0 && i < bytes.length - 1 && bytes[i - 1] != ' ';
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "._@:'()-".indexOf(c) >= 0
              || (c == ' ' && inner);
      if (plain) {
        escaped.append(c);
      } else {
        escaped.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return escaped.toString();
  }

  /** The parts, the widest first. */
  public List<Part> parts() {
    return parts;
  }

  /** This name with parts behind it. */
  public DistinguishedName plus(Part... more) {
    var all = new ArrayList<>(parts);
    all.addAll(List.of(more));
    return new DistinguishedName(all);
  }

  /** Whether the other name begins with all of this one's parts and has more. */
  public boolean isAbove(DistinguishedName other) {
    return other.canonical.startsWith(canonical + "/");
  }

  public X500Name x500Name() {
    var builder = new X500NameBuilder(BCStyle.INSTANCE);
    for (Part part : parts) {
      builder.addRDN(part.attribute().oid, part.encoded());
    }
    return builder.build();
  }

  /** As a certificate has it. */
  public X500Principal principal() {
    try {
      return new X500Principal(x500Name().getEncoded());
    } catch (IOException e) {
      throw new IllegalStateException("a name that cannot be encoded", e);
    }
  }

  /** The form of RFC 4514 (and of RFC 2253): the narrowest part first, escaped. */
  public String rfc4514() {
    return parts.reversed().stream()
        .map(part -> part.attribute() + "=" + escapeRfc4514(part.value()))
        .collect(Collectors.joining(","));
  }

  /**
   * The form of OpenSSL and of the grid's maps: {@code /DC=org/CN=Alice}. Bytes beyond ASCII are
   * written {@code \xC3\xA9}.
   */
  public String slashes() {
    var text = new StringBuilder();
    for (Part part : parts) {
      text.append('/').append(part.attribute()).append('=');
      for (byte b : part.value().getBytes(StandardCharsets.UTF_8)) {
        if (b >= ' ' && b < 0x7f) {
          text.append((char) b);
        } else {
          text.append(String.format(Locale.ROOT, "\\x%02X", b & 0xff));
        }
      }
    }
    return text.toString();
  }

  /** Equal for equal names, and only for these: what to keep and to search by. */
  public String canonical() {
    return canonical;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DistinguishedName name && canonical.equals(name.canonical);
  }

  @Override
  public int hashCode() {
    return canonical.hashCode();
  }

  /** The slash form. */
  @Override
  public String toString() {
    return slashes();
  }

  private static Attribute attribute(String name) {
    try {
      return Attribute.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a part of a name is one of DC, C, ST, L, O, OU, CN");
    }
  }

  private static boolean forbidden(int c) {
    return c == '/'
        || switch ((byte) Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.SURROGATE,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.UNASSIGNED ->
              true;
          default -> false;
        };
  }

  private static String canonical(String value) {
    boolean ascii = value.chars().allMatch(c -> c < 0x80);
    if (ascii && !value.contains("  ")) {
      // What the lines below come to for nearly all names; no spaces are around a value.
      return value.toLowerCase(Locale.ROOT);
    }
    return Normalizer.normalize(value, Normalizer.Form.NFKC)
        .toUpperCase(Locale.ROOT)
        .toLowerCase(Locale.ROOT)
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static String escapeRfc4514(String value) {
    var text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ("\"+,;<>\\=".indexOf(c) >= 0 || (c == '#' && i == 0)) {
        text.append('\\');
      }
      text.append(c);
    }
    return text.toString();
  }
}
