package dev.staithe.storage;

import dev.staithe.pki.CertificateIssuer;
import dev.staithe.pki.HostCertificateRequest;
import dev.staithe.pki.KeyKind;
import dev.staithe.storage.authz.DevelopmentIssuer;
import dev.staithe.storage.files.StateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * What a start without any configuration gets, so that a person can try it: an authority, a host
 * certificate and a token issuer made on the spot, and one area; all in one folder. It is made of
 * ordinary properties, and none of it exists once a single {@code staithe.*} property is given.
 */
final class DevelopmentDefault {
  /** Property that tells the rest of the service that this default is in force: its folder. */
  static final String MARK = "staithe-development.folder";

  /** Where everything goes, below the folder that the server is started in. */
  static final Path FOLDER = Path.of("staithe-data");

  static final String HOST = "localhost";
  static final int PORT = 8443;

  private static final Logger log = LoggerFactory.getLogger(DevelopmentDefault.class);

  private DevelopmentDefault() {}

  static void apply(ConfigurableEnvironment environment, Clock clock, Path where) {
    ConfigurationPropertyName ours = ConfigurationPropertyName.of("staithe");
    for (var source : ConfigurationPropertySources.get(environment)) {
      if (source.containsDescendantOf(ours) == ConfigurationPropertyState.PRESENT) {
        return;
      }
    }
    try {
      environment
          .getPropertySources()
          .addLast(new MapPropertySource("development default", make(environment, clock, where)));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the development default cannot be made: " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> make(
      ConfigurableEnvironment environment, Clock clock, Path where) throws IOException {
    Path folder = StateFolder.make(where);
    Path area = StateFolder.make(folder.resolve("area"));
    Path caFile = folder.resolve("ca.pem");
    Path caKey = folder.resolve("ca-key.pem");
    Path hostFile = folder.resolve("host.pem");
    Path hostKey = folder.resolve("host-key.pem");
    if (!StateFolder.isReadableFile(hostFile)) {
      CertificateIssuer authority =
          CertificateIssuer.create(
              "CN=Staithe development authority", KeyKind.EC_P256, Duration.ofDays(3650), clock);
      authority.write(caFile, caKey);
      authority
          .issueHost(HostCertificateRequest.of(HOST, "127.0.0.1", "::1"))
          .write(hostFile, hostKey);
      log.info("made a certificate authority and a host certificate in {}", folder);
    }
    DevelopmentIssuer issuer = DevelopmentIssuer.open(folder, clock);
    Path keySet = folder.resolve("issuer.jwks.json");
    new StateFolder(folder).write("issuer.jwks.json", issuer.keySet());
    int port = environment.getProperty("server.port", Integer.class, PORT);
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(MARK, folder.toAbsolutePath().toString());
    if (!environment.containsProperty("server.address")) {
      properties.put("server.address", "127.0.0.1");
    }
    properties.put("staithe.tls.certificate", hostFile.toString());
    properties.put("staithe.tls.key", hostKey.toString());
    properties.put("staithe.trust", caFile.toString());
    properties.put("staithe.issuers[0].issuer", DevelopmentIssuer.ISSUER);
    properties.put("staithe.issuers[0].audiences", audience());
    properties.put("staithe.issuers[0].jwks-file", keySet.toString());
    properties.put("staithe.areas[0].name", "data");
    properties.put("staithe.areas[0].root", area.toString());
    properties.put("staithe.areas[0].grants[0].issuer", DevelopmentIssuer.ISSUER);
    properties.put("staithe.copy.allowed-networks", "127.0.0.0/8,::1/128");
    properties.put("staithe.hosts", HOST + ":" + port + ",127.0.0.1:" + port);
    return properties;
  }

  /** The audience of development tokens, whatever the port: they are worth nothing elsewhere. */
  static String audience() {
    return "https://" + HOST;
  }
}
