package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.engine.BothEngines;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
  @TempDir private static Path folder;
  private static RecordingService service;
  private static RunningGateway gateway;
  private static Holder holder;

  @BeforeAll
  static void start() throws IOException {
    service = MessageSite.service();
    MessageSite site = MessageSite.in(folder);
    holder = site.holder();
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
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
      settings.put("staithe.endpoints[" + number + "].caller-header", "X-Caller");
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
          if (engine != EndpointProperties.Choice.BOTH
              || BothEngines.know(BuiltInPolicies.policy(policy, algorithms))) {
            all.add(Arguments.of(policy, algorithms, engine));
          }
        }
      }
    }
    return all.stream();
  }

  /** Of whom the service reads; null where nobody in particular calls. */
  private static @Nullable List<String> told(String policy) {
    return switch (policy) {
      case "x509", "conversation" -> List.of("/DC=org/DC=staithe/CN=Ada");
      case "username", "transport-username", "conversation-username" -> List.of("ada");
      default -> null;
    };
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
      SoapResponse heard =
          caller.call(
              PlainRequest.of(
                  SoapVersion.SOAP_1_1,
                  "urn:t:say",
                  at.toString(),
                  "<say xmlns=\"urn:t\">" + policy + "</say>"));

      assertThat(heard)
          .withFailMessage(() -> heard + "\n" + gateway.audit())
          .isInstanceOfSatisfying(
              SoapResponse.Message.class, answer -> assertThat(answer.payload()).contains("heard"));
      assertThat(service.seen().getLast().body())
          .contains(">" + policy + "</")
          .doesNotContain("wss-wssecurity-secext");
      assertThat(service.seen().getLast().headers().get("X-caller")).isEqualTo(told(policy));
    }
  }
}
