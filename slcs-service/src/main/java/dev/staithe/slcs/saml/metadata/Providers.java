package dev.staithe.slcs.saml.metadata;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.saml2.Saml2Exception;

/**
 * The identity providers that people may log in at: those named one by one, which come first, and
 * those of a federation. Thread-safe.
 */
public final class Providers {
  private static final Logger log = LoggerFactory.getLogger(Providers.class);

  /** So many of a federation are kept ready; people of one site come from few. */
  private static final int READY = 200;

  private final List<MetadataSource<Provider>> named;
  private final @Nullable MetadataSource<Aggregate> federation;
  private final ServiceProvider self;
  private final Clock clock;
  private final ConcurrentHashMap<String, ReadyProvider> ready = new ConcurrentHashMap<>();

  /** A provider that was made of an entry. */
  private record ReadyProvider(Aggregate.Entry entry, Provider provider) {}

  /** What a list of providers shows. */
  public record Shown(String name, String entityId, String displayName) {}

  Providers(
      List<MetadataSource<Provider>> named,
      @Nullable MetadataSource<Aggregate> federation,
      ServiceProvider self,
      Clock clock) {
    this.named = List.copyOf(named);
    this.federation = federation;
    this.self = self;
    this.clock = clock;
  }

  private Optional<Aggregate> aggregate() {
    return federation == null ? Optional.empty() : federation.current();
  }

  /** By its short name here, or by its entity ID. */
  public Optional<Provider> named(String name) {
    return each(provider -> provider.name().equals(name))
        .or(() -> aggregate().flatMap(aggregate -> aggregate.named(name)).flatMap(this::made))
        .or(() -> withEntityId(name));
  }

  public Optional<Provider> withEntityId(String entityId) {
    return each(provider -> provider.entityId().equals(entityId))
        .or(
            () ->
                aggregate()
                    .flatMap(aggregate -> aggregate.withEntityId(entityId))
                    .flatMap(this::made));
  }

  private Optional<Provider> each(java.util.function.Predicate<Provider> wanted) {
    return named.stream().flatMap(source -> source.current().stream()).filter(wanted).findFirst();
  }

  /** They end one by one, not only with the file that they came in. */
  private boolean valid(Aggregate.Entry entry) {
    return !Validity.over(entry.validUntil(), clock.instant());
  }

  private Optional<Provider> made(Aggregate.Entry entry) {
    if (!valid(entry)) {
      return Optional.empty();
    }
    ReadyProvider before = ready.get(entry.entityId());
    if (before != null && before.entry() == entry) {
      return Optional.of(before.provider());
    }
    try {
      var element = entry.element();
      ProviderMetadata metadata = ProviderMetadata.of(element).orElseThrow();
      Provider provider =
          new Provider(
              entry.name(),
              entry.entityId(),
              entry.displayName(),
              metadata.scopes(),
              metadata.ecp(),
              self.encryption(),
              self.with(entry.name(), metadata, element));
      if (ready.size() >= READY) {
        ready.clear();
      }
      ready.put(entry.entityId(), new ReadyProvider(entry, provider));
      return Optional.of(provider);
    } catch (Saml2Exception | IllegalArgumentException e) {
      log.warn("the metadata of {} are of no use: {}", entry.entityId(), e.getMessage());
      return Optional.empty();
    }
  }

  /** The one that there is; empty where there are none or more. */
  public Optional<Provider> only() {
    return named.size() == 1 && federation == null ? named.getFirst().current() : Optional.empty();
  }

  /**
   * Those whose name, entity ID or domain has all the words, by their names.
   *
   * @param words none: all
   * @param most no more than that
   */
  public List<Shown> find(List<String> words, int most) {
    List<Shown> found = new ArrayList<>();
    for (MetadataSource<Provider> source : named) {
      source
          .current()
          .map(each -> new Shown(each.name(), each.entityId(), each.displayName()))
          .ifPresent(found::add);
    }
    int own = found.size();
    aggregate()
        .ifPresent(
            aggregate ->
                aggregate.entries().stream()
                    .filter(entry -> !entry.hidden() && valid(entry))
                    .map(each -> new Shown(each.name(), each.entityId(), each.displayName()))
                    .filter(
                        each ->
                            found.stream()
                                .limit(own)
                                .noneMatch(one -> one.entityId().equals(each.entityId())))
                    .forEach(found::add));
    List<String> lower = words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
    return found.stream()
        .filter(
            each -> {
              String text =
                  (each.displayName() + " " + each.entityId() + " " + each.name())
                      .toLowerCase(Locale.ROOT);
              return lower.stream().allMatch(text::contains);
            })
        .sorted(Comparator.comparing(each -> each.displayName().toLowerCase(Locale.ROOT)))
        .limit(most)
        .toList();
  }

  /** All sources, for refreshing and for metrics. */
  List<MetadataSource<?>> sources() {
    List<MetadataSource<?>> all = new ArrayList<>(named);
    if (federation != null) {
      all.add(federation);
    }
    return all;
  }

  /** How many providers of a federation people can log in at. */
  long federated() {
    return aggregate()
        .map(aggregate -> aggregate.entries().stream().filter(this::valid).count())
        .orElse(0L);
  }
}
