package dev.staithe.gateway.interop;

import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.pki.Credential;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlRootElement;
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.soap.MTOMFeature;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.security.KeyStore;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.jaxws.DispatchImpl;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.transport.http.HTTPConduitConfigurer;
import org.apache.cxf.ws.addressing.WSAddressingFeature;
import org.apache.cxf.ws.policy.PolicyBuilder;
import org.apache.cxf.ws.policy.WSPolicyFeature;
import org.apache.cxf.ws.security.SecurityConstants;
import org.apache.cxf.ws.security.tokenstore.SecurityToken;
import org.apache.jcp.xml.dsig.internal.dom.XMLDSigRI;
import org.apache.neethi.Policy;
import org.apache.wss4j.common.crypto.Crypto;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.jspecify.annotations.Nullable;

/** A client of Apache CXF with a bus of its own, in this process. */
final class CxfClient implements AutoCloseable {
  private static final String ALIAS = "own";

  /** Property, of ours, of clients that send bytes in parts of MTOM, and not text. */
  static final String BYTES = "staithe.bytes";

  private static final char[] IN_MEMORY = "in memory only".toCharArray();

  static {
    // In a JVM of its own WSS4J does so itself; beside the gateway's engine it is told not to, and
    // the JDK's provider refuses the algorithms of the standard's suites.
    Security.addProvider(new XMLDSigRI());
  }

  private final Bus bus;
  private final Dispatch<Object> dispatch;
  private final Client client;

  /**
   * How a client is made.
   *
   * @param url where the gateway is
   * @param soap {@code 1.1} or {@code 1.2}
   * @param own with which it signs
   * @param service for whom it encrypts
   * @param authority whom it believes
   * @param tls with which it connects
   */
  record Draft(
      URI url,
      String soap,
      Credential own,
      X509Certificate service,
      X509Certificate authority,
      SSLContext tls,
      Map<String, Object> properties) {
    Draft(
        URI url,
        String soap,
        Credential own,
        X509Certificate service,
        X509Certificate authority,
        SSLContext tls) {
      this(url, soap, own, service, authority, tls, Map.of());
    }

    /** With a property of CXF more, for messages and for what asks for contexts. */
    Draft with(String name, Object value) {
      Map<String, Object> more = new HashMap<>(properties);
      more.put(name, value);
      more.put(name + ".sct", value);
      return new Draft(url, soap, own, service, authority, tls, Map.copyOf(more));
    }

    /** With a name and a password. */
    Draft user(String name, String password) {
      return with(SecurityConstants.USERNAME, name).with(SecurityConstants.PASSWORD, password);
    }

    /** Given a document. */
    CxfClient policy(byte[] document) throws Exception {
      return new CxfClient(this, document);
    }

    /** That protects nothing. */
    CxfClient plain() throws Exception {
      return new CxfClient(this, null);
    }

    /** That reads the description which the gateway publishes, and has nothing else. */
    CxfClient described(String namespace, String service, String port) throws Exception {
      return new CxfClient(
          new Draft(url, soap, own, this.service, authority, tls, properties),
          new Described(new QName(namespace, service), new QName(namespace, port)));
    }
  }

  /** Names in a description. */
  private record Described(QName service, QName port) {}

  private CxfClient(Draft draft, @Nullable Object source) throws Exception {
    bus = new CXFBusFactory().createBus();
    Bus before = BusFactory.getThreadDefaultBus(false);
    BusFactory.setThreadDefaultBus(bus);
    try {
      // CXF asks for contexts with a client of its own making, which has its own connections.
      bus.setExtension(
          (HTTPConduitConfigurer)
              (name, address, conduit) -> conduit.setTlsClientParameters(tls(draft.tls())),
          HTTPConduitConfigurer.class);
      suite().forEach(bus::setProperty);
      if (source instanceof Described names) {
        // Read with the conduit's TLS, as everything else.
        Service service =
            Service.create(URI.create(draft.url() + "?wsdl").toURL(), names.service());
        dispatch = dispatch(service, names.port());
      } else {
        var port = new QName("urn:staithe:interop", "Port");
        Service service = Service.create(new QName("urn:staithe:interop", "Service"));
        service.addPort(
            port,
            draft.soap().equals("1.1")
                ? SOAPBinding.SOAP11HTTP_BINDING
                : SOAPBinding.SOAP12HTTP_BINDING,
            draft.url().toString());
        dispatch =
            draft.properties().containsKey(BYTES)
                ? service.createDispatch(
                    port,
                    JAXBContext.newInstance(Bytes.class, BytesResponse.class),
                    Service.Mode.PAYLOAD,
                    new WSAddressingFeature(),
                    new MTOMFeature(0))
                : dispatch(service, port);
      }
      client = ((DispatchImpl<Object>) dispatch).getClient();
      ((HTTPConduit) client.getConduit()).setTlsClientParameters(tls(draft.tls()));
      if (source instanceof byte[] document) {
        Policy policy =
            bus.getExtension(PolicyBuilder.class).getPolicy(new ByteArrayInputStream(document));
        new WSPolicyFeature(policy).initialize(client, bus);
      }
      Map<String, Object> properties = properties(draft);
      client.getEndpoint().putAll(properties);
      dispatch.getRequestContext().putAll(properties);
    } finally {
      BusFactory.setThreadDefaultBus(before);
    }
  }

