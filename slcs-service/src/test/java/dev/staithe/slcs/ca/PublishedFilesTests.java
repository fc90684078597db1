package dev.staithe.slcs.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.pki.ca.RevocationReason;
import dev.staithe.service.Networks;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.slcs.SlcsApplication;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.UriCompliance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.unit.DataSize;

/** What anybody may fetch from a running service, judged by openssl and tar. */
final class PublishedFilesTests {
  @TempDir static Path folder;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static ConfigurableApplicationContext context;
  private static String url;
  private static CertificateAuthority authority;

  @BeforeAll
  static void start() {
    int port = FreePort.next();
    url = "http://127.0.0.1:" + port;
    context =
        new SpringApplicationBuilder(SlcsApplication.class)
            .run(
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--staithe.url=" + url,
                "--staithe.state=" + folder.resolve("state"),
                "--staithe.tls.enabled=false",
                "--staithe.access-log.file=" + folder.resolve("access.log"));
    authority = context.getBean(CertificateAuthority.class);
  }

  @AfterAll
  static void stop() {
    context.close();
    CLIENT.close();
  }

  private static HttpResponse<byte[]> get(String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(url + path)).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private static HttpResponse<byte[]> post(String type, byte[] body) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(url + "/ocsp"))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  static LimitsProperties limits(Duration headTimeout) {
    DataSize least = DataSize.ofKilobytes(1);
    Duration minute = Duration.ofMinutes(1);
    return new LimitsProperties(
        500, 100, minute, headTimeout, DataSize.ofKilobytes(8), least, least, minute);
  }

  @Test
  void clientThatDripsItsRequestDoesNotHoldAConnectionOfThePlainDoor() throws Exception {
    int port = FreePort.next();
    try (var _ =
            new PlainDoor(
                "127.0.0.1",
                port,
                UriCompliance.DEFAULT,
                Networks.parse(List.of()),
                limits(Duration.ofSeconds(1)),
                authority,
                Clock.systemUTC());
        var client = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      client
          .getOutputStream()
          .write("GET /ca.der HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
      boolean open = true;
      // Never silent for as long as the idle timeout takes, which would see it otherwise.
      for (int i = 0; open && i < 600; i++) {
        client.setSoTimeout(100);
        try {
          client.getOutputStream().write('x');
          open = client.getInputStream().read() >= 0;
        } catch (SocketTimeoutException silent) {
          open = true;
        } catch (SocketException reset) {
          open = false;
        }
      }

      assertThat(open).isFalse();
    }
  }

  private static boolean isOpen(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException silent) {
      return true;
    }
  }

  @Test
  void listThatIsNotSignedIsToldWithItsTraceOnceAndInALineAfter() {
    var files = new AuthorityController(authority, Clock.systemUTC());
    var log = new ListAppender<ILoggingEvent>();
    var logger = (Logger) LoggerFactory.getLogger(AuthorityController.class);
    log.start();
    logger.addAppender(log);
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(files.notSigned(new IllegalStateException("pulled")).getStatusCode().value())
            .isEqualTo(503);
      }
    } finally {
      logger.detachAppender(log);
    }

    assertThat(log.list.stream().map(event -> event.getThrowableProxy() != null))
        .containsExactly(true, false, false);
  }

  @Test
  void oneAddressDoesNotHoldThePlainDoorShut() throws Exception {
    int port = FreePort.next();
    var here = InetAddress.getByName("127.0.0.1");
    List<Socket> held = new ArrayList<>();
    try (var _ =
        new PlainDoor(
            "127.0.0.1",
            port,
            UriCompliance.DEFAULT,
            Networks.parse(List.of()),
            limits(Duration.ofMinutes(5)),
            authority,
            Clock.systemUTC())) {
      long began = System.nanoTime();
      for (int i = 0; i < 600; i++) {
        held.add(new Socket(here, port));
      }
      try (var other = new Socket(here, port, InetAddress.getByName("127.0.0.2"), 0)) {
        other.setSoTimeout(60_000);
        other
            .getOutputStream()
            .write("GET /ca.der HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(new String(other.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
            .endsWith(" 200");
        boolean open = isOpen(held.getFirst());
        assumeTrue(
            Duration.ofNanos(System.nanoTime() - began).compareTo(PlainDoor.IDLE) < 0,
            "the machine stalled until the first had been silent for too long");
        assertThat(open).as("and not for want of patience").isTrue();
      }
    } finally {
      for (Socket each : held) {
        each.close();
      }
    }
  }

  private static String run(Path place, String... command) throws Exception {
    var process = new ProcessBuilder(command).directory(place.toFile()).redirectErrorStream(true);
    var running = process.start();
    running.getOutputStream().close();
    String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(running.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  private static Issuance.Issued issued(String name) {
    return (Issuance.Issued)
        authority.issue(
            PersonCertificateRequest.of(
                DistinguishedName.parse("/DC=org/DC=staithe/CN=" + name),
                AuthorityContract.key(),
                Duration.ofHours(1)),
            name);
  }

  @Test
  void bothFormsOfTheCertificateAndOfTheListAreTheSame(@TempDir Path place) throws Exception {
    for (String name : List.of("ca", "crl")) {
      for (String form : List.of("pem", "der")) {
        var answer = get("/" + name + "." + form);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Cache-Control").orElse(""))
            .contains("public")
            .contains("max-age=");
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        Files.write(place.resolve(name + "." + form), answer.body());
      }
    }

    assertThat(run(place, "openssl", "crl", "-in", "crl.pem", "-CAfile", "ca.pem", "-noout"))
        .contains("verify OK");
    assertThat(run(place, "openssl", "crl", "-inform", "DER", "-in", "crl.der", "-outform", "PEM"))
        .isEqualTo(Files.readString(place.resolve("crl.pem")));
    assertThat(run(place, "openssl", "x509", "-inform", "DER", "-in", "ca.der", "-outform", "PEM"))
        .isEqualTo(Files.readString(place.resolve("ca.pem")));
  }

  @Test
  void unchangedFileIsNotSentAgain() throws Exception {
    String tag = get("/ca.pem").headers().firstValue("ETag").orElseThrow();

    var again =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(url + "/ca.pem"))
                .header("If-None-Match", tag)
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void unpackedTrustAnchorsAreAFolderThatOpensslVerifiesWith(@TempDir Path place) throws Exception {
    Files.write(place.resolve("anchors.tar.gz"), get("/trust-anchors.tar.gz").body());
    Files.writeString(place.resolve("cert.pem"), issued("carol").pem());

    assertThat(run(place, "tar", "xzvf", "anchors.tar.gz"))
        .contains("staithe.pem")
        .contains("staithe.signing_policy")
        .contains("staithe.namespaces")
        .contains(".r0");
    assertThat(
            run(
                place,
                "openssl",
                "verify",
                "-crl_check",
                "-no-CAfile",
                "-no-CAstore",
                "-CApath",
                place.toString(),
                "cert.pem"))
        .contains("cert.pem: OK");
  }

  @Test
  void opensslAsksByPostAndSeesARevocationAtOnce(@TempDir Path place) throws Exception {
    var issued = issued("dave");
    Files.write(place.resolve("ca.pem"), get("/ca.pem").body());
    Files.writeString(place.resolve("cert.pem"), issued.pem());
    String[] ask = {
      "openssl",
      "ocsp",
      "-issuer",
      "ca.pem",
      "-CAfile",
      "ca.pem",
      "-cert",
      "cert.pem",
      "-url",
      url + "/ocsp"
    };

    assertThat(run(place, ask)).contains("Response verify OK").contains("cert.pem: good");
    authority.revoke(issued.serial(), "dave", RevocationReason.SUPERSEDED);
    assertThat(run(place, ask)).contains("cert.pem: revoked").contains("superseded");
  }

  @Test
  void questionInThePathIsAnsweredWithItsSlashesAndMayBeKept(@TempDir Path place) throws Exception {
    Files.write(place.resolve("ca.pem"), get("/ca.pem").body());
    // Until a question has what paths do not like.
    String base64 = "";
    for (int i = 0; i < 200 && !(base64.contains("/") && base64.contains("+")); i++) {
      Files.writeString(place.resolve("cert.pem"), issued("erin").pem());
      run(
          place,
          "openssl",
          "ocsp",
          "-issuer",
          "ca.pem",
          "-cert",
          "cert.pem",
          "-no_nonce",
          "-reqout",
          "q.der");
      base64 = Base64.getEncoder().encodeToString(Files.readAllBytes(place.resolve("q.der")));
    }
    assertThat(base64).contains("/");

    for (String path : List.of(URLEncoder.encode(base64, StandardCharsets.US_ASCII), base64)) {
      var answer = get("/ocsp/" + path);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/ocsp-response");
      assertThat(answer.headers().firstValue("Cache-Control").orElse(""))
          .contains("max-age=")
          .contains("public");
      Files.write(place.resolve("a.der"), answer.body());
      assertThat(
              run(
                  place,
                  "openssl",
                  "ocsp",
                  "-respin",
                  "a.der",
                  "-issuer",
                  "ca.pem",
                  "-CAfile",
                  "ca.pem",
                  "-cert",
                  "cert.pem"))
          .contains("Response verify OK")
          .contains("cert.pem: good");
    }
  }

  @Test
  void whatIsNoQuestionIsAnsweredSoAndNeverKept() throws Exception {
    byte[] malformed = {0x30, 3, 0x0a, 1, 1};

    for (String path : List.of("/ocsp/AAAA", "/ocsp/!", "/ocsp/" + "A".repeat(2000))) {
      var answer = get(path);
      assertThat(answer.body()).isEqualTo(malformed);
      assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    }
    assertThat(post("application/ocsp-request", new byte[100_000]).body()).isEqualTo(malformed);
    assertThat(post("Application/OCSP-Request", new byte[1]).body()).isEqualTo(malformed);
    assertThat(post("text/plain", new byte[1]).statusCode()).isEqualTo(415);
  }

  @Test
  void encodedSlashElsewhereIsRefused() throws Exception {
    for (String path : List.of("/ca.pem%2f", "/%2fca.pem", "/echo%2f..%2fca.pem", "//ca.pem")) {
      assertThat(get(path).statusCode()).as(path).isBetween(400, 404);
    }
  }

  @Test
  void figuresSayHowLongListAndAuthorityAreGood() throws Exception {
    issued("frank");

    var lines = new ArrayList<String>();
    new String(get("/.staithe/metrics").body(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(lines::add);

    assertThat(lines)
        .anyMatch(line -> line.matches("staithe_crl_left_seconds 60[0-9]{4}\\..*"))
        .anyMatch(line -> line.matches("staithe_ca_left_days 36[0-9]{2}\\..*"))
        .anyMatch(line -> line.matches("staithe_certificates_issued_total [1-9].*"))
        .anyMatch(line -> line.startsWith("staithe_certificates_refused_total{"));
  }
}
