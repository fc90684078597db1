package dev.staithe.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressesOfServicesTests {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://auth.example.org",
        "http://localhost.example.org/",
        "http://127.0.0.1.example.org/",
        "http://user@example.org:80/",
        "http://localhost@example.org/",
        "ftp://localhost/",
        "//localhost/",
        "localhost",
        "https:/"
      })
  void noSecretGoesToAnAddressOnWhoseWaySomebodyMayListen(String address) {
    assertThatThrownBy(() -> Addresses.service(address))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("over https only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://auth.example.org", "http://localhost:8080/", "http://[::1]:1"})
  void addressOnWhoseWayNobodyListensIsTaken(String address) throws IOException {
    assertThat(Addresses.service(address))
        .isEqualTo(URI.create(address.endsWith("/") ? address : address + "/"));
  }
}
