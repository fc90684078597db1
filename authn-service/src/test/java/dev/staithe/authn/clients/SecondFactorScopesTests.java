package dev.staithe.authn.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class SecondFactorScopesTests {
  /** All paths of up to three segments of two names. */
  private static final List<List<String>> PATHS = paths();

  private static List<List<String>> paths() {
    List<List<String>> all = new ArrayList<>();
    all.add(List.of());
    for (int from = 0, length = 0; length < 3; length++) {
      int to = all.size();
      for (int i = from; i < to; i++) {
        for (String name : List.of("a", "ab")) {
          List<String> longer = new ArrayList<>(all.get(i));
          longer.add(name);
          all.add(longer);
        }
      }
      from = to;
    }
    return all;
  }

  @Provide
  Arbitrary<List<String>> scopes() {
    Arbitrary<String> names =
        Arbitraries.of(
            "storage.read", "storage.create", "storage.modify", "storage.stage", "storage.poll");
    Arbitrary<String> paths =
        Arbitraries.of(PATHS)
            .flatMap(
                path ->
                    Arbitraries.of(
                        "/" + String.join("/", path),
                        "/" + String.join("/", path).replace("a", "%61"),
                        path.isEmpty() ? "/" : "/" + String.join("/", path) + "/"));
    return Combinators.combine(names, paths)
        .as((name, path) -> name + ":" + path)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  /** What a service that goes by the profile lets the bearer do there. */
  private static boolean permits(List<String> scopes, String action, List<String> path) {
    return scopes.stream()
        .anyMatch(
            scope -> {
              String name = scope.substring(0, scope.indexOf(':'));
              List<String> below =
                  List.of(scope.substring(scope.indexOf('/') + 1).replace("%61", "a").split("/"));
              List<String> base = below.equals(List.of("")) ? List.of() : below;
              return allowed(name).contains(action)
                  && path.size() >= base.size()
                  && path.subList(0, base.size()).equals(base);
            });
  }

  private static Set<String> allowed(String name) {
    return switch (name) {
      case "storage.modify" -> Set.of("storage.modify", "storage.create");
      case "storage.stage" -> Set.of("storage.stage", "storage.read");
      default -> Set.of(name);
    };
  }

  @Property(tries = 2000)
  void whatIsGivenWithoutASecondFactorPermitsNothingThatIsProtected(
      @ForAll("scopes") List<String> rules, @ForAll("scopes") List<String> asked) {
    if (new SecondFactorScopes(rules).protect(asked)) {
      return;
    }
    for (List<String> path : PATHS) {
      for (String action :
          List.of(
              "storage.read",
              "storage.create",
              "storage.modify",
              "storage.stage",
              "storage.poll")) {
        assertThat(permits(rules, action, path) && permits(asked, action, path))
            .as("%s at %s by %s, protected by %s", action, path, asked, rules)
            .isFalse();
      }
    }
  }

  @Property(tries = 500)
  void anotherFolderNeedsNone(@ForAll("scopes") List<String> asked) {
    assertThat(
            new SecondFactorScopes(List.of("storage.modify:/b", "storage.stage:/b"))
                .protect(asked.stream().filter(each -> !each.endsWith(":/")).toList()))
        .isFalse();
  }

  @Test
  void scopesWithoutPathsAreComparedByName() {
    var scopes = new SecondFactorScopes(List.of("compute.cancel", "wlcg.groups:/admins"));

    assertThat(scopes.protect(List.of("compute.cancel"))).isTrue();
    assertThat(scopes.protect(List.of("compute.create", "openid", "storage.read:/"))).isFalse();
    // A token that names one group of its user names all.
    assertThat(scopes.protect(List.of("wlcg.groups"))).isTrue();
    assertThat(scopes.protect(List.of("wlcg.groups:/guests"))).isTrue();
  }
}
