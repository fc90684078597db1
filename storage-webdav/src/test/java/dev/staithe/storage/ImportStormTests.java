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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What StoRM WebDAV allowed is allowed after the import, and nothing else, by a real server. */
class ImportStormTests {
  private static final String VOMS = "/C=DE/O=Example/CN=voms.test";

  @TempDir Path folder;
  private GridAuthority grid;
  private Path areas;
  private Path application;

  @BeforeEach
  void makeSite() throws IOException {
    grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    areas = Files.createDirectories(folder.resolve("sa.d"));
    application = folder.resolve("application.yml");
    Files.writeString(
        Files.createDirectories(folder.resolve("vomsdir/atlas")).resolve("voms.test.lsc"),
        VOMS + "\n" + GridAuthority.NAMESPACE + "/CN=Grid authority\n");
    application("");
  }

  private void application(String policies) throws IOException {
    Files.writeString(
        application,
        """
        oauth:
          issuers:
          - name: vo
            issuer: %s
            enforce-audience-checks: true
            audiences: ["https://localhost:8443"]
        storm:
          connector:
            securePort: ${STORM_WEBDAV_HTTPS_PORT:8443}
            port: 8085
          tls:
            certificate-path: %s
            private-key-path: %s
            trust-anchors-dir: %s
          voms:
            trust-store: {dir: %s}
          scitags:
            enabled: true
          authz:
            enable-fine-grained-authz: true
            policies: [%s]
        """
            .formatted(
                ImportedStorage.ISSUER.issuer(),
                ImportedStorage.certificate(),
                ImportedStorage.key(),
                grid.trust(),
                folder.resolve("vomsdir"),
                policies));
  }

  private Path area(String name, String more) throws IOException {
    Files.writeString(
        areas.resolve(name + ".properties"),
        """
        name=%s
        rootPath=%s
        accessPoints=/%s, /again/%s
        %s
        """
            .formatted(
                name,
                Files.createDirectories(folder.resolve("srv").resolve(name)),
                name,
                name,
                more));
    return folder.resolve("srv").resolve(name);
  }

  private String imported() {
    return ImportedStorage.run(
        "storm",
        "--areas",
        areas.toString(),
        "--application",
        application.toString(),
        "--host",
        ImportedStorage.HOST,
        "--to",
        folder.resolve("to").toString());
  }

  private ImportedStorage start() {
    return ImportedStorage.start(folder.resolve("to"));
  }

  @Test
  void flatRightsAreThoseOfTheAreaFiles() throws IOException {
    Files.writeString(area("atlas", "vos=atlas\norgs=").resolve("f"), "f");
    Files.writeString(area("open", "anonymousReadEnabled=true").resolve("f"), "f");
    Files.writeString(area("known", "authenticatedReadEnabled=true").resolve("f"), "f");
    String issuer = ImportedStorage.ISSUER.issuer();
    Files.writeString(area("tokens", "orgs=" + issuer).resolve("f"), "f");
    area("written", "orgsGrantWritePermission=true\norgsGrantReadPermission=false\norgs=" + issuer);
    Files.writeString(
        area("scopes", "wlcgScopeAuthzEnabled=true\norgsGrantReadPermission=false\norgs=" + issuer)
            .resolve("f"),
        "f");

    assertThat(imported())
        .startsWith("0\n")
        .contains("application.yml storm.scitags.enabled: not taken over")
        .contains("application.yml storm.connector.port: the port without TLS");

    GridAuthority.Holder bob = grid.person("/C=DE/O=Example/CN=Bob");
    var member = grid.attributed(bob, grid.person(VOMS), "atlas", "/atlas");
    String plain = token().scope("openid").sign();
    String scoped = token().scope("storage.read:/other").sign();
    try (ImportedStorage storage = start()) {
      assertThat(put(storage.curl("/again/atlas/new", member), folder)).isEqualTo(201);
      assertThat(status(storage.curl("/atlas/f", bob))).isEqualTo(403);
      assertThat(status(storage.curl("/atlas/f").token(plain))).isEqualTo(403);

      assertThat(status(storage.curl("/open/f"))).isEqualTo(200);
      assertThat(put(storage.curl("/open/new", bob), folder)).isEqualTo(403);
      assertThat(status(storage.curl("/known/f", bob))).isEqualTo(200);
      assertThat(status(storage.curl("/known/f"))).isEqualTo(401);

      assertThat(status(storage.curl("/tokens/f").token(plain))).isEqualTo(200);
      assertThat(status(storage.curl("/tokens/f").token(scoped))).isEqualTo(200);
      assertThat(put(storage.curl("/tokens/new").token(plain), folder)).isEqualTo(403);
      assertThat(status(storage.curl("/tokens/f", bob))).isEqualTo(403);
      assertThat(put(storage.curl("/written/new").token(plain), folder)).isEqualTo(201);
      assertThat(status(storage.curl("/written/new").token(plain))).isEqualTo(403);

      assertThat(status(storage.curl("/scopes/f").token(plain))).isEqualTo(403);
      assertThat(status(storage.curl("/scopes/f").token(scoped))).isEqualTo(403);
      String fitting = token().scope("storage.read:/f").sign();
      assertThat(status(storage.curl("/scopes/f").token(fitting))).isEqualTo(200);
      assertThat(put(storage.curl("/scopes/new").token(fitting), folder)).isEqualTo(403);
    }
  }

