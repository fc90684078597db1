package dev.staithe.service;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads configuration files as Spring Boot does, but sees the empty maps that it drops: a mistaken
 * {@code staithe: foo: {}} leaves no property behind that anything later could object to. Found by
 * Spring Boot through {@code META-INF/spring.factories}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StrictYaml implements PropertySourceLoader {
  private final YamlPropertySourceLoader yaml = new YamlPropertySourceLoader();

  @Override
  public String[] getFileExtensions() {
    return yaml.getFileExtensions();
  }

  @Override
  public List<PropertySource<?>> load(String name, Resource resource) throws IOException {
    try (InputStream in = resource.getInputStream()) {
      for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(in)) {
        if (document != null && !(document instanceof Map<?, ?>)) {
          throw refused(resource, " holds no keys and values", null);
        }
        look("", document);
      }
      return yaml.load(name, resource);
    } catch (MarkedYAMLException e) {
      String place =
          e.getProblemMark() == null ? "" : " in line " + (e.getProblemMark().getLine() + 1);
      throw refused(resource, " is no YAML" + place + ": " + e.getProblem(), e);
    } catch (YAMLException e) {
      String why =
          e.getCause() instanceof CharacterCodingException ? "no text in UTF-8" : Reason.of(e);
      throw refused(resource, " is no YAML: " + why, e);
    } catch (IOException e) {
      throw new OneLineFailure.NotStarted("spring.config: " + Reason.of(e), e);
    }
  }

  private static OneLineFailure.WrongConfiguration refused(
      Resource resource, String why, @Nullable Throwable cause) throws IOException {
    Object name = resource.isFile() ? resource.getFile() : resource.getDescription();
    return new OneLineFailure.WrongConfiguration("spring.config: " + name + why, cause);
  }

  private static void look(String path, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      if (map.isEmpty()) {
        KnownKeys.wrongEmptyMap(path)
            .ifPresent(
                line -> {
                  throw new OneLineFailure.WrongConfiguration(line, null);
                });
      }
      map.forEach((key, below) -> look(path.isEmpty() ? "" + key : path + "." + key, below));
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        look(path + "[" + i + "]", list.get(i));
      }
    }
  }
}
