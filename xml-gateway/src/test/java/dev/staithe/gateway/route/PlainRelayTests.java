package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.mime.XopPackage;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Namespaces;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the gateway does with messages that nothing protects, and with services that fail. */
final class PlainRelayTests {
  private static final String ANSWER =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><ok/></s:Body></s:Envelope>";
  private static final String ASK =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><do xmlns=\"urn:t\"/></s:Body></s:Envelope>";
  private static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
  private static final String ASK_12 = ASK.replace(SOAP_11, SOAP_12);

  @TempDir private static Path folder;
  private static RecordingService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() {
    service = new RecordingService(RecordingService.with(200, "text/xml;charset=utf-8", ANSWER));
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.putAll(RunningGateway.endpoint(0, "/plain", "none", service.address()));
    settings.put("staithe.endpoints[0].message-size", "64KB");
    settings.putAll(
        RunningGateway.endpoint(1, "/down", "none", URI.create("http://127.0.0.1:1/service")));
    settings.putAll(RunningGateway.endpoint(2, "/only-ada", "none", service.address()));
    settings.put("staithe.endpoints[2].callers[0]", "/DC=org/CN=Ada");
    settings.putAll(RunningGateway.endpoint(3, "/tls", "transport", service.address()));
    settings.putAll(RunningGateway.endpoint(4, "/hasty", "none", service.address()));
    settings.put("staithe.endpoints[4].timeout", "500ms");
    gateway = RunningGateway.start(folder, settings);
  }

