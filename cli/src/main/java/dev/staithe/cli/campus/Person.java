package dev.staithe.cli.campus;

import dev.staithe.cli.program.Terminal;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who logs in at the campus. Asked for name and password only when a page wants them, once for each
 * host; told each time which host it is that gets them. Not thread-safe.
 */
final class Person {
  private final Terminal terminal;
  private final @Nullable String passwordFile;
  private final String usualName;
  private final String knownHost;
  private @Nullable String name;
  private @Nullable String password;
  private String givenTo = "";

  /**
   * Asks nothing yet.
   *
   * @param name null to ask for it
   * @param usualName what is suggested, or taken where nobody can be asked
   * @param passwordFile null to ask for it, {@code -} for standard input
   * @param knownHost that may have the password where nobody can be asked; empty for any
   */
  Person(
      Terminal terminal,
      @Nullable String name,
      String usualName,
      @Nullable String passwordFile,
      String knownHost) {
    this.terminal = terminal;
    this.name = name;
    this.usualName = usualName;
    this.passwordFile = passwordFile;
    this.knownHost = knownHost;
  }

  /** The user's name at the host. */
  String name(String host) throws IOException {
    String known = name;
    if (known == null) {
      known = terminal.line("User name at " + host, usualName);
      name = known;
    }
    return known;
  }

  /**
   * The password, which goes to the host and nowhere else.
   *
   * @throws IOException where nobody gives one, or where the host is another than the known one and
   *     nobody can be asked about it
   */
  String password(String host) throws IOException {
    String known = password;
    if (known != null && givenTo.equals(host)) {
      return known;
    }
    if (!knownHost.isEmpty() && !knownHost.equals(host)) {
      if (!terminal.interactive() || passwordFile != null) {
        throw new IOException(
            "the password would go to "
                + host
                + ", until now it went to "
                + knownHost
                + ": --idp-host "
                + host
                + " if that is right");
      }
      terminal.note("until now the password went to " + knownHost + ", now it would go to " + host);
    }
    if (known != null && (!terminal.interactive() || passwordFile != null)) {
      throw new IOException(
          "a second host, " + host + ", wants the password that went to " + givenTo);
    }
    String read = read(host);
    if (read.isEmpty()) {
      throw new IOException("the password is empty");
    }
    password = read;
    givenTo = host;
    return read;
  }

  /** The name that was used, or the given one where none was needed. */
  String knownName(String otherwise) {
    String known = name;
    return known == null ? otherwise : known;
  }

  /** The host that got the password; empty where none did. */
  String givenTo() {
    return givenTo;
  }

  /** A one-time code for the host. */
  String code(String host) throws IOException {
    return terminal.secret("Code for " + host);
  }

  private String read(String host) throws IOException {
    String file = passwordFile;
    if (file == null) {
      return terminal.secret("Password of " + name(host) + " at " + host);
    }
    terminal.note("the password goes to " + host.toLowerCase(Locale.ROOT));
    return terminal.secretOf(file, "password");
  }
}
