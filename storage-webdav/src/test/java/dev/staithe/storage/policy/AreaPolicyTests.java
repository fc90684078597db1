package dev.staithe.storage.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.GridSubject;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.AreaAccess;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.GrantedCaller;
import dev.staithe.storage.authz.IssuerGrant;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What rules decide, and what is left to the area's grants. */
class AreaPolicyTests {
  private static final String ISSUER = "https://issuer.test";
  private static final Caller ANYONE = new Caller.Anonymous();
  private static final AreaAccess GRANTS = AreaAccess.of(IssuerGrant.wholeArea(ISSUER));

  @TempDir private Path folder;

  private AreaPolicy policy(String rules) throws IOException {
    Path file = folder.resolve("policy.yml");
    Files.writeString(file, "rules:\n" + rules.indent(2));
    return AreaPolicy.open(
        "data",
        GRANTS,
        file,
        Set.of(ISSUER, "https://other.test"),
        Duration.ZERO,
        Clock.systemUTC());
  }

  private static TokenCaller token(String scopes, String... groups) {
    return new TokenCaller(
        ISSUER,
        "ada",
        scopes.isEmpty() ? Scopes.NONE : Scopes.of(scopes),
        List.of(groups),
        List.of("here"),
        null,
        Instant.MAX);
  }

  private static CertificateCaller certificate(String... fqans) {
    return new CertificateCaller(
        GridSubject.parse("/C=DE/O=Example/CN=Ada"), false, List.of(fqans), List.of(fqans));
  }

  private static boolean may(
      AreaPolicy policy, Caller caller, String method, String path, Right right) {
    return may(policy, caller, "192.0.2.7", method, path, right);
  }

  private static boolean may(
      AreaPolicy policy, Caller caller, String from, String method, String path, Right right) {
    return policy.decide(
            new Asked(caller, InetAddress.ofLiteral(from), method), StoragePath.of(path), right)
        instanceof Admission.Allowed;
  }

  private static boolean reads(AreaPolicy policy, Caller caller, String path) {
    return may(policy, caller, "GET", path, Right.READ);
  }

