package dev.staithe.authn;

import dev.staithe.authn.users.AdministrationOutcome;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UsersUnavailable;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Makes the account {@value #NAME} where there is no relational user yet, with a password made on
 * the spot, and prints it: once, on standard output, and nowhere else.
 */
final class FirstAdministrator implements ApplicationListener<ApplicationReadyEvent> {
  static final String NAME = "admin";

  private static final Logger log = LoggerFactory.getLogger(FirstAdministrator.class);
  private static final int BYTES = 18;

  private final JdbcUsers users;
  private final UserAdministration administration;
  private final String group;
  private final SecureRandom random;

  FirstAdministrator(
      JdbcUsers users, UserAdministration administration, String group, SecureRandom random) {
    this.users = users;
    this.administration = administration;
    this.group = group;
    this.random = random;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    try {
      if (users.count() > 0) {
        return;
      }
    } catch (UsersUnavailable e) {
      log.warn("whether there are users cannot be told: {}", e.getMessage());
      return;
    }
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    String password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    AdministrationOutcome outcome =
        administration.create(
            new NewUser(NAME, "Administrator", null, Set.of(group), true),
            password.getBytes(StandardCharsets.US_ASCII));
    switch (outcome) {
      case AdministrationOutcome.Done done ->
          System.out.printf(
              "%nThere was no user yet. Administrator: %s, password: %s%n"
                  + "It is shown this once; change it with: staithe user password %s%n%n",
              NAME, password, NAME);
      case AdministrationOutcome.Exists exists -> {
        // Another node was quicker, and has printed it.
      }
      default -> log.warn("no administrator could be made: {}", outcome);
    }
  }
}
