package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.math.BigInteger;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The host certificate in its file and on the wire, the TLS provider, the address. */
class ReloadIT {
  @TempDir Path folder;

  private static BigInteger serialShown(RunningStorage storage) {
    try (RawClient client = RawClient.to(storage.port(), storage.authority())) {
      return serial(client);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static BigInteger serial(RawClient client) throws IOException {
    return ((X509Certificate) client.socket().getSession().getPeerCertificates()[0])
        .getSerialNumber();
  }

  private static void asks(RawClient client) throws IOException {
    client.send("HEAD /open/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
  }

  private void put(ThrowAwayAuthority.Host host) throws IOException {
    Files.copy(host.key(), folder.resolve("host-key.pem"), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(host.certificate(), folder.resolve("host.pem"), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void newCertificateIsShownToNewConnectionsAndABrokenOneToNobody() throws IOException {
    // The server's own authority exists once it runs, so it begins with a stranger's certificate.
    put(
        ThrowAwayAuthority.in(folder.resolve("stranger"), Clock.systemUTC())
            .host("localhost", "127.0.0.1"));
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.tls.certificate", folder.resolve("host.pem"));
    settings.put("staithe.tls.key", folder.resolve("host-key.pem"));
    settings.put("staithe.tls.check-interval", "1s");
    try (RunningStorage storage = RunningStorage.start(folder.resolve("element"), settings)) {
      assertThat(shown(storage)).isFalse();
      put(storage.authority().host("localhost", "127.0.0.1", "first.test"));
      Eventually.holds("a trusted certificate is shown", () -> shown(storage));
      try (RawClient kept = RawClient.to(storage.port(), storage.authority())) {
        BigInteger before = serial(kept);
        asks(kept);

        put(storage.authority().host("localhost", "127.0.0.1", "again.test"));
        Eventually.holds("the new one is shown", () -> !serialShown(storage).equals(before));
        BigInteger after = serialShown(storage);
        asks(kept);
        assertThat(health(storage)).doesNotContain("\"error\"");

        Files.writeString(folder.resolve("host.pem"), "no certificate any more\n");
        Eventually.holds("health tells", () -> health(storage).contains("\"error\""));
        assertThat(health(storage)).doesNotContain(folder.toString());
        assertThat(serialShown(storage)).isEqualTo(after);
        asks(kept);

        put(storage.authority().host("localhost", "127.0.0.1", "last.test"));
        Eventually.holds("it recovers", () -> !serialShown(storage).equals(after));
        Eventually.holds("health recovers", () -> !health(storage).contains("\"error\""));
        asks(kept);
      }
    }
  }

  /** Whether a client of the storage's own authority can connect. */
  private static boolean shown(RunningStorage storage) {
    return storage.curl("/open/").run().status() == 200;
  }

  private static String health(RunningStorage storage) {
    return storage.curl("/.staithe/health").run().text();
  }

  @Test
  void servesAndCopiesWithTheTlsOfTheJdk() throws IOException {
    Map<String, Object> jdk = Map.of("staithe.tls.provider", "jdk");
    try (RunningStorage one = RunningStorage.start(folder.resolve("one"), jdk);
        RunningStorage other = RunningStorage.beside(one, folder.resolve("other"), jdk)) {
      Path file = folder.resolve("file");
      Sample sample = Sample.write(file, 1, 10_000_001);
      assertThat(one.curl("/data/f").token(one.token()).upload(file).run().status()).isEqualTo(201);
      CopyAnswer.ofOurs(
              other
                  .curl("/data/f")
                  .method("COPY")
                  .token(one.token())
                  .header("Credential", "none")
                  .header("TransferHeaderAuthorization", "Bearer " + one.token())
                  .header("Source", one.url("/data/f"))
                  .run())
          .succeeded(sample.size());
      Curl.Response got = other.curl("/data/f").token(one.token()).run();
      assertThat(Sample.ofBytes(got.body())).isEqualTo(sample);
    }
  }

  @Test
  void listensAtTheConfiguredAddressOnly() throws IOException {
    try (RunningStorage storage =
        RunningStorage.start(folder.resolve("v4"), Map.of("server.address", "127.0.0.2"))) {
      try (RawClient client = RawClient.to("127.0.0.2", storage.port(), storage.authority())) {
        asks(client);
      }
      for (String elsewhere : new String[] {"127.0.0.1", "127.0.0.3", "::1"}) {
        assertIsNotAt(elsewhere, storage);
      }
    }
    try (RunningStorage storage =
        RunningStorage.start(folder.resolve("v6"), Map.of("server.address", "::1"))) {
      Curl.Response got =
          Curl.to("https://[::1]:" + storage.port() + "/open/").trusting(storage.authority()).run();
      assertThat(got.status()).as(got.toString()).isEqualTo(200);
      assertIsNotAt("127.0.0.1", storage);
    }
  }

  /** Nobody listens there, or a stranger, who has the port by chance and no key that we trust. */
  private static void assertIsNotAt(String address, RunningStorage storage) {
    Assertions.assertThatThrownBy(
            () -> RawClient.to(address, storage.port(), storage.authority()).close())
        .as(address)
        .isInstanceOfAny(ConnectException.class, SSLException.class);
  }
}
