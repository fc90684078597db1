package dev.staithe.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.context.config.ConfigDataNotFoundException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.util.unit.DataSize;

/**
 * Says in one line on standard error why the server did not start: the property, its value and what
 * is allowed. Found by Spring Boot through {@code META-INF/spring.factories}. Stateless.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class OneLineFailure implements SpringBootExceptionReporter {
  private static final String UNKNOWN_FILE = "Unable to load config data from ";

  /** The constructor that Spring Boot calls. */
  OneLineFailure(@Nullable ConfigurableApplicationContext context) {}

  @Override
  public boolean reportException(Throwable failure) {
    String line = describe(failure);
    if (line == null) {
      return false;
    }
    System.err.println(ThisService.get().name() + " did not start: " + line);
    return true;
  }

  /**
   * The line, or null where the failure is neither of configuration nor of the machine: a mistake
   * of ours, which is told with its trace.
   */
  public static @Nullable String describe(Throwable failure) {
    BindException bind = null;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      switch (t) {
        case UnboundConfigurationPropertiesException unbound -> {
          return unbound.getUnboundProperties().stream()
              .map(p -> KnownKeys.unknown(p.getName(), String.valueOf(p.getValue())))
              .collect(Collectors.joining("; "));
        }
        case BindException b -> bind = b;
        case Settings.InvalidSetting notAllowed -> {
          String prefix = bind == null ? "staithe" : bind.getName().toString();
          return prefix + "." + notAllowed.key() + notAllowed.getMessage();
        }
        case PortInUseException port -> {
          return "server.port = " + port.getPort() + ": must be a port that is free";
        }
        case InvalidConfigurationPropertyValueException value -> {
          return value.getName() + " = \"" + value.getValue() + "\": " + value.getReason();
        }
        case ConfigDataNotFoundException missing -> {
          return "spring.config: " + missing.getReferenceDescription() + " cannot be found";
        }
        case IllegalStateException e when said(e).startsWith(UNKNOWN_FILE) -> {
          return "spring.config: "
              + said(e).substring(UNKNOWN_FILE.length())
              + " must be a file whose name ends in .yml, or a folder with / at its end";
        }
        case IOException e when said(e).startsWith("Failed to bind to ") -> {
          return "server.address and server.port: "
              + said(e).substring("Failed to bind to ".length())
              + " must be an address of this machine and a port that this user may have";
        }
        case IllegalArgumentException e when said(e).startsWith("port out of range:") -> {
          return "server.port = \""
              + said(e).substring("port out of range:".length())
              + "\": must be 0 to 65535";
        }
        case NotStarted stopped -> {
          return stopped.getMessage();
        }
        default -> {
          // Look at its cause.
        }
      }
    }
    if (bind == null) {
      return Reason.ofMachine(failure);
    }
    ConfigurationProperty property = bind.getProperty();
    Object value = property == null ? "" : property.getValue();
    return bind.getName() + " = \"" + value + "\": must be " + allowed(bind.getTarget().getType());
  }

  /**
   * Whether the same start fails again whatever becomes of the machine: what is written in the
   * configuration is wrong. A file that is not there, a port or a database may come.
   */
  public static boolean isLasting(Throwable failure) {
    boolean bound = false;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      switch (t) {
        case Settings.NotThere _, PortInUseException _, IOException _ -> {
          return false;
        }
        case NotStarted stopped -> {
          return stopped instanceof WrongConfiguration;
        }
        case UnboundConfigurationPropertiesException _,
            Settings.InvalidSetting _,
            InvalidConfigurationPropertyValueException _ -> {
          return true;
        }
        case BindException _ -> bound = true;
        default -> {
          // Look at its cause.
        }
      }
    }
    return bound;
  }

  /**
   * Work that may find a setting useless.
   *
   * @param <T> what it makes
   */
  @FunctionalInterface
  public interface Start<T> {
    /** Does it. */
    T run() throws IOException;
  }

  /**
   * Runs a step of the start; its failure becomes the one line that the operator sees.
   *
   * @param key of the setting that the step goes by, such as {@code staithe.tls}
   * @throws NotStarted where the step fails by an exception that says in one line why
   */
  public static <T> T started(String key, Start<T> start) {
    try {
      return start.run();
    } catch (IOException
        | UncheckedIOException
        | IllegalArgumentException
        | IllegalStateException e) {
      throw new NotStarted(key + ": " + Reason.of(e), e);
    }
  }

  private static String said(Throwable t) {
    return t.getMessage() == null ? "" : t.getMessage();
  }

  /** A start that cannot go on; the message is the whole line. */
  public static sealed class NotStarted extends RuntimeException {
    /** Stops the start with that line, which names the setting, and shows no secret. */
    public NotStarted(String line, @Nullable Throwable cause) {
      super(line, cause);
    }
  }

  /** What is written in the configuration is wrong. */
  static final class WrongConfiguration extends NotStarted {
    WrongConfiguration(String line, @Nullable Throwable cause) {
      super(line, cause);
    }
  }

  private static String allowed(ResolvableType declared) {
    Class<?> type = declared.resolve(Object.class);
    if (Collection.class.isAssignableFrom(type)) {
      return "a list, each " + allowed(declared.getGeneric(0));
    }
    if (type.isRecord()) {
      return "a group of keys: " + String.join(", ", KnownKeys.in(type));
    }
    if (type == int.class || type == Integer.class || type == long.class) {
      return "a whole number";
    }
    if (type == InetAddress.class) {
      return "an address of this machine";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == Duration.class) {
      return "a duration such as 30s";
    }
    if (type == DataSize.class) {
      return "a size such as 64MB";
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(c -> c.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
          .collect(Collectors.joining(", ", "one of ", ""));
    }
    return "a " + type.getSimpleName().toLowerCase(Locale.ROOT);
  }
}
