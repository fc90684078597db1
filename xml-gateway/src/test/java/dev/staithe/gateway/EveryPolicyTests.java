package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.route.RecordingService;
import dev.staithe.pki.CertificateProfile;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.HostCertificateRequest;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.PersonCertificateRequest;
import dev.staithe.pki.RequestedKey;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.wss.client.Heard;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every built-in policy, in both forms and by both engines, from a client to a plain service. */
final class EveryPolicyTests {
  private static final List<String> POLICIES =
      BuiltInPolicies.NAMES.stream().filter(name -> !name.equals("conversation-bearer")).toList();
  private static final String ANSWER =
      "<s:Envelope xmlns:s=\"%s\"><s:Body><answer xmlns=\"urn:t\">heard</answer></s:Body></s:Envelope>";

  @TempDir private static Path folder;
  private static RecordingService service;
  private static RunningGateway gateway;
  private static Holder holder;

  @BeforeAll
  static void start() throws IOException {
    service =
        new RecordingService(
            RecordingService.with(
                200, "text/xml;charset=utf-8", ANSWER.formatted(SoapVersion.SOAP_1_1.namespace())));
    ThrowAwayAuthority people = ThrowAwayAuthority.in(folder.resolve("people"), Clock.systemUTC());
    Credential own =
        people
            .issuer()
            .issueHost(
                new HostCertificateRequest(
                    List.of("gateway"), KeyKind.RSA_2048, Duration.ofDays(1)));
    own.write(folder.resolve("message.pem"), folder.resolve("message-key.pem"));
    RequestedKey key = RequestedKey.make(KeyKind.RSA_2048);
    Credential ada =
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
    Path users = folder.resolve("users");
    Files.createFile(
        users, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(users, "ada:correct horse\n");
    holder =
        new Holder(
            ada, own.certificate(), "ada", "correct horse".getBytes(StandardCharsets.UTF_8), null);
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.message.certificate", folder.resolve("message.pem"));
    settings.put("staithe.message.key", folder.resolve("message-key.pem"));
    settings.put("staithe.message.trust", people.certificateFile());
    settings.put("staithe.users.file", users);
    int number = 0;
    for (Arguments each : forms().toList()) {
      String policy = (String) each.get()[0];
      Object algorithms = each.get()[1];
      Object engine = each.get()[2];
      settings.putAll(
          RunningGateway.endpoint(
              number, path(policy, algorithms, engine), policy, service.address()));
      settings.put("staithe.endpoints[" + number + "].algorithms", algorithms);
      settings.put("staithe.endpoints[" + number + "].engine", engine);
      number++;
    }
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  private static String path(String policy, Object algorithms, Object engine) {
    return "/" + policy + "/" + algorithms + "/" + engine;
  }

  static Stream<Arguments> forms() {
    List<Arguments> all = new ArrayList<>();
    for (String policy : POLICIES) {
      for (AlgorithmList algorithms : AlgorithmList.values()) {
        for (EndpointProperties.Choice engine : EndpointProperties.Choice.values()) {
          all.add(Arguments.of(policy, algorithms, engine));
        }
      }
    }
    return all.stream();
  }

  private static SoapCaller caller(URI at, String policy, AlgorithmList algorithms)
      throws IOException {
    EndpointPolicy read = BuiltInPolicies.policy(policy, algorithms);
    return new SoapCaller(at, read, holder, gateway.authority().clientContext(), Clock.systemUTC());
  }

  @ParameterizedTest
  @MethodSource("forms")
  void callGoesThroughAndIsPlainBehind(
      String policy, AlgorithmList algorithms, EndpointProperties.Choice engine)
      throws IOException {
    URI at = URI.create(gateway.url() + path(policy, algorithms, engine));
    try (SoapCaller caller = caller(at, policy, algorithms)) {
      Heard heard =
          caller.call(
              PlainRequest.of(
                  SoapVersion.SOAP_1_1,
                  "urn:t:say",
                  at.toString(),
                  "<say xmlns=\"urn:t\">" + policy + "</say>"));

      assertThat(heard)
          .withFailMessage(() -> heard + "\n" + gateway.audit())
          .isInstanceOfSatisfying(
              Heard.Answer.class, answer -> assertThat(answer.payload()).contains("heard"));
      assertThat(service.seen().getLast().body())
          .contains(">" + policy + "</")
          .doesNotContain("wss-wssecurity-secext");
    }
  }
}
