package dev.staithe.storage;

import dev.staithe.service.Development;
import dev.staithe.storage.dav.ServedArea;
import dev.staithe.tls.TlsProvider;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/** Says what was started, where it listens and, in the development default, how to try it. */
final class StartReport implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger log = LoggerFactory.getLogger(StartReport.class);

  private final StorageProperties properties;
  private final TlsProvider provider;
  private final List<ServedArea> areas;

  StartReport(StorageProperties properties, TlsProvider provider, List<ServedArea> areas) {
    this.properties = properties;
    this.provider = provider;
    this.areas = areas;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    var environment = event.getApplicationContext().getEnvironment();
    int port =
        event.getApplicationContext() instanceof WebServerApplicationContext web
                && web.getWebServer() != null
            ? web.getWebServer().getPort()
            : -1;
    String address = environment.getProperty("server.address", "every address");
    log.info(
        "listening on {} port {} ({})",
        address,
        port,
        properties.tls().enabled() ? "TLS by " + provider : "plain HTTP");
    for (ServedArea area : areas) {
      log.info(
          "area {} at {}{}",
          area.area().name(),
          area.area().accessPoints(),
          area.area().store().keepsMetadata()
              ? ""
              : "; its file system keeps no extended attributes, so checksums are not kept");
    }
    for (ServedArea area : areas) {
      if (area.area().store().isShared()) {
        log.warn(
            "another storage element works on area {} already: neither knows the other's locks,"
                + " and of two conditional or ranged writes at once through both one may be lost",
            area.area().name());
      }
    }
    if (!areas.stream().allMatch(area -> area.area().store().holdsFolders())) {
      log.warn(
          "this kernel or sandbox has no openat2: who has an account here and may write in an area"
              + " can lead requests out of it by links that change at the right moment");
    }
    List<String> lacking = ProcessRoom.now().lacking(properties.limits().connections());
    if (!lacking.isEmpty()) {
      log.warn(
          "staithe.limits.connections is {}, which may take {}",
          properties.limits().connections(),
          String.join(", ", lacking));
    }
    if (properties.areas().stream().anyMatch(StorageProperties.Area::anonymousWrite)) {
      log.warn("an area lets anyone write; that is for tests");
    }
    if (!dev.staithe.storage.files.FileStore.storesUnicodeNames()) {
      log.warn("names beyond ASCII are refused: start with LC_ALL=C.UTF-8 or another UTF-8 locale");
    }
    String folder = environment.getProperty(Development.MARK);
    if (folder != null) {
      announceDevelopment(port, folder);
    }
  }

  private static void announceDevelopment(int port, String folder) {
    String url = "https://" + Development.HOST + ":" + port + "/data/";
    System.out.printf(
        """

        This is the development default: no configuration was given, so an authority, a host
        certificate, a token issuer and one storage area were made in
          %1$s
        It listens on this machine only and is gone once any staithe.* property is set.

          CA file   %1$s/ca.pem
          area      %2$s

        Try it, from the folder in which the server was started:
          TOKEN=$(java -jar storage-webdav.jar token --scope "storage.read:/ storage.modify:/")
          curl --cacert %1$s/ca.pem -H "Authorization: Bearer $TOKEN" -T FILE %2$s
          curl --cacert %1$s/ca.pem -H "Authorization: Bearer $TOKEN" %2$s

        """,
        folder, url);
  }
}
