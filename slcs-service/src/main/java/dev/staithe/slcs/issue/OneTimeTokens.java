package dev.staithe.slcs.issue;

import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.SessionRows;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tokens of SWITCH's protocol: 64 hexadecimal digits that stand for somebody once, for a short
 * time, on any node. The database holds their SHA-256 only. Methods throw {@link
 * org.springframework.dao.DataAccessException} where it does not answer. Thread-safe.
 */
final class OneTimeTokens {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Pattern TOKEN = Pattern.compile("[0-9A-Fa-f]{64}");
  private static final int LARGEST = 65_536;

  private final JdbcClient client;
  private final Duration life;
  private final Clock clock;

  /**
   * @param database with the tables of part {@code issue}
   * @param life of a token, positive
   */
  OneTimeTokens(DataSource database, Duration life, Clock clock) {
    this.client = JdbcClient.create(database);
    this.life = life;
    this.clock = clock;
  }

  /**
   * Makes one.
   *
   * @return empty where there is more to remember of somebody than fits
   */
  Optional<String> make(CampusIdentity who) {
    String identity = JsonMapper.shared().writeValueAsString(who);
    if (identity.length() > LARGEST) {
      return Optional.empty();
    }
    byte[] random = new byte[32];
    RANDOM.nextBytes(random);
    String token = HexFormat.of().withUpperCase().formatHex(random);
    long now = clock.millis();
    client
        .sql(
            "DELETE FROM slcs_token WHERE until < ? AND until < "
                + SessionRows.ITS_OWN_CLOCK
                + " * 1000")
        .param(now)
        .update();
    client
        .sql("INSERT INTO slcs_token (hash, identity, until) VALUES (?, ?, ?)")
        .param(hash(token))
        .param(identity)
        .param(now + life.toMillis())
        .update();
    return Optional.of(token);
  }

  /**
   * Takes one back; it is good for nothing afterwards.
   *
   * @return whom it stands for; empty where it was never made, was taken before or is too old
   */
  Optional<CampusIdentity> take(String token) {
    if (!TOKEN.matcher(token).matches()) {
      return Optional.empty();
    }
    String hash = hash(token);
    long now = clock.millis();
    Optional<String> identity =
        client
            .sql("SELECT identity FROM slcs_token WHERE hash = ? AND until >= ?")
            .param(hash)
            .param(now)
            .query(String.class)
            .optional();
    // Of several that come with the same token, the one that deletes the row has it. One that is
    // too old here may be good at another node, whose clock is right.
    int deleted =
        client
            .sql("DELETE FROM slcs_token WHERE hash = ? AND until >= ?")
            .param(hash)
            .param(now)
            .update();
    return deleted == 1
        ? identity.map(json -> JsonMapper.shared().readValue(json, CampusIdentity.class))
        : Optional.empty();
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest(token.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
