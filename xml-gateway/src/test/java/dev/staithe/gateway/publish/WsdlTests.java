package dev.staithe.gateway.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.peers.NginxServer;
import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.PolicyOutcome;
import dev.staithe.wss.policy.PolicyReader;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Descriptions as nginx serves them, and as clients of the gateway see them. */
final class WsdlTests {
  private static final URI SELF = URI.create("https://gate.example.org/jobs");
  private static final Duration FRESH = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
  private final AtomicReference<Published> policy = new AtomicReference<>(published("x509"));
  private final AtomicInteger elsewhere = new AtomicInteger();
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer other;
  private NginxServer nginx;

  @BeforeEach
  void start() throws IOException {
    other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.createContext(
        "/",
        exchange -> {
          elsewhere.incrementAndGet();
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    other.start();
    nginx = NginxServer.start(this::site);
    write();
  }

  private String site(int port) {
    return """
    map $request_uri $document {
      default /nothing;
      "/services/jobs?wsdl" /jobs.wsdl;
      "/services/jobs?wsdl=types" /types.wsdl;
      "/services/jobs?xsd=job" /job.xsd;
      "/services/schema/common.xsd" /common.xsd;
      "/services/moved?wsdl" /moved;
    }
    server {
      listen 127.0.0.1:%d;
      root %s;
      location = /services/moved { return 302 http://127.0.0.1:%d/evil; }
      location / { types { } default_type text/xml; try_files $document =404; }
    }
    """
        .formatted(port, folder, other.getAddress().getPort());
  }

  private void write() throws IOException {
    Files.writeString(
        folder.resolve("jobs.wsdl"),
        """
        <?xml version="1.0"?>
        <!-- made by the service -->
        <wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:t="urn:jobs"
            xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
            xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"
            xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy"
            xmlns:wsa="http://www.w3.org/2005/08/addressing"
            xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:jobs" name="Jobs">
          <wsdl:documentation>Runs <b>jobs</b> &amp; more</wsdl:documentation>
          <wsp:UsingPolicy/>
          <wsp:Policy Name="urn:of-the-service"/>
          <wsdl:import namespace="urn:jobs:types" location="jobs?wsdl=types"/>
          <wsdl:import namespace="urn:far" location="http://127.0.0.1:%d/far?wsdl"/>
          <wsdl:types>
            <xsd:schema targetNamespace="urn:jobs">
              <xsd:import namespace="urn:jobs:job" schemaLocation="jobs?xsd=job"/>
              <xsd:import namespace="http://www.w3.org/XML/1998/namespace"
                  schemaLocation="http://www.w3.org/2001/xml.xsd"/>
              <xsd:import namespace="urn:no-place"/>
            </xsd:schema>
          </wsdl:types>
          <wsdl:binding name="B" type="t:P"><wsp:PolicyReference URI="urn:of-the-service"/>
            <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/></wsdl:binding>
          <wsdl:binding name="B12" type="t:P"><wsdl:documentation>12</wsdl:documentation>
            <soap12:binding transport="http://schemas.xmlsoap.org/soap/http"/></wsdl:binding>
          <wsdl:service name="S">
            <wsdl:port name="P" binding="t:B">
              <soap:address location="http://inside.example.org:8080/services/jobs"/>
              <wsa:EndpointReference><wsa:Address>http://inside.example.org:8080/services/jobs</wsa:Address></wsa:EndpointReference>
            </wsdl:port>
            <wsdl:port name="P12" binding="t:B12">
              <soap12:address location="http://127.0.0.1:%d/services/jobs"/>
            </wsdl:port>
          </wsdl:service>
        </wsdl:definitions>
        """
            .formatted(other.getAddress().getPort(), nginx.port()));
    Files.writeString(
        folder.resolve("types.wsdl"),
        """
        <definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:jobs:types">
          <import namespace="urn:jobs" location="jobs?wsdl"/>
          <message name="m"/>
        </definitions>
        """);
    Files.writeString(
        folder.resolve("job.xsd"),
        """
        <schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:jobs:job">
          <include schemaLocation="schema/common.xsd"/>
          <redefine schemaLocation="./schema/../schema/common.xsd#top"/>
        </schema>
        """);
    Files.writeString(
        folder.resolve("common.xsd"),
        """
        <schema xmlns="http://www.w3.org/2001/XMLSchema">
          <include schemaLocation="../jobs?xsd=job"/>
          <element name="job" type="string"/>
        </schema>
        """);
  }

  @AfterEach
  void stop() {
    nginx.close();
    other.stop(0);
    client.close();
  }

  @Test
  void everyAddressIsTheGateways() {
    String text = text(wsdl(), "wsdl");

    assertThat(all(text, "address", "location")).containsExactly(SELF.toString(), SELF.toString());
    assertThat(text)
        .contains("<wsa:Address>" + SELF + "</wsa:Address>")
        .doesNotContain("inside.example.org")
        .doesNotContain(":" + nginx.port());
  }

  @Test
  void importsLeadThroughTheGatewayAndSoDoTheirImports() {
    Wsdl wsdl = wsdl();

    String main = text(wsdl, "wsdl");
    assertThat(all(main, "import", "location")).contains(SELF + "?wsdl=1");
    assertThat(all(main, "import", "schemaLocation")).contains(SELF + "?xsd=2");
    String types = text(wsdl, "wsdl=1");
    assertThat(types).contains("<message name=\"m\"");
    assertThat(all(types, "import", "location")).containsExactly(SELF + "?wsdl=0");
    String job = text(wsdl, "xsd=2");
    assertThat(all(job, "include", "schemaLocation")).containsExactly(SELF + "?xsd=3");
    assertThat(all(job, "redefine", "schemaLocation")).containsExactly(SELF + "?xsd=3");
    assertThat(all(text(wsdl, "xsd=3"), "include", "schemaLocation"))
        .containsExactly(SELF + "?xsd=2");
  }

  @Test
  void referenceThatIsAQueryAloneIsAskedOfTheServiceItself() throws IOException {
    Path file = folder.resolve("jobs.wsdl");
    Files.writeString(
        file, Files.readString(file).replace("Location=\"jobs?xsd=job\"", "Location=\"?xsd=job\""));
    Wsdl wsdl = wsdl();

    assertThat(all(text(wsdl, "wsdl"), "import", "schemaLocation")).contains(SELF + "?xsd=2");
    assertThat(text(wsdl, "xsd=2")).contains("urn:jobs:job");
  }

  @Test
  void otherHostsAreNeitherAskedNorHidden() {
    String main = text(wsdl(), "wsdl");

    assertThat(all(main, "import", "schemaLocation")).contains("http://www.w3.org/2001/xml.xsd");
    assertThat(all(main, "import", "location"))
        .contains("http://127.0.0.1:" + other.getAddress().getPort() + "/far?wsdl");
    assertThat(elsewhere).hasValue(0);
  }

  @Test
  void redirectToAnotherHostIsNotFollowed() {
    Wsdl moved =
        Wsdl.ofBackEnd(
            URI.create("http://127.0.0.1:" + nginx.port() + "/services/moved"),
            () -> client,
            Duration.ofSeconds(30),
            policy::get,
            FRESH,
            clock);

    assertThat(moved.answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Failed.class);
    assertThat(elsewhere).hasValue(0);
  }

  @Test
  void askedAddressIsNeverFetched() {
    Wsdl wsdl = wsdl();
    String far = "http://127.0.0.1:" + other.getAddress().getPort() + "/x";

    for (String query :
        List.of(
            "wsdl=" + far,
            "xsd=" + far,
            "xsd=../../etc/passwd",
            "xsd",
            "xsd=",
            "xsd=-1",
            "xsd=0",
            "wsdl=2",
            "wsdl=99",
            "wsdl=99999999999")) {
      assertThat(wsdl.answer(query, SELF)).as(query).isInstanceOf(Wsdl.Answer.Missing.class);
    }
    assertThat(elsewhere).hasValue(0);
  }

  @Test
  void bindingsReferToThePolicyInForceAndTheServicesOwnIsGone() {
    String text = text(wsdl(), "WSDL");

    Element root = parse(text);
    List<Element> policies = elements(root, "http://www.w3.org/ns/ws-policy", "Policy");
    assertThat(policies.getFirst().getParentNode()).isSameAs(root);
    String id =
        policies
            .getFirst()
            .getAttributeNS(
                "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd",
                "Id");
    List<Element> references = elements(root, "http://www.w3.org/ns/ws-policy", "PolicyReference");
    assertThat(references)
        .hasSize(2)
        .allSatisfy(
            each -> {
              assertThat(each.getAttribute("URI")).isEqualTo("#" + id);
              assertThat(each.getParentNode().getLocalName()).isEqualTo("binding");
            });
    assertThat(elements(root, "http://schemas.xmlsoap.org/ws/2004/09/policy", "*")).isEmpty();
    assertThat(text).contains("AsymmetricBinding").contains("Runs <b>jobs</b> &amp; more");
  }

  @Test
  void policyIsToldInTheOlderNamespaceToWhoAsksForThat() {
    var told = (Wsdl.Answer.Document) wsdl().answer("policy&v=2004", SELF);

    assertThat(new String(told.content(), StandardCharsets.UTF_8))
        .contains("http://schemas.xmlsoap.org/ws/2004/09/policy")
        .doesNotContain("http://www.w3.org/ns/ws-policy");
    assertThat(PolicyReader.read(told.content(), AlgorithmList.MODERN))
        .isInstanceOf(PolicyOutcome.Accepted.class);
  }

  @Test
  void policyIsToldAsItWasWritten() {
    assertThat(wsdl().answer("policy", SELF))
        .isEqualTo(new Wsdl.Answer.Document("application/wspolicy+xml", policy.get().document()));
  }

  @Test
  void switchOfThePolicyIsSeenAtOnce() {
    Wsdl wsdl = wsdl();
    text(wsdl, "wsdl");

    policy.set(published("transport"));

    assertThat(text(wsdl, "wsdl")).contains("TransportBinding").doesNotContain("Asymmetric");
  }

  @Test
  void clientsSeeTheAddressByWhichTheyCame() {
    Wsdl wsdl = wsdl();
    URI proxied = URI.create("https://outside.example.net/a&b/jobs");

    text(wsdl, "wsdl");
    assertThat(text(wsdl, "wsdl", proxied))
        .contains("location=\"https://outside.example.net/a&amp;b/jobs\"")
        .doesNotContain("gate.example.org");
  }

  @Test
  void descriptionIsReadAgainWhenItIsOldAndKeptWhereThatFails() throws IOException {
    Wsdl wsdl = wsdl();
    text(wsdl, "wsdl");
    Path file = folder.resolve("jobs.wsdl");
    Files.writeString(file, Files.readString(file).replace("name=\"Jobs\"", "name=\"Later\""));

    assertThat(text(wsdl, "wsdl")).contains("name=\"Jobs\"");
    clock.advance(FRESH.plusSeconds(1));
    assertThat(text(wsdl, "wsdl")).contains("name=\"Later\"");

    Files.writeString(file, "<html>away</html>");
    clock.advance(FRESH.plusSeconds(1));
    assertThat(text(wsdl, "wsdl")).contains("name=\"Later\"");
  }

  @Test
  void serviceThatIsAwayIsAskedAgainSoonButNotAtOnce() throws IOException {
    Wsdl wsdl = wsdl();
    Path file = folder.resolve("jobs.wsdl");
    String kept = Files.readString(file);
    Files.delete(file);
    assertThat(wsdl.answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Failed.class);

    Files.writeString(file, kept);
    assertThat(wsdl.answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Failed.class);
    clock.advance(Duration.ofSeconds(6));

    assertThat(wsdl.answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Document.class);
  }

  /** Else all who ask meanwhile would wait as long, one after the other. */
  @Test
  void serviceThatFailsLateIsNotAskedAgainAtOnce() {
    other.createContext(
        "/late",
        exchange -> {
          elsewhere.incrementAndGet();
          clock.advance(Duration.ofSeconds(10));
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    Wsdl wsdl =
        Wsdl.ofBackEnd(
            URI.create("http://127.0.0.1:" + other.getAddress().getPort() + "/late"),
            () -> client,
            Duration.ofSeconds(30),
            policy::get,
            FRESH,
            clock);

    assertThat(wsdl.answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Failed.class);
    assertThat(wsdl.answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Failed.class);

    assertThat(elsewhere).hasValue(1);
  }

  @Test
  void serviceIsAskedAgainAlsoAfterTheClockWasSetBack() throws IOException {
    Wsdl wsdl = wsdl();
    Path file = folder.resolve("jobs.wsdl");
    String kept = Files.readString(file);
    Files.delete(file);
    assertThat(wsdl.answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Failed.class);

    Files.writeString(file, kept);
    clock.advance(Duration.ofHours(-1));
    assertThat(text(wsdl, "wsdl")).contains("name=\"Jobs\"");

    Files.writeString(file, kept.replace("name=\"Jobs\"", "name=\"Later\""));
    clock.advance(Duration.ofHours(-1));
    assertThat(text(wsdl, "wsdl")).contains("name=\"Later\"");
  }

  @Test
  void documentTypeInADescriptionIsRefused() throws IOException {
    Files.writeString(
        folder.resolve("common.xsd"),
        "<!DOCTYPE s [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><schema>&e;</schema>");

    assertThat(wsdl().answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Failed.class);
  }

  @Test
  void endlessImportsAreRefused() throws IOException {
    var many = new StringBuilder("<schema xmlns='http://www.w3.org/2001/XMLSchema'>");
    for (int i = 0; i < 200; i++) {
      many.append("<include schemaLocation='jobs?xsd=job" + i + "'/>");
    }
    Files.writeString(folder.resolve("job.xsd"), many + "</schema>");

    assertThat(wsdl().answer("wsdl", SELF)).isInstanceOf(Wsdl.Answer.Failed.class);
  }

  @Test
  void fileMayDescribeInsteadOfTheService() throws IOException {
    Path described = Files.createDirectory(folder.resolve("described"));
    Files.writeString(folder.resolve("secret.xsd"), "<secret/>");
    Files.createSymbolicLink(described.resolve("link.xsd"), folder.resolve("secret.xsd"));
    Files.writeString(
        described.resolve("a.xsd"), "<schema xmlns='http://www.w3.org/2001/XMLSchema'/>");
    Files.writeString(
        described.resolve("jobs.wsdl"),
        """
        <definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><types>
          <schema xmlns="http://www.w3.org/2001/XMLSchema"><include schemaLocation="a.xsd"/>
            <include schemaLocation="../secret.xsd"/><include schemaLocation="link.xsd"/></schema>
        </types></definitions>
        """);

    Wsdl wsdl = Wsdl.ofFile(described.resolve("jobs.wsdl"), policy::get, FRESH, clock);

    assertThat(all(text(wsdl, "wsdl"), "include", "schemaLocation")).contains(SELF + "?xsd=1");
    assertThat(text(wsdl, "wsdl")).doesNotContain("file:").contains("\"../secret.xsd\"");
    assertThat(text(wsdl, "xsd=1")).contains("schema");
    assertThat(wsdl.answer("xsd=2", SELF)).isInstanceOf(Wsdl.Answer.Missing.class);
  }

  @Test
  void otherQuestionsAreNone() {
    assertThat(wsdl().answer(null, SELF)).isNull();
    assertThat(wsdl().answer("wadl", SELF)).isNull();
    assertThat(wsdl().answer("", SELF)).isNull();
  }

  private Wsdl wsdl() {
    return Wsdl.ofBackEnd(
        URI.create("http://127.0.0.1:" + nginx.port() + "/services/jobs"),
        () -> client,
        Duration.ofSeconds(30),
        policy::get,
        FRESH,
        clock);
  }

  private static Published published(String name) {
    return new Published(
        name,
        BuiltInPolicies.document(name, AlgorithmList.MODERN),
        BuiltInPolicies.policy(name, AlgorithmList.MODERN));
  }

  private static String text(Wsdl wsdl, String query) {
    return text(wsdl, query, SELF);
  }

  private static String text(Wsdl wsdl, String query, URI self) {
    assertThat(wsdl.answer(query, self)).isInstanceOf(Wsdl.Answer.Document.class);
    return wsdl.answer(query, self) instanceof Wsdl.Answer.Document(String type, byte[] content)
        ? new String(content, UTF_8)
        : "";
  }

  private static Element parse(String text) {
    return SafeXml.parse(text.getBytes(UTF_8), XmlLimits.ofBytes(1 << 20))
            instanceof XmlDocument.Parsed(var document)
        ? document.getDocumentElement()
        : null;
  }

  private static List<String> all(String text, String element, String attribute) {
    return elements(parse(text), "*", element).stream()
        .map(each -> each.getAttribute(attribute))
        .filter(each -> !each.isEmpty())
        .toList();
  }

  private static List<Element> elements(Element root, String namespace, String name) {
    NodeList found = root.getElementsByTagNameNS(namespace, name);
    List<Element> all = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      all.add((Element) found.item(i));
    }
    return all;
  }
}
