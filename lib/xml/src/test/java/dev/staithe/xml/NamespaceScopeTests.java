package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What prefixes stand for, against maps that are copied at each element. */
class NamespaceScopeTests {
  private static final ByteNames KNOWN = new ByteNames(List.of("urn:a", "urn:b"));
  // Alike in what the short key compares, and not the same.
  private static final List<String> PREFIXES =
      List.of("", "p", "q", "pq", "p1q", "p2q", "pp1q", "prefix-one", "prefix-two", "pr\u00e9fix");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void add(NamespaceScope scope, String prefix, String name) {
    byte[] in = bytes(prefix);
    byte[] value = bytes(name);
    scope.add(in, 0, in.length, NamespaceScope.key(in, 0, in.length), value, 0, value.length);
  }

  private static void same(NamespaceScope scope, Map<String, String> expected) {
    for (String each : PREFIXES) {
      assertThat(scope.namespace(each)).as(each).isEqualTo(expected.getOrDefault(each, ""));
    }
  }

  /** One declaration; or the end of the element that made the last ones. */
  record Step(String prefix, String name, boolean begins, boolean ends) {}

  @Property(tries = 400)
  void declarationsHoldFromTheirElementsStartToItsEnd(@ForAll("steps") List<Step> steps) {
    var scope = new NamespaceScope(KNOWN);
    Deque<Map<String, String>> models = new ArrayDeque<>();
    Deque<Integer> marks = new ArrayDeque<>();
    models.push(new HashMap<>());
    marks.push(scope.count);
    Set<String> here = new HashSet<>();
    for (Step each : steps) {
      if (each.ends() && models.size() > 1) {
        models.pop();
        scope.truncate(marks.pop());
        here = new HashSet<>(PREFIXES);
      } else if (each.begins()) {
        models.push(new HashMap<>(models.getFirst()));
        marks.push(scope.count);
        here = new HashSet<>();
      }
      if (here.add(each.prefix()) && !(each.name().isEmpty() && !each.prefix().isEmpty())) {
        add(scope, each.prefix(), each.name());
        models.getFirst().put(each.prefix(), each.name());
      }
      same(scope, models.getFirst());
      var copy = new NamespaceScope(KNOWN);
      add(copy, "p", "urn:old");
      copy.set(scope);
      same(copy, models.getFirst());
    }
    assertThat(scope.namespace("xml")).isEqualTo("http://www.w3.org/XML/1998/namespace");
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.of(PREFIXES),
            Arbitraries.of("urn:a", "urn:b", "urn:c", "urn:\u00e4", "", "x".repeat(700)),
            Arbitraries.of(true, false, false),
            Arbitraries.of(true, false, false, false))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(60);
  }

  @Test
  void sameNamespaceHasTheSameNumberWhateverItsPrefix() {
    var scope = new NamespaceScope(KNOWN);
    add(scope, "p", "urn:b");
    add(scope, "q", "urn:x");
    add(scope, "r", "urn:x");
    add(scope, "s", "urn:y");

    assertThat(scope.numberAt(scope.find(bytes("p")))).isEqualTo(2);
    int unknown = scope.numberAt(scope.find(bytes("q")));
    assertThat(unknown).isNegative().isNotEqualTo(NamespaceScope.XML);
    assertThat(scope.numberAt(scope.find(bytes("r")))).isEqualTo(unknown);
    assertThat(scope.numberAt(scope.find(bytes("s")))).isNotEqualTo(unknown);
    assertThat(scope.numberAt(scope.find(bytes("none")))).isEqualTo(NamespaceScope.NONE);
  }

  @Property(tries = 300)
  void knownNamesAreFoundInAnyBytesAndNoOthers(
      @ForAll("names") List<String> names, @ForAll("name") String wanted) {
    var known = new ByteNames(List.copyOf(new java.util.LinkedHashSet<>(names)));
    byte[] in = bytes("<" + wanted + ">");
    int found = known.find(in, 1, in.length - 1);
    assertThat(found > 0).isEqualTo(names.contains(wanted));
    if (found > 0) {
      assertThat(known.name(found)).isEqualTo(wanted);
    }
  }

  @Provide
  Arbitrary<String> name() {
    return Arbitraries.strings().withChars("ab:/\u00e4").ofMaxLength(3);
  }

  @Provide
  Arbitrary<List<String>> names() {
    return name().list().ofMaxSize(40);
  }
}
