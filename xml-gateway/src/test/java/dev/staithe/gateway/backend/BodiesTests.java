package dev.staithe.gateway.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BodiesTests {
  private static final long MOST = 8L << 20;

  private final Bodies bodies = new Bodies(MOST);

  @Test
  void bodyThatIsOnlyAnnouncedGetsNoRoom() throws Bodies.Full {
    try (Bodies.Share share = bodies.share("a")) {
      var body = new BodyBuffer(share, 32L << 20);
      assertThat(body.room()).isLessThanOrEqualTo(16 << 10);
      body.put(16 << 10);
      assertThat(body.room()).isEqualTo(16 << 10);
      assertThat(bodies.used()).isEqualTo(32 << 10);
    }
    assertThat(bodies.used()).isZero();
  }

  @Test
  void bodyOfTheLengthThatWasAnnouncedIsNotCopiedOnceMore() throws Bodies.Full {
    try (Bodies.Share share = bodies.share("a")) {
      var body = new BodyBuffer(share, 40_000);
      while (body.filled() < 40_000) {
        body.put(body.room());
      }
      assertThat(body.whole()).isSameAs(body.bytes()).hasSize(40_000);
    }
  }

  @Test
  void clientWhoseRequestsFillItsHalfLosesNoShortAnswer() throws Bodies.Full {
    try (Bodies.Share answered = bodies.share("a");
        Bodies.Share asking = bodies.share("a")) {
      answered.take(100_000);
      answered.reserve();
      asking.take(MOST / 2 - bodies.used());
      assertThatThrownBy(() -> asking.take(1)).isInstanceOf(Bodies.Full.class);

      var answer = new BodyBuffer(answered, MOST);
      answer.put(ByteBuffer.allocate(10_000));

      assertThat(answer.filled()).isEqualTo(10_000);
    }
    assertThat(bodies.used()).isZero();
  }

  @Test
  void longestRequestLeavesRoomForAShortAnswer() throws Bodies.Full {
    try (Bodies.Share share = bodies.share("a")) {
      share.take(bodies.longest());
      share.reserve();
      assertThat(bodies.used()).isEqualTo(MOST / 2);
    }
    try (Bodies.Share share = bodies.share("a")) {
      share.take(bodies.longest() + 1);
      assertThatThrownBy(share::reserve).isInstanceOf(Bodies.Full.class);
    }
  }

  @Test
  void oneClientHasHalfAndShortBodiesHaveAQuarterForThemselves() throws Bodies.Full {
    try (Bodies.Share one = bodies.share("a");
        Bodies.Share two = bodies.share("b");
        Bodies.Share three = bodies.share("c")) {
      one.take(MOST / 2);
      assertThatThrownBy(() -> one.take(1)).isInstanceOf(Bodies.Full.class);
      two.take(MOST / 4);
      assertThatThrownBy(() -> two.take(Bodies.SHORT)).isInstanceOf(Bodies.Full.class);
      three.take(Bodies.SHORT);
      assertThatThrownBy(() -> three.take(1)).isInstanceOf(Bodies.Full.class);
    }
    assertThat(bodies.used()).isZero();
    try (Bodies.Share again = bodies.share("a")) {
      again.take(MOST / 2);
    }
  }
}
