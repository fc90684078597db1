package dev.staithe.contracts.log;

import dev.staithe.pki.AtomicFile;
import dev.staithe.pki.Pem;
import dev.staithe.pki.keys.Ed25519;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/** The key of a log: Ed25519, as signed notes have it, in a file of its own. Thread-safe. */
public final class LogKey {
  private static final String END = "-----END PRIVATE KEY-----";

  private final byte[] seed;
  private final LogVerifier verifier;

  private LogKey(byte[] seed, LogVerifier verifier) {
    this.seed = seed;
    this.verifier = verifier;
  }

  /**
   * Reads the key, or makes it where the file is not there, and its folder, for this user alone.
   *
   * @param name of the log: its address without the scheme
   */
  public static LogKey readOrMake(Path file, String name) throws IOException {
    try {
      if (!Files.exists(file)) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
          Files.createDirectories(
              folder,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        KeyPair made = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        String text =
            Pem.encode(made.getPrivate()) + Pem.block("PUBLIC KEY", made.getPublic().getEncoded());
        AtomicFile.write(file, text.getBytes(StandardCharsets.US_ASCII), "rw-------");
      }
      String text = Pem.readText(file);
      int end = text.indexOf(END) + END.length();
      KeyFactory factory = KeyFactory.getInstance("Ed25519");
      EdECPrivateKey key =
          (EdECPrivateKey)
              factory.generatePrivate(new PKCS8EncodedKeySpec(der(text.substring(0, end))));
      byte[] seed = key.getBytes().orElseThrow();
      byte[] spki = der(text.substring(end));
      byte[] raw = Arrays.copyOfRange(spki, spki.length - Ed25519.KEY_BYTES, spki.length);
      if (!Arrays.equals(raw, Ed25519.publicKey(seed))) {
        throw new IllegalArgumentException("the two halves are of different keys");
      }
      return new LogKey(seed, LogVerifier.of(name, raw));
    } catch (GeneralSecurityException | RuntimeException e) {
      // No cause: a decoder's message can quote what it failed on.
      throw new IOException(file + " holds no key of a log: an Ed25519 key and its public half");
    }
  }

  private static byte[] der(String block) {
    return Base64.getMimeDecoder().decode(block.replaceAll("-----[A-Z ]+-----", "").strip());
  }

  /** What others verify with. */
  public LogVerifier verifier() {
    return verifier;
  }

  /** The signature, by Ed25519 (RFC 8032). */
  public byte[] sign(byte[] data) {
    return Ed25519.sign(seed, verifier.raw(), data);
  }
}
