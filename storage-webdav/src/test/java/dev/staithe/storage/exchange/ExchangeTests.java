package dev.staithe.storage.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.service.NetworkBlock;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

final class ExchangeTests {
  private static NetworkBlock counted(String address) {
    return Exchange.counted(InetAddress.ofLiteral(address));
  }

  /** Else it would be as many parties as it likes, of which each has buffers of its own. */
  @Test
  void anonymousClientWithAnIpv6NetworkIsOneParty() {
    assertThat(counted("2001:db8:0:1::1")).isEqualTo(counted("2001:db8:0:1:ffff::2"));
    assertThat(counted("2001:db8:0:1::1")).isNotEqualTo(counted("2001:db8:0:2::1"));
    assertThat(counted("192.0.2.1")).isNotEqualTo(counted("192.0.2.2"));
  }
}
