package dev.staithe.wss.evidence;

import dev.staithe.wss.Findings;
import dev.staithe.wss.Findings.SignedParts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One message as it is kept: the signature, the very octets that it covers, and by their SHA-256
 * the authorities, revocation lists and policy that it was judged by, which lie beside it once for
 * all messages. Immutable.
 *
 * @param at when it was judged, by the gateway's clock
 * @param endpoint where it came
 * @param signature with all that it covers, and the signer's chain
 * @param authorities hexadecimal SHA-256 of each authority's certificate
 * @param revocations of each revocation list
 * @param policy of the policy document
 */
public record KeptMessage(
    Instant at,
    String endpoint,
    SignedParts signature,
    List<String> authorities,
    List<String> revocations,
    String policy) {
  /** The most that is read of one message. */
  static final int LARGEST = 1 << 30;

  private static final int FORM = 1;
  private static final int MOST = 10_000;

  /** Keeps its own lists. */
  public KeptMessage {
    authorities = List.copyOf(authorities);
    revocations = List.copyOf(revocations);
  }

  /** What is written: a form number, then each field in order, with its length before it. */
  public byte[] encode() {
    var bytes = new ByteArrayOutputStream(4096);
    try (var out = new DataOutputStream(bytes)) {
      out.writeInt(FORM);
      text(out, at.toString());
      text(out, endpoint);
      text(out, policy);
      texts(out, authorities);
      texts(out, revocations);
      text(out, signature.algorithm());
      octets(out, signature.signedInfo());
      octets(out, signature.value());
      out.writeInt(signature.references().size());
      for (Findings.Reference each : signature.references()) {
        text(out, each.uri());
        text(out, each.part());
        octets(out, each.octets());
      }
      out.writeInt(signature.chain().size());
      for (X509Certificate each : signature.chain()) {
        octets(out, each.getEncoded());
      }
    } catch (IOException | CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was judged cannot be written", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IOException with one line where it is something else
   */
  public static KeptMessage decode(byte[] encoded) throws IOException {
    try (var in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      if (in.readInt() != FORM) {
        throw new IOException("a form of evidence that is not known");
      }
      Instant at = Instant.parse(text(in));
      String endpoint = text(in);
      String policy = text(in);
      List<String> authorities = texts(in);
      List<String> revocations = texts(in);
      String algorithm = text(in);
      byte[] signedInfo = octets(in);
      byte[] value = octets(in);
      List<Findings.Reference> references = new ArrayList<>();
      for (int left = count(in); left > 0; left--) {
        references.add(new Findings.Reference(text(in), text(in), octets(in)));
      }
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<X509Certificate> chain = new ArrayList<>();
      for (int left = count(in); left > 0; left--) {
        chain.add(
            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(octets(in))));
      }
      if (in.read() >= 0) {
        throw new IOException("something follows the evidence");
      }
      return new KeptMessage(
          at,
          endpoint,
          new SignedParts(algorithm, signedInfo, value, references, chain),
          authorities,
          revocations,
          policy);
    } catch (CertificateException | RuntimeException e) {
      throw new IOException("no evidence that can be read", e);
    }
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    octets(out, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void texts(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String each : texts) {
      text(out, each);
    }
  }

  private static void octets(DataOutputStream out, byte[] octets) throws IOException {
    out.writeInt(octets.length);
    out.write(octets);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(octets(in), StandardCharsets.UTF_8);
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = count(in); left > 0; left--) {
      texts.add(text(in));
    }
    return texts;
  }

  private static int count(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MOST) {
      throw new IOException("no evidence that can be read");
    }
    return count;
  }

  private static byte[] octets(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("evidence that was cut off");
    }
    return in.readNBytes(length);
  }
}
