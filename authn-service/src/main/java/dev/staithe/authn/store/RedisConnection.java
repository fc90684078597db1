package dev.staithe.authn.store;

import dev.staithe.authn.session.StoreUnavailable;
import dev.staithe.database.PasswordFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection to Redis, for one thread at a time; after a failure it is not to be used again.
 */
final class RedisConnection implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(2);

  private final Connection connection;

  private RedisConnection(Connection connection) {
    this.connection = connection;
  }

  /**
   * Connects and logs in.
   *
   * @param silence how long the server may be silent
   */
  static RedisConnection open(StoreSettings.Redis settings, Duration silence)
      throws StoreUnavailable {
    try {
      DefaultJedisClientConfig.Builder config =
          DefaultJedisClientConfig.builder()
              .connectionTimeoutMillis(Math.toIntExact(CONNECT.toMillis()))
              .socketTimeoutMillis(Math.toIntExact(silence.toMillis()));
      settings.user().ifPresent(config::user);
      PasswordFile.read(settings.passwordFile()).ifPresent(config::password);
      if (settings.tls().isPresent()) {
        SSLParameters parameters = new SSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        config.ssl(true).sslSocketFactory(settings.tls().get()).sslParameters(parameters);
      }
      return new RedisConnection(
          new Connection(new HostAndPort(settings.host(), settings.port()), config.build()));
    } catch (IOException e) {
      throw new StoreUnavailable("Redis's password file cannot be read: " + e.getMessage(), e);
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  /** How long the server may be silent from now on. */
  void silence(Duration longest) {
    connection.setSoTimeout(Math.toIntExact(Math.max(1, longest.toMillis())));
  }

  /**
   * Runs a command.
   *
   * @return bytes, a number, a list of those, or null
   */
  @Nullable Object run(String command, String... arguments) throws StoreUnavailable {
    CommandArguments all = new CommandArguments(() -> bytes(command));
    for (String argument : arguments) {
      all.add(argument);
    }
    try {
      return connection.executeCommand(all);
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static StoreUnavailable unavailable(JedisException e) {
    Throwable cause = e.getCause();
    String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason");
    return new StoreUnavailable(
        cause == null || cause.getMessage() == null
            ? "Redis: " + line
            : "Redis: " + line + ": " + cause.getMessage().lines().findFirst().orElse(""),
        e);
  }

  /** Runs a command that answers with a number. */
  long number(String command, String... arguments) throws StoreUnavailable {
    return run(command, arguments) instanceof Long number ? number : 0;
  }

  /** A section of what the server tells of itself: names and values. */
  Map<String, String> info(String section) throws StoreUnavailable {
    Map<String, String> values = new HashMap<>();
    String all = text(run("INFO", section));
    (all == null ? "" : all)
        .lines()
        .filter(line -> line.indexOf(':') > 0)
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              values.put(line.substring(0, colon), line.substring(colon + 1).strip());
            });
    return values;
  }

  /** An answer as text; null where there is none. */
  static @Nullable String text(@Nullable Object answer) {
    return switch (answer) {
      case null -> null;
      case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
      default -> answer.toString();
    };
  }

  /** An answer as a list; empty where there is none. */
  static List<?> list(@Nullable Object answer) {
    return answer instanceof List<?> list ? list : List.of();
  }

  /** Names and values that alternate in a list. */
  static Map<String, String> pairs(@Nullable Object answer) {
    List<?> list = list(answer);
    Map<String, String> pairs = new HashMap<>();
    for (int i = 0; i + 1 < list.size(); i += 2) {
      String name = text(list.get(i));
      String value = text(list.get(i + 1));
      if (name != null && value != null) {
        pairs.put(name, value);
      }
    }
    return pairs;
  }

  /** Breaks it, also under another thread that waits for an answer. */
  @Override
  public void close() {
    try {
      connection.disconnect();
    } catch (JedisException alreadyBroken) {
      // it is gone in either case
    }
  }
}
