package dev.staithe.s3;

/**
 * How large the parts of an upload are: each is some buffers, and grown so that 10,000 suffice.
 *
 * @param known whether the length was announced
 * @param buffers of each part where it was
 */
public record PartPlan(boolean known, int buffers) {
  /** Bytes of a buffer; an upload that fits into one is no upload in parts. */
  public static final int BUFFER = 16 << 20;

  /** What engines take of parts, and of buffers in one. */
  public static final int MOST_PARTS = 10_000;

  private static final int MOST_BUFFERS = 4;

  /** Parts of 16 MiB, then of 32, where nobody has said how many there will be. */
  private static final int SMALL_UNTIL = 2_000;

  private static final int MIDDLE_UNTIL = 4_000;

  /** Bytes of the largest object that was announced: 625 GiB. */
  public static final long MOST = (long) BUFFER * MOST_BUFFERS * MOST_PARTS;

  /**
   * For a length.
   *
   * @param length bytes, or -1 where it is not known; at most {@link #MOST}
   */
  public static PartPlan of(long length) {
    if (length > MOST) {
      throw new IllegalArgumentException("no upload has so many parts");
    }
    int buffers = 1;
    while ((long) buffers * BUFFER * MOST_PARTS < length) {
      buffers *= 2;
    }
    return new PartPlan(length >= 0, buffers);
  }

  /**
   * Buffers of a part.
   *
   * @param number from 1
   */
  public int buffers(int number) {
    if (known || number <= SMALL_UNTIL) {
      return buffers;
    }
    return number <= MIDDLE_UNTIL ? 2 : MOST_BUFFERS;
  }
}
