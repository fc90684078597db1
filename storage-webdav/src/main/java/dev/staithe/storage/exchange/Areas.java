package dev.staithe.storage.exchange;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.files.StoragePath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the area of a path: the longest access point that the path starts with, by segment. */
public final class Areas {
  private final List<ServedArea> served;
  private final List<Entry> entries = new ArrayList<>();

  private record Entry(StoragePath accessPoint, ServedArea area) {}

  /**
   * Where a path leads.
   *
   * @param area the area
   * @param accessPoint the access point by which it was reached
   * @param path what is left of the path below it
   */
  public record Place(ServedArea area, StoragePath accessPoint, StoragePath path) {
    /** The same place as that caller sees it. */
    Place seenBy(Caller caller) {
      return new Place(area.seenBy(caller), accessPoint, path);
    }
  }

  /** Serves these areas; no two share an access point. */
  public Areas(List<ServedArea> served) {
    this.served = List.copyOf(served);
    for (ServedArea area : served) {
      for (StoragePath accessPoint : area.area().accessPoints()) {
        entries.add(new Entry(accessPoint, area));
      }
    }
    entries.sort(
        Comparator.comparingInt((Entry e) -> e.accessPoint().segments().size()).reversed());
  }

  /** Every area, in the order of the configuration. */
  public List<ServedArea> all() {
    return served;
  }

  /** The area of that path, if it lies in one. */
  public Optional<Place> locate(StoragePath path) {
    for (Entry entry : entries) {
      if (path.startsWith(entry.accessPoint())) {
        return Optional.of(
            new Place(
                entry.area(),
                entry.accessPoint(),
                path.without(entry.accessPoint().segments().size())));
      }
    }
    return Optional.empty();
  }

  /** The root of the area of that name, by its first access point. */
  public Optional<Place> named(String name) {
    return served.stream()
        .filter(area -> area.area().name().equals(name))
        .findFirst()
        .map(area -> new Place(area, area.area().accessPoints().getFirst(), StoragePath.root()));
  }

  /** The next names on the way from {@code path} down to access points; empty if none is below. */
  public List<String> namesBelow(StoragePath path) {
    return entries.stream()
        .map(Entry::accessPoint)
        .filter(p -> p.startsWith(path) && !p.equals(path))
        .map(p -> p.segments().get(path.segments().size()))
        .distinct()
        .sorted()
        .toList();
  }
}
