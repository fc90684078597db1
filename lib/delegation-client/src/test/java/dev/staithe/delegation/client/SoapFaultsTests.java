package dev.staithe.delegation.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.KeyRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a fault says of trying again. */
final class SoapFaultsTests {
  private HttpServer service;
  private HttpClient http;
  private volatile String fault = "";
  private volatile int status = 500;

  @BeforeEach
  void start() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] answer =
              ("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
                      + "<s:Fault>"
                      + fault
                      + "</s:Fault></s:Body></s:Envelope>")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/xml;charset=utf-8");
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    service.start();
    http = HttpClient.newHttpClient();
  }

  @AfterEach
  void stop() {
    http.close();
    service.stop(0);
  }

  private Kind told(String what) {
    fault = what;
    var client =
        new GridSiteClient(
            http,
            URI.create("http://127.0.0.1:" + service.getAddress().getPort() + "/"),
            GridSiteClient.Version.V2_0,
            KeyRules.standard(),
            Clock.systemUTC());
    return client.terminationTime("one") instanceof Outcome.Refused<?>(DelegationRefusal refusal)
        ? refusal.kind()
        : null;
  }

  @Test
  void faultOfTheServiceMayPassAndOneOfTheCallerDoesNot() {
    String line = "<faultstring>no</faultstring>";

    assertThat(told("<faultcode>s:Server</faultcode>" + line)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(told("<faultcode>s:Client</faultcode>" + line)).isEqualTo(Kind.BAD_REQUEST);
    assertThat(told(line)).isEqualTo(Kind.BAD_REQUEST);
  }

  @Test
  void faultWithTheStatusOfABusyServicePassesWhateverItsCode() {
    status = 503;

    assertThat(told("<faultcode>s:Server.Busy</faultcode><faultstring>no</faultstring>"))
        .isEqualTo(Kind.UNAVAILABLE);
  }

  /** What its application refuses, Axis has as {@code Server.userException}. */
  @Test
  void refusalOfAnApplicationDoesNotPass() {
    assertThat(told("<faultcode>s:Server.userException</faultcode><faultstring>no</faultstring>"))
        .isEqualTo(Kind.BAD_REQUEST);
    assertThat(
            told(
                "<faultcode>s:Server</faultcode><faultstring>no</faultstring>"
                    + "<detail><UnsupportedFault/></detail>"))
        .isEqualTo(Kind.BAD_REQUEST);
    assertThat(
            told(
                "<faultcode>s:Server</faultcode><faultstring>no</faultstring>"
                    + "<detail><WrongReferenceFault/></detail>"))
        .isEqualTo(Kind.UNKNOWN);
  }
}
