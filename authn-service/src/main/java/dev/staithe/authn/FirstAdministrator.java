package dev.staithe.authn;

import dev.staithe.authn.password.PasswordHash;
import dev.staithe.authn.users.AdministrationOutcome;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.StoredUser;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.service.PasswordFile;
import dev.staithe.service.process.Chores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Makes the account {@value #NAME} where there is no relational user yet, with the password of a
 * file, or else with one made on the spot, and prints that: once, on standard output, and nowhere
 * else. While the store does not tell what came of it, this asks again: the account may have been
 * made although no answer came, and then only this knows its password.
 */
final class FirstAdministrator implements ApplicationListener<ApplicationReadyEvent> {
  static final String NAME = "admin";

  private static final Logger log = LoggerFactory.getLogger(FirstAdministrator.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final JdbcUsers users;
  private final UserAdministration administration;
  private final PasswordHash passwords;
  private final AuthnProperties.Administration settings;
  private final SecureRandom random;
  private final Chores chores;

  FirstAdministrator(
      JdbcUsers users,
      UserAdministration administration,
      PasswordHash passwords,
      AuthnProperties.Administration settings,
      SecureRandom random,
      Chores chores) {
    this.users = users;
    this.administration = administration;
    this.passwords = passwords;
    this.settings = settings;
    this.random = random;
    this.chores = chores;
  }

  /** A password, and whether a file gave it. */
  private record First(String password, boolean given) {
    byte[] bytes() {
      return password.getBytes(StandardCharsets.UTF_8);
    }
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    make(null);
  }

  /**
   * @param before what was tried before, where it is not known what came of it
   */
  private void make(@Nullable First before) {
    First first = before;
    try {
      if (users.count() > 0) {
        tellIfOurs(first);
        return;
      }
      if (first == null) {
        first = first();
      }
      switch (administration.create(
          new NewUser(NAME, "Administrator", null, Set.of(settings.group()), true),
          first.bytes())) {
        case AdministrationOutcome.Done done -> tell(first);
        // Another node was quicker, and has printed it; or this one was, and was not told.
        case AdministrationOutcome.Exists exists -> tellIfOurs(first);
        case AdministrationOutcome.Busy busy -> later(first, "too many hashes wait");
        case AdministrationOutcome.Unavailable down -> later(first, down.reason());
        case AdministrationOutcome other -> log.warn("no administrator could be made: {}", other);
      }
    } catch (UsersUnavailable e) {
      later(first, e.getMessage());
    } catch (IOException e) {
      log.warn("no administrator could be made: the file with the password cannot be read");
    }
  }

  private First first() throws IOException {
    Optional<String> given = PasswordFile.read(Optional.ofNullable(settings.firstPasswordFile()));
    return new First(given.orElseGet(() -> NewAdministrator.password(random)), given.isPresent());
  }

  private void later(@Nullable First first, @Nullable String reason) {
    if (chores.after(PAUSE, "making the first administrator", () -> make(first))) {
      log.warn(
          "whether there is an administrator is not known yet, asked again in {} s: {}",
          PAUSE.toSeconds(),
          reason);
    }
  }

  private void tellIfOurs(@Nullable First first) throws UsersUnavailable {
    String hash = users.findWithHash(NAME).map(StoredUser::passwordHash).orElse(null);
    if (first != null
        && hash != null
        && passwords.verify(hash, first.bytes()) == PasswordHash.Verdict.MATCH) {
      tell(first);
    }
  }

  private static void tell(First first) {
    if (first.given()) {
      log.info("there was no user yet: made {} with the password of the file", NAME);
    } else {
      System.out.printf(
          "%nThere was no user yet. Administrator: %s, password: %s%n"
              + "It is shown this once; change it with: staithe user password %s%n%n",
          NAME, first.password(), NAME);
    }
  }
}
