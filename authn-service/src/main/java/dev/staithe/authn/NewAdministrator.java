package dev.staithe.authn;

import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.session.SessionEnd;
import dev.staithe.authn.users.AdministrationOutcome;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserChange;
import dev.staithe.authn.users.UsersUnavailable;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * {@code --make-administrator=NAME}, for whoever has the machine and no administrator any more:
 * makes that account an enabled administrator with a new password and without a second factor,
 * prints the password, ends the account's sessions, and stops. It serves nobody meanwhile, and may
 * be run beside nodes that do where the database is not the embedded one.
 */
final class NewAdministrator implements ApplicationListener<ApplicationReadyEvent> {
  static final String OPTION = "make-administrator";

  private static final int BYTES = 18;

  private final String name;
  private final JdbcUsers users;
  private final UserAdministration administration;
  private final SessionLink sessions;
  private final String group;
  private final SecureRandom random;

  NewAdministrator(
      String name,
      JdbcUsers users,
      UserAdministration administration,
      SessionLink sessions,
      String group,
      SecureRandom random) {
    this.name = name;
    this.users = users;
    this.administration = administration;
    this.sessions = sessions;
    this.group = group;
    this.random = random;
  }

  static boolean asked(String[] args) {
    return Arrays.stream(args).anyMatch(each -> each.startsWith("--" + OPTION + "="));
  }

  /** The port that the configuration names is a running node's, or is to be one's soon. */
  static String[] withoutPort(String[] args) {
    return Stream.concat(
            Arrays.stream(args), Stream.of("--server.port=0", "--server.address=127.0.0.1"))
        .toArray(String[]::new);
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    String password = password(random);
    String problem = problem(password);
    if (problem == null) {
      System.out.printf(
          "%nAdministrator: %s, password: %s%nIt is shown this once; change it with: staithe user"
              + " password %s%n%n",
          name, password, name);
      // Only now, as it may wait for a store, and nobody else knows the password.
      SessionEnd end = sessions.endAllOf(name);
      if (end instanceof SessionEnd.Pending || end instanceof SessionEnd.Failed) {
        System.err.println("The session store does not answer: sessions of before may go on.");
      }
    } else {
      System.err.println("--" + OPTION + "=" + name + ": " + problem);
    }
    event.getApplicationContext().close();
    if (problem != null) {
      System.exit(2);
    }
  }

  static String password(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private @Nullable String problem(String password) {
    byte[] secret = password.getBytes(StandardCharsets.UTF_8);
    try {
      if (users.find(name).isEmpty()) {
        return problem(
            administration.create(new NewUser(name, "", null, Set.of(group), true), secret));
      }
    } catch (UsersUnavailable e) {
      return e.getMessage();
    }
    String problem = problem(administration.setPassword(name, secret));
    if (problem == null) {
      problem = problem(administration.removeSecondFactor(users, name));
    }
    if (problem == null) {
      problem = problem(administration.addToGroup(name, group));
    }
    return problem == null
        ? problem(administration.change(name, UserChange.enabled(true)))
        : problem;
  }

  private static @Nullable String problem(AdministrationOutcome outcome) {
    return outcome instanceof AdministrationOutcome.Done ? null : outcome.toString();
  }
}
