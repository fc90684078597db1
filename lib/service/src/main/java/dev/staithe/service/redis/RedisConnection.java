package dev.staithe.service.redis;

import dev.staithe.service.PasswordFile;
import dev.staithe.service.StoreUnavailable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection to Redis, for one thread at a time; after a failure it is not to be used again.
 */
public final class RedisConnection implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(2);

  private final Connection connection;
  private volatile boolean closed;

  private RedisConnection(Connection connection) {
    this.connection = connection;
  }

  /**
   * Connects, in two seconds at most, and logs in.
   *
   * @param silence how long the server may be silent
   * @throws StoreUnavailable also where the password cannot be read, or is wrong
   */
  public static RedisConnection open(RedisAddress address, Duration silence)
      throws StoreUnavailable {
    Duration connect = silence.compareTo(CONNECT) < 0 ? silence : CONNECT;
    try {
      DefaultJedisClientConfig.Builder config =
          DefaultJedisClientConfig.builder()
              .connectionTimeoutMillis(millis(connect))
              .socketTimeoutMillis(millis(silence));
      address.user().ifPresent(config::user);
      PasswordFile.read(address.passwordFile()).ifPresent(config::password);
      if (address.tls().isPresent()) {
        SSLParameters parameters = new SSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        config.ssl(true).sslSocketFactory(address.tls().get()).sslParameters(parameters);
      }
      return new RedisConnection(
          new Connection(new HostAndPort(address.host(), address.port()), config.build()));
    } catch (IOException e) {
      throw new StoreUnavailable("Redis's password file cannot be read: " + e.getMessage(), e);
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  /** None would be without end. */
  private static int millis(Duration time) {
    return Math.toIntExact(Math.max(1, time.toMillis()));
  }

  private static StoreUnavailable unavailable(JedisException e) {
    Throwable cause = e.getCause();
    String line = firstLine(e);
    return new StoreUnavailable(
        cause == null || cause.getMessage() == null
            ? "Redis: " + line
            : "Redis: " + line + ": " + firstLine(cause),
        e);
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason");
  }

  /** How long the server may be silent from now on. */
  public void silence(Duration longest) {
    connection.setSoTimeout(millis(longest));
  }

  /**
   * Runs a command.
   *
   * @param arguments texts, numbers and byte arrays
   * @return bytes, a number, a list of those, or null
   */
  public @Nullable Object run(String command, Object... arguments) throws StoreUnavailable {
    CommandArguments all = new CommandArguments(() -> command.getBytes(StandardCharsets.US_ASCII));
    for (Object argument : arguments) {
      switch (argument) {
        case byte[] bytes -> all.add(bytes);
        case Long number -> all.add(number.longValue());
        case Integer number -> all.add(number.intValue());
        default -> all.add(argument.toString());
      }
    }
    try {
      return live().executeCommand(all);
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  /** Jedis would connect anew, and not log in. */
  private Connection live() throws StoreUnavailable {
    if (closed) {
      throw new StoreUnavailable("Redis: the connection is closed");
    }
    return connection;
  }

  /** Runs a command that answers with a number; 0 where it does not. */
  public long number(String command, Object... arguments) throws StoreUnavailable {
    return run(command, arguments) instanceof Long number ? number : 0;
  }

  /** A section of what the server tells of itself: names and values. */
  public Map<String, String> info(String section) throws StoreUnavailable {
    Map<String, String> values = new HashMap<>();
    text(run("INFO", section))
        .lines()
        .filter(line -> line.indexOf(':') > 0)
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              values.put(line.substring(0, colon), line.substring(colon + 1).strip());
            });
    return values;
  }

  /** An answer as text; empty where there is none. */
  public static String text(@Nullable Object answer) {
    return switch (answer) {
      case null -> "";
      case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
      default -> answer.toString();
    };
  }

  /** An answer as a list; empty where there is none. */
  public static List<?> list(@Nullable Object answer) {
    return answer instanceof List<?> list ? list : List.of();
  }

  /** Names and values that alternate in a list. */
  public static Map<String, String> pairs(@Nullable Object answer) {
    List<?> list = list(answer);
    Map<String, String> pairs = new HashMap<>();
    for (int i = 0; i + 1 < list.size(); i += 2) {
      pairs.put(text(list.get(i)), text(list.get(i + 1)));
    }
    return pairs;
  }

  /**
   * Listens to a channel until the connection breaks or is closed.
   *
   * @param begun runs when nothing is missed any more
   */
  public void listen(String channel, Runnable begun, Consumer<String> message)
      throws StoreUnavailable {
    var listener =
        new JedisPubSub() {
          @Override
          public void onSubscribe(String to, int channels) {
            if (closed) {
              RedisConnection.this.close(); // Jedis has connected anew meanwhile
            }
            begun.run();
          }

          @Override
          public void onMessage(String from, String text) {
            message.accept(text);
          }
        };
    try {
      live().setTimeoutInfinite();
      listener.proceed(connection, channel);
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  /** Breaks it, also under another thread that waits for an answer. */
  @Override
  public void close() {
    closed = true;
    try {
      connection.forceDisconnect();
    } catch (IOException | JedisException alreadyBroken) {
      // it is gone in either case
    }
  }
}
