package dev.staithe.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.HttpTap;
import dev.staithe.wss.policy.AlgorithmList;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** gSOAP's wsse plugin against X.509, with nginx as the service behind. */
final class GsoapClientIT {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"1.1", "1.2"})
  void answerOfTheStaticServiceIsSignedAndEncryptedForTheCaller(String soap) throws IOException {
    GsoapClient client = GsoapClient.compile(Files.createDirectory(folder.resolve("client")), soap);
    int port = FreePort.next();
    try (StaticService service =
            new StaticService(
                Files.createDirectory(folder.resolve("service")),
                soap,
                "<t:answer xmlns:t=\"urn:staithe:tide\"><t:height>2.4 m, rising</t:height></t:answer>");
        HttpTap tap = HttpTap.before(URI.create("http://127.0.0.1:" + port));
        InteropSite site =
            new InteropSite(
                Files.createDirectory(folder.resolve("site")),
                service.address(),
                List.of("x509"),
                InteropSite.withoutTls(port, tap.url("")))) {
      for (AlgorithmList list : AlgorithmList.values()) {
        boolean modern = list == AlgorithmList.MODERN;
        URI url = tap.url(InteropSite.path("x509", list));
        for (int i = 0; i < 2; i++) {
          GsoapClient.Outcome outcome =
              client.ask(url, site, modern ? "modern" : "basic128", "Ostia " + i);

          assertThat(outcome.output()).contains("2.4 m, rising");
          assertThat(outcome.code()).isZero();
          HttpTap.Passed passed = tap.passed().getLast();
          assertThat(new String(passed.request(), StandardCharsets.UTF_8))
              .doesNotContain("Ostia")
              .contains("EncryptedData");
          assertThat(new String(passed.response(), StandardCharsets.UTF_8))
              .doesNotContain("2.4 m")
              .contains("EncryptedData", "SignatureValue");
        }

        // Of another suite than the policy names.
        String before = site.gateway().audit();
        assertThat(client.ask(url, site, modern ? "basic128" : "modern", "Ostia").code())
            .isEqualTo(1);
        site.gateway().auditsAfter(before, "\"outcome\":\"algorithm\"");
      }
    }
  }
}