  @Test
  void firstPolicyThatConcernsARequestDecidesForEveryKindOfPrincipal() throws IOException {
    Path root = area("fine", "fineGrainedAuthzEnabled=true");
    for (String path : new String[] {"public/f", "public/secret/f", "group/f", "exact"}) {
      Files.createDirectories(root.resolve(path).getParent());
      Files.writeString(root.resolve(path), path);
    }
    String issuer = ImportedStorage.ISSUER.issuer();
    application(
        """
        {sa: fine, effect: deny, actions: [all], paths: [/public/secret/**], description: a,
         principals: [{type: anyone}]},
        {sa: fine, effect: permit, actions: [list, read], paths: [/public/**], description: b,
         principals: [{type: anyone}]},
        {sa: fine, effect: permit, actions: [list, read, write], paths: [/group/**], description: c,
         principals: [{type: jwt-group, params: {iss: "%1$s", group: /vo/writers}},
                      {type: fqan, params: {fqan: /atlas/Role=production}},
                      {type: jwt-subject, params: {iss: "%1$s", sub: grace}}]},
        {sa: fine, effect: permit, actions: [delete], paths: [/group/**], description: d,
         principals: [{type: x509-subject, params: {subject: "CN=Ada,O=Example,C=DE"}}]},
        {sa: fine, effect: permit, actions: [all], paths: [/exact], description: e,
         principals: [{type: anyone}]},
        {sa: fine, effect: permit, actions: [all], description: f,
         principals: [{type: jwt-scope, params: {iss: "%1$s", scope: storm}}]},
        {sa: other, effect: permit, actions: [all], description: g,
         principals: [{type: anyone}]}
        """
            .formatted(issuer));

    assertThat(imported())
        .startsWith("0\n")
        .contains("storm.authz.policies[4]: left out for the path /exact")
        .contains("storm.authz.policies[5].principals[0]: left out: nobody is called jwt-scope")
        .contains("storm.authz.policies[6]: left out: no storage area is called other")
        .contains("fine policies: the first rule that concerns a request decides");

    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    GridAuthority.Holder bob = grid.person("/C=DE/O=Example/CN=Bob");
    var producer =
        grid.attributed(bob, grid.person(VOMS), "atlas", "/atlas/Role=production", "/atlas");
    String writer = token().scope("openid").groups("/vo/writers").sign();
    String other = token().scope("openid").groups("/vo/writers/not").sign();
    try (ImportedStorage storage = start()) {
      assertThat(status(storage.curl("/fine/public/f"))).isEqualTo(200);
      assertThat(put(storage.curl("/fine/public/new").token(writer), folder)).isEqualTo(403);
      assertThat(status(storage.curl("/fine/public/secret/f").token(writer))).isEqualTo(403);
      assertThat(status(storage.curl("/fine/exact"))).isEqualTo(401);

      assertThat(put(storage.curl("/fine/group/one").token(writer), folder)).isEqualTo(201);
      assertThat(put(storage.curl("/fine/group/two").token(other), folder)).isEqualTo(403);
      assertThat(put(storage.curl("/fine/group/three", producer), folder)).isEqualTo(201);
      assertThat(put(storage.curl("/fine/group/four", bob), folder)).isEqualTo(403);
      String grace = ImportedStorage.token().subject("grace").scope("openid").sign();
      assertThat(status(storage.curl("/fine/group/f").token(grace))).isEqualTo(200);

      assertThat(status(storage.curl("/fine/group/one").token(writer).method("DELETE")))
          .isEqualTo(403);
      assertThat(status(storage.curl("/fine/group/f", ada))).isEqualTo(403);
      assertThat(status(storage.curl("/fine/group/one", ada).method("DELETE"))).isEqualTo(204);
    }
  }

  /** There it is the one path of the area itself. */
  @Test
  void policyForTheRootAlonePermitsNothingBelowIt() throws IOException {
    Path root = area("fine", "fineGrainedAuthzEnabled=true\nauthenticatedReadEnabled=true");
    Files.writeString(root.resolve("f"), "f");
    application(
        """
        {sa: fine, effect: permit, actions: [list, read], paths: [/], description: a,
         principals: [{type: anyone}]}
        """);

    assertThat(imported()).contains("storm.authz.policies[0]: left out for the path /");
    try (ImportedStorage storage = start()) {
      assertThat(status(storage.curl("/fine/f"))).isEqualTo(401);
    }
  }

  @Test
  void pathOfAPolicyNeedNotBeginWithASlash() throws IOException {
    Path root = area("fine", "fineGrainedAuthzEnabled=true\nauthenticatedReadEnabled=true");
    Files.writeString(Files.createDirectories(root.resolve("a")).resolve("f"), "f");
    Files.writeString(root.resolve("g"), "g");
    application(
        """
        {sa: fine, effect: permit, actions: [list, read], paths: [a/**], description: a,
         principals: [{type: anyone}]}
        """);

    assertThat(imported()).startsWith("0\n");
    try (ImportedStorage storage = start()) {
      assertThat(status(storage.curl("/fine/a/f"))).isEqualTo(200);
      assertThat(status(storage.curl("/fine/g"))).isEqualTo(401);
    }
  }

