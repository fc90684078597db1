package dev.staithe.slcs.issue;

import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.Identifier;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Who it is that a provider tells of: all identifiers of a person are kept, and one that is new is
 * linked at a login that carries a known one too. An identifier that lasts decides; a principal
 * name, which may be given to somebody else, only for who was never told of by another. Methods
 * throw {@link org.springframework.dao.DataAccessException} where the database does not answer.
 * Thread-safe.
 */
final class People {
  /** Whether it is known what an identifier was. */
  private static final String ANY = "any";

  private final JdbcClient client;

  /** Who it is. */
  sealed interface Lookup {
    /** Somebody who holds a name. */
    record Known(Person person) implements Lookup {}

    /** Somebody who holds none yet: {@link #keep} once that is so. */
    record New(Person person) implements Lookup {}

    /** It cannot be said who. */
    record Unresolved(String line) implements Lookup {}
  }

  private record Row(String id, String kind, String person) {
    boolean is(Identifier identifier) {
      return id.equals(identifier.value())
          && (kind.equals(identifier.kind().attribute()) || kind.equals(ANY));
    }
  }

  /**
   * @param database with the tables of part {@code issue}
   */
  People(DataSource database) {
    this.client = JdbcClient.create(database);
  }

  /** Finds the person, and links what is told of a known one for the first time. */
  Lookup of(CampusIdentity who) {
    List<Identifier> told = who.identifiers();
    List<Row> rows = rows(who.provider(), told);
    Set<String> lasting = people(rows, told.stream().filter(Identifier::lasts).toList());
    if (lasting.size() > 1) {
      return new Lookup.Unresolved(
          "the identity provider names you as two people who are known here: ask the operators of"
              + " this service");
    }
    if (lasting.size() == 1) {
      return known(who, lasting.iterator().next(), told, rows);
    }
    Set<String> named = people(rows, told);
    if (named.isEmpty()) {
      return new Lookup.New(unknown(who, told));
    }
    String person = named.iterator().next();
    if (!hasLasting(who.provider(), person)) {
      return known(who, person, told, rows);
    }
    // A principal name of somebody of whom more is known: perhaps it is another's by now.
    return told.stream().anyMatch(Identifier::lasts)
        ? new Lookup.New(unknown(who, told))
        : new Lookup.Unresolved(
            "the identity provider tells less of you than before, so that nobody can say whether"
                + " you are the same person: ask the operators of this service");
  }

  private static Set<String> people(List<Row> rows, List<Identifier> identifiers) {
    var people = new HashSet<String>();
    for (Row row : rows) {
      if (identifiers.stream().anyMatch(row::is)) {
        people.add(row.person());
      }
    }
    return people;
  }

  private Lookup known(CampusIdentity who, String id, List<Identifier> told, List<Row> rows) {
    var person = new Person(who.provider(), id);
    List<Identifier> missing =
        told.stream()
            .filter(each -> rows.stream().noneMatch(row -> row.is(each) && !row.kind().equals(ANY)))
            .toList();
    if (!missing.isEmpty()) {
      keep(person, missing);
      // What it was is known by now.
      client
          .sql("DELETE FROM slcs_identifier WHERE provider = ? AND kind = ? AND person = ?")
          .param(person.provider())
          .param(ANY)
          .param(person.id())
          .update();
    }
    return new Lookup.Known(person);
  }

  /**
   * Under the best of the identifiers; where another holds that text under one that lasts, as a
   * principal name may come to a third person, with its kind before it.
   */
  private Person unknown(CampusIdentity who, List<Identifier> told) {
    Person person = Person.of(who);
    if (!hasOther(person.provider(), person.id(), "")) {
      return person;
    }
    return told.stream()
        .filter(Identifier::lasts)
        .findFirst()
        .or(() -> told.stream().findFirst())
        .map(each -> new Person(person.provider(), each.kind().attribute() + ":" + each.value()))
        .orElse(person);
  }

  /** Keeps what names a person who holds a name by now. */
  void keep(Person person, List<Identifier> identifiers) {
    for (Identifier each : identifiers) {
      try {
        client
            .sql("INSERT INTO slcs_identifier (provider, id, kind, person) VALUES (?, ?, ?, ?)")
            .param(person.provider())
            .param(each.value())
            .param(each.kind().attribute())
            .param(person.id())
            .update();
      } catch (DuplicateKeyException e) {
        // Another request was first, or it is another person's still.
      }
    }
  }

