package dev.staithe.authn;

import dev.staithe.authn.users.AdministrationOutcome;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.database.PasswordFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Makes the account {@value #NAME} where there is no relational user yet, with the password of a
 * file, or else with one made on the spot, and prints that: once, on standard output, and nowhere
 * else.
 */
final class FirstAdministrator implements ApplicationListener<ApplicationReadyEvent> {
  static final String NAME = "admin";

  private static final Logger log = LoggerFactory.getLogger(FirstAdministrator.class);

  private final JdbcUsers users;
  private final UserAdministration administration;
  private final AuthnProperties.Administration settings;
  private final SecureRandom random;

  FirstAdministrator(
      JdbcUsers users,
      UserAdministration administration,
      AuthnProperties.Administration settings,
      SecureRandom random) {
    this.users = users;
    this.administration = administration;
    this.settings = settings;
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
    Optional<String> given;
    try {
      given = PasswordFile.read(Optional.ofNullable(settings.firstPasswordFile()));
    } catch (IOException e) {
      log.warn("no administrator could be made: the file with the password cannot be read");
      return;
    }
    String password = given.orElseGet(this::made);
    AdministrationOutcome outcome =
        administration.create(
            new NewUser(NAME, "Administrator", null, Set.of(settings.group()), true),
            password.getBytes(StandardCharsets.UTF_8));
    switch (outcome) {
      case AdministrationOutcome.Done done -> {
        if (given.isPresent()) {
          log.info("there was no user yet: made {} with the password of the file", NAME);
        } else {
          System.out.printf(
              "%nThere was no user yet. Administrator: %s, password: %s%n"
                  + "It is shown this once; change it with: staithe user password %s%n%n",
              NAME, password, NAME);
        }
      }
      case AdministrationOutcome.Exists exists -> {
        // Another node was quicker, and has printed it.
      }
      default -> log.warn("no administrator could be made: {}", outcome);
    }
  }

  private String made() {
    return NewAdministrator.password(random);
  }
}
