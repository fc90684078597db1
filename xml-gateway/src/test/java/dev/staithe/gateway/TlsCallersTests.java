package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.route.RecordingService;
import dev.staithe.pki.Credential;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers by their certificates in TLS. */
class TlsCallersTests {
  private static final String ASK =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><do xmlns=\"urn:t\"/></s:Body></s:Envelope>";

  /** A person with two common names, as robots have them. */
  private static final String LISTED = "/C=DE/O=Example/CN=Eve/CN=Ada";

  @TempDir Path folder;

  private static int call(RunningGateway gateway, GridAuthority.Holder who) throws Exception {
    Credential own = Credential.read(who.certificate(), who.key());
    try (var client =
        HttpClient.newBuilder().sslContext(gateway.authority().serverContext(own)).build()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(gateway.url() + "/listed"))
                  .header("Content-Type", "text/xml;charset=utf-8")
                  .POST(HttpRequest.BodyPublishers.ofString(ASK))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .statusCode();
    }
  }

  @Test
  void nameWithASlashInAValueIsNotTheCallerThatItLooksLike() throws Exception {
    var authority = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    Path policy = folder.resolve("policy.xml");
    String document =
        new String(
            BuiltInPolicies.document("transport", AlgorithmList.MODERN), StandardCharsets.UTF_8);
    String demanding =
        document.replaceFirst(
            "(<sp:HttpsToken[^>]*>\\s*<wsp:Policy)/>",
            "$1><sp:RequireClientCertificate/></wsp:Policy>");
    assertThat(demanding).isNotEqualTo(document);
    Files.writeString(policy, demanding);
    try (var service =
        new RecordingService(RecordingService.with(200, "text/xml;charset=utf-8", ASK))) {
      Map<String, Object> settings = new LinkedHashMap<>();
      settings.putAll(RunningGateway.endpoint(0, "/listed", policy.toString(), service.address()));
      settings.put("staithe.endpoints[0].callers[0]", LISTED);
      // No folder: there is no file that says which names the authority may give out.
      settings.put("staithe.client-certificates.trust", authority.certificate());
      try (var gateway =
          RunningGateway.start(Files.createDirectory(folder.resolve("gateway")), settings)) {
        assertThat(call(gateway, authority.person(LISTED))).isEqualTo(200);
        assertThat(call(gateway, authority.person("/C=DE/O=Example/CN=Eve\\/CN=Ada")))
            .isEqualTo(500);
        assertThat(service.seen()).hasSize(1);
        gateway.auditsAfter("", "\"event\":\"exchange\",\"outcome\":\"ok\"");
        assertThat(gateway.audit()).contains("\"caller\":\"" + LISTED + '"');
        gateway.auditsAfter("", "\"outcome\":\"not-allowed\"");
        assertThat(gateway.audit()).contains("CN=Eve/CN\\\\=Ada,O=Example,C=DE");
      }
    }
  }
}
