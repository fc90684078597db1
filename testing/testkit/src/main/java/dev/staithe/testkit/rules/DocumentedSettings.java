package dev.staithe.testkit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/**
 * Compares the page that explains all settings of a service with the records that hold them: it has
 * all of them, no other, and their real defaults. A module that uses it has SnakeYAML, as all
 * services do. Immutable.
 */
public final class DocumentedSettings {
  private static final Pattern DURATION = Pattern.compile("(\\d+)(ns|us|ms|s|m|h|d)");

  private final Map<String, RecordComponent> settings = new TreeMap<>();
  private final Map<String, String> shown = new TreeMap<>();
  private final Function<AnnotatedElement, String @Nullable []> defaults;

  /**
   * Reads the page.
   *
   * @param prefix what all keys begin with, without the dot
   * @param properties the record that holds the settings
   * @param page the YAML file that explains them
   * @param commented names of settings that the page shows in a comment, because their absence is
   *     the default or only one of them may be given: regular expressions
   * @param commentedGroups the same of settings that hold others
   * @param defaults the default of a record's component or of its constructor's parameter, or null
   *     where none is said there; as the framework of the service says it
   */
  public DocumentedSettings(
      String prefix,
      Class<? extends Record> properties,
      Path page,
      List<String> commented,
      List<String> commentedGroups,
      Function<AnnotatedElement, String @Nullable []> defaults)
      throws IOException {
    this.defaults = defaults;
    collect(prefix, properties, settings);
    String text =
        Files.readString(page)
            .replaceAll(
                "(?m)^( +)# ( *(?:- )?(?:" + String.join("|", commented) + "): .*)$", "$1$2")
            .replaceAll("(?m)^( +)# ( *(?:" + String.join("|", commentedGroups) + "):)$", "$1$2");
    Object root = new Yaml().load(text);
    flatten("", root, shown);
    shown.keySet().removeIf(key -> !key.startsWith(prefix + "."));
  }

  /** Fails where a setting is missing on the page, or one is there that does not exist. */
  public void assertEverySettingIsExplainedAndNoneThatDoesNotExist() {
    assertThat(shown.keySet()).containsExactlyInAnyOrderElementsOf(settings.keySet());
  }

  /**
   * Fails where the page shows another value than the default.
   *
   * @param examples keys of which the page shows an example instead
   */
  public void assertDefaultsAreTheRealOnes(String... examples) {
    Set<String> left = Set.of(examples);
    assertThat(settings.keySet()).as("examples").containsAll(left);
    settings.forEach(
        (key, setting) -> {
          String[] value = defaultOf(setting);
          String page = shown.get(key);
          if (page != null && value != null && !left.contains(key)) {
            assertThat(normal(page)).as(key).isEqualTo(normal(String.join(",", value)));
          }
        });
  }

  private String @Nullable [] defaultOf(RecordComponent setting) {
    String[] value = defaults.apply(setting.getAccessor());
    if (value != null) {
      return value;
    }
    RecordComponent[] all = setting.getDeclaringRecord().getRecordComponents();
    for (int i = 0; i < all.length; i++) {
      if (all[i].getName().equals(setting.getName())) {
        return defaults.apply(
            setting.getDeclaringRecord().getDeclaredConstructors()[0].getParameters()[i]);
      }
    }
    throw new AssertionError(setting);
  }

  /** One spelling for durations, else the text. */
  private static String normal(String value) {
    Matcher duration = DURATION.matcher(value);
    if (!duration.matches()) {
      return value;
    }
    long amount = Long.parseLong(duration.group(1));
    return switch (duration.group(2)) {
      case "ns" -> Duration.ofNanos(amount).toString();
      case "us" -> Duration.ofNanos(Math.multiplyExact(amount, 1000)).toString();
      case "ms" -> Duration.ofMillis(amount).toString();
      case "s" -> Duration.ofSeconds(amount).toString();
      case "m" -> Duration.ofMinutes(amount).toString();
      case "h" -> Duration.ofHours(amount).toString();
      default -> Duration.ofDays(amount).toString();
    };
  }

  private static void flatten(String key, @Nullable Object value, Map<String, String> into) {
    switch (value) {
      case Map<?, ?> map when !map.isEmpty() ->
          map.forEach(
              (name, its) -> flatten(key.isEmpty() ? "" + name : key + "." + name, its, into));
      case Collection<?> all when !all.isEmpty() -> all.forEach(one -> flatten(key, one, into));
      case null -> into.merge(key, "", (one, other) -> one + "," + other);
      case Map<?, ?> empty -> into.putIfAbsent(key, "");
      case Collection<?> empty -> into.putIfAbsent(key, "");
      default -> into.merge(key, value.toString(), (one, other) -> one + "," + other);
    }
  }

  private static void collect(String prefix, Class<?> type, Map<String, RecordComponent> into) {
    for (RecordComponent component : type.getRecordComponents()) {
      String key = prefix + "." + kebab(component.getName());
      Class<?> held = held(component.getGenericType());
      if (held.isRecord()) {
        collect(key, held, into);
      } else {
        into.put(key, component);
      }
    }
  }

  /** The class itself, or what a collection of it holds. */
  private static Class<?> held(Type type) {
    Type last =
        type instanceof ParameterizedType collection
            ? List.of(collection.getActualTypeArguments()).getLast()
            : type;
    return (Class<?>) last;
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
