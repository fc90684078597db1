package dev.staithe.storage;

import dev.staithe.service.start.Development;
import dev.staithe.storage.issuers.DevelopmentIssuer;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * What the storage element adds to the {@link Development} default: a token issuer and one area.
 */
final class DevelopmentDefault {
  /** Where everything goes, below the folder that the server is started in. */
  static final Path FOLDER = Path.of("staithe-data");

  private static final int PORT = 8443;

  private DevelopmentDefault() {}

  static void apply(ConfigurableEnvironment environment, Clock clock, Path where) {
    Development.apply(environment, clock, where, made -> own(environment, clock, made));
  }

  private static Map<String, Object> own(
      ConfigurableEnvironment environment, Clock clock, Development.Made made) throws IOException {
    Path folder = made.folder();
    Path area = StateFolder.make(folder.resolve("area"));
    DevelopmentIssuer issuer = DevelopmentIssuer.open(folder, clock);
    Path keySet = folder.resolve("issuer.jwks.json");
    new StateFolder(folder, Sync.NONE).write("issuer.jwks.json", issuer.keySet());
    int port = environment.getProperty("server.port", Integer.class, PORT);
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("staithe.trust", made.authority().toString());
    properties.put("staithe.issuers[0].issuer", DevelopmentIssuer.ISSUER);
    properties.put("staithe.issuers[0].audiences", audience());
    properties.put("staithe.issuers[0].jwks-file", keySet.toString());
    properties.put("staithe.areas[0].name", "data");
    properties.put("staithe.areas[0].root", area.toString());
    properties.put("staithe.areas[0].grants[0].issuer", DevelopmentIssuer.ISSUER);
    properties.put("staithe.copy.allowed-networks", "127.0.0.0/8,::1/128");
    properties.put("staithe.hosts", Development.HOST + ":" + port + ",127.0.0.1:" + port);
    return properties;
  }

  /** The audience of development tokens, whatever the port: they are worth nothing elsewhere. */
  static String audience() {
    return "https://" + Development.HOST;
  }
}
