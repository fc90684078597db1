package dev.staithe.cli.certificate;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Option;

/** The option that says how long something must still be valid. */
final class LeastLeft {
  @Option(names = "--left", description = "how long it must still be valid, as 1h; default: 0s")
  private String least = "0s";

  /**
   * What the option says.
   *
   * @throws IOException where it is no time
   */
  Duration read() throws IOException {
    return Lifetime.read(least);
  }

  /**
   * Holds an end against it.
   *
   * @param what has that end
   * @param again the command that makes another
   * @throws IOException where it has ended, or is about to
   */
  void check(String what, String again, Instant now, Instant end) throws IOException {
    if (!end.isAfter(now)) {
      throw new IOException(what + " has ended: " + again);
    }
    if (Duration.between(now, end).compareTo(read()) < 0) {
      throw new IOException(what + " ends in less than " + least);
    }
  }
}
