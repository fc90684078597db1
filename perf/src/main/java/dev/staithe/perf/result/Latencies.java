package dev.staithe.perf.result;

import dev.staithe.perf.lean.Part;
import dev.staithe.perf.lean.RequestTally;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Reads the histograms of samples. */
public final class Latencies {
  private static final int DIGITS = 3;

  private Latencies() {}

  /** What is read from single samples; the mean besides. */
  private static final double[] OF_A_SAMPLE = {99, 100};

  /** Of all requests; absent where there is none, or one that was cut short. */
  public static Optional<Distribution> of(Sample sample) {
    String text = sample.latencies();
    return text == null ? Optional.empty() : read(text);
  }

  /** The same of one type of request. */
  public static Optional<Distribution> of(Sample sample, String type) {
    Part part = sample.parts().get(type);
    return part == null || part.requests() == 0 ? Optional.empty() : read(part.latencies());
  }

  private static Optional<Distribution> read(String text) {
    return Distribution.parsed(text)
        .or(() -> decoded(text).map(histogram -> Distribution.of(histogram, OF_A_SAMPLE)));
  }

  /**
   * The sample of a summary: its histograms became text that tells what is read from one sample.
   */
  public static Sample summed(Sample sample) {
    var parts = new LinkedHashMap<String, Part>();
    sample
        .parts()
        .forEach(
            (type, part) ->
                parts.put(
                    type,
                    new Part(
                        part.requests(), part.errors(), part.refused(), summed(part.latencies()))));
    String latencies = sample.latencies();
    return sample.with(latencies == null ? null : summed(latencies), parts);
  }

  private static String summed(String text) {
    return read(text).map(Distribution::text).orElse("");
  }

  /**
   * The histograms of several samples added up.
   *
   * @param texts of each
   * @return absent where there is none, or one that was cut short
   */
  public static Optional<Distribution> added(List<String> texts, double... percents) {
    Histogram all = null;
    for (String text : texts) {
      Optional<Histogram> one = decoded(text);
      if (one.isEmpty()) {
        return Optional.empty();
      }
      if (all == null) {
        all = one.get();
      } else {
        all.add(one.get());
      }
    }
    return Optional.ofNullable(all).map(histogram -> Distribution.of(histogram, percents));
  }

  /** What came of one request that is told by a value. */
  public static Part one(long value) {
    var histogram = new Histogram(DIGITS);
    histogram.recordValue(Math.max(0, value));
    return new Part(1, 0, 0, RequestTally.encoded(histogram));
  }

  /**
   * One from its compressed form in Base64; it grows where values are added.
   *
   * @return absent where the text is none
   */
  static Optional<Histogram> decoded(String text) {
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
