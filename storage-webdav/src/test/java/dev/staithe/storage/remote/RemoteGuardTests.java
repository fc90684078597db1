package dev.staithe.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.service.Networks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RemoteGuardTests {
  private static final RemoteUrl URL = new RemoteUrl(true, "se.example", 8443, "/x");

  private static List<InetSocketAddress> permitted(
      Networks allowed, int ownPort, String... literals) throws RemoteFailure {
    InetAddress[] addresses =
        Arrays.stream(literals).map(InetAddress::ofLiteral).toArray(InetAddress[]::new);
    return new RemoteGuard(allowed, port -> port == ownPort, host -> addresses).permitted(URL);
  }

  private static Networks none() {
    return Networks.parse(List.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.127.255.255",
        "192.0.0.8",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "::ffff:0:7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001:0:1::1",
        "2001:2::1",
        "2001:10::1",
        "100:0:0:1::1",
        "3fff:fff::1",
        "5f00::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "2001:db8::1"
      })
  void specialAddressIsRefused(String address) {
    assertThatThrownBy(() -> permitted(none(), 0, address))
        .isInstanceOfSatisfying(
            RemoteFailure.class, refusal -> assertThat(refusal.status()).isEqualTo(403));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1", "2606:4700::1111"})
  void publicAddressIsPermitted(String address) throws Exception {
    assertThat(permitted(none(), 0, address))
        .containsExactly(new InetSocketAddress(InetAddress.ofLiteral(address), 8443));
  }

  @Test
  void nameWithPublicAndPrivateAddressLeadsToThePublicOneOnly() throws Exception {
    assertThat(permitted(none(), 0, "10.0.0.1", "8.8.8.8", "::1"))
        .extracting(address -> address.getAddress().getHostAddress())
        .containsExactly("8.8.8.8");
  }

  /** Or one copy would knock at as many doors, and hold its place meanwhile. */
  @Test
  void nameWithManyAddressesLeadsToTheFirstOfThem() throws Exception {
    String[] many = IntStream.range(0, 200).mapToObj(i -> "8.8.8." + i).toArray(String[]::new);
    assertThat(permitted(none(), 0, many))
        .hasSize(16)
        .first()
        .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("8.8.8.0"), 8443));
  }

  @Test
  void allowedNetworkIsPermitted() throws Exception {
    Networks site = Networks.parse(List.of("10.1.0.0/16"));
    assertThat(permitted(site, 0, "10.1.2.3")).hasSize(1);
    assertThatThrownBy(() -> permitted(site, 0, "10.2.0.1")).isInstanceOf(RemoteFailure.class);
  }

  @Test
  void ownPortOnOwnAddressIsRefusedEvenWhereTheNetworkIsAllowed() throws Exception {
    Networks loopback = Networks.parse(List.of("127.0.0.0/8"));
    assertThatThrownBy(() -> permitted(loopback, 8443, "127.0.0.1"))
        .hasMessageContaining("this server itself");
    assertThat(permitted(loopback, 9443, "127.0.0.1")).hasSize(1);
    assertThat(permitted(none(), 8443, "8.8.8.8")).hasSize(1);
  }

  /** One that does not answer would keep a processor from all virtual threads. */
  @Test
  void nameServerIsAskedOnNoVirtualThread() throws Exception {
    AtomicBoolean virtual = new AtomicBoolean(true);
    RemoteGuard guard =
        new RemoteGuard(
            none(),
            port -> false,
            host -> {
              virtual.set(Thread.currentThread().isVirtual());
              return new InetAddress[] {InetAddress.ofLiteral("8.8.8.8")};
            });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(threads.submit(() -> guard.permitted(URL)).get()).hasSize(1);
    }
    assertThat(virtual).isFalse();
  }

  @Test
  void unknownHostIs400() {
    RemoteGuard guard =
        new RemoteGuard(
            none(),
            port -> false,
            host -> {
              throw new UnknownHostException(host);
            });
    assertThatThrownBy(() -> guard.permitted(URL))
        .isInstanceOfSatisfying(
            RemoteFailure.class,
            failure -> {
              assertThat(failure.status()).isEqualTo(400);
              assertThat(failure).hasMessage("the host se.example is unknown");
            });
  }
}
