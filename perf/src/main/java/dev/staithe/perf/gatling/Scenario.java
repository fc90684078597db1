package dev.staithe.perf.gatling;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What can be run by its name; the simulations themselves are in {@code perf/src/test}. */
enum Scenario {
  UPLOAD("Upload", Servers.STORAGE, "PUT, each user over its own file"),
  DOWNLOAD("Download", Servers.STORAGE, "GET of one file"),
  RANGES("Range", Servers.STORAGE, "GET of a range at a random offset"),
  LISTING("Listing", Servers.STORAGE, "PROPFIND of one folder"),
  PULL("CopyPull", Servers.TWO_STORAGES, "third-party copies that the server fetches"),
  PUSH("CopyPush", Servers.TWO_STORAGES, "third-party copies that the server sends"),
  MIXED("Mixed", Servers.TWO_STORAGES, "all of these, in shares (-Dperf.weights=...)"),
  SESSIONS("Authn", Servers.SESSIONS, "login, validation every 250 ms, log-out now and then"),
  CAMPUS("Slcs", Servers.OTHERS, "campus login without a browser, a call, a certificate"),
  DELEGATION("Delegation", Servers.OTHERS, "a delegation, and calls by who acts for the user"),
  MESSAGES("Gateway", Servers.OTHERS, "messages secured before, through a gateway");

  /** What a scenario is run against. */
  enum Servers {
    /** One storage element. */
    STORAGE,
    /** And the other end of copies. */
    TWO_STORAGES,
    /** A session service with its database. */
    SESSIONS,
    /** What this command does not start by itself. */
    OTHERS
  }

  private final String simulation;
  private final Servers servers;
  private final String does;

  Scenario(String simulation, Servers servers, String does) {
    this.simulation = simulation;
    this.servers = servers;
    this.does = does;
  }

  /** The class that Gatling is told. */
  String simulation() {
    return "dev.staithe.perf.scenario." + simulation + "Simulation";
  }

  Servers servers() {
    return servers;
  }

  /** Whether there are canned answers that its simulation takes for good. */
  boolean canned() {
    return servers != Servers.OTHERS;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A line for each. */
  static String list() {
    return Arrays.stream(values())
        .map(each -> "  %-11s %s".formatted(each, each.does))
        .collect(Collectors.joining("%n"));
  }
}
