package dev.staithe.slcs.issue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.KeyRules;
import dev.staithe.service.log.AuditLog;
import dev.staithe.slcs.ca.CaSettings;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.issue.CertificateOutcome.Issued;
import dev.staithe.slcs.issue.CertificateOutcome.Kind;
import dev.staithe.slcs.issue.CertificateOutcome.Refused;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.testkit.MutableClock;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The rules of issuing, with a real authority and database. */
class IssuingTests {
  private static final URI URL = URI.create("https://slcs.example.org");
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
  private static final CampusIdentity ADA = Somebody.named("ada@example.org", "Ada Lovelace");

  @TempDir Path folder;

  private final MutableClock clock = MutableClock.at(NOW);
  private final TestDatabase database = new TestDatabase();
  private AuditLog audit;
  private CertificateAuthority authority;
  private OpenSsl openssl;

  @BeforeEach
  void open() throws IOException {
    openssl = new OpenSsl(folder);
    audit = new AuditLog(folder.resolve("audit.log"), 10, clock);
    authority =
        new CertificateAuthority(
            new CaSettings(
                new CaSettings.Key.Development(folder.resolve("ca"), KeyKind.EC_P256),
                "staithe",
                List.of(DistinguishedName.parse("/DC=org/DC=staithe")),
                List.of(),
                URL,
                null,
                List.of(),
                Duration.ofDays(1),
                Duration.ofDays(7),
                Duration.ofHours(1)),
            database.source(),
            audit,
            clock);
  }

  @AfterEach
  void close() {
    audit.close();
    database.close();
  }

  private CertificateIssuance issuing(
      IssueSettings.Mail mail, List<String> saml, AccessRule... access) {
    return issuing(
        "/DC=org/DC=staithe/O={schacHomeOrganization|scope}/CN={displayName} {eppn}",
        mail,
        saml,
        access);
  }

  private CertificateIssuance issuing(
      String name, IssueSettings.Mail mail, List<String> saml, AccessRule... access) {
    return new CertificateIssuance(
        new IssueSettings(
            URL,
            name,
            Duration.ofHours(12),
            Duration.ofSeconds(1_000_000),
            List.of(access),
            List.of(),
            mail,
            saml,
            3,
            Duration.ofHours(1),
            Duration.ofMinutes(1)),
        database.source(),
        new People(database.source()),
        KeyRules.standard(),
        authority,
        audit,
        clock);
  }

  private CertificateIssuance issuing() {
    return issuing(IssueSettings.Mail.SCOPED, List.of("eduPersonPrincipalName", "mail"));
  }

  private byte[] request() {
    return OpenSsl.text(openssl.request()).getBytes(StandardCharsets.US_ASCII);
  }

  private static Issued issued(CertificateOutcome issuance) {
    assertThat(issuance).isInstanceOf(Issued.class);
    return (Issued) issuance;
  }

  private static Refused refused(CertificateOutcome issuance) {
    assertThat(issuance).isInstanceOf(Refused.class);
    return (Refused) issuance;
  }

