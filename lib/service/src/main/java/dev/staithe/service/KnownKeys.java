package dev.staithe.service;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The keys that the record of {@link ThisService#settings()} has. Stops a start that is given
 * others, wherever they stand: Spring Boot itself says nothing of unknown environment variables and
 * system properties. Found by Spring Boot through {@code META-INF/spring.factories}.
 */
final class KnownKeys implements EnvironmentPostProcessor, Ordered {
  private static final String ROOT = "staithe";
  private static final String VARIABLE = "STAITHE_";

  /** Ends of keys whose values are not shown, as who guesses one may have put a secret there. */
  private static final Pattern SECRET = Pattern.compile("(password|passphrase|secret|token|pin)$");

  /** After the configuration files are read. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    List<String> wrong = new ArrayList<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> given) {
        boolean variables = source instanceof SystemEnvironmentPropertySource;
        for (String name : given.getPropertyNames()) {
          (variables ? wrongVariable(name) : wrongKey(name, given.getProperty(name)))
              .filter(line -> !wrong.contains(line))
              .ifPresent(wrong::add);
        }
      }
    }
    if (!wrong.isEmpty()) {
      throw new OneLineFailure.WrongConfiguration(String.join("; ", wrong), null);
    }
  }

  private static Optional<String> wrongKey(String written, @Nullable Object value) {
    if (!written.toLowerCase(Locale.ROOT).startsWith(ROOT)) {
      return Optional.empty();
    }
    ConfigurationPropertyName name = ConfigurationPropertyName.adapt(written, '.');
    if (name.getNumberOfElements() == 0
        || !name.getElement(0, ConfigurationPropertyName.Form.UNIFORM).equals(ROOT)) {
      return Optional.empty();
    }
    Type type = typeOf(name);
    if (type == null) {
      return Optional.of(unknown(name, String.valueOf(value)));
    }
    return type instanceof Class<?> group && group.isRecord() && !"".equals(value)
        ? Optional.of(noGroup(name, value, group))
        : Optional.empty();
  }

  /** The value of a variable is not shown: it may be a secret of something else. */
  private static Optional<String> wrongVariable(String written) {
    String name = written.toUpperCase(Locale.ROOT);
    if (!name.startsWith(VARIABLE)) {
      return Optional.empty();
    }
    String anyIndex = name.replaceAll("_\\d+(?=_|$)", "_0");
    List<String> known = new ArrayList<>();
    variables("STAITHE", ThisService.get().settings(), known);
    return known.contains(anyIndex)
        ? Optional.empty()
        : known.stream()
            .min(Comparator.comparingInt(each -> distance(each, anyIndex)))
            .map(
                nearest ->
                    "the environment variable "
                        + written
                        + " is not known; the nearest that is: "
                        + nearest);
  }

  /** What an empty map in a configuration file must not stand at; empty where it may. */
  static Optional<String> wrongEmptyMap(String written) {
    Optional<String> wrong = wrongKey(written, "");
    ConfigurationPropertyName name = ConfigurationPropertyName.adapt(written, '.');
    return wrong.isPresent() || !name.toString().startsWith(ROOT + ".")
        ? wrong.map(line -> line.replace(" = \"\"", " = \"{}\""))
        : typeOf(name) instanceof Class<?> leaf && !leaf.isRecord()
            ? Optional.of(name + " = \"{}\": must be one value and no group of keys")
            : Optional.empty();
  }

  /** The line about a key that there is not. */
  static String unknown(ConfigurationPropertyName name, String value) {
    String gone =
        ThisService.get()
            .gone()
            .get(name.toString().replaceAll("\\[\\d+]", "").substring(ROOT.length() + 1));
    String given = SECRET.matcher(name.toString()).find() ? name + ": " : given(name, value);
    if (gone != null) {
      return given + "is gone; " + gone;
    }
    return given
        + (typeOf(name) != null
            ? "stands after a gap in the numbers of its list"
            : "is not known; allowed at this place: " + String.join(", ", besides(name)));
  }

  private static String noGroup(
      ConfigurationPropertyName name, @Nullable Object value, Class<?> group) {
    return given(name, value) + "must be a group of keys: " + String.join(", ", in(group));
  }

  private static String given(ConfigurationPropertyName name, @Nullable Object value) {
    return name + " = \"" + value + "\": ";
  }

  /** The type of the value or group at a key, or null where there is no such key. */
  private static @Nullable Type typeOf(ConfigurationPropertyName name) {
    Type type = ThisService.get().settings();
    for (int i = 1; i < name.getNumberOfElements() && type != null; i++) {
      type = below(type, name, i);
    }
    return type;
  }

  private static @Nullable Type below(Type type, ConfigurationPropertyName name, int element) {
    if (name.isNumericIndex(element)) {
      return type instanceof ParameterizedType list ? list.getActualTypeArguments()[0] : null;
    }
    if (!(type instanceof Class<?> group) || !group.isRecord()) {
      return null;
    }
    String wanted = name.getElement(element, ConfigurationPropertyName.Form.UNIFORM);
    return Arrays.stream(group.getRecordComponents())
        .filter(c -> c.getName().toLowerCase(Locale.ROOT).equals(wanted))
        .map(RecordComponent::getGenericType)
        .findFirst()
        .orElse(null);
  }

  /** The keys of the innermost group that a name leads into. */
  private static List<String> besides(ConfigurationPropertyName name) {
    Type type = ThisService.get().settings();
    for (int i = 1; i < name.getNumberOfElements() - 1; i++) {
      Type next = below(type, name, i);
      if (next == null) {
        break;
      }
      type = next;
    }
    return type instanceof Class<?> group && group.isRecord() ? in(group) : List.of("nothing");
  }

  /** The keys of a group as they are written. */
  static List<String> in(Class<?> group) {
    return Arrays.stream(group.getRecordComponents())
        .map(c -> separated(c.getName(), "-"))
        .sorted()
        .toList();
  }

  /** All variables below {@code prefix}, index 0 for any; dashes may be left out or underscores. */
  private static void variables(String prefix, Type type, List<String> into) {
    if (type instanceof ParameterizedType list) {
      into.add(prefix);
      variables(prefix + "_0", list.getActualTypeArguments()[0], into);
    } else if (type instanceof Class<?> group && group.isRecord()) {
      for (RecordComponent c : group.getRecordComponents()) {
        for (String separator : List.of("", "_")) {
          String key = separated(c.getName(), separator).toUpperCase(Locale.ROOT);
          if (separator.isEmpty() || !into.contains(prefix + "_" + key)) {
            variables(prefix + "_" + key, c.getGenericType(), into);
          }
        }
      }
    } else {
      into.add(prefix);
    }
  }

  private static String separated(String camelCase, String separator) {
    return camelCase.replaceAll("([A-Z])", separator + "$1").toLowerCase(Locale.ROOT);
  }

  /** Levenshtein's: how many letters must be put in, taken away or changed. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }
}
