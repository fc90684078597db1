package dev.staithe.pki.seal;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a master key lives: an AES key of 256 bits. */
public sealed interface MasterKeySource {
  /**
   * In a PKCS#12 file (RFC 7292), as {@code keytool -genseckey -keyalg AES -keysize 256} makes it.
   *
   * @param passwordFile its first line opens the store and the key
   * @param alias the entry, or null where there is one secret key only
   */
  record Pkcs12(Path file, Path passwordFile, @Nullable String alias) implements MasterKeySource {}

  /** In a token that never lets it out, under its key label; of its length only the token knows. */
  record Token(Pkcs11Token token) implements MasterKeySource {}

  /**
   * In the first line of a file: 32 random bytes in Base64, as {@code openssl rand} prints them.
   */
  record Base64File(Path file) implements MasterKeySource {}

  /**
   * In a variable of the environment of this process, in Base64 as well.
   *
   * @param variable its name, not the key
   */
  record Environment(String variable) implements MasterKeySource {}
}
