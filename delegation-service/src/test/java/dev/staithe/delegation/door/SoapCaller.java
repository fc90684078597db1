package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.pki.grid.ProxySigner;
import dev.staithe.pki.grid.ProxySigning;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Somebody who delegates by SOAP. Each answer is judged by the description of its namespace. */
final class SoapCaller {
  static final String V1 = "http://www.gridsite.org/namespaces/delegation-1";
  static final String V2 = "http://www.gridsite.org/namespaces/delegation-2";
  static final String DRAFT = "http://www.gridsite.org/ns/delegation.wsdl";
  static final String ARC = "http://www.nordugrid.org/schemas/delegation";

  private static final Map<String, String> DESCRIPTIONS =
      Map.of(V1, "wsdl", V2, "wsdl2", ARC, "wsdlarc");

  private final RunningDelegation service;
  private final HttpClient client;

  SoapCaller(RunningDelegation service, Credential person) {
    this(service, service.authority().serverContext(person));
  }

  SoapCaller(RunningDelegation service, SSLContext context) {
    this.service = service;
    this.client = HttpClient.newBuilder().sslContext(context).build();
  }

  /**
   * What came back.
   *
   * @param payload of the body, or of a fault's detail; null where a fault has none
   * @param line of a fault, else empty
   */
  record Answer(int status, @Nullable Element payload, String line, String whole) {
    /** The text of the only element of that name, at any depth. */
    String text(String localName) {
      assertThat(payload).as(whole).isNotNull();
      var found = payload.getElementsByTagNameNS("*", localName);
      assertThat(found.getLength()).as(whole).isEqualTo(1);
      return found.item(0).getTextContent();
    }

    /** Where it was done. */
    Answer done() {
      assertThat(status).as(whole).isEqualTo(200);
      return this;
    }

    /** The fault's name, where it was not done. */
    String fault() {
      return fault(500);
    }

    /** The same with another status. */
    String fault(int expected) {
      assertThat(status).as(whole).isEqualTo(expected);
      assertThat(line).isNotBlank().doesNotContain("\n").hasSizeLessThan(300);
      assertThat(payload).as("detail of %s", whole).isNotNull();
      assertThat(payload.getTextContent()).isEqualTo(line);
      return payload.getLocalName();
    }
  }

  /** Sends an operation of a namespace, bound to the prefix {@code d}. */
  Answer call(String namespace, String operation, String inside) {
    return send(
        "<d:" + operation + " xmlns:d=\"" + namespace + "\">" + inside + "</d:" + operation + ">");
  }

  /** The same with one value. */
  Answer call(String namespace, String operation, String child, String text) {
    return call(namespace, operation, element(child, text));
  }

  static String element(String name, String text) {
    return "<" + name + ">" + XmlText.escape(text) + "</" + name + ">";
  }

  /** Sends what is to stand in the body. */
  Answer send(String body) {
    HttpResponse<byte[]> answer =
        post(SoapDelegationDoor.PATH, SoapVersion.SOAP_1_1.contentType(), envelope(body));
    return read(answer);
  }

  static String envelope(String body) {
    return "<s:Envelope xmlns:s=\""
        + SoapVersion.SOAP_1_1.namespace()
        + "\"><s:Body>"
        + body
        + "</s:Body></s:Envelope>";
  }

  HttpResponse<byte[]> post(String path, String type, String text, String... headers) {
    return postWithAction(path, type, text, "", headers);
  }

  HttpResponse<byte[]> postWithAction(
      String path, String type, String text, String action, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service.url() + path))
            .timeout(Duration.ofMinutes(2))
            .header("Content-Type", type)
            .header("SOAPAction", "\"" + action + "\"")
            .POST(HttpRequest.BodyPublishers.ofString(text));
    for (int at = 0; at < headers.length; at += 2) {
      request.header(headers[at], headers[at + 1]);
    }
    return send(request.build());
  }

  HttpResponse<byte[]> get(String path) {
    return send(HttpRequest.newBuilder(URI.create(service.url() + path)).build());
  }

  private HttpResponse<byte[]> send(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Takes an envelope apart and judges what is in it. */
  Answer read(HttpResponse<byte[]> answer) {
    String whole = new String(answer.body(), StandardCharsets.UTF_8);
    XmlDocument parsed = SafeXml.parse(answer.body(), XmlLimits.ofBytes(1 << 20));
    assertThat(parsed).as(whole).isInstanceOf(XmlDocument.Parsed.class);
    Document document = ((XmlDocument.Parsed) parsed).document();
    Element inBody =
        Elements.children(Soap.child(document.getDocumentElement(), "Body").orElseThrow())
            .getFirst();
    Element payload = inBody;
    String line = "";
    if (inBody.getLocalName().equals("Fault")) {
      Element detail =
          Soap.child(inBody, "detail").or(() -> Soap.child(inBody, "Detail")).orElse(null);
      payload = detail == null ? null : Elements.children(detail).getFirst();
      Element reason =
          Soap.child(inBody, "faultstring").or(() -> Soap.child(inBody, "Reason")).orElseThrow();
      line = reason.getTextContent();
    }
    if (payload != null && DESCRIPTIONS.containsKey(payload.getNamespaceURI())) {
      description(payload.getNamespaceURI()).assertHas(payload);
    }
    return new Answer(answer.statusCode(), payload, line, whole);
  }

  /** The description of a namespace. */
  Described description(String namespace) {
    return new Described(get(SoapDelegationDoor.PATH + "?" + DESCRIPTIONS.get(namespace)).body());
  }

  /** A proxy for a request, signed as a good client does. */
  static String sign(Credential person, String request, ProxyTerms terms) {
    return switch (ProxySigner.sign(person, key(request), terms, Clock.systemUTC())) {
      case ProxySigning.Signed signed -> Pem.encode(signed.chain());
      case ProxySigning.Refused(String line) -> throw new AssertionError(line);
    };
  }

  /** The same for an hour. */
  static String sign(Credential person, String request) {
    return sign(person, request, ProxyTerms.of(Duration.ofHours(1)));
  }

  private static PublicKey key(String request) {
    CertificateRequest read =
        CertificateRequest.read(request.getBytes(StandardCharsets.US_ASCII), KeyRules.standard());
    assertThat(read).isInstanceOf(CertificateRequest.Accepted.class);
    return ((CertificateRequest.Accepted) read).key();
  }
}
