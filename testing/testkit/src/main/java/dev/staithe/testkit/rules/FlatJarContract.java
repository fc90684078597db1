package dev.staithe.testkit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the one flat jar of a service keeps of the many that it is made of; a service's {@code *IT}
 * implements it with the place of the jar. Needs {@code mvn package}, and the service's
 * dependencies in the class path of the test.
 */
public interface FlatJarContract {
  /** The flat jar. */
  Path jar();

  /** Were one jar's list left out, what it configures would silently be missing. */
  @Test
  default void listsOfAllDependenciesAreMerged() throws IOException {
    for (String name :
        List.of(
            "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports",
            "META-INF/spring/org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration.imports",
            "META-INF/services/org.eclipse.jetty.ee11.webapp.Configuration",
            "META-INF/services/jakarta.servlet.ServletContainerInitializer")) {
      List<String> expected = new ArrayList<>();
      for (String one : ofDependencies(name)) {
        expected.addAll(lines(one));
      }
      assertThat(expected).as(name).isNotEmpty();
      assertThat(lines(inJar(name))).as(name).containsAll(expected);
    }
  }

  /** One key has the values of all jars. */
  @Test
  default void springFactoriesOfAllDependenciesAreMerged() throws IOException {
    String name = "META-INF/spring.factories";
    Properties merged = properties(inJar(name));
    List<String> all = ofDependencies(name);
    assertThat(all).isNotEmpty();
    for (String one : all) {
      Properties own = properties(one);
      for (String key : own.stringPropertyNames()) {
        assertThat(values(merged.getProperty(key, "")))
            .as(key)
            .containsAll(values(own.getProperty(key, "")));
      }
    }
  }

  /** A signature of a part would be wrong for the whole. */
  @Test
  default void signaturesOfDependenciesAreLeftOutForTheyCoverOtherJars() throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      assertThat(jar.stream().map(JarEntry::getName))
          .noneMatch(n -> n.matches("META-INF/[^/]+\\.(SF|RSA|DSA|EC)"));
      assertThat(jar.isMultiRelease()).isTrue();
    }
  }

  private static List<String> values(String list) {
    return Stream.of(list.split(",")).map(String::strip).filter(v -> !v.isEmpty()).toList();
  }

  private static List<String> lines(String text) {
    return text.lines()
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }

  private static Properties properties(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    return properties;
  }

  private String inJar(String name) throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      JarEntry entry = jar.getJarEntry(name);
      assertThat(entry).as(name).isNotNull();
      try (InputStream in = jar.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  /** Those of this product and its dependencies; tools of the tests bring some of their own. */
  private List<String> ofDependencies(String name) throws IOException {
    List<String> texts = new ArrayList<>();
    for (URL url : Collections.list(ClassLoader.getSystemClassLoader().getResources(name))) {
      if (url.getPath().matches(".*/(spring|jetty|service)-[^/]+\\.jar!.*")) {
        try (InputStream in = url.openStream()) {
          texts.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return texts;
  }
}
