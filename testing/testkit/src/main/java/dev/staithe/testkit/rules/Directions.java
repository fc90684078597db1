package dev.staithe.testkit.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;

/**
 * Which packages of a module may know which: those of the rows before their own, never those beside
 * them. The root package of a service and of the command wires all of them and is known by none; in
 * {@code service} it is what all of them know.
 */
final class Directions extends ArchCondition<JavaClass> {
  private static final String HOUSE = "dev.staithe.";

  private static final Map<String, List<List<String>>> ROWS =
      Map.of(
          "storage",
          List.of(
              List.of("checksum", "flows", "pages"),
              List.of("files"),
              List.of("state", "linux"),
              List.of("authz"),
              List.of("policy", "issuers"),
              List.of("exchange"),
              List.of("locks"),
              List.of("dav"),
              List.of("contracts.journal", "contracts.host"),
              List.of("contracts"),
              List.of("remote"),
              List.of(
                  "tpc", "redirect", "tape", "tokens", "posix", "objects", "accounts", "imports"),
              List.of("settings"),
              List.of("operation")),
          "authn",
          List.of(
              List.of("seal", "persistence", "keys"),
              List.of("session"),
              List.of("users"),
              List.of("password"),
              List.of("store", "login", "clients"),
              List.of("grants"),
              List.of("browser", "tokens"),
              List.of("oauth"),
              List.of("rest", "admin", "pages")),
          "slcs",
          List.of(
              List.of("ca", "session"),
              List.of("door", "saml.metadata"),
              List.of("saml.response"),
              List.of("saml"),
              List.of("issue", "protect", "pages", "echo")),
          "delegation",
          List.of(
              List.of("key", "store"), List.of("credential"), List.of("door"), List.of("pages")),
          "gateway",
          List.of(
              List.of("trust", "wss", "publish", "evidence", "echo"),
              List.of("store", "engine", "backend", "mime"),
              List.of("route"),
              List.of("pages")),
          "cli",
          List.of(
              List.of("program"),
              List.of("campus"),
              List.of("certificate"),
              List.of("session", "delegation", "soap", "storage", "administration")),
          "contracts",
          List.of(List.of("signature"), List.of("log", "host"), List.of("person", "record")),
          "perf",
          List.of(
              List.of("fit", "peers", "lean"),
              List.of("stores", "tokens", "services", "user"),
              List.of("visit"),
              List.of("scenario"),
              List.of("result"),
              List.of("harness"),
              List.of("report", "storage", "session"),
              List.of("study", "gatling")),
          "service",
          List.of(
              List.of("log", "redis", "door"),
              List.of("properties"),
              List.of("certificates", "process"),
              List.of("http"),
              List.of("start")));

  /** Of other modules, though below a service's name. */
  private static final List<String> ELSEWHERE = List.of("client", "handlers", "cxf");

  Directions() {
    super("know only packages of the rows before their own");
  }

  /** A feature package of a service, or a part of one that has a row of its own. */
  private record Place(String service, String feature) {
    static Place of(JavaClass type) {
      String name = type.getPackageName();
      String[] parts =
          name.startsWith(HOUSE) ? name.substring(HOUSE.length()).split("\\.", 2) : new String[0];
      if (parts.length < 2 || !ROWS.containsKey(parts[0])) {
        return new Place("", "");
      }
      String first = parts[1].split("\\.")[0];
      if (ELSEWHERE.contains(first)) {
        return new Place("", "");
      }
      var whole = new Place(parts[0], parts[1]);
      return whole.row() < 0 ? new Place(parts[0], first) : whole;
    }

    boolean isFeature() {
      return !service.isEmpty() && !feature.isEmpty();
    }

    /** From 0; -1 where no row names it. */
    int row() {
      List<List<String>> rows = ROWS.getOrDefault(service, List.of());
      for (int i = 0; i < rows.size(); i++) {
        if (rows.get(i).contains(feature)) {
          return i;
        }
      }
      return -1;
    }
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    Place own = Place.of(type);
    if (!own.isFeature()) {
      return;
    }
    if (own.row() < 0) {
      events.add(SimpleConditionEvent.violated(type, type.getFullName() + " is in no row"));
    }
    for (Dependency each : type.getDirectDependenciesFromSelf()) {
      Place other = Place.of(each.getTargetClass());
      if (other.isFeature()
          && other.service().equals(own.service())
          && !other.equals(own)
          && other.row() >= own.row()) {
        events.add(SimpleConditionEvent.violated(each, each.getDescription()));
      }
    }
  }
}
