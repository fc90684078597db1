package dev.staithe.testkit.rules;

import ch.qos.logback.classic.LoggerContext;
import dev.staithe.testkit.Printed;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/** A start of a service in the test's own process, where it costs a tenth of one in its own. */
final class StartHere {
  /** By which Spring Boot knows that logging is set up. */
  private static final String SET_UP = "org.springframework.boot.logging.LoggingSystem";

  private StartHere() {}

  /** What was written by a start that failed; of one that did not the service is ended. */
  static String refused(
      Function<String[], ? extends Optional<? extends AutoCloseable>> start, String... arguments) {
    var logging = (LoggerContext) LoggerFactory.getILoggerFactory();
    Object before = logging.getObject(SET_UP);
    try (Printed printed = Printed.listen()) {
      Optional<? extends AutoCloseable> started = start.apply(arguments);
      if (started.isPresent()) {
        started.get().close();
        throw new AssertionError("it started: " + printed.text());
      }
      return printed.text();
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      // Else the next one would set it up anew, which closes the files of services that run here.
      if (before != null) {
        logging.putObject(SET_UP, before);
      }
    }
  }
}
