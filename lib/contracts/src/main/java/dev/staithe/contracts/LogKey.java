package dev.staithe.contracts;

import dev.staithe.pki.AtomicFile;
import dev.staithe.pki.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/** The key of a log: Ed25519, as signed notes have it, in a file of its own. Thread-safe. */
public final class LogKey {
  private static final String END = "-----END PRIVATE KEY-----";

  private final PrivateKey key;
  private final LogVerifier verifier;

  private LogKey(PrivateKey key, LogVerifier verifier) {
    this.key = key;
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
      byte[] spki = der(text.substring(end));
      factory.generatePublic(new X509EncodedKeySpec(spki));
      return new LogKey(
          key,
          LogVerifier.of(
              name, Arrays.copyOfRange(spki, spki.length - LogVerifier.KEY_BYTES, spki.length)));
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

  byte[] sign(byte[] data) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(key);
      signature.update(data);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key that signed before does not sign any more", e);
    }
  }
}
