package dev.staithe.testkit.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A token of Debian's SoftHSM. Its library reads the place of its settings from the environment of
 * this process, which the build of a module sets ({@code SOFTHSM2_CONF}), and lists its tokens when
 * it is loaded and never again: tokens are made before.
 *
 * @param label its name among all tokens of this test run
 * @param pinFile a file with the user's PIN
 */
public record SoftHsm(String label, Path pinFile) {
  /** By which programs reach the token. */
  public static final Path LIBRARY = Path.of("/usr/lib/softhsm/libsofthsm2.so");

  private static final String PIN = "1234";

  /**
   * Makes an empty token.
   *
   * @param folder of the test, for files
   */
  public static SoftHsm make(Path folder, String name) throws IOException {
    Path settings = Path.of(System.getenv("SOFTHSM2_CONF"));
    Path tokens = Files.createDirectories(settings.resolveSibling("softhsm-tokens"));
    Files.writeString(
        settings,
        "directories.tokendir = " + tokens + "\nobjectstore.backend = file\nlog.level = ERROR\n");
    String label = name + " " + Long.toHexString(System.nanoTime());
    run(
        Program.SOFTHSM2_UTIL,
        "--init-token",
        "--free",
        "--label",
        label,
        "--so-pin",
        "5678",
        "--pin",
        PIN);
    return new SoftHsm(label, Files.writeString(folder.resolve("pin"), PIN + "\n"));
  }

  /** Puts a key and its certificate, both PEM, into it, and deletes the key's file. */
  public void take(Path certificate, Path key, String name) throws IOException {
    Path der = key.resolveSibling(key.getFileName() + ".der");
    run(Program.OPENSSL, "x509", "-in", "" + certificate, "-outform", "DER", "-out", "" + der);
    store("cert", der, name);
    run(Program.OPENSSL, "pkey", "-in", "" + key, "-outform", "DER", "-out", "" + der);
    store("privkey", der, name);
    Files.delete(der);
    Files.delete(key);
  }

  private void store(String type, Path der, String name) {
    run(
        Program.PKCS11_TOOL,
        "--module",
        "" + LIBRARY,
        "--token-label",
        label,
        "--login",
        "--pin",
        PIN,
        "--write-object",
        "" + der,
        "--type",
        type,
        "--id",
        "01",
        "--label",
        name);
  }

  private static void run(Program program, String... arguments) {
    Program.Ran ran = program.run(List.of(arguments), Map.of(), new byte[0], Duration.ofMinutes(2));
    assertThat(ran.exitCode()).as(ran.errors()).isZero();
  }
}
