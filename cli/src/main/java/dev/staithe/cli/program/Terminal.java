package dev.staithe.cli.program;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The person or script that uses the command. Secrets are typed without an echo, or read from the
 * first line of standard input where that is no terminal; never taken from arguments, which
 * everyone on the machine can read.
 *
 * @param console null where there is no terminal
 * @param input standard input
 * @param out for results
 * @param err for what a person should know beside the result
 */
public record Terminal(
    @Nullable Console console, BufferedReader input, PrintWriter out, PrintWriter err) {
  private static final String LOST = "standard output cannot be written";

  /** What Java reads where bytes are none of the encoding that it expects. */
  private static final char NO_LETTER = '\uFFFD';

  /** RFC 6750 section 2.1. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

  /** That of this process. */
  public static Terminal system() {
    Console console = System.console();
    boolean asks = console != null && console.isTerminal();
    Reader typed = new InputStreamReader(System.in, StandardCharsets.UTF_8);
    return new Terminal(
        asks ? console : null,
        !asks && isTerminal(Path.of("/proc/self/fd/0"))
            ? new EchoedInput(typed)
            : new BufferedReader(typed),
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8));
  }

  /**
   * A terminal that shows what is typed, as Java has no console where only standard output leads
   * elsewhere.
   */
  static final class EchoedInput extends BufferedReader {
    EchoedInput(Reader in) {
      super(in);
    }
  }

  /** Whether a descriptor leads to a terminal, by its link as Linux has it. */
  static boolean isTerminal(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().matches("/dev/(pts/\\d+|tty.*|console)");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Asks for a secret.
   *
   * @throws IOException where none is given
   */
  public String secret(String prompt) throws IOException {
    if (console == null) {
      return typed(prompt.toLowerCase(Locale.ROOT));
    }
    char[] typed = console.readPassword("%s: ", prompt);
    if (typed == null) {
      throw new IOException("nothing was typed");
    }
    return readable(new String(typed), prompt);
  }

  /**
   * Asks for a secret that is to hold from now on: twice at a terminal, where nobody sees what is
   * typed.
   *
   * @throws IOException where none is given, or the second is not the first
   */
  public String newSecret(String prompt) throws IOException {
    String secret = secret(prompt);
    if (console != null && !secret(prompt + ", again").equals(secret)) {
      throw new IOException("the two that were typed are not the same: nothing was done");
    }
    return secret;
  }

  /**
   * What was typed or came by a pipe, where it has the letters that were given: a secret with
   * others is none, and a wrong one is counted somewhere; a message would say something else.
   *
   * @throws IOException where it has not
   */
  public static String readable(String text, String what) throws IOException {
    if (text.indexOf(NO_LETTER) >= 0) {
      throw new IOException(
          "the "
              + what.toLowerCase(Locale.ROOT)
              + " has letters that cannot be read: what is typed must be in the encoding of the"
              + " locale, as with LC_ALL=C.UTF-8, and what comes by a pipe in UTF-8");
    }
    return text;
  }

  /**
   * The next line of standard input.
   *
   * @throws IOException where there is none, or everybody would see it
   */
  String typed(String what) throws IOException {
    if (input instanceof EchoedInput) {
      throw new IOException(
          "the "
              + what
              + " would be shown as it is typed, as the output does not go to the terminal: give it"
              + " by a file or a pipe");
    }
    String line = input.readLine();
    if (line == null) {
      throw new IOException("no " + what + " on standard input");
    }
    return readable(line, what);
  }

  /**
   * A secret of a file's first line.
   *
   * @param file {@code -} for standard input
   * @throws IOException where it cannot be read
   */
  public String secretOf(String file, String what) throws IOException {
    if (file.equals("-")) {
      // At a terminal nobody is to see what is typed.
      return console == null ? typed(what) : secret(what);
    }
    try {
      return Files.readString(Path.of(file)).lines().findFirst().orElse("");
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": no such file");
    } catch (IOException e) {
      throw new IOException(file + " cannot be read");
    }
  }

  /**
   * A token of a file's first line.
   *
   * @param file {@code -} for standard input
   * @throws IOException where it cannot be read, or is none
   */
  public String tokenOf(String file) throws IOException {
    return token(secretOf(file, "token"), file.equals("-") ? "standard input" : file);
  }

  /**
   * A token as it was found. What is none is not shown: it may be one with a sign before it.
   *
   * @param where it was found
   * @throws IOException where it is none
   */
  public static String token(String found, String where) throws IOException {
    String token = found.strip();
    if (!TOKEN.matcher(token).matches()) {
      throw new IOException(where + " holds no token: letters, digits and -._~+/= in one line");
    }
    return token;
  }

  /** Asks for a line; the usual answer is taken for an empty one, and where nobody can be asked. */
  public String line(String prompt, String usual) throws IOException {
    if (console == null) {
      return usual;
    }
    String typed = console.readLine("%s [%s]: ", prompt, usual);
    if (typed == null) {
      throw new IOException("nothing was typed");
    }
    return typed.isBlank() ? usual : readable(typed.strip(), prompt);
  }

  /** Tells what a person should know, beside the result. */
  public void note(String line) {
    err.println("staithe: " + line);
  }

  /**
   * What a command ends with: {@code code}, but no success where its results did not get out, as to
   * a disk that is full.
   */
  public int ended(int code) {
    if (!out.checkError()) {
      return code;
    }
    note(LOST);
    return code == 0 ? 1 : code;
  }

  /**
   * For whoever prints again and again.
   *
   * @throws IOException where results do not get out any more, as the reader of a pipe has gone
   */
  public void written() throws IOException {
    if (out.checkError()) {
      throw new IOException(LOST);
    }
  }

  /** Tells what is being done where somebody waits for it. */
  public void progress(String line) {
    if (interactive()) {
      err.println(line + " ...");
    }
  }

  /** Whether somebody can be asked. */
  public boolean interactive() {
    return console != null;
  }
}
