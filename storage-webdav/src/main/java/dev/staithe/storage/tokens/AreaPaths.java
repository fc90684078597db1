package dev.staithe.storage.tokens;

import dev.staithe.storage.authz.GrantedCaller.Reach;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.StoragePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Where paths of URLs lead in the areas. Thread-safe. */
record AreaPaths(Areas areas) {
  /** Those rights in all areas. */
  List<Reach> everywhere(Set<Right> rights) {
    return areas.all().stream()
        .map(served -> new Reach(served.area().name(), StoragePath.root(), rights))
        .toList();
  }

  /** Those rights at what URLs with that path, and below it, lead to; nowhere: an empty list. */
  List<Reach> below(StoragePath path, Set<Right> rights) {
    List<Reach> reaches = new ArrayList<>();
    areas
        .locate(path)
        .ifPresent(
            place -> reaches.add(new Reach(place.area().area().name(), place.path(), rights)));
    for (ServedArea served : areas.all()) {
      if (served.area().accessPoints().stream().anyMatch(point -> point.startsWith(path))) {
        reaches.add(new Reach(served.area().name(), StoragePath.root(), rights));
      }
    }
    return reaches;
  }
}
