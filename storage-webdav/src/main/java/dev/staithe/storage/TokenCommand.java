package dev.staithe.storage;

import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.issuers.DevelopmentIssuer;
import dev.staithe.storage.state.StateFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.format.DateTimeParseException;

/** {@code token}: mints a token of the development issuer, for trying things out. */
final class TokenCommand {
  private static final String USAGE =
      "usage: token --scope \"storage.read:/ storage.modify:/\" [--subject NAME] [--lifetime PT1H]"
          + " [--audience URL] [--folder staithe-data]";

  private TokenCommand() {}

  /** Prints the token alone on a line, so that a shell can take it; gives the exit code. */
  static int run(String[] args, PrintStream out, PrintStream err, Clock clock) {
    String scope = "storage.read:/ storage.modify:/";
    String subject = "developer";
    String audience = DevelopmentDefault.audience();
    Path folder = DevelopmentDefault.FOLDER;
    Duration lifetime = Duration.ofHours(1);
    try {
      for (int i = 1; i < args.length; i += 2) {
        if (i + 1 == args.length) {
          throw new IllegalArgumentException(args[i] + " has no value");
        }
        String value = args[i + 1];
        switch (args[i]) {
          case "--scope" -> scope = value;
          case "--subject" -> subject = value;
          case "--audience" -> audience = value;
          case "--folder" -> folder = Path.of(value);
          case "--lifetime" -> lifetime = Duration.parse(value);
          default -> throw new IllegalArgumentException("unknown option " + args[i]);
        }
      }
      Scopes.of(scope);
      if (!lifetime.isPositive() || lifetime.compareTo(Duration.ofDays(1)) > 0) {
        throw new IllegalArgumentException("--lifetime is more than nothing and at most P1D");
      }
      out.println(
          DevelopmentIssuer.open(StateFolder.make(folder), clock)
              .mint(subject, scope, audience, lifetime));
      return 0;
    } catch (DateTimeParseException e) {
      err.println("token: --lifetime is a duration such as PT1H");
    } catch (IllegalArgumentException e) {
      err.println("token: " + e.getMessage() + "\n" + USAGE);
    } catch (IOException e) {
      err.println("token: the issuer's key in " + folder + " cannot be used: " + e.getMessage());
    }
    return 2;
  }
}
