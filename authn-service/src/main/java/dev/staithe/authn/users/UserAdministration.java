package dev.staithe.authn.users;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Creates, changes and deletes relational users. Thread-safe. What a user granted before being
 * deleted, disabled or given a new password is over with the same transaction ({@link UserEnds});
 * to end the sessions is up to the caller.
 */
public final class UserAdministration {
  private static final AdministrationOutcome NO_NAME =
      new AdministrationOutcome.Invalid(
          "a user's name has 1 to 64 letters, digits and ._@- and begins with a letter or digit");
  private static final String NO_GROUP = "a group is a path as /physics/analysis";

  private final Database database;
  private final JdbcUsers users;
  private final SecondFactors secondFactors;
  private final PasswordHashing hashing;
  private final Clock clock;
  private final String keptGroup;

  /**
   * On the same store as the users and second factors.
   *
   * @param keptGroup the group that always keeps an enabled member with a password, once it has
   *     one: that of the administrators; empty for none
   */
  public UserAdministration(
      Database database,
      JdbcUsers users,
      SecondFactors secondFactors,
      PasswordHashing hashing,
      Clock clock,
      String keptGroup) {
    this.database = database;
    this.users = users;
    this.secondFactors = secondFactors;
    this.hashing = hashing;
    this.clock = clock;
    this.keptGroup = keptGroup;
  }

  /** Undoes a transaction after which nobody would be left in the group that is kept. */
  private static final class NobodyLeft extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @FunctionalInterface
  private interface Step {
    AdministrationOutcome take() throws UsersUnavailable;
  }

  /**
   * Creates a user.
   *
   * @param password null for none: such a user cannot log in until one is set
   */
  public AdministrationOutcome create(NewUser user, byte @Nullable [] password) {
    Optional<String> name = UserName.of(user.name());
    if (name.isEmpty()) {
      return NO_NAME;
    }
    Optional<String> objection =
        objection(user.displayName(), user.mail(), user.groups())
            .or(
                () ->
                    password == null
                        ? Optional.empty()
                        : PasswordPolicy.objection(name.get(), password));
    if (objection.isPresent()) {
      return new AdministrationOutcome.Invalid(objection.get());
    }
    return step(
        () -> {
          // Before the hash, which is dear; looked at again with the insertion.
          if (users.find(name.get()).isPresent()) {
            return new AdministrationOutcome.Exists(name.get());
          }
          String hash = null;
          if (password != null) {
            Optional<String> made = hashing.hash(password);
            if (made.isEmpty()) {
              return new AdministrationOutcome.Busy();
            }
            hash = made.get();
          }
          return insert(user, name.get(), hash);
        });
  }

  private AdministrationOutcome insert(NewUser user, String name, @Nullable String hash)
      throws UsersUnavailable {
    boolean created =
        database.together(
            client -> {
              if (exists(client, name)) {
                return false;
              }
              client
                  .sql(
                      """
                      INSERT INTO users
                        (name, display_name, mail, password_hash, enabled, created_at)
                      VALUES (?, ?, ?, ?, ?, ?)
                      """)
                  .param(name)
                  .param(user.displayName().isBlank() ? name : user.displayName())
                  .param(user.mail())
                  .param(hash)
                  .param(user.enabled())
                  .param(clock.millis())
                  .update();
              addGroups(client, name, user.groups());
              UserEnds.begin(client, name, clock.millis());
              // Nothing of a namesake who was deleted elsewhere may be left to a new user.
              client.sql("DELETE FROM second_factor WHERE user_name = ?").param(name).update();
              return true;
            });
    return created ? done(name) : new AdministrationOutcome.Exists(name);
  }

  /** Changes what is given. */
  public AdministrationOutcome change(String name, UserChange change) {
    Optional<String> objection = objection(change.displayName(), change.mail(), change.groups());
    if (objection.isPresent()) {
      return new AdministrationOutcome.Invalid(objection.get());
    }
    return onExisting(
        name,
        (client, user) -> {
          if (change.displayName() != null) {
            client
                .sql("UPDATE users SET display_name = ? WHERE name = ?")
                .param(change.displayName().isBlank() ? user : change.displayName())
                .param(user)
                .update();
          }
          if (change.mail() != null) {
            client
                .sql("UPDATE users SET mail = ? WHERE name = ?")
                .param(change.mail().isEmpty() ? null : change.mail())
                .param(user)
                .update();
          }
          if (change.enabled() != null) {
            client
                .sql("UPDATE users SET enabled = ? WHERE name = ?")
                .param(change.enabled())
                .param(user)
                .update();
            if (!change.enabled()) {
              UserEnds.end(client, user, clock.millis());
            }
          }
          if (change.groups() != null) {
            client.sql("DELETE FROM user_group WHERE user_name = ?").param(user).update();
            addGroups(client, user, change.groups());
          }
        });
  }

