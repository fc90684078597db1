package dev.staithe.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/**
 * Reads and writes certificates and private keys in the textual form of RFC 7468.
 *
 * <p>Blocks of other types in the same text are passed over, so a file that holds both a key and
 * its certificates can be named for either. All methods are thread-safe; every problem is a {@link
 * PemException} whose message is one line.
 */
public final class Pem {
  /** Larger files are refused: the bundle of all public authorities is below 1 MiB. */
  static final int MAX_FILE_BYTES = 32 * 1024 * 1024;

  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private Pem() {}

  /**
   * Reads all certificates of a file, in their order.
   *
   * @return at least one certificate
   */
  public static List<X509Certificate> readCertificates(Path file) throws PemException {
    return parseCertificates(readText(file), file.toString());
  }

  /**
   * Reads all certificates of a text, in their order.
   *
   * @param name what to call the text in a message, usually its file
   * @return at least one certificate
   */
  public static List<X509Certificate> parseCertificates(String text, String name)
      throws PemException {
    var certificates = new ArrayList<X509Certificate>();
    for (PemObject block : blocks(text, name)) {
      if (block.getType().equals("CERTIFICATE") || block.getType().equals("X509 CERTIFICATE")) {
        certificates.add(certificate(block, name));
      }
    }
    if (certificates.isEmpty()) {
      throw new PemException(
          name + " holds no certificate: expected a block -----BEGIN CERTIFICATE-----");
    }
    return List.copyOf(certificates);
  }

  /** Reads the one private key of a file: PKCS#8, PKCS#1 (RSA) or SEC 1 (EC), not encrypted. */
  public static PrivateKey readPrivateKey(Path file) throws PemException {
    return parsePrivateKey(readText(file), file.toString());
  }

  /**
   * Reads the one private key of a text: PKCS#8 (RFC 5958), PKCS#1 (RFC 8017, RSA) or SEC 1 (RFC
   * 5915, EC), not encrypted.
   *
   * @param name what to call the text in a message, usually its file
   */
  public static PrivateKey parsePrivateKey(String text, String name) throws PemException {
    var reader = new PrivateKeyReader(name);
    for (PemObject block : blocks(text, name)) {
      reader.accept(block);
    }
    return reader.key();
  }

  /** The certificates as text, in the order given. */
  public static String encode(List<X509Certificate> certificates) {
    var text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      try {
        append(text, "CERTIFICATE", certificate.getEncoded());
      } catch (CertificateException e) {
        throw new IllegalArgumentException("a certificate without an encoding", e);
      }
    }
    return text.toString();
  }

  /**
   * Writes certificates to a file, which is replaced in one step: a reader sees the old or the new
   * content.
   */
  public static void writeCertificates(Path file, List<X509Certificate> certificates)
      throws IOException {
    AtomicFile.write(file, encode(certificates).getBytes(StandardCharsets.US_ASCII), "rw-r--r--");
  }

  /**
   * Writes a private key as PKCS#8 to a file that only its owner can read, from its first byte on.
   * The file is replaced in one step.
   */
  public static void writePrivateKey(Path file, PrivateKey key) throws IOException {
    AtomicFile.write(file, encode(key).getBytes(StandardCharsets.US_ASCII), "rw-------");
  }

  /** A private key as PKCS#8 text, not encrypted: for files that only their owner can read. */
  public static String encode(PrivateKey key) {
    byte[] encoded = key.getEncoded();
    if (encoded == null) {
      throw new IllegalArgumentException("a private key that cannot be exported");
    }
    return block("PRIVATE KEY", encoded);
  }

  public static String block(String type, byte[] der) {
    var text = new StringBuilder();
    append(text, type, der);
    return text.toString();
  }

  public static String readText(Path file) throws PemException {
    // PEM is ASCII, but the explanatory text around the blocks may be in anything (RFC 7468 §2).
    return new String(readBytes(file), StandardCharsets.ISO_8859_1);
  }

  public static byte[] readBytes(Path file) throws PemException {
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw new PemException(file + " is larger than " + MAX_FILE_BYTES + " bytes: not a PEM");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new PemException(file + " cannot be read: no such file", e);
    } catch (AccessDeniedException e) {
      throw new PemException(file + " cannot be read: permission denied", e);
    } catch (PemException e) {
      throw e;
    } catch (IOException e) {
      throw new PemException(
          file
              + " cannot be read: "
              + (Files.isDirectory(file) ? "it is a folder" : e.getClass().getSimpleName()),
          e);
    }
  }

  static X509Certificate certificate(PemObject block, String name) throws PemException {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(block.getContent()));
    } catch (GeneralSecurityException e) {
      throw new PemException(name + " holds a certificate that cannot be decoded", e);
    }
  }

  private static List<PemObject> blocks(String text, String name) throws PemException {
    var blocks = new ArrayList<PemObject>();
    try (var reader = new PemReader(new StringReader(inLines(text)))) {
      PemObject block = reader.readPemObject();
      while (block != null || !isAtEnd(reader)) {
        if (block != null) {
          blocks.add(block);
        }
        block = reader.readPemObject();
      }
    } catch (IOException | RuntimeException e) {
      // The reader's own message may quote a line of the file, which may be a key.
      throw new PemException(
          name + " is not well-formed PEM: expected BEGIN, Base64 and END lines");
    }
    return blocks;
  }

  /** The reader gives nothing at a label with a dash in it (RFC 7468 §3), and can go on. */
  private static boolean isAtEnd(PemReader reader) throws IOException {
    // A line feed behind a carriage return counts too.
    reader.mark(2);
    int next = reader.read();
    reader.reset();
    return next < 0;
  }

  /**
   * The reader passes over a block that begins within a line: where files were put together, of
   * which one has no line feed at its end, or behind the mark of an editor, U+FEFF, which is three
   * characters where bytes of UTF-8 were read as Latin-1.
   */
  private static String inLines(String text) {
    return text.replace("----------BEGIN ", "-----\n-----BEGIN ")
        .replace("\ufeff-----BEGIN ", "\n-----BEGIN ")
        .replace("\u00ef\u00bb\u00bf-----BEGIN ", "\n-----BEGIN ");
  }

  private static void append(StringBuilder text, String type, byte[] der) {
    text.append("-----BEGIN ").append(type).append("-----\n");
    text.append(LINES.encodeToString(der));
    text.append("\n-----END ").append(type).append("-----\n");
  }
}
