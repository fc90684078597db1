package dev.staithe.authn.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.users.Account;
import dev.staithe.testkit.Trials;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class ScopeTests {
  private static boolean within(String asked, String granted) {
    return Scope.parse(asked).orElseThrow().within(Scope.of(granted));
  }

  @Test
  void pathsAreComparedBySegments() {
    assertThat(within("storage.read:/foo/bar", "storage.read:/foo")).isTrue();
    assertThat(within("storage.read:/foo", "storage.read:/foo")).isTrue();
    assertThat(within("storage.read:/foobar", "storage.read:/foo")).isFalse();
    assertThat(within("storage.read:/", "storage.read:/foo")).isFalse();
    assertThat(within("storage.read:/foo", "storage.read:/")).isTrue();
    assertThat(within("storage.modify:/foo", "storage.read:/foo")).isFalse();
    assertThat(within("storage.read:/%66oo/x", "storage.read:/foo")).isTrue();
  }

  @Test
  void grantOfAFolderHoldsNoFileOfItsName() {
    assertThat(within("storage.create:/foo/bar", "storage.create:/foo/bar/")).isFalse();
    assertThat(within("storage.create:/foo/bar/", "storage.create:/foo/bar/")).isTrue();
    assertThat(within("storage.create:/foo/bar/x", "storage.create:/foo/bar/")).isTrue();
  }

  @Test
  void pathThatMeansAnotherThanItSaysIsNone() {
    for (String scope :
        List.of(
            "storage.read",
            "storage.read:",
            "storage.read:foo",
            "storage.read:/foo/../bar",
            "storage.read:/foo/./bar",
            "storage.read:/foo//bar",
            "storage.read:/foo/%2E%2E/bar",
            "storage.read:/foo%2Fbar",
            "storage.read:/foo%5Cbar",
            "storage.read:/foo/%252e%252e",
            "storage.read:/foo/%00",
            "storage.read:/foo/%",
            "storage.read:/foo/%zz",
            "storage.read:/foo/%ff",
            "storage.read:/f\"oo",
            "storage.read:/f\\oo",
            "storage.read:/" + "x".repeat(1000),
            "")) {
      assertThat(Scope.parse(scope)).as(scope).isEmpty();
      Trials.held();
    }
  }

  @Property
  void whatIsAddedToASegmentLeavesTheGrant(
      @ForAll @Size(min = 1, max = 5) List<@AlphaChars @StringLength(min = 1, max = 8) String> path,
      @ForAll @AlphaChars @StringLength(min = 1, max = 8) String more) {
    String granted = "storage.read:/" + String.join("/", path);

    assertThat(within(granted + "/" + more, granted)).isTrue();
    assertThat(within(granted + more, granted)).isFalse();
    assertThat(within(granted, granted + "/" + more)).isFalse();
  }

  @Test
  void ruleNamesUsersAndGroupsExactly() {
    Account alice =
        new Account("alice", "Alice", null, new TreeSet<>(List.of("/physics")), true, false);
    Scope scope = Scope.of("storage.read:/x/y");

    assertThat(GrantRule.of("user:alice storage.read:/x").gives(alice, scope)).isTrue();
    assertThat(GrantRule.of("user:al storage.read:/x").gives(alice, scope)).isFalse();
    assertThat(GrantRule.of("group:/physics storage.read:/x").gives(alice, scope)).isTrue();
    assertThat(GrantRule.of("group:/physics/sub storage.read:/x").gives(alice, scope)).isFalse();
    assertThat(GrantRule.of("group:/phys storage.read:/x").gives(alice, scope)).isFalse();
    assertThat(GrantRule.of("* storage.read:/x").gives(alice, scope)).isTrue();
    assertThat(
            GrantRule.of("* storage.read:/home/{user}")
                .gives(alice, Scope.of("storage.read:/home/alice/a")))
        .isTrue();
  }
}
