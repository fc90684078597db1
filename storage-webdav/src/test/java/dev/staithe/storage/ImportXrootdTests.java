package dev.staithe.storage;

import static dev.staithe.storage.ImportedStorage.put;
import static dev.staithe.storage.ImportedStorage.status;
import static dev.staithe.storage.ImportedStorage.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** What XRootD allowed is allowed after the import, and nothing else, by a real server. */
class ImportXrootdTests {
  private static final String VOMS = "/C=DE/O=Example/CN=voms.test";

  @TempDir static Path shared;
  private static GridAuthority grid;

  @TempDir Path folder;
  private Path configuration;

  @BeforeAll
  static void makeGrid() {
    grid = GridAuthority.in(shared.resolve("grid"), Clock.systemUTC());
  }

  @BeforeEach
  void makeSite() throws IOException {
    configuration = folder.resolve("xrootd.cfg");
    write(
        "gridmap",
        "\"/C=DE/O=Example/CN=Ada\" ada\n\"/C=DE/O=Example/CN=Bob\" bob\n\"^/C=DE\" any\n");
    write(
        "vomsdir/atlas/voms.test.lsc",
        VOMS + "\n" + GridAuthority.NAMESPACE + "/CN=Grid authority\n");
    write(
        "scitokens.cfg",
        """
        [Global]
        audience = https://localhost:8443 ; and nothing else
        [Issuer vo]
        issuer = %s
        base_path = /data/tokens, /data/more
        default_user = prod
        """
            .formatted(ImportedStorage.ISSUER.issuer()));
    for (String path : new String[] {"a/f", "b/f", "b-not/f", "tokens/f", "other/f", "b/deep/f"}) {
      write("srv/data/" + path, path);
    }
    configure("");
  }

