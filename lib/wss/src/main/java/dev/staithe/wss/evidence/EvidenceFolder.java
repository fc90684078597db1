package dev.staithe.wss.evidence;

import dev.staithe.pki.TrustAnchors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The folder that a gateway keeps evidence in. {@code evidence.log} has a line of JSON for each
 * message, chained by hashes as an audit log, which says where in which {@code messages-….bin} the
 * message stands; {@code objects} holds certificates, revocation lists and policies by their
 * SHA-256. This class reads.
 */
public final class EvidenceFolder {
  /** The chained log. */
  public static final String LOG = "evidence.log";

  /** Where what many messages share lies. */
  public static final String OBJECTS = "objects";

  private final Path folder;

  /**
   * @param folder the gateway's {@code staithe.evidence.folder}
   */
  public EvidenceFolder(Path folder) {
    this.folder = folder;
  }

  /** SHA-256 in hexadecimal, by which objects and messages are named. */
  public static String sha256(byte[] octets) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  /** The log, those of days before it first. */
  public List<Path> logs() throws IOException {
    try (var files = Files.list(folder)) {
      List<Path> all =
          files
              .filter(each -> each.getFileName().toString().startsWith(LOG))
              .filter(each -> !each.getFileName().toString().endsWith(".lock"))
              .sorted()
              .toList();
      // The one of today has the plain name, which sorts first.
      List<Path> ordered = new ArrayList<>(all);
      Path today = folder.resolve(LOG);
      if (ordered.remove(today)) {
        ordered.add(today);
      }
      return ordered;
    }
  }

  /**
   * Reads one message.
   *
   * @param file in this folder, as a line of the log names it
   * @param sha256 that it must have
   * @throws IOException with one line where it is not there, or is another
   */
  public KeptMessage message(String file, long offset, int length, String sha256)
      throws IOException {
    if (!file.matches("messages-\\d{4}-\\d{2}-\\d{2}\\.bin")
        || offset < 0
        || length < 0
        || length > KeptMessage.LARGEST) {
      throw new IOException("a line that names no message");
    }
    var octets = ByteBuffer.allocate(length);
    try (var channel = FileChannel.open(folder.resolve(file), StandardOpenOption.READ)) {
      long at = offset;
      while (octets.hasRemaining()) {
        int read = channel.read(octets, at);
        if (read < 0) {
          throw new IOException(file + " ends before the message does");
        }
        at += read;
      }
    }
    if (!sha256(octets.array()).equals(sha256)) {
      throw new IOException(file + " at " + offset + " was changed");
    }
    return KeptMessage.decode(octets.array());
  }

  /**
   * The authorities and revocation lists that a message was judged by.
   *
   * @throws IOException with one line where one is missing or changed
   */
  public TrustAnchors trust(KeptMessage message) throws IOException {
    try {
      var factory = CertificateFactory.getInstance("X.509");
      Set<X509Certificate> certificates = new LinkedHashSet<>();
      for (String each : message.authorities()) {
        certificates.add(
            (X509Certificate)
                factory.generateCertificate(new ByteArrayInputStream(object(each, "cer"))));
      }
      List<X509CRL> crls = new ArrayList<>();
      for (String each : message.revocations()) {
        crls.add((X509CRL) factory.generateCRL(new ByteArrayInputStream(object(each, "crl"))));
      }
      if (certificates.isEmpty()) {
        throw new IOException("no authority is kept with the message");
      }
      return new TrustAnchors(certificates, crls, List.of());
    } catch (GeneralSecurityException e) {
      throw new IOException("a kept certificate or revocation list cannot be read", e);
    }
  }

  /** The policy document that a message met. */
  public byte[] policy(KeptMessage message) throws IOException {
    return object(message.policy(), "xml");
  }

  private byte[] object(String sha256, String kind) throws IOException {
    if (!sha256.matches("[0-9a-f]{64}")) {
      throw new IOException("a message that names no object");
    }
    Path file = folder.resolve(OBJECTS).resolve(sha256 + "." + kind);
    byte[] octets = Files.readAllBytes(file);
    if (!sha256(octets).equals(sha256)) {
      throw new IOException(file.getFileName() + " was changed");
    }
    return octets;
  }
}
