package dev.staithe.pki.grid;

import static dev.staithe.pki.grid.Chains.NOW;
import static dev.staithe.pki.grid.Chains.authority;
import static dev.staithe.pki.grid.Chains.person;
import static dev.staithe.pki.grid.Chains.proxy;
import static dev.staithe.pki.grid.ClientChainValidatorTests.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import dev.staithe.pki.grid.ClientVerdict.Accepted;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which names an authority may give out. */
class SigningNamespacesTests {
  private static final String CA = "/C=DE/O=Example/CN=Example CA";

  private final Holder ca = authority("CN=Example CA,O=Example,C=DE");
  private final Holder ada = person("CN=Ada,O=Example,C=DE").by(ca);
  private final Holder foreigner = person("CN=Ada,O=Bank,C=CH").by(ca);

  @TempDir Path folder;

  @BeforeEach
  void trustTheAuthority() throws IOException {
    trust(ca);
  }

  @Test
  void nameWithinTheNamespaceIsAcceptedAndOneOutsideRefused() throws IOException {
    for (Runnable policy : List.<Runnable>of(this::globus, this::euGrid)) {
      policy.run();
      for (Namespaces mode : List.of(Namespaces.REQUIRE, Namespaces.IF_PRESENT)) {
        assertThat(judge(ada, mode)).isInstanceOf(Accepted.class);
        assertThat(judge(proxy(ada).by(ada), mode)).isInstanceOf(Accepted.class);
        assertThat(reason(judge(foreigner, mode)))
            .isEqualTo("the client certificate has a name that its authority may not give out");
        assertThat(reason(judge(proxy(foreigner).by(foreigner), mode))).contains("may not give");
      }
      assertThat(judge(foreigner, Namespaces.IGNORE)).isInstanceOf(Accepted.class);
      Files.deleteIfExists(folder.resolve(hash(ca) + ".signing_policy"));
      Files.deleteIfExists(folder.resolve(hash(ca) + ".namespaces"));
      System.out.println("trials = 1");
    }
  }

  @Test
  void missingFileMeansWhatTheModeSays() {
    assertThat(judge(ada, Namespaces.IF_PRESENT)).isInstanceOf(Accepted.class);
    assertThat(reason(judge(ada, Namespaces.REQUIRE))).contains("without a file of namespaces");
  }

  @Test
  void fileThatCannotBeReadPermitsNothing() throws Exception {
    for (String broken : List.of("", "TO Issuer nonsense", "#NAMESPACES-VERSION: 9.9\n")) {
      write(hash(ca) + ".namespaces", broken);

      assertThat(reason(judge(ada, Namespaces.IF_PRESENT))).contains("cannot be read");
      assertThat(judge(ada, Namespaces.IGNORE)).isInstanceOf(Accepted.class);
      assertThat(ClientTrustFolder.read(folder).skipped())
          .anyMatch(skipped -> skipped.file().endsWith(".namespaces"));
      System.out.println("trials = 1");
    }
  }

  @Test
  void fileThatSpeaksOfAnotherAuthorityOnlyPermitsNothing() {
    String slip = "/C=DE/O=Example/CN=Exampel CA";
    write(hash(ca) + ".namespaces", "TO Issuer \"" + slip + "\" PERMIT Subject \"/C=DE/.*\"\n");

    for (Holder client : List.of(ada, foreigner)) {
      assertThat(reason(judge(client, Namespaces.IF_PRESENT)))
          .isEqualTo(
              "the client certificate has an authority whose file of namespaces does not speak of"
                  + " it");
      assertThat(judge(client, Namespaces.REQUIRE)).isInstanceOf(ClientVerdict.Refused.class);
      assertThat(judge(client, Namespaces.IGNORE)).isInstanceOf(Accepted.class);
      System.out.println("trials = 1");
    }
    globus(slip);
    assertThat(judge(ada, Namespaces.IF_PRESENT)).isInstanceOf(ClientVerdict.Refused.class);
    globus(CA);
    assertThat(judge(ada, Namespaces.IF_PRESENT)).isInstanceOf(Accepted.class);
    assertThat(reason(judge(foreigner, Namespaces.IF_PRESENT))).contains("may not give");
  }

  @Test
  void slashInsideAValueDoesNotReachIntoTheNamespaceOfAnotherCountry() {
    globus();
    // As a text with slashes this begins as the namespace does.
    Holder hostile = person("CN=Eve,O=Bank,C=DE/O\\=Example").by(ca);

    assertThat(reason(judge(hostile, Namespaces.IF_PRESENT))).contains("a slash misleads");
  }

