package dev.staithe.storage;

import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/** Starts the storage element, or mints a token of its development issuer. */
@SpringBootApplication(proxyBeanMethods = false)
public final class StorageApplication {
  /** {@code java -jar storage-webdav.jar [token --scope ... | --staithe.…=…]}. */
  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals("token")) {
      System.exit(TokenCommand.run(args, System.out, System.err, Clock.systemUTC()));
    }
    SpringApplication application = new SpringApplication(StorageApplication.class);
    application.addListeners(
        (ApplicationListener<ApplicationEnvironmentPreparedEvent>)
            event ->
                DevelopmentDefault.apply(
                    event.getEnvironment(), Clock.systemUTC(), DevelopmentDefault.FOLDER));
    try {
      application.run(args);
    } catch (RuntimeException reported) {
      // OneLineFailure has said why.
      System.exit(2);
    }
  }
}
