package dev.staithe.xml;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is declared in a canonical form around what is written next ("rendered by an output
 * ancestor", Exclusive XML Canonicalization 1.0 section 3), and what each start has to declare.
 * Reused; for one thread at a time.
 */
final class RenderedNamespaces {
  private static final byte[][] NO_PREFIXES = new byte[0][];

  private byte[][] inclusive = NO_PREFIXES;
  private boolean everything;
  private int foreign;
  private final Set<String> kept = new LinkedHashSet<>();
  private final Set<String> keptBelow = new LinkedHashSet<>(2);
  private boolean first;

  /** Places in the scope. */
  private int[] rendered = new int[32];

  private int count;
  private int[] mark = new int[16];

  /** Begins anew, with prefixes that are declared wherever they are in scope, used or not. */
  void begin(List<byte[]> prefixes) {
    count = 0;
    first = true;
    everything = false;
    foreign = 0;
    if (!kept.isEmpty()) {
      kept.clear();
      keptBelow.clear();
    }
    inclusive = prefixes.isEmpty() ? NO_PREFIXES : prefixes.toArray(byte[][]::new);
  }

  /**
   * Begins anew, and declares all that is in scope.
   *
   * @param declared around it, which are declared where they are used
   */
  void beginInclusive(int declared) {
    begin(List.of());
    everything = true;
    foreign = declared;
  }

  /** The prefixes that were declared although nothing used them there, each once. */
  List<String> kept() {
    return kept.isEmpty() ? List.of() : List.copyOf(kept);
  }

  /** Those of them that the outermost element did not declare so. */
  List<String> keptBelow() {
    return keptBelow.isEmpty() ? List.of() : List.copyOf(keptBelow);
  }

  /** Comes to a start at a depth. */
  void enter(int depth) {
    if (depth >= mark.length) {
      mark = Arrays.copyOf(mark, 2 * depth);
    }
    mark[depth] = count;
  }

  /** Forgets what was declared by the start at a depth. */
  void leave(int depth) {
    count = mark[depth];
  }

  /**
   * Writes what the start at a depth has to declare: what was used in it, and what is declared
   * whether it is used or not.
   *
   * @param declarations that it has itself
   */
  void declare(int depth, NamespaceScope scope, int declarations, Octets out) {
    if (first || declarations > 0) {
      // What stands around was looked at there.
      include(scope, first ? 1 + foreign : scope.count - declarations);
      first = false;
    }
    if (count > mark[depth]) {
      write(scope, mark[depth], out);
    }
  }

  /** Takes a declaration among those that are written where the output does not have it yet. */
  void use(NamespaceScope scope, int place) {
    if (place <= 0) {
      // Nothing is declared, or it is the prefix xml, which never is.
      return;
    }
    for (int i = count - 1; i >= 0; i--) {
      if (rendered[i] == place) {
        return;
      }
    }
    int number = scope.number[place];
    int other = renderedLike(scope, place);
    if (other < 0 ? number == NamespaceScope.NONE : scope.number[other] == number) {
      return;
    }
    if (number == NamespaceScope.XML) {
      return;
    }
    if (count == rendered.length) {
      rendered = Arrays.copyOf(rendered, 2 * count);
    }
    rendered[count++] = place;
  }

  /** The innermost declaration in the output of the same prefix; -1 for none. */
  private int renderedLike(NamespaceScope scope, int place) {
    int key = scope.prefixKey[place];
    for (int i = count - 1; i >= 0; i--) {
      int other = rendered[i];
      if (scope.prefixKey[other] == key && comparePrefixes(scope, other, place) == 0) {
        return other;
      }
    }
    return -1;
  }

  private void include(NamespaceScope scope, int from) {
    if (everything) {
      for (int i = from; i < scope.count; i++) {
        int innermost =
            scope.prefixLength[i] == 0
                ? scope.fallback
                : scope.find(
                    scope.store, scope.prefixAt[i], scope.prefixLength[i], scope.prefixKey[i]);
        int before = count;
        if (innermost == i) {
          use(scope, i);
        }
        if (count > before) {
          var prefix =
              new String(
                  scope.store, scope.prefixAt[i], scope.prefixLength[i], StandardCharsets.UTF_8);
          if (kept.add(prefix) && !first) {
            keptBelow.add(prefix);
          }
        }
      }
      return;
    }
    if (first) {
      for (byte[] prefix : inclusive) {
        use(scope, scope.find(prefix));
      }
      return;
    }
    for (int i = from; i < scope.count; i++) {
      if (isInclusive(scope, i)) {
        use(scope, i);
      }
    }
  }

  private boolean isInclusive(NamespaceScope scope, int place) {
    for (byte[] prefix : inclusive) {
      if (scope.declares(place, prefix)) {
        return true;
      }
    }
    return false;
  }

  private static int comparePrefixes(NamespaceScope scope, int a, int b) {
    int at = scope.prefixAt[a];
    int other = scope.prefixAt[b];
    return Arrays.compareUnsigned(
        scope.store,
        at,
        at + scope.prefixLength[a],
        scope.store,
        other,
        other + scope.prefixLength[b]);
  }

  private void write(NamespaceScope scope, int from, Octets out) {
    for (int i = from + 1; i < count; i++) {
      int moved = rendered[i];
      int j = i - 1;
      while (j >= from && comparePrefixes(scope, rendered[j], moved) > 0) {
        rendered[j + 1] = rendered[j];
        j--;
      }
      rendered[j + 1] = moved;
    }
    for (int i = from; i < count; i++) {
      int place = rendered[i];
      if (scope.prefixLength[place] == 0) {
        out.put(" xmlns=\"");
      } else {
        out.put(" xmlns:");
        out.put(scope.store, scope.prefixAt[place], scope.prefixLength[place]);
        out.put("=\"");
      }
      int name = scope.nameAt[place];
      ExclusiveCanonical.escape(scope.store, name, name + scope.nameLength[place], out);
      out.put('"');
    }
  }

  /** Whether it is declared in the output as it is in the scope. */
  boolean has(NamespaceScope scope, int place) {
    int other = renderedLike(scope, place);
    return other < 0
        ? scope.number[place] == NamespaceScope.NONE
        : scope.number[other] == scope.number[place];
  }
}
