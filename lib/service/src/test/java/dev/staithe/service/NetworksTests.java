package dev.staithe.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworksTests {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/8, 9.255.255.255, false",
    "192.168.4.0/22, 192.168.7.255, true",
    "192.168.4.0/22, 192.168.8.0, false",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "::/0, 203.0.113.9, false",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "::1/128, ::1, true",
    "::1, ::2, false",
    "::ffff:10.0.0.0/104, 10.1.2.3, true",
    "::ffff:10.0.0.0/104, 11.1.2.3, false",
  })
  void membershipFollowsThePrefix(String cidr, String address, boolean inside) {
    assertThat(Networks.parse(List.of(cidr)).contains(InetAddress.ofLiteral(address)))
        .isEqualTo(inside);
  }

  @Test
  void mappedAddressCannotStepAroundAnIpv4Rule() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = mapped[11] = -1;
    mapped[12] = 10;
    mapped[15] = 1;
    InetAddress address = Inet6Address.getByAddress("", mapped, 0);

    assertThat(address).isInstanceOf(Inet6Address.class);
    assertThat(Networks.parse(List.of("10.0.0.0/8")).contains(address)).isTrue();
  }

  @Test
  void noNetworksContainNothing() {
    Networks none = Networks.parse(List.of());

    assertThat(none.isEmpty()).isTrue();
    assertThat(none.contains(InetAddress.ofLiteral("127.0.0.1"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.1/8",
        "10.1",
        "256.0.0.1",
        "localhost",
        "localhost/8",
        "2001:db8::/129",
        "2001:db8::1/32",
        "fe80::1%1",
        "::ffff:10.0.0.0/8",
        "10.0.0.0/8/9"
      })
  void whatIsNoNetworkIsRefusedInOneLineThatNamesIt(String cidr) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Networks.parse(List.of("127.0.0.1", cidr)))
        .withMessageContaining("\"" + cidr + "\"")
        .withMessageNotContaining("\n");
  }
}
