package dev.staithe.perf.fit;

/**
 * How long a transfer takes: T = T0 + size/rate.
 *
 * @param startSeconds T0: what each transfer costs however small it is
 * @param bytesPerSecond the rate that large transfers come near to
 */
public record TransferModel(double startSeconds, double bytesPerSecond) {
  /** The seconds that a transfer of so many bytes takes. */
  public double seconds(double bytes) {
    return startSeconds + bytes / bytesPerSecond;
  }

  /** The size in bytes at which half of the rate is reached; zero where T0 is none. */
  public double halfRateBytes() {
    return Math.max(0, startSeconds) * bytesPerSecond;
  }
}
