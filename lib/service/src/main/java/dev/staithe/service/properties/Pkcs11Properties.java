package dev.staithe.service.properties;

import dev.staithe.pki.seal.Pkcs11Token;
import dev.staithe.service.Settings;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * A key in a token of a hardware security module, or of what takes its place.
 *
 * @param library its PKCS#11 library
 * @param token the token's label
 * @param slot the token's slot, in place of its label
 * @param pinFile its first line is the user's PIN
 * @param key the label of the key
 */
@ConfigurationPropertiesSource
public record Pkcs11Properties(
    @Nullable Path library,
    @Nullable String token,
    @Nullable Long slot,
    @Nullable Path pinFile,
    @Nullable String key) {
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
   * @param usual its label where none is given; null: the one key that the token holds
   */
  public Pkcs11Token place(@Nullable String usual) {
    return new Pkcs11Token(
        Objects.requireNonNull(library),
        token != null
            ? new Pkcs11Token.Slot.Label(token)
            : new Pkcs11Token.Slot.Number(Objects.requireNonNull(slot)),
        Objects.requireNonNull(pinFile),
        key == null ? usual : key);
  }
}
