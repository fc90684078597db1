package dev.staithe.storage.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TransferBuffersTests {
  @Test
  void placeOfABufferForWhichThereIsNoMemoryIsFreeAgain() throws Exception {
    AtomicBoolean full = new AtomicBoolean(true);
    TransferBuffers buffers =
        new TransferBuffers(
            0,
            bytes -> {
              if (full.get()) {
                throw new OutOfMemoryError("thrown on purpose");
              }
              return ByteBuffer.allocateDirect(bytes);
            });
    for (int i = 0; i < 2 * buffers.most(); i++) {
      assertThatThrownBy(() -> buffers.take("one", 0)).isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(buffers.taken()).isZero();
    full.set(false);
    try (TransferBuffers.Share share = buffers.take("one", 0)) {
      assertThat(share).isNotNull();
      assertThat(buffers.taken()).isEqualTo(1);
    }
    assertThat(buffers.taken()).isZero();
  }
}
