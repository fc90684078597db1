package dev.staithe.gateway.publish;

import dev.staithe.wss.PlainMessage;
import dev.staithe.xml.SoapVersion;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * Which action a service expects with a request, by what the request's body holds: so says its
 * description. What is looked up by a body that was signed is as good as signed itself, whatever
 * HTTP says. Immutable.
 */
public final class Actions {
  /** Where nothing is known. */
  public static final Actions NONE = new Actions(Map.of(), Map.of(), Set.of());

  /** Stands for a body without an element; no element has such a name. */
  static final QName NOTHING = new QName("");

  private final Map<SoapVersion, Map<QName, String>> known;
  private final Map<SoapVersion, Map<QName, String>> answers;
  private final Set<QName> ambiguous;

  /**
   * Keeps its own.
   *
   * @param found all actions that the description has for a body
   * @param answers all actions that it has for the answer to one
   */
  static Actions of(
      Map<SoapVersion, Map<QName, Set<String>>> found,
      Map<SoapVersion, Map<QName, Set<String>>> answers) {
    Set<QName> ambiguous = new LinkedHashSet<>();
    Map<SoapVersion, Map<QName, String>> known = single(found, ambiguous);
    // Of answers it is not told: whoever asked need not be addressed.
    Map<SoapVersion, Map<QName, String>> ofAnswers = single(answers, new LinkedHashSet<>());
    return known.isEmpty() && ofAnswers.isEmpty() && ambiguous.isEmpty()
        ? NONE
        : new Actions(known, ofAnswers, ambiguous);
  }

  private static Map<SoapVersion, Map<QName, String>> single(
      Map<SoapVersion, Map<QName, Set<String>>> found, Set<QName> ambiguous) {
    Map<SoapVersion, Map<QName, String>> known = new EnumMap<>(SoapVersion.class);
    found.forEach(
        (version, bodies) -> {
          Map<QName, String> single = new HashMap<>();
          bodies.forEach(
              (body, actions) -> {
                String first = actions.iterator().next();
                if (actions.size() > 1) {
                  ambiguous.add(body);
                } else if (!first.isEmpty()) {
                  single.put(body, first);
                }
              });
          if (!single.isEmpty()) {
            known.put(version, Map.copyOf(single));
          }
        });
    return known;
  }

  private Actions(
      Map<SoapVersion, Map<QName, String>> known,
      Map<SoapVersion, Map<QName, String>> answers,
      Set<QName> ambiguous) {
    this.known = Map.copyOf(known);
    this.answers = Map.copyOf(answers);
    this.ambiguous = Set.copyOf(ambiguous);
  }

  /**
   * The action of a request.
   *
   * @return null where the description has none for its body, or several
   */
  public @Nullable String of(PlainMessage message) {
    return find(known, message);
  }

  /**
   * The action of the answer to a request.
   *
   * @return null where the description has none for its body, or several
   */
  public @Nullable String ofAnswer(PlainMessage message) {
    return find(answers, message);
  }

  private static @Nullable String find(
      Map<SoapVersion, Map<QName, String>> in, PlainMessage message) {
    Map<QName, String> bodies = in.get(message.version());
    if (bodies == null) {
      return null;
    }
    QName operation = message.operation();
    if (operation != null) {
      return bodies.get(operation);
    }
    String ofNothing = bodies.get(NOTHING);
    return ofNothing != null && isEmpty(message.body()) ? ofNothing : null;
  }

  /** Bodies that stand for several actions: those of operations that share an element. */
  Set<QName> ambiguous() {
    return ambiguous;
  }

  /** In canonical form each element has two tags, and nothing else has such a character. */
  private static boolean isEmpty(byte[] body) {
    int tags = 0;
    for (byte each : body) {
      if (each == '<' && ++tags > 2) {
        return false;
      }
    }
    return true;
  }
}
