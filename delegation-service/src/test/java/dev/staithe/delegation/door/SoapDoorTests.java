package dev.staithe.delegation.door;

import static dev.staithe.delegation.door.SoapCaller.ARC;
import static dev.staithe.delegation.door.SoapCaller.DRAFT;
import static dev.staithe.delegation.door.SoapCaller.V1;
import static dev.staithe.delegation.door.SoapCaller.V2;
import static dev.staithe.delegation.door.SoapCaller.element;
import static dev.staithe.delegation.door.SoapCaller.envelope;
import static dev.staithe.delegation.door.SoapCaller.sign;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.delegation.door.SoapCaller.Answer;
import dev.staithe.pki.Credential;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SoapVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** GridSite's delegation on the wire, in its three namespaces and with its clients' deviations. */
class SoapDoorTests {
  private static final String ALIAS = "/gridsite-delegation.cgi";

  @TempDir static Path folder;

  private static RunningDelegation service;
  private static Credential adas;
  private static SoapCaller caller;

  @BeforeAll
  static void start() {
    GridAuthority authority = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    service =
        RunningDelegation.start(
            folder, authority.trust(), Map.of("staithe.soap.also-at[0]", ALIAS));
    adas = Somebody.credential(authority.person(GridAuthority.NAMESPACE + "/CN=Ada"));
    caller = new SoapCaller(service, adas);
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  private static Answer put(String namespace, String id, String chain) {
    return caller.call(
        namespace, "putProxy", element("delegationID", id) + element("proxy", chain));
  }

  private static String delegated(String namespace, String id) {
    String request =
        caller.call(namespace, "getProxyReq", "delegationID", id).done().payload().getTextContent();
    put(namespace, id, sign(adas, request)).done();
    return id;
  }

  private static Instant end(String namespace, String id) {
    return Instant.parse(
        caller
            .call(namespace, "getTerminationTime", "delegationID", id)
            .done()
            .text("getTerminationTimeReturn"));
  }

  @ParameterizedTest
  @ValueSource(strings = {V1, V2})
  void delegationIsBegunPutToldRenewedAndDestroyed(String namespace) {
    Answer begun = caller.call(namespace, "getNewProxyReq", "").done();
    String id = begun.payload().getElementsByTagName("delegationID").item(0).getTextContent();
    String request = begun.payload().getElementsByTagName("proxyRequest").item(0).getTextContent();
    String chain = sign(adas, request);
    assertThat(put(namespace, id, chain).done().payload().getTextContent()).isEmpty();

    Instant first = end(namespace, id);
    assertThat(first).isBefore(adas.certificate().getNotAfter().toInstant());

    String again =
        caller
            .call(namespace, "renewProxyReq", "delegationID", id)
            .done()
            .text("renewProxyReqReturn");
    assertThat(again).isNotEqualTo(request);
    assertThat(end(namespace, id)).isEqualTo(first);
    var longer = ProxyTerms.of(Duration.ofHours(3));
    put(namespace, id, sign(adas, again, longer)).done();
    assertThat(end(namespace, id)).isAfter(first.plus(Duration.ofHours(1)));

    caller.call(namespace, "destroy", "delegationID", id).done();
    Answer gone = caller.call(namespace, "getTerminationTime", "delegationID", id);
    assertThat(gone.fault()).isEqualTo("DelegationException");
  }

  @ParameterizedTest
  @ValueSource(strings = {V1, V2, DRAFT})
  void callerIsAnsweredInItsOwnNamespace(String namespace) {
    Element done = caller.call(namespace, "getProxyReq", "delegationID", "own").done().payload();
    Element refused =
        caller.call(namespace, "getTerminationTime", "delegationID", "unheard-of").payload();

    assertThat(done.getNamespaceURI()).isEqualTo(namespace);
    assertThat(done.getLocalName()).isEqualTo("getProxyReqResponse");
    assertThat(refused.getNamespaceURI()).isEqualTo(namespace);
    assertThat(refused.getLocalName()).isEqualTo("DelegationException");
    // Children have no namespace in any of them.
    assertThat(done.getFirstChild().getNamespaceURI()).isNull();
    assertThat(refused.getFirstChild().getNamespaceURI()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    V1 + ",getProxyReqReturn,message",
    V2 + ",getProxyReqReturn,msg",
    DRAFT + ",request,message"
  })
  void eachNamespaceHasItsOwnNamesForTheRequestAndTheFault(
      String namespace, String request, String message) {
    Answer done = caller.call(namespace, "getProxyReq", "delegationID", "names").done();
    Answer refused = caller.call(namespace, "destroy", "delegationID", "unheard-of");

    assertThat(done.text(request)).startsWith("-----BEGIN CERTIFICATE REQUEST-----");
    refused.fault();
    assertThat(refused.text(message)).isEqualTo(refused.line());
  }

  @Test
  void newDelegationsOfOnePersonDoNotTakeEachOthersPlace() {
    Answer one = caller.call(V1, "getNewProxyReq", "").done();
    Answer two = caller.call(V1, "getNewProxyReq", "").done();

    assertThat(one.text("delegationID")).isNotEqualTo(two.text("delegationID"));
    put(V1, one.text("delegationID"), sign(adas, one.text("proxyRequest"))).done();
    put(V1, two.text("delegationID"), sign(adas, two.text("proxyRequest"))).done();
  }

  @Test
  void answerOfTheSharedNamespaceServesClientsOf20AndOf21() {
    Element answer = caller.call(V2, "getNewProxyReq", "").done().payload();

    assertThat(Elements.children(answer))
        .extracting(Element::getLocalName)
        .containsExactly("proxyRequest", "delegationID", "getNewProxyReqReturn");
    Element wrapped = (Element) answer.getElementsByTagName("getNewProxyReqReturn").item(0);
    assertThat(wrapped.getTextContent())
        .isEqualTo(
            answer.getFirstChild().getTextContent()
                + answer.getFirstChild().getNextSibling().getTextContent());
  }

  @Test
  void qualifiedChildrenAndAnEmptyIdAreTakenAsArcsClientSendsThem() {
    Answer begun = caller.call(V2, "getProxyReq", "<d:delegationID/>").done();
    String chain = sign(adas, begun.text("getProxyReqReturn"));

    caller
        .call(
            V2,
            "putProxy",
            "<d:delegationID></d:delegationID>" + "<d:proxy>" + chain + "</d:proxy>")
        .done();

    // Without a name it is the standard one, however its absence is written.
    Instant end = end(V2, "");
    String time = "getTerminationTime";
    String nil =
        "<delegationID xsi:nil=\"true\""
            + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"/>";
    assertThat(caller.call(V2, time, "").done().payload().getTextContent())
        .isEqualTo(end.toString());
    assertThat(caller.call(V1, time, nil).done().payload().getTextContent())
        .isEqualTo(end.toString());
  }

  @Test
  void childToldTwiceIsRefusedAndNotChosenFrom() {
    delegated(V1, "twice");
    String both = element("delegationID", "twice") + element("delegationID", "unheard-of");

    assertThat(caller.call(V1, "destroy", both).fault()).isEqualTo("DelegationException");
    assertThat(caller.call(V1, "destroy", "<delegationID><x/></delegationID>").fault())
        .isEqualTo("DelegationException");
    end(V1, "twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../up", "a/b", "a b", "-first", "\u00e4", "a\nb"})
  void idWithUnsafeCharactersIsRefused(String id) {
    for (String operation : new String[] {"getProxyReq", "destroy", "getTerminationTime"}) {
      assertThat(caller.call(V1, operation, "delegationID", id).fault())
          .isEqualTo("DelegationException");
    }
  }

  @Test
  void versionsAreToldAndMetadataAreNot() {
    assertThat(caller.call(V2, "getInterfaceVersion", "").done().payload().getTextContent())
        .startsWith("2.");
    assertThat(caller.call(V2, "getVersion", "").done().payload().getTextContent()).isNotBlank();
    Answer metadata = caller.call(V2, "getServiceMetadata", "key", "x");
    assertThat(metadata.fault()).isEqualTo("DelegationException");
  }

  @Test
  void operationThatThereIsNotGetsTheFaultOfItsNamespace() {
    assertThat(caller.call(V1, "getEverything", "").fault()).isEqualTo("DelegationException");
    assertThat(caller.call(ARC, "getProxyReq", "").fault()).isEqualTo("UnsupportedFault");
    Answer foreign = caller.call("urn:other", "getProxyReq", "");
    assertThat(foreign.status()).isEqualTo(500);
    assertThat(foreign.payload()).isNull();
    assertThat(foreign.line()).contains(V1, V2, ARC);
    assertThat(service.audit()).last().asString().contains("bad-request");
  }

  @Test
  void soap12IsSpokenToo() {
    String body =
        envelope("<d:destroy xmlns:d=\"" + V2 + "\"><delegationID>no</delegationID></d:destroy>")
            .replace(SoapVersion.SOAP_1_1.namespace(), SoapVersion.SOAP_1_2.namespace());
    HttpResponse<byte[]> answer =
        caller.post(SoapDelegationDoor.PATH, SoapVersion.SOAP_1_2.contentType(), body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/soap+xml");
    assertThat(caller.read(answer).payload().getLocalName()).isEqualTo("DelegationException");
  }

  @Test
  void absoluteUriOfTheRequestLineAndAnEmptyActionAreTaken() throws Exception {
    byte[] body =
        envelope("<deleg:DelegateCredentialsInit xmlns:deleg=\"" + ARC + "\"/>")
            .getBytes(StandardCharsets.UTF_8);
    String head =
        "POST "
            + service.url()
            + SoapDelegationDoor.PATH
            + " HTTP/1.1\r\nHost: "
            + service.url().getAuthority()
            + "\r\nContent-Type: text/xml\r\nsoapaction: \"\"\r\nConnection: close\r\n"
            + "Content-Length: "
            + body.length
            + "\r\n\r\n";
    try (Socket socket =
        service.authority().serverContext(adas).getSocketFactory().createSocket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), service.url().getPort()));
      ((SSLSocket) socket).startHandshake();
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(body);
      socket.getOutputStream().flush();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).startsWith("HTTP/1.1 200").contains("DelegateCredentialsInitResponse");
    }
  }

  @Test
  void otherPathsOfTheSettingsLeadToTheSame() {
    HttpResponse<byte[]> answer =
        caller.post(ALIAS, "text/xml", envelope("<d:getNewProxyReq xmlns:d=\"" + V1 + "\"/>"));

    assertThat(caller.read(answer).done().text("delegationID")).isNotBlank();
    assertThat(caller.get(ALIAS + "?wsdl").statusCode()).isEqualTo(200);
  }

  @Test
  void whoShowsNoCertificateOrAnUnbelievedOneIsRefused() {
    GridAuthority others =
        GridAuthority.in(
            folder.resolve("others"), GridAuthority.NAMESPACE + "/CN=Others", Clock.systemUTC());
    Credential stranger = Somebody.credential(others.person(GridAuthority.NAMESPACE + "/CN=Ada"));
    String body = envelope("<d:getNewProxyReq xmlns:d=\"" + V1 + "\"/>");

    for (SoapCaller unknown :
        new SoapCaller[] {
          new SoapCaller(service, service.authority().clientContext()),
          new SoapCaller(service, stranger)
        }) {
      HttpResponse<byte[]> answer = unknown.post(SoapDelegationDoor.PATH, "text/xml", body);
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(unknown.read(answer).fault(403)).isEqualTo("DelegationException");
      assertThat(unknown.post(SoapDelegationDoor.PATH, "text/plain", body).statusCode())
          .isEqualTo(403);
    }
  }

  @Test
  void pageOfAnotherSiteCannotMakeABrowserDelegate() {
    String body = envelope("<d:getNewProxyReq xmlns:d=\"" + V1 + "\"/>");

    HttpResponse<byte[]> foreign =
        caller.post(SoapDelegationDoor.PATH, "text/xml", body, "Sec-Fetch-Site", "cross-site");
    HttpResponse<byte[]> form = caller.post(SoapDelegationDoor.PATH, "text/plain", body);

    assertThat(foreign.statusCode()).isEqualTo(403);
    assertThat(form.statusCode()).isEqualTo(415);
    assertThat(service.audit()).last().asString().contains("bad-request", "SOAP is expected");
  }

  @Test
  void whatIsNoEnvelopeGetsAFaultAndOtherMethodsNone() {
    Answer broken =
        caller.read(caller.post(SoapDelegationDoor.PATH, "text/xml", "<!DOCTYPE x><x/>"));
    assertThat(broken.status()).isEqualTo(500);
    assertThat(broken.payload()).isNull();
    assertThat(service.audit()).last().asString().contains("bad-request", "document type");
    assertThat(caller.get(SoapDelegationDoor.PATH).statusCode()).isEqualTo(404);
  }
}
