package dev.staithe.service.start;

import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.service.OneLineFailure;
import dev.staithe.service.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * What a start without any configuration gets, so that a person can try it: an authority and a host
 * certificate made on the spot, and what the service adds; all in one folder. It is made of
 * ordinary properties, and none of it exists once a single {@code staithe.*} property is given; see
 * {@code docs/adr/0006}.
 */
public final class Development {
  /** Property that tells the rest of the service that this default is in force: its folder. */
  public static final String MARK = "staithe-development.folder";

  /** The name in the host certificate, beside the addresses of loopback. */
  public static final String HOST = "localhost";

  private static final Logger log = LoggerFactory.getLogger(Development.class);

  /** Before its end, at which a host certificate is made anew by a start. */
  private static final Duration RENEWED = Duration.ofDays(30);

  private Development() {}

  /**
   * What was made.
   *
   * @param folder for everything, of this user only
   * @param authority PEM file with the certificate of the authority, for clients
   * @param certificate PEM file with the host certificate
   * @param key PEM file with its key
   */
  public record Made(Path folder, Path authority, Path certificate, Path key) {}

  /** What a service adds. */
  @FunctionalInterface
  public interface Own {
    /** Makes what else is needed and gives further properties, by key. */
    Map<String, Object> properties(Made made) throws IOException;
  }

  /**
   * Adds the default to an environment in which no property below {@code staithe} is given. What
   * stands in the folder already is used again.
   *
   * @param folder is made where it is missing
   * @throws OneLineFailure.NotStarted where the folder cannot be written
   */
  public static void apply(ConfigurableEnvironment environment, Clock clock, Path folder, Own own) {
    ConfigurationPropertyName ours = ConfigurationPropertyName.of("staithe");
    for (var source : ConfigurationPropertySources.get(environment)) {
      if (source.containsDescendantOf(ours) == ConfigurationPropertyState.PRESENT) {
        return;
      }
    }
    try {
      Made made = make(folder, clock);
      Map<String, Object> properties = new LinkedHashMap<>();
      properties.put(MARK, folder.toAbsolutePath().toString());
      if (!environment.containsProperty("server.address")) {
        properties.put("server.address", "127.0.0.1");
      }
      properties.put("staithe.tls.certificate", made.certificate().toString());
      properties.put("staithe.tls.key", made.key().toString());
      properties.putAll(own.properties(made));
      environment
          .getPropertySources()
          .addLast(new MapPropertySource("development default", properties));
    } catch (IOException e) {
      throw new OneLineFailure.NotStarted(
          "no staithe.* setting is given, and the development default cannot be made: "
              + Reason.of(e),
          e);
    }
  }

  /**
   * Where a service is reached that was started so.
   *
   * @param usual its port where {@code server.port} does not say
   */
  public static String url(ConfigurableEnvironment environment, int usual) {
    return "https://" + HOST + ":" + environment.getProperty("server.port", Integer.class, usual);
  }

  /**
   * Writes the certificate and the key of a person or a service, to {@code NAME.pem} and {@code
   * NAME-key.pem}: anew with each start, as such certificates live for days only.
   */
  public static void person(Made made, Clock clock, String subject, KeyKind kind, String name)
      throws IOException {
    RequestedKey key = RequestedKey.make(kind);
    var certificate =
        CertificateIssuer.read(made.authority(), made.folder().resolve("ca-key.pem"), clock)
            .issuePerson(
                PersonCertificateRequest.of(
                    DistinguishedName.parse(subject),
                    key.publicKey(),
                    PersonCertificateRequest.LONGEST),
                CertificateProfile.plain());
    new Credential(key.key(), List.of(certificate))
        .write(made.folder().resolve(name + ".pem"), made.folder().resolve(name + "-key.pem"));
  }

  private static Made make(Path folder, Clock clock) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Made made =
        new Made(
            folder,
            folder.resolve("ca.pem"),
            folder.resolve("host.pem"),
            folder.resolve("host-key.pem"));
    if (!Files.isReadable(made.certificate())) {
      CertificateIssuer authority =
          CertificateIssuer.create(
              "CN=Staithe development authority", KeyKind.EC_P256, Duration.ofDays(3650), clock);
      authority.write(made.authority(), folder.resolve("ca-key.pem"));
      host(authority, made);
      log.info("made a certificate authority and a host certificate in {}", folder);
    } else if (Files.isReadable(folder.resolve("ca-key.pem"))
        && ends(made.certificate()).isBefore(clock.instant().plus(RENEWED))) {
      host(CertificateIssuer.read(made.authority(), folder.resolve("ca-key.pem"), clock), made);
      log.info("made a new host certificate in {}: the one that was there ends", folder);
    }
    return made;
  }

  private static void host(CertificateIssuer authority, Made made) throws IOException {
    authority
        .issueHost(HostCertificateRequest.of(HOST, "127.0.0.1", "::1"))
        .write(made.certificate(), made.key());
  }

  private static Instant ends(Path certificate) throws IOException {
    return Pem.readCertificates(certificate).getFirst().getNotAfter().toInstant();
  }
}