  @BeforeEach
  void usual() {
    service.answerAs(RecordingService.with(200, "text/xml;charset=utf-8", ANSWER));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  private static RecordingService.Seen last() {
    return service.seen().getLast();
  }

  @Test
  void messageAndActionPassAsTheyAreAndTheAnswerComesBack() {
    HttpResponse<String> answer =
        gateway.post("/plain", ASK, "SOAPAction", "\"urn:t:do\"", "X-Request-Id", "request-7");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(ANSWER);
    assertThat(answer.headers().firstValue("X-Request-Id")).hasValue("request-7");
    assertThat(last().body()).isEqualTo(ASK);
    assertThat(last().header("Soapaction")).isEqualTo("\"urn:t:do\"");
    assertThat(last().header("X-request-id")).isEqualTo("request-7");
  }

  @Test
  void soap12KeepsItsMediaTypeAndAction() {
    service.answerAs(
        RecordingService.with(200, "application/soap+xml", ANSWER.replace(SOAP_11, SOAP_12)));

    HttpResponse<String> answer =
        gateway.send("/plain", "application/soap+xml;action=\"urn:t:do\"", ASK_12);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(last().header("Content-type")).isEqualTo("application/soap+xml;action=\"urn:t:do\"");
    assertThat(last().headers()).doesNotContainKey("Soapaction");
  }

  @Test
  void mediaTypeThatTheServiceMayReadOtherwiseIsRefused() {
    int before = service.seen().size();
    for (String type :
        new String[] {
          "text/xml;charset=utf-7",
          "text/xml;charset=utf-8;charset=utf-7",
          "application/soap+xml;x;action=\"urn:t:other\"",
          "application/soap+xml;action=\"urn:t:do\";action=\"urn:t:other\""
        }) {
      HttpResponse<String> answer =
          gateway.send("/plain", type, type.startsWith("text") ? ASK : ASK_12);

      assertThat(answer.statusCode()).as(type).isIn(400, 500);
      assertThat(answer.body()).contains("Fault");
      Trials.held();
    }
    assertThat(service.seen()).hasSize(before);
  }

  @Test
  void faultOfTheServicePassesWithItsStatus() {
    service.answerAs(RecordingService.with(500, "text/xml", ANSWER.replace("<ok/>", "<s:Fault/>")));

    HttpResponse<String> answer = gateway.post("/plain", ASK);

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("<s:Fault/>");
  }

  @Test
  void oneWayMessageIsAccepted() {
    service.answerAs(RecordingService.with(202, "text/xml", ""));

    HttpResponse<String> answer = gateway.post("/plain", ASK);

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void serviceThatIsDownIsAFaultWithRetryAfter() {
    HttpResponse<String> answer = gateway.post("/down", ASK);

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(answer.body()).contains("soap:Server").doesNotContain("127.0.0.1");
  }

  @Test
  void serviceThatIsTooSlowIsAFaultOf504() {
    service.answerAs(exchange -> {}); // Never answers.

    HttpResponse<String> answer = gateway.post("/hasty", ASK);

    assertThat(answer.statusCode()).isEqualTo(504);
    assertThat(answer.body()).contains("soap:Server").contains("in time");
  }

  @Test
  void pageOfAnErrorIsNotPassedOn() {
    service.answerAs(RecordingService.with(404, "text/html", "<html>internal name</html>"));

    HttpResponse<String> answer = gateway.post("/plain", ASK);

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).contains("soap:Fault").doesNotContain("internal name");
  }

  /** Whatever the gateway would refuse of a client it does not pass on to one either. */
  @ParameterizedTest
  @ValueSource(strings = {"/plain", "/tls"})
  void answerThatIsNoEnvelopeOfItsSoapIsNotPassedOn(String path) {
    String entities = "<!DOCTYPE s [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>";
    Map<String, String> wrong = new LinkedHashMap<>();
    wrong.put(ANSWER.replace("</s:Body>", ""), "text/xml");
    wrong.put(entities + ANSWER.replace("<ok/>", "<ok>&a;</ok>"), "text/xml");
    wrong.put(entities + ANSWER, "text/xml; charset=utf-8");
    wrong.put("<?xml version=\"1.0\"?><error>internal name</error>", "text/xml");
    wrong.put(ANSWER.replace("<ok/>", "<ok>&#0;</ok>"), "text/xml");
    wrong.put(ANSWER + ANSWER, "text/xml");
    wrong.put(ANSWER.replace("<ok/>", "<o>".repeat(70) + "</o>".repeat(70)), "text/xml");
    wrong.put(ANSWER.replace(SOAP_11, SOAP_12), "text/xml");
    wrong.put(ANSWER, "application/soap+xml");
    wrong.put(ANSWER.replace("<ok/>", "<ok>1</ok>"), "text/xml; charset=utf-7");
    String noRoot = "--b\r\nContent-ID: <other>\r\n\r\n" + ANSWER + "\r\n--b--\r\n";
    wrong.put(noRoot, XopPackage.TYPE);
    for (String each :
        new String[] {entities + ANSWER, ANSWER.replace("<ok/>", "<ok>"), "<internal name=''/>"}) {
      byte[] parts = XopPackage.of(each).with("a", new byte[] {1}).closed();
      wrong.put(new String(parts, StandardCharsets.ISO_8859_1), XopPackage.TYPE);
    }

    wrong.forEach(
        (body, type) -> {
          for (int status : new int[] {200, 500}) {
            service.answerAs(RecordingService.with(status, type, body));

            HttpResponse<String> answer = gateway.post(path, ASK);

            assertThat(answer.statusCode()).as(type + " " + body).isEqualTo(502);
            assertThat(answer.body())
                .contains("<faultcode>soap:Server<", "does not answer as it should")
                .doesNotContain("internal", "DOCTYPE");
            Trials.held();
          }
        });
  }

  @Test
  void answerPassesInItsPartsAndInItsEncoding() {
    String parts =
        new String(
            XopPackage.of("<?xml version='1.0'?><!-- hello -->" + ANSWER)
                .with("a", new byte[] {1, '<', 2})
                .closed(),
            StandardCharsets.ISO_8859_1);
    service.answerAs(RecordingService.with(200, XopPackage.TYPE, parts));
    HttpResponse<String> answer = gateway.post("/plain", ASK);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(parts);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue(XopPackage.TYPE);

    String latin =
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"
            + ANSWER.replace("<ok/>", "<ok>gr\u00fcn</ok>");
    service.answerAs(
        exchange -> {
          byte[] bytes = latin.getBytes(StandardCharsets.ISO_8859_1);
          exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=ISO-8859-1");
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    assertThat(gateway.post("/plain", ASK).body()).isEqualTo(latin);
  }

  @Test
  void messageBeyondTheLimitIsAFaultOf413() {
    String before = "" + service.seen().size();
    HttpResponse<String> answer =
        gateway.post("/plain", ASK.replace("<do", "<!--" + "x".repeat(70_000) + "--><do"));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("soap:Client");
    assertThat("" + service.seen().size()).isEqualTo(before);
  }

  @Test
  void entityBombIsRefusedAndNotForwarded() {
    int before = service.seen().size();
    HttpResponse<String> answer =
        gateway.post(
            "/plain", "<!DOCTYPE s [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;\">]>" + ASK);

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("soap:Client");
    assertThat(service.seen()).hasSize(before);
  }

  @Test
  void actionOfHttpThatIsNotThatOfTheMessageIsRefused() {
    int before = service.seen().size();
    String addressed = addressed("<a:Action>urn:t:read</a:Action>");

    HttpResponse<String> answer =
        gateway.post("/plain", addressed, "SOAPAction", "\"urn:t:delete\"");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("InvalidSecurity");
    assertThat(service.seen()).hasSize(before);
    assertThat(gateway.audited(answer)).contains("\"outcome\":\"action\"");
  }

  /** The service may give out contexts of its own where the gateway has none. */
  @Test
  void requestForAContextOfTheServiceIsPassedOn() {
    String message = addressed("<a:Action>" + Namespaces.TRUST_13 + "/RST/SCT</a:Action>");

    HttpResponse<String> answer = gateway.post("/plain", message);

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(last().body()).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ReplyTo", "FaultTo"})
  void answerThatIsWantedSomewhereElseIsRefused(String name) {
    int before = service.seen().size();
    String addressed =
        addressed("<a:NAME><a:Address>http://attacker.example/</a:Address></a:NAME>")
            .replace("NAME", name);
    String before2005 =
        addressed.replace(
            "http://www.w3.org/2005/08/addressing",
            "http://schemas.xmlsoap.org/ws/2004/08/addressing");
    String mixed =
        addressed.replace(
            "</s:Header>",
            "<o:MessageID xmlns:o=\"http://schemas.xmlsoap.org/ws/2004/08/addressing\">urn:1"
                + "</o:MessageID></s:Header>");

    for (String each : List.of(addressed, before2005, mixed)) {
      assertThat(gateway.post("/plain", each).statusCode()).as(each).isEqualTo(500);
      Trials.held();
    }
    assertThat(service.seen()).hasSize(before);
  }

  /** The message says that it is for the beginning of its own remark, which hides the address. */
  @Test
  void answerIsNotWantedSomewhereElseByWhatARemarkHides() {
    String message =
        addressed(
            "<a:To>&lt;!--x</a:To><!--x <a:ReplyTo><a:Address>http://attacker.example/</a:Address>"
                + "</a:ReplyTo> -->");

    gateway.post("/plain", message);

    assertThat(last().body()).isEqualTo(message);
  }

  @Test
  void addressesAreRewrittenToTheServicesAndBack() {
    service.answerAs(
        RecordingService.with(
            200,
            "text/xml",
            addressed("<a:From><a:Address>" + service.address() + "</a:Address></a:From>")));

    HttpResponse<String> answer =
        gateway.post("/plain", addressed("<a:To>" + gateway.url() + "/plain</a:To>"));

    assertThat(last().body()).contains("<a:To>" + service.address() + "</a:To>");
    assertThat(answer.body())
        .contains("<a:Address>" + gateway.url() + "/plain</a:Address>")
        .doesNotContain(service.address().toString());
  }

  @Test
  void mtomPassesThroughUntouched() {
    String body =
        "--b\r\nContent-Type: application/xop+xml;type=\"text/xml\"\r\nContent-ID: <root>\r\n\r\n"
            + ASK
            + "\r\n--b\r\nContent-ID: <a>\r\n\r\n\u0001binary\r\n--b--\r\n";
    String type =
        "multipart/related;boundary=b;type=\"application/xop+xml\";start=\"<root>\";start-info=\"text/xml\"";

    HttpResponse<String> answer = gateway.send("/plain", type, body);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(last().body()).isEqualTo(body);
    assertThat(last().header("Content-type")).isEqualTo(type);
  }

  @Test
  void rootPartThatTheServiceMayReadOtherwiseIsRefused() {
    int before = service.seen().size();
    String body =
        "--b\r\nContent-Type: application/xop+xml;charset=utf-7;type=\"text/xml\"\r\n\r\n"
            + ASK
            + "\r\n--b--\r\n";

    HttpResponse<String> answer =
        gateway.send(
            "/plain",
            "multipart/related;boundary=b;type=\"application/xop+xml\";start-info=\"text/xml\"",
            body);

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(service.seen()).hasSize(before);
  }

  /** CXF sends a header with nothing in it: without it the envelope is put together anew. */
  @Test
  void mtomPassesUnderTlsWithoutItsSecurityHeader() {
    String header =
        "<s:Header><o:Security s:mustUnderstand=\"1\" xmlns:o=\""
            + Namespaces.WSSE
            + "\"/></s:Header><s:Body>";
    byte[] data = {0, '\r', '\n', 1};
    byte[] body = XopPackage.of(ASK.replace("<s:Body>", header)).with("a", data).closed();

    HttpResponse<String> answer = gateway.send("/tls", XopPackage.TYPE, body);

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(last().header("Content-type")).isEqualTo(XopPackage.TYPE);
    assertThat(last().body())
        .startsWith("--b\r\n")
        .doesNotContain("Security")
        .contains("<do xmlns=\"urn:t\"></do>")
        .endsWith("\r\n\r\n\0\r\n\u0001\r\n--b--\r\n");
  }

  @Test
  void callerThatIsNotListedIsNotForwarded() {
    int before = service.seen().size();

    HttpResponse<String> answer = gateway.post("/only-ada", ASK);

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("the caller may not do this");
    assertThat(service.seen()).hasSize(before);
  }

  @Test
  void whatIsNoSoapIsToldSo() {
    assertThat(gateway.send("/plain", "application/json", "{}").statusCode()).isEqualTo(415);
    assertThat(gateway.post("/plain", "<a/>").body()).contains("soap:Client");
    assertThat(gateway.send("/plain", "application/soap+xml", "<a/>").statusCode()).isEqualTo(400);
    assertThat(gateway.get("/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void exchangesAndRefusalsAreCounted() {
    gateway.post("/plain", ASK);
    gateway.post("/plain", "<a/>");
    gateway.post("/down", ASK);

    assertThat(gateway.get("/.staithe/metrics").body())
        .contains(
            "staithe_gateway_exchanges_seconds_count{endpoint=\"/plain\",outcome=\"answered\"")
        .contains("staithe_gateway_refusals_total{endpoint=\"/plain\",reason=\"malformed\"}")
        .contains("staithe_gateway_backend_errors_total{endpoint=\"/down\",kind=\"down\"}");
  }

  private static String addressed(String headers) {
    return ASK.replace(
        "<s:Body>",
        "<s:Header xmlns:a=\"http://www.w3.org/2005/08/addressing\">"
            + headers
            + "</s:Header><s:Body>");
  }
}
