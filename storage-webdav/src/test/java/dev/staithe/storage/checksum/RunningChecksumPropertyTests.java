package dev.staithe.storage.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Adler32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class RunningChecksumPropertyTests {
  private static int adler(byte[] bytes) {
    Adler32 sum = new Adler32();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  @Property
  void checksumsOfTwoPartsCombineToThatOfTheWhole(
      @ForAll @Size(max = 20_000) byte[] whole, @ForAll @IntRange(max = 20_000) int cut) {
    int at = Math.min(cut, whole.length);
    byte[] first = Arrays.copyOfRange(whole, 0, at);
    byte[] second = Arrays.copyOfRange(whole, at, whole.length);
    assertThat(RunningChecksum.Adler.combine(adler(first), adler(second), second.length))
        .isEqualTo(adler(whole));
  }

  @Property(tries = 50)
  void partsBeyondTheModulusCombineToo(
      @ForAll @IntRange(min = 65_000, max = 400_000) int length, @ForAll byte filling) {
    byte[] second = new byte[length];
    Arrays.fill(second, filling);
    byte[] whole = Arrays.copyOf(new byte[] {1, 2, 3}, length + 3);
    System.arraycopy(second, 0, whole, 3, length);
    assertThat(
            RunningChecksum.Adler.combine(
                adler(new byte[] {1, 2, 3}), adler(second), second.length))
        .isEqualTo(adler(whole));
  }

  /** What so many zeros have (RFC 1950 section 8.2). */
  private static int zeros(long length) {
    return (int) (length % 65_521) << 16 | 1;
  }

  @Property
  void stripesOfFilesBeyondThirtyTwoBitsCombine(
      @ForAll @LongRange(min = 0, max = 1L << 36) long first,
      @ForAll @LongRange(min = 0, max = 1L << 36) long second) {
    assertThat(zeros(10)).isEqualTo(adler(new byte[10]));
    assertThat(RunningChecksum.Adler.combine(zeros(first), zeros(second), second))
        .isEqualTo(zeros(first + second));
  }

  @Property(tries = 200)
  void bytesThatComeInPiecesMakeTheSameChecksum(
      @ForAll @Size(max = 5_000) byte[] whole,
      @ForAll @IntRange(min = 1, max = 999) int piece,
      @ForAll ChecksumAlgorithm algorithm,
      @ForAll boolean direct) {
    RunningChecksum once = RunningChecksum.of(algorithm);
    once.update(ByteBuffer.wrap(whole));
    RunningChecksum pieces = RunningChecksum.of(algorithm);
    for (int at = 0; at < whole.length; at += piece) {
      int length = Math.min(piece, whole.length - at);
      ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
      buffer.put(whole, at, length).flip();
      pieces.update(buffer);
      assertThat(buffer.remaining()).as("the position is left alone").isEqualTo(length);
    }
    assertThat(pieces.finish()).isEqualTo(once.finish());
  }
}
