package dev.staithe.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.service.Networks;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingTests {
  private static final Networks TRUSTED = Networks.parse(List.of("10.0.0.0/8", "fd00::/8"));

  private static Forwarding read(String... namesAndValues) throws Forwarding.Ambiguous {
    HttpFields.Mutable headers = HttpFields.build();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Forwarding.read(headers, TRUSTED).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "192.0.2.1 | 192.0.2.1",
        "192.0.2.66, 192.0.2.1 | 192.0.2.1",
        "192.0.2.66, 192.0.2.1, 10.1.1.1, 10.2.2.2 | 192.0.2.1",
        "10.9.9.9, 192.0.2.1, 10.1.1.1 | 192.0.2.1",
        "10.1.1.1, 10.2.2.2 | 10.1.1.1",
        "192.0.2.66, nonsense, 10.2.2.2 | 0.0.0.0",
        "192.0.2.66, unknown | 0.0.0.0",
        "192.0.2.66, 10.1 | 0.0.0.0",
        "192.0.2.1:4711, 10.2.2.2:80 | 192.0.2.1",
        "192.0.2.66, 2001:db8::1, fd00::1 | 2001:db8:0:0:0:0:0:1",
        "[2001:db8::1]:4711 | 2001:db8:0:0:0:0:0:1",
        "::ffff:192.0.2.1 | 192.0.2.1",
        "192.0.2.66, ::ffff:10.0.0.1, | 192.0.2.66",
      })
  void rightmostAddressThatIsNoTrustedProxyIsTheClient(String list, String client)
      throws Forwarding.Ambiguous {
    assertThat(read("X-Forwarded-For", list).client().getHostAddress()).isEqualTo(client);
  }

  @Test
  void severalLinesAreOneListInTheirOrder() throws Forwarding.Ambiguous {
    Forwarding told =
        read(
            "X-Forwarded-For", "192.0.2.66",
            "X-Forwarded-Proto", "https",
            "X-Forwarded-Host", "evil.example",
            "X-Forwarded-For", "192.0.2.1, 10.1.1.1",
            "X-Forwarded-Proto", "http",
            "X-Forwarded-Host", "se.example.org",
            "X-Forwarded-Port", "8443");
    assertThat(told.client().getHostAddress()).isEqualTo("192.0.2.1");
    assertThat(told.scheme()).isEqualTo("http");
    assertThat(told.authority()).hasToString("se.example.org:8443");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "for=192.0.2.1;proto=https;host=se.example.org | 192.0.2.1",
        "For=\"[2001:db8::1]:4711\" | 2001:db8:0:0:0:0:0:1",
        "for=192.0.2.66;host=evil, for=192.0.2.1;host=se, for=10.1.1.1 ; by=10.2.2.2 | 192.0.2.1",
        "for=192.0.2.66, for=_hidden | 0.0.0.0",
        "for=192.0.2.66, for=unknown, for=10.1.1.1 | 0.0.0.0",
        "for=192.0.2.66, proto=https | 0.0.0.0",
        "for=\"192.0.2.66, for=10.1.1.1\", for=\"192.0.2.1:80\" | 192.0.2.1",
        "for=192.0.2.1, for=\"1\\0.1.1.1\" | 192.0.2.1",
      })
  void standardHeaderIsReadFromTheRightToo(String value, String client)
      throws Forwarding.Ambiguous {
    assertThat(read("Forwarded", value).client().getHostAddress()).isEqualTo(client);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab", "\\a"})
  void lengthOfWhatAClientInventsIsNoObstacle(String two) throws Forwarding.Ambiguous {
    String invented = "for=\"" + two.repeat(15_000) + "\"";
    assertThat(read("Forwarded", invented + ", for=192.0.2.1").client().getHostAddress())
        .isEqualTo("192.0.2.1");
  }

  @Test
  void schemeAndHostAreThoseOfTheElementThatNamesTheClient() throws Forwarding.Ambiguous {
    Forwarding told =
        read(
            "Forwarded", "for=192.0.2.66;proto=http;host=evil.example",
            "Forwarded", "for=192.0.2.1;proto=HTTPS;host=\"se.example.org:8443\"",
            "Forwarded", "for=10.1.1.1;proto=http;host=inner");
    assertThat(told.scheme()).isEqualTo("https");
    assertThat(told.authority()).hasToString("se.example.org:8443");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "for",
        "for=192.0.2.1,",
        "for=192.0.2.1;;proto=http",
        "for=192.0.2.1 for=192.0.2.2",
        "for=[2001:db8::1] x",
        "for=\"192.0.2.66",
        "for=\"192.0.2.66, for=192.0.2.1",
        "for=192.0.2.66;x=\", for=\"192.0.2.1\"",
        "for=192.0.2.66;x=\"\\, for=\"192.0.2.1\"",
        "for=192.0.2.1;proto=gopher",
        "for=192.0.2.1;host=\"a b\""
      })
  void malformedStandardHeaderIsRefusedAsItMaySwallowWhatTheProxyAppended(String value) {
    assertThatThrownBy(() -> read("Forwarded", value)).isInstanceOf(Forwarding.Ambiguous.class);
  }

  @Test
  void bothKindsOfHeaderAreRefusedAsOneOfThemIsTheClients() {
    assertThatThrownBy(() -> read("X-Forwarded-For", "192.0.2.1", "Forwarded", "for=192.0.2.66"))
        .isInstanceOf(Forwarding.Ambiguous.class);
  }

  @Test
  void withoutAnAddressTheClientIsUnknownAndNotTheProxy() throws Forwarding.Ambiguous {
    assertThat(read("X-Forwarded-Proto", "https").client()).isEqualTo(Forwarding.UNKNOWN);
    assertThat(read("X-Forwarded-For", "").client()).isEqualTo(Forwarding.UNKNOWN);
    assertThat(Forwarding.read(HttpFields.build().add("Host", "x"), TRUSTED)).isEmpty();
  }
}
