package dev.staithe.delegation.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AllowedServiceTests {
  private final AllowedService service =
      new AllowedService(
          URI.create("https://delegation.example.org:8446/"), DelegationLanguage.STAITHE);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://delegation.example.org:8446/",
        "https://delegation.example.org:8446",
        "https://Delegation.Example.ORG:8446/",
        " https://delegation.example.org:8446/ "
      })
  void sameAddressWrittenOtherwiseIsTheSame(String told) {
    assertThat(service.isAt(told)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://delegation.example.org:8446/",
        "https://delegation.example.org/",
        "https://delegation.example.org:8446/other",
        "https://delegation.example.org:8446@evil.example/",
        "https://evil.example/?https://delegation.example.org:8446/",
        "https://evil.example#https://delegation.example.org:8446/",
        "https://user@delegation.example.org:8446/",
        "https://delegation.example.org.evil.example:8446/",
        "https://delegation.example.org:8446/..",
        "file:///etc/passwd",
        "//delegation.example.org:8446/",
        "not an address",
        ""
      })
  void anyOtherAddressIsAnother(String told) {
    assertThat(service.isAt(told)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://delegation.example.org/",
        "https:///x",
        "ftp://example.org",
        "https://a@example.org",
        "https://example.org/?x"
      })
  void addressOverWhichAnybodyListensIsNoService(String url) {
    assertThatThrownBy(() -> new AllowedService(URI.create(url), DelegationLanguage.STAITHE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void plainHttpIsForTheMachineItself() {
    assertThat(
            new AllowedService(URI.create("http://127.0.0.1:8446/"), DelegationLanguage.ARC)
                .isAt("http://127.0.0.1:8446"))
        .isTrue();
  }
}
