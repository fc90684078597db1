package dev.staithe.pki.seal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.OpenSsl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A token of Debian's SoftHSM. Its library reads the place of its settings from the environment of
 * this process, which the build sets.
 *
 * @param label its name among all tokens of this test run
 */
public record SoftHsm(String label, String pin) {
  public static final Path LIBRARY = Path.of("/usr/lib/softhsm/libsofthsm2.so");

  private static final Map<String, SoftHsm> TOKENS = new HashMap<>();

  /**
   * One of the tokens of all tests. They are made together, before anything loads the library: it
   * lists its tokens when it starts and never again.
   */
  public static synchronized SoftHsm token(String label) throws Exception {
    if (TOKENS.isEmpty()) {
      Path folder = Path.of(System.getenv("SOFTHSM2_CONF")).getParent();
      for (String each : List.of("for RSA", "for EC", "guarded", "sealing")) {
        TOKENS.put(each, token(folder, each, "1234"));
      }
      TOKENS.get("sealing").generate(folder, "master", "AES:32");
    }
    return Objects.requireNonNull(TOKENS.get(label));
  }

  private static SoftHsm token(Path folder, String label, String pin) throws Exception {
    // One folder of tokens for all tests: the library reads its settings once.
    Path settings = Path.of(System.getenv("SOFTHSM2_CONF"));
    Path tokens = settings.resolveSibling("softhsm-tokens");
    Files.createDirectories(tokens);
    Files.writeString(
        settings,
        "directories.tokendir = " + tokens + "\nobjectstore.backend = file\nlog.level = ERROR\n");
    String unique = label + " " + Long.toHexString(System.nanoTime());
    var made =
        OpenSsl.run(
            folder,
            Map.of(),
            "softhsm2-util",
            "--init-token",
            "--free",
            "--label",
            unique,
            "--so-pin",
            "5678",
            "--pin",
            pin);
    assertThat(made.exit()).as(made.text()).isZero();
    return new SoftHsm(unique, pin);
  }

  /** Lets the token make a secret key, such as {@code AES:32}, which it does not give away. */
  private void generate(Path folder, String name, String kind) throws Exception {
    var made =
        OpenSsl.run(
            folder,
            Map.of(),
            "pkcs11-tool",
            "--module",
            LIBRARY.toString(),
            "--token-label",
            label,
            "--login",
            "--pin",
            pin,
            "--keygen",
            "--key-type",
            kind,
            "--sensitive",
            "--label",
            name);
    assertThat(made.exit()).as(made.text()).isZero();
  }

  /** Puts a key and its certificate there. */
  public void store(String name, Path certificate, Path key) throws Exception {
    // Beside the PEM files, which are the test's own.
    Path place = certificate.toAbsolutePath().getParent();
    for (var part : Map.of("cert", certificate, "privkey", key).entrySet()) {
      String option = part.getKey().equals("cert") ? "x509" : "pkey";
      Path der = place.resolve(part.getKey() + ".der");
      OpenSsl.openssl(
          place,
          option,
          "-in",
          part.getValue().toString(),
          "-outform",
          "DER",
          "-out",
          der.toString());
      var stored =
          OpenSsl.run(
              place,
              Map.of(),
              "pkcs11-tool",
              "--module",
              LIBRARY.toString(),
              "--token-label",
              label,
              "--login",
              "--pin",
              pin,
              "--write-object",
              der.toString(),
              "--type",
              part.getKey(),
              "--id",
              "01",
              "--label",
              name);
      assertThat(stored.exit()).as(stored.text()).isZero();
    }
  }
}
