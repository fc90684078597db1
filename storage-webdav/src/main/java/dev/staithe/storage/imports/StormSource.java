package dev.staithe.storage.imports;

import dev.staithe.storage.state.OperatorFolder;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration of StoRM WebDAV 1.4 to 1.8: the files of {@code sa.d} and {@code
 * application.yml}.
 */
public final class StormSource {
  private static final Set<String> KNOWN =
      Set.of(
          "name",
          "rootPath",
          "filesystemType",
          "accessPoints",
          "vos",
          "orgs",
          "authenticatedReadEnabled",
          "anonymousReadEnabled",
          "voMapEnabled",
          "voMapGrantsWritePermission",
          "voMapGrantsWriteAccess",
          "orgsGrantReadPermission",
          "orgsGrantWritePermission",
          "wlcgScopeAuthzEnabled",
          "fineGrainedAuthzEnabled",
          "tapeEnabled");

  private static final String IN_FORCE = "storm.authz.enable-fine-grained-authz";

  private final ImportedSite site;
  private final Keys keys;

  private StormSource(ImportedSite site, Keys keys) {
    this.site = site;
    this.keys = keys;
  }

  /**
   * Reads all of it.
   *
   * @param areas the folder with a properties file for each storage area
   * @param application {@code application.yml}; null where the site has none
   * @param host by which clients know the server
   * @throws IOException with one line that names what is wrong
   */
  public static ImportedSite read(Path areas, @Nullable Path application, String host)
      throws IOException {
    List<Path> files = OperatorFolder.ending(areas, ".properties");
    if (files.isEmpty()) {
      throw new WrongSource(areas.toString(), "no file in it ends with .properties");
    }
    ImportedSite site = new ImportedSite(host);
    Keys keys = application == null ? Keys.none() : Keys.read(application);
    StormSource source = new StormSource(site, keys);
    source.server();
    source.issuers();
    List<StormPolicy> policies = StormPolicy.all(keys);
    Set<String> names = new HashSet<>();
    for (Path file : files) {
      source.area(file, policies, names);
    }
    for (StormPolicy policy : policies) {
      if (!names.contains(policy.area())) {
        site.note(policy.where(), "left out: no storage area is called " + policy.area());
      }
    }
    keys.unread()
        .forEach(
            key -> site.note(key, "not taken over; docs/storage-webdav.yml has all" + " settings"));
    return site;
  }

  private void server() throws WrongSource {
    site.port = port("storm.connector.secure-port");
    site.certificate = keys.text("storm.tls.certificate-path", site.certificate);
    site.key = keys.text("storm.tls.private-key-path", site.key);
    site.authorities = keys.text("storm.tls.trust-anchors-dir", site.authorities);
    site.vomsdir = keys.text("storm.voms.trust-store.dir", site.vomsdir);
    site.certificates = keys.flag("storm.voms.enabled", true);
    if (keys.has("storm.connector.port")) {
      site.note(
          keys.where("storm.connector.port"),
          "the port without TLS is not taken over; behind a proxy that ends TLS see"
              + " docs/behind-nginx.md");
      keys.pass("storm.connector.port");
    }
    if (keys.flag("storm.vo-map-files.enabled", false)
        | keys.flag("storm.vo-map-files.enable", false)) {
      site.note(
          keys.where("storm.vo-map-files"),
          "members by VO map files have no rights: list their certificates under"
              + " areas[].subjects, or have them show VOMS proxies");
    }
    keys.pass("storm.vo-map-files");
    if (keys.text("storm.tpc.tls-protocol") != null) {
      site.note(
          keys.where("storm.tpc.tls-protocol"), "copies speak TLS 1.2 and 1.3; nothing to do");
    }
    if (keys.text("storm.checksum-strategy") != null) {
      site.note(
          keys.where("storm.checksum-strategy"),
          "uploads always get areas[].checksums, adler32 if nothing is said");
    }
  }

