package dev.staithe.storage.policy;

import dev.staithe.service.NetworkBlock;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.files.StoragePath;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one area: the first that concerns a request decides. Found by a tree of path
 * segments, and at each of its nodes by what is proved of the caller, so that rules for other paths
 * and other people cost nothing. Immutable once {@link Builder#build built}.
 */
final class Policy {
  /** Room for a million rules for a few paths or people each, in some hundred megabytes. */
  static final int MOST_ENTRIES = 4_000_000;

  private static final long[] NONE = {};

  private final List<PolicyRule> rules;
  private final Map<Object, Integer> keys;
  private final int[] fourPrefixes;
  private final int[] sixPrefixes;
  private final Node top;

  private Policy(List<PolicyRule> rules, Map<Object, Integer> keys, Node top) {
    this.rules = rules;
    this.keys = keys;
    this.top = top;
    this.fourPrefixes = prefixes(keys.keySet(), false);
    this.sixPrefixes = prefixes(keys.keySet(), true);
  }

  /** A segment of paths that rules name. */
  private static final class Node {
    private @Nullable Map<String, Node> members;

    /** A key above, the index of a rule below; ascending. */
    private long[] entries = NONE;

    private int size;

    @Nullable Node member(String name) {
      return members == null ? null : members.get(name);
    }

    Node made(String name) {
      if (members == null) {
        members = new HashMap<>(2);
      }
      return members.computeIfAbsent(name, n -> new Node());
    }

    void add(int key, int rule) {
      if (size == entries.length) {
        entries = Arrays.copyOf(entries, Math.max(1, size * 2));
      }
      entries[size++] = (long) key << 32 | rule;
    }

    int firstOf(int key) {
      int found = Arrays.binarySearch(entries, 0, size, (long) key << 32);
      return found < 0 ? -found - 1 : found;
    }
  }

  /** Takes rules in their order. For one thread. */
  static final class Builder {
    private final List<PolicyRule> rules = new ArrayList<>();
    private final Map<Object, Integer> keys = new HashMap<>();
    private final Node top = new Node();
    private int entries;

    /** How many there are. */
    int rules() {
      return rules.size();
    }

    /**
     * Adds a rule for those paths and all below them.
     *
     * @throws IllegalArgumentException where the policy would be too large
     */
    void add(PolicyRule rule, List<StoragePath> paths) {
      Set<?> by = keysOf(rule);
      entries += Math.multiplyExact(by.size(), paths.size());
      if (entries > MOST_ENTRIES) {
        throw new IllegalArgumentException(
            "the policy names more than " + MOST_ENTRIES + " paths and people");
      }
      for (Object key : by) {
        int id = keys.computeIfAbsent(key, k -> keys.size());
        for (StoragePath path : paths) {
          node(path).add(id, rules.size());
        }
      }
      rule.except().forEach(this::node);
      rules.add(rule);
    }

    private Node node(StoragePath path) {
      Node node = top;
      for (String segment : path.segments()) {
        node = node.made(segment);
      }
      return node;
    }

    /** What must be proved for the rule, the fewest that it can be found by. */
    private static Set<?> keysOf(PolicyRule rule) {
      Set<Principal> closest = rule.who().getLast();
      boolean anybody =
          closest.contains(Principal.ANYONE) || closest.contains(Principal.AUTHENTICATED);
      return anybody && rule.networks() != null ? rule.networks().blocks() : closest;
    }

    Policy build() {
      Deque<Node> open = new ArrayDeque<>(List.of(top));
      while (!open.isEmpty()) {
        Node node = open.pop();
        node.entries = Arrays.copyOf(node.entries, node.size);
        Arrays.sort(node.entries);
        if (node.members != null) {
          open.addAll(node.members.values());
        }
      }
      return new Policy(List.copyOf(rules), Map.copyOf(keys), top);
    }
  }

  private static int[] prefixes(Set<Object> keys, boolean six) {
    return keys.stream()
        .filter(NetworkBlock.class::isInstance)
        .map(NetworkBlock.class::cast)
        .filter(block -> block.six() == six)
        .mapToInt(NetworkBlock::prefix)
        .distinct()
        .toArray();
  }

  /** How many rules there are. */
  int size() {
    return rules.size();
  }

  /** The first rule that concerns the request, or null where none does. */
  @Nullable PolicyRule decide(Asked asked, StoragePath path, Right right) {
    List<Principal> proved = Principal.of(asked.caller());
    int[] ids = ids(proved, asked.from());
    if (ids.length == 0) {
      return null;
    }
    Set<Principal> set = new HashSet<>(proved);
    int best = rules.size();
    Node node = top;
    for (int depth = 0; node != null; depth++) {
      for (int id : ids) {
        for (int i = node.firstOf(id); i < node.size && (int) (node.entries[i] >>> 32) == id; i++) {
          int index = (int) node.entries[i];
          if (index >= best) {
            break;
          }
          if (rules.get(index).concerns(asked, set, path, right)) {
            best = index;
            break;
          }
        }
      }
      node = depth < path.segments().size() ? node.member(path.segments().get(depth)) : null;
    }
    return best == rules.size() ? null : rules.get(best);
  }

  private int[] ids(List<Principal> proved, @Nullable InetAddress from) {
    int[] ids = new int[proved.size() + fourPrefixes.length + sixPrefixes.length];
    int n = 0;
    for (Principal each : proved) {
      n = keep(ids, n, each);
    }
    if (from != null && n + fourPrefixes.length + sixPrefixes.length > 0) {
      NetworkBlock address = NetworkBlock.of(from);
      for (int prefix : address.six() ? sixPrefixes : fourPrefixes) {
        n = keep(ids, n, address.around(prefix));
      }
    }
    return Arrays.copyOf(ids, n);
  }

  private int keep(int[] ids, int n, Object key) {
    Integer id = keys.get(key);
    if (id == null) {
      return n;
    }
    ids[n] = id;
    return n + 1;
  }

  /** Whether {@code test} holds at all paths below this one that rules name, or spare. */
  boolean holdsBelow(StoragePath path, Predicate<StoragePath> test) {
    Node node = top;
    for (String segment : path.segments()) {
      node = node.member(segment);
      if (node == null) {
        return true;
      }
    }
    record Place(StoragePath path, Node node) {}
    Deque<Place> open = new ArrayDeque<>(List.of(new Place(path, node)));
    while (!open.isEmpty()) {
      Place place = open.pop();
      if (place.node().members == null) {
        continue;
      }
      for (Map.Entry<String, Node> member : place.node().members.entrySet()) {
        StoragePath below = place.path().child(member.getKey());
        if (!test.test(below)) {
          return false;
        }
        open.push(new Place(below, member.getValue()));
      }
    }
    return true;
  }

  /** The first few rules that permit this at the path to somebody. */
  List<PolicyRule> permitting(StoragePath path, Right right, int most) {
    List<PolicyRule> found = new ArrayList<>();
    Node node = top;
    for (int depth = 0; node != null; depth++) {
      for (int i = 0; i < node.size && found.size() < most; i++) {
        PolicyRule rule = rules.get((int) node.entries[i]);
        if (rule.permit()
            && rule.rights().contains(right)
            && !found.contains(rule)
            && rule.except().stream().noneMatch(path::startsWith)) {
          found.add(rule);
        }
      }
      node = depth < path.segments().size() ? node.member(path.segments().get(depth)) : null;
    }
    return found;
  }
}