  /** Of payloads as they are written. */
  @SuppressWarnings("unchecked") // Whoever calls it gives sources and gets them.
  private static Dispatch<Object> dispatch(Service service, QName port) {
    return (Dispatch<Object>)
        (Dispatch<?>)
            service.createDispatch(
                port, Source.class, Service.Mode.PAYLOAD, new WSAddressingFeature());
  }

  private static TLSClientParameters tls(SSLContext context) {
    var tls = new TLSClientParameters();
    tls.setSslContext(context);
    return tls;
  }

  private static Map<String, Object> properties(Draft draft) throws Exception {
    KeyStore own = store();
    own.setKeyEntry(
        ALIAS, draft.own().key(), IN_MEMORY, draft.own().chain().toArray(Certificate[]::new));
    KeyStore trusted = store();
    trusted.setCertificateEntry("authority", draft.authority());
    var keys = new Merlin();
    keys.setKeyStore(own);
    keys.setTrustStore(trusted);
    KeyStore known = store();
    known.setCertificateEntry("service", draft.service());
    var service = new Merlin();
    service.setKeyStore(known);
    service.setTrustStore(trusted);
    Crypto signing = keys;
    Map<String, Object> properties = new HashMap<>(suite());
    // SOAP 1.2 has 400 for what the sender did wrong, and CXF reads no fault there unless told to.
    properties.put("org.apache.cxf.transport.process_fault_on_http_400", true);
    CallbackHandler passwords = callbacks -> answer(callbacks, draft);
    for (String suffix : new String[] {"", ".sct"}) {
      properties.put(SecurityConstants.SIGNATURE_CRYPTO + suffix, signing);
      properties.put(SecurityConstants.SIGNATURE_USERNAME + suffix, ALIAS);
      properties.put(SecurityConstants.ENCRYPT_CRYPTO + suffix, service);
      properties.put(SecurityConstants.ENCRYPT_USERNAME + suffix, "service");
      properties.put(SecurityConstants.CALLBACK_HANDLER + suffix, passwords);
    }
    properties.putAll(draft.properties());
    return properties;
  }

  private static KeyStore store() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /** What CXF's CustomAlgorithmSuite stands for beyond its defaults; see the notes. */
  private static Map<String, Object> suite() {
    return Map.of(
        SecurityConstants.CUSTOM_ALG_SUITE_ASYMMETRIC_SIGNATURE,
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        SecurityConstants.CUSTOM_ALG_SUITE_SYMMETRIC_SIGNATURE,
        "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
        SecurityConstants.CUSTOM_ALG_SUITE_ASYMMETRIC_KEY_ENCRYPTION_ALGORITHM,
        "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p");
  }

  private static void answer(Callback[] callbacks, Draft draft) {
    for (Callback callback : callbacks) {
      if (callback instanceof WSPasswordCallback asked) {
        if (ALIAS.equals(asked.getIdentifier())) {
          asked.setPassword(new String(IN_MEMORY));
        } else if (draft.properties().get(SecurityConstants.PASSWORD) instanceof String password) {
          asked.setPassword(password);
        }
      }
    }
  }

  /** Calls once and gives the payload of the answer as text. */
  String call(String payload) throws Exception {
    Source answer = (Source) dispatch.invoke(new StreamSource(new StringReader(payload)));
    var text = new StringWriter();
    XMLStreamWriter writer = StaxUtils.createXMLStreamWriter(text);
    StaxUtils.copy(answer, writer);
    writer.flush();
    return text.toString();
  }

  /** Calls once with bytes, of a client with {@link #BYTES}, and gives those that it hears. */
  byte[] call(byte[] bytes) {
    var payload = new Bytes();
    payload.say = bytes;
    return ((BytesResponse) dispatch.invoke(payload)).hear;
  }

  /** What is said. */
  @XmlRootElement(name = "echo", namespace = EchoBackEnd.NAMESPACE)
  static final class Bytes {
    @XmlElement(namespace = EchoBackEnd.NAMESPACE)
    byte[] say = {};
  }

  /** What is heard. */
  @XmlRootElement(name = "echoResponse", namespace = EchoBackEnd.NAMESPACE)
  static final class BytesResponse {
    @XmlElement(namespace = EchoBackEnd.NAMESPACE)
    byte[] hear = {};
  }

  /** The context that it has; null where it has none. */
  @Nullable SecurityToken context() {
    return (SecurityToken) client.getEndpoint().get(SecurityConstants.TOKEN);
  }

  @Override
  public void close() {
    client.destroy();
    bus.shutdown(false);
  }
}
