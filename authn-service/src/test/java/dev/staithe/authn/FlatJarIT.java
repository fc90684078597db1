package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the one flat jar keeps of the many that it is made of. Needs {@code mvn package}. */
class FlatJarIT {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports",
        "META-INF/spring/org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration.imports",
        "META-INF/services/org.eclipse.jetty.ee11.webapp.Configuration",
        "META-INF/services/jakarta.servlet.ServletContainerInitializer"
      })
  void listsOfAllDependenciesAreMerged(String name) throws IOException {
    Set<String> merged = new TreeSet<>(lines(inJar(name)));
    Set<String> expected = new TreeSet<>();
    for (URL one : ofDependencies(name)) {
      expected.addAll(lines(text(one)));
    }
    assertThat(expected).isNotEmpty();
    assertThat(merged).containsAll(expected);
  }

  @Test
  void springFactoriesOfAllDependenciesAreMerged() throws IOException {
    String name = "META-INF/spring.factories";
    Properties merged = new Properties();
    merged.load(new java.io.StringReader(inJar(name)));
    for (URL one : ofDependencies(name)) {
      Properties own = new Properties();
      own.load(new java.io.StringReader(text(one)));
      for (String key : own.stringPropertyNames()) {
        assertThat(values(merged.getProperty(key))).containsAll(values(own.getProperty(key)));
      }
    }
  }

  @Test
  void signaturesOfDependenciesAreLeftOutForTheyCoverOtherJars() throws IOException {
    try (JarFile jar = new JarFile(AuthnProcess.JAR.toFile())) {
      assertThat(jar.stream().map(e -> e.getName()))
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

  private static String inJar(String name) throws IOException {
    try (JarFile jar = new JarFile(AuthnProcess.JAR.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Those of this product and its dependencies; tools of the tests bring some of their own. */
  private static List<URL> ofDependencies(String name) throws IOException {
    return Collections.list(FlatJarIT.class.getClassLoader().getResources(name)).stream()
        .filter(url -> url.getPath().matches(".*/(spring|jetty|service)-[^/]+\\.jar!.*"))
        .toList();
  }

  private static String text(URL url) {
    try (InputStream in = url.openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
