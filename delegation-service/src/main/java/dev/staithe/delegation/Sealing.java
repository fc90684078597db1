package dev.staithe.delegation;

import dev.staithe.pki.AtomicFile;
import dev.staithe.pki.seal.MasterKeySource;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.service.properties.Pkcs11Properties;
import dev.staithe.service.properties.Pkcs12Properties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  private static final String FILE = "sealing.key";

  /** What a key is called where nothing else is said. */
  private static final String USUAL = "staithe";

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
    if (place.pkcs12() instanceof Pkcs12Properties(Path file, Path password, var alias)) {
      return new MasterKeySource.Pkcs12(file, password, alias == null ? USUAL : alias);
    }
    if (place.pkcs11() instanceof Pkcs11Properties token) {
      return new MasterKeySource.Token(token.place(USUAL));
    }
    throw new IllegalStateException("a place that the settings have checked");
  }

  private static Path made(Path state) throws IOException {
    Path file = state.resolve(FILE);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      if (Files.size(file) > 0) {
        return file;
      }
      // Its making was cut off, as by a full disk: nothing is sealed by it.
      Files.delete(file);
    }
    if (!Files.isDirectory(state)) {
      Files.createDirectories(
          state,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    byte[] text =
        (Base64.getEncoder().encodeToString(key) + "\n").getBytes(StandardCharsets.US_ASCII);
    Path whole = Files.createTempFile(state, FILE + ".", ".new");
    try {
      AtomicFile.write(whole, text, "rw-------");
      // A link, unlike a rename, does not replace what another process has made meanwhile.
      Files.createLink(file, whole);
    } catch (FileAlreadyExistsException madeMeanwhile) {
      // That key is used.
    } finally {
      Files.deleteIfExists(whole);
    }
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