  /**
   * Gives the user another name. Who that is in tokens stays; the caller ends the sessions of both
   * names.
   */
  public AdministrationOutcome rename(String name, String to) {
    Optional<String> from = UserName.of(name);
    Optional<String> valid = UserName.of(to);
    if (valid.isEmpty()) {
      return NO_NAME;
    }
    if (from.isEmpty()) {
      return new AdministrationOutcome.Unknown(name);
    }
    return step(
        () -> {
          Optional<AdministrationOutcome> refused =
              database.together(
                  client -> {
                    if (!exists(client, from.get())) {
                      return Optional.of(new AdministrationOutcome.Unknown(name));
                    }
                    if (exists(client, valid.get())) {
                      return Optional.of(new AdministrationOutcome.Exists(valid.get()));
                    }
                    UserRename.of(client, from.get(), valid.get(), clock.millis());
                    return Optional.empty();
                  });
          return refused.isPresent() ? refused.get() : done(valid.get());
        });
  }

  /** Adds to a group; one that the user is in already changes nothing. */
  public AdministrationOutcome addToGroup(String name, String group) {
    if (!GroupPath.isValid(group)) {
      return new AdministrationOutcome.Invalid(NO_GROUP);
    }
    return onExisting(
        name,
        (client, user) -> {
          deleteGroup(client, user, group);
          addGroups(client, user, List.of(group));
        });
  }

  /** Removes from a group; one that the user is not in changes nothing. */
  public AdministrationOutcome removeFromGroup(String name, String group) {
    if (!GroupPath.isValid(group)) {
      return new AdministrationOutcome.Invalid(NO_GROUP);
    }
    return onExisting(name, (client, user) -> deleteGroup(client, user, group));
  }

  /** Sets a new password; the caller ends the sessions. */
  public AdministrationOutcome setPassword(String name, byte[] password) {
    Optional<String> valid = UserName.of(name);
    if (valid.isEmpty()) {
      return new AdministrationOutcome.Unknown(name);
    }
    Optional<String> objection = PasswordPolicy.objection(valid.get(), password);
    if (objection.isPresent()) {
      return new AdministrationOutcome.Invalid(objection.get());
    }
    return step(
        () -> {
          if (users.find(valid.get()).isEmpty()) {
            return new AdministrationOutcome.Unknown(valid.get());
          }
          Optional<String> hash = hashing.hash(password);
          return hash.isEmpty()
              ? new AdministrationOutcome.Busy()
              : onExisting(valid.get(), (client, user) -> storeHash(client, user, hash.get()));
        });
  }

  /** Takes over the hash of a password from another system; it is renewed at the next login. */
  public AdministrationOutcome importHash(String name, String hash) {
    if (hash.length() > 512 || !hashing.recognises(hash)) {
      return new AdministrationOutcome.Invalid(
          "a hash of a kind that is not known, or with parameters beyond the bounds");
    }
    return onExisting(name, (client, user) -> storeHash(client, user, hash));
  }

  /** Deletes the user with groups, password and second factor. */
  public AdministrationOutcome delete(String name) {
    Optional<String> valid = UserName.of(name);
    return step(
        () -> {
          Optional<Account> before = valid.isEmpty() ? Optional.empty() : users.find(valid.get());
          if (before.isEmpty()) {
            return new AdministrationOutcome.Unknown(name);
          }
          boolean deleted =
              database.together(
                  client -> {
                    client
                        .sql("DELETE FROM second_factor WHERE user_name = ?")
                        .param(valid.get())
                        .update();
                    UserEnds.end(client, valid.get(), clock.millis());
                    boolean[] gone = new boolean[1];
                    keeping(client, () -> gone[0] = deleteUser(client, valid.get()));
                    return gone[0];
                  });
          return deleted
              ? new AdministrationOutcome.Done(before.get())
              : new AdministrationOutcome.Unknown(name);
        });
  }

