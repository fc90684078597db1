package dev.staithe.storage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoragePathTests {
  private static StoragePath valid(String raw) {
    return switch (StoragePath.parse(raw)) {
      case StoragePath.Parsed.Valid(StoragePath path) -> path;
      case StoragePath.Parsed.Invalid(String reason) ->
          throw new AssertionError(raw + ": " + reason);
    };
  }

  private static String refusal(String raw) {
    return switch (StoragePath.parse(raw)) {
      case StoragePath.Parsed.Valid(StoragePath path) ->
          throw new AssertionError(raw + ": " + path);
      case StoragePath.Parsed.Invalid(String reason) -> reason;
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/..",
        "/a/../b",
        "/./a",
        "/a/.",
        "/%2e%2e/a",
        "/%2E%2e/",
        "/.%2e/a",
        "/%2e/a",
        "/a/%2e%2e"
      })
  void dotSegmentsAreRefusedInEveryEncoding(String raw) {
    assertThat(refusal(raw)).contains("dot segment");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%2fb", "/a%2F..%2Fb", "/..%2f", "/%2f", "/a%00b", "/%00"})
  void anEncodedSeparatorOrNulNeverBecomesPartOfAName(String raw) {
    assertThat(refusal(raw)).contains("encoded slash or NUL");
  }

  @ParameterizedTest
  @CsvSource({"/%252e%252e,%2e%2e", "/a%252Fb,a%2Fb", "/%25,%", "/%25%32%65,%2e"})
  void decodingHappensOnce(String raw, String name) {
    assertThat(valid(raw).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%c0%ae%c0%ae", // overlong dots
        "/%c0%af", // overlong slash
        "/%e0%80%af",
        "/%f0%80%80%af",
        "/%c0%80", // overlong NUL
        "/%ed%a0%80", // a surrogate
        "/%ed%a0%80%ed%b0%80", // CESU-8
        "/%f4%90%80%80", // beyond U+10FFFF
        "/%ff",
        "/%80",
        "/%e2%82", // cut short
        "/%e2%82/%ac"
      })
  void malformedUtf8IsRefused(String raw) {
    assertThat(refusal(raw)).contains("UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%", "/%4", "/%g1", "/%1g", "/a%2", "/%/41", "/%+4", "/%-1", "/%４１"})
  void brokenPercentEncodingIsRefused(String raw) {
    assertThat(StoragePath.parse(raw)).isInstanceOf(StoragePath.Parsed.Invalid.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/\uD800", "/a\uDC00", "/\uDC00\uD800", "/\uD800a"})
  void unpairedSurrogatesAreRefused(String raw) {
    assertThat(StoragePath.parse(raw)).isInstanceOf(StoragePath.Parsed.Invalid.class);
    assertThatIllegalArgumentException().isThrownBy(() -> StoragePath.of(raw));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoragePath.root().child(raw.substring(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%0ab", "/a%0d%0aX:%20b", "/%1b[2J", "/%7f", "/a%09"})
  void controlCharactersAreRefused(String raw) {
    assertThat(refusal(raw)).contains("control character");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a/b", "\\a", "//", "//a", "/a//b", "/a//", "///", "%2fa"})
  void whatIsNoAbsolutePathOfNamesIsRefused(String raw) {
    assertThat(StoragePath.parse(raw)).isInstanceOf(StoragePath.Parsed.Invalid.class);
    assertThatIllegalArgumentException().isThrownBy(() -> StoragePath.of(raw));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/.staithe",
        "/.STAITHE-x",
        "/a/.staithe-staging",
        "/%2estaithe",
        "/%EF%BC%8Estaithe", // full-width full stop
        "/.%EF%BC%B3taithe", // full-width S
        "/.%C5%BFtaithe", // long s
        "/.%EF%AC%86aithe", // ligature st
        "/.st%E2%80%8Daithe", // zero-width joiner
        "/.st%C2%ADaithe", // soft hyphen
        "/%EF%BB%BF.staithe" // byte-order mark
      })
  void reservedNamesAreRefusedInEveryFormThatAFileSystemMightFold(String raw) {
    assertThat(refusal(raw)).contains("reserved");
  }

  @Test
  void namesLikeReservedOnesAreFine() {
    assertThat(valid("/staithe").name()).isEqualTo("staithe");
    assertThat(valid("/.stait").name()).isEqualTo(".stait");
    assertThat(valid("/a.staithe").name()).isEqualTo("a.staithe");
  }

  @Test
  void unicodeFormsOfOneNameAreTwoNames() {
    StoragePath composed = valid("/%C3%A9");
    StoragePath decomposed = valid("/e%CC%81");

    assertThat(composed).isNotEqualTo(decomposed);
    assertThat(composed.name()).isEqualTo("\u00e9");
    assertThat(decomposed.name()).isEqualTo("e\u0301");
    assertThat(valid("/\u00e9")).isEqualTo(composed);
  }

  @Test
  void aNameMayHave255BytesAndNotOneMore() {
    assertThat(valid("/" + "x".repeat(255)).name()).hasSize(255);
    assertThat(refusal("/" + "x".repeat(256))).contains("255 bytes");
    assertThat(valid("/" + "%e2%82%ac".repeat(85)).name()).hasSize(85);
    assertThat(refusal("/" + "%e2%82%ac".repeat(86))).contains("255 bytes");
  }

  @Test
  void aPathMayHave3072CharactersAndNotOneMore() {
    String longest = ("/" + "x".repeat(255)).repeat(12);

    assertThat(valid(longest).segments()).hasSize(12);
    assertThat(refusal(longest + "/y")).contains("3072");
  }

  @Test
  void theTrailingSlashIsKeptButDoesNotMakeAnotherPath() {
    assertThat(valid("/a/").collectionForm()).isTrue();
    assertThat(valid("/a").collectionForm()).isFalse();
    assertThat(valid("/a/")).isEqualTo(valid("/a")).hasSameHashCodeAs(valid("/a"));
    assertThat(valid("/").isRoot()).isTrue();
    assertThat(valid("/").href()).isEqualTo("/");
    assertThat(valid("/a").asCollection(true).href()).isEqualTo("/a/");
    assertThat(StoragePath.root().asCollection(false).collectionForm()).isTrue();
  }

  @Test
  void prefixesAreWholeSegments() {
    assertThat(valid("/foo/bar").startsWith(valid("/foo"))).isTrue();
    assertThat(valid("/foo/bar").startsWith(valid("/foo/bar/"))).isTrue();
    assertThat(valid("/foo/bargain").startsWith(valid("/foo/bar"))).isFalse();
    assertThat(valid("/foo").startsWith(valid("/foo/bar"))).isFalse();
    assertThat(valid("/foo").startsWith(StoragePath.root())).isTrue();
  }

  @Test
  void aConfiguredPathIsNotPercentDecoded() {
    assertThat(StoragePath.of("/a%20b").name()).isEqualTo("a%20b");
    assertThat(StoragePath.of("/a b/").href()).isEqualTo("/a%20b/");
    assertThatIllegalArgumentException().isThrownBy(() -> StoragePath.of("/a/../b"));
  }
}
