package dev.staithe.gateway.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Findings.SignedParts;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Reply;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.evidence.EvidenceFolder;
import dev.staithe.wss.evidence.KeptMessage;
import dev.staithe.wss.evidence.Verification;
import dev.staithe.wss.evidence.Verifier;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a gateway keeps of signed messages, and whether it still proves anything later. */
class EvidenceTests {
  private static final String ANSWER =
      "<s:Envelope xmlns:s=\"%s\"><s:Body><paid xmlns=\"urn:pay\"/></s:Body></s:Envelope>";

  @TempDir static Path folder;
  private static RecordingService service;
  private static RunningGateway gateway;
  private static Credential ada;
  private static Holder holder;
  private static ThrowAwayAuthority people;

  @BeforeAll
  static void start() throws IOException {
    service =
        new RecordingService(
            RecordingService.with(
                200, "text/xml;charset=utf-8", ANSWER.formatted(SoapVersion.SOAP_1_1.namespace())));
    people = ThrowAwayAuthority.in(folder.resolve("people"), Clock.systemUTC());
    Credential own =
        people
            .issuer()
            .issueHost(
                new HostCertificateRequest(
                    List.of("gateway"), KeyKind.RSA_2048, Duration.ofDays(1)));
    own.write(folder.resolve("message.pem"), folder.resolve("message-key.pem"));
    RequestedKey key = RequestedKey.make(KeyKind.RSA_2048);
    ada =
        new Credential(
            key.key(),
            List.of(
                people
                    .issuer()
                    .issuePerson(
                        PersonCertificateRequest.of(
                            DistinguishedName.parse("/DC=org/DC=staithe/CN=Ada"),
                            key.publicKey(),
                            Duration.ofHours(1)),
                        CertificateProfile.plain())));
    holder = Holder.of(ada, own.certificate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.message.certificate", folder.resolve("message.pem"));
    settings.put("staithe.message.key", folder.resolve("message-key.pem"));
    settings.put("staithe.message.trust", people.certificateFile());
    settings.put("staithe.evidence.folder", folder.resolve("evidence"));
    settings.putAll(RunningGateway.endpoint(0, "/pay", "x509", service.address()));
    settings.put("staithe.endpoints[0].evidence", true);
    settings.putAll(RunningGateway.endpoint(1, "/dom", "x509", service.address()));
    settings.put("staithe.endpoints[1].evidence", true);
    settings.put("staithe.endpoints[1].engine", "dom");
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
    for (String path : List.of("/pay", "/dom")) {
      pay(path, 42);
    }
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  private static void pay(String path, int amount) {
    var at = URI.create(gateway.url() + path);
    try (SoapCaller caller =
        new SoapCaller(
            at,
            BuiltInPolicies.policy("x509", AlgorithmList.MODERN),
            holder,
            gateway.authority().clientContext(),
            Clock.systemUTC())) {
      caller.call(
          PlainRequest.of(
              SoapVersion.SOAP_1_1,
              "urn:pay",
              at.toString(),
              "<p:pay xmlns:p=\"urn:pay\">" + amount + "</p:pay>"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static EvidenceFolder kept() {
    return new EvidenceFolder(folder.resolve("evidence"));
  }

  private static List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (Path log : kept().logs()) {
      for (String line : Files.readAllLines(log)) {
        lines.add(JsonMapper.shared().readTree(line));
      }
    }
    return lines;
  }

  private static KeptMessage message(JsonNode line) throws IOException {
    return kept()
        .message(
            line.path("file").asString(),
            line.path("offset").asLong(),
            line.path("length").asInt(),
            line.path("sha256").asString());
  }

  private static KeptMessage message() throws IOException {
    return message(lines().getFirst());
  }

  @Test
  void messageOfEitherEngineIsVerifiedFromTheFolderAlone() throws IOException {
    assertThat(lines()).hasSize(2);
    for (JsonNode line : lines()) {
      KeptMessage message = message(line);
      assertThat(Verifier.verify(message, kept().trust(message)))
          .isEqualTo(new Verification.Valid("/DC=org/DC=staithe/CN=Ada"));
      assertThat(line.path("subject").asString()).isEqualTo("/DC=org/DC=staithe/CN=Ada");
      assertThat(line.path("operation").asString()).isEqualTo("{urn:pay}pay");
      assertThat(new String(kept().policy(message), StandardCharsets.UTF_8))
          .contains("AsymmetricBinding");
    }
  }

  @Test
  void bodyIsKeptAsItWasSigned() throws IOException {
    assertThat(
            message().signature().references().stream()
                .filter(each -> each.part().equals("Body"))
                .map(each -> new String(each.octets(), StandardCharsets.UTF_8)))
        .singleElement()
        .asString()
        .contains("<p:pay xmlns:p=\"urn:pay\">42</p:pay>");
  }

  @Test
  void changedPartIsNotWhatWasSigned() throws IOException {
    KeptMessage message = message();
    SignedParts signed = message.signature();
    List<Findings.Reference> other =
        signed.references().stream()
            .map(
                each ->
                    each.part().equals("Body")
                        ? new Findings.Reference(
                            each.uri(),
                            each.part(),
                            new String(each.octets(), StandardCharsets.UTF_8)
                                .replace("42", "43")
                                .getBytes(StandardCharsets.UTF_8))
                        : each)
            .toList();

    assertThat(
            verify(
                message,
                new SignedParts(
                    signed.algorithm(),
                    signed.signedInfo(),
                    signed.value(),
                    other,
                    signed.chain())))
        .isInstanceOfSatisfying(
            Verification.Invalid.class, it -> assertThat(it.line()).contains("Body"));
  }

  @Test
  void leftOutPartIsMissed() throws IOException {
    KeptMessage message = message();
    SignedParts signed = message.signature();

    assertThat(
            verify(
                message,
                new SignedParts(
                    signed.algorithm(),
                    signed.signedInfo(),
                    signed.value(),
                    signed.references().subList(0, 1),
                    signed.chain())))
        .isInstanceOf(Verification.Invalid.class);
  }

  @Test
  void otherSignatureDoesNotFit() throws IOException {
    KeptMessage message = message();
    SignedParts signed = message.signature();
    byte[] value = signed.value().clone();
    value[7] ^= 1;

    assertThat(
            verify(
                message,
                new SignedParts(
                    signed.algorithm(),
                    signed.signedInfo(),
                    value,
                    signed.references(),
                    signed.chain())))
        .isEqualTo(new Verification.Invalid("the signature does not fit"));
  }

  /** White space within SignedInfo is signed, and may be long: a signer must not get away by it. */
  @Test
  void messageWithALongSignedInfoIsStillVerified() throws Exception {
    byte[] part = "<x></x>".getBytes(StandardCharsets.UTF_8);
    String ds = " xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"";
    String signedInfo =
        "<ds:SignedInfo"
            + ds
            + ">"
            + " ".repeat(3 << 20)
            + "<ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256\">"
            + "</ds:SignatureMethod><ds:Reference URI=\"#x\"><ds:DigestMethod"
            + " Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"></ds:DigestMethod>"
            + "<ds:DigestValue>"
            + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(part))
            + "</ds:DigestValue></ds:Reference></ds:SignedInfo>";
    byte[] octets = signedInfo.getBytes(StandardCharsets.UTF_8);
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(ada.key());
    signature.update(octets);

    assertThat(
            verify(
                message(),
                new SignedParts(
                    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                    octets,
                    signature.sign(),
                    List.of(new Findings.Reference("#x", "x", part)),
                    ada.chain())))
        .isInstanceOf(Verification.Valid.class);
  }

  @Test
  void signerOfNobodysAuthorityIsNotBelieved() throws IOException {
    var strangers = ThrowAwayAuthority.in(folder.resolve("strangers"), Clock.systemUTC());

    assertThat(
            Verifier.verify(message(), TrustAnchors.of(List.of(strangers.issuer().certificate()))))
        .isInstanceOf(Verification.Invalid.class);
  }

  private static Verification verify(KeptMessage message, SignedParts other) throws IOException {
    return Verifier.verify(
        new KeptMessage(
            message.at(),
            message.endpoint(),
            other,
            message.authorities(),
            message.revocations(),
            message.policy()),
        kept().trust(message));
  }

  private static Opening.Opened opened() throws IOException {
    var findings =
        new Findings(
            "stream",
            List.of(),
            List.of(),
            List.of(),
            null,
            null,
            List.of(),
            message().signature());
    return new Opening.Opened(
        new PlainMessage(
            SoapVersion.SOAP_1_1,
            List.of(),
            new byte[0],
            Map.of(),
            null,
            PlainMessage.Addressing.NONE),
        new Caller.Anonymous(),
        new Reply(SoapVersion.SOAP_1_1, new Reply.Keys.None(), List.of(), null),
        findings);
  }

  /** As for want of a descriptor just after midnight. */
  @Test
  void messagesAreKeptAgainOnceTheFileOfTheDayCanBeOpened() throws Exception {
    Path own = folder.resolve("midnight");
    byte[] policy = {'<', 'p', '/', '>'};
    Opening.Opened opened = opened();
    MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T23:59:59Z"));
    Path next = own.resolve("messages-2026-11-22.bin");
    try (var evidence = new Evidence(own, () -> null, clock)) {
      evidence.keep("/pay", policy, opened);
      clock.advance(Duration.ofSeconds(2));
      Files.createDirectory(next);
      assertThatThrownBy(() -> evidence.keep("/pay", policy, opened))
          .isInstanceOf(UncheckedIOException.class);
      Files.delete(next);

      evidence.keep("/pay", policy, opened);
    }
    assertThat(next).isNotEmptyFile();
  }

  private static long bytesOfMessages(Path kept) throws IOException {
    try (Stream<Path> files = Files.list(kept)) {
      return files
          .filter(each -> each.getFileName().toString().startsWith("messages-"))
          .mapToLong(each -> each.toFile().length())
          .sum();
    }
  }

  /** The system tells once of pages that it could not write, and then takes them for written. */
  @Test
  void diskThatFailedOnceKeepsNothingUntilTheNextStart() throws Exception {
    Path own = folder.resolve("failing");
    byte[] policy = {'<', 'p', '/', '>'};
    Opening.Opened opened = opened();
    var fails = new AtomicBoolean(true);
    Evidence.Disk disk =
        channel -> {
          if (fails.get()) {
            throw new IOException("Input/output error");
          }
          channel.force(false);
        };
    try (var evidence = new Evidence(own, () -> null, Clock.systemUTC(), disk)) {
      assertThatThrownBy(() -> evidence.keep("/pay", policy, opened))
          .isInstanceOf(UncheckedIOException.class);
      fails.set(false);
      long written = bytesOfMessages(own);
      assertThatThrownBy(() -> evidence.keep("/pay", policy, opened))
          .isInstanceOf(UncheckedIOException.class);
      assertThat(bytesOfMessages(own)).isEqualTo(written);
      assertThat(evidence.trouble()).contains("start the gateway again");
    }
    try (var evidence = new Evidence(own, () -> null, Clock.systemUTC(), disk)) {
      evidence.keep("/pay", policy, opened);
      assertThat(evidence.trouble()).isNull();
    }
  }

  @Test
  void listsThatManyMessagesShareAreWrittenOutOnce() throws Exception {
    byte[] policy = {'<', 'p', '/', '>'};
    Opening.Opened opened = opened();
    var list = new CountedList();
    var anchors = new TrustAnchors(Set.of(people.issuer().certificate()), List.of(list), List.of());
    try (var evidence = new Evidence(folder.resolve("lists"), () -> anchors, Clock.systemUTC())) {
      evidence.keep("/pay", policy, opened);
      evidence.keep("/pay", policy, opened);
    }
    assertThat(list.written).hasValue(1);
  }

  /** The gateway may end at any moment: what a line names is there before the message goes on. */
  @Test
  void policyThatTwoMessagesBringAtTheSameTimeIsThereBeforeEitherGoesOn() throws Exception {
    Path own = folder.resolve("together");
    byte[] policy = new byte[16 << 20];
    Path object =
        own.resolve(EvidenceFolder.OBJECTS).resolve(EvidenceFolder.sha256(policy) + ".xml");
    Opening.Opened opened = opened();
    try (var evidence = new Evidence(own, () -> null, Clock.systemUTC());
        var threads = Executors.newFixedThreadPool(2)) {
      Callable<Boolean> keeping =
          () -> {
            evidence.keep("/pay", policy, opened);
            return Files.exists(object);
          };
      for (Future<Boolean> each : threads.invokeAll(List.of(keeping, keeping))) {
        assertThat(each.get()).isTrue();
      }
    }
  }

  @Test
  void octetChangedInTheFileIsFound() throws IOException {
    JsonNode line = lines().getFirst();

    assertThatThrownBy(
            () ->
                kept()
                    .message(
                        line.path("file").asString(),
                        line.path("offset").asLong() + 1,
                        line.path("length").asInt(),
                        line.path("sha256").asString()))
        .hasMessageContaining("changed");
  }
}
