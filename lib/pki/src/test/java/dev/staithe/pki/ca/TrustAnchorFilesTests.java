package dev.staithe.pki.ca;

import static dev.staithe.pki.OpenSsl.openssl;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientChainValidator;
import dev.staithe.pki.grid.ClientTrustFolder;
import dev.staithe.pki.grid.ClientVerdict;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrustAnchorFilesTests {
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path folder;

  private static CertificateIssuer authority(String name) {
    return CertificateIssuer.create(
        DistinguishedName.parse(name), KeyKind.EC_P256, Duration.ofDays(30), CLOCK);
  }

  private static TrustAnchorFiles files(CertificateIssuer ca) {
    var crl = ca.revocationList(new RevocationList(BigInteger.ONE, List.of(), Duration.ofDays(7)));
    return TrustAnchorFiles.of(
        new TrustAnchorFiles.Authority(
            "staithe-ca",
            ca.certificate(),
            crl,
            URI.create("http://ca.example.org/crl.pem"),
            List.of("/DC=org/DC=staithe/O=Example (1.0)"),
            "ca@example.org"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/DC=org/DC=staithe/CN=Staithe CA",
        "/C=DE/O=Ex-Ample  two spaces/CN=Zoë, CA",
        "/CN=a_b"
      })
  void opensslComputesTheSameNames(String name) throws Exception {
    var ca = authority(name);
    Pem.writeCertificates(folder.resolve("ca.pem"), List.of(ca.certificate()));

    var names = files(ca).links().keySet();

    for (String option : List.of("-subject_hash", "-subject_hash_old")) {
      String hash = openssl(folder, "x509", "-in", "ca.pem", "-noout", option).text().strip();
      assertThat(names).contains(hash + ".0", hash + ".namespaces", hash + ".signing_policy");
    }
  }

  @Test
  void opensslFindsAuthorityAndRevocationListInTheFolder() throws Exception {
    var ca = authority("/DC=org/DC=staithe/CN=Staithe CA");
    var certificate =
        ca.issuePerson(
            PersonCertificateRequest.of(
                DistinguishedName.parse("/DC=org/DC=staithe/O=Example (1.0)/CN=alice"),
                KeyKind.EC_P256.generate().getPublic(),
                Duration.ofHours(1)),
            CertificateProfile.plain());
    Pem.writeCertificates(folder.resolve("cert.pem"), List.of(certificate));
    files(ca).write(folder);
    files(ca).write(folder);

    var said =
        openssl(
            folder,
            "verify",
            "-crl_check",
            "-no-CAfile",
            "-no-CAstore",
            "-CApath",
            folder.toString(),
            "cert.pem");

    assertThat(said.text()).contains("cert.pem: OK");
    assertThat(TrustAnchors.read(folder).skipped()).isEmpty();
    assertThat(TrustAnchors.read(folder).crls()).hasSize(1);
  }

  @Test
  void policyFilesNameTheAuthorityAndOnlyItsNamespace() {
    var files = files(authority("/DC=org/DC=staithe/CN=Staithe CA")).files();

    assertThat(text(files.get("staithe-ca.namespaces")))
        .contains(
            """
            TO Issuer "/DC=org/DC=staithe/CN=Staithe CA" \\
              PERMIT Subject "/DC=org/DC=staithe/O=Example \\(1\\.0\\)/.*"
            """);
    assertThat(text(files.get("staithe-ca.signing_policy")))
        .contains("access_id_CA      X509    '/DC=org/DC=staithe/CN=Staithe CA'")
        .contains("pos_rights        globus  CA:sign")
        .contains("cond_subjects     globus  '\"/DC=org/DC=staithe/O=Example (1.0)/*\"'");
    assertThat(text(files.get("staithe-ca.info")))
        .contains("alias = staithe-ca\n")
        .contains("subjectdn = \"/DC=org/DC=staithe/CN=Staithe CA\"\n")
        .contains("crl_url = http://ca.example.org/crl.pem\n")
        .containsPattern("sha1fp\\.0 = ([0-9A-F]{2}:){19}[0-9A-F]{2}\n");
    assertThat(text(files.get("staithe-ca.crl_url"))).isEqualTo("http://ca.example.org/crl.pem\n");
  }

  /** Roots of the grid have one; the whole archive had not been made. */
  @Test
  void authorityAboveMayHaveAMailAddressInItsName() throws Exception {
    var ca = authority("/DC=org/DC=staithe/CN=Staithe CA");
    openssl(
        folder,
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "root.key",
        "-out",
        "root.pem",
        "-days",
        "9",
        "-subj",
        "/DC=org/CN=Root/emailAddress=ca@example.org");
    var root = Pem.readCertificates(folder.resolve("root.pem")).getFirst();

    var files = files(ca).with("staithe-ca", ca.certificate(), List.of(root)).files();

    assertThat(text(files.get("staithe-ca-1.namespaces")))
        .contains("TO Issuer \"/DC=org/CN=Root/emailAddress=ca@example.org\"")
        .contains("PERMIT Subject \"/DC=org/DC=staithe/.*\"");
    assertThat(text(files.get("staithe-ca-1.signing_policy")))
        .contains("access_id_CA      X509    '/DC=org/CN=Root/emailAddress=ca@example.org'");
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @Test
  void serverOfTheGridTakesNamesOfTheNamespaceAndNoOthersByEitherPolicyFile() throws Exception {
    var ca = authority("/DC=org/DC=staithe/CN=Staithe CA");
    files(ca).write(folder);
    var within = certificate(ca, "/DC=org/DC=staithe/O=Example (1.0)/CN=alice");
    var outside = certificate(ca, "/DC=org/DC=staithe/O=Example (110)/CN=alice");

    for (String policy : List.of(".namespaces", ".signing_policy")) {
      assertThat(judge(within)).as(policy).isInstanceOf(ClientVerdict.Accepted.class);
      assertThat(judge(outside)).as(policy).isInstanceOf(ClientVerdict.Refused.class);
      // Where there is no file of namespaces, the signing policy counts.
      for (String link : files(ca).links().keySet()) {
        if (link.endsWith(".namespaces")) {
          Files.deleteIfExists(folder.resolve(link));
        }
      }
    }
  }

  /** A signing policy that cannot be read has all of the authority's people refused. */
  @Test
  void authorityWithAnApostropheInItsNameHasNoSigningPolicy() throws Exception {
    var ca = authority("/DC=org/DC=staithe/CN=Queen's CA");
    files(ca).write(folder);

    assertThat(files(ca).links().keySet()).noneMatch(link -> link.endsWith(".signing_policy"));
    assertThat(judge(certificate(ca, "/DC=org/DC=staithe/O=Example (1.0)/CN=alice")))
        .isInstanceOf(ClientVerdict.Accepted.class);
    assertThat(judge(certificate(ca, "/DC=org/DC=staithe/O=Example (110)/CN=alice")))
        .isInstanceOf(ClientVerdict.Refused.class);
  }

  /** A number sign begins a remark in that file, also within quotation marks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/DC=org/DC=staithe/CN=The \"Best\" CA",
        "/DC=org/DC=staithe/CN=CA #1",
        "/DC=org/DC=staithe/CN=CA \\"
      })
  void authorityWithSuchASignInItsNameHasNoFileOfNamespaces(String name) throws Exception {
    var ca = authority(name);
    files(ca).write(folder);

    assertThat(files(ca).links().keySet())
        .noneMatch(link -> link.endsWith(".namespaces"))
        .matches(
            links ->
                links.stream().anyMatch(link -> link.endsWith(".signing_policy"))
                    != name.endsWith("\\"));
    assertThat(ClientTrustFolder.read(folder).skipped()).isEmpty();
  }

  private static X509Certificate certificate(CertificateIssuer ca, String name) {
    return ca.issuePerson(
        PersonCertificateRequest.of(
            DistinguishedName.parse(name),
            KeyKind.EC_P256.generate().getPublic(),
            Duration.ofHours(1)),
        CertificateProfile.plain());
  }

  private ClientVerdict judge(X509Certificate certificate) throws Exception {
    var rules =
        new ClientChainRules(
            ClientChainRules.Revocation.REQUIRE, ClientChainRules.Namespaces.REQUIRE, false);
    return new ClientChainValidator(ClientTrustFolder.read(folder), rules, CLOCK)
        .validate(List.of(certificate));
  }
}
