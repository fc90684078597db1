package dev.staithe.authn.keys;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The keys that tokens are signed with, in the store and so the same on all nodes. A new one is
 * published {@link KeyPlan#overlap} before it signs, and stays published for {@link KeyPlan#keep}
 * after its successor took over. Thread-safe.
 *
 * <p>The store holds private keys: where they are not sealed, whoever reads its tables can make
 * tokens.
 */
public final class SigningKeys implements JWKSource<SecurityContext> {
  private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);

  private record StoredKey(KeyAlgorithm algorithm, int generation, JWK jwk, long signsFrom) {}

  /** A key as it lies in the store. */
  record Row(KeyAlgorithm algorithm, int generation, String jwk, long signsFrom) {
    /** What it is sealed for. */
    String name() {
      return name(algorithm, generation);
    }

    private static String name(KeyAlgorithm algorithm, int generation) {
      return "signing-key-" + algorithm + "-" + generation;
    }
  }

  private record Read(List<StoredKey> keys, Instant at) {}

  private final JdbcClient store;
  private final KeyPlan plan;
  private final Clock clock;
  private final Supplier<Instant> storesTime;
  private final KeySeal seal;
  private volatile @Nullable Read read;

  /** On tables that the migrations of {@code db/oauth} have made, by this node's clock alone. */
  public SigningKeys(DataSource source, KeyPlan plan, Clock clock, KeySeal seal) {
    this(source, plan, clock, clock::instant, seal);
  }

  private SigningKeys(
      DataSource source, KeyPlan plan, Clock clock, Supplier<Instant> storesTime, KeySeal seal) {
    this.store = JdbcClient.create(source);
    this.plan = plan;
    this.clock = clock;
    this.storesTime = storesTime;
    this.seal = seal;
  }

  /**
   * The same, for one of several nodes: keys change by its clock or the store's, whichever is
   * behind. A node whose clock is far ahead would publish a key that signs only then, until when
   * nobody would change keys, and drop those that the others sign with.
   */
  public static SigningKeys byTheStoresTime(
      DataSource source, KeyPlan plan, Clock clock, KeySeal seal) {
    JdbcClient store = JdbcClient.create(source);
    return new SigningKeys(source, plan, clock, () -> time(store), seal);
  }

  private static Instant time(JdbcClient store) {
    return store
        .sql("SELECT CURRENT_TIMESTAMP")
        .query((row, number) -> row.getTimestamp(1).toInstant())
        .single();
  }

  /** The key that signs now. */
  public JWK signing(KeyAlgorithm algorithm) {
    long now = clock.instant().getEpochSecond();
    KeyAlgorithm one = plan.algorithms().contains(algorithm) ? algorithm : KeyAlgorithm.RS256;
    List<StoredKey> known = keys();
    return known.stream()
        .filter(key -> key.algorithm() == one && key.signsFrom() <= now)
        .max(Comparator.comparingInt(StoredKey::generation))
        // The first of all may come from a node whose clock is ahead of ours.
        .or(
            () ->
                known.stream()
                    .filter(key -> key.algorithm() == one)
                    .min(Comparator.comparingInt(StoredKey::generation)))
        .map(StoredKey::jwk)
        .orElseThrow(() -> new IllegalStateException("there is no key for " + one));
  }

  /** All that are published: what signs, what will, and what did while its tokens last. */
  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) {
    return selector.select(new JWKSet(keys().stream().map(StoredKey::jwk).toList()));
  }

  private List<StoredKey> keys() {
    Read known = read;
    if (known != null && isNew(known)) {
      return known.keys();
    }
    synchronized (this) {
      known = read;
      if (known != null && isNew(known)) {
        return known.keys();
      }
      Instant now = clock.instant();
      try {
        List<StoredKey> keys = rotated(now);
        read = new Read(keys, now);
        return keys;
      } catch (DataAccessException | KeySeal.Unreadable e) {
        if (known == null) {
          throw e;
        }
        // Signing goes on with what is known: nothing is wrong with these keys.
        LOG.warn(
            "signing keys cannot be read again: {}",
            e instanceof KeySeal.Unreadable ? e.getMessage() : e.getClass().getSimpleName());
        // A store that is away says so after seconds only: it is asked again when it is time, as
        // one that answers, and not by each who wants a key while all others wait.
        read = new Read(known.keys(), clock.instant());
        return known.keys();
      }
    }
  }

  /** Not what was read at a time that is yet to come: the clock was ahead then, maybe by years. */
  private boolean isNew(Read known) {
    Instant now = clock.instant();
    return !now.isBefore(known.at()) && now.isBefore(known.at().plus(plan.reread()));
  }

  private List<StoredKey> rotated(Instant own) {
    long now = Math.min(own.getEpochSecond(), storesTime.get().getEpochSecond());
    List<StoredKey> keys = load();
    boolean changed = false;
    for (KeyAlgorithm algorithm : plan.algorithms()) {
      changed |= add(algorithm, keys, now);
    }
    changed |= drop(keys, now);
    return changed ? load() : keys;
  }

  private boolean add(KeyAlgorithm algorithm, List<StoredKey> keys, long now) {
    StoredKey newest = newest(algorithm, keys);
    long signsFrom = now; // the first of all signs at once: nobody could have published it before
    if (newest != null) {
      long due = newest.signsFrom() + plan.rotation().toSeconds();
      if (now < due - plan.overlap().toSeconds()) {
        return false;
      }
      signsFrom = Math.max(due, now + plan.overlap().toSeconds());
    }
    JWK jwk = algorithm.generate();
    int generation = newest == null ? 1 : newest.generation() + 1;
    try {
      store
          .sql(
              "INSERT INTO oauth_key (algorithm, generation, jwk, published, signs_from)"
                  + " VALUES (?, ?, ?, ?, ?)")
          .params(
              algorithm.name(),
              generation,
              seal.seal(Row.name(algorithm, generation), jwk.toJSONString()),
              now,
              signsFrom)
          .update();
      LOG.info("published {} key {}; it signs from {}", algorithm, jwk.getKeyID(), signsFrom);
    } catch (DuplicateKeyException e) {
      LOG.debug("another node was quicker to publish the next {} key", algorithm);
    }
    return true;
  }

  private boolean drop(List<StoredKey> keys, long now) {
    boolean dropped = false;
    for (StoredKey key : keys) {
      long last =
          keys.stream()
              .filter(
                  k -> k.algorithm() == key.algorithm() && k.generation() == key.generation() + 1)
              .mapToLong(StoredKey::signsFrom)
              .findFirst()
              .orElse(
                  plan.algorithms().contains(key.algorithm())
                      ? Long.MAX_VALUE / 2
                      // Of an algorithm that nobody is given any more, so none follows it.
                      : key.signsFrom() + plan.rotation().toSeconds());
      if (now > last + plan.keep().toSeconds()) {
        dropped |=
            store
                    .sql("DELETE FROM oauth_key WHERE algorithm = ? AND generation = ?")
                    .params(key.algorithm().name(), key.generation())
                    .update()
                == 1;
      }
    }
    return dropped;
  }

  private static @Nullable StoredKey newest(KeyAlgorithm algorithm, List<StoredKey> keys) {
    StoredKey newest = null;
    for (StoredKey key : keys) {
      if (key.algorithm() == algorithm
          && (newest == null || key.generation() > newest.generation())) {
        newest = key;
      }
    }
    return newest;
  }

  private List<StoredKey> load() {
    return new ArrayList<>(
        rows(store).stream()
            .map(
                row ->
                    new StoredKey(
                        row.algorithm(),
                        row.generation(),
                        parsed(seal.open(row.name(), row.jwk())),
                        row.signsFrom()))
            .toList());
  }

  static List<Row> rows(JdbcClient store) {
    return store
        .sql("SELECT algorithm, generation, jwk, signs_from FROM oauth_key ORDER BY signs_from")
        .query(
            (row, number) ->
                new Row(
                    KeyAlgorithm.valueOf(row.getString(1)),
                    row.getInt(2),
                    row.getString(3),
                    row.getLong(4)))
        .list();
  }

  private static JWK parsed(String json) {
    try {
      return JWK.parse(json);
    } catch (ParseException e) {
      // Without the cause, which would quote a private key.
      throw new IllegalStateException("a signing key of the store cannot be read");
    }
  }
}