  private int port(String key) throws WrongSource {
    String text = keys.text(key, "8443");
    if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > 65535) {
      throw new WrongSource(keys.where(key), text + " is no port");
    }
    return Integer.parseInt(text);
  }

  private void issuers() throws WrongSource {
    for (int i = 0; keys.has("oauth.issuers[" + i + "]"); i++) {
      String at = "oauth.issuers[" + i + "]";
      keys.text(at + ".name");
      String issuer = keys.text(at + ".issuer", "");
      if (issuer.isEmpty()) {
        throw new WrongSource(keys.where(at + ".issuer"), "the issuer's URL is missing");
      }
      List<String> audiences = keys.list(at + ".audiences");
      boolean enforced = keys.flag(at + ".enforce-audience-checks", false);
      Map<String, Object> settings = new LinkedHashMap<>();
      boolean any = audiences.remove("https://wlcg.cern.ch/jwt/v1/any");
      if (audiences.isEmpty()) {
        audiences.add(site.audience());
      }
      settings.put("audiences", audiences);
      settings.put("accept-wlcg-any", any || !enforced);
      if (!enforced) {
        site.note(
            keys.where(at + ".enforce-audience-checks"),
            "tokens must now name one of " + audiences + " or WLCG's \"any\"; others were taken");
      }
      String keySet = keys.text(at + ".jwk-uri");
      if (keySet != null) {
        settings.put("jwks-uri", keySet);
      }
      site.issuer(issuer, settings);
    }
  }

  private void area(Path file, List<StormPolicy> policies, Set<String> names) throws IOException {
    String at = String.valueOf(file.getFileName());
    Properties properties = new Properties();
    try (Reader text = Keys.open(file)) {
      properties.load(text);
    } catch (IllegalArgumentException e) {
      throw new WrongSource(at, "no properties: " + e.getMessage());
    }
    for (String key : properties.stringPropertyNames().stream().sorted().toList()) {
      if (!KNOWN.contains(key)) {
        site.note(at + " " + key, "unknown, and left out");
      }
    }
    String name = need(properties, at, "name");
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw new WrongSource(
          at + " name", name + " has characters that a name cannot have; policies name it too");
    }
    if (!names.add(name)) {
      throw new WrongSource(at + " name", "another file has an area " + name + " already");
    }
    ImportedArea area =
        new ImportedArea(
            name, need(properties, at, "rootPath"), words(need(properties, at, "accessPoints")));
    site.areas.add(area);
    boolean scopes = flag(properties, at, "wlcgScopeAuthzEnabled", false);
    boolean fine = flag(properties, at, "fineGrainedAuthzEnabled", false);
    area.anonymousRead = flag(properties, at, "anonymousReadEnabled", false);
    area.authenticatedRead = flag(properties, at, "authenticatedReadEnabled", false);
    policies(area, policies, fine, scopes);
    for (String vo : words(properties.getProperty("vos", ""))) {
      area.organizations.add("/" + vo);
    }
    organizations(area, properties, at, scopes);
    notes(properties, at);
  }

  private void policies(ImportedArea area, List<StormPolicy> all, boolean fine, boolean scopes)
      throws WrongSource {
    boolean denies = false;
    // Without it StoRM asks no policy; what they deny may be meant all the same.
    boolean inForce = keys.flag(IN_FORCE, false);
    for (StormPolicy policy : all) {
      if (!policy.area().equals(area.name())) {
        continue;
      }
      if (!fine) {
        site.note(policy.where(), "left out: fineGrainedAuthzEnabled of the area is false");
        continue;
      }
      if (!inForce && policy.permit()) {
        site.note(policy.where(), "left out: " + IN_FORCE + " is not true, so that nobody had it");
        continue;
      }
      area.rules.addAll(policy.rules(site, !scopes));
      denies |= !policy.permit();
    }
    if (denies) {
      site.note(
          area.name() + " policies",
          "the first rule that concerns a request decides, before vos, orgs and scopes; StoRM"
              + " weighs them against each other, so that a denial now refuses more");
    }
  }

  private void organizations(ImportedArea area, Properties properties, String at, boolean scopes)
      throws WrongSource {
    boolean read = flag(properties, at, "orgsGrantReadPermission", true);
    boolean write = flag(properties, at, "orgsGrantWritePermission", false);
    List<String> issuers = words(properties.getProperty("orgs", ""));
    if (!issuers.isEmpty() && properties.getProperty("orgsGrantWritePermission") == null) {
      site.note(
          at + " orgsGrantWritePermission",
          "it is not there, so that tokens write by scopes and policies alone; say it if all"
              + " tokens wrote");
    }
    for (String issuer : issuers) {
      if (!site.believes(issuer)) {
        site.note(at + " orgs", "left out: " + issuer + " is not in oauth.issuers");
        continue;
      }
      if (scopes) {
        area.capabilities.put(issuer, List.of("/"));
      }
      Set<Deed> deeds = new HashSet<>();
      if (read) {
        deeds.addAll(List.of(Deed.READ, Deed.LIST));
      }
      if (write) {
        deeds.addAll(List.of(Deed.WRITE, Deed.DELETE, Deed.RENAME));
      }
      area.rules.addAll(DraftRule.of(true, deeds, "/", List.of(), Whom.issuer(issuer), !scopes));
      if (scopes && !deeds.isEmpty()) {
        site.note(
            at + " orgs",
            "what orgsGrant… gives is for tokens of "
                + issuer
                + " without storage scopes; one"
                + " that has scopes may what they say, as the WLCG profile wants it");
      }
    }
  }

  private void notes(Properties properties, String at) throws WrongSource {
    if (flag(properties, at, "voMapEnabled", false)
        || flag(properties, at, "voMapGrantsWritePermission", false)
        || flag(properties, at, "voMapGrantsWriteAccess", false)) {
      site.note(
          at + " voMapEnabled",
          "members by VO map files have no rights: list their certificates under"
              + " areas[].subjects, or have them show VOMS proxies");
    }
    if (flag(properties, at, "tapeEnabled", false)) {
      site.note(
          at + " tapeEnabled",
          "not taken over: name the area and the mass storage's command in staithe.tape before"
              + " the first start (docs/tape.md); files that are on tape alone are read as holes"
              + " until then");
    }
  }

  private static String need(Properties properties, String at, String key) throws WrongSource {
    String value = properties.getProperty(key, "").strip();
    if (value.isEmpty()) {
      throw new WrongSource(at + " " + key, "it is missing");
    }
    return value;
  }

  private static boolean flag(Properties properties, String at, String key, boolean absent)
      throws WrongSource {
    String value = properties.getProperty(key, "").strip();
    return switch (value) {
      case "" -> absent;
      case "true" -> true;
      case "false" -> false;
      default -> throw new WrongSource(at + " " + key, value + " is neither true nor false");
    };
  }

  private static List<String> words(String value) {
    List<String> words = new ArrayList<>();
    for (String word : value.split(",", -1)) {
      if (!word.isBlank()) {
        words.add(word.strip());
      }
    }
    return words;
  }
}
