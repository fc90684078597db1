package dev.staithe.service.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BearerTokenTests {
  @ParameterizedTest
  @ValueSource(
      strings = {"Bearer a.b-c_d~e+f/g=", "bearer   a.b-c_d~e+f/g= ", " BEARER a.b-c_d~e+f/g="})
  void theSchemesCaseAndBlanksAroundTheTokenDoNotMatter(String field) {
    assertThat(BearerToken.of(List.of(field))).isEqualTo("a.b-c_d~e+f/g=");
    assertThat(BearerToken.of(List.of(field, field))).isEqualTo("a.b-c_d~e+f/g=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "Basic YTpi", "Bear abc", "Negotiate abc"})
  void anotherSchemeBearsNone(String field) {
    assertThat(BearerToken.of(List.of(field))).isNull();
    assertThat(BearerToken.of(List.of())).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer",
        "Bearer ",
        "Bearerabc",
        "Bearer\tabc",
        "Bearer a b",
        "Bearer a,b",
        "Bearer \u00e9"
      })
  void whatIsNotWellFormedIsNobodysToken(String field) {
    assertThat(BearerToken.of(List.of(field))).isEmpty();
  }

  @Test
  void ofTwoThatDifferNeitherIsTaken() {
    assertThat(BearerToken.of(List.of("Bearer abc", "Bearer abd"))).isEmpty();
    assertThat(BearerToken.of(List.of("Basic YTpi", "Bearer abc"))).isEmpty();
  }
}
