package dev.staithe.authn.users;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Users in relational tables, H2 or PostgreSQL. Thread-safe. */
public final class JdbcUsers implements Users {
  /** The largest page of a listing. */
  public static final int LARGEST_PAGE = 1000;

  private static final String COLUMNS =
      """
      SELECT u.name, u.display_name, u.mail, u.password_hash, u.enabled, f.secret IS NOT NULL AS factor,
             COALESCE(e.sub, u.name) AS subject, COALESCE(e.not_before, 0) AS since
      FROM users u
      LEFT JOIN second_factor f ON f.user_name = u.name
      LEFT JOIN user_end e ON e.user_name = u.name
      """;

  private final Database database;

  /** On tables that the migrations of {@code db/users} have made. */
  public JdbcUsers(Database database) {
    this.database = database;
  }

  @Override
  public Optional<Account> find(String name) throws UsersUnavailable {
    return findWithHash(name).map(StoredUser::account);
  }

  /** The account with its password's hash. */
  public Optional<StoredUser> findWithHash(String name) throws UsersUnavailable {
    Optional<String> valid = UserName.of(name);
    if (valid.isEmpty()) {
      return Optional.empty();
    }
    // One round trip: a row for each group, or one row without a group.
    List<Row> rows =
        database.ask(
            client ->
                client
                    .sql(
                        """
                        SELECT u.name, u.display_name, u.mail, u.password_hash, u.enabled,
                               f.secret IS NOT NULL AS factor, g.group_path,
                               COALESCE(e.sub, u.name) AS subject,
                               COALESCE(e.not_before, 0) AS since
                        FROM users u
                        LEFT JOIN second_factor f ON f.user_name = u.name
                        LEFT JOIN user_end e ON e.user_name = u.name
                        LEFT JOIN user_group g ON g.user_name = u.name
                        WHERE u.name = ?
                        """)
                    .param(valid.get())
                    .query((row, number) -> Row.of(row, row.getString("group_path")))
                    .list());
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    List<String> groups = new ArrayList<>();
    for (Row row : rows) {
      if (row.group() != null) {
        groups.add(row.group());
      }
    }
    return Optional.of(rows.getFirst().user(groups));
  }

  /** The account that tokens call so. */
  public Optional<Account> findBySubject(String subject) throws UsersUnavailable {
    Optional<String> name =
        database.ask(
            client ->
                client
                    .sql("SELECT user_name FROM user_end WHERE sub = ?")
                    .param(subject)
                    .query(String.class)
                    .optional());
    // Of a user who was deleted the subject stays, and the name may be another's by now.
    return name.isEmpty()
        ? Optional.empty()
        : find(name.get()).filter(account -> account.subject().equals(subject));
  }

  /**
   * A page of accounts in the order of their names.
   *
   * @param group only its users; empty for everybody
   * @param after the last name of the page before, empty for the first page
   * @param limit 1 to {@value #LARGEST_PAGE}
   */
  public List<Account> list(String group, String after, int limit) throws UsersUnavailable {
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new IllegalArgumentException("a page has 1 to " + LARGEST_PAGE + " users");
    }
    return database.ask(
        client -> {
          List<Row> rows =
              client
                  .sql(
                      COLUMNS
                          + """
                          WHERE u.name > :after AND (:group = '' OR EXISTS (
                            SELECT 1 FROM user_group g
                            WHERE g.user_name = u.name AND g.group_path = :group))
                          ORDER BY u.name FETCH FIRST :limit ROWS ONLY
                          """)
                  .param("after", after)
                  .param("group", group)
                  .param("limit", limit)
                  .query((row, number) -> Row.of(row, null))
                  .list();
          if (rows.isEmpty()) {
            return List.of();
          }
          Map<String, List<String>> groups =
              groupsOf(client, rows.stream().map(Row::name).toList());
          List<Account> accounts = new ArrayList<>();
          for (Row row : rows) {
            accounts.add(row.user(groups.getOrDefault(row.name(), List.of())).account());
          }
          return List.copyOf(accounts);
        });
  }

  private static Map<String, List<String>> groupsOf(JdbcClient client, List<String> names) {
    Map<String, List<String>> groups = new HashMap<>();
    client
        .sql("SELECT user_name, group_path FROM user_group WHERE user_name IN (:names)")
        .param("names", names)
        .query(
            row -> {
              groups
                  .computeIfAbsent(row.getString("user_name"), name -> new ArrayList<>())
                  .add(row.getString("group_path"));
            });
    return groups;
  }

  /** How many users there are; 0 at the very first start. */
  public long count() throws UsersUnavailable {
    return database.ask(
        client -> client.sql("SELECT COUNT(*) FROM users").query(Long.class).single());
  }

  /** All groups that somebody is in, sorted, with the number of their users. */
  public SortedMap<String, Long> groups() throws UsersUnavailable {
    var groups = new TreeMap<String, Long>();
    database.ask(
        client ->
            client
                .sql("SELECT group_path, COUNT(*) AS members FROM user_group GROUP BY group_path")
                .query(
                    row -> {
                      while (row.next()) {
                        groups.put(row.getString("group_path"), row.getLong("members"));
                      }
                      return groups;
                    }));
    return groups;
  }

  /**
   * Replaces a hash by a better one of the same password.
   *
   * @return false where the password was changed meanwhile; then nothing is written
   */
  public boolean upgradeHash(String name, String before, String after) throws UsersUnavailable {
    return database.ask(
        client ->
            client
                    .sql("UPDATE users SET password_hash = ? WHERE name = ? AND password_hash = ?")
                    .param(after)
                    .param(name)
                    .param(before)
                    .update()
                == 1);
  }

  private record Row(
      String name,
      String displayName,
      @Nullable String mail,
      @Nullable String hash,
      boolean enabled,
      boolean factor,
      String subject,
      Instant since,
      @Nullable String group) {
    static Row of(ResultSet row, @Nullable String group) throws SQLException {
      return new Row(
          row.getString("name"),
          row.getString("display_name"),
          row.getString("mail"),
          row.getString("password_hash"),
          row.getBoolean("enabled"),
          row.getBoolean("factor"),
          row.getString("subject"),
          Instant.ofEpochMilli(row.getLong("since")),
          group);
    }

    StoredUser user(Collection<String> groups) {
      return new StoredUser(
          new Account(name, displayName, mail, Account.sorted(groups), enabled, factor, subject),
          hash,
          since);
    }
  }
}
