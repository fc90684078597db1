package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MarkerStreamTests {
  private static final Instant ANSWERED = Instant.ofEpochSecond(1000);

  @Test
  void copyThatCountsUpAndSucceedsHasNoFault() {
    String body = marker(1000, 0, 0) + marker(1005, 0, 7) + marker(1010, 0, 7);
    assertThat(fault(body + "success: Created\n")).isEmpty();
    assertThat(MarkerStream.parse(body + "success: Created\n").count()).isEqualTo(3);
  }

  @Test
  void fieldsMayBeIndentedInAnyCaseAndUnknown() {
    String body =
        "perf marker\n    TIMESTAMP: 1000.5\n    State: Running\n    stripe bytes transferred: 3\nEnd\n";
    assertThat(MarkerStream.parse(body + "success").markers())
        .containsExactly(new MarkerStream.Marker(Instant.ofEpochSecond(1000), 0, 3));
  }

  @Test
  void lastLineThatSaysFailureIsTheFault() {
    assertThat(fault(marker(1000, 0, 0) + "failure: rejected GET: 404 Not Found\n"))
        .contains("failure: rejected GET: 404 Not Found");
  }

  @Test
  void successBeforeTheLastLineDoesNotCount() {
    assertThat(fault(marker(1000, 0, 0) + "success: Created\n" + marker(1001, 0, 1)))
        .contains("End");
    assertThat(fault("success\n" + marker(1000, 0, 0) + "aborted: shut down")).isPresent();
  }

  @Test
  void bodyThatIsCutOffIsAFault() {
    assertThat(fault("")).contains("no last line");
    assertThatThrownBy(() -> MarkerStream.parse("Perf Marker\nTimestamp: 1000\n"))
        .hasMessage("a marker that does not end");
  }

  @Test
  void copyWithoutAnyMarkerIsAFault() {
    assertThat(fault("success: Created\n")).contains("no marker");
  }

  @Test
  void bytesThatFallAreAFault() {
    assertThat(fault(marker(1000, 0, 9) + marker(1001, 0, 8) + "success"))
        .contains("bytes fell from 9 to 8");
  }

  @Test
  void eachStripeCountsForItself() {
    assertThat(fault(marker(1000, 0, 9) + marker(1000, 1, 2) + marker(1001, 0, 9) + "success"))
        .isEmpty();
  }

  @Test
  void firstMarkerThatComesLateIsAFault() {
    assertThat(fault(marker(1005, 0, 0) + "success")).contains("the first marker came late");
    assertThat(MarkerStream.parse(marker(1005, 0, 0) + "success").fault(Optional.empty()))
        .as("where the server does not tell its time")
        .isEmpty();
  }

  @Test
  void halfAMinuteOfSilenceIsAFault() {
    assertThat(fault(marker(1000, 0, 0) + marker(1031, 0, 1) + "success"))
        .contains("more than 30 s without a marker");
  }

  @Test
  void markerWithoutItsBytesCannotBeRead() {
    assertThatThrownBy(() -> MarkerStream.parse("Perf Marker\nTimestamp: 1\nEnd\nsuccess"))
        .hasMessage("a marker without stripe bytes transferred");
    assertThatThrownBy(() -> MarkerStream.parse(marker(1000, 0, 0).replace("1000", "soon")))
        .hasMessage("a marker whose timestamp is no number");
  }

  private static Optional<String> fault(String body) {
    return MarkerStream.parse(body).fault(Optional.of(ANSWERED));
  }

  private static String marker(long time, int stripe, long bytes) {
    return """
        Perf Marker
        Timestamp: %d
        Stripe Index: %d
        Stripe Bytes Transferred: %d
        Total Stripe Count: 2
        End
        """
        .formatted(time, stripe, bytes);
  }
}
