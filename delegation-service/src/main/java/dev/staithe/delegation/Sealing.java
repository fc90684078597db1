package dev.staithe.delegation;

import dev.staithe.pki.seal.MasterKeySource;
import dev.staithe.pki.seal.MasterKeys;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * The master keys that the settings name.
 *
 * @param madeHere whether the key is one that was made in {@code staithe.state}
 */
record Sealing(MasterKeys keys, boolean madeHere) {
  /** Of the key in a token, where the settings say no other. */
  private static final String KEY_LABEL = "staithe";

  private static final String FILE = "sealing.key";
  private static final int KEY_BYTES = 32;

  /**
   * Reads them; makes one where none is named.
   *
   * @throws IOException with one line where one cannot be read or made
   */
  static Sealing open(KeysProperties properties, Path state) throws IOException {
    if (properties.sealing().isEmpty()) {
      return new Sealing(MasterKeys.of(List.of(new MasterKeySource.Base64File(made(state)))), true);
    }
    return new Sealing(
        MasterKeys.of(properties.sealing().stream().map(Sealing::source).toList()), false);
  }

  private static MasterKeySource source(KeysProperties.Sealing place) {
    if (place.file() != null) {
      return new MasterKeySource.Base64File(place.file());
    }
    if (place.variable() != null) {
      return new MasterKeySource.Environment(place.variable());
    }
    KeysProperties.Pkcs12 store = place.pkcs12();
    if (store != null && store.file() != null && store.passwordFile() != null) {
      return new MasterKeySource.Pkcs12(store.file(), store.passwordFile(), store.alias());
    }
    if (place.pkcs11() != null) {
      return new MasterKeySource.Token(place.pkcs11().place(KEY_LABEL));
    }
    throw new IllegalStateException("a place that the settings have checked");
  }

  private static Path made(Path state) throws IOException {
    Path file = state.resolve(FILE);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return file;
    }
    if (!Files.isDirectory(state)) {
      Files.createDirectories(
          state,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      return file;
    }
    Files.writeString(file, Base64.getEncoder().encodeToString(key) + "\n");
    return file;
  }

  /** For people: where the key is, and its name. */
  String description() {
    return "AES-256-GCM, master key "
        + keys.name()
        + (keys.inToken() ? " in a token" : "")
        + (madeHere ? ", made in staithe.state" : "");
  }
}
