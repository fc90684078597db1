package dev.staithe.authn.clients;

import dev.staithe.authn.keys.KeyAlgorithm;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The registered clients and their administration. Thread-safe; asks the store each time. */
public final class Clients {
  private static final String COLUMNS =
      "client_id, name, secret_digest, redirect_uris, logout_uris, grant_types, scopes,"
          + " audiences, consent, second_factor, algorithm, access_seconds, refresh_seconds,"
          + " proof_key";

  private final JdbcClient store;
  private final TransactionTemplate transactions;
  private final Clock clock;

  /** A client with the digest of its secret. */
  public record StoredClient(Client client, @Nullable String digest) {}

  /** On tables that the migrations of {@code db/oauth} have made. */
  public Clients(DataSource source, Clock clock) {
    this.store = JdbcClient.create(source);
    this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
    this.clock = clock;
  }

  /** Adds a client; a confidential one is given a secret. */
  public ClientOutcome register(Client client) {
    String problem = client.problem();
    if (problem != null) {
      return new ClientOutcome.Invalid(problem);
    }
    String secret = client.confidential() ? ClientSecrets.create() : null;
    try {
      store
          .sql(
              "INSERT INTO oauth_client ("
                  + COLUMNS
                  + ", created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
          .param(client.id())
          .param(client.name())
          .param(secret == null ? null : Digests.of(secret))
          .params(columnsFromRedirectsOn(client))
          .param(clock.instant().getEpochSecond())
          .update();
    } catch (DuplicateKeyException e) {
      return new ClientOutcome.Exists(client.id());
    }
    return new ClientOutcome.Done(client, secret);
  }

  /** What may be changed of a client but its name, in the order of the table. */
  private static List<Object> columnsFromRedirectsOn(Client client) {
    return List.of(
        String.join(" ", client.redirectUris()),
        String.join(" ", client.logoutUris()),
        client.grants().stream().map(Grant::name).collect(Collectors.joining(" ")),
        String.join(" ", client.scopes()),
        String.join(" ", client.audiences()),
        client.consent(),
        client.secondFactor(),
        client.algorithm().name(),
        client.accessLifetime().toSeconds(),
        client.refreshLifetime().toSeconds(),
        client.proofKey());
  }

  /**
   * Gives a client other properties; its id, and its secret or that it has none, stay. Who changes
   * the same client meanwhile waits: neither takes back what the other has changed.
   *
   * @param edit what it is to be, from what it is
   */
  public ClientOutcome change(String id, UnaryOperator<Client> edit) {
    return transactions.execute(
        status ->
            kept(id, " FOR UPDATE")
                .map(kept -> write(edit.apply(kept.client())))
                .orElseGet(() -> new ClientOutcome.Unknown(id)));
  }

  private ClientOutcome write(Client client) {
    String problem = client.problem();
    if (problem != null) {
      return new ClientOutcome.Invalid(problem);
    }
    store
        .sql(
            """
            UPDATE oauth_client SET name = ?, redirect_uris = ?, logout_uris = ?,
              grant_types = ?, scopes = ?, audiences = ?, consent = ?, second_factor = ?,
              algorithm = ?, access_seconds = ?, refresh_seconds = ?, proof_key = ?
            WHERE client_id = ?
            """)
        .param(client.name())
        .params(columnsFromRedirectsOn(client))
        .param(client.id())
        .update();
    return new ClientOutcome.Done(client, null);
  }

  /** All clients, by id. */
  public List<Client> list() {
    return store
        .sql("SELECT " + COLUMNS + " FROM oauth_client ORDER BY client_id")
        .query((row, number) -> read(row).client())
        .list();
  }

  /** The client of that id. */
  public Optional<Client> find(String id) {
    return kept(id).map(StoredClient::client);
  }

  /** Gives a confidential client a new secret; the old one is refused at once. */
  public ClientOutcome newSecret(String id) {
    Optional<StoredClient> kept = kept(id);
    if (kept.isEmpty()) {
      return new ClientOutcome.Unknown(id);
    }
    Client client = kept.get().client();
    if (!client.confidential()) {
      return new ClientOutcome.Invalid("the client has no secret");
    }
    String secret = ClientSecrets.create();
    int changed =
        store
            .sql("UPDATE oauth_client SET secret_digest = ? WHERE client_id = ?")
            .params(Digests.of(secret), id)
            .update();
    return changed == 1 ? new ClientOutcome.Done(client, secret) : new ClientOutcome.Unknown(id);
  }

  /** Deletes a client; its grants and tokens go with it. */
  public ClientOutcome delete(String id) {
    Optional<StoredClient> kept = kept(id);
    int deleted = store.sql("DELETE FROM oauth_client WHERE client_id = ?").param(id).update();
    return kept.isPresent() && deleted == 1
        ? new ClientOutcome.Deleted(kept.get().client())
        : new ClientOutcome.Unknown(id);
  }

  public Optional<StoredClient> kept(String id) {
    return kept(id, "");
  }

  private Optional<StoredClient> kept(String id, String lock) {
    // What cannot be an id is not worth a question to the store, and PostgreSQL takes no NUL.
    if (!Client.isId(id)) {
      return Optional.empty();
    }
    return store
        .sql("SELECT " + COLUMNS + " FROM oauth_client WHERE client_id = ?" + lock)
        .param(id)
        .query((row, number) -> read(row))
        .optional();
  }

  private static StoredClient read(ResultSet row) throws SQLException {
    String digest = row.getString("secret_digest");
    Set<Grant> grants = EnumSet.noneOf(Grant.class);
    words(row.getString("grant_types")).forEach(each -> grants.add(Grant.valueOf(each)));
    return new StoredClient(
        new Client(
            row.getString("client_id"),
            row.getString("name"),
            digest != null,
            words(row.getString("redirect_uris")),
            words(row.getString("logout_uris")),
            grants,
            words(row.getString("scopes")),
            words(row.getString("audiences")),
            row.getBoolean("consent"),
            row.getBoolean("second_factor"),
            KeyAlgorithm.valueOf(row.getString("algorithm")),
            Duration.ofSeconds(row.getLong("access_seconds")),
            Duration.ofSeconds(row.getLong("refresh_seconds")),
            row.getBoolean("proof_key")),
        digest);
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(" "));
  }
}
