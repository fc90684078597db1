package dev.staithe.authn.users;

import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The relational user store: every statement has a time limit, and a store that fails is told as
 * {@link UsersUnavailable}. Thread-safe.
 */
public final class Database {
  private static final int ATTEMPTS = 5;

  private final JdbcClient client;
  private final TransactionTemplate transactions;

  /** What is done with the store. */
  @FunctionalInterface
  public interface Work<T> {
    /** Reads or writes. */
    T with(JdbcClient client);
  }

  /**
   * On a data source whose own wait for a connection is limited.
   *
   * @param timeout of one statement, in whole seconds, at least one
   */
  public Database(DataSource source, Duration timeout) {
    var template = new JdbcTemplate(source);
    template.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
    this.client = JdbcClient.create(template);
    this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
    this.transactions.setTimeout((int) Math.max(1, timeout.toSeconds()));
  }

  /** One statement, which commits by itself. */
  public <T> T ask(Work<T> work) throws UsersUnavailable {
    try {
      return work.with(client);
    } catch (DataAccessException e) {
      throw down(e);
    }
  }

  /**
   * Several statements, all or none. It is repeated where it lost a race for a new row or against
   * another transaction, so it may do nothing outside of the store.
   */
  public <T> T together(Work<T> work) throws UsersUnavailable {
    for (int attempt = 1; ; attempt++) {
      try {
        return transactions.execute(status -> work.with(client));
      } catch (DuplicateKeyException | TransientDataAccessException e) {
        if (attempt == ATTEMPTS) {
          throw down(e);
        }
      } catch (DataAccessException | TransactionException e) {
        throw down(e);
      }
    }
  }

  private static UsersUnavailable down(Exception e) {
    // The driver's message may quote values, the class of the failure does not.
    return new UsersUnavailable("user store: " + e.getClass().getSimpleName(), e);
  }
}
