package dev.staithe.authn.pages;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Things as people read them. */
final class DisplayText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final Map<String, String> SCOPES =
      Map.ofEntries(
          Map.entry("openid", "Know who you are"),
          Map.entry("profile", "Know your name"),
          Map.entry("email", "Know your mail address"),
          Map.entry("offline_access", "Act for you when you are not here, until you stop it"),
          Map.entry("wlcg", "Get tokens in the WLCG's form"),
          Map.entry("wlcg.groups", "Know your groups"),
          Map.entry("storage.read", "Read files"),
          Map.entry("storage.create", "Make new files"),
          Map.entry("storage.modify", "Make, change and delete files"),
          Map.entry("storage.stage", "Bring files from tape"),
          Map.entry("storage.poll", "See whether files are on disk"),
          Map.entry("compute.read", "See your jobs"),
          Map.entry("compute.modify", "Change your jobs"),
          Map.entry("compute.create", "Start jobs for you"),
          Map.entry("compute.cancel", "Cancel your jobs"));

  private static final List<Map.Entry<String, String>> BROWSERS =
      List.of(
          Map.entry("Edg/", "Edge"),
          Map.entry("OPR/", "Opera"),
          Map.entry("Firefox/", "Firefox"),
          Map.entry("Chrome/", "Chrome"),
          Map.entry("Safari/", "Safari"),
          Map.entry("curl/", "curl"),
          Map.entry("Java-http-client", "Java"));

  private static final List<Map.Entry<String, String>> SYSTEMS =
      List.of(
          Map.entry("Android", "Android"),
          Map.entry("iPhone", "iPhone"),
          Map.entry("iPad", "iPad"),
          Map.entry("Windows", "Windows"),
          Map.entry("Mac OS X", "macOS"),
          Map.entry("Linux", "Linux"));

  private DisplayText() {}

  /** A scope; a name that nobody knows is shown as it is. */
  static String of(String scope) {
    int colon = scope.indexOf(':');
    String name = colon < 0 ? scope : scope.substring(0, colon);
    String words = SCOPES.get(name);
    if (words == null) {
      return scope;
    }
    String rest = colon < 0 ? "" : scope.substring(colon + 1);
    if (name.equals("wlcg.groups") && !rest.isEmpty()) {
      // Tokens then have all of them, the one that was named before the others.
      return "Know your groups, " + rest + " first";
    }
    return name.startsWith("storage.")
        ? words + (rest.equals("/") ? " everywhere" : " in " + rest)
        : words;
  }

  static String of(Instant time) {
    return TIME.format(time);
  }

  /** A time to wait, rounded up. */
  static String of(Duration wait) {
    long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
    if (seconds < 120) {
      return seconds + (seconds == 1 ? " second" : " seconds");
    }
    return (seconds + 59) / 60 + " minutes";
  }

  /** A program by its User-Agent, of which browsers say much that is not so. */
  static String device(String agent) {
    String browser = first(BROWSERS, agent);
    String system = first(SYSTEMS, agent);
    if (browser.isEmpty()) {
      return agent.isEmpty() ? "unknown" : agent.length() > 60 ? agent.substring(0, 60) : agent;
    }
    return system.isEmpty() ? browser : browser + " on " + system;
  }

  private static String first(List<Map.Entry<String, String>> known, String agent) {
    for (Map.Entry<String, String> each : known) {
      if (agent.contains(each.getKey())) {
        return each.getValue();
      }
    }
    return "";
  }
}
