package dev.staithe.storage.imports;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration of a server of XRootD 5 with its door for HTTP, and the files that it
 * names: the authorization database, the grid map and the issuers of tokens.
 */
public final class XrootdSource {
  private static final Set<String> READ_ONLY = Set.of("r/o", "readonly", "notwritable");
  private static final Set<String> WRITABLE = Set.of("r/w", "writable");

  /** What needs nothing here, as it is always so. */
  private static final Set<String> NOTHING_TO_DO =
      Set.of(
          "all.adminpath",
          "all.pidpath",
          "http.header2cgi Authorization authz",
          "http.exthandler xrdtpc",
          "http.selfhttps2http no",
          "http.desthttps yes");

  /** A path that is exported, or has attributes of its own. */
  private record Export(String where, boolean served, List<String> words) {
    boolean readOnly(boolean unless) {
      return words.stream().anyMatch(READ_ONLY::contains)
          || unless && words.stream().noneMatch(WRITABLE::contains);
    }
  }

  private final ImportedSite site;
  private final TreeMap<String, Export> exports = new TreeMap<>();
  private String root = "";
  private boolean readOnly;
  private @Nullable String port;
  private @Nullable String httpPort;
  private boolean httpHere;
  private boolean authorize;
  private boolean databaseAsked = true;
  private @Nullable String tokens;
  private @Nullable String database;
  private char space;
  private @Nullable String gridmap;
  private boolean gridmapRequired;
  private boolean voms;
  private boolean vomsRequired;

  private XrootdSource(ImportedSite site) {
    this.site = site;
  }

  /**
   * Reads all of it.
   *
   * @param configuration such as {@code /etc/xrootd/xrootd-standalone.cfg}; the files that it names
   *     are read where it says that they are
   * @param instance the daemon's name, for {@code if named}; {@code anon} where it has none
   * @param host by which clients know the server
   * @throws IOException with one line that names what is wrong
   */
  public static ImportedSite read(Path configuration, String instance, String host)
      throws IOException {
    ImportedSite site = new ImportedSite(host);
    XrootdSource source = new XrootdSource(site);
    for (XrootdLines.Line line : XrootdLines.directives(configuration, host, instance)) {
      source.directive(line);
    }
    source.finish(String.valueOf(configuration.getFileName()));
    return site;
  }

  private void directive(XrootdLines.Line line) throws WrongSource {
    String name = line.word(0);
    if (NOTHING_TO_DO.stream()
        .anyMatch(known -> (String.join(" ", texts(line)) + " ").startsWith(known + " "))) {
      return;
    }
    switch (name) {
      case "oss.localroot" -> root = need(line).replaceFirst("/+$", "");
      case "all.export", "xrootd.export", "oss.export", "oss.path" -> export(line);
      case "oss.defaults" -> readOnly = line.rest().stream().anyMatch(READ_ONLY::contains);
      case "pss.origin", "oss.namelib", "oss.remoteroot", "oss.rsscmd" ->
          throw new WrongSource(
              line.where(), name + ": its files are not below a folder of this machine");
      case "ofs.osslib", "xrootd.fslib" -> plugin(line);
      case "all.role" -> role(line);
      case "xrd.port" -> port = need(line);
      case "xrd.protocol" -> protocol(line);
      case "xrd.tls" -> {
        site.certificate = need(line);
        site.key = line.word(2).startsWith("/") ? line.word(2) : site.certificate;
      }
      case "xrd.tlsca" -> {
        int at = Math.max(line.rest().indexOf("certdir"), line.rest().indexOf("certfile"));
        site.authorities = at < 0 ? site.authorities : line.word(at + 2);
      }
      case "http.cert" -> site.certificate = need(line);
      case "http.key" -> site.key = need(line);
      case "http.cadir", "http.cafile" -> site.authorities = need(line);
      case "http.gridmap" -> {
        gridmapRequired = line.rest().contains("required");
        gridmap =
            line.rest().stream().filter(word -> word.startsWith("/")).findFirst().orElse(null);
      }
      case "http.secxtractor" -> attributes(line);
      case "http.tlsclientauth" -> site.certificates = !line.word(1).equals("off");
      case "ofs.authorize" -> authorize = true;
      case "ofs.authlib" -> library(line);
      case "macaroons.onmissing" -> databaseAsked &= need(line).equals("passthrough");
      case "acc.authdb" -> database = need(line);
      case "acc.spacechar" -> space = need(line).charAt(0);
      case "acc.encoding" -> encoding(line);
      default -> site.note(line.where(), said(name));
    }
  }

  private static List<String> texts(XrootdLines.Line line) {
    return line.words().stream().map(XrootdLines.Word::text).toList();
  }

  private static String need(XrootdLines.Line line) throws WrongSource {
    if (line.word(1).isEmpty()) {
      throw new WrongSource(line.where(), line.word(0) + " says nothing");
    }
    return line.word(1);
  }

