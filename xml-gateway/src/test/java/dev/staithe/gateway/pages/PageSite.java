package dev.staithe.gateway.pages;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A gateway with four endpoints: {@code /plain}, whose policy is a file; {@code /talk} of
 * conversations; {@code /gone}, behind which nothing is; and {@code /signed}, whose messages are
 * kept.
 */
final class PageSite implements AutoCloseable {
  static final String ASK =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><do xmlns=\"urn:t\"/></s:Body></s:Envelope>";
  static final String PASSWORD = "tide and time";

  private final Path policy;
  private final Path signed;
  private final Path evidence;
  private final RecordingService service =
      new RecordingService(RecordingService.with(200, "text/xml", ASK.replace("do", "done")));
  private final RunningGateway gateway;
  private final Holder ada;

  PageSite(Path folder, Map<String, Object> extra) {
    try {
      GridAuthority grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
      GridAuthority.Holder files = grid.person("/C=DE/O=Example/CN=Ada");
      grid.publishRevocations();
      Credential own =
          ThrowAwayAuthority.in(folder.resolve("hosts"), Clock.systemUTC())
              .issuer()
              .issueHost(
                  new HostCertificateRequest(
                      List.of("messages.example.org"), KeyKind.RSA_2048, Duration.ofDays(3)));
      own.write(folder.resolve("message.pem"), folder.resolve("message-key.pem"));
      Path users =
          Files.createFile(
              folder.resolve("users"),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(users, "ada:" + PASSWORD + "\n");
      ada =
          new Holder(
              Credential.read(files.certificate(), files.key()),
              own.certificate(),
              null,
              null,
              null);
      policy = folder.resolve("plain-policy.xml");
      publish("none");
      signed = folder.resolve("signed-policy.xml");
      publishSigned("x509");
      evidence = folder.resolve("evidence");
      Map<String, Object> settings = new LinkedHashMap<>();
      settings.putAll(RunningGateway.endpoint(0, "/plain", policy.toString(), service.address()));
      settings.putAll(RunningGateway.endpoint(1, "/talk", "conversation", service.address()));
      settings.putAll(
          RunningGateway.endpoint(
              2, "/gone", "none", URI.create("http://127.0.0.1:" + FreePort.next() + "/service")));
      settings.putAll(RunningGateway.endpoint(3, "/signed", signed.toString(), service.address()));
      settings.put("staithe.endpoints[3].evidence", true);
      settings.put("staithe.evidence.folder", evidence);
      settings.put("staithe.message.certificate", folder.resolve("message.pem"));
      settings.put("staithe.message.key", folder.resolve("message-key.pem"));
      settings.put("staithe.message.trust", grid.trust());
      settings.put("staithe.message.replay-most", 5000);
      settings.put("staithe.contexts.most", 700);
      settings.put("staithe.users.file", users);
      settings.put("staithe.tls.check-interval", "1s");
      settings.putAll(extra);
      gateway = RunningGateway.start(Files.createDirectory(folder.resolve("gateway")), settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a built-in document into the file of {@code /plain}. */
  void publish(String name) throws IOException {
    Files.write(policy, BuiltInPolicies.document(name, AlgorithmList.MODERN));
  }

  /** Puts a built-in document into the file of {@code /signed}. */
  void publishSigned(String name) throws IOException {
    Files.write(signed, BuiltInPolicies.document(name, AlgorithmList.MODERN));
  }

  /** Where signed messages are kept. */
  Path evidence() {
    return evidence;
  }

  /** Sends a signed message that is kept. */
  SoapResponse sign() throws IOException {
    URI at = URI.create(gateway.url() + "/signed");
    try (var caller =
        new SoapCaller(
            at,
            BuiltInPolicies.policy("x509", AlgorithmList.MODERN),
            ada,
            gateway.authority().clientContext(),
            Clock.systemUTC())) {
      return caller.call(
          PlainRequest.of(
              SoapVersion.SOAP_1_1, "urn:t:do", at.toString(), "<do xmlns=\"urn:t\"></do>"));
    }
  }

  /** Puts something else there. */
  void publishText(String document) throws IOException {
    Files.writeString(policy, document);
  }

  RunningGateway gateway() {
    return gateway;
  }

  RecordingService service() {
    return service;
  }

  /** Speaks with {@code /talk}. */
  SoapCaller caller() throws IOException {
    return new SoapCaller(
        talk(),
        BuiltInPolicies.policy("conversation", AlgorithmList.MODERN),
        ada,
        gateway.authority().clientContext(),
        Clock.systemUTC());
  }

  PlainRequest request() {
    return PlainRequest.of(
        SoapVersion.SOAP_1_1, "urn:t:do", talk().toString(), "<do xmlns=\"urn:t\"></do>");
  }

  private URI talk() {
    return URI.create(gateway.url() + "/talk");
  }

  @Override
  public void close() {
    gateway.close();
    service.close();
  }
}
