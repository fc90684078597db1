package dev.staithe.storage.imports;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says an authorization database, whose records add up, in rules of which the first decides: what
 * records deny goes first, and permits, which take nothing away, after it ({@code docs/adr/0049}).
 */
final class AuthRules {
  private final ImportedSite site;
  private final XrootdNames names;
  private final AuthDb db;
  private final List<AuthDb.Grant> everybody;

  AuthRules(ImportedSite site, XrootdNames names, AuthDb db) {
    this.site = site;
    this.names = names;
    this.db = db;
    everybody =
        db.records().stream()
            .filter(record -> record.everybody() && !record.exclusive())
            .findFirst()
            .map(AuthDb.Entry::grants)
            .orElse(List.of());
  }

  /**
   * Adds what concerns an area.
   *
   * @param at its path in XRootD's names, empty for the root
   */
  void add(ImportedArea area, String at) {
    for (AuthDb.Entry entry : db.records()) {
      if (!entry.exclusive()) {
        continue;
      }
      XrootdNames.Said whom = names.of(entry.ids());
      deny(area, at, entry, whom.denied());
      permit(area, at, entry, whom.permitted());
      tell(entry, whom);
      for (Whom each : whom.denied()) {
        area.rules.addAll(
            DraftRule.of(false, EnumSet.allOf(Deed.class), "/", List.of(), each, false));
      }
      if (whom.denied().contains(Whom.ANYONE)) {
        site.note(
            entry.where(),
            "nothing counts behind it, for anybody: whom this exclusive record is for cannot be"
                + " said exactly");
      }
    }
    for (AuthDb.Entry entry : db.records()) {
      if (!entry.exclusive()) {
        deny(area, at, entry, names.of(entry.ids()).denied());
      }
    }
    for (AuthDb.Entry entry : db.records()) {
      if (entry.exclusive()) {
        continue;
      }
      if (entry.eachUser()) {
        for (String user : names.users()) {
          permit(area, at, forUser(entry, user), names.user(user));
        }
        site.note(
            entry.where(),
            "said for the " + names.users().size() + " users of the grid map; others have nothing");
      } else {
        XrootdNames.Said whom = names.of(entry.ids());
        permit(area, at, entry, whom.permitted());
        tell(entry, whom);
      }
    }
  }

  private void tell(AuthDb.Entry entry, XrootdNames.Said whom) {
    if (whom.permitted().isEmpty()) {
      site.note(
          entry.where(),
          "left out: whom it is for cannot be said here, who thereby has no right by it");
    }
  }

  /** With the user's name in its paths; those without a place for it never count. */
  private static AuthDb.Entry forUser(AuthDb.Entry entry, String user) {
    List<AuthDb.Grant> grants = new ArrayList<>();
    for (AuthDb.Grant grant : entry.grants()) {
      if (grant.path().contains("@=")) {
        grants.add(
            new AuthDb.Grant(
                grant.where(),
                grant.path().replaceFirst("@=", user),
                grant.permits(),
                grant.denies(),
                grant.words()));
      }
    }
    return new AuthDb.Entry(entry.where(), false, Map.of('u', user), grants);
  }

  // --- denials: as much, or more ---------------------------------------------------------------

  private void deny(ImportedArea area, String at, AuthDb.Entry entry, List<Whom> whoms) {
    for (AuthDb.Grant grant : entry.grants()) {
      if (grant.denies() == 0) {
        continue;
      }
      int place = entry.eachUser() ? grant.path().indexOf("@=") : -1;
      String written = place < 0 ? grant.path() : grant.path().substring(0, place);
      String path = wider(at, written);
      if (path == null) {
        continue;
      }
      if (!(at + path).equals(open(written)) && !(at + "/").startsWith(written)) {
        site.note(
            grant.where(),
            "what begins with "
                + written
                + " is denied as "
                + path
                + " of area "
                + area.name()
                + " with all below it; a slash at the end of the path would say less");
      }
      if (whoms.contains(Whom.ANYONE) && !entry.everybody()) {
        site.note(
            grant.where(),
            "-"
                + grant.words().substring(grant.words().indexOf('-') + 1)
                + " is denied to anyone: whom it is for cannot be said exactly");
      }
      if (entry.grants().subList(0, entry.grants().indexOf(grant)).stream()
          .anyMatch(before -> before.path().startsWith(written))) {
        site.note(
            grant.where(), "it is denied at the paths too that stand before it in the record");
      }
      for (Whom whom : whoms) {
        area.rules.addAll(
            DraftRule.of(false, denied(grant.denies()), path, List.of(), whom, false));
      }
    }
  }

  /** The folder of the area in which all names lie that begin so; null: none does. */
  private static @org.jspecify.annotations.Nullable String wider(String at, String written) {
    if ((at + "/").startsWith(written)) {
      return "/";
    }
    if (!written.startsWith(at + "/")) {
      return null;
    }
    int end = written.lastIndexOf('/');
    return end <= at.length() ? "/" : written.substring(at.length(), end);
  }

  private static Set<Deed> denied(int bits) {
    Set<Deed> deeds = EnumSet.noneOf(Deed.class);
    if ((bits & AuthDb.LOOKUP) != 0) {
      deeds.addAll(EnumSet.of(Deed.STAT, Deed.LIST, Deed.READ, Deed.DELETE, Deed.RENAME));
    }
    if ((bits & AuthDb.READ) != 0) {
      deeds.addAll(EnumSet.of(Deed.LIST, Deed.READ, Deed.WRITE));
    }
    if ((bits & AuthDb.INSERT) != 0) {
      deeds.addAll(EnumSet.of(Deed.MAKE_FOLDER, Deed.WRITE, Deed.RENAME));
    }
    if ((bits & AuthDb.WRITE) != 0) {
      deeds.add(Deed.WRITE);
    }
    if ((bits & AuthDb.DELETE) != 0) {
      deeds.add(Deed.DELETE);
    }
    if ((bits & AuthDb.RENAME) != 0) {
      deeds.add(Deed.RENAME);
    }
    return deeds;
  }

