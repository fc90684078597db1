package dev.staithe.perf.study;

import dev.staithe.perf.scenario.Part;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Reads the histograms of samples. */
public final class Latencies {
  private Latencies() {}

  /**
   * Of one type of request.
   *
   * @return absent where it has none, or one that was cut short
   */
  public static Optional<Histogram> of(Sample sample, String type) {
    Part part = sample.parts().get(type);
    return part == null || part.requests() == 0 ? Optional.empty() : decoded(part.latencies());
  }

  /** The compressed form in Base64. */
  static String encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /**
   * One from its compressed form in Base64; it grows where values are added.
   *
   * @return absent where the text is none
   */
  public static Optional<Histogram> decoded(String text) {
    try {
      var histogram =
          Histogram.decodeFromCompressedByteBuffer(
              ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
      histogram.setAutoResize(true);
      return Optional.of(histogram);
    } catch (DataFormatException | RuntimeException e) {
      // A histogram that was cut short takes nothing from the other figures.
      return Optional.empty();
    }
  }
}
