package dev.staithe.gateway;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.service.start.Development;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;

/** What a start without any configuration adds to {@link Development}: an endpoint per policy. */
final class DevelopmentDefault {
  static final Path FOLDER = Path.of("gateway-data");
  static final int PORT = 8447;

  /** Each at {@code /echo/NAME}. */
  static final List<String> POLICIES =
      BuiltInPolicies.NAMES.stream()
          // There is no authn-service beside it whose tokens could be taken.
          .filter(name -> !name.equals("conversation-bearer"))
          .toList();

  private static final String CLIENT = "/DC=org/DC=staithe/O=Development/CN=Ada";

  private DevelopmentDefault() {}

  static void apply(ConfigurableEnvironment environment, Clock clock) {
    Development.apply(environment, clock, FOLDER, made -> own(environment, clock, made));
  }

  private static Map<String, Object> own(
      ConfigurableEnvironment environment, Clock clock, Development.Made made) throws IOException {
    Path folder = made.folder();
    CertificateIssuer authority =
        CertificateIssuer.read(made.authority(), folder.resolve("ca-key.pem"), clock);
    Path message = folder.resolve("message.pem");
    Path messageKey = folder.resolve("message-key.pem");
    if (!Files.exists(message)) {
      // RSA: keys are encrypted for it.
      authority
          .issueHost(
              new HostCertificateRequest(
                  List.of(Development.HOST), KeyKind.RSA_2048, Duration.ofDays(365)))
          .write(message, messageKey);
    }
    Development.person(made, clock, CLIENT, KeyKind.RSA_2048, "client");
    Path users = users(folder);
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("staithe.url", Development.url(environment, PORT));
    properties.put("staithe.state", made.folder().toString());
    properties.put("staithe.client-certificates.trust", made.authority().toString());
    properties.put("staithe.message.certificate", message.toString());
    properties.put("staithe.message.key", messageKey.toString());
    properties.put("staithe.message.trust", made.authority().toString());
    properties.put("staithe.users.file", users.toString());
    for (int i = 0; i < POLICIES.size(); i++) {
      properties.put("staithe.endpoints[" + i + "].path", "/echo/" + POLICIES.get(i));
      properties.put("staithe.endpoints[" + i + "].policy", POLICIES.get(i));
    }
    return properties;
  }

  /** One user, whose password was made here. */
  private static Path users(Path folder) throws IOException {
    Path file = folder.resolve("users");
    if (!Files.exists(file)) {
      byte[] random = new byte[15];
      new SecureRandom().nextBytes(random);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(
          file, "ada:" + Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n");
    }
    return file;
  }
}
