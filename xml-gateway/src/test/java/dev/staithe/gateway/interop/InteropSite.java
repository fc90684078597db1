package dev.staithe.gateway.interop;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.policy.AlgorithmList;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A gateway with an endpoint for each policy and list, and somebody who may call. */
final class InteropSite implements AutoCloseable {
  static final String USER = "ada";
  static final String PASSWORD = "tide and time";

  private final RunningGateway gateway;
  private final URI url;
  private final ThrowAwayAuthority people;
  private final ThrowAwayAuthority.Host caller;
  private final ThrowAwayAuthority.Host messages;

  /**
   * Starts one.
   *
   * @param backEnd of all endpoints; null for the built-in echo
   * @param policies whose names become paths
   */
  InteropSite(Path folder, @Nullable URI backEnd, List<String> policies, Map<String, Object> extra)
      throws IOException {
    people = ThrowAwayAuthority.in(folder.resolve("people"), Clock.systemUTC());
    caller = people.host(rsa("caller"));
    messages = people.host(rsa("messages.example.org"));
    Path users =
        Files.createFile(
            folder.resolve("users"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(users, USER + ":" + PASSWORD + "\n");
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.message.certificate", messages.certificate());
    settings.put("staithe.message.key", messages.key());
    settings.put("staithe.message.trust", people.certificateFile());
    settings.put("staithe.users.file", users);
    settings.put("logging.level.org.apache.cxf", "OFF");
    int number = 0;
    for (String policy : policies) {
      for (AlgorithmList list : AlgorithmList.values()) {
        String key = "staithe.endpoints[" + number++ + "].";
        settings.put(key + "path", path(policy, list));
        settings.put(key + "policy", policy);
        settings.put(key + "algorithms", list.name().toLowerCase(Locale.ROOT));
        if (backEnd != null) {
          settings.put(key + "back-end", backEnd);
        }
      }
    }
    settings.putAll(extra);
    gateway = RunningGateway.start(Files.createDirectory(folder.resolve("gateway")), settings);
    url = settings.get("staithe.url") instanceof URI plain ? plain : gateway.url();
  }

  /**
   * Settings of a gateway without TLS, whose messages can be looked at on their way.
   *
   * @param port where it listens
   * @param known how clients know it
   */
  static Map<String, Object> withoutTls(int port, URI known) {
    return Map.of("server.port", port, "staithe.url", known, "staithe.tls.enabled", false);
  }

  private static HostCertificateRequest rsa(String name) {
    return new HostCertificateRequest(List.of(name), KeyKind.RSA_2048, Duration.ofDays(7));
  }

  static String path(String policy, AlgorithmList list) {
    return "/" + policy + "-" + list.name().toLowerCase(Locale.ROOT);
  }

  URI url(String policy, AlgorithmList list) {
    return URI.create(url + path(policy, list));
  }

  /** Where it is. */
  URI url() {
    return url;
  }

  RunningGateway gateway() {
    return gateway;
  }

  /** Whom the gateway believes. */
  ThrowAwayAuthority people() {
    return people;
  }

  /** Who calls. */
  ThrowAwayAuthority.Host caller() {
    return caller;
  }

  /** The gateway's own, for messages. */
  ThrowAwayAuthority.Host messages() {
    return messages;
  }

  CxfClient.Draft client(String policy, String soap, AlgorithmList list) {
    return client(url(policy, list), soap, caller.credential());
  }

  CxfClient.Draft client(URI url, String soap, Credential own) {
    return new CxfClient.Draft(
        url,
        soap,
        own,
        messages.credential().certificate(),
        people.issuer().certificate(),
        gateway.authority().clientContext());
  }

  @Override
  public void close() {
    gateway.close();
  }
}