  @Test
  void denialThatCannotBeSaidIsWiderAndNeverLost() throws IOException {
    Path root = area("fine", "fineGrainedAuthzEnabled=true\nanonymousReadEnabled=true");
    for (String path : new String[] {"a/x.raw", "b/f", "c"}) {
      Files.createDirectories(root.resolve(path).getParent());
      Files.writeString(root.resolve(path), path);
    }
    application(
        """
        {sa: fine, effect: deny, actions: [read], paths: ["/a/*.raw"], description: a,
         principals: [{type: anyone}]},
        {sa: fine, effect: deny, actions: [read, list], paths: [/b/**], description: b,
         principals: [{type: anonymous}]}
        """);

    assertThat(imported())
        .contains("the path /a/*.raw is denied as /a with all below it")
        .contains("nobody is called anonymous here, so that it is denied to anyone");
    try (ImportedStorage storage = start()) {
      assertThat(status(storage.curl("/fine/c"))).isEqualTo(200);
      assertThat(status(storage.curl("/fine/a/x.raw"))).isEqualTo(401);
      assertThat(status(storage.curl("/fine/a/").method("PROPFIND").header("Depth", "1")))
          .isEqualTo(401);
      assertThat(status(storage.curl("/fine/b/f"))).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name=x                    | x.properties rootPath: it is missing",
        "name=a/b                  | x.properties name: a/b has characters that a name",
        "anonymousReadEnabled=yes  | x.properties anonymousReadEnabled: yes is neither true",
        "vos=\\u00zz               | x.properties: no properties: ",
      })
  void wrongAreaFileIsOneLineAndNothingIsWritten(String line, String says) throws IOException {
    boolean alone = line.startsWith("name=x");
    Files.writeString(
        areas.resolve("x.properties"),
        (alone ? "" : "name=ok\nrootPath=/tmp\naccessPoints=/x\n") + line);
    String printed = imported();
    assertThat(printed).startsWith("2\nimport: ").contains(says).hasLineCount(2);
    assertThat(folder.resolve("to")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "storm: [                                    | application.yml:2: no YAML: ",
        "storm: {tls: {certificate-path: '${HOME}'}} | ${HOME} has no value here",
        "storm: {authz: {policies: [{effect: allow}]}} | neither permit nor deny",
        "oauth: {issuers: [{name: x}]}               | the issuer's URL is missing",
        "- a                                         | no mapping of keys to values",
      })
  void wrongApplicationIsOneLine(String content, String says) throws IOException {
    area("x", "");
    Files.writeString(application, content + "\n");
    assertThat(imported()).startsWith("2\nimport: application.yml").contains(says).hasLineCount(2);
  }

  @Test
  void filesThatAreThereAlreadyAreKept() throws IOException {
    area("x", "anonymousReadEnabled=true\norgs=" + ImportedStorage.ISSUER.issuer());
    Files.writeString(Files.createDirectory(folder.resolve("to")).resolve("storage.yml"), "mine");
    assertThat(imported()).startsWith("2\n").contains("is there already").hasLineCount(2);
    assertThat(folder.resolve("to")).isDirectoryNotContaining("glob:**.policy.yml");
    assertThat(folder.resolve("to/storage.yml")).hasContent("mine");
  }

  @Test
  void usageIsToldWhereAnOptionIsWrong() {
    assertThat(ImportedStorage.run("dpm")).startsWith("2\nimport: from what?\nusage:");
    assertThat(ImportedStorage.run("storm", "--to")).contains("--to has no value\nusage:");
    assertThat(ImportedStorage.run("storm", "--host", "h", "--to", "x"))
        .contains("--areas is needed\nusage:");
    assertThat(
            ImportedStorage.run(
                "storm", "--host", "h", "--to", "x", "--areas", folder + "/nowhere"))
        .isEqualTo("2\nimport: " + folder + "/nowhere is not there\n");
  }

  @Test
  void permitsThatWereNotInForceAreLeftOutAndDenialsStay() throws IOException {
    area("fine", "fineGrainedAuthzEnabled=true");
    application(
        "{sa: fine, effect: permit, actions: [all], description: a, principals: [{type: anyone}]},"
            + "{sa: fine, effect: deny, actions: [all], description: b,"
            + " principals: [{type: anyone}]}");
    String enabled = Files.readString(application);
    Files.writeString(
        application,
        enabled.replace("enable-fine-grained-authz: true", "enable-fine-grained-authz: false"));

    assertThat(imported())
        .startsWith("0\n")
        .contains("policies[0]: left out: storm.authz.enable-fine-grained-authz is not true");
    assertThat(folder.resolve("to/fine.policy.yml"))
        .content()
        .contains("deny:")
        .doesNotContain("permit:");
  }
}
