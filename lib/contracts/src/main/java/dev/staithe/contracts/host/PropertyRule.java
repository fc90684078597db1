package dev.staithe.contracts.host;

import java.math.BigInteger;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One property that an area's data need a host to have, as {@code jurisdiction in [DE, NL]}. Words
 * are compared without regard to case. Immutable.
 *
 * @param text as it was written
 * @param name of the property, with dots between its parts
 * @param operator how it is compared
 * @param wanted what it is compared with
 */
public record PropertyRule(String text, String name, Operator operator, List<String> wanted) {
  private static final Pattern FORM =
      Pattern.compile(
          "([a-z][a-z0-9-]*(?:\\.[a-z][a-z0-9-]*)*) +(?:(exists)|(in|not in) *\\[([^\\[\\]]*)]"
              + "|(=|>=) *([^\\[\\],<>=\\s][^\\[\\],]*))");
  private static final Pattern DAYS = Pattern.compile("([0-9]{1,9})([smhd])");
  private static final Pattern VERSION = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9}){0,9}");

  /** How a property is compared. A host may offer one value or several. */
  public enum Operator {
    /** Offered at all, and not empty. */
    EXISTS,
    /** Each value that is offered is one of these. */
    IN,
    /** Offered, and no value is one of these. */
    NOT_IN,
    /** This is among the values that are offered. */
    EQUAL,
    /** One value, a duration or a version, that is not less than this one. */
    AT_LEAST
  }

  /** Takes a copy. */
  public PropertyRule {
    wanted = List.copyOf(wanted);
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException with one line that says what is wrong
   */
  public static PropertyRule parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "expected PROPERTY exists, PROPERTY in [A, B], PROPERTY not in [A], PROPERTY = A or"
              + " PROPERTY >= A");
    }
    String name = form.group(1);
    if (form.group(2) != null) {
      return new PropertyRule(text.strip(), name, Operator.EXISTS, List.of());
    }
    if (form.group(3) != null) {
      List<String> words = Arrays.stream(form.group(4).split(",", -1)).map(String::strip).toList();
      if (words.contains("")) {
        throw new IllegalArgumentException("a value between the brackets is empty");
      }
      return new PropertyRule(
          text.strip(), name, form.group(3).equals("in") ? Operator.IN : Operator.NOT_IN, words);
    }
    String word = form.group(6).strip();
    boolean least = form.group(5).equals(">=");
    if (least && duration(word).isEmpty() && version(word).isEmpty()) {
      throw new IllegalArgumentException(
          ">= compares durations, as 30d or P30D, and versions, as 2.1");
    }
    return new PropertyRule(
        text.strip(), name, least ? Operator.AT_LEAST : Operator.EQUAL, List.of(word));
  }

  /** Whether a host with these properties has it. */
  public boolean holds(Map<String, Object> properties) {
    List<String> offered = offered(properties);
    if (offered.isEmpty()) {
      return false;
    }
    return switch (operator) {
      case EXISTS -> true;
      case IN -> offered.stream().allMatch(this::listed);
      case NOT_IN -> offered.stream().noneMatch(this::listed);
      case EQUAL -> offered.stream().anyMatch(this::listed);
      case AT_LEAST -> offered.size() == 1 && atLeast(offered.getFirst(), wanted.getFirst());
    };
  }

  /** What a host offers of it, for messages: {@code [none]} or {@code nothing}. */
  public String offer(Map<String, Object> properties) {
    List<String> offered = offered(properties);
    return offered.isEmpty() ? "nothing" : offered.toString();
  }

  private boolean listed(String value) {
    return wanted.stream().anyMatch(value::equalsIgnoreCase);
  }

  private List<String> offered(Map<String, Object> properties) {
    Object at = properties;
    for (String part : name.split("\\.")) {
      at = at instanceof Map<?, ?> map ? map.get(part) : null;
    }
    List<String> values = new ArrayList<>();
    for (Object each : at instanceof List<?> list ? list : at == null ? List.of() : List.of(at)) {
      if (each instanceof String || each instanceof Number || each instanceof Boolean) {
        String word = each.toString().strip();
        if (!word.isEmpty()) {
          values.add(word);
        }
      }
    }
    return values;
  }

  private static boolean atLeast(String offered, String wanted) {
    Optional<Duration> least = duration(wanted);
    if (least.isPresent()) {
      return duration(offered).filter(d -> d.compareTo(least.get()) >= 0).isPresent();
    }
    Optional<List<BigInteger>> have = version(offered);
    Optional<List<BigInteger>> need = version(wanted);
    if (have.isEmpty() || need.isEmpty()) {
      return false;
    }
    int parts = Math.max(have.get().size(), need.get().size());
    for (int i = 0; i < parts; i++) {
      int order = part(have.get(), i).compareTo(part(need.get(), i));
      if (order != 0) {
        return order > 0;
      }
    }
    return true;
  }

  private static BigInteger part(List<BigInteger> version, int at) {
    return at < version.size() ? version.get(at) : BigInteger.ZERO;
  }

  private static Optional<Duration> duration(String text) {
    Matcher brief = DAYS.matcher(text);
    if (brief.matches()) {
      long number = Long.parseLong(brief.group(1));
      return Optional.of(
          switch (brief.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          });
    }
    try {
      return text.toUpperCase(Locale.ROOT).startsWith("P")
          ? Optional.of(Duration.parse(text))
          : Optional.empty();
    } catch (DateTimeParseException none) {
      return Optional.empty();
    }
  }

  private static Optional<List<BigInteger>> version(String text) {
    return VERSION.matcher(text).matches()
        ? Optional.of(Arrays.stream(text.split("\\.")).map(BigInteger::new).toList())
        : Optional.empty();
  }
}
