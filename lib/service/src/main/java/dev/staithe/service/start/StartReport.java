package dev.staithe.service.start;

import dev.staithe.service.process.ProcessRoom;
import dev.staithe.service.properties.SharedProperties;
import dev.staithe.tls.TlsProvider;
import java.net.URI;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/** Says where the service listens, and then what {@link StartLines} say. */
final class StartReport implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger log = LoggerFactory.getLogger(StartReport.class);

  private final SharedProperties properties;
  private final TlsProvider provider;
  private final StartLines lines;

  StartReport(SharedProperties properties, TlsProvider provider, StartLines lines) {
    this.properties = properties;
    this.provider = provider;
    this.lines = lines;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    var context = event.getApplicationContext();
    int port =
        context instanceof WebServerApplicationContext web && web.getWebServer() != null
            ? web.getWebServer().getPort()
            : -1;
    URI url = lines.url();
    log.info(
        "listening on {} port {} ({}){}",
        context.getEnvironment().getProperty("server.address", "every address"),
        port,
        properties.tls().enabled() ? "TLS by " + provider : "plain HTTP",
        url == null ? "" : " as " + url);
    List<String> lacking =
        ProcessRoom.now().lacking(properties.limits().connections(), properties.encryptedAtOnce());
    if (!lacking.isEmpty()) {
      log.warn(
          "staithe.limits.connections is {}, which may take {}",
          properties.limits().connections(),
          String.join(", ", lacking));
    }
    String folder = context.getEnvironment().getProperty(Development.MARK);
    lines.log(folder != null);
    if (folder != null) {
      System.out.print(lines.development(folder, port));
    }
  }
}
