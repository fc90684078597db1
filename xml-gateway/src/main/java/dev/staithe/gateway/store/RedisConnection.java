package dev.staithe.gateway.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
final class RedisConnection implements AutoCloseable {
  private final Connection connection;

  private RedisConnection(Connection connection) {
    this.connection = connection;
  }

  /** Connects and logs in. */
  static RedisConnection open(RedisSettings settings) throws StoreDown {
    int timeout = Math.toIntExact(settings.timeout().toMillis());
    try {
      DefaultJedisClientConfig.Builder config =
          DefaultJedisClientConfig.builder()
              .connectionTimeoutMillis(timeout)
              .socketTimeoutMillis(timeout);
      if (settings.user() != null) {
        config.user(settings.user());
      }
      if (settings.passwordFile() != null) {
        config.password(password(settings.passwordFile()));
      }
      if (settings.tls() != null) {
        SSLParameters parameters = new SSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        config.ssl(true).sslSocketFactory(settings.tls()).sslParameters(parameters);
      }
      return new RedisConnection(
          new Connection(new HostAndPort(settings.host(), settings.port()), config.build()));
    } catch (IOException e) {
      throw new StoreDown("Redis's password file cannot be read: " + e.getMessage(), e);
    } catch (JedisException e) {
      throw down(e);
    }
  }

  private static String password(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.findFirst().orElse("");
    }
  }

  private static StoreDown down(JedisException e) {
    Throwable cause = e.getCause();
    String line = firstLine(e);
    return new StoreDown(
        cause == null || cause.getMessage() == null
            ? "Redis: " + line
            : "Redis: " + line + ": " + firstLine(cause),
        e);
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason");
  }

  /** How long the server may be silent from now on. */
  void silence(Duration longest) {
    connection.setSoTimeout(Math.toIntExact(Math.max(1, longest.toMillis())));
  }

  /**
   * Runs a command.
   *
   * @param arguments texts, numbers and byte arrays
   * @return bytes, a number, a list of those, or null
   */
  @Nullable Object run(String command, Object... arguments) throws StoreDown {
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
      return connection.executeCommand(all);
    } catch (JedisException e) {
      throw down(e);
    }
  }

  /** An answer as text; empty where there is none. */
  static String text(@Nullable Object answer) {
    return switch (answer) {
      case null -> "";
      case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
      default -> answer.toString();
    };
  }

  /** An answer as a list; empty where there is none. */
  static List<?> list(@Nullable Object answer) {
    return answer instanceof List<?> list ? list : List.of();
  }

  /**
   * Listens to a channel until the connection breaks or is closed.
   *
   * @param begun runs when nothing is missed any more
   */
  void listen(String channel, Runnable begun, Consumer<String> message) throws StoreDown {
    connection.setTimeoutInfinite();
    var listener =
        new JedisPubSub() {
          @Override
          public void onSubscribe(String to, int channels) {
            begun.run();
          }

          @Override
          public void onMessage(String from, String text) {
            message.accept(text);
          }
        };
    try {
      listener.proceed(connection, channel);
    } catch (JedisException e) {
      throw down(e);
    }
  }

  /** Breaks it, also under another thread that waits for an answer. */
  @Override
  public void close() {
    try {
      connection.forceDisconnect();
    } catch (IOException | JedisException alreadyBroken) {
      // it is gone in either case
    }
  }
}
