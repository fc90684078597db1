package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command-line tools of grid sites, which find their trusted authorities in a folder of
 * certificates named by a hash of their subject.
 */
final class GridTools {
  private static final List<Path> PLACES = List.of(Path.of("/usr/bin"), Path.of("/usr/local/bin"));
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private final Path folder;
  private final Path authorities;
  private int runs;

  /** What came of a command, both outputs together. */
  record Ran(int exitCode, String output) {
    Ran works() {
      assertThat(exitCode).as(output).isZero();
      return this;
    }
  }

  /** Tools that trust this authority; the folder, which is made, takes what they say. */
  GridTools(Path folder, ThrowAwayAuthority authority) {
    this.folder = folder;
    this.authorities = folder.resolve("authorities");
    try {
      Files.createDirectories(authorities);
      Path certificate = authority.certificateFile();
      Ran hash =
          run(
              "openssl",
              "openssl",
              Map.of(),
              "x509",
              "-noout",
              "-subject_hash",
              "-in",
              certificate.toString());
      Files.copy(certificate, authorities.resolve(hash.works().output().strip() + ".0"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path authorities() {
    return authorities;
  }

  /**
   * Runs a tool to its end.
   *
   * @param tool its name, or its path
   * @param packages that it is in
   */
  Ran run(String tool, String packages, Map<String, String> environment, String... arguments) {
    String program =
        PLACES.stream()
            .map(place -> place.resolve(tool))
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(
                () -> new AssertionError(tool + " is missing: apt-get install -y " + packages))
            .toString();
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    Path log = folder.resolve(Path.of(program).getFileName() + "-" + runs++ + ".log");
    try (ManagedProcess process = ManagedProcess.start(command, environment, log)) {
      int exitCode = process.awaitEnd(LONGEST);
      return new Ran(exitCode, Files.readString(log));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
