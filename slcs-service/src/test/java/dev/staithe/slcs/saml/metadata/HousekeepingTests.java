package dev.staithe.slcs.saml.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.slcs.saml.TestIdp;
import dev.staithe.slcs.session.SessionSettings;
import dev.staithe.testkit.MutableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When metadata are read again. */
class HousekeepingTests {
  private static final URI URL = URI.create("https://slcs.example.org");

  @TempDir Path folder;

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-06-01T12:00:00Z"));

  private ServiceProvider self() {
    return new ServiceProvider(
        new SamlSettings(
            URL,
            folder,
            TestIdp.credential(),
            false,
            SamlSettings.Encryption.GCM,
            List.of(),
            null,
            Duration.ofHours(1),
            null,
            Duration.ofMinutes(1),
            Duration.ofMinutes(10),
            null,
            List.of(),
            100,
            new SessionSettings(
                URL, Duration.ofMinutes(30), Duration.ofHours(8), Duration.ofSeconds(1), true)));
  }

  private MetadataSource<Provider> source(ServiceProvider self, String state) throws IOException {
    Path file = folder.resolve("campus.xml");
    Files.writeString(file, TestIdp.of("https://good.org", "good.org").metadata());
    return source(self, file, state);
  }

  private MetadataSource<Provider> source(ServiceProvider self, Path file, String state) {
    var named =
        new SamlSettings.NamedProvider(
            "campus", null, "", null, List.of(), SamlSettings.Encryption.GCM);
    return new MetadataSource<>(
        "campus",
        file.toString(),
        folder.resolve(state),
        copy -> MetadataFile.read(named, copy, self),
        new Download(null),
        clock);
  }

  @Test
  void metadataAreReadWhenTheyAreDueAlsoAfterTheClockWasAhead() throws IOException {
    ServiceProvider self = self();
    MetadataSource<Provider> source = source(self, "state");
    Instant right = clock.instant();
    clock.advance(Duration.ofDays(365));
    source.start();
    try (var housekeeping =
        new Housekeeping(
            new Providers(List.of(source), null, self, clock),
            Duration.ofHours(1),
            () -> {},
            new SimpleMeterRegistry(),
            clock)) {
      clock.set(right);
      housekeeping.refreshWhenDue(source);
      assertThat(source.refreshed()).contains(right);

      clock.advance(Duration.ofMinutes(59));
      housekeeping.refreshWhenDue(source);
      assertThat(source.refreshed()).as("not due").contains(right);
      clock.advance(Duration.ofMinutes(1));
      housekeeping.refreshWhenDue(source);
      assertThat(source.refreshed()).contains(clock.instant());
    }
  }

  /** A provider may be named as the federation is. */
  @Test
  void sourcesOfOneNameAreBothReadAgain() throws IOException {
    ServiceProvider self = self();
    MetadataSource<Provider> one = source(self, "one");
    MetadataSource<Provider> other = source(self, "other");
    one.start();
    other.start();
    try (var housekeeping =
        new Housekeeping(
            new Providers(List.of(one, other), null, self, clock),
            Duration.ofHours(1),
            () -> {},
            new SimpleMeterRegistry(),
            clock)) {
      clock.advance(Duration.ofHours(1));
      housekeeping.refreshWhenDue(one);
      housekeeping.refreshWhenDue(other);

      assertThat(one.refreshed()).contains(clock.instant());
      assertThat(other.refreshed()).contains(clock.instant());
    }
  }

  @Test
  void whatWasKeptOfAnotherPlaceIsNotGoneOnWith() throws IOException {
    ServiceProvider self = self();
    source(self, "state").start();
    Files.delete(folder.resolve("campus.xml"));
    MetadataSource<Provider> again = source(self, folder.resolve("campus.xml"), "state");
    again.start();
    assertThat(again.current()).as("of the same place").isPresent();

    MetadataSource<Provider> other = source(self, folder.resolve("other.xml"), "state");

    assertThatThrownBy(other::start).isInstanceOf(IOException.class);
    assertThat(other.current()).isEmpty();
  }
}
