package dev.staithe.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.HttpTap;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
  private static byte[] signed;

  @BeforeAll
  static void start() throws IOException {
    signed =
        new String(BuiltInPolicies.document("x509", AlgorithmList.MODERN), StandardCharsets.UTF_8)
            .replaceAll("(?s)<sp:EncryptedParts>.*</sp:EncryptedParts>", "")
            .getBytes(StandardCharsets.UTF_8);
    Path document = Files.write(folder.resolve("signed.xml"), signed);
    int port = InteropSite.freePort();
    tap = HttpTap.before(URI.create("http://127.0.0.1:" + port));
    Map<String, Object> extra = new LinkedHashMap<>(InteropSite.withoutTls(port, tap.url("")));
    int number = POLICIES.size() * AlgorithmList.values().length;
    for (String each : List.of("x509", "conversation", "signed")) {
      for (String engine : List.of("auto", "dom")) {
        String key = "staithe.endpoints[" + number++ + "].";
        extra.put(key + "path", "/" + each + "-" + engine);
        extra.put(key + "policy", each.equals("signed") ? document : each);
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

  @ParameterizedTest
  @CsvSource({
    "x509-modern, 1.1",
    "x509-modern, 1.2",
    "x509-interop, 1.2",
    "x509-dom, 1.1",
    "encrypted-key-modern, 1.1",
    "encrypted-key-interop, 1.2",
    "username-modern, 1.1",
    "conversation-modern, 1.1",
    "conversation-modern, 1.2",
    "conversation-interop, 1.2",
    "conversation-dom, 1.1",
    "signed-auto, 1.1",
    "signed-auto, 1.2",
    "signed-dom, 1.1"
  })
  void bytesInPartsComeBackAsTheyWere(String endpoint, String soap) throws Exception {
    String policy = endpoint.substring(0, endpoint.lastIndexOf('-'));
    AlgorithmList list =
        endpoint.endsWith("interop") ? AlgorithmList.INTEROP : AlgorithmList.MODERN;
    byte[] document = policy.equals("signed") ? signed : BuiltInPolicies.document(policy, list);
    try (CxfClient client =
        site.client(tap.url("/" + endpoint), soap, site.caller().credential())
            .user(InteropSite.USER, InteropSite.PASSWORD)
            .with("ws-security.validate.token", !policy.equals("username"))
            .parts()
            .policy(document)) {
      for (int size : new int[] {1, 5_000, 300_000}) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);

        assertThat(client.call(bytes)).isEqualTo(bytes);

        HttpTap.Passed passed = tap.passed().getLast();
        assertThat(passed.contentType()).startsWith("multipart/related");
        assertThat(new String(passed.request(), StandardCharsets.ISO_8859_1))
            .contains("http://www.w3.org/2004/08/xop/include");
      }
    }
  }
}
