package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.XrootdServer;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XRootD's server as the passive party. */
final class XrootdCopyIT {
  @TempDir Path folder;

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  @Test
  void xrootdIsPulledFromAndPushedToWithChecksumsCompared() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    byte[] content = bytes(70_000_000);
    try (XrootdServer xrootd = XrootdServer.start(authority.server());
        ClientTls tls = TlsCopyTests.client(authority, TlsProvider.Choice.AUTO);
        Element element =
            Element.start(folder.resolve("here"), XrootdCopyIT::patient, null, tls::engine)) {
      xrootd.putFile("source", content);
      for (String streams : new String[] {"1", "4"}) {
        Element.Answer pulled =
            element.copy(
                "/data/pulled" + streams,
                "Source: " + xrootd.url("/source"),
                "TransferHeaderAuthorization: Bearer ignored",
                "X-Number-Of-Streams: " + streams,
                "RequireChecksumVerification: true");
        assertThat(pulled.last()).isEqualTo("success: Created");
        assertThat(Files.readAllBytes(element.file("pulled" + streams))).isEqualTo(content);
      }
      Element.Answer pushed =
          element.copy(
              "/data/pulled1",
              "Destination: " + xrootd.url("/pushed"),
              "TransferHeaderAuthorization: Bearer ignored",
              "RequireChecksumVerification: true");
      assertThat(pushed.last()).isEqualTo("success: Created");
      assertThat(Files.readAllBytes(xrootd.dataFolder().resolve("pushed"))).isEqualTo(content);
      assertThat(
              element
                  .copy(
                      "/data/pulled1",
                      "Destination: " + xrootd.url("/pushed"),
                      "TransferHeaderAuthorization: Bearer ignored",
                      "Overwrite: F")
                  .status())
          .isEqualTo(412);
      Element.Answer missing = element.copy("/data/none", "Source: " + xrootd.url("/missing"));
      assertThat(missing.status()).as(missing.body()).isEqualTo(404);
    }
  }

  private static CopySettings patient(CopySettings s) {
    return SettingsDraft.like(s).timeouts(CopySettings.Timeouts.defaults()).done();
  }
}
