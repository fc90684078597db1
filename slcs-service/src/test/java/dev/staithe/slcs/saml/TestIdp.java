package dev.staithe.slcs.saml;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import javax.xml.crypto.dsig.spec.TransformParameterSpec;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** An identity provider that says and signs whatever a test wants, by the JDK's own signatures. */
public final class TestIdp {
  public static final String RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
  public static final String SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";
  static final String EPPN = "urn:oid:1.3.6.1.4.1.5923.1.1.1.6";

  private final String entityId;
  private final String scopes;
  private final Credential credential;

  public TestIdp(String entityId, String scopes) {
    this.entityId = entityId;
    this.scopes = scopes;
    this.credential = credential();
  }

  /** A key with a certificate that nobody believes. */
  public static Credential credential() {
    return CertificateIssuer.create("Test", KeyKind.EC_P256, Duration.ofDays(1), Clock.systemUTC())
        .issueHost(
            new HostCertificateRequest(
                List.of("idp.example.org"), KeyKind.RSA_2048, Duration.ofDays(1)));
  }

  /** An identity provider that speaks for one literal scope. */
  public static TestIdp of(String entityId, String scope) {
    return new TestIdp(entityId, "<shibmd:Scope regexp=\"false\">" + scope + "</shibmd:Scope>");
  }

  public String entityId() {
    return entityId;
  }

  Credential keys() {
    return credential;
  }

  public String metadata() {
    return metadata("");
  }

