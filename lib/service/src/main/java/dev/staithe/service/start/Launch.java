package dev.staithe.service.start;

import dev.staithe.service.OneLineFailure;
import dev.staithe.service.log.HangUp;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/** How a service is started: by its {@code main}, or by a test in the test's own process. */
public final class Launch {
  /**
   * A package that is not there, for {@code @AutoConfigurationPackage}. At each start Boot reads
   * every class of an application's package for Jackson's mixins, which took a third of the
   * context's time; a service has none, and names its configurations.
   */
  public static final String NOTHING_TO_FIND = "dev.staithe.nothing";

  /** As systemd and {@code sysexits.h} know it: EX_CONFIG. */
  private static final int WRONG_CONFIGURATION = 78;

  private static final int NOT_NOW = 2;

  private final Class<?> application;
  private final Consumer<ConfigurableEnvironment> development;

  /**
   * Starts nothing yet.
   *
   * @param application the class with the service's configuration
   * @param development adds the development default, see {@link Development}
   */
  public Launch(Class<?> application, Consumer<ConfigurableEnvironment> development) {
    this.application = application;
    this.development = development;
  }

  /**
   * Starts the service, or ends this process after the line of {@link #start}: with 78 where the
   * same would come of the next start, as what is configured is wrong, so that nobody tries again;
   * else with 2. From then on SIGHUP opens the log files again and ends nothing.
   */
  public void run(String... args) {
    HangUp.install();
    start(
        args,
        failure -> System.exit(OneLineFailure.isLasting(failure) ? WRONG_CONFIGURATION : NOT_NOW));
  }

  /**
   * The running service, or nothing after {@link OneLineFailure} has said why; where the log is to
   * tell what is at level debug, the trace follows.
   */
  public Optional<ConfigurableApplicationContext> start(String... args) {
    return start(args, failure -> {});
  }

  private Optional<ConfigurableApplicationContext> start(
      String[] args, Consumer<RuntimeException> failed) {
    SpringApplication starting = new SpringApplication(application);
    var given = new Given();
    starting.addListeners(
        given,
        (ApplicationListener<ApplicationEnvironmentPreparedEvent>)
            event -> development.accept(event.getEnvironment()));
    try {
      return Optional.of(starting.run(args));
    } catch (RuntimeException reported) {
      if (given.debug() && OneLineFailure.describe(reported) != null) {
        reported.printStackTrace();
      }
      failed.accept(reported);
      return Optional.empty();
    }
  }

  /**
   * What the start was given, known before the first configuration file is read: the log itself may
   * not be set up yet when one of them is wrong.
   */
  private static final class Given
      implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private @Nullable ConfigurableEnvironment environment;

    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
      environment = event.getEnvironment();
    }

    /** Whether anything is logged at level debug. */
    boolean debug() {
      ConfigurableEnvironment known = environment;
      return known != null
          && (Stream.of("debug", "trace")
                  .map(known::getProperty)
                  .anyMatch(value -> value != null && !value.equals("false"))
              || Binder.get(known)
                  .bind("logging.level", Bindable.mapOf(String.class, String.class))
                  .orElse(Map.of())
                  .values()
                  .stream()
                  .anyMatch(level -> level.matches("(?i)debug|trace|all")));
    }
  }
}