  /**
   * Removes the second factor of a user; none changes nothing.
   *
   * @param all among whom the user is: those of LDAP have second factors, too
   */
  public AdministrationOutcome removeSecondFactor(Users all, String name) {
    return step(
        () -> {
          Optional<Account> before = all.find(name);
          if (before.isEmpty()) {
            return new AdministrationOutcome.Unknown(name);
          }
          secondFactors.remove(before.get().name());
          return new AdministrationOutcome.Done(all.find(name).orElse(before.get()));
        });
  }

  private static boolean deleteUser(JdbcClient client, String name) {
    return client.sql("DELETE FROM users WHERE name = ?").param(name).update() == 1;
  }

  /** Takes a step within a transaction unless it takes the last member of the kept group away. */
  private void keeping(JdbcClient client, Runnable step) {
    if (keptGroup.isEmpty()) {
      step.run();
      return;
    }
    // Two who remove each other follow one another.
    client
        .sql("SELECT user_name FROM user_group WHERE group_path = ? ORDER BY user_name FOR UPDATE")
        .param(keptGroup)
        .query(String.class)
        .list();
    long before = left(client);
    step.run();
    if (before > 0 && left(client) == 0) {
      throw new NobodyLeft();
    }
  }

  private long left(JdbcClient client) {
    return client
        .sql(
            """
            SELECT COUNT(*) FROM user_group g JOIN users u ON u.name = g.user_name
            WHERE g.group_path = ? AND u.enabled AND u.password_hash IS NOT NULL
            """)
        .param(keptGroup)
        .query(Long.class)
        .single();
  }

  @FunctionalInterface
  private interface Writing {
    void with(JdbcClient client, String user);
  }

  private AdministrationOutcome onExisting(String name, Writing writing) {
    Optional<String> valid = UserName.of(name);
    if (valid.isEmpty()) {
      return new AdministrationOutcome.Unknown(name);
    }
    return step(
        () -> {
          boolean found =
              database.together(
                  client -> {
                    if (!exists(client, valid.get())) {
                      return false;
                    }
                    keeping(client, () -> writing.with(client, valid.get()));
                    return true;
                  });
          return found ? done(valid.get()) : new AdministrationOutcome.Unknown(name);
        });
  }

  /** Locks the row as well, so that steps about the same user follow each other. */
  private static boolean exists(JdbcClient client, String name) {
    return client
        .sql("SELECT name FROM users WHERE name = ? FOR UPDATE")
        .param(name)
        .query(String.class)
        .optional()
        .isPresent();
  }

  private AdministrationOutcome done(String name) throws UsersUnavailable {
    Optional<Account> account = users.find(name);
    return account.isPresent()
        ? new AdministrationOutcome.Done(account.get())
        : new AdministrationOutcome.Unknown(name);
  }

  private static AdministrationOutcome step(Step step) {
    try {
      return step.take();
    } catch (NobodyLeft e) {
      return new AdministrationOutcome.LastOne("the last administrator stays");
    } catch (UsersUnavailable e) {
      return new AdministrationOutcome.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  private void storeHash(JdbcClient client, String user, String hash) {
    client
        .sql("UPDATE users SET password_hash = ? WHERE name = ?")
        .param(hash)
        .param(user)
        .update();
    UserEnds.end(client, user, clock.millis());
  }

  private static void addGroups(JdbcClient client, String user, Collection<String> groups) {
    for (String group : groups) {
      client
          .sql("INSERT INTO user_group (user_name, group_path) VALUES (?, ?)")
          .param(user)
          .param(group)
          .update();
    }
  }

  private static void deleteGroup(JdbcClient client, String user, String group) {
    client
        .sql("DELETE FROM user_group WHERE user_name = ? AND group_path = ?")
        .param(user)
        .param(group)
        .update();
  }

  private static Optional<String> objection(
      @Nullable String displayName, @Nullable String mail, @Nullable Collection<String> groups) {
    if (displayName != null && (displayName.length() > 200 || hasControls(displayName))) {
      return Optional.of("a display name has at most 200 characters and no control characters");
    }
    if (mail != null && (mail.length() > 254 || hasControls(mail))) {
      return Optional.of("a mail address has at most 254 characters and no control characters");
    }
    if (groups != null && groups.size() > 500) {
      return Optional.of("a user is in at most 500 groups");
    }
    if (groups != null && !groups.stream().allMatch(GroupPath::isValid)) {
      return Optional.of(NO_GROUP);
    }
    return Optional.empty();
  }

  private static boolean hasControls(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }
}
