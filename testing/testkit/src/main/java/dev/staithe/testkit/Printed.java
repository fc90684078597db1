package dev.staithe.testkit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What this process writes on standard output and error, in the order in which it comes, until this
 * is closed. One at a time.
 */
public final class Printed implements AutoCloseable {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;

  private Printed() {
    var listening = new PrintStream(said, true, StandardCharsets.UTF_8);
    System.setOut(listening);
    System.setErr(listening);
  }

  /** Begins to listen. */
  public static Printed listen() {
    return new Printed();
  }

  /** All until now. */
  public String text() {
    return said.toString(StandardCharsets.UTF_8);
  }

  /** Gives both back. */
  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
  }
}
