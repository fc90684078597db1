package dev.staithe.service.properties;

import dev.staithe.pki.seal.Pkcs11Token;
import dev.staithe.service.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * A token of a hardware security module.
 *
 * @param library its PKCS#11 library
 * @param token the token's label
 * @param slot the token's slot, in place of its label
 * @param pinFile its first line is the user's PIN
 * @param key the label of the key; absent: the usual one
 */
@ConfigurationPropertiesSource
public record Pkcs11Properties(
    Path library, @Nullable String token, @Nullable Long slot, Path pinFile, @Nullable String key) {
  /** Checks that the token can be found. */
  public Pkcs11Properties {
    Settings.requireFile(library, "library");
    Settings.requireFile(pinFile, "pin-file");
    Settings.require(
        (token == null) != (slot == null),
        "token",
        token == null ? "" : token,
        "given, or slot is, and not both");
  }

  /**
   * Where the key is.
   *
   * @param usual label of a key where none is said; null for the only one that there is
   */
  public Pkcs11Token place(@Nullable String usual) {
    return new Pkcs11Token(
        library,
        token != null
            ? new Pkcs11Token.Slot.Label(token)
            : new Pkcs11Token.Slot.Number(slot == null ? 0 : slot),
        pinFile,
        key == null ? usual : key);
  }
}
