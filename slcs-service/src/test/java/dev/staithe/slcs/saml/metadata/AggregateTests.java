package dev.staithe.slcs.saml.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.staithe.pki.Credential;
import dev.staithe.slcs.issue.OpenSsl;
import dev.staithe.slcs.saml.TestIdp;
import dev.staithe.slcs.session.SessionSettings;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Federation metadata: signed by whom, of how many, how large. */
class AggregateTests {
  private static final int MANY = 4_000;
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

  @TempDir static Path folder;

  private static final Credential SIGNER = TestIdp.credential();
  private static final X509Certificate SIGNED_BY = SIGNER.certificate();
  private static String signed;

  @BeforeAll
  static void make() {
    signed = sign(aggregate(""), SIGNER);
  }

  private static String hidden() {
    return """
    <md:Extensions><mdattr:EntityAttributes xmlns:mdattr="urn:oasis:names:tc:SAML:metadata:attribute">\
    <saml:Attribute xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Name="http://macedir.org/entity-category">\
    <saml:AttributeValue xsi:type="xs:string">http://refeds.org/category/hide-from-discovery</saml:AttributeValue>\
    </saml:Attribute></mdattr:EntityAttributes></md:Extensions>""";
  }

  private static String aggregate(String attributes) {
    return """
    <md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ID="_all" Name="all"%s>
    %s
    <md:EntityDescriptor entityID="https://sp.example.org"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example.org/acs" index="0"/></md:SPSSODescriptor></md:EntityDescriptor>
    <!-- a comment is left out by the signature, and here -->
    <md:EntitiesDescriptor Name="inner">%s</md:EntitiesDescriptor>
    </md:EntitiesDescriptor>
    """
        .formatted(
            attributes,
            TestIdp.of("https://idp.north.example.org", "north.example.org").metadata(),
            TestIdp.of("https://idp.south.example.org", "south.example.org").metadata(hidden()));
  }

  private static String sign(String text, Credential credential) {
    Document document = TestIdp.parse(text);
    TestIdp.sign(
        document.getDocumentElement(), credential.key(), TestIdp.RSA_SHA256, TestIdp.SHA256);
    return TestIdp.text(document);
  }

  private static MetadataSource.Loaded<Aggregate> read(String text) throws IOException {
    return read(text, Set.of());
  }

  private static MetadataSource.Loaded<Aggregate> read(String text, Set<String> taken)
      throws IOException {
    return Aggregate.read(
        Files.writeString(Files.createTempFile(folder, "aggregate", ".xml"), text),
        SIGNED_BY,
        taken,
        NOW);
  }

  @Test
  void providersAreTakenAndServiceProvidersSkipped() throws IOException {
    Aggregate aggregate = read(signed).value();

    assertThat(aggregate.entries())
        .extracting(Aggregate.Entry::entityId)
        .containsExactly("https://idp.north.example.org", "https://idp.south.example.org");
    assertThat(aggregate.named("north.example.org").orElseThrow().hidden()).isFalse();
    Aggregate.Entry south = aggregate.named("south.example.org").orElseThrow();
    assertThat(south.hidden()).isTrue();
    assertThat(ProviderMetadata.of(south.element()).orElseThrow().redirect())
        .isEqualTo("https://idp.south.example.org/sso");
  }

  @Test
  void nameOfAProviderThatIsNamedByItselfIsNotGivenToAnother() throws IOException {
    Aggregate aggregate = read(signed, Set.of("north.example.org")).value();

    assertThat(aggregate.named("north.example.org")).isEmpty();
    Aggregate.Entry north = aggregate.withEntityId("https://idp.north.example.org").orElseThrow();
    assertThat(north.name()).startsWith("e");
    assertThat(aggregate.named(north.name())).contains(north);
    assertThat(aggregate.named("south.example.org")).isPresent();
  }

