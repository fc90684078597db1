package dev.staithe.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.HttpTap;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.cxf.ws.security.SecurityConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Apache CXF's client with MTOM: what it sends in parts comes back as it was. */
final class CxfMtomIT {
  private static final List<String> POLICIES =
      List.of("x509", "encrypted-key", "username", "conversation");

  @TempDir static Path folder;
  private static HttpTap tap;
  private static InteropSite site;
  private static final Map<String, byte[]> DOCUMENTS = new HashMap<>();

  @BeforeAll
  static void start() throws IOException {
    // As others sign the body alone, and as keys are used where none is derived from them.
    document("signed", "x509", "(?s)<sp:EncryptedParts>.*</sp:EncryptedParts>");
    document("direct-key", "encrypted-key", "<sp:RequireDerivedKeys/>");
    document("direct-context", "conversation", "<sp:RequireDerivedKeys/>");
    int port = FreePort.next();
    tap = HttpTap.before(URI.create("http://127.0.0.1:" + port));
    Map<String, Object> extra = new LinkedHashMap<>(InteropSite.withoutTls(port, tap.url("")));
    int number = POLICIES.size() * AlgorithmList.values().length;
    for (String each : List.of("x509", "conversation", "signed", "direct-key", "direct-context")) {
      for (String engine : List.of("auto", "dom")) {
        String key = "staithe.endpoints[" + number++ + "].";
        extra.put(key + "path", "/" + each + "-" + engine);
        extra.put(
            key + "policy", DOCUMENTS.containsKey(each) ? folder.resolve(each + ".xml") : each);
        extra.put(key + "engine", engine);
      }
    }
    site = new InteropSite(folder, null, POLICIES, extra);
  }

  @AfterAll
  static void stop() {
    site.close();
    tap.close();
  }

  private static void document(String name, String from, String without) throws IOException {
    String whole =
        new String(BuiltInPolicies.document(from, AlgorithmList.MODERN), StandardCharsets.UTF_8);
    byte[] document = whole.replaceAll(without, "").getBytes(StandardCharsets.UTF_8);
    DOCUMENTS.put(name, document);
    Files.write(folder.resolve(name + ".xml"), document);
  }

  private static CxfClient client(String endpoint, String soap, Map<String, Object> properties)
      throws Exception {
    String policy = endpoint.substring(0, endpoint.lastIndexOf('-'));
    AlgorithmList list =
        endpoint.endsWith("interop") ? AlgorithmList.INTEROP : AlgorithmList.MODERN;
    byte[] document = DOCUMENTS.get(policy);
    CxfClient.Draft draft =
        site.client(tap.url("/" + endpoint), soap, site.caller().credential())
            .user(InteropSite.USER, InteropSite.PASSWORD)
            .with(SecurityConstants.VALIDATE_TOKEN, !policy.equals("username"));
    for (Map.Entry<String, Object> each : properties.entrySet()) {
      draft = draft.with(each.getKey(), each.getValue());
    }
    return draft.policy(document == null ? BuiltInPolicies.document(policy, list) : document);
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static String sent() {
    HttpTap.Passed passed = tap.passed().getLast();
    assertThat(passed.contentType()).startsWith("multipart/related");
    return new String(passed.request(), StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({
    "x509-modern, 1.1",
    "x509-modern, 1.2",
    "x509-interop, 1.2",
    "x509-dom, 1.1",
    "signed-auto, 1.1",
    "signed-auto, 1.2",
    "signed-dom, 1.1",
    "direct-key-auto, 1.1",
    "direct-context-auto, 1.1",
    "direct-context-dom, 1.2"
  })
  void bytesInPartsComeBackAsTheyWere(String endpoint, String soap) throws Exception {
    try (CxfClient client = client(endpoint, soap, Map.of(CxfClient.BYTES, true))) {
      for (int size : new int[] {1, 5_000, 300_000}) {
        assertThat(client.call(bytes(size))).isEqualTo(bytes(size));
        assertThat(sent()).contains("http://www.w3.org/2004/08/xop/include");
      }
    }
  }

  /** Keys, and what is encrypted, travel in parts also where there are no bytes. */
  @ParameterizedTest
  @CsvSource({
    "x509-modern, 1.1",
    "encrypted-key-modern, 1.1",
    "encrypted-key-interop, 1.2",
    "username-modern, 1.1",
    "conversation-modern, 1.1",
    "conversation-modern, 1.2",
    "conversation-interop, 1.2",
    "conversation-dom, 1.1"
  })
  void ciphertextInPartsIsPutTogether(String endpoint, String soap) throws Exception {
    String say = "<e:echo xmlns:e=\"%s\"><e:say>%s</e:say></e:echo>";
    try (CxfClient client = client(endpoint, soap, Map.of("mtom-enabled", true))) {
      for (String word : List.of("tide", "Größe ".repeat(10_000))) {
        assertThat(client.call(say.formatted(EchoBackEnd.NAMESPACE, word))).contains(word);
        assertThat(sent()).contains("application/ciphervalue").doesNotContain(word);
      }
    }
  }

  /** Where it derives keys CXF leaves the body beside the encrypted one, and its part in clear. */
  @ParameterizedTest
  @CsvSource({"encrypted-key-modern, 1.1", "username-modern, 1.1", "conversation-modern, 1.2"})
  void bodyThatCxfLeavesBesideTheEncryptedOneIsRefused(String endpoint, String soap)
      throws Exception {
    try (CxfClient client = client(endpoint, soap, Map.of(CxfClient.BYTES, true))) {
      String before = site.gateway().audit();
      assertThatThrownBy(() -> client.call(bytes(100)))
          .hasMessageContaining("no SOAP envelope that is taken here");
      assertThat(sent()).containsPattern("</soap:Body><soap:Body").contains("<say><xop:Include");
      site.gateway().auditsAfter(before, "\"outcome\":\"malformed\"");
    }
  }

  /** CXF signs the Include alone then; the part may be anything. */
  @ParameterizedTest
  @CsvSource({"x509-modern, coverage", "signed-auto, signature", "signed-dom, signature"})
  void partOfWhichOnlyTheIncludeIsSignedIsRefused(String endpoint, String reason) throws Exception {
    Map<String, Object> properties =
        Map.of(CxfClient.BYTES, true, SecurityConstants.EXPAND_XOP_INCLUDE, false);
    try (CxfClient client = client(endpoint, "1.1", properties)) {
      String before = site.gateway().audit();
      assertThatThrownBy(() -> client.call(bytes(100)))
          .hasMessageContaining("the message's security is not valid");
      site.gateway().auditsAfter(before, "\"outcome\":\"" + reason + "\"");
    }
  }
}
