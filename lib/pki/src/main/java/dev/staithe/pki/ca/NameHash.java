package dev.staithe.pki.ca;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;

/** The names under which OpenSSL looks an authority's files up: eight hexadecimal digits. */
final class NameHash {
  private static final int BYTES = 4;

  private NameHash() {}

  /** Of OpenSSL 1.0 and later ({@code X509_NAME_hash}): SHA-1 of the name in a canonical form. */
  static String current(X500Principal principal) {
    var canonical = new ByteArrayOutputStream();
    try {
      for (RDN rdn : X500Name.getInstance(principal.getEncoded()).getRDNs()) {
        var parts = rdn.getTypesAndValues();
        var encoded = new ASN1Encodable[parts.length];
        for (int i = 0; i < parts.length; i++) {
          encoded[i] = new DERSequence(parts[i].getType(), canonical(parts[i]));
        }
        canonical.writeBytes(new DERSet(encoded).getEncoded(ASN1Encoding.DER));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("a name that cannot be encoded", e);
    }
    return digits("SHA-1", canonical.toByteArray());
  }

  /** Of OpenSSL before 1.0 ({@code X509_NAME_hash_old}): MD5 of the name as it is. */
  static String old(X500Principal principal) {
    return digits("MD5", principal.getEncoded());
  }

  private static ASN1Encodable canonical(AttributeTypeAndValue part) {
    if (!(part.getValue() instanceof ASN1String text)) {
      return part.getValue();
    }
    var lower = new StringBuilder();
    for (char c : text.getString().strip().replaceAll("[ \\t\\n\\x0B\\f\\r]+", " ").toCharArray()) {
      // ASCII only: OpenSSL leaves other letters as they are.
      lower.append(c < 0x80 ? String.valueOf(c).toLowerCase(Locale.ROOT) : String.valueOf(c));
    }
    return new DERUTF8String(lower.toString());
  }

  private static String digits(String algorithm, byte[] bytes) {
    try {
      byte[] first = Arrays.copyOf(MessageDigest.getInstance(algorithm).digest(bytes), BYTES);
      byte[] turned = {first[3], first[2], first[1], first[0]};
      return HexFormat.of().formatHex(turned);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has " + algorithm, e);
    }
  }
}