  /** With more in its extensions. */
  public String metadata(String entityExtensions) {
    try {
      return """
      <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:shibmd="urn:mace:shibboleth:metadata:1.0" entityID="%1$s">
      %5$s<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
      <md:Extensions>%2$s<mdui:UIInfo xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui"><mdui:DisplayName xml:lang="en">%4$s</mdui:DisplayName></mdui:UIInfo></md:Extensions>
      <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>%3$s</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
      <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%1$s/slo"/>
      <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%1$s/sso"/>
      </md:IDPSSODescriptor></md:EntityDescriptor>
      """
          .formatted(
              entityId,
              scopes,
              Base64.getEncoder().encodeToString(credential.certificate().getEncoded()),
              "University at " + entityId,
              entityExtensions);
    } catch (java.security.cert.CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The ID of a request that a browser carries. */
  static String requestId(URI location) {
    return request(location).replaceFirst("(?s).*\\bID=\"([^\"]+)\".*", "$1");
  }

  /** What a request that a browser carries asks for. */
  static String request(URI location) {
    String request =
        java.net.URLDecoder.decode(
            location.getRawQuery().replaceFirst(".*SAMLRequest=([^&]*).*", "$1"),
            StandardCharsets.UTF_8);
    try (var in =
        new InflaterInputStream(
            new ByteArrayInputStream(Base64.getDecoder().decode(request)), new Inflater(true))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** What a response says; null leaves out. */
  static final class Said {
    String responseId = "_r" + UUID.randomUUID();
    String assertionId = "_a" + UUID.randomUUID();
    @Nullable String issuer;
    @Nullable String assertionIssuer;
    @Nullable String destination;
    @Nullable String inResponseTo;
    @Nullable String confirmedRequest;
    @Nullable String recipient;
    @Nullable String audience;
    Instant issued = Instant.now();
    @Nullable Instant authenticated;
    String context = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";
    Instant notBefore = issued.minusSeconds(5);
    Instant notOnOrAfter = issued.plusSeconds(300);
    @Nullable Instant confirmedUntil = notOnOrAfter;
    String nameId = "_n" + UUID.randomUUID();
    String sessionIndex = "_s" + UUID.randomUUID();
    @Nullable Instant sessionEnds;
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    boolean signResponse;
    boolean signAssertion = true;
    String algorithm = RSA_SHA256;
    String digest = SHA256;
    @Nullable Key key;
  }

  /** As it should be, for a service of that URL. */
  Said good(String service, String request) {
    Said said = new Said();
    said.issuer = entityId;
    said.assertionIssuer = entityId;
    said.destination = service + ServiceProvider.CONSUMER;
    said.recipient = said.destination;
    said.audience = service + ServiceProvider.METADATA;
    said.inResponseTo = request;
    said.confirmedRequest = request;
    said.attributes.put(EPPN, List.of("alice@test.example.org"));
    return said;
  }

  /** Logs somebody in at the provider that the service knows by that name. */
  public HttpResponse<String> logIn(
      RunningSlcs slcs, TestBrowser browser, String name, String eppn) {
    HttpResponse<String> redirect = browser.get("/saml2/authenticate/" + name + "?to=/session");
    Said said =
        good(
            slcs.url().toString(),
            requestId(URI.create(redirect.headers().firstValue("Location").orElseThrow())));
    said.attributes.put(EPPN, List.of(eppn));
    return send(slcs, browser, said);
  }

  HttpResponse<String> send(RunningSlcs slcs, TestBrowser browser, Said said) {
    String xml = text(response(said));
    HttpResponse<String> answer =
        browser.post(
            new TestBrowser.Form(
                slcs.url().resolve(ServiceProvider.CONSUMER),
                Map.of(
                    "SAMLResponse",
                    Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8)),
                    "RelayState",
                    "staithe")));
    if (answer.statusCode() != 303) {
      throw new AssertionError(answer + answer.body());
    }
    return answer;
  }

  /** The response, signed as it says. */
  Document response(Said said) {
    Document document = parse(text(said));
    Element root = document.getDocumentElement();
    if (said.signAssertion) {
      sign(assertion(document), said);
    }
    if (said.signResponse) {
      sign(root, said);
    }
    return document;
  }

  static Element assertion(Document document) {
    return (Element)
        document
            .getElementsByTagNameNS("urn:oasis:names:tc:SAML:2.0:assertion", "Assertion")
            .item(0);
  }

  private static String text(Said said) {
    var attributes = new StringBuilder();
    said.attributes.forEach(
        (name, values) -> {
          attributes
              .append("<saml:Attribute Name=\"")
              .append(name)
              .append("\" NameFormat=\"urn:oasis:names:tc:SAML:2.0:attrname-format:uri\">");
          for (String value : values) {
            attributes
                .append("<saml:AttributeValue>")
                .append(value)
                .append("</saml:AttributeValue>");
          }
          attributes.append("</saml:Attribute>");
        });
    return """
    <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="%1$s" Version="2.0" IssueInstant="%2$s"%3$s%4$s>\
    <saml:Issuer>%5$s</saml:Issuer>\
    <samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>\
    <saml:Assertion ID="%6$s" Version="2.0" IssueInstant="%2$s">\
    <saml:Issuer>%16$s</saml:Issuer>\
    <saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">%7$s</saml:NameID>\
    <saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData%8$s%9$s%10$s/></saml:SubjectConfirmation></saml:Subject>\
    <saml:Conditions NotBefore="%11$s" NotOnOrAfter="%12$s">%13$s</saml:Conditions>\
    <saml:AuthnStatement AuthnInstant="%17$s" SessionIndex="%14$s"%19$s><saml:AuthnContext><saml:AuthnContextClassRef>%18$s</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>\
    <saml:AttributeStatement>%15$s</saml:AttributeStatement>\
    </saml:Assertion></samlp:Response>"""
        .formatted(
            said.responseId,
            at(said.issued),
            attribute("Destination", said.destination),
            attribute("InResponseTo", said.inResponseTo),
            said.issuer,
            said.assertionId,
            said.nameId,
            attribute("Recipient", said.recipient),
            attribute("InResponseTo", said.confirmedRequest),
            attribute("NotOnOrAfter", said.confirmedUntil == null ? null : at(said.confirmedUntil)),
            at(said.notBefore),
            at(said.notOnOrAfter),
            said.audience == null
                ? ""
                : "<saml:AudienceRestriction><saml:Audience>"
                    + said.audience
                    + "</saml:Audience></saml:AudienceRestriction>",
            said.sessionIndex,
            attributes,
            said.assertionIssuer,
            at(said.authenticated == null ? said.issued : said.authenticated),
            said.context,
            attribute(
                "SessionNotOnOrAfter", said.sessionEnds == null ? null : at(said.sessionEnds)));
  }

  private static String at(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static String attribute(String name, @Nullable String value) {
    return value == null ? "" : " " + name + "=\"" + value + "\"";
  }

  private void sign(Element element, Said said) {
    sign(element, said.key == null ? credential.key() : said.key, said.algorithm, said.digest);
  }

  /** Signs an element; the signature goes behind its issuer, or first where there is none. */
  public static void sign(Element element, Key key, String algorithm, String digest) {
    try {
      String id = element.getAttribute("ID");
      element.setIdAttribute("ID", true);
      XMLSignatureFactory factory = XMLSignatureFactory.getInstance("DOM");
      var reference =
          factory.newReference(
              "#" + id,
              factory.newDigestMethod(digest, null),
              List.of(
                  factory.newTransform(Transform.ENVELOPED, (TransformParameterSpec) null),
                  factory.newTransform(
                      CanonicalizationMethod.EXCLUSIVE, (TransformParameterSpec) null)),
              null,
              null);
      var info =
          factory.newSignedInfo(
              factory.newCanonicalizationMethod(
                  CanonicalizationMethod.EXCLUSIVE, (C14NMethodParameterSpec) null),
              factory.newSignatureMethod(algorithm, null),
              List.of(reference));
      var first = element.getFirstChild();
      while (first != null && !(first instanceof Element)) {
        first = first.getNextSibling();
      }
      var place =
          first instanceof Element issuer && "Issuer".equals(issuer.getLocalName())
              ? issuer.getNextSibling()
              : first;
      var context = new DOMSignContext(key, element, place);
      context.setDefaultNamespacePrefix("ds");
      context.setProperty("org.jcp.xml.dsig.secureValidation", false);
      factory.newXMLSignature(info, null).sign(context);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static Document parse(String text) {
    try {
      return DocumentBuilderFactory.newDefaultNSInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static String text(Document document) {
    try {
      var out = new StringWriter();
      var transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      transformer.transform(new DOMSource(document), new StreamResult(out));
      return out.toString();
    } catch (javax.xml.transform.TransformerException e) {
      throw new IllegalStateException(e);
    }
  }
}
