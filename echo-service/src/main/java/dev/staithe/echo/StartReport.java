package dev.staithe.echo;

import dev.staithe.tls.TlsProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/** Says what was started, where it listens and whom it asks. */
final class StartReport implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger log = LoggerFactory.getLogger(StartReport.class);

  private final EchoProperties properties;
  private final TlsProvider provider;

  StartReport(EchoProperties properties, TlsProvider provider) {
    this.properties = properties;
    this.provider = provider;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    var context = event.getApplicationContext();
    int port =
        context instanceof WebServerApplicationContext web && web.getWebServer() != null
            ? web.getWebServer().getPort()
            : -1;
    log.info(
        "{} listens on {} port {} ({}), {}",
        properties.echo().name(),
        context.getEnvironment().getProperty("server.address", "every address"),
        port,
        properties.tls().enabled() ? "TLS by " + provider : "plain HTTP",
        properties.echo().next() == null
            ? "and answers by itself"
            : "and asks " + properties.echo().next() + " first");
  }
}
