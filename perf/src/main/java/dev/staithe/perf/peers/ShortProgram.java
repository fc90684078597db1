package dev.staithe.perf.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** A program that soon ends. */
public final class ShortProgram {
  private ShortProgram() {}

  /**
   * Runs it to its end, without input.
   *
   * @param failure what is to be told where it fails, of what it said
   * @return what it said, without blanks around it
   */
  public static String run(ProcessBuilder program, UnaryOperator<String> failure)
      throws IOException {
    Process process = program.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(failure.apply(said));
      }
      return said;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + program.command().getFirst() + " ran", e);
    }
  }
}
