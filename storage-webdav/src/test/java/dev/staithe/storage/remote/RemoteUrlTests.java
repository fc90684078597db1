package dev.staithe.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RemoteUrlTests {
  private static RemoteUrl url(String text) {
    return ((RemoteUrl.Parsed.Valid) RemoteUrl.parse(text)).url();
  }

  @ParameterizedTest
  @CsvSource({
    "https://H.Example/a%2Fb?q=1,true,h.example,443,/a%2Fb?q=1",
    "davs://h:8443/x,true,h,8443,/x",
    "dav://h/x,false,h,80,/x",
    "http://[2001:DB8::1]:81/x,false,2001:db8::1,81,/x",
    "https://h,true,h,443,/",
    "https://h?q,true,h,443,/?q",
    "https://h:/x,true,h,443,/x"
  })
  void partsAreRead(String text, boolean https, String host, int port, String target) {
    assertThat(url(text)).isEqualTo(new RemoteUrl(https, host, port, target));
  }

  @ParameterizedTest
  @CsvSource({
    "https://o.example/z,https://o.example/z",
    "//o.example/z,https://o.example/z",
    "/z?y,https://h/z?y",
    "z,https://h/a/z",
    "../z?y=../x,https://h/z?y=../x",
    "./z/,https://h/a/z/",
    "c/../z,https://h/a/z",
    "../..,https://h/",
    "?y,https://h/a/b?y",
    "/z#frag,https://h/z",
    "HTTP://o/z,http://o/z"
  })
  void locationIsResolved(String location, String expected) {
    RemoteUrl from = url("https://h/a/b?q");
    assertThat(from.resolve(location)).isEqualTo(new RemoteUrl.Parsed.Valid(url(expected)));
  }

  @ParameterizedTest
  @CsvSource({"javascript:alert(1)", "gopher://h/x", "https://u@h/x", "'https://h/a b'"})
  void locationThatLeadsNowhereIsRefused(String location) {
    assertThat(url("https://h/a").resolve(location)).isInstanceOf(RemoteUrl.Parsed.Invalid.class);
  }

  @Test
  void originIsSchemeHostAndPort() {
    assertThat(url("https://h/a").sameOrigin(url("https://H:443/b"))).isTrue();
    assertThat(url("https://h/a").sameOrigin(url("https://h:444/a"))).isFalse();
    assertThat(url("https://h/a").sameOrigin(url("http://h:443/a"))).isFalse();
    assertThat(url("https://h/a").sameOrigin(url("https://h.evil/a"))).isFalse();
  }

  @Test
  void queryIsNotShown() {
    assertThat(url("https://h:444/a?authz=secret").toString()).isEqualTo("https://h:444/a");
    assertThat(url("https://[::1]:444/a").hostPort()).isEqualTo("[::1]:444");
  }
}