  @Test
  void certificateLivesTwelveHoursWhereNothingElseIsAskedFor() {
    X509Certificate certificate =
        issued(issuing().issue(ADA, request(), null, "rest")).certificate();

    assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofHours(12)));
  }

  @Test
  void certificateForAMillionSecondsIsNotASecondLonger() {
    CertificateIssuance issuing = issuing();

    X509Certificate certificate =
        issued(issuing.issue(ADA, request(), Duration.ofSeconds(1_000_000), "rest")).certificate();

    assertThat(
            Duration.between(
                    certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant())
                .toSeconds())
        .isLessThanOrEqualTo(1_000_000);
    assertThat(refused(issuing.issue(ADA, request(), Duration.ofSeconds(1_000_001), "rest")).kind())
        .isEqualTo(Kind.BAD_REQUEST);
  }

  @Test
  void personWhoseCallingNameChangesKeepsTheName() {
    String first = issued(issuing().issue(ADA, request(), null, "rest")).subject();

    CampusIdentity married = Somebody.named("ada@example.org", "Ada King");

    assertThat(issued(issuing().issue(married, request(), null, "rest")).subject())
        .isEqualTo(first)
        .endsWith("/CN=Ada Lovelace ada@example.org");
  }

  @Test
  void principalNameThatWasGivenToAnotherPersonGetsNoCertificateOfTheFirst() {
    issuing()
        .issue(
            Somebody.with(
                "ada@example.org", Map.of("eduPersonUniqueId", List.of("first@example.org"))),
            request(),
            null,
            "rest");

    Refused refused =
        refused(
            issuing()
                .issue(
                    Somebody.with(
                        "ada@example.org",
                        Map.of("eduPersonUniqueId", List.of("second@example.org"))),
                    request(),
                    null,
                    "rest"));

    assertThat(refused.kind()).isEqualTo(Kind.NAME_TAKEN);
  }

  @Test
  void personInOtherLettersCaseIsTheSamePerson() {
    String first = issued(issuing().issue(ADA, request(), null, "rest")).subject();

    assertThat(
            issued(
                    issuing()
                        .issue(Somebody.named("ADA@example.org", "Ada"), request(), null, "rest"))
                .subject())
        .isEqualTo(first);
  }

  @Test
  void keyOfAnotherPersonIsRefused() {
    byte[] request = request();
    issued(issuing().issue(ADA, request, null, "rest"));
    issued(issuing().issue(ADA, request, null, "rest"));

    Refused refused =
        refused(issuing().issue(Somebody.named("eve@example.org", "Eve"), request, null, "rest"));

    assertThat(refused.kind()).isEqualTo(Kind.BAD_REQUEST);
  }

  @Test
  void tooManyCertificatesOfOnePersonAreRefusedAndNotThoseOfAnother() {
    CertificateIssuance issuing = issuing();
    for (int i = 0; i < 3; i++) {
      issued(issuing.issue(ADA, request(), null, "rest"));
    }

    Refused refused = refused(issuing.issue(ADA, request(), null, "soap"));
    assertThat(refused.kind()).isEqualTo(Kind.TOO_MANY);
    assertThat(refused.retryAfter()).isPositive().isLessThanOrEqualTo(Duration.ofHours(1));
    issued(issuing.issue(Somebody.named("eve@example.org", "Eve"), request(), null, "rest"));
    clock.advance(Duration.ofHours(1));
    issued(issuing.issue(ADA, request(), null, "rest"));
  }

  @Test
  void requestsThatAreRefusedDoNotCount() {
    CertificateIssuance issuing = issuing();
    for (int i = 0; i < 5; i++) {
      refused(issuing.issue(ADA, new byte[] {1, 2, 3}, null, "rest"));
    }

    issued(issuing.issue(ADA, request(), null, "rest"));
  }

  @Test
  void whatTheAuthorityCannotMakeDoesNotCount() {
    CertificateIssuance issuing = issuing();
    issued(issuing.issue(ADA, request(), null, "rest"));
    // After its end.
    clock.advance(Duration.ofDays(4000));
    for (int i = 0; i < 5; i++) {
      Refused refused = refused(issuing.issue(ADA, request(), null, "rest"));
      assertThat(refused.kind()).isEqualTo(Kind.UNAVAILABLE);
    }
  }

  @Test
  void nameThatTheAuthorityDoesNotGiveIsNotKept() {
    CertificateIssuance elsewhere =
        issuing("/DC=org/DC=elsewhere/CN={eppn}", IssueSettings.Mail.NEVER, List.of());
    assertThat(refused(elsewhere.issue(ADA, request(), null, "rest")).kind())
        .isEqualTo(Kind.NOT_ALLOWED);
    assertThat(elsewhere.nameOf(ADA, "slcs")).isInstanceOf(NameOutcome.Nameless.class);

    // Once the rule is mended.
    assertThat(issued(issuing().issue(ADA, request(), null, "rest")).subject())
        .startsWith("/DC=org/DC=staithe/");
  }

  @Test
  void whomARuleDeniesGetsNothingAndHoldsNoName() {
    CertificateIssuance issuing =
        issuing(
            IssueSettings.Mail.NEVER,
            List.of(),
            new AccessRule(true, null, "eduPersonAssurance", List.of("high"), List.of(), null));

    assertThat(refused(issuing.issue(ADA, request(), null, "rest")).kind())
        .isEqualTo(Kind.NOT_ALLOWED);
    assertThat(issuing.nameOf(ADA, "slcs")).isInstanceOf(NameOutcome.Nameless.class);
    assertThat(authority.issuedTo(Person.of(ADA).key())).isEmpty();
  }

  @Test
  void mailOfAnotherDomainIsNotSaidToBeProven() throws Exception {
    CampusIdentity who =
        Somebody.with(
            "ada@example.org",
            Map.of(
                "mail",
                List.of(
                    "ada@example.org",
                    "Ada.L@Lab.Example.org",
                    "ada@example.org.evil.com",
                    "ada@notexample.org",
                    "president@whitehouse.gov",
                    "ada@@example.org",
                    "ada@exämple.org")));

    X509Certificate certificate =
        issued(issuing().issue(who, request(), null, "rest")).certificate();

    assertThat(
            certificate.getSubjectAlternativeNames().stream().map(each -> each.get(1).toString()))
        .containsExactly("ada@example.org", "Ada.L@Lab.Example.org");
    assertThat(
            issued(issuing(IssueSettings.Mail.NEVER, List.of()).issue(who, request(), null, "rest"))
                .certificate()
                .getSubjectAlternativeNames())
        .isNull();
  }

  @Test
  void attributesStandInTheExtensionAsAWellFormedStatement() {
    CampusIdentity who =
        Somebody.with("ada@example.org", Map.of("mail", List.of("<a&b>@example.org", "x")));

    byte[] extension =
        issued(issuing().issue(who, request(), null, "rest"))
            .certificate()
            .getExtensionValue("1.3.6.1.4.1.3536.1.1.1.12");

    Document statement = statement(extension);
    assertThat(statement.getDocumentElement().getLocalName()).isEqualTo("Assertion");
    assertThat(texts(statement, "AttributeValue"))
        .containsExactly("ada@example.org", "<a&b>@example.org", "x");
    assertThat(texts(statement, "AuthenticatingAuthority")).containsExactly(Somebody.PROVIDER);
    assertThat(texts(statement, "NameID"))
        .containsExactly("CN=ada@example.org,O=example.org,DC=staithe,DC=org");
    assertThat(texts(statement, "Issuer")).containsExactly(URL.toString());
  }

  private static List<String> texts(Document document, String name) {
    var nodes = document.getElementsByTagNameNS("urn:oasis:names:tc:SAML:2.0:assertion", name);
    return java.util.stream.IntStream.range(0, nodes.getLength())
        .mapToObj(i -> nodes.item(i).getTextContent())
        .toList();
  }

  private static Document statement(byte[] extension) {
    String text = new String(extension, StandardCharsets.UTF_8);
    byte[] xml = text.substring(text.indexOf('<')).getBytes(StandardCharsets.UTF_8);
    XmlDocument parsed = SafeXml.parse(xml, XmlLimits.ofBytes(1 << 16));
    assertThat(parsed).as(Arrays.toString(extension)).isInstanceOf(XmlDocument.Parsed.class);
    return ((XmlDocument.Parsed) parsed).document();
  }

  @Test
  void attributeThatDoesNotFitIsLeftOutAsAWhole() {
    CampusIdentity who =
        Somebody.with("ada@example.org", Map.of("mail", List.of("short", "x".repeat(9000))));

    assertThat(
            texts(
                statement(
                    issued(issuing().issue(who, request(), null, "rest"))
                        .certificate()
                        .getExtensionValue("1.3.6.1.4.1.3536.1.1.1.12")),
                "AttributeValue"))
        .containsExactly("ada@example.org");
  }

  @Test
  void everyAnswerLeavesALineInTheAuditLog() throws IOException {
    issued(issuing().issue(ADA, request(), null, "soap"));
    refused(issuing().issue(ADA, "rubbish".getBytes(StandardCharsets.UTF_8), null, "rest"));
    refused(issuing().issue(Somebody.named("a/b@example.org", "x"), request(), null, "slcs"));

    assertThat(Files.readAllLines(folder.resolve("audit.log")))
        .filteredOn(line -> line.contains("certificate.request"))
        .satisfiesExactly(
            line -> assertThat(line).contains("\"ok\"", "\"soap\"", "ada@example.org", "serial"),
            line -> assertThat(line).contains("bad-request", "\"rest\"").doesNotContain("rubbish"),
            line -> assertThat(line).contains("not-allowed", "\"slcs\"", "a/b@example.org"));
  }

  @Test
  void whileTheDatabaseIsAwayNothingIsIssued() {
    CertificateIssuance issuing = issuing();
    byte[] request = request();
    database.close();

    Refused refused = refused(issuing.issue(ADA, request, null, "rest"));

    assertThat(refused.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(refused.retryAfter()).isPositive();
  }
}
