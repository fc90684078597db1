package dev.staithe.storage.imports;

import dev.staithe.storage.state.RuleFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The keys of a YAML file of Spring Boot, in any of the spellings that it takes for one key, and
 * which of them were read: what was not is told of. For one thread.
 */
final class Keys {
  private static final Pattern DEFAULTED = Pattern.compile("\\$\\{[^:{}]+:([^{}]*)}");

  /** Longer than any that people wrote. */
  private static final long MOST_BYTES = 16 << 20;

  private final String file;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, String> written = new LinkedHashMap<>();
  private final Set<String> read = new HashSet<>();

  private Keys(String file, Object content) {
    this.file = file;
    flatten("", "", content);
  }

  /** None at all, where there is no file. */
  static Keys none() {
    return new Keys("", Map.of());
  }

  static Keys read(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try (Reader text = open(file)) {
      Object content = new Yaml(new SafeConstructor(options)).load(text);
      if (content != null && !(content instanceof Map)) {
        throw new WrongSource(name, "no mapping of keys to values");
      }
      return new Keys(name, content == null ? Map.of() : content);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new WrongSource(name + ":" + line, "no YAML: " + e.getProblem());
    } catch (YAMLException e) {
      throw new WrongSource(name, "no YAML, or several documents in one file");
    }
  }

  /** Opens a file of the source, and names it where that fails. */
  static Reader open(Path file) throws WrongSource {
    try {
      return RuleFile.open(file, MOST_BYTES);
    } catch (IOException e) {
      throw new WrongSource(file.toString(), String.valueOf(e.getMessage()));
    }
  }

  private void flatten(String key, String shown, Object value) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (name, below) -> {
            String part = String.valueOf(name);
            String dot = key.isEmpty() ? "" : ".";
            flatten(key + dot + plain(part), shown + dot + part, below == null ? "" : below);
          });
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        String at = "[" + i + "]";
        flatten(key + at, shown + at, list.get(i) == null ? "" : list.get(i));
      }
    } else {
      values.put(key, value);
      written.put(key, shown);
    }
  }

  private static String plain(String key) {
    return key.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
  }

  /** As messages name it. */
  String where(String key) {
    return file + " " + key;
  }

  /** The value, with the default of what an environment variable may give; null where none is. */
  @Nullable String text(String key) throws WrongSource {
    String plain = plain(key);
    Object value = values.get(plain);
    read.add(plain);
    if (value == null) {
      return null;
    }
    Matcher defaulted = DEFAULTED.matcher(String.valueOf(value));
    String text = defaulted.replaceAll(match -> Matcher.quoteReplacement(match.group(1)));
    if (text.contains("${")) {
      throw new WrongSource(
          where(key), text + " has no value here; write the value into the file first");
    }
    return text.strip();
  }

  String text(String key, String absent) throws WrongSource {
    String text = text(key);
    return text == null ? absent : text;
  }

  boolean flag(String key, boolean absent) throws WrongSource {
    String text = text(key);
    if (text == null) {
      return absent;
    }
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new WrongSource(where(key), text + " is neither true nor false");
    };
  }

  /** A list, or words with commas between them. */
  List<String> list(String key) throws WrongSource {
    List<String> all = new ArrayList<>();
    for (int i = 0; has(key + "[" + i + "]"); i++) {
      all.add(text(key + "[" + i + "]", ""));
    }
    if (all.isEmpty()) {
      for (String each : text(key, "").split(",", -1)) {
        if (!each.isBlank()) {
          all.add(each.strip());
        }
      }
    }
    return all;
  }

  /** Whether it, or anything below it, is there. */
  boolean has(String key) {
    String plain = plain(key);
    return values.keySet().stream()
        .anyMatch(
            each ->
                each.equals(plain) || each.startsWith(plain + ".") || each.startsWith(plain + "["));
  }

  /** That it is known and says nothing. */
  void pass(String key) {
    String plain = plain(key);
    values.keySet().stream()
        .filter(each -> each.equals(plain) || each.startsWith(plain + "."))
        .forEach(read::add);
  }

  /** Where each key is that nobody asked for. */
  List<String> unread() {
    return written.entrySet().stream()
        .filter(each -> !read.contains(each.getKey()))
        .map(each -> where(each.getValue()))
        .toList();
  }
}
