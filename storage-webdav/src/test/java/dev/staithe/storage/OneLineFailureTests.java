package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.service.OneLineFailure;
import dev.staithe.storage.settings.StoragePropertiesTests;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.core.env.MapPropertySource;

/** A start that fails says in one line which property, which value, and what is allowed. */
class OneLineFailureTests {
  private static ThrowAwayAuthority authority;
  private static ThrowAwayAuthority.Host host;

  @TempDir private Path folder;
  private final Map<String, Object> properties = new LinkedHashMap<>();

  @BeforeAll
  static void makeAuthority(@TempDir Path folder) {
    authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    host = authority.localhost();
  }

  @BeforeEach
  void startFromWhatWorks() throws IOException {
    Files.createDirectories(folder.resolve("data/sub"));
    Files.createDirectories(folder.resolve("other"));
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("data/sub"));
    Files.writeString(folder.resolve("garbage"), "garbage");
    properties.put("server.port", 0);
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.tls.certificate", host.certificate());
    properties.put("staithe.tls.key", host.key());
    properties.put("staithe.trust", authority.certificateFile());
    properties.put("staithe.areas[0].name", "data");
    properties.put("staithe.areas[0].root", folder.resolve("data"));
  }

  /** What the start says, {@code ~} standing for the test's folder. */
  private String start() {
    Throwable failure =
        catchThrowable(
            () ->
                new SpringApplicationBuilder(StorageApplication.class)
                    .run(
                        properties.entrySet().stream()
                            .map(e -> "--" + e.getKey() + "=" + e.getValue())
                            .toArray(String[]::new))
                    .close());
    assertThat(failure).as("the start").isNotNull();
    return line(failure);
  }

  @Test
  void folderThatCannotHoldOurOwnIsNamedWithWhatIsWanted() {
    properties.put("staithe.areas[0].root", "/proc");
    assertThat(start()).startsWith("staithe.areas[0]: /proc takes no folder of the service's own");
  }

  /** The same for what already fails when the properties are read, which takes no server. */
  private String bind() {
    Throwable failure =
        catchThrowable(
            () -> StoragePropertiesTests.bound(new MapPropertySource("test", properties)));
    assertThat(failure).as("the binding").isNotNull();
    return line(failure);
  }

  private String line(Throwable failure) {
    String line = OneLineFailure.describe(failure);
    assertThat(line).as(failure.toString()).isNotNull().doesNotContain("\n", "Exception");
    return line.replace(folder.toString(), "~");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          tls.check-interval                | 0s             | 1s to 24h
          tls.check-interval                | soon           | a duration such as 30s
          tls.provider                      | openssl        | one of auto, conscrypt, jdk
          tls.enabled                       | perhaps        | true or false
          tls.certificate                   | /none          | a file that this user can read
          tls.key                           | /              | a file that this user can read
          hosts                             | se.example     | host:port
          hosts                             | https://a:1    | host:port
          areas[0].name                     | a/b            | 1 to 64 of A-Z a-z 0-9 . _ - and begin with a letter or digit
          areas[0].name                     | ..             | 1 to 64 of A-Z a-z 0-9 . _ - and begin with a letter or digit
          areas[0].root                     | /none          | a folder that this user can write
          areas[0].root                     | /etc/passwd    | a folder that this user can write
          areas[0].access-points            | data           | an absolute path without dot segments, such as /data
          areas[0].access-points            | /a/../b        | an absolute path without dot segments, such as /data
          areas[0].access-points            | /.staithe/x    | an absolute path without dot segments, such as /data
          areas[0].access-points            | /.well-known/x | apart from /.well-known, where this server tells of itself
          areas[0].grants[0].prefixes       | p              | an absolute path without dot segments, such as /data
          areas[0].grants[0].issuer         | https://none   | an issuer that staithe.issuers lists
          areas[0].grants[0].strategy       | any            | one of capabilities, groups, both
          areas[0].checksums                | crc32c         | a list, each one of adler32, md5, sha-256, sha-512
          areas[0].voms[0].fqan             | atlas          | a group or role of VOMS, such as /atlas or /atlas/production/Role=pilot
          voms.trust                        | /vomsdir       | absent where staithe.client-certificates.trust is absent
          areas[0].keep-free                | -1B            | 0 bytes or more
          areas[0].read-ahead               | 65MB           | 0B to 64MB
          areas[0].keep-free                | much           | a size such as 64MB
          areas[0].staged-per-caller        | 0              | 1 to 100
          areas[0].staged-per-caller        | 101            | 1 to 100
          areas[0].anonymous-read           | yess           | true or false
          issuers[0].jwks-file              | /none          | a file that this user can read
          issuers[0].profile                | saml           | one of wlcg, oidc
          issuers[0].without-audience       | true           | false where profile is wlcg
          issuers[0].introspection.cache    | 61s            | 0s to 1m
          copy.running                      | 0              | 1 to 10000
          copy.running                      | many           | a whole number
          copy.per-host                     | -1             | 1 to 10000
          copy.queued                       | 100001         | 0 to 100000
          copy.queued-per-group             | -1             | 0 to 100000
          copy.retry-after                  | 0s             | 1s to 1h
          copy.marker-period                | 31s            | 100ms to 30s
          copy.early-answer                 | 1m             | 0s to 30s
          copy.max-streams                  | 17             | 1 to 16
          copy.striped-from                 | 0B             | 1B or more
          copy.allowed-networks             | everything     | networks such as 10.0.0.0/8 or fd00::/8
          copy.connect-timeout              | 1ms            | 10ms to 1h
          copy.first-byte-timeout           | 2h             | 10ms to 1h
          copy.stall-timeout                | 2h             | 10ms to 1h
          copy.slow-floor                   | -1KB           | 0 bytes a second or more
          copy.slow-window                  | 10ms           | 1s to 1h
          limits.connections                | 0              | 1 to 100000
          limits.idle-timeout               | 2h             | 1s to 1h
          limits.header-size                | 1KB            | 4KB to 1MB
          limits.head-timeout               | 0s             | 1s to 1h
          limits.min-upload-rate            | -1B            | 0B to 1GB
          limits.min-download-rate          | 2GB            | 0B to 1GB
          limits.rate-window                | 2h             | 1s to 1h
          access-log.layout                 | xml            | one of json, storm
          cors.origins                      | https://app/   | an origin such as https://app.example.org, in lower case and without a path, or * alone
          cors.origins                      | *,https://app  | an origin such as https://app.example.org, in lower case and without a path, or * alone
          http2                             | maybe          | true or false
          scitags.collectors                | collector      | host:port
          scitags.collectors                | a:65536        | host:port
          redirect.nodes                    | http://node    | https://host:port without a path
          redirect.nodes                    | https://node/  | https://host:port without a path
          redirect.nodes                    | https://a_b:1  | https://host:port, with letters, digits, dashes and dots and a port up to 65535
          redirect.nodes                    | https://a:65536 | https://host:port, with letters, digits, dashes and dots and a port up to 65535
          redirect.nodes                    | https://node:1 | empty where key-file is absent
          redirect.key-file                 | /none          | a file that this user can read
          redirect.from-size                | 0B             | 1B or more
          redirect.check-interval           | 1ms            | 1s to 1h
          metrics.allow-from                | localhost      | networks such as 10.0.0.0/8 or fd00::/8
          tape.command                      | /usr/bin       | the absolute path of a program that can be run, and its first arguments
          proxy.trusted                     | nginx          | networks such as 10.0.0.0/8 or fd00::/8
          proxy.accel-prefix                | accel          | an absolute path without dot segments, such as /data
          """)
  void valueThatIsNotAllowedIsNamedWithWhatIs(String key, String value, String allowed) {
    properties.put("staithe.issuers[0].issuer", "https://issuer.example");
    properties.put("staithe.issuers[0].audiences", "https://se.example");
    if (key.startsWith("areas[0].grants[0]") && !key.endsWith("issuer")) {
      properties.put("staithe.areas[0].grants[0].issuer", "https://issuer.example");
    }
    if (key.startsWith("tape")) {
      properties.put("staithe.tape.areas", "data");
    }
    properties.put("staithe." + key, value);
    assertThat(bind()).startsWith("staithe." + key + " = \"").endsWith("must be " + allowed);
  }

  @Test
  void rulesForGroupsThatNobodyIsBelievedAboutAreRefused() {
    properties.put("staithe.areas[0].voms[0].fqan", "/atlas");
    properties.put("staithe.areas[0].voms[0].scopes", "storage.read:/");

    assertThat(bind())
        .isEqualTo(
            "staithe.areas[0].voms = \"1 rules\": must be none where staithe.voms.trust is absent");
  }

  @Test
  void valuesThatAreMissingAreNamed() {
    properties.remove("staithe.tls.key");
    assertThat(bind()).isEqualTo("staithe.tls.key = \"\": must be a file that this user can read");
    properties.put("staithe.tls.enabled", false);
    properties.keySet().removeIf(k -> k.startsWith("staithe.areas"));
    assertThat(bind()).isEqualTo("staithe.areas = \"\": must be at least one storage area");
    properties.put("staithe.areas[0].name", "data");
    assertThat(bind())
        .isEqualTo("staithe.areas[0].root = \"\": must be a folder that this user can write");
    properties.put("staithe.areas[0].root", folder.resolve("data"));
    properties.put("staithe.issuers[0].issuer", "https://issuer.example");
    assertThat(bind())
        .isEqualTo(
            "staithe.issuers[0].audiences = \"\": must be at least one, such as https://HOST:PORT");
    properties.remove("staithe.issuers[0].issuer");
    properties.put("staithe.issuers[0].audiences", "https://se.example");
    assertThat(bind()).isEqualTo("staithe.issuers[0].issuer = \"\": must be the URL of an issuer");
  }

  @Test
  void unknownKeyIsNamedWithThoseThatAreAllowedBesideIt() {
    properties.put("staithe.limits.connection", 1);
    assertThat(bind())
        .isEqualTo(
            "staithe.limits.connection = \"1\": is not known; allowed at this place: "
                + "connections, connections-per-address, head-timeout, header-size, idle-timeout, min-download-rate, "
                + "min-upload-rate, rate-window");
    properties.remove("staithe.limits.connection");
    properties.put("staithe.areas[0].rooot", "x");
    assertThat(bind())
        .startsWith("staithe.areas[0].rooot = \"x\": is not known; allowed at this place: access-")
        .contains("anonymous-read", "keep-free", "root");
    properties.remove("staithe.areas[0].rooot");
    properties.put("staithe.speed", "fast");
    assertThat(bind())
        .startsWith(
            "staithe.speed = \"fast\": is not known; allowed at this place: access-log, accounting, areas, "
                + "checksums, client-certificates, contracts, copy, cors, delegation, hosts")
        .endsWith("tls, tokens, transfers, trust, voms");
    properties.remove("staithe.speed");
    properties.put("staithe.areas[2].name", "third");
    assertThat(bind())
        .isEqualTo(
            "staithe.areas[2].name = \"third\": stands after a gap in the numbers of its list");
  }

  @Test
  void areasThatOverlapAreNamed() {
    properties.put("staithe.areas[1].name", "data");
    properties.put("staithe.areas[1].root", folder.resolve("other"));
    assertThat(bind())
        .isEqualTo("staithe.areas[1].name = \"data\": must be different in each of staithe.areas");
    properties.put("staithe.areas[1].name", "two");
    properties.put("staithe.areas[1].access-points", "/data/");
    assertThat(bind())
        .isEqualTo(
            "staithe.areas[1].access-points = \"/data/\": must be different in each of"
                + " staithe.areas");
    properties.remove("staithe.areas[1].access-points");
    for (String root : new String[] {"data", "data/sub", "link", "other/../data/sub"}) {
      properties.put("staithe.areas[1].root", folder.resolve(root));
      assertThat(bind())
          .isEqualTo(
              "staithe.areas[1].root = \"~/"
                  + root
                  + "\": must be neither inside nor around that of areas[0], ~/data");
    }
  }

  @Test
  void issuersAndGroupsThatCannotWorkAreNamed() {
    properties.put("staithe.issuers[0].issuer", "http://issuer.example");
    properties.put("staithe.issuers[0].audiences", "https://se.example");
    assertThat(start())
        .isEqualTo(
            "staithe.issuers[0]: issuer \"http://issuer.example\" must be an https URL with neither"
                + " user, query nor fragment");
    properties.put("staithe.issuers[1].issuer", "http://issuer.example");
    properties.put("staithe.issuers[1].audiences", "https://se.example");
    assertThat(bind())
        .isEqualTo(
            "staithe.issuers[1].issuer = \"http://issuer.example\": must be different in each of"
                + " staithe.issuers");
  }

  @Test
  void keySetThatIsBrokenIsNamed() {
    properties.put("staithe.issuers[0].issuer", "https://issuer.example");
    properties.put("staithe.issuers[0].audiences", "https://se.example");
    properties.put("staithe.issuers[0].jwks-file", folder.resolve("garbage"));
    assertThat(start()).startsWith("staithe.issuers").contains("https://issuer.example");
  }

  @Test
  void groupRulesThatCannotCountAreNamed() {
    properties.put("staithe.issuers[0].issuer", "https://issuer.example");
    properties.put("staithe.issuers[0].audiences", "https://se.example");
    properties.put("staithe.areas[0].grants[0].issuer", "https://issuer.example");
    properties.put("staithe.areas[0].grants[0].groups[0].group", "/cms");
    assertThat(bind())
        .isEqualTo(
            "staithe.areas[0].grants[0].groups[0].scopes = \"\": must be storage scopes such as"
                + " storage.read:/");
    properties.put("staithe.areas[0].grants[0].groups[0].scopes", "write:/");
    properties.put("staithe.areas[0].grants[0].strategy", "groups");
    assertThat(start())
        .isEqualTo(
            "staithe.areas[0]: \"write:/\" is no storage scope; write one like storage.read:/path");
    properties.put("staithe.areas[0].grants[0].hosts[0].scopes", "storage.read:/");
    properties.put("staithe.areas[0].grants[0].hosts[0].host", "https://fts.example.org");
    assertThat(bind())
        .isEqualTo(
            "staithe.areas[0].grants[0].hosts[0].host = \"https://fts.example.org\": must be a host"
                + " name such as fts.example.org");
    properties.keySet().removeIf(k -> k.contains("hosts[0]"));
    properties.put("staithe.areas[0].grants[0].groups[0].scopes", "storage.read:/");
    properties.put("staithe.areas[0].grants[0].strategy", "capabilities");
    assertThat(start())
        .isEqualTo(
            "staithe.areas[0]: issuer https://issuer.example has group rules, but its strategy is"
                + " capabilities");
  }

  @Test
  void keyAndCertificateThatAreBrokenOrDoNotMatchAreNamed() {
    properties.put("staithe.tls.key", folder.resolve("garbage"));
    assertThat(start()).startsWith("staithe.tls: ~/garbage holds no private key");
    properties.put("staithe.tls.key", authority.host("other.example").key());
    assertThat(start()).startsWith("staithe.tls: ").contains("is not the private key of");
    properties.put("staithe.tls.key", host.key());
    properties.put("staithe.tls.certificate", folder.resolve("garbage"));
    assertThat(start()).startsWith("staithe.tls: ~/garbage holds no certificate");
    properties.put("staithe.tls.certificate", host.certificate());
    properties.put("staithe.trust", folder.resolve("garbage"));
    assertThat(start()).startsWith("staithe.trust: ~/garbage");
    properties.put("staithe.trust", folder.resolve("none"));
    assertThat(start()).startsWith("staithe.trust: ~/none");
  }

  @Test
  void portThatIsTakenIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      properties.put("server.port", taken.getLocalPort());
      assertThat(start())
          .isEqualTo("server.port = " + taken.getLocalPort() + ": must be a port that is free");
    }
  }

  @Test
  void addressesAndPortsThatCannotBeAreNamed() {
    properties.put("server.port", "http");
    assertThat(start()).startsWith("server.port = \"http\": ");
    properties.put("server.port", 65536);
    assertThat(start()).isEqualTo("server.port = \"65536\": must be 0 to 65535");
    properties.put("server.port", 0);
    properties.put("server.address", "192.0.2.1");
    assertThat(start()).startsWith("server.address and server.port: /192.0.2.1:0 must be");
    properties.put("server.address", "nosuch.invalid");
    assertThat(start())
        .isEqualTo("server.address = \"nosuch.invalid\": must be an address of this machine");
  }

  @Test
  void configurationFileThatIsMissingOrNoYamlIsNamed() throws IOException {
    properties.put("spring.config.additional-location", "file:" + folder.resolve("none.yml"));
    assertThat(start()).startsWith("spring.config: ").contains("~/none.yml");
    Path broken = Files.writeString(folder.resolve("broken.yml"), "staithe:\n\tareas: 1\n");
    properties.put("spring.config.additional-location", "file:" + broken);
    assertThat(start())
        .startsWith("spring.config: ")
        .contains("~/broken.yml")
        .contains(" is no YAML in line 2: ");
  }

  @Test
  void failureThatIsNotOfConfigurationIsLeftToTheLog() {
    assertThat(OneLineFailure.describe(new IllegalStateException("a mistake of ours"))).isNull();
  }
}
