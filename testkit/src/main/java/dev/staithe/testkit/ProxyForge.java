package dev.staithe.testkit;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Signs proxies with {@code openssl}: right ones, and such as no correct program makes. For one
 * thread.
 */
public final class ProxyForge {
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path folder;
  private final Clock clock;
  private int made;

  /**
   * How a proxy is to be.
   *
   * @param name what is added to its maker's, as {@code /CN=12}
   * @param info its ProxyCertInfo in the words of openssl's configuration
   * @param begin from now
   * @param end from now
   */
  public record Draft(String name, String info, Duration begin, Duration end) {
    /** With all rights, for an hour. */
    public static final Draft GOOD =
        new Draft(
            "/CN=1234567",
            "critical,language:id-ppl-inheritAll",
            Duration.ofMinutes(-4),
            Duration.ofHours(1));

    /** The same with another name. */
    public Draft named(String other) {
      return new Draft(other, info, begin, end);
    }

    /** The same with another ProxyCertInfo. */
    public Draft info(String other) {
      return new Draft(name, other, begin, end);
    }

    /** The same at another time. */
    public Draft during(Duration otherBegin, Duration otherEnd) {
      return new Draft(name, info, otherBegin, otherEnd);
    }
  }

  private ProxyForge(Path folder, Clock clock) throws IOException {
    this.folder = folder;
    this.clock = clock;
    Files.createDirectories(folder.resolve("issued"));
    Files.createFile(folder.resolve("index.txt"));
  }

  /** Makes one whose files go to that folder, which is made if need be. */
  public static ProxyForge in(Path folder, Clock clock) {
    try {
      return new ProxyForge(folder, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Signs a proxy for a key.
   *
   * @param maker a person, or a proxy
   * @param request PKCS#10 in PEM with the key
   * @return PEM: the proxy, then its maker's certificates
   */
  public String sign(GridAuthority.Holder maker, String request, Draft draft) {
    try {
      List<X509Certificate> above = Pem.readCertificates(maker.certificate());
      String subject =
          GridSubject.of(above.getFirst().getSubjectX500Principal()).slashed() + draft.name();
      Path asked = Files.writeString(folder.resolve("request-" + ++made + ".pem"), request);
      Path configuration = folder.resolve("forge.cnf");
      Files.writeString(configuration, configured(draft.info()));
      Path proxy = folder.resolve("forged-" + made + ".pem");
      Instant now = clock.instant();
      Tool.Ran ran =
          Tool.OPENSSL.run(
              List.of(
                  "ca",
                  "-batch",
                  "-notext",
                  "-utf8",
                  "-rand_serial",
                  "-config",
                  configuration.toString(),
                  "-extensions",
                  "proxy",
                  "-subj",
                  subject,
                  "-startdate",
                  TIME.format(now.plus(draft.begin())),
                  "-enddate",
                  TIME.format(now.plus(draft.end())),
                  "-cert",
                  maker.certificate().toString(),
                  "-keyfile",
                  maker.key().toString(),
                  "-in",
                  asked.toString(),
                  "-out",
                  proxy.toString()),
              Map.of(),
              new byte[0],
              LONGEST);
      if (ran.exitCode() != 0) {
        throw new AssertionError(
            "openssl ca: " + new String(ran.output(), StandardCharsets.UTF_8) + ran.errors());
      }
      return Pem.encode(List.of(Pem.readCertificates(proxy).getFirst())) + Pem.encode(above);
    } catch (PemException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String configured(String info) {
    return """
        [ca]
        default_ca = this
        [this]
        dir = %s
        database = $dir/index.txt
        new_certs_dir = $dir/issued
        default_md = sha256
        policy = anything
        unique_subject = no
        preserve = yes
        string_mask = utf8only
        [anything]
        commonName = supplied
        [proxy]
        keyUsage = critical,digitalSignature,keyEncipherment
        proxyCertInfo = %s
        """
        .formatted(folder.toAbsolutePath(), info);
  }
}
