package dev.staithe.service;

import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;

/** How a service's {@code main} starts it. */
public final class Launch {
  private Launch() {}

  /**
   * Starts the service, or ends this process with code 2 after {@link OneLineFailure} has said why.
   *
   * @param application the class with the service's configuration
   * @param development adds the development default, see {@link Development}
   */
  public static void run(
      Class<?> application, String[] args, Consumer<ConfigurableEnvironment> development) {
    SpringApplication starting = new SpringApplication(application);
    starting.addListeners(
        (ApplicationListener<ApplicationEnvironmentPreparedEvent>)
            event -> development.accept(event.getEnvironment()));
    try {
      starting.run(args);
    } catch (RuntimeException reported) {
      System.exit(2);
    }
  }
}
