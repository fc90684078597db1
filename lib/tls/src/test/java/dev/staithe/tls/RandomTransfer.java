package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * Sends random data through two engines in pieces and buffers of random size, as a caller that does
 * what the results tell it, and checks every count on the way.
 */
final class RandomTransfer {
  private static final int UNDERWAY = 500_000;
  private static final int MOST_AT_ONCE = 400_000;
  private static final int ENOUGH = 20_000;

  private final String description;
  private final Random random;
  private final SSLEngine sender;
  private final SSLEngine receiver;
  private final ByteBuffer forward;
  private final ByteBuffer back;
  private int idle;

  private RandomTransfer(
      String description,
      int seed,
      SSLEngine sender,
      SSLEngine receiver,
      ByteBuffer forward,
      ByteBuffer back) {
    this.description = description;
    this.random = new Random(seed);
    this.sender = sender;
    this.receiver = receiver;
    this.forward = forward;
    this.back = back;
  }

  static RandomTransfer toServer(String description, int seed, Wire wire) {
    return new RandomTransfer(
        description, seed, wire.client, wire.server, wire.toServer, wire.toClient);
  }

  static RandomTransfer toClient(String description, int seed, Wire wire) {
    return new RandomTransfer(
        description + ", back", seed, wire.server, wire.client, wire.toClient, wire.toServer);
  }

  void run(int length) throws SSLException {
    byte[] sent = new byte[length];
    random.nextBytes(sent);
    var received = ByteBuffer.allocate(length);
    int position = 0;
    while (received.hasRemaining()) {
      assertThat(idle)
          .as("stuck: %s at %d of %d", description, received.position(), length)
          .isLessThan(200);
      if (position < length && forward.position() < UNDERWAY && random.nextBoolean()) {
        position += send(sent, position);
      } else {
        receive(received);
      }
      answer();
    }
    assertThat(received.array()).as(description).isEqualTo(sent);
  }

  private int send(byte[] data, int from) throws SSLException {
    int length = Math.min(data.length - from, pick(1, MOST_AT_ONCE));
    ByteBuffer[] sources = split(data, from, length);
    ByteBuffer destination = buffer(random.nextInt(8) == 0 ? pick(0, 16_000) : pick(0, 600_000));
    SSLEngineResult result = sender.wrap(sources, destination);
    int left = 0;
    for (ByteBuffer source : sources) {
      left += source.remaining();
    }
    assertThat(result.bytesConsumed()).as(description).isEqualTo(length - left);
    assertThat(result.bytesProduced()).as(description).isEqualTo(destination.position());
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      assertThat(destination.capacity()).as(description).isLessThan(ENOUGH);
    } else {
      assertThat(result.getStatus()).as(description).isEqualTo(Status.OK);
    }
    forward.put(destination.flip());
    return length - left;
  }

  private void receive(ByteBuffer received) throws SSLException {
    forward.flip();
    try {
      int offered = random.nextInt(4) == 0 ? forward.remaining() : pick(0, forward.remaining());
      ByteBuffer source = forward.slice(0, offered);
      if (random.nextInt(4) == 0) {
        source = ByteBuffer.allocate(offered).put(source).flip();
      }
      boolean small = random.nextInt(8) == 0;
      var destination = buffer(small ? pick(0, 16_000) : ENOUGH + pick(0, 600_000));
      SSLEngineResult result = receiver.unwrap(source, destination);
      assertThat(result.bytesConsumed()).as(description).isEqualTo(source.position());
      assertThat(result.bytesProduced()).as(description).isEqualTo(destination.position());
      switch (result.getStatus()) {
        case BUFFER_OVERFLOW ->
            assertThat(destination.capacity()).as(description).isLessThan(ENOUGH);
        case BUFFER_UNDERFLOW -> {
          assertThat(result.bytesProduced()).as(description).isZero();
          assertThat(result.bytesConsumed()).as(description).isZero();
        }
        default -> assertThat(result.getStatus()).as(description).isEqualTo(Status.OK);
      }
      idle = result.bytesConsumed() + result.bytesProduced() > 0 ? 0 : idle + 1;
      received.put(destination.flip());
      forward.position(source.position());
    } finally {
      forward.compact();
    }
  }

  /** Does for both ends what a key update or a ticket asks for. */
  private void answer() throws SSLException {
    while (receiver.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      receiver.wrap(ByteBuffer.allocate(0), back);
    }
    while (sender.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      sender.wrap(ByteBuffer.allocate(0), forward);
    }
    while (back.position() > 0) {
      Wire.unwrap(sender, back, ByteBuffer.allocateDirect(ENOUGH));
    }
    for (SSLEngine engine : new SSLEngine[] {sender, receiver}) {
      if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        engine.getDelegatedTask().run();
      }
    }
  }

  private ByteBuffer[] split(byte[] data, int from, int length) {
    var sources = new ByteBuffer[pick(1, 4)];
    int at = from;
    for (int i = 0; i < sources.length; i++) {
      int part = i == sources.length - 1 ? from + length - at : pick(0, from + length - at);
      sources[i] = buffer(part).put(data, at, part).flip();
      at += part;
    }
    return sources;
  }

  private ByteBuffer buffer(int capacity) {
    return random.nextBoolean()
        ? ByteBuffer.allocate(capacity)
        : ByteBuffer.allocateDirect(capacity);
  }

  /** Small values as often as large ones. */
  private int pick(int least, int most) {
    if (most <= least) {
      return most;
    }
    int range = random.nextInt(3) == 0 ? Math.min(most - least, 50) : most - least;
    return least + random.nextInt(range + 1);
  }
}