  private Path write(String file, String content) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, content);
  }

  /** With lines behind those that all have. */
  private void configure(String more) throws IOException {
    Files.writeString(
        configuration,
        """
        set here = %s
        oss.localroot $here/srv
        all.export /data
        xrd.port 1094
        xrd.protocol http:8443 libXrdHttp.so
        xrd.tls %s \\
                %s
        xrd.tlsca certdir %s
        http.gridmap $(here)/gridmap
        http.secxtractor libXrdVoms.so
        ofs.authorize 1
        ofs.authlib ++ libXrdAccSciTokens.so config=$here/scitokens.cfg
        acc.authdb ${here}/authdb
        """
                .formatted(
                    folder, ImportedStorage.certificate(), ImportedStorage.key(), grid.trust())
            + more);
  }

  private String imported(String database) throws IOException {
    write("authdb", database);
    return ImportedStorage.run(
        "xrootd",
        "--config",
        configuration.toString(),
        "--host",
        ImportedStorage.HOST,
        "--to",
        folder.resolve("to").toString());
  }

  private String policy() throws IOException {
    return Files.readString(folder.resolve("to/data.policy.yml"));
  }

  private ImportedStorage start() {
    return ImportedStorage.start(
        folder.resolve("to"), "--staithe.voms.trust=" + folder.resolve("vomsdir"));
  }

  private GridAuthority.Holder person(String name) {
    return grid.person("/C=DE/O=Example/CN=" + name);
  }

  @Test
  void rightsOfTokensAndOfAllRecordsAddUp() throws IOException {
    assertThat(
            imported(
                """
                t reading /data/b/ rl
                u * reading
                u ada /data/a/ a
                g /atlas /data/b/ wid
                """))
        .startsWith("0\n")
        .contains("gridmap:3: left out: it is no whole name of a certificate")
        .contains("scitokens.cfg:6: default_user is not taken over");

    GridAuthority.Holder ada = person("Ada");
    var member = grid.attributed(person("Eve"), grid.person(VOMS), "atlas", "/atlas");
    String plain = token().scope("openid").sign();
    String scoped = token().scope("storage.read:/f storage.create:/").sign();
    String elsewhere = token().audience("https://elsewhere").scope("storage.read:/f").sign();
    try (ImportedStorage storage = start()) {
      assertThat(status(storage.curl("/data/b/f"))).isEqualTo(200);
      assertThat(status(storage.curl("/data/b/f").token(plain))).isEqualTo(200);
      assertThat(status(storage.curl("/data/a/f"))).isEqualTo(401);
      assertThat(put(storage.curl("/data/b/new"), folder)).isEqualTo(401);

      assertThat(put(storage.curl("/data/a/new", ada), folder)).isEqualTo(201);
      assertThat(status(storage.curl("/data/a/new", ada).method("DELETE"))).isEqualTo(204);
      assertThat(put(storage.curl("/data/b/new", ada), folder)).isEqualTo(403);
      assertThat(status(storage.curl("/data/a/f", person("Bob")))).isEqualTo(403);

      // Neither record alone lets anybody write.
      assertThat(put(storage.curl("/data/b/new", member), folder)).isEqualTo(201);
      assertThat(put(storage.curl("/data/b-not/new", member), folder)).isEqualTo(403);

      assertThat(status(storage.curl("/data/tokens/f").token(scoped))).isEqualTo(200);
      assertThat(put(storage.curl("/data/more/new").token(scoped), folder)).isEqualTo(201);
      assertThat(status(storage.curl("/data/a/f").token(scoped))).isEqualTo(403);
      assertThat(status(storage.curl("/data/tokens/f").token(plain))).isEqualTo(403);
      assertThat(status(storage.curl("/data/tokens/f").token(elsewhere))).isEqualTo(401);
    }
  }

  @Test
  void pathWithoutASlashPermitsLessAndDeniesMore() throws IOException {
    String printed =
        imported(
            """
            u * /data/ rl
            g /cms /data/b -r
            o atlas /data/other -rl
            u eve /data/a/ -w
            """);
    assertThat(printed)
        .startsWith("0\n")
        .contains("authdb:2: what begins with /data/b is denied as / of area data")
        .contains("authdb:3: what begins with /data/other is denied as / of area data")
        .contains("authdb:4: -w is denied to anyone");
    assertThat(imported("u * /data/b rl\n")).startsWith("2\n").contains("is there already");

    var member = grid.attributed(person("Eve"), grid.person(VOMS), "atlas", "/atlas");
    try (ImportedStorage storage = start()) {
      assertThat(status(storage.curl("/data/b/f"))).isEqualTo(200);
      assertThat(status(storage.curl("/data/other/f", member))).isEqualTo(403);
      assertThat(status(storage.curl("/data/b-not/f", member))).isEqualTo(403);
      String grouped = token().scope("openid").groups("/cms").sign();
      assertThat(status(storage.curl("/data/b/f").token(grouped))).isEqualTo(403);
      assertThat(status(storage.curl("/data/a/f").token(token().scope("openid").sign())))
          .isEqualTo(200);
    }
  }

  @Test
  void firstPathOfARecordHidesLaterOnesAndExclusiveRecordsHideTheRest() throws IOException {
    String printed =
        imported(
            """
            = mapped u: ada
            = prod o: atlas r: production
            u * /data/b/deep/ l /data/b rl /data/b-not rl
            u = /data/@=/ a
            g /atlas /data/ a
            x prod /data/a/ rl
            """);
    assertThat(printed)
        .startsWith("0\n")
        .contains("authdb:3: /data/b is permitted with all below it, and no longer what only")
        .contains("authdb:3: /data/b-not never counts: /data/b before it is how it begins")
        .contains("authdb:4: said for the 2 users of the grid map");

    var member = grid.attributed(person("Eve"), grid.person(VOMS), "atlas", "/atlas");
    var producer =
        grid.attributed(
            person("Eve"), grid.person(VOMS), "atlas", "/atlas/Role=production", "/atlas");
    try (ImportedStorage storage = start()) {
      assertThat(status(storage.curl("/data/b/f"))).isEqualTo(200);
      assertThat(status(storage.curl("/data/b-not/f"))).isEqualTo(200);
      assertThat(status(storage.curl("/data/b/deep/f"))).isEqualTo(401);
      assertThat(status(storage.curl("/data/b/deep/f").head())).isEqualTo(200);
      assertThat(put(storage.curl("/data/ada/new", person("Ada")), folder)).isEqualTo(201);
      assertThat(put(storage.curl("/data/ada/new", person("Bob")), folder)).isEqualTo(403);
      assertThat(status(storage.curl("/data/a/f", producer))).isEqualTo(200);
      assertThat(put(storage.curl("/data/a/new", producer), folder)).isEqualTo(403);
      assertThat(status(storage.curl("/data/b/f", producer))).isEqualTo(403);
      // Said wider, as whoever has the role is a member.
      assertThat(put(storage.curl("/data/a/new", member), folder)).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/data/b rl                    | permit [read] /b []",
        "/dat rl                       | permit [read] / []",
        "/data/b/x/ l /data/ rl        | permit [stat] /b/x [], permit [read] / [/b/x]",
        "/data/b/x l /data/ rl         | permit [stat] /b/x [], permit [read] / [/b]",
        "/data/x l /data/ rl           | permit [stat] /x [], permit [stat] / []",
        "/data/x a /data/ rl           | permit [read] /x [], permit [modify] /x [], permit [read] / []",
        "/data/b -l                    | deny [read] / [], deny [modify] / []",
        "/data/b/ -d                   | deny [modify] /b []",
        "/data/b/x -i                  | deny [create] /b []",
        "/dat -w                       | deny [create] / []",
        "/data/ rl-r                   | deny [read] / [], deny [create] / [], permit [read] / []",
      })
  void pathsAreSaidByWholeSegments(String grants, String rules) throws IOException {
    assertThat(imported("u * " + grants + "\n")).startsWith("0\n");
    List<String> said = new ArrayList<>();
    Map<String, List<Map<String, Object>>> policy = new Yaml().load(policy());
    for (Map<String, Object> rule : policy.get("rules")) {
      String effect = rule.containsKey("permit") ? "permit" : "deny";
      said.add(
          "%s %s %s %s"
              .formatted(
                  effect,
                  rule.get(effect),
                  rule.get("path"),
                  rule.getOrDefault("except", List.of())));
    }
    assertThat(String.join(", ", said)).isEqualTo(rules);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ofs.authlib libXrdMacaroons.so libXrdAccSciTokens.so config=HERE/scitokens.cfg | acc.authdb is left out",
        "ofs.authlib ++ libAnother.so      | nothing is known of what it allows",
        "macaroons.onmissing deny          | acc.authdb is left out",
      })
  void databaseThatWasNotAskedGivesNothing(String line, String says) throws IOException {
    configure(line.replace("HERE", folder.toString()) + "\n");
    assertThat(imported("u * /data/ a\n")).startsWith("0\n").contains(says);
    assertThat(folder.resolve("to/data.policy.yml")).doesNotExist();
  }

  @Test
  void whereNothingIsAuthorizedNobodyHasRights() throws IOException {
    Files.writeString(configuration, "all.export /data\noss.localroot " + folder + "/srv\n");
    assertThat(imported("")).startsWith("0\n").contains("ofs.authorize is not there");
    assertThat(folder.resolve("to/data.policy.yml")).doesNotExist();
    assertThat(folder.resolve("to/storage.yml"))
        .content()
        .doesNotContain("anonymous-read", "grants");
  }

  @Test
  void conditionsCountForThisServerAndEveryOtherLineIsNamed() throws IOException {
    write("more.cfg", "all.export /raw/ readonly stage\nsec.protocol gsi -d:1\n");
    configure(
        """
        if exec cmsd
          all.export /cmsd
        else if named other
          all.export /other
        else
          all.export /data/in/ r/o
        fi
        if local*
          all.export /more
        fi
        all.export /never if exec cmsd
        # all.export /comment
        frm.xfr.copycmd /bin/cp
        continue %s
        all.export /behind
        """
            .formatted(folder.resolve("more.cfg")));
    assertThat(imported("u * / a\n"))
        .startsWith("0\n")
        .contains("xrootd.cfg:26: frm.xfr.copycmd: not taken over")
        .contains("more.cfg:1: \"stage\" is not taken over")
        .contains("more.cfg:2: sec.protocol: not taken over: the root protocol")
        .contains("xrootd.cfg:19: nobody writes to /in of area data");
    String storage = Files.readString(folder.resolve("to/storage.yml"));
    assertThat(storage)
        .contains("port: 8443", "name: data", "name: more", "name: raw")
        .doesNotContain("cmsd", "other", "never", "comment", "behind");
    assertThat(Files.readString(folder.resolve("to/raw.policy.yml")))
        .startsWith("rules:\n  - deny:");
    assertThat(policy()).contains("path: /in\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u ada /data            | authdb:1: no privileges follow /data",
        "u ada /data q          | authdb:1: q are no privileges",
        "u ada reading          | authdb:1: reading is neither a path nor a template",
        "y ada /data a          | authdb:1: no record begins with y",
        "u ada                  | authdb:1: the record has no path",
        "s both /data a         | authdb:1: both is not defined before",
        "= both ada             | authdb:1: ada is not one of g: h: o: r: u:",
        "= both u: *            | authdb:1: no user is called *",
        "u ada /data/../etc a   | authdb:1: /data/../etc has empty or dot segments",
      })
  void wrongDatabaseIsOneLineAndNothingIsWritten(String line, String says) throws IOException {
    assertThat(imported(line + "\n")).startsWith("2\nimport: ").contains(says).hasLineCount(2);
    assertThat(folder.resolve("to")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pss.origin other:1094      | xrootd.cfg:14: pss.origin: its files are not below a folder",
        "all.role manager           | it has no files of its own",
        "oss.localroot $nowhere     | $nowhere has no value here",
        "if exec xrootd             | the last if has no fi",
        "fi                         | a fi without an if",
        "else                       | an else without an if",
        "if defined ?x              | is not known here",
        "all.export data            | data is no path",
        "xrd.protocol http:none x   | none is no port",
        "acc.authdb /nowhere/authdb | /nowhere/authdb is not there",
      })
  void wrongConfigurationIsOneLine(String line, String says) throws IOException {
    configure(line + "\n");
    assertThat(imported("u * /data/ rl\n"))
        .startsWith("2\nimport: ")
        .contains(says)
        .hasLineCount(2);
    assertThat(folder.resolve("to")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing                             | scitokens.cfg:1: neither a section nor a key",
        "[Issuer x]                          | scitokens.cfg:1: issuer = https://... is missing",
        "[Global]                            | scitokens.cfg: no section begins with [Issuer",
      })
  void wrongIssuersAreOneLine(String content, String says) throws IOException {
    write("scitokens.cfg", content + "\n");
    assertThat(imported("u * /data/ rl\n"))
        .startsWith("2\nimport: ")
        .contains(says)
        .hasLineCount(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "restricted_path = /in               | left out with all rights by scopes",
        "authorization_strategy = group      | its scopes count for nothing",
        "required_authorization = capability | left out with all rights by scopes",
        "base_path = /                       | left out for area data: its scopes are relative to /",
      })
  void scopesThatCannotBeSaidGiveNothing(String line, String says) throws IOException {
    write(
        "scitokens.cfg",
        "[Issuer x]\nbase_path = /data\nissuer = https://issuer.example\n" + line + "\n");
    assertThat(imported("u * /data/ rl\n"))
        .startsWith("0\n")
        .contains(says)
        .contains("no audience is demanded there");
    assertThat(folder.resolve("to/storage.yml")).content().doesNotContain("grants:");
  }

  @Test
  void usageNamesWhatIsNeeded() {
    assertThat(ImportedStorage.run("xrootd", "--host", "h", "--to", "x"))
        .contains("--config is needed\nusage:");
    assertThat(ImportedStorage.run("xrootd", "--areas", "x"))
        .contains("unknown option --areas\nusage:");
    assertThat(
            ImportedStorage.run(
                "xrootd", "--host", "h", "--to", "x", "--config", folder + "/nowhere"))
        .isEqualTo("2\nimport: " + folder + "/nowhere is not there\n");
  }
}
