package dev.staithe.authn.oauth;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Secrets that all nodes share, made by the first that asks. Thread-safe. */
public final class StoreSecrets {
  private static final int BYTES = 32;

  private final JdbcClient store;
  private final SecureRandom random = new SecureRandom();

  /** On tables that the migrations of {@code db/oauth} have made. */
  public StoreSecrets(DataSource source) {
    this.store = JdbcClient.create(source);
  }

  /**
   * The secret of that name: 32 random bytes.
   *
   * @param name up to 40 characters
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
          .params(name, Base64.getEncoder().encodeToString(made))
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
        .map(Base64.getDecoder()::decode);
  }
}
