package dev.staithe.delegation;

import dev.staithe.delegation.credential.KeyChoice;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.Pkcs11Properties;
import dev.staithe.service.properties.Pkcs12Properties;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys that proxies are made for, and those that these are kept under.
 *
 * @param kind of key where a client asks for none
 * @param sealing the first seals keys in the store, all open them; none: one is made in {@code
 *     staithe.state}, for one node
 * @param pool RSA keys that are made ahead
 */
public record KeysProperties(
    @DefaultValue("rsa-2048") KeyChoice kind,
    @DefaultValue List<Sealing> sealing,
    @DefaultValue Pool pool) {
  /**
   * Where one master key of 256 bits is: in one of four places.
   *
   * @param file 32 bytes in Base64
   * @param variable of the environment, the same
   * @param pkcs12 a secret key in a PKCS#12 file; its usual alias is staithe
   * @param pkcs11 an AES key in a token; its usual label is staithe
   */
  public record Sealing(
      @Nullable Path file,
      @Nullable String variable,
      @Nullable Pkcs12Properties pkcs12,
      @Nullable Pkcs11Properties pkcs11) {
    /** Checks that it is one. */
    public Sealing {
      int places =
          (file != null ? 1 : 0)
              + (variable != null ? 1 : 0)
              + (pkcs12 != null ? 1 : 0)
              + (pkcs11 != null ? 1 : 0);
      Settings.require(
          places == 1,
          "file",
          file == null ? "" : file,
          "given, or one of variable, pkcs12 and pkcs11, and no two of them");
      if (file != null) {
        Settings.requireFile(file, "file");
      }
      Settings.require(
          variable == null || variable.matches("[A-Za-z_][A-Za-z0-9_]*"),
          "variable",
          variable == null ? "" : variable,
          "the name of a variable of the environment");
    }
  }

  /**
   * RSA keys of 2048 bits in stock.
   *
   * @param size the most; 0: none
   * @param threads that make them while nothing else wants the processor
   */
  public record Pool(@DefaultValue("200") int size, @DefaultValue("1") int threads) {
    /** Checks the ranges. */
    public Pool {
      Settings.requireWithin(size, 0, 100_000, "size");
      Settings.requireWithin(threads, 1, 64, "threads");
    }
  }

  /** Checks nothing that the parts have not. */
  public KeysProperties {
    sealing = List.copyOf(sealing);
  }
}
