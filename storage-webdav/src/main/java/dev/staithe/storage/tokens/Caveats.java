package dev.staithe.storage.tokens;

import dev.staithe.service.Networks;
import dev.staithe.storage.authz.ForeignText;
import dev.staithe.storage.authz.GrantedCaller.Limit;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.files.StoragePath;
import java.net.InetAddress;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the caveats of a macaroon come to: {@code activity:LIST,DOWNLOAD}, {@code path:/area/folder}
 * from the server's root, {@code before:2026-12-01T12:00:00Z}, {@code ip:192.0.2.7,2001:db8::/32}.
 * Each counts by itself and all together. There are no others: one that is not known could be the
 * one that forbids what is asked.
 *
 * @param limits of paths and activities
 * @param before from then on it is refused; null where no caveat says so
 * @param networks the client's address lies in each
 */
record Caveats(List<Limit> limits, @Nullable Instant before, List<Networks> networks) {
  private static final Set<Right> ALL = EnumSet.allOf(Right.class);

  Caveats {
    limits = List.copyOf(limits);
    networks = List.copyOf(networks);
  }

  /** A caveat that is not understood; the message is one safe line. */
  static final class UnknownException extends Exception {
    private static final long serialVersionUID = 1;

    UnknownException(String caveat, String instead) {
      super(
          "the caveat " + ForeignText.shown(caveat) + " is not known here" + instead,
          null,
          false,
          false);
    }
  }

  /**
   * Reads them.
   *
   * @param areas that paths lead to
   * @throws UnknownException where one is not understood, whatever the others say
   */
  static Caveats read(List<String> written, AreaPaths areas) throws UnknownException {
    List<Limit> limits = new ArrayList<>();
    List<Networks> networks = new ArrayList<>();
    Instant before = null;
    for (String caveat : written) {
      int colon = caveat.indexOf(':');
      String name = colon < 0 ? "" : caveat.substring(0, colon).strip();
      String value = caveat.substring(colon + 1).strip();
      switch (name) {
        case "activity" -> limits.add(new Limit(areas.everywhere(rights(caveat, value))));
        case "path" -> limits.add(new Limit(areas.below(path(caveat, value), ALL)));
        case "before" -> {
          Instant end = instant(caveat, value);
          before = before == null || end.isBefore(before) ? end : before;
        }
        case "ip" -> networks.add(networks(caveat, value));
        default -> throw new UnknownException(caveat, ": activity, path, before and ip are");
      }
    }
    return new Caveats(limits, before, networks);
  }

  /**
   * Whether the client is where it must be.
   *
   * @param client null where it is not known; then it is nowhere
   */
  boolean permit(@Nullable InetAddress client) {
    return networks.isEmpty()
        || client != null && networks.stream().allMatch(each -> each.contains(client));
  }

  private static Set<Right> rights(String caveat, String value) throws UnknownException {
    Set<Activity> activities = EnumSet.noneOf(Activity.class);
    for (String name : value.split(",", -1)) {
      Activity activity = Activity.of(name);
      if (activity == null) {
        throw new UnknownException(
            caveat, ": write some of " + EnumSet.allOf(Activity.class) + " behind activity:");
      }
      activities.add(activity);
    }
    return Activity.rights(activities);
  }

  /** The path of a caveat, from the server's root. */
  static StoragePath path(String caveat, String value) throws UnknownException {
    return switch (StoragePath.parse(value)) {
      case StoragePath.Parsed.Valid(StoragePath path) -> path.asCollection(false);
      case StoragePath.Parsed.Invalid(String reason) ->
          throw new UnknownException(caveat, ": " + reason);
    };
  }

  private static Instant instant(String caveat, String value) throws UnknownException {
    try {
      return OffsetDateTime.parse(value).toInstant();
    } catch (DateTimeException e) {
      throw new UnknownException(caveat, ": write a time such as 2026-12-01T12:00:00Z");
    }
  }

  private static Networks networks(String caveat, String value) throws UnknownException {
    try {
      return Networks.parse(List.of(value.split(",", -1)));
    } catch (IllegalArgumentException e) {
      throw new UnknownException(caveat, ": write addresses such as 192.0.2.7,2001:db8::/32");
    }
  }
}
