package dev.staithe.storage.authz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.storage.authz.Scopes.Dialect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopesTests {
  private static Scopes valid(Object claim, Dialect dialect) {
    return switch (Scopes.parse(claim, dialect)) {
      case Scopes.Parsed.Valid(Scopes scopes) -> scopes;
      case Scopes.Parsed.Invalid(String reason) -> throw new AssertionError(reason);
    };
  }

  private static List<String> shown(Scopes scopes) {
    return scopes.storage().stream().map(StorageScope::toString).toList();
  }

  @Test
  void aStringAndAListMeanTheSame() {
    Scopes one = valid("openid storage.read:/a storage.modify:/b/ offline_access", Dialect.WLCG);
    Scopes other =
        valid(
            List.of("openid", "storage.read:/a", "storage.modify:/b/", "offline_access"),
            Dialect.WLCG);

    assertThat(shown(one)).containsExactly("storage.read:/a", "storage.modify:/b/");
    assertThat(other).isEqualTo(one);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "storage.read",
        "storage.modify",
        "openid storage.stage",
        "storage.read:",
        "storage.read:a",
        "storage.read:/a/../b",
        "storage.read:/a/%2e%2e/b",
        "storage.read:/%2f",
        "storage.create:/a//b",
        "storage.read:/%c0%ae%c0%ae/",
        "storage.read:/%zz",
        "storage.read:https://host/a",
        "storage.read:/ storage.modify"
      })
  void aStorageScopeWithoutAUsablePathCostsTheToken(String scope) {
    assertThat(Scopes.parse(scope, Dialect.WLCG))
        .isInstanceOfSatisfying(
            Scopes.Parsed.Invalid.class,
            invalid -> assertThat(invalid.reason()).contains("scope").doesNotContain("\n"));
  }

  @Test
  void pathsAreDecodedOnce() {
    assertThat(
            valid("storage.read:/a%20b/%2525", Dialect.WLCG).storage().getFirst().path().segments())
        .containsExactly("a b", "%25");
  }

  @Test
  void namesAreComparedExactly() {
    Scopes scopes =
        valid("Storage.read:/ STORAGE.READ:/ xstorage.read:/ read:/ write:/", Dialect.WLCG);

    assertThat(scopes.storage()).isEmpty();
    assertThat(scopes.anyCapability()).isFalse();
  }

  @Test
  void sciTokensReadAndWriteAreReadAndModify() {
    Scopes scopes = valid("read:/a write:/b storage.modify:/", Dialect.SCITOKENS);

    assertThat(shown(scopes)).containsExactly("storage.read:/a", "storage.modify:/b");
  }

  @Test
  void capabilitiesThatMeanNothingHereStillMakeItACapabilityToken() {
    assertThat(valid("compute.create", Dialect.WLCG).anyCapability()).isTrue();
    assertThat(valid("storage.future:/", Dialect.WLCG).anyCapability()).isTrue();
    assertThat(valid("openid wlcg.groups", Dialect.WLCG).anyCapability()).isFalse();
    assertThat(valid("", Dialect.WLCG)).isEqualTo(Scopes.NONE);
  }

  @Test
  void hostAuthIsAWordOfItsOwnInTokensOfWlcg() {
    assertThat(valid("openid host.auth", Dialect.WLCG).hostAuth()).isTrue();
    assertThat(valid("host.auth", Dialect.WLCG).anyCapability()).isFalse();
    assertThat(valid(List.of("host.auth"), Dialect.WLCG).hostAuth()).isTrue();
    for (String other : List.of("host.auth:/", "Host.auth", "host.authx", "host auth", "")) {
      assertThat(valid(other, Dialect.WLCG).hostAuth()).as(other).isFalse();
    }
    assertThat(valid("host.auth", Dialect.SCITOKENS).hostAuth()).isFalse();
  }

  @Test
  void aBlankInsideAListsElementIsNoSeparator() {
    assertThat(Scopes.parse(List.of("storage.read:/a /b"), Dialect.WLCG))
        .isInstanceOf(Scopes.Parsed.Invalid.class);
  }

  @Test
  void whatIsNeitherAStringNorAListOfStringsIsRefused() {
    for (Object claim : List.of(1, true, Map.of("storage.read", "/"), List.of(1))) {
      assertThat(Scopes.parse(claim, Dialect.WLCG)).isInstanceOf(Scopes.Parsed.Invalid.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "openid", "storage.read", "storage.read:", "storage.write:/", "read:/"})
  void aConfigurationTakesStorageScopesOnly(String written) {
    assertThatIllegalArgumentException().isThrownBy(() -> Scopes.of(written));
  }

  @Test
  void aLongListIsShownShort() {
    assertThat(Scopes.of("storage.read:/1 ".repeat(7).strip()).shown()).endsWith(" and 2 more");
  }
}
