package dev.staithe.pki.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.AtomicFile;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.OpenSsl;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.pki.ca.RevocationList;
import dev.staithe.pki.ca.TrustAnchorFiles;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An authority whose people the command line tools of grid sites know, and these tools. */
final class GridTools {
  static final String NAMESPACE = "/DC=org/DC=staithe";

  private static final int SEGMENTATION_FAULT = 139;

  private final Path folder;
  private final Path trust;
  private final CertificateIssuer ca;
  private int made;

  GridTools(Path folder, Clock clock) throws Exception {
    this.folder = folder;
    this.trust = Files.createDirectories(folder.resolve("certificates"));
    this.ca =
        CertificateIssuer.create(
            DistinguishedName.parse(NAMESPACE + "/CN=Grid CA"),
            KeyKind.RSA_2048,
            Duration.ofDays(30),
            clock);
    TrustAnchorFiles.of(
            new TrustAnchorFiles.Authority(
                "grid-ca",
                ca.certificate(),
                ca.revocationList(
                    new RevocationList(BigInteger.ONE, List.of(), Duration.ofDays(7))),
                null,
                List.of(NAMESPACE),
                null))
        .write(trust);
  }

  Path trust() {
    return trust;
  }

  Credential person(String name) {
    return person(name, KeyKind.RSA_2048);
  }

  Credential person(String name, KeyKind kind) {
    KeyPair keys = kind.generate();
    return new Credential(
        keys.getPrivate(),
        List.of(
            ca.issuePerson(
                PersonCertificateRequest.of(
                    DistinguishedName.parse(NAMESPACE + "/CN=" + name),
                    keys.getPublic(),
                    Duration.ofDays(5)),
                CertificateProfile.plain())));
  }

  /** The one file with certificate, key and chain that all of them read. */
  Path write(Credential credential) throws Exception {
    Path file = folder.resolve("proxy-" + ++made + ".pem");
    AtomicFile.write(
        file,
        (Pem.encode(List.of(credential.certificate()))
                + Pem.encode(credential.key())
                + Pem.encode(credential.chain().subList(1, credential.chain().size())))
            .getBytes(StandardCharsets.US_ASCII),
        "rw-------");
    return file;
  }

  Credential read(Path file) throws Exception {
    return Credential.read(file, file);
  }

  /** {@code openssl verify} at the authority; {@code OK} or the error. */
  String verify(List<X509Certificate> chain) throws Exception {
    Path leaf = folder.resolve("leaf.pem");
    Path above = folder.resolve("above.pem");
    Pem.writeCertificates(leaf, List.of(chain.getFirst()));
    Pem.writeCertificates(above, chain.subList(1, chain.size()));
    return OpenSsl.openssl(
            folder,
            "verify",
            "-allow_proxy_certs",
            "-CApath",
            trust.toString(),
            "-untrusted",
            above.toString(),
            leaf.toString())
        .text();
  }

  String run(String command, String... arguments) throws Exception {
    var environment = Map.of("X509_CERT_DIR", trust.toString(), "HOME", folder.toString());
    var said = OpenSsl.run(folder, environment, command, arguments);
    // voms-proxy-fake now and then ends so, whatever it is asked: that says nothing of us.
    for (int more = 4; said.exit() == SEGMENTATION_FAULT && more > 0; more--) {
      said = OpenSsl.run(folder, environment, command, arguments);
    }
    assertThat(said.exit()).as(command + ": " + said.text()).isZero();
    return said.text();
  }

  /** A proxy with attributes of {@code testvo}, from a server that speaks in its name. */
  Path vomsProxy(Credential person, Credential server, String... options) throws Exception {
    Path user = folder.resolve("user-" + ++made + ".pem");
    Path userKey = folder.resolve("user-" + made + "-key.pem");
    Path host = folder.resolve("voms-" + made + ".pem");
    Path hostKey = folder.resolve("voms-" + made + "-key.pem");
    person.write(user, userKey);
    server.write(host, hostKey);
    Path out = folder.resolve("voms-proxy-" + made + ".pem");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-quiet",
                "-cert",
                user.toString(),
                "-key",
                userKey.toString(),
                "-hostcert",
                host.toString(),
                "-hostkey",
                hostKey.toString(),
                "-voms",
                "testvo",
                "-uri",
                "voms.test:15000",
                "-fqan",
                "/testvo/Role=production/Capability=NULL",
                "-fqan",
                "/testvo",
                "-certdir",
                trust.toString(),
                "-out",
                out.toString()));
    arguments.addAll(List.of(options));
    run("voms-proxy-fake", arguments.toArray(String[]::new));
    return out;
  }
}
