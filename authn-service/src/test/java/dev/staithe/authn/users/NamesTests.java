package dev.staithe.authn.users;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTests {
  @ParameterizedTest
  @ValueSource(strings = {"a", "alice", "a.b_c-d@e", "0", "x12345678901234567890"})
  void namesAreKept(String name) {
    assertThat(UserName.of(name)).contains(name);
  }

  @Test
  void spellingsOfANameAreOneName() {
    assertThat(UserName.of("Alice")).isEqualTo(UserName.of("aLICE")).contains("alice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", " alice", "alice ", "alice\n", "al ice", ".alice", "-alice", "@alice", "al\0ice",
        "al*ce", "al)(uid=*", "al\\ce", "älice", "ａlice", "alice\u0301", "a/b", "../a", "a,b", "a+b"
      })
  void whatIsNoNameIsRefusedAndNotMadeOne(String name) {
    assertThat(UserName.of(name)).isEmpty();
  }

  @Test
  void namesHave64CharactersAtMost() {
    assertThat(UserName.of("a".repeat(64))).isPresent();
    assertThat(UserName.of("a".repeat(65))).isEmpty();
    assertThat(UserName.of("a".repeat(10_000_000))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/physics", "/physics/analysis", "/_x/1.0-a"})
  void groupsArePaths(String path) {
    assertThat(GroupPath.isValid(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "physics",
        "/physics/",
        "//physics",
        "/a//b",
        "/a b",
        "/../a",
        "/.",
        "/a\n"
      })
  void otherGroupsAreRefused(String path) {
    assertThat(GroupPath.isValid(path)).isFalse();
  }

  @Test
  void groupsAreLimitedInDepthAndLength() {
    assertThat(GroupPath.isValid("/a".repeat(16))).isTrue();
    assertThat(GroupPath.isValid("/a".repeat(17))).isFalse();
    assertThat(GroupPath.isValid("/" + "a".repeat(65))).isFalse();
    assertThat(GroupPath.isValid(("/" + "a".repeat(60)).repeat(5))).isFalse();
  }
}
