package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Curl;
import dev.staithe.testkit.GridAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates and proxies as a credential, shown by {@code curl --cert}. */
class ClientCertificateTests {
  @TempDir static Path shared;
  private static GridAuthority authority;
  private static GridAuthority.Holder ada;

  @TempDir Path folder;
  private RunningStorage storage;

  @BeforeAll
  static void makePeople() {
    authority = GridAuthority.in(shared.resolve("grid"), Clock.systemUTC());
    ada = authority.person("/C=DE/O=Example/CN=Ada");
  }

  private void start(Map<String, Object> extra) {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("staithe.client-certificates.trust", authority.trust());
    properties.put("staithe.areas[0].subjects[0].subject", "CN=Ada,O=Example,C=DE");
    properties.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/ada");
    properties.putAll(extra);
    storage = RunningStorage.beside(RunningStorage.shared(), folder.resolve("storage"), properties);
  }

  @AfterEach
  void stop() {
    if (storage != null) {
      storage.close();
    }
  }

  private Curl curl(String path, GridAuthority.Holder holder) {
    return storage
        .curl(path)
        .option("cert", holder.certificate().toString())
        .option("key", holder.key().toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"conscrypt", "jdk"})
  void personAndItsProxiesMayDoWhatTheirSubjectIsGranted(String provider) throws IOException {
    start(Map.of("staithe.tls.provider", provider));
    Path file = Files.writeString(folder.resolve("file"), "grain");
    Files.createDirectories(storage.data().resolve("ada"));
    int n = 0;
    for (GridAuthority.Holder holder :
        new GridAuthority.Holder[] {
          ada,
          authority.proxy(ada),
          authority.proxy(ada, "-limited"),
          authority.vomsProxy(ada, "-rfc"),
          authority.proxy(authority.proxy(ada))
        }) {
      String path = "/data/ada/file-" + n++;

      assertThat(curl(path, holder).upload(file).run().status()).isEqualTo(201);
      assertThat(curl(path, holder).run().text()).isEqualTo("grain");
      Curl.Response elsewhere = curl("/data/other", holder).upload(file).run();
      assertThat(elsewhere.status()).isEqualTo(403);
      assertThat(elsewhere.text()).contains("CN=Ada,O=Example,C=DE").doesNotContain("CN=proxy");
    }
  }
}
