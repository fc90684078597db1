package dev.staithe.authn.keys;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Secrets that all nodes share, made by the first that asks. Thread-safe. */
public final class StoreSecrets {
  private static final int BYTES = 32;

  /** A secret as it lies in the store. */
  record Row(String name, String content) {}

  private final JdbcClient store;
  private final KeySeal seal;
  private final SecureRandom random = new SecureRandom();

  /** On tables that the migrations of {@code db/oauth} have made. */
  public StoreSecrets(DataSource source, KeySeal seal) {
    this.store = JdbcClient.create(source);
    this.seal = seal;
  }

  /**
   * The secret of that name: 32 random bytes.
   *
   * @param name up to 40 characters
   * @throws KeySeal.Unreadable where it is sealed with a key that this node does not have
   */
  public byte[] get(String name) {
    Optional<byte[]> known = find(name);
    if (known.isPresent()) {
      return known.get();
    }
    byte[] made = new byte[BYTES];
    random.nextBytes(made);
    try {
      store
          .sql("INSERT INTO oauth_secret (name, content) VALUES (?, ?)")
          .params(name, seal.seal(name, Base64.getEncoder().encodeToString(made)))
          .update();
    } catch (DuplicateKeyException e) {
      return find(name).orElseThrow(() -> e);
    }
    return made;
  }

  private Optional<byte[]> find(String name) {
    return store
        .sql("SELECT content FROM oauth_secret WHERE name = ?")
        .param(name)
        .query(String.class)
        .optional()
        .map(kept -> Base64.getDecoder().decode(seal.open(name, kept)));
  }

  static List<Row> rows(JdbcClient store) {
    return store
        .sql("SELECT name, content FROM oauth_secret ORDER BY name")
        .query((row, number) -> new Row(row.getString(1), row.getString(2)))
        .list();
  }
}
