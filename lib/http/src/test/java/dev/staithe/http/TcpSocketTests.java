package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel says of connections over loopback. */
class TcpSocketTests {
  private ServerSocketChannel listening;
  private SocketChannel here;
  private SocketChannel there;

  @BeforeEach
  void connect() throws IOException {
    listening = ServerSocketChannel.open();
    listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    here = SocketChannel.open(listening.getLocalAddress());
    there = listening.accept();
  }

  @AfterEach
  void close() throws IOException {
    here.close();
    there.close();
    listening.close();
  }

  private static TcpSocket find(SocketChannel channel) throws IOException {
    return TcpSocket.find(
            (InetSocketAddress) channel.getLocalAddress(),
            (InetSocketAddress) channel.getRemoteAddress())
        .orElseThrow();
  }

  @Test
  void connectionIsFoundByItsAddressesAndToldOf() throws IOException {
    here.write(ByteBuffer.wrap(new byte[1000]));
    there.read(ByteBuffer.allocate(1000));

    TcpInfo info = find(here).info().orElseThrow();

    // Loopback takes microseconds, and a second on the worst of machines.
    assertThat(info.rttMicros()).isBetween(1L, 1_000_000L);
    assertThat(info.congestionWindow()).isBetween(1L, 1_000_000L);
    assertThat(info.segmentBytes()).isBetween(500L, 70_000L);
    assertThat(info.retransmits()).isBetween(0L, 1_000L);
    assertThat(TcpSocket.knows(info.congestionControl())).isTrue();
  }

  @Test
  void eachEndGovernsWhatItSendsItself() throws IOException {
    TcpSocket one = find(here);
    TcpSocket other = find(there);
    String usual = other.info().orElseThrow().congestionControl();

    assertThat(one.congestionControl("reno")).isTrue();
    assertThat(one.pacing(3_000_000)).isTrue();

    assertThat(one.info().orElseThrow().congestionControl()).isEqualTo("reno");
    assertThat(one.pacing()).isEqualTo(3_000_000);
    assertThat(other.info().orElseThrow().congestionControl()).isEqualTo(usual);
    assertThat(other.pacing()).isNotEqualTo(3_000_000);
  }

  @Test
  void closedConnectionIsNotTakenForTheNextOne() throws IOException {
    TcpSocket gone = find(here);
    here.close();
    try (SocketChannel next = SocketChannel.open(listening.getLocalAddress())) {
      assertThat(next.isConnected()).isTrue();
      assertThat(gone.info()).isEmpty();
      assertThat(gone.congestionControl("reno")).isFalse();
      assertThat(gone.pacing(1000)).isFalse();
    }
  }

  @Test
  void unknownAlgorithmsAreNoneThatTheKernelKnows() {
    assertThat(TcpSocket.knows("reno")).isTrue();
    for (String each : new String[] {"", "no-such", "reno-and-much-too-long", "re\0no"}) {
      assertThat(TcpSocket.knows(each)).as(each).isFalse();
    }
  }
}
