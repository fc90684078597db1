package dev.staithe.storage.policy;

import dev.staithe.service.Networks;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.files.StoragePath;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a policy. It concerns a request where all that it names does.
 *
 * @param number its place in the file, from 1; the lowest that concerns a request decides
 * @param line where it begins in the file, from 1
 * @param permit whether it permits or denies
 * @param rights what
 * @param methods of HTTP; empty: all
 * @param who at least one in each of the lists
 * @param networks where the caller must be; null: anywhere
 * @param except paths, and all below them, that it does not concern
 * @param widens whether it permits to tokens with capability scopes more than these say
 */
record PolicyRule(
    int number,
    int line,
    boolean permit,
    Set<Right> rights,
    Set<String> methods,
    List<Set<Principal>> who,
    @Nullable Networks networks,
    List<StoragePath> except,
    boolean widens) {

  /** Whether it concerns the request; that the path lies below its own is known already. */
  boolean concerns(Asked asked, Set<Principal> proved, StoragePath path, Right right) {
    if (!rights.contains(right)
        || !methods.isEmpty() && !methods.contains(asked.method())
        || networks != null && (asked.from() == null || !networks.contains(asked.from()))) {
      return false;
    }
    for (Set<Principal> anyOf : who) {
      if (disjoint(anyOf, proved)) {
        return false;
      }
    }
    for (StoragePath spared : except) {
      if (path.startsWith(spared)) {
        return false;
      }
    }
    return !permit || widens || !narrow(asked) || who.getFirst().contains(Principal.ANYONE);
  }

  /** WLCG JWT profile 1.3: the holder of capabilities is granted these, and no more. */
  private static boolean narrow(Asked asked) {
    return asked.caller() instanceof TokenCaller token && token.scopes().anyCapability();
  }

  private static boolean disjoint(Set<Principal> anyOf, Set<Principal> proved) {
    Set<Principal> fewer = anyOf.size() < proved.size() ? anyOf : proved;
    Set<Principal> more = fewer == anyOf ? proved : anyOf;
    for (Principal each : fewer) {
      if (more.contains(each)) {
        return false;
      }
    }
    return true;
  }

  /** For the caller: tells where the operator finds it, and no more of it. */
  String shown() {
    return "rule " + number + " of the area's policy";
  }

  /** For the operator. */
  String described() {
    StringBuilder out = new StringBuilder("rule " + number + " (line " + line + ") ");
    out.append(permit ? "permits " : "denies ");
    for (Set<Principal> anyOf : who) {
      out.append(out.charAt(out.length() - 1) == ' ' ? "" : " and ");
      out.append(anyOf.stream().limit(3).map(Principal::toString).sorted().toList());
    }
    out.append(networks == null ? "" : " from listed networks");
    out.append(methods.isEmpty() ? "" : " by " + methods.stream().sorted().toList());
    out.append(
        permit && !widens && !who.getFirst().contains(Principal.ANYONE)
            ? ", not to tokens with capability scopes"
            : "");
    return out.toString();
  }
}
