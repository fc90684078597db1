package dev.staithe.wss.policy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The assertions of one policy, from which the reader takes what it understands. What is left at
 * the {@linkplain #end() end} is not understood. Not thread-safe.
 */
final class PolicyAssertions {
  private final Dialect dialect;
  private final String where;
  private final List<Assertion> left;

  PolicyAssertions(Dialect dialect, String where, List<Assertion> assertions) {
    this.dialect = dialect;
    this.where = where;
    this.left = new ArrayList<>(assertions);
  }

  Dialect dialect() {
    return dialect;
  }

  /** For messages: the assertion that these are nested in. */
  String where() {
    return where;
  }

  /** What is nested in an assertion, whose own attributes and parameters were looked at. */
  PolicyAssertions of(Assertion assertion) {
    return new PolicyAssertions(dialect, Dialect.name(assertion.name()), assertion.nested());
  }

  /** Takes the assertions of that name. */
  List<Assertion> all(String local) throws NotUnderstood {
    return all(assertion -> dialect.is(assertion.name(), local));
  }

  private List<Assertion> all(Predicate<Assertion> which) throws NotUnderstood {
    List<Assertion> taken = new ArrayList<>();
    for (Iterator<Assertion> each = left.iterator(); each.hasNext(); ) {
      Assertion assertion = each.next();
      if (which.test(assertion)) {
        if (assertion.optional()) {
          throw new NotUnderstood(
              Dialect.name(assertion.name()) + " is optional: an endpoint demands one thing");
        }
        taken.add(assertion);
        each.remove();
      }
    }
    return taken;
  }

  private @Nullable Assertion one(Predicate<Assertion> which) throws NotUnderstood {
    List<Assertion> taken = all(which);
    if (taken.size() > 1) {
      throw new NotUnderstood(Dialect.name(taken.getFirst().name()) + " stands twice in " + where);
    }
    return taken.isEmpty() ? null : taken.getFirst();
  }

  /** Takes the assertion of that name, which may stand once and has no parameters of its own. */
  @Nullable Assertion one(String local) throws NotUnderstood {
    Assertion assertion = one(it -> dialect.is(it.name(), local));
    if (assertion != null) {
      noParameters(assertion);
    }
    return assertion;
  }

  /** Takes the policy nested in the assertion of that name, which has no attributes either. */
  @Nullable PolicyAssertions nested(String local) throws NotUnderstood {
    Assertion assertion = one(local);
    if (assertion == null) {
      return null;
    }
    noAttributes(assertion, null);
    return of(assertion);
  }

  /** Takes an assertion that says all by being there. */
  boolean flag(String local) throws NotUnderstood {
    return plain(one(it -> dialect.is(it.name(), local)));
  }

  /** The same, of another namespace. */
  boolean flag(QName name) throws NotUnderstood {
    return plain(one(it -> it.name().equals(name)));
  }

  private static boolean plain(@Nullable Assertion assertion) throws NotUnderstood {
    if (assertion == null) {
      return false;
    }
    noParameters(assertion);
    noAttributes(assertion, null);
    if (!assertion.nested().isEmpty()) {
      throw new NotUnderstood(
          Dialect.name(assertion.nested().getFirst().name())
              + " in "
              + Dialect.name(assertion.name())
              + " is not understood");
    }
    return true;
  }

  /** Takes an assertion in which nothing but one other may be nested. */
  boolean flag(QName name, QName within) throws NotUnderstood {
    Assertion assertion = one(it -> it.name().equals(name));
    if (assertion == null) {
      return false;
    }
    noParameters(assertion);
    noAttributes(assertion, null);
    PolicyAssertions said = of(assertion);
    said.flag(within);
    said.end();
    return true;
  }

  /** Removes an assertion that may be left out, and is: what is optional is not demanded. */
  boolean leave(QName name) {
    return left.removeIf(it -> it.optional() && it.name().equals(name));
  }

  /** Takes the only assertion that is left. */
  Assertion only() throws NotUnderstood {
    if (left.isEmpty()) {
      throw new NotUnderstood(where + " is empty");
    }
    if (left.size() > 1) {
      throw new NotUnderstood(
          where
              + " holds "
              + Dialect.name(left.get(0).name())
              + " and "
              + Dialect.name(left.get(1).name())
              + ": expected one");
    }
    Assertion assertion = left.removeFirst();
    if (assertion.optional()) {
      throw new NotUnderstood(Dialect.name(assertion.name()) + " in " + where + " is optional");
    }
    return assertion;
  }

  boolean isEmpty() {
    return left.isEmpty();
  }

  /**
   * Checks that all was taken.
   *
   * @throws NotUnderstood which names the first that was not
   */
  void end() throws NotUnderstood {
    if (!left.isEmpty()) {
      throw new NotUnderstood(
          Dialect.name(left.getFirst().name()) + " in " + where + " is not understood");
    }
  }

  static void noParameters(Assertion assertion) throws NotUnderstood {
    if (!assertion.parameters().isEmpty()) {
      var child = assertion.parameters().getFirst();
      throw new NotUnderstood(
          Dialect.name(PolicyDocument.name(child))
              + " in "
              + Dialect.name(assertion.name())
              + " is not understood");
    }
  }

  /** Refuses attributes other than the one that is named. */
  static void noAttributes(Assertion assertion, @Nullable QName but) throws NotUnderstood {
    for (Map.Entry<QName, String> attribute : assertion.attributes().entrySet()) {
      if (!attribute.getKey().equals(but)) {
        throw new NotUnderstood(
            "the attribute "
                + Dialect.name(attribute.getKey())
                + " of "
                + Dialect.name(assertion.name())
                + " is not understood");
      }
    }
  }
}
