package dev.staithe.storage.imports;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What others allow apart from each other, and how a policy says it: by rights and methods. */
enum Deed {
  STAT,
  LIST,
  READ,
  MAKE_FOLDER,
  WRITE,
  DELETE,
  RENAME;

  private static final List<String> READING = List.of("GET", "HEAD", "COPY");
  private static final List<String> WRITING =
      List.of("PUT", "MKCOL", "COPY", "PATCH", "POST", "PROPPATCH", "LOCK", "UNLOCK");

  /**
   * The same in the words of a policy.
   *
   * @param rights words behind {@code permit} or {@code deny}
   * @param methods that it is bound to; empty: all
   */
  record Said(List<String> rights, List<String> methods) {}

  /** What says these and no more; one rule for each. */
  static List<Said> permitting(Set<Deed> deeds) {
    List<Said> said = new ArrayList<>();
    if (deeds.contains(READ)) {
      said.add(new Said(List.of("read"), deeds.contains(LIST) ? List.of() : READING));
    } else if (deeds.contains(LIST)) {
      said.add(new Said(List.of("list"), List.of()));
    } else if (deeds.contains(STAT)) {
      said.add(new Said(List.of("stat"), List.of()));
    }
    if (deeds.containsAll(EnumSet.of(WRITE, DELETE, RENAME))) {
      said.add(new Said(List.of("modify"), List.of()));
      return said;
    }
    List<String> methods = new ArrayList<>();
    if (deeds.contains(WRITE)) {
      methods.addAll(WRITING);
    } else if (deeds.contains(MAKE_FOLDER)) {
      methods.add("MKCOL");
    }
    if (deeds.contains(DELETE)) {
      methods.add("DELETE");
    }
    if (deeds.containsAll(EnumSet.of(WRITE, RENAME))) {
      methods.add("MOVE");
    }
    if (!methods.isEmpty()) {
      said.add(new Said(List.of("modify"), methods));
    }
    return said;
  }

  /** What says at least these; one rule for each. */
  static List<Said> denying(Set<Deed> deeds) {
    if (deeds.containsAll(EnumSet.of(READ, WRITE, DELETE))) {
      return List.of(new Said(List.of("all"), List.of()));
    }
    List<Said> said = new ArrayList<>();
    if (deeds.contains(READ)) {
      said.add(new Said(List.of("read"), deeds.contains(LIST) ? List.of() : READING));
    } else if (deeds.contains(LIST)) {
      said.add(new Said(List.of("list"), List.of()));
    }
    if (deeds.contains(STAT) && !deeds.contains(READ)) {
      said.add(new Said(List.of("stat"), List.of()));
    }
    if (deeds.contains(WRITE) || deeds.contains(MAKE_FOLDER)) {
      List<String> methods = new ArrayList<>();
      if (!deeds.contains(DELETE)) {
        methods.addAll(deeds.contains(WRITE) ? WRITING : List.of("MKCOL"));
        methods.add("MOVE");
      }
      said.add(new Said(List.of("create"), methods));
    } else if (deeds.contains(DELETE)) {
      said.add(new Said(List.of("modify"), List.of("DELETE", "MOVE")));
    } else if (deeds.contains(RENAME)) {
      said.add(new Said(List.of("modify"), List.of("MOVE")));
    }
    return said;
  }
}
