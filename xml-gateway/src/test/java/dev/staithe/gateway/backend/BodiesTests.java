package dev.staithe.gateway.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BodiesTests {
  private static final long MOST = 8L << 20;
  private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress TWO = InetAddress.ofLiteral("192.0.2.2");
  private static final InetAddress THREE = InetAddress.ofLiteral("192.0.2.3");

  private final Bodies bodies = new Bodies(MOST);

  @Test
  void bodyThatIsOnlyAnnouncedGetsNoRoom() throws Bodies.Full {
    try (Bodies.Share share = bodies.share(ONE)) {
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
    try (Bodies.Share share = bodies.share(ONE)) {
      var body = new BodyBuffer(share, 40_000);
      while (body.filled() < 40_000) {
        body.put(body.room());
      }
      assertThat(body.whole()).isSameAs(body.bytes()).hasSize(40_000);
    }
  }

  @Test
  void clientWhoseRequestsFillItsHalfLosesNoShortAnswer() throws Bodies.Full {
    try (Bodies.Share answered = bodies.share(ONE);
        Bodies.Share asking = bodies.share(ONE)) {
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
    try (Bodies.Share share = bodies.share(ONE)) {
      share.take(bodies.longest());
      share.reserve();
      assertThat(bodies.used()).isEqualTo(MOST / 2);
    }
    try (Bodies.Share share = bodies.share(ONE)) {
      share.take(bodies.longest() + 1);
      assertThatThrownBy(share::reserve).isInstanceOf(Bodies.Full.class);
    }
  }

  @Test
  void oneClientHasHalfAndShortBodiesHaveAQuarterForThemselves() throws Bodies.Full {
    try (Bodies.Share one = bodies.share(ONE);
        Bodies.Share two = bodies.share(TWO);
        Bodies.Share three = bodies.share(THREE)) {
      one.take(MOST / 2);
      assertThatThrownBy(() -> one.take(1)).isInstanceOf(Bodies.Full.class);
      two.take(MOST / 4);
      assertThatThrownBy(() -> two.take(Bodies.SHORT)).isInstanceOf(Bodies.Full.class);
      three.take(Bodies.SHORT);
      assertThatThrownBy(() -> three.take(1)).isInstanceOf(Bodies.Full.class);
    }
    assertThat(bodies.used()).isZero();
    try (Bodies.Share again = bodies.share(ONE)) {
      again.take(MOST / 2);
    }
  }

  @Test
  void addressesOfOneNetworkOfIpv6AreOneClient() throws Bodies.Full {
    try (Bodies.Share one = bodies.share(InetAddress.ofLiteral("2001:db8::1"));
        Bodies.Share same = bodies.share(InetAddress.ofLiteral("2001:db8::2"));
        Bodies.Share other = bodies.share(InetAddress.ofLiteral("2001:db8:0:1::1"))) {
      one.take(MOST / 2);
      assertThatThrownBy(() -> same.take(1)).isInstanceOf(Bodies.Full.class);

      other.take(1);

      assertThat(bodies.used()).isEqualTo(MOST / 2 + 1);
    }
    assertThat(bodies.used()).isZero();
  }
}