  @Test
  void denialWinsOverPermission() throws IOException {
    write(
        hash(ca) + ".namespaces",
        """
        TO Issuer "%s" PERMIT Subject "/C=DE/O=Example/.*"
        TO Issuer "%s" DENY Subject "/C=DE/O=Example/CN=Ada"
        """
            .formatted(CA, CA));

    assertThat(reason(judge(ada, Namespaces.IF_PRESENT))).contains("may not give");
    assertThat(judge(person("CN=Bob,O=Example,C=DE").by(ca), Namespaces.IF_PRESENT))
        .isInstanceOf(Accepted.class);
  }

  @Test
  void fileOfAnotherAuthorityPermitsNothingHere() throws IOException {
    Holder other = authority("CN=Other CA,O=Other,C=FR");
    trust(other);
    write(hash(other) + ".namespaces", "TO Issuer \"" + CA + "\" PERMIT Subject \".*\"\n");

    assertThat(reason(judge(ada, Namespaces.REQUIRE))).contains("without a file of namespaces");
  }

  @Test
  void crossSignedAuthorityIsJudgedByTheWayThatLeadsToTheAnchor() throws IOException {
    // The issuing authority is trusted by itself; it sends along what another root says of it,
    // whose namespaces nobody here has.
    Holder issuing = authority("CN=Issuing CA,O=Example,C=DE");
    Holder otherRoot = authority("CN=Other Root,C=FR");
    Holder cross =
        person("CN=Issuing CA,O=Example,C=DE").authority().keys(issuing.keys()).by(otherRoot);
    trust(issuing);
    write(
        hash(issuing) + ".namespaces",
        "TO Issuer \"/C=DE/O=Example/CN=Issuing CA\" PERMIT Subject \"/C=DE/O=Example/.*\"\n");
    X509Certificate person = person("CN=Ada,O=Example,C=DE").by(issuing).certificate();

    assertThat(
            judge(
                List.of(person, cross.certificate(), otherRoot.certificate()), Namespaces.REQUIRE))
        .isInstanceOf(Accepted.class);
  }

  @Test
  void secondWayIsTakenWhereTheFirstBreaksARule() throws IOException {
    // Both roots are trusted; the namespaces of the first know nothing of the issuing authority.
    Holder first = authority("CN=First Root,O=Example,C=DE");
    Holder second = authority("CN=Second Root,O=Example,C=DE");
    Holder issuing = person("CN=Issuing CA,O=Example,C=DE").authority().by(first);
    Holder cross =
        person("CN=Issuing CA,O=Example,C=DE").authority().keys(issuing.keys()).by(second);
    for (Holder root : List.of(first, second)) {
      trust(root);
    }
    write(
        hash(first) + ".namespaces",
        "TO Issuer \"/C=DE/O=Example/CN=First Root\" PERMIT Subject \"/C=DE/O=Other/.*\"\n");
    X509Certificate person = person("CN=Ada,O=Example,C=DE").by(issuing).certificate();

    assertThat(
            judge(
                List.of(person, issuing.certificate(), cross.certificate()), Namespaces.IF_PRESENT))
        .isInstanceOf(Accepted.class);
  }

  private void globus() {
    globus(CA);
  }

  private void globus(String authority) {
    write(
        hash(ca) + ".signing_policy",
        """
        access_id_CA  X509    '%s'
        pos_rights    globus  CA:sign
        cond_subjects globus  '"/C=DE/O=Example/*" "/C=DE/O=Example2/*"'
        """
            .formatted(authority));
  }

  private void euGrid() {
    write(
        hash(ca) + ".namespaces",
        """
        #NAMESPACES-VERSION: 1.0
        TO Issuer SELF \\
          PERMIT Subject "/C=DE/O=Example/.*"
        """);
  }

  private void write(String name, String text) {
    try {
      Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void trust(Holder authority) throws IOException {
    Pem.writeCertificates(folder.resolve(hash(authority) + ".0"), List.of(authority.certificate()));
  }

  private static String hash(Holder authority) {
    return OpensslTruststoreHelper.getOpenSSLCAHash(authority.subject(), true);
  }

  private ClientVerdict judge(Holder client, Namespaces mode) {
    return judge(client.chain(), mode);
  }

  private ClientVerdict judge(List<X509Certificate> chain, Namespaces mode) {
    try {
      return new ClientChainValidator(
              ClientTrustFolder.read(folder),
              new ClientChainRules(Revocation.IGNORE, mode, false),
              Clock.fixed(NOW, ZoneOffset.UTC))
          .validate(chain);
    } catch (PemException e) {
      throw new AssertionError(e);
    }
  }
}
