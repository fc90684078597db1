package dev.staithe.storage.tokens;

import dev.staithe.storage.authz.Right;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a macaroon may be good for, in the words that dCache, XRootD and gfal2 have for it. */
enum Activity {
  /** Read content. */
  DOWNLOAD(Right.READ),
  /** Store what is not there yet, with the collections above it. */
  UPLOAD(Right.CREATE, Right.MAKE_COLLECTION),
  /** Take away. Together with UPLOAD it allows to replace, to set properties and to lock. */
  DELETE(Right.DELETE),
  /** Make collections, give other names: the new one needs UPLOAD too. */
  MANAGE(Right.MAKE_COLLECTION, Right.RENAME),
  /** See the members of collections. */
  LIST(Right.LIST),
  /** See that it is there, its size and its checksum: so does who may anything. */
  READ_METADATA(),
  /** Nothing here can be done with it alone. */
  UPDATE_METADATA(),
  /** Nothing here can be done with it alone. */
  STAGE();

  private final Set<Right> rights = EnumSet.noneOf(Right.class);

  Activity(Right... rights) {
    this.rights.addAll(java.util.List.of(rights));
  }

  /** The one of that name in any case, or null. */
  static @Nullable Activity of(String name) {
    String upper = name.strip().toUpperCase(Locale.ROOT);
    for (Activity activity : values()) {
      if (activity.name().equals(upper)) {
        return activity;
      }
    }
    return null;
  }

  /** What may be done with all of them. */
  static Set<Right> rights(Set<Activity> activities) {
    Set<Right> all = EnumSet.noneOf(Right.class);
    activities.forEach(each -> all.addAll(each.rights));
    if (activities.contains(UPLOAD) && activities.contains(DELETE)) {
      all.add(Right.MODIFY);
    }
    if (!activities.isEmpty()) {
      all.add(Right.STAT);
    }
    return all;
  }
}
