package dev.staithe.tls;

/** Sizes of the buffers for several TLS records. */
final class BatchSize {
  /** RFC 8446 §5.1: the most data of one record. */
  static final int RECORD_DATA = 16 * 1024;

  /**
   * What implementations want free for one record, and what their sessions report: a full record
   * with the largest header, padding and tag of any version.
   */
  static final int RECORD_PACKET = 16_709;

  /**
   * More than the data, because Jetty decrypts in place only into a buffer that is larger than the
   * size reported, and the JDK wants a few bytes free beyond the data of the last record.
   */
  private static final int DATA_SLACK = 512;

  private static final int LEAST = 32 * 1024;
  private static final int MOST = 4 * 1024 * 1024;

  private BatchSize() {}

  static void check(int batchBytes) {
    if (batchBytes != 0 && (batchBytes < LEAST || batchBytes > MOST)) {
      throw new IllegalArgumentException(
          "the batch is 0 or " + LEAST + " to " + MOST + " bytes, not " + batchBytes);
    }
  }

  static int packets(int batchBytes) {
    return records(batchBytes) * RECORD_PACKET;
  }

  static int data(int batchBytes) {
    return records(batchBytes) * RECORD_DATA + DATA_SLACK;
  }

  /** One more than full records would take, as the JDK puts a few bytes less into each. */
  private static int records(int batchBytes) {
    return Math.ceilDiv(batchBytes, RECORD_DATA) + 1;
  }

  static int largestBuffer(int batchBytes) {
    return Math.max(packets(batchBytes), RECORD_PACKET);
  }
}
