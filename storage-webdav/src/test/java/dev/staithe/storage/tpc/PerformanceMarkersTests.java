package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

final class PerformanceMarkersTests {
  private final PerformanceMarkers markers =
      new PerformanceMarkers(Clock.fixed(Instant.ofEpochSecond(1795225338), ZoneOffset.UTC));

  private String marker(CopyProgress progress) {
    return StandardCharsets.UTF_8.decode(markers.marker(progress)).toString();
  }

  private static String end(CopyResult result) {
    return StandardCharsets.UTF_8.decode(PerformanceMarkers.end(result)).toString();
  }

  @Test
  void markerIsWhatClientsParse() {
    CopyProgress progress = new CopyProgress();
    progress.enter(CopyProgress.Phase.TRANSFERRING);
    progress.moved(5242880);
    progress.connected(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 8443));
    progress.connected(new InetSocketAddress(InetAddress.ofLiteral("2001:db8::7"), 8443));
    progress.connected(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 8443));
    assertThat(marker(progress))
        .isEqualTo(
            """
            Perf Marker
            Timestamp: 1795225338
            State: transferring
            Stripe Index: 0
            Stripe Bytes Transferred: 5242880
            Total Stripe Count: 1
            RemoteConnections: tcp:192.0.2.7:8443,tcp:[2001:db8:0:0:0:0:0:7]:8443
            End
            """);
  }

  @Test
  void byteCountBeginsAtTheColumnWhereDavixReadsIt() {
    CopyProgress progress = new CopyProgress();
    progress.moved(7);
    assertThat(marker(progress).lines().filter(line -> line.startsWith("Stripe Bytes")))
        .singleElement()
        .satisfies(line -> assertThat(line.substring(26)).isEqualTo("7"));
  }

  @Test
  void bytesNeverDecrease() {
    CopyProgress progress = new CopyProgress();
    progress.moved(100);
    progress.moved(10);
    assertThat(marker(progress)).contains("Stripe Bytes Transferred: 100\n");
  }

  @Test
  void lineOfRemotesStaysBelowTheClientsLimit() {
    CopyProgress progress = new CopyProgress();
    for (int i = 0; i < 200; i++) {
      progress.connected(new InetSocketAddress(InetAddress.ofLiteral("192.0.2." + i), 8443));
    }
    assertThat(marker(progress).lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThan(1000));
  }

  @Test
  void lastLineTellsTheOutcome() {
    Checksum sum = new Checksum(ChecksumAlgorithm.ADLER32, new byte[4]);
    assertThat(end(new CopyResult.Copied(1, sum, true))).isEqualTo("success: Created\n");
    assertThat(end(new CopyResult.Failed("no", 0))).isEqualTo("failure: no\n");
    assertThat(end(new CopyResult.Aborted("server shutting down")))
        .isEqualTo("aborted: server shutting down\n");
  }

  @Test
  void remoteTextCannotForgeAnotherLastLine() {
    assertThat(end(new CopyResult.Failed("bad\r\nsuccess: Created\u2028success\u0000\u0085x", 0)))
        .isEqualTo("failure: bad success: Created success x\n");
  }

  @Test
  void lastLineStaysShort() {
    String line = end(new CopyResult.Failed("\u20ac".repeat(5000), 0));
    assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThan(1023);
    assertThat(line).startsWith("failure: \u20ac").endsWith("\n");
  }
}