  @Test
  void anyoneReadsThePartThatIsOpenByWholeSegmentsAndNothingElse() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - permit: read
              path: /public
              except: /public/embargo
              anyone: true
            """);

    assertThat(reads(policy, ANYONE, "/public/a/b")).isTrue();
    assertThat(reads(policy, ANYONE, "/public")).isTrue();
    assertThat(reads(policy, ANYONE, "/publications")).isFalse();
    assertThat(reads(policy, ANYONE, "/public/embargo")).isFalse();
    assertThat(reads(policy, ANYONE, "/public/embargo/a")).isFalse();
    assertThat(reads(policy, ANYONE, "/public/embargoed")).isTrue();
    assertThat(may(policy, ANYONE, "PUT", "/public/a", Right.CREATE)).isFalse();
    assertThat(reads(policy, token("storage.read:/x"), "/public/a")).isTrue();
  }

  @Test
  void firstRuleThatConcernsARequestDecidesWhereverItsPathIs() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - deny: all
              path: /a/b/c
              anyone: true
            - permit: read
              path: /a
              anyone: true
            - deny: all
              path: /a/b
              anyone: true
            """);

    assertThat(reads(policy, ANYONE, "/a/b/c/d")).isFalse();
    assertThat(reads(policy, ANYONE, "/a/b/d")).isTrue();
    assertThat(reads(policy, token("storage.read:/"), "/a/b/c")).isFalse();
    assertThat(reads(policy, token("storage.read:/"), "/z")).isTrue();
  }

  @Test
  void whatNoRuleConcernsIsDecidedAsWithoutAPolicy() throws IOException {
    AreaPolicy with = policy("- {permit: read, path: /elsewhere, anyone: true}");
    AreaPolicy without =
        AreaPolicy.open("data", GRANTS, null, Set.of(), Duration.ZERO, Clock.systemUTC());
    for (Caller caller : List.of(ANYONE, token("storage.read:/x storage.create:/y"), token(""))) {
      for (String path : List.of("/", "/x", "/x/a", "/xa", "/y/", "/y/b")) {
        for (Right right : Right.values()) {
          Asked asked = new Asked(caller, null, "GET");
          assertThat(with.decide(asked, StoragePath.of(path), right))
              .isEqualTo(without.decide(asked, StoragePath.of(path), right));
        }
      }
    }
  }

  @Test
  void groupOfAnIssuerIsNeitherThatOfAnotherNorOneAboveOrBelow() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - permit: modify
              path: /prod
              issuer: https://issuer.test
              group: /cms/production
            """);

    assertThat(may(policy, token("", "/cms/production"), "PUT", "/prod/a", Right.MODIFY)).isTrue();
    assertThat(may(policy, token("", "/cms"), "PUT", "/prod/a", Right.MODIFY)).isFalse();
    assertThat(may(policy, token("", "/cms/production/x"), "PUT", "/prod/a", Right.MODIFY))
        .isFalse();
    TokenCaller foreign =
        new TokenCaller(
            "https://other.test",
            "ada",
            Scopes.NONE,
            List.of("/cms/production"),
            List.of("here"),
            null,
            Instant.MAX);
    assertThat(may(policy, foreign, "PUT", "/prod/a", Right.MODIFY)).isFalse();
  }

  @Test
  void permitsWidenNoTokenWithCapabilitiesUnlessTheRuleSaysSo() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - {permit: read, path: /a, issuer: "https://issuer.test"}
            - {permit: read, path: /b, issuer: "https://issuer.test", widens: true}
            - {permit: read, path: /c, authenticated: true}
            """);
    TokenCaller narrow = token("storage.read:/elsewhere");

    assertThat(reads(policy, narrow, "/a/x")).isFalse();
    assertThat(reads(policy, narrow, "/b/x")).isTrue();
    assertThat(reads(policy, narrow, "/c/x")).isFalse();
    assertThat(reads(policy, token(""), "/a/x")).isTrue();
    assertThat(reads(policy, token(""), "/c/x")).isTrue();
    assertThat(reads(policy, certificate(), "/c/x")).isTrue();
    assertThat(reads(policy, ANYONE, "/c/x")).isFalse();
  }

  @Test
  void subjectAndGroupInOneRuleMustBothBeProved() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - permit: read
              path: /
              issuer: https://issuer.test
              subject: [ada, bob]
              group: [/x, /y]
            """);

    assertThat(reads(policy, token("", "/y"), "/f")).isTrue();
    assertThat(reads(policy, token("", "/z"), "/f")).isFalse();
  }

  @Test
  void groupThatIsAUrnIsDeniedHoweverItIsWrittenBesideASubjectToo() throws IOException {
    String canonical = "urn:geant:example.org:group:cms%2Fprod#login.example.org";
    String written = "URN:GEANT:example.org:group:cms%2fprod#login.example.org";
    for (String subject : List.of("", "subject: ada, ")) {
      AreaPolicy policy =
          policy(
              """
              - {deny: all, path: /, issuer: "https://issuer.test", %sgroup: "%s"}
              - {permit: read, path: /, authenticated: true}
              """
                  .formatted(subject, written));

      assertThat(reads(policy, token("", canonical), "/f")).isFalse();
      assertThat(reads(policy, token("", "/cms"), "/f")).isTrue();
    }
  }

  @Test
  void certificatesAndVomsAttributesAreComparedWhole() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - {permit: modify, path: /voms, voms: /atlas/Role=production/Capability=NULL}
            - {permit: modify, path: /ada, certificate: "CN=Ada,O=Example,C=DE"}
            """);

    assertThat(may(policy, certificate("/atlas/Role=production"), "PUT", "/voms/f", Right.CREATE))
        .isTrue();
    assertThat(may(policy, certificate("/atlas"), "PUT", "/voms/f", Right.CREATE)).isFalse();
    assertThat(may(policy, certificate(), "PUT", "/ada/f", Right.MODIFY)).isTrue();
    assertThat(may(policy, token(""), "PUT", "/ada/f", Right.MODIFY)).isFalse();
  }

  @Test
  void networksAreThoseOfTheClientAndMappedAddressesNoWayRound() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - {deny: all, path: /, anyone: true, network: [192.0.2.0/24, "2001:db8::/32"]}
            - {permit: read, path: /, anyone: true}
            """);

    assertThat(may(policy, ANYONE, "192.0.2.1", "GET", "/f", Right.READ)).isFalse();
    assertThat(may(policy, ANYONE, "::ffff:192.0.2.1", "GET", "/f", Right.READ)).isFalse();
    assertThat(may(policy, ANYONE, "2001:db8:ffff::1", "GET", "/f", Right.READ)).isFalse();
    assertThat(may(policy, ANYONE, "192.0.3.1", "GET", "/f", Right.READ)).isTrue();
    assertThat(may(policy, ANYONE, "2001:db9::1", "GET", "/f", Right.READ)).isTrue();
    assertThat(policy.decide(new Asked(ANYONE, null, "GET"), StoragePath.of("/f"), Right.READ))
        .isInstanceOf(Admission.Allowed.class);
  }

  @Test
  void whatIsStoredStaysWhereModifyIsDenied() throws IOException {
    AreaPolicy policy = policy("- {deny: modify, path: /once, anyone: true}");
    TokenCaller writer = token("storage.read:/ storage.modify:/");

    assertThat(may(policy, writer, "PUT", "/once/f", Right.CREATE)).isTrue();
    assertThat(may(policy, writer, "PUT", "/once/f", Right.MODIFY)).isFalse();
    assertThat(may(policy, writer, "MOVE", "/once/f", Right.RENAME)).isFalse();
    assertThat(may(policy, writer, "DELETE", "/once/f", Right.DELETE)).isFalse();
    assertThat(may(policy, writer, "GET", "/once/f", Right.READ)).isTrue();
  }

  @Test
  void aMethodOfARuleIsThatOneOnly() throws IOException {
    AreaPolicy policy = policy("- {deny: all, path: /, anyone: true, method: DELETE}");
    TokenCaller writer = token("storage.modify:/");

    assertThat(may(policy, writer, "DELETE", "/f", Right.DELETE)).isFalse();
    assertThat(may(policy, writer, "PUT", "/f", Right.MODIFY)).isTrue();
  }

  @Test
  void treeThatHoldsWhatIsDeniedIsNeitherDeletedNorMovedNorCopied() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - {deny: all, path: /a/b/private, anyone: true}
            - {permit: read, path: /p, except: /p/q/embargo, anyone: true}
            """);
    TokenCaller writer = token("storage.read:/a storage.modify:/a");

    assertThat(may(policy, writer, "DELETE", "/a/", Right.DELETE)).isFalse();
    assertThat(may(policy, writer, "MOVE", "/a/b", Right.RENAME)).isFalse();
    assertThat(may(policy, writer, "COPY", "/a", Right.READ)).isFalse();
    assertThat(may(policy, writer, "DELETE", "/a/c", Right.DELETE)).isTrue();
    assertThat(may(policy, writer, "PROPPATCH", "/a", Right.MODIFY)).isTrue();
    assertThat(may(policy, writer, "COPY", "/p", Right.READ)).isFalse();
    assertThat(may(policy, writer, "COPY", "/p/r", Right.READ)).isTrue();
  }

  @Test
  void wrongFileLeavesTheOneBeforeInForceAndSaysWhichLine() throws IOException {
    Path file = folder.resolve("policy.yml");
    AreaPolicy policy = policy("- {permit: read, path: /a, anyone: true}");
    Files.writeString(
        file,
        """
        rules:
          - {permit: read, path: /b, anyone: true}
          - {permit: read, path: /c, anyone: true, network: 10.0.0.1/8}
        """);

    assertThat(policy.reloadIfChanged()).isFalse();
    assertThat(policy.lastError()).startsWith("line 3: rule 2: ").doesNotContain(file.toString());
    assertThat(reads(policy, ANYONE, "/a")).isTrue();
    assertThat(reads(policy, ANYONE, "/b")).isFalse();

    Files.writeString(file, "rules:\n  - {permit: read, path: /b, anyone: true}\n");
    assertThat(policy.reloadIfChanged()).isTrue();
    assertThat(policy.lastError()).isNull();
    assertThat(reads(policy, ANYONE, "/a")).isFalse();
    assertThat(reads(policy, ANYONE, "/b")).isTrue();

    Files.delete(file);
    assertThat(policy.reloadIfChanged()).isFalse();
    assertThat(policy.lastError()).isEqualTo("it is no file");
    assertThat(reads(policy, ANYONE, "/b")).isTrue();
  }

  @Test
  void bearerOfATokenOfOursIsJudgedAsItsGiverWithinItsLimits() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - {permit: read, path: /a, issuer: "https://issuer.test"}
            - {deny: all, path: /d, anyone: true}
            """);
    GrantedCaller bearer =
        new GrantedCaller(
            token(""),
            List.of(
                new GrantedCaller.Limit(
                    List.of(
                        new GrantedCaller.Reach(
                            "data", StoragePath.of("/a/in"), Set.of(Right.READ)),
                        new GrantedCaller.Reach(
                            "data", StoragePath.of("/d"), Set.of(Right.READ))))),
            Instant.MAX);

    assertThat(reads(policy, bearer, "/a/in/f")).isTrue();
    assertThat(reads(policy, bearer, "/a/out/f")).isFalse();
    assertThat(reads(policy, bearer, "/d/f")).isFalse();
  }

  @Test
  void explanationNamesTheRuleThatDecidedAndThoseThatWouldAllow() throws IOException {
    AreaPolicy policy =
        policy(
            """
            - {deny: all, path: /a, anyone: true, network: 192.0.2.0/24}
            - {permit: read, path: /a, issuer: "https://issuer.test", group: /x}
            """);
    List<String> lines =
        policy.explain(
            new Asked(token(""), InetAddress.ofLiteral("192.0.2.1"), "GET"),
            StoragePath.of("/a/f"),
            Right.READ);

    assertThat(lines).contains("READ: refused");
    assertThat(lines).anyMatch(line -> line.contains("rule 1 (line 2) denies"));
    assertThat(lines)
        .anyMatch(line -> line.contains("would allow: rule 2 (line 3) permits [group /x of"));
  }
}
