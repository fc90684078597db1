package dev.staithe.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The person or script that uses the command. Secrets are typed without an echo, or read from the
 * first line of standard input where that is no terminal; never taken from arguments, which
 * everyone on the machine can read.
 *
 * @param console null where there is no terminal
 * @param input standard input
 */
record Terminal(@Nullable Console console, BufferedReader input, PrintWriter out) {
  static Terminal system() {
    Console console = System.console();
    return new Terminal(
        console != null && console.isTerminal() ? console : null,
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
        new PrintWriter(System.out, true, StandardCharsets.UTF_8));
  }

  /**
   * Asks for a secret.
   *
   * @throws IOException where none is given
   */
  String secret(String prompt) throws IOException {
    if (console == null) {
      String line = input.readLine();
      if (line == null) {
        throw new IOException(
            "no " + prompt.toLowerCase(java.util.Locale.ROOT) + " on standard input");
      }
      return line;
    }
    char[] typed = console.readPassword("%s: ", prompt);
    if (typed == null) {
      throw new IOException("nothing was typed");
    }
    return new String(typed);
  }

  /** Whether somebody can be asked. */
  boolean interactive() {
    return console != null;
  }
}