  /** What became of a directive that is not taken over. */
  private static String said(String name) {
    String family = name.replaceFirst("\\..*", "");
    return name
        + ": "
        + switch (family) {
          case "sec" -> "not taken over: the root protocol and its logins are not spoken here";
          case "cms" -> "not taken over: nodes share a folder, or stand behind one name";
          case "macaroons" ->
              "not taken over: macaroons are made with keys of our own, and those that are out end";
          case "xrootd" ->
              name.equals("xrootd.chksum")
                  ? "uploads always get areas[].checksums, adler32 if nothing is said"
                  : "not taken over: the root protocol is not spoken here";
          default -> "not taken over; docs/storage-webdav.yml has all settings";
        };
  }

  private void export(XrootdLines.Line line) throws WrongSource {
    String path = need(line);
    if (!path.startsWith("/") || path.contains("//") || (path + "/").matches(".*/\\.\\.?/.*")) {
      throw new WrongSource(line.where(), path + " is no path without empty or dot segments");
    }
    List<String> words = line.rest().subList(1, line.rest().size());
    for (String word : words) {
      if (!READ_ONLY.contains(word) && !WRITABLE.contains(word)) {
        site.note(line.where(), "\"" + word + "\" is not taken over; for tape see docs/tape.md");
      }
    }
    boolean served = !line.word(0).equals("oss.path");
    exports.merge(
        path,
        new Export(line.where(), served, words),
        (one, two) -> {
          List<String> both = new ArrayList<>(one.words());
          both.addAll(two.words());
          return new Export(one.where(), one.served() || two.served(), both);
        });
  }

  private void plugin(XrootdLines.Line line) throws WrongSource {
    if (line.word(1).equals("++") || line.rest().contains("throttle")) {
      site.note(line.where(), line.word(0) + ": what it adds is not taken over");
      return;
    }
    throw new WrongSource(
        line.where(), line.word(0) + ": its files may not be below a folder of this machine");
  }

  private void role(XrootdLines.Line line) throws WrongSource {
    if (line.rest().stream().anyMatch(Set.of("manager", "proxy", "supervisor", "meta")::contains)) {
      throw new WrongSource(line.where(), "it has no files of its own, but sends to others");
    }
  }

  private void protocol(XrootdLines.Line line) {
    String at = line.word(1);
    boolean http =
        at.toLowerCase(Locale.ROOT).matches("(?:xrd)?http(?::.*)?")
            || line.rest().stream().anyMatch(word -> word.contains("libXrdHttp."));
    if (!http) {
      site.note(line.where(), said("xrd.protocol"));
      return;
    }
    httpHere = true;
    int colon = at.indexOf(':');
    httpPort = colon < 0 ? null : at.substring(colon + 1);
  }

  private void attributes(XrootdLines.Line line) {
    String extractor = line.rest().stream().filter(w -> w.contains("Voms")).findFirst().orElse("");
    String options = String.join(" ", line.rest()).replaceFirst("^.*?\\.so", "").strip();
    vomsRequired = line.rest().contains("required");
    voms = extractor.contains("libXrdVoms") && options.isEmpty();
    if (!voms) {
      site.note(
          line.where(),
          "left out with all rights by VOMS: what it makes of their names, or of whom, is not known"
              + " here");
    }
  }

  private void library(XrootdLines.Line line) {
    boolean stacked = line.rest().contains("++");
    String all = String.join(" ", line.rest());
    boolean scitokens = all.contains("libXrdAccSciTokens");
    boolean macaroons = all.contains("libXrdMacaroons");
    if (scitokens) {
      tokens = "/etc/xrootd/scitokens.cfg";
      for (String word : line.rest()) {
        if (word.startsWith("config=")) {
          tokens = word.substring("config=".length());
        }
      }
    }
    if (!scitokens && !macaroons) {
      databaseAsked = false;
      site.note(
          line.where(),
          "left out, with acc.authdb: nothing is known of what it allows and refuses");
      return;
    }
    if (macaroons) {
      site.note(line.where(), said("macaroons."));
    }
    // What is stacked asks the one below, at the end the database; so do macaroons alone.
    databaseAsked &= stacked || macaroons && !scitokens && line.rest().size() == 1;
  }

  private void encoding(XrootdLines.Line line) throws WrongSource {
    int at = line.rest().indexOf("space");
    if (at >= 0 && !line.word(at + 2).isEmpty()) {
      space = line.word(at + 2).charAt(0);
    }
    if (line.rest().contains("pct")) {
      throw new WrongSource(line.where(), "write the paths of the database without % first");
    }
  }

  private void finish(String file) throws IOException {
    if (exports.values().stream().noneMatch(Export::served)) {
      throw new WrongSource(file, "no all.export says what is served");
    }
    site.port = port(file);
    if (!httpHere) {
      site.note(file, "it has no door for HTTP; this one is for who spoke the root protocol alone");
    }
    List<String> areas = new ArrayList<>();
    for (Map.Entry<String, Export> export : exports.entrySet()) {
      String at = export.getKey().replaceFirst("/+$", "");
      if (export.getValue().served()
          && areas.stream().noneMatch(outer -> (at + "/").startsWith(outer + "/"))) {
        areas.add(at);
      }
    }
    rights(file, areas);
  }

