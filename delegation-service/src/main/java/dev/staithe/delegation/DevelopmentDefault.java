package dev.staithe.delegation;

import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.service.start.Development;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;

/** What a start without any configuration adds to {@link Development}: a person and a service. */
final class DevelopmentDefault {
  static final Path FOLDER = Path.of("delegation-data");
  static final int PORT = 8446;

  private static final String NAMES = "/DC=org/DC=staithe/O=Development";

  private DevelopmentDefault() {}

  static void apply(ConfigurableEnvironment environment, Clock clock) {
    Development.apply(environment, clock, FOLDER, made -> own(environment, clock, made));
  }

  private static Map<String, Object> own(
      ConfigurableEnvironment environment, Clock clock, Development.Made made) throws IOException {
    CertificateIssuer authority =
        CertificateIssuer.read(made.authority(), made.folder().resolve("ca-key.pem"), clock);
    write(authority, NAMES + "/CN=Ada", made.folder(), "user");
    write(authority, NAMES + "/CN=service", made.folder(), "service");
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(
        "staithe.url",
        "https://"
            + Development.HOST
            + ":"
            + environment.getProperty("server.port", Integer.class, PORT));
    properties.put("staithe.state", made.folder().toString());
    properties.put("staithe.client-certificates.trust", made.authority().toString());
    properties.put("staithe.delegations.acquirers[0]", NAMES + "/CN=service");
    return properties;
  }

  /** Anew with each start: such certificates live for days only. */
  private static void write(CertificateIssuer authority, String subject, Path folder, String file)
      throws IOException {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    var certificate =
        authority.issuePerson(
            PersonCertificateRequest.of(
                DistinguishedName.parse(subject),
                key.publicKey(),
                PersonCertificateRequest.LONGEST),
            CertificateProfile.plain());
    new Credential(key.key(), List.of(certificate))
        .write(folder.resolve(file + ".pem"), folder.resolve(file + "-key.pem"));
  }
}
