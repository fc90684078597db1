package dev.staithe.echo;

import dev.staithe.delegation.handlers.ActingFor;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.context.support.RequestHandledEvent;

/** A service in this process with everything real; a witness tells in whose name calls acted. */
final class RunningEcho implements AutoCloseable {
  private final URI url;
  private final ConfigurableApplicationContext context;
  private final List<ActingFor> acted = new CopyOnWriteArrayList<>();

  /**
   * @param settings below {@code staithe}
   */
  RunningEcho(int port, Map<String, Object> settings) {
    this.url = URI.create("https://localhost:" + port);
    var arguments = new ArrayList<String>();
    arguments.add("--server.address=127.0.0.1");
    arguments.add("--server.port=" + port);
    settings.forEach((key, value) -> arguments.add("--staithe." + key + "=" + value));
    this.context =
        new SpringApplicationBuilder(EchoApplication.class)
            .initializers(
                starting ->
                    starting.addApplicationListener(
                        // Spring tells of a call in its own thread, when its method has returned.
                        (ApplicationListener<RequestHandledEvent>)
                            event -> ActingFor.current().ifPresent(acted::add)))
            .run(arguments.toArray(String[]::new));
  }

  /** Without a slash at its end. */
  URI url() {
    return url;
  }

  /** In whose name calls acted, in their order. */
  List<ActingFor> acted() {
    return List.copyOf(acted);
  }

  @Override
  public void close() {
    context.close();
  }
}