  private boolean hasLasting(String provider, String person) {
    return hasOther(provider, person, Identifier.Kind.PRINCIPAL_NAME.attribute());
  }

  /** Whether a person is known by an identifier of another kind than that, of which it is known. */
  private boolean hasOther(String provider, String person, String kind) {
    return client
            .sql(
                "SELECT count(*) FROM slcs_identifier WHERE provider = ? AND person = ?"
                    + " AND kind NOT IN (?, ?)")
            .param(provider)
            .param(person)
            .param(ANY)
            .param(kind)
            .query(Long.class)
            .single()
        > 0;
  }

  private List<Row> rows(String provider, List<Identifier> told) {
    if (told.isEmpty()) {
      return List.of();
    }
    return client
        .sql(
            "SELECT id, kind, person FROM slcs_identifier WHERE provider = :provider AND id IN"
                + " (:ids)")
        .param("provider", provider)
        .param("ids", new ArrayList<>(told.stream().map(Identifier::value).distinct().toList()))
        .query((row, number) -> new Row(row.getString(1), row.getString(2), row.getString(3)))
        .list();
  }

  /**
   * A person who holds a name, as operators see one.
   *
   * @param person what all identifiers lead to
   * @param name of the certificates
   */
  record Shown(
      String provider,
      String person,
      String name,
      String principal,
      Instant since,
      List<Identifier> identifiers) {}

  /** Those of whom an identifier or a name has a text, the newest first. */
  List<Shown> find(String text, int most) {
    String like =
        "%"
            + text.toLowerCase(Locale.ROOT).replace("!", "!!").replace("%", "!%").replace("_", "!_")
            + "%";
    return client
        .sql(
            """
            SELECT provider, person, name, principal, first_held FROM slcs_name n
            WHERE lower(name) LIKE :like ESCAPE '!' OR EXISTS (
              SELECT 1 FROM slcs_identifier i WHERE i.provider = n.provider
                AND i.person = n.person AND i.id LIKE :like ESCAPE '!')
            ORDER BY first_held DESC
            """)
        .param("like", like)
        .withMaxRows(most)
        .query(
            (row, number) ->
                new Shown(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getObject(5, OffsetDateTime.class).toInstant(),
                    identifiers(row.getString(1), row.getString(2))))
        .list();
  }

  private List<Identifier> identifiers(String provider, String person) {
    return client
        .sql(
            "SELECT id, kind, person FROM slcs_identifier WHERE provider = ? AND person = ?"
                + " ORDER BY kind")
        .param(provider)
        .param(person)
        .query((row, number) -> new Row(row.getString(1), row.getString(2), row.getString(3)))
        .list()
        .stream()
        .flatMap(
            row ->
                Identifier.Kind.of(row.kind()).stream().map(kind -> new Identifier(kind, row.id())))
        .toList();
  }

  /**
   * Says that an identifier is that of a person who holds a name, whoever it led to before.
   *
   * @return false where nobody of that kind holds a name
   */
  boolean link(Person person, Identifier identifier) {
    long held =
        client
            .sql("SELECT count(*) FROM slcs_name WHERE provider = ? AND person = ?")
            .param(person.provider())
            .param(person.id())
            .query(Long.class)
            .single();
    if (held == 0) {
      return false;
    }
    // As long as it is not known what one was, it would lead to both.
    client
        .sql(
            "DELETE FROM slcs_identifier WHERE provider = ? AND id = ? AND kind = ? AND person <>"
                + " ?")
        .param(person.provider())
        .param(identifier.value())
        .param(ANY)
        .param(person.id())
        .update();
    int moved =
        client
            .sql("UPDATE slcs_identifier SET person = ? WHERE provider = ? AND id = ? AND kind = ?")
            .param(person.id())
            .param(person.provider())
            .param(identifier.value())
            .param(identifier.kind().attribute())
            .update();
    if (moved == 0) {
      keep(person, List.of(identifier));
    }
    return true;
  }

  /**
   * Says that a provider has another entityID.
   *
   * @return how many people it has here; none where it is not known
   * @throws DuplicateKeyException where people of both hold names under one identifier
   */
  int rename(String provider, String becomes) {
    client
        .sql("UPDATE slcs_identifier SET provider = ? WHERE provider = ?")
        .param(becomes)
        .param(provider)
        .update();
    return client
        .sql("UPDATE slcs_name SET provider = ? WHERE provider = ?")
        .param(becomes)
        .param(provider)
        .update();
  }
}