  /** Rules for that name are about the users of authn-service. */
  @Test
  void nameOfAuthnServiceIsNotGivenToAProvider() throws IOException {
    String text = aggregate("").replace(">north.example.org<", ">authn<");

    Aggregate aggregate = read(sign(text, SIGNER)).value();

    assertThat(aggregate.named("authn")).isEmpty();
    assertThat(aggregate.withEntityId("https://idp.north.example.org")).isPresent();
    assertThat(aggregate.named("south.example.org")).isPresent();
  }

  @Test
  void timesOfTheAggregateAreHeeded() throws IOException {
    var loaded =
        read(
            sign(aggregate(" validUntil=\"2030-01-01T00:00:00Z\" cacheDuration=\"PT6H\""), SIGNER));

    assertThat(loaded.validUntil()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
    assertThat(loaded.cacheDuration()).hasHours(6);
  }

  private static String entity(String name, String validUntil) {
    return TestIdp.of("https://" + name, name)
        .metadata()
        .replace(" entityID=", " validUntil=\"" + validUntil + "\" entityID=");
  }

  private static String entities(String attributes, String content) {
    return "<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" "
        + attributes
        + ">"
        + content
        + "</md:EntitiesDescriptor>";
  }

  @Test
  void validityOfEachEntityCountsByItselfWhateverTheRootSays() throws IOException {
    var loaded =
        read(
            sign(
                entities(
                    "ID=\"_r\" validUntil=\"2026-06-08T12:00:00Z\"",
                    entity("two-days.org", "2026-06-03T12:00:00Z")
                        + entity("without-zone.org", "2026-06-03T12:00:00")
                        + entity("over.org", "2026-05-31T12:00:00Z")
                        + entity("soon.org", "soon")
                        + entity("role-over.org", "2026-06-03T12:00:00Z")
                            .replace(
                                "<md:IDPSSODescriptor",
                                "<md:IDPSSODescriptor validUntil=\"2026-06-01T12:00:00Z\"")
                        + TestIdp.of("https://silent.org", "silent.org").metadata()),
                SIGNER));

    assertThat(loaded.value().entries())
        .extracting(Aggregate.Entry::name, Aggregate.Entry::validUntil)
        .containsExactly(
            tuple("two-days.org", Instant.parse("2026-06-03T12:00:00Z")),
            tuple("without-zone.org", Instant.parse("2026-06-03T12:00:00Z")),
            tuple("silent.org", null));
    assertThat(loaded.validUntil()).isEqualTo(Instant.parse("2026-06-08T12:00:00Z"));
    assertThat(loaded.faults())
        .containsExactly(
            "https://over.org (it was valid until 2026-05-31T12:00:00Z)",
            "https://soon.org (it is valid until no time)",
            "https://role-over.org (it was valid until 2026-06-01T12:00:00Z)");
  }

  @Test
  void whatAFederationGaveIsTold() throws IOException {
    assertThat(read(signed).told())
        .containsExactly(
            "2 identity providers, 1 other entities, 0 that are not used; valid for ever");
    assertThat(
            read(sign(
                    entities(
                        "ID=\"_r\" validUntil=\"2026-06-08T12:00:00Z\"",
                        new TestIdp("https://mute.org", "").metadata()
                            + entity("over.org", "2026-05-31T12:00:00Z")),
                    SIGNER))
                .told())
        .containsExactly(
            "1 identity providers, 1 of them without a scope and so of no use, 0 other entities, 1"
                + " that are not used; valid until 2026-06-08T12:00:00Z");
  }

  /** A key of 1024 bits, as some campuses still have, in place of the one of some metadata. */
  private static String weakened(String metadata) throws IOException {
    var openssl = new OpenSsl(folder);
    OpenSsl.Said made =
        openssl.run(
            "req",
            "-x509",
            "-newkey",
            "rsa:1024",
            "-nodes",
            "-keyout",
            "weak.key",
            "-out",
            "weak.pem",
            "-days",
            "9",
            "-subj",
            "/CN=weak");
    assertThat(made.exit()).as(made.text()).isZero();
    String text =
        Files.readString(folder.resolve("weak.pem")).replaceAll("-----[A-Z ]+-----|\\s", "");
    return metadata.replaceAll(
        "(<ds:X509Certificate>)[^<]*(</ds:X509Certificate>)", "$1" + text + "$2");
  }

  @Test
  void federationTellsHowManySignWeaklyAndWhenTheFirstOfThemEnds() throws IOException {
    assertThat(
            read(sign(
                    entities(
                        "ID=\"_r\" validUntil=\"2026-06-08T12:00:00Z\"",
                        weakened(TestIdp.of("https://weak.org", "weak.org").metadata())
                            + entity("as-long.org", "2026-06-08T12:00:00Z")
                            + entity("later.org", "2026-06-05T12:00:00Z")
                            + entity("soon.org", "2026-06-02T12:00:00Z")),
                    SIGNER))
                .told())
        .containsExactly(
            "4 identity providers, 1 of them sign by RSA of less than 2048 bits, which can be"
                + " forged, 2 of them end before the whole, the first at 2026-06-02T12:00:00Z, 0"
                + " other entities, 0 that are not used; valid until 2026-06-08T12:00:00Z");
  }

  @Test
  void providerThatIsNamedIsToldWithWhatIsWeakInIt() throws IOException {
    var self =
        new ServiceProvider(
            new SamlSettings(
                URI.create("https://slcs.example.org"),
                folder,
                TestIdp.credential(),
                false,
                SamlSettings.Encryption.GCM,
                List.of(),
                null,
                Duration.ofHours(1),
                null,
                Duration.ofMinutes(1),
                Duration.ofMinutes(10),
                null,
                List.of(),
                100,
                new SessionSettings(
                    URI.create("https://slcs.example.org"),
                    Duration.ofMinutes(30),
                    Duration.ofHours(8),
                    Duration.ofSeconds(1),
                    true)));
    var named =
        new SamlSettings.NamedProvider(
            "campus", null, "", null, List.of(), SamlSettings.Encryption.GCM);
    Path file = folder.resolve("campus.xml");

    Files.writeString(file, weakened(new TestIdp("https://weak.org", "").metadata()));
    assertThat(MetadataFile.read(named, file, self).faults())
        .containsExactly(
            "it has no scope, so that nobody of it can log in: say which by scopes",
            "it signs by RSA of 1024 bits, which can be forged");
    Files.writeString(file, TestIdp.of("https://good.org", "good.org").metadata());
    assertThat(MetadataFile.read(named, file, self).faults()).isEmpty();
  }

  @Test
  void marksThatTurnTextAroundDoNotReachThePage() throws IOException {
    var loaded =
        read(
            sign(
                entities(
                    "ID=\"_r\"",
                    TestIdp.of("https://turned.org", "turned.org")
                        .metadata()
                        .replace("University at", "\u202eytisrevinU\u202c \u2066at\u200b")),
                SIGNER));

    assertThat(loaded.value().named("turned.org").orElseThrow().displayName())
        .isEqualTo("ytisrevinU at https://turned.org");
  }

  @Test
  void groupThatIsOverTakesItsOwnEntitiesWithItAndNoOthers() throws IOException {
    var loaded =
        read(
            sign(
                entities(
                    "ID=\"_r\"",
                    entities(
                            "validUntil=\"2026-05-31T12:00:00Z\"",
                            entities("", entity("in-over.org", "2030-01-01T00:00:00Z")))
                        + entities(
                            "validUntil=\"never\"", entity("in-never.org", "2030-01-01T00:00:00Z"))
                        + entities(
                            "validUntil=\"2026-06-02T12:00:00Z\"",
                            entity("in-good.org", "2030-01-01T00:00:00Z"))
                        + TestIdp.of("https://beside.org", "beside.org").metadata()),
                SIGNER));

    assertThat(loaded.validUntil()).isNull();
    assertThat(loaded.value().entries())
        .extracting(Aggregate.Entry::name, Aggregate.Entry::validUntil)
        .containsExactly(
            tuple("in-good.org", Instant.parse("2026-06-02T12:00:00Z")), tuple("beside.org", null));
    assertThat(loaded.faults())
        .containsExactly(
            "https://in-over.org (its group was valid until 2026-05-31T12:00:00Z)",
            "https://in-never.org (its group is valid until no time)");
  }

  @Test
  void unsignedAggregateIsRefused() {
    assertThatThrownBy(() -> read(aggregate("")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no signature of the whole");
  }

  @Test
  void changedAggregateIsRefused() {
    assertThatThrownBy(() -> read(signed.replace(">north.example.org<", ">evil.example.org<")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it was changed");
  }

  @Test
  void aggregateSignedBySomebodyElseIsRefused() {
    assertThatThrownBy(() -> read(sign(aggregate(""), TestIdp.credential())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("of another key");
  }

  @Test
  void aggregateSignedBySomebodyElseWhoShowsHisCertificateIsRefused() throws Exception {
    Credential other = TestIdp.credential();
    Document document = TestIdp.parse(sign(aggregate(""), other));
    Element signature =
        (Element) document.getElementsByTagNameNS(SamlNamespaces.DS, "Signature").item(0);
    Element info = document.createElementNS(SamlNamespaces.DS, "ds:KeyInfo");
    Element data = document.createElementNS(SamlNamespaces.DS, "ds:X509Data");
    Element certificate = document.createElementNS(SamlNamespaces.DS, "ds:X509Certificate");
    certificate.setTextContent(
        java.util.Base64.getEncoder().encodeToString(other.certificate().getEncoded()));
    data.appendChild(certificate);
    info.appendChild(data);
    signature.appendChild(info);

    assertThatThrownBy(() -> read(TestIdp.text(document)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("of another key");
  }

  @Test
  void signedAggregateInsideAnUnsignedOneIsRefused() {
    assertThatThrownBy(
            () ->
                read(
                    "<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\""
                        + " ID=\"_evil\">"
                        + TestIdp.of("https://evil.example.org", "evil.org").metadata()
                        + signed
                        + "</md:EntitiesDescriptor>"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void signatureOfOneEntityIsNoSignatureOfTheWhole() {
    Document document = TestIdp.parse(aggregate(""));
    Element entity =
        (Element)
            document.getElementsByTagNameNS(SamlNamespaces.METADATA, "EntityDescriptor").item(0);
    entity.setAttribute("ID", "_one");
    TestIdp.sign(entity, SIGNER.key(), TestIdp.RSA_SHA256, TestIdp.SHA256);

    assertThatThrownBy(() -> read(TestIdp.text(document)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no signature of the whole");
  }

  @Test
  void documentTypeInAggregateIsRefused() {
    assertThatThrownBy(
            () -> read("<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" + signed))
        .isInstanceOf(IOException.class);
  }

  @Test
  void thousandsOfEntitiesAreReadWithoutHoldingTheDocument() throws IOException {
    Path file = folder.resolve("many.xml");
    String one = TestIdp.of("https://idp.NUMBER.example.org", "NUMBER.example.org").metadata();
    // Logos inside metadata make aggregates large.
    String logo =
        "<md:Extensions><x:y xmlns:x=\"urn:x\">" + "A".repeat(20_000) + "</x:y></md:Extensions>";
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write(
          "<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" ID=\"_m\">");
      for (int i = 0; i < MANY; i++) {
        out.write(
            one.replace("NUMBER", "n" + i)
                .replace("<md:IDPSSODescriptor", logo + "<md:IDPSSODescriptor"));
      }
      out.write("</md:EntitiesDescriptor>");
    }
    assertThat(Files.size(file)).isGreaterThan(80L << 20);

    Aggregate aggregate = Aggregate.read(file, null, Set.of(), NOW).value();

    assertThat(aggregate.entries()).hasSize(MANY);
    long kept = aggregate.entries().stream().mapToLong(each -> each.metadata().length).sum();
    assertThat(kept).as("bytes kept").isLessThan(16L << 20);
    assertThat(aggregate.named("n7.example.org").orElseThrow().entityId())
        .isEqualTo("https://idp.n7.example.org");
    assertThat(List.copyOf(aggregate.entries())).noneMatch(Aggregate.Entry::hidden);
  }
}
