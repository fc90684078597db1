package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.FileSystemResource;

/** The page that explains all settings has all of them, no other, and their real defaults. */
final class DocumentedSettingsTests {
  private static final Path PAGE = Path.of("../docs/storage-webdav.yml");

  @Test
  void everySettingIsExplainedAndNoneThatDoesNotExist() throws IOException {
    Map<String, RecordComponent> settings = new TreeMap<>();
    collect("staithe", StorageProperties.class, settings);

    assertThat(documented(uncommented()).keySet())
        .containsExactlyInAnyOrderElementsOf(settings.keySet());
  }

  @Test
  void defaultsAreTheRealOnes() throws IOException {
    Map<String, RecordComponent> settings = new TreeMap<>();
    collect("staithe", StorageProperties.class, settings);
    Map<String, String> shown = documented(PAGE);
    List<String> examples =
        List.of(
            "staithe.hosts",
            "staithe.tls.certificate",
            "staithe.tls.key",
            "staithe.trust",
            "staithe.areas.name",
            "staithe.areas.root",
            "staithe.areas.access-points",
            "staithe.areas.grants.issuer",
            "staithe.areas.grants.strategy",
            "staithe.areas.grants.groups.group",
            "staithe.areas.grants.groups.scopes",
            "staithe.areas.grants.hosts.host",
            "staithe.areas.grants.hosts.scopes",
            "staithe.areas.subjects.subject",
            "staithe.areas.subjects.scopes",
            "staithe.issuers.issuer",
            "staithe.issuers.audiences");

    settings.forEach(
        (key, setting) -> {
          DefaultValue value = setting.getAccessor().getAnnotation(DefaultValue.class);
          if (value == null) {
            value = parameterDefault(setting);
          }
          if (shown.containsKey(key) && !examples.contains(key) && value != null) {
            assertThat(normal(shown.get(key)))
                .as(key)
                .isEqualTo(normal(String.join(",", value.value())));
          }
        });
  }

  private static DefaultValue parameterDefault(RecordComponent setting) {
    RecordComponent[] all = setting.getDeclaringRecord().getRecordComponents();
    for (int i = 0; i < all.length; i++) {
      if (all[i].getName().equals(setting.getName())) {
        return setting
            .getDeclaringRecord()
            .getDeclaredConstructors()[0]
            .getParameters()[i]
            .getAnnotation(DefaultValue.class);
      }
    }
    throw new AssertionError(setting);
  }

  /** One spelling for durations, else the text. */
  private static String normal(String value) {
    try {
      Duration duration = DurationStyle.SIMPLE.parse(value);
      return value.matches("\\d+") ? value : duration.toString();
    } catch (IllegalArgumentException notADuration) {
      return value;
    }
  }

  /** Keys that are shown in a comment, because only one of them may be given, count too. */
  private static Path uncommented() throws IOException {
    String page =
        Files.readString(PAGE)
            .replaceAll("(?m)^( +)# ((jwks-uri|jwks-file|file|key-file|accel-prefix): )", "$1$2");
    return Files.writeString(Files.createTempFile("storage-webdav", ".yml"), page);
  }

  private static Map<String, String> documented(Path page) throws IOException {
    Map<String, String> keys = new TreeMap<>();
    for (var source :
        new YamlPropertySourceLoader().load("page", new FileSystemResource(page.toFile()))) {
      for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
        if (name.startsWith("staithe.")) {
          keys.merge(
              name.replaceAll("\\[\\d+\\]", ""),
              String.valueOf(source.getProperty(name)),
              (one, other) -> one + "," + other);
        }
      }
    }
    return keys;
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

  private static Class<?> held(Type type) {
    List<Type> types = new ArrayList<>(List.of(type));
    if (type instanceof ParameterizedType collection) {
      types.addAll(List.of(collection.getActualTypeArguments()));
    }
    return (Class<?>) types.getLast();
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
