package dev.staithe.authn.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Seals the keys that lie in the store with AES-256-GCM (NIST SP 800-38D) under keys that do not,
 * so that the database and its back-ups alone make no token. What is sealed for one row opens for
 * no other. Without any key all stays in clear. Thread-safe.
 *
 * <p>To rotate: add the new key behind the old one on every node, then put it first on every node,
 * then leave the old one away. The start of a node with another first key seals everything anew.
 */
public final class KeySeal {
  /** Length of a key in bytes. */
  public static final int BYTES = 32;

  private static final String MARK = "sealed1:";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int NAME_BYTES = 4;

  private record Key(String name, SecretKeySpec secret) {}

  /** Keys of the store that cannot be read with the keys that were given. The message says why. */
  public static final class Unreadable extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private Unreadable(String message) {
      super(message);
    }
  }

  private final List<Key> keys;
  private final SecureRandom random = new SecureRandom();

  private KeySeal(List<Key> keys) {
    this.keys = List.copyOf(keys);
  }

  /** Seals nothing, and opens nothing that is sealed. */
  public static KeySeal none() {
    return new KeySeal(List.of());
  }

  /**
   * With the keys in these files: 32 random bytes each, in Base64, in the first line.
   *
   * @param files the first seals, all open; none: all stays in clear
   * @throws IOException where one cannot be read
   * @throws IllegalArgumentException where one holds anything else; the message shows none of it
   */
  public static KeySeal of(List<Path> files) throws IOException {
    List<Key> keys = new ArrayList<>();
    for (Path file : files) {
      byte[] secret = secret(file);
      keys.add(new Key(name(secret), new SecretKeySpec(secret, "AES")));
    }
    return new KeySeal(keys);
  }

  private static byte[] secret(Path file) throws IOException {
    try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      byte[] secret = Base64.getDecoder().decode(lines.findFirst().orElse("").strip());
      if (secret.length == BYTES) {
        return secret;
      }
    } catch (IllegalArgumentException noBase64) {
      // told below, without its message, which quotes the text
    }
    throw new IllegalArgumentException(
        file + " must hold 32 random bytes in Base64, as openssl rand -base64 32 prints them");
  }

  /** Tells keys apart and nothing of them. */
  private static String name(byte[] secret) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("staithe key seal".getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest.digest(secret), 0, NAME_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether it seals at all. */
  boolean seals() {
    return !keys.isEmpty();
  }

  /** What is to be kept in the row of that name. */
  String seal(String row, String content) {
    if (keys.isEmpty()) {
      return content;
    }
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    Key key = keys.getFirst();
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, key, row, nonce)
              .doFinal(content.getBytes(StandardCharsets.UTF_8));
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
      return MARK + key.name() + ":" + Base64.getEncoder().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM does not work here", e);
    }
  }

  /**
   * What was kept in the row of that name, sealed or in clear.
   *
   * @throws Unreadable where it was sealed with another key or for another row, or was changed
   */
  String open(String row, String kept) {
    if (!kept.startsWith(MARK)) {
      return kept;
    }
    if (keys.isEmpty()) {
      throw new Unreadable("the keys in the store are sealed, and no file with their key is named");
    }
    int colon = kept.indexOf(':', MARK.length());
    String name = colon < 0 ? "" : kept.substring(MARK.length(), colon);
    for (Key key : keys) {
      if (key.name().equals(name)) {
        try {
          byte[] all = Base64.getDecoder().decode(kept.substring(colon + 1));
          byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
          return new String(
              cipher(Cipher.DECRYPT_MODE, key, row, nonce)
                  .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES),
              StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
          throw new Unreadable("key \"" + row + "\" in the store was changed, or is another row's");
        }
      }
    }
    throw new Unreadable(
        "the keys in the store are sealed with key " + name + ", and none of the files holds it");
  }

  private static Cipher cipher(int mode, Key key, String row, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key.secret(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(row.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private boolean isSealedByTheFirst(String kept) {
    return !keys.isEmpty() && kept.startsWith(MARK + keys.getFirst().name() + ":");
  }

  /**
   * Reads every key of the store, and seals with the first key those that are not. To be called at
   * the start, on tables that the migrations of {@code db/oauth} have made.
   *
   * @throws Unreadable where one cannot be read
   */
  public void adopt(DataSource source) {
    JdbcClient store = JdbcClient.create(source);
    for (SigningKeys.Row row : SigningKeys.rows(store)) {
      String content = open(row.name(), row.jwk());
      if (seals() && !isSealedByTheFirst(row.jwk())) {
        store
            .sql("UPDATE oauth_key SET jwk = ? WHERE algorithm = ? AND generation = ?")
            .params(seal(row.name(), content), row.algorithm().name(), row.generation())
            .update();
      }
    }
    for (StoreSecrets.Row row : StoreSecrets.rows(store)) {
      String content = open(row.name(), row.content());
      if (seals() && !isSealedByTheFirst(row.content())) {
        store
            .sql("UPDATE oauth_secret SET content = ? WHERE name = ?")
            .params(seal(row.name(), content), row.name())
            .update();
      }
    }
  }
}
