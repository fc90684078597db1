package dev.staithe.storage.locks;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code If} header (RFC 4918 section 10.4).
 *
 * @param lists its lists, of which one must hold
 */
public record IfHeader(List<ConditionList> lists) {
  /** A list of conditions on one resource, all of which must hold. */
  record ConditionList(@Nullable String resource, List<Condition> conditions) {}

  /** A state token or an entity tag, perhaps negated. */
  record Condition(boolean negated, @Nullable String token, @Nullable String etag) {}

  /** Tells whether a condition holds. */
  @FunctionalInterface
  interface Judge {
    boolean holds(@Nullable String resource, Condition condition) throws java.io.IOException;
  }

  /** Reads the header; empty where it is not of the grammar. */
  public static Optional<IfHeader> parse(String header) {
    List<ConditionList> lists = new ArrayList<>();
    String resource = null;
    int i = 0;
    int n = header.length();
    while (i < n) {
      char c = header.charAt(i);
      if (Character.isWhitespace(c)) {
        i++;
      } else if (c == '<') {
        int end = header.indexOf('>', i);
        if (end < 0) {
          return Optional.empty();
        }
        resource = header.substring(i + 1, end);
        i = end + 1;
      } else if (c == '(') {
        List<Condition> conditions = new ArrayList<>();
        i = conditions(header, i + 1, conditions);
        if (i < 0 || conditions.isEmpty()) {
          return Optional.empty();
        }
        lists.add(new ConditionList(resource, List.copyOf(conditions)));
      } else {
        return Optional.empty();
      }
    }
    return lists.isEmpty() ? Optional.empty() : Optional.of(new IfHeader(List.copyOf(lists)));
  }

  /** Reads up to the closing parenthesis; gives the index behind it, or -1. */
  private static int conditions(String header, int from, List<Condition> into) {
    int i = from;
    boolean negated = false;
    while (i < header.length()) {
      char c = header.charAt(i);
      if (Character.isWhitespace(c)) {
        i++;
      } else if (c == ')') {
        return negated ? -1 : i + 1;
      } else if (!negated && header.regionMatches(true, i, "Not", 0, 3)) {
        negated = true;
        i += 3;
      } else if (c == '<' || c == '[') {
        int end = header.indexOf(c == '<' ? '>' : ']', i);
        if (end < 0) {
          return -1;
        }
        String value = header.substring(i + 1, end);
        into.add(
            c == '<' ? new Condition(negated, value, null) : new Condition(negated, null, value));
        negated = false;
        i = end + 1;
      } else {
        return -1;
      }
    }
    return -1;
  }

  boolean holds(Judge judge) throws java.io.IOException {
    for (ConditionList list : lists) {
      boolean all = true;
      for (Condition condition : list.conditions()) {
        if (judge.holds(list.resource(), condition) == condition.negated()) {
          all = false;
          break;
        }
      }
      if (all) {
        return true;
      }
    }
    return false;
  }

  /** Every state token that stands in it: naming a lock's token is submitting it. */
  public Set<String> tokens() {
    Set<String> tokens = new LinkedHashSet<>();
    for (ConditionList list : lists) {
      for (Condition condition : list.conditions()) {
        if (condition.token() != null) {
          tokens.add(condition.token());
        }
      }
    }
    return tokens;
  }
}