  private int port(String file) throws WrongSource {
    String said = httpPort == null ? port == null ? "1094" : port : httpPort;
    if (!said.matches("[1-9][0-9]{0,4}") || Integer.parseInt(said) > 65535) {
      throw new WrongSource(file, said + " is no port");
    }
    return Integer.parseInt(said);
  }

  private void rights(String file, List<String> areas) throws IOException {
    if (!authorize) {
      site.note(
          file,
          "ofs.authorize is not there, so that anybody could do anything; nobody may now: say who in"
              + " areas[]");
    }
    SciTokensFile.Read believed =
        tokens == null || !authorize ? null : SciTokensFile.read(site, Path.of(tokens));
    boolean asked = authorize && databaseAsked && (believed == null || believed.fallsThrough());
    AuthRules rules = asked ? database(file, believed) : null;
    if (authorize && !asked && database != null) {
      site.note(file, "acc.authdb is left out: what is in ofs.authlib never asks it");
    }
    for (String at : areas) {
      String name = at.isEmpty() ? "files" : at.substring(1).replaceAll("[^A-Za-z0-9._]", "-");
      if (site.areas.stream().map(ImportedArea::name).anyMatch(name::equals)) {
        name = name + "-" + site.areas.size();
      }
      ImportedArea area =
          new ImportedArea(
              name, (root + at).isEmpty() ? "/" : root + at, List.of(at.isEmpty() ? "/" : at));
      site.areas.add(area);
      writing(area, at);
      if (rules != null) {
        rules.add(area, at);
      }
      if (believed != null) {
        believed.issuers().forEach(issuer -> capabilities(area, at, issuer));
      }
    }
  }

  private AuthRules database(String file, SciTokensFile.@Nullable Read believed)
      throws IOException {
    if (database == null) {
      throw new WrongSource(file, "acc.authdb is missing, which ofs.authorize needs");
    }
    List<String> issuers =
        believed == null
            ? List.of()
            : believed.issuers().stream().map(SciTokensFile.Issuer::issuer).distinct().toList();
    XrootdNames names =
        XrootdNames.of(
            site,
            gridmap == null ? null : Path.of(gridmap),
            gridmapRequired,
            voms && site.certificates,
            vomsRequired,
            issuers);
    return new AuthRules(site, names, AuthDb.read(Path.of(database), space));
  }

  /** What is exported for reading alone; paths below an area's own count by their beginning. */
  private void writing(ImportedArea area, String at) {
    Export own = exports.getOrDefault(at.isEmpty() ? "/" : at, exports.get(at + "/"));
    Set<Deed> changes = EnumSet.of(Deed.MAKE_FOLDER, Deed.WRITE, Deed.DELETE, Deed.RENAME);
    boolean all = own != null && own.readOnly(readOnly);
    if (all) {
      area.rules.addAll(DraftRule.of(false, changes, "/", List.of(), Whom.ANYONE, false));
    }
    for (Map.Entry<String, Export> inner : exports.tailMap(at + "/", false).entrySet()) {
      if (!inner.getKey().startsWith(at + "/")) {
        break;
      }
      if (!inner.getValue().readOnly(readOnly)) {
        if (all) {
          site.note(inner.getValue().where(), "for reading alone, as what is around it");
        }
        continue;
      }
      String path = inner.getKey().substring(at.length(), inner.getKey().lastIndexOf('/'));
      site.note(
          inner.getValue().where(),
          "nobody writes to "
              + (path.isEmpty() ? "/" : path)
              + " of area "
              + area.name()
              + " and all below it"
              + (inner.getKey().endsWith("/")
                  ? ""
                  : ": what is exported counts by its beginning; a slash at its end would say less"));
      area.rules.addAll(
          DraftRule.of(false, changes, path.isEmpty() ? "/" : path, List.of(), Whom.ANYONE, false));
    }
  }

  private void capabilities(ImportedArea area, String at, SciTokensFile.Issuer issuer) {
    for (String base : issuer.bases()) {
      String open = base.replaceFirst("/+$", "");
      if ((open + "/").startsWith(at + "/")) {
        String prefix = open.substring(at.length());
        List<String> prefixes =
            area.capabilities.computeIfAbsent(issuer.issuer(), none -> new ArrayList<>());
        String said = prefix.isEmpty() ? "/" : prefix;
        if (!prefixes.contains(said)) {
          prefixes.add(said);
        }
      } else if ((at + "/").startsWith(open + "/")) {
        site.note(
            issuer.where(),
            "left out for area "
                + area.name()
                + ": its scopes are relative to "
                + base
                + ", which lies above; export "
                + base
                + " as a whole first");
      }
    }
  }
}