  // --- permits: as much, or less ---------------------------------------------------------------

  private void permit(ImportedArea area, String at, AuthDb.Entry entry, List<Whom> whoms) {
    if (whoms.isEmpty()) {
      return;
    }
    for (int i = 0; i < entry.grants().size(); i++) {
      AuthDb.Grant grant = entry.grants().get(i);
      String path = narrower(at, grant.path());
      if (grant.permits() == 0 || path == null) {
        continue;
      }
      String tree = at + (path.equals("/") ? "" : path) + "/";
      int bits = grant.permits() | everyone(entry, tree);
      int common = bits;
      boolean within = false;
      boolean spared = true;
      List<String> except = new ArrayList<>();
      for (AuthDb.Grant before : entry.grants().subList(0, i)) {
        if (tree.startsWith(before.path())) {
          // That one counts here, and may have been said for a narrower path.
          within = tree.startsWith(open(before.path()) + "/");
          bits &= before.permits() | everyone(entry, tree);
          common &= bits;
          site.note(
              grant.where(),
              grant.path() + " never counts: " + before.path() + " before it is how it begins");
          break;
        } else if (before.path().startsWith(tree)) {
          int there = before.permits() | everyone(entry, before.path());
          String folder = before.path().substring(0, before.path().lastIndexOf('/'));
          if ((bits & ~there) == 0) {
            continue;
          }
          common &= there;
          spared &= (folder + "/").length() > tree.length();
          except.add(folder.substring(Math.min(at.length(), folder.length())));
        }
      }
      if (within) {
        continue;
      }
      if (!grant.path().endsWith("/") && grant.path().startsWith(at + "/")) {
        site.note(
            grant.where(),
            grant.path()
                + " is permitted with all below it, and no longer what only begins with it");
      }
      if (!spared) {
        site.note(
            grant.where(),
            "only what the paths before it permit too: these would be said with a slash at their"
                + " end");
        bits = common;
        except = List.of();
      }
      tellUnused(grant, bits);
      for (Whom whom : whoms) {
        area.rules.addAll(
            DraftRule.of(
                true, deeds(bits), path, except.stream().distinct().toList(), whom, false));
      }
    }
  }

  /** A path of the area in which all names begin so; null: none is. */
  private static @org.jspecify.annotations.Nullable String narrower(String at, String written) {
    if ((at + "/").startsWith(written)) {
      return "/";
    }
    return written.startsWith(at + "/") ? open(written).substring(at.length()) : null;
  }

  private static String open(String written) {
    return written.endsWith("/") ? written.substring(0, written.length() - 1) : written;
  }

  /** What everybody may at all names that begin so, which adds to what a record says. */
  private int everyone(AuthDb.Entry entry, String begins) {
    if (entry.exclusive()) {
      return 0;
    }
    int bits = AuthDb.ALL;
    for (AuthDb.Grant grant : everybody) {
      if (begins.startsWith(grant.path())) {
        return bits & grant.permits();
      }
      if (grant.path().startsWith(begins)) {
        bits &= grant.permits();
      }
    }
    return 0;
  }

  /**
   * What XRootD's door for HTTP asks for, and never less: it looks before it lists, deletes and
   * renames. It reads without a look, which nothing here says.
   */
  private static Set<Deed> deeds(int bits) {
    Set<Deed> deeds = EnumSet.noneOf(Deed.class);
    give(deeds, bits, AuthDb.LOOKUP, Deed.STAT);
    give(deeds, bits, AuthDb.LOOKUP | AuthDb.READ, Deed.READ, Deed.LIST);
    give(deeds, bits, AuthDb.INSERT, Deed.MAKE_FOLDER);
    give(deeds, bits, AuthDb.INSERT | AuthDb.READ | AuthDb.WRITE, Deed.WRITE);
    give(deeds, bits, AuthDb.LOOKUP | AuthDb.DELETE, Deed.DELETE);
    give(deeds, bits, AuthDb.LOOKUP | AuthDb.RENAME, Deed.RENAME);
    return deeds;
  }

  private static void give(Set<Deed> deeds, int bits, int needed, Deed... these) {
    if ((bits & needed) == needed) {
      deeds.addAll(List.of(these));
    }
  }

  private void tellUnused(AuthDb.Grant grant, int bits) {
    Set<Deed> deeds = deeds(bits);
    StringBuilder unused = new StringBuilder();
    for (char letter : grant.words().replaceFirst("-.*", "").toCharArray()) {
      boolean used =
          switch (letter) {
            case 'a', 'l' -> true;
            case 'r' -> deeds.contains(Deed.READ) || deeds.contains(Deed.WRITE);
            case 'i' -> deeds.contains(Deed.MAKE_FOLDER);
            case 'w' -> deeds.contains(Deed.WRITE);
            case 'd' -> deeds.contains(Deed.DELETE);
            case 'n' -> deeds.containsAll(EnumSet.of(Deed.RENAME, Deed.WRITE));
            default -> false;
          };
      unused.append(used ? "" : letter);
    }
    if (!unused.isEmpty()) {
      site.note(
          grant.where(),
          "of "
              + grant.words()
              + " these give nothing: "
              + unused
              + "; r, d and n need l, w needs r and i, n needs w too, and k locks nothing");
    }
  }
}
