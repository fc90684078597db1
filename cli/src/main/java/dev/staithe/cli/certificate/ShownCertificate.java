package dev.staithe.cli.certificate;

import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.pki.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** How a certificate or a proxy in a file is shown, and how long it must still be valid. */
final class ShownCertificate {
  @Option(names = "--left", description = "how long it must still be valid, as 1h; default: 0s")
  private String least = "0s";

  @Option(names = "--json", description = "as JSON")
  private boolean json;

  /**
   * Shows it.
   *
   * @param what it is, as {@code proxy}
   * @param maker the command that makes one, and its verb
   * @param described what is told of it at that time, by name
   * @param end from when on it is not valid
   * @throws IOException where it is not there, has ended or is about to
   */
  void show(
      StaitheCommand staithe,
      Path file,
      String what,
      String maker,
      BiFunction<List<X509Certificate>, Instant, Map<String, Object>> described,
      Function<List<X509Certificate>, Instant> end)
      throws IOException {
    Duration wanted = Lifetime.read(least);
    if (!Files.exists(file)) {
      throw new IOException(file + ": no such file; " + maker + " a " + what);
    }
    List<X509Certificate> chain = Pem.readCertificates(file);
    Instant now = staithe.clock().instant();
    Map<String, Object> told = described.apply(chain, now);
    if (json) {
      staithe.json(told);
    } else {
      ProxyReport.print(staithe, told);
    }
    Instant ends = end.apply(chain);
    if (!ends.isAfter(now)) {
      throw new IOException("the " + what + " has ended: " + maker + " another");
    }
    if (Duration.between(now, ends).compareTo(wanted) < 0) {
      throw new IOException("the " + what + " ends in less than " + least);
    }
  }
}
