package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.testkit.Eventually;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that finds its operations by SOAPAction alone, behind keys that do not cover HTTP. */
final class ActionOfTheServiceTests {
  private static final List<String> ENDPOINTS =
      List.of("/x509-auto", "/x509-dom", "/conversation-auto", "/conversation-dom");
  private static final String PLAIN =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
          + "<say xmlns=\"urn:t\">hello</say></s:Body></s:Envelope>";

  @TempDir private static Path folder;
  private static RecordingService service;
  private static RunningGateway gateway;
  private static MessageSite site;

  @BeforeAll
  static void start() throws IOException {
    service =
        new RecordingService(ActionOfTheServiceTests::dispatch)
            .describedBy(
                description(
                    Map.of(
                        "say", "urn:t:say",
                        "delete", "urn:t:delete",
                        "nothing", "",
                        "first:shared", "urn:t:first",
                        "second:shared", "urn:t:second")));
    site = MessageSite.in(folder);
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    int number = 0;
    for (String each : ENDPOINTS) {
      String policy = each.substring(1, each.indexOf('-'));
      settings.putAll(RunningGateway.endpoint(number, each, policy, service.address()));
      settings.put(
          "staithe.endpoints[" + number++ + "].engine", each.substring(each.indexOf('-') + 1));
    }
    settings.putAll(RunningGateway.endpoint(number++, "/none", "none", service.address()));
    Path switched =
        Files.write(
            folder.resolve("switched.xml"), BuiltInPolicies.document("none", AlgorithmList.MODERN));
    settings.putAll(
        RunningGateway.endpoint(number, "/switched", switched.toString(), service.address()));
    settings.put("staithe.tls.check-interval", "1s");
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  /** Document/literal; {@code operation:element} where these have not one name. */
  private static String description(Map<String, String> actions) {
    var messages = new StringBuilder();
    var operations = new StringBuilder();
    var bound = new StringBuilder();
    actions.forEach(
        (names, action) -> {
          String name = names.substring(0, Math.max(0, names.indexOf(':')));
          String element = names.substring(names.indexOf(':') + 1);
          name = name.isEmpty() ? element : name;
          messages.append(
              "<message name=\"%s\"><part name=\"p\" element=\"t:%s\"/></message>"
                  .formatted(name, element));
          operations.append(
              "<operation name=\"%1$s\"><input message=\"t:%1$s\"/></operation>".formatted(name));
          bound.append(
              "<operation name=\"%s\"><x:operation soapAction=\"%s\"/><input><x:body/></input></operation>"
                  .formatted(name, action));
        });
    String binding = "<binding name=\"B%s\" type=\"t:P\" xmlns:x=\"%s\"><x:binding/>%s</binding>";
    return "<definitions xmlns=\"http://schemas.xmlsoap.org/wsdl/\" xmlns:t=\"urn:t\" targetNamespace=\"urn:t\">"
        + messages
        + "<portType name=\"P\">"
        + operations
        + "</portType>"
        + binding.formatted("11", "http://schemas.xmlsoap.org/wsdl/soap/", bound)
        + binding.formatted("12", "http://schemas.xmlsoap.org/wsdl/soap12/", bound)
        + "</definitions>";
  }

  private static void dispatch(HttpExchange exchange) throws IOException {
    String action = exchange.getRequestHeaders().getFirst("SOAPAction");
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    boolean newer = type.startsWith("application/soap+xml");
    String done =
        newer ? type.replaceFirst(".*action=\"([^\"]*)\".*", "$1") : action.replace("\"", "");
    String content =
        done.startsWith("urn:t:")
            ? "<done xmlns=\"urn:t\">" + done + "</done>"
            : "<s:Fault><faultcode>s:Client</faultcode><faultstring>no action</faultstring></s:Fault>";
    RecordingService.with(
            done.startsWith("urn:t:") ? 200 : 500,
            newer ? "application/soap+xml" : "text/xml",
            "<s:Envelope xmlns:s=\""
                + (newer ? SoapVersion.SOAP_1_2 : SoapVersion.SOAP_1_1).namespace()
                + "\"><s:Body>"
                + content
                + "</s:Body></s:Envelope>")
        .answer(exchange);
  }

  static Stream<String> endpoints() {
    return ENDPOINTS.stream();
  }

  static Stream<Arguments> endpointsAndVersions() {
    List<Arguments> all = new ArrayList<>();
    for (String each : ENDPOINTS) {
      for (SoapVersion version : SoapVersion.values()) {
        all.add(Arguments.of(each, version));
      }
    }
    return all.stream();
  }

  private static SoapCaller caller(String path) throws IOException {
    return new SoapCaller(
        URI.create(gateway.url() + path),
        policy(path),
        site.holder(),
        gateway.authority().clientContext(),
        Clock.systemUTC());
  }

  private static EndpointPolicy policy(String path) {
    String name = path.equals("/switched") ? "x509" : path.substring(1, path.indexOf('-'));
    return BuiltInPolicies.policy(name, AlgorithmList.MODERN);
  }

  private static PlainRequest request(
      String path, SoapVersion version, String action, String element) throws IOException {
    return PlainRequest.of(
        version,
        action,
        gateway.url() + path,
        "<" + element + " xmlns=\"urn:t\">1</" + element + ">");
  }

  /** Sends a message whose HTTP says of its action what nobody signed. */
  private static HttpResponse<String> send(
      String path, SoapVersion version, String signed, String element, @Nullable String unsigned)
      throws IOException {
    try (SoapCaller caller = caller(path)) {
      SecurityContext context = path.startsWith("/conversation") ? caller.context(version) : null;
      String envelope =
          new String(
              new Initiator(policy(path), site.holder(), context, Clock.systemUTC())
                  .secure(request(path, version, signed, element))
                  .envelope(),
              StandardCharsets.UTF_8);
      if (version == SoapVersion.SOAP_1_2) {
        return gateway.send(
            path,
            "application/soap+xml" + (unsigned == null ? "" : ";action=\"" + unsigned + '"'),
            envelope);
      }
      return unsigned == null
          ? gateway.post(path, envelope)
          : gateway.post(path, envelope, "SOAPAction", '"' + unsigned + '"');
    }
  }

  private static String seenAction(SoapVersion version) {
    RecordingService.Seen seen = service.seen().getLast();
    return version == SoapVersion.SOAP_1_2
        ? seen.header("Content-type").replaceFirst("[^;]*;?", "")
        : seen.header("Soapaction");
  }

  private static String named(SoapVersion version, String action) {
    if (version == SoapVersion.SOAP_1_1) {
      return '"' + action + '"';
    }
    return action.isEmpty() ? "" : "action=\"" + action + '"';
  }

  @ParameterizedTest
  @MethodSource("endpointsAndVersions")
  void serviceGetsTheActionThatItsDescriptionHasForTheSignedBody(String path, SoapVersion version)
      throws IOException {
    try (SoapCaller caller = caller(path)) {
      for (String each : List.of("say", "delete")) {
        SoapResponse heard = caller.call(request(path, version, "", each));

        assertThat(heard)
            .withFailMessage(() -> heard + "\n" + gateway.audit())
            .isInstanceOfSatisfying(
                SoapResponse.Message.class,
                answer -> assertThat(answer.payload()).contains("urn:t:" + each));
        assertThat(seenAction(version)).endsWith(named(version, "urn:t:" + each));
      }
    }
  }

  /** The signature says what is to be done; whoever stands between says something else. */
  @ParameterizedTest
  @MethodSource("endpointsAndVersions")
  void actionSpoofingWhereTheMessageHasNoActionOfItsOwn(String path, SoapVersion version)
      throws IOException {
    int seen = service.seen().size();

    HttpResponse<String> answer = send(path, version, "", "say", "urn:t:delete");

    assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
    assertThat(service.seen()).hasSize(seen);
    assertThat(gateway.audited(answer)).contains("\"outcome\":\"action\"");
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void actionOfHttpThatFitsTheBodyIsNoTrouble(String path) throws IOException {
    assertThat(send(path, SoapVersion.SOAP_1_1, "", "say", "urn:t:say").statusCode())
        .as(gateway.audit())
        .isEqualTo(200);
    assertThat(seenAction(SoapVersion.SOAP_1_1)).isEqualTo("\"urn:t:say\"");
  }

  /** Whoever stands between would choose among the operations with the same signed body. */
  @ParameterizedTest
  @MethodSource("endpointsAndVersions")
  void actionSpoofingWhereTwoOperationsShareABody(String path, SoapVersion version)
      throws IOException {
    send(path, version, "", "shared", "urn:t:second");

    assertThat(service.seen().getLast().body()).contains("shared");
    assertThat(seenAction(version)).doesNotContain("urn:t:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "unknown"})
  void actionSpoofingWhereTheDescriptionSaysNothing(String element) throws IOException {
    send("/x509-auto", SoapVersion.SOAP_1_1, "", element, "urn:t:delete");

    assertThat(service.seen().getLast().body()).contains("<" + element);
    assertThat(seenAction(SoapVersion.SOAP_1_1)).isEqualTo("\"\"");
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void signedActionGoesOnWhateverTheDescriptionSays(String path) throws IOException {
    for (String each : List.of("say", "shared", "unknown")) {
      HttpResponse<String> answer =
          send(path, SoapVersion.SOAP_1_1, "urn:t:second", each, "urn:t:second");

      assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
      assertThat(seenAction(SoapVersion.SOAP_1_1)).isEqualTo("\"urn:t:second\"");
    }
  }

  @Test
  void actionOfHttpGoesOnWhereNothingProtectsMessages() {
    HttpResponse<String> answer = gateway.post("/none", PLAIN, "SOAPAction", "\"urn:t:delete\"");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(seenAction(SoapVersion.SOAP_1_1)).isEqualTo("\"urn:t:delete\"");
  }

  @Test
  void actionFollowsThePolicyThatIsSwitchedTo() throws IOException {
    gateway.post("/switched", PLAIN, "SOAPAction", "\"urn:t:second\"");
    assertThat(seenAction(SoapVersion.SOAP_1_1)).isEqualTo("\"urn:t:second\"");

    Files.write(
        folder.resolve("switched.xml"), BuiltInPolicies.document("x509", AlgorithmList.MODERN));
    Eventually.holds(
        "the new policy is told",
        () -> gateway.get("/switched?policy").body().contains("AsymmetricBinding"));

    assertThat(send("/switched", SoapVersion.SOAP_1_1, "", "say", null).statusCode())
        .as(gateway.audit())
        .isEqualTo(200);
    assertThat(seenAction(SoapVersion.SOAP_1_1)).isEqualTo("\"urn:t:say\"");
  }
}
