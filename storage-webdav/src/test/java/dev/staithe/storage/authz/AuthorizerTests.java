package dev.staithe.storage.authz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.files.StoragePath;
import dev.staithe.testkit.Trials;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorizerTests {
  private static final String ISSUER = "https://issuer.example/";
  private static final AreaAccess WHOLE = AreaAccess.of(IssuerGrant.wholeArea(ISSUER));
  private static final Caller ANYONE = new Caller.Anonymous();

  private static TokenCaller holder(String scopes, String... groups) {
    return holderFrom(ISSUER, scopes, groups);
  }

  private static TokenCaller holderFrom(String issuer, String scopes, String... groups) {
    return new TokenCaller(
        issuer,
        "alice",
        scopes.isEmpty() ? Scopes.NONE : Scopes.of(scopes),
        List.of(groups),
        List.of("https://se.example"),
        null,
        Instant.MAX);
  }

  private static Set<Right> rights(Caller caller, AreaAccess access, String path) {
    return Arrays.stream(Right.values())
        .filter(
            right ->
                Authorizer.decide(caller, access, StoragePath.of(path), right)
                    instanceof Admission.Allowed)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Right.class)));
  }

  private static String denial(Caller caller, AreaAccess access, String path, Right right) {
    return switch (Authorizer.decide(caller, access, StoragePath.of(path), right)) {
      case Admission.Refused denied -> denied.reason();
      case Admission.Allowed allowed -> throw new AssertionError("allowed");
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "storage.read:/foo   | /foo         | STAT LIST READ POLL",
        "storage.read:/foo   | /foo/bar     | STAT LIST READ POLL",
        "storage.read:/foo   | /foobar      | ''",
        "storage.read:/foo   | /            | ''",
        "storage.read:/foo   | /FOO         | ''",
        "storage.read:/      | /any/thing   | STAT LIST READ POLL",
        "storage.modify:/foo | /foo/bar     | STAT CREATE MAKE_COLLECTION RENAME MODIFY DELETE POLL",
        "storage.modify:/foo | /foobar      | ''",
        "storage.create:/foo | /foo/bar     | STAT CREATE MAKE_COLLECTION RENAME POLL",
        "storage.stage:/foo  | /foo/bar     | STAT STAGE POLL",
        "storage.stage:/foo  | /foobar      | ''",
        "storage.stage:/foo/ | /foo/bar     | STAT STAGE POLL",
        "storage.stage:/foo  | /            | ''",
        "storage.poll:/foo   | /foo         | POLL",
        "storage.poll:/foo   | /foo/bar     | POLL",
        "storage.poll:/      | /foo/bar     | POLL",
        "storage.create:/foo/bar | /foo/bar/qux | STAT CREATE MAKE_COLLECTION RENAME POLL",
        "storage.create:/foo/bar | /foo/bargain | ''",
        "storage.create:/foo/bar | /foo         | STAT MAKE_COLLECTION",
        "storage.create:/foo/bar | /foo/        | STAT MAKE_COLLECTION",
        "storage.create:/foo/bar | /fo/         | ''",
        "storage.modify:/foo/bar | /foo/        | STAT MAKE_COLLECTION",
        "storage.read:/foo/bar   | /foo/        | ''",
        "storage.stage:/foo/bar  | /foo/        | ''",
        "storage.read:/foo/bar/   | /foo/bar    | STAT LIST POLL",
        "storage.read:/foo/bar/   | /foo/bar/   | STAT LIST READ POLL",
        "storage.read:/foo/bar/   | /foo/bar/a  | STAT LIST READ POLL",
        "storage.create:/foo/bar/ | /foo/bar    | STAT MAKE_COLLECTION POLL",
        "storage.create:/foo/bar/ | /foo/bar/   | STAT CREATE MAKE_COLLECTION RENAME POLL",
        "storage.modify:/foo/bar/ | /foo/bar    | STAT MAKE_COLLECTION POLL",
        "storage.modify:/foo/bar/ | /foo/bar/x  | STAT CREATE MAKE_COLLECTION RENAME MODIFY DELETE POLL",
      })
  void aScopeGrantsWhatTheProfileSaysAndNothingElse(String scope, String path, String granted) {
    assertThat(rights(holder(scope), WHOLE, path))
        .isEqualTo(
            Arrays.stream(granted.split(" "))
                .filter(each -> !each.isEmpty())
                .map(Right::valueOf)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Right.class))));
  }

  @Test
  void severalScopesAreJoined() {
    TokenCaller caller = holder("storage.read:/a storage.modify:/b storage.read:/b/c");

    assertThat(rights(caller, WHOLE, "/a/x"))
        .containsExactly(Right.STAT, Right.LIST, Right.READ, Right.POLL);
    assertThat(rights(caller, WHOLE, "/b/c/x"))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(Right.STAGE)));
    assertThat(rights(caller, WHOLE, "/b/x")).doesNotContain(Right.READ, Right.LIST);
  }

  @Test
  void theWayToAScopesPathCanBeMadeButNeitherFilledNorMovedAway() {
    for (String scope : List.of("storage.create:/foo/bar", "storage.modify:/foo/bar")) {
      assertThat(rights(holder(scope), WHOLE, "/foo/"))
          .doesNotContain(Right.CREATE, Right.RENAME, Right.MODIFY, Right.LIST, Right.READ);
    }
  }

  @Test
  void listingWithModifyIsASwitchOfTheArea() {
    AreaAccess listing =
        new AreaAccess(
            List.of(IssuerGrant.wholeArea(ISSUER)),
            List.of(),
            List.of(),
            false,
            false,
            false,
            true);

    for (String scope : List.of("storage.create:/foo", "storage.modify:/foo")) {
      assertThat(rights(holder(scope), WHOLE, "/foo/bar")).doesNotContain(Right.LIST);
      assertThat(rights(holder(scope), listing, "/foo/bar"))
          .contains(Right.LIST)
          .doesNotContain(Right.READ);
      assertThat(rights(holder(scope), listing, "/")).doesNotContain(Right.LIST);
    }
    assertThat(rights(holder("storage.stage:/foo"), listing, "/foo"))
        .containsExactly(Right.STAT, Right.STAGE, Right.POLL);
  }

  @Test
  void scopePathsBeginAtTheIssuersPrefixes() {
    AreaAccess access =
        AreaAccess.of(
            new IssuerGrant(
                ISSUER,
                List.of(StoragePath.of("/vo/one"), StoragePath.of("/vo/two")),
                IssuerGrant.Strategy.CAPABILITIES,
                List.of(),
                List.of()));
    TokenCaller reader = holder("storage.read:/");

    assertThat(rights(reader, access, "/vo/one/x")).contains(Right.READ);
    assertThat(rights(reader, access, "/vo/two/x")).contains(Right.READ);
    assertThat(rights(reader, access, "/vo/one"))
        .containsExactly(Right.STAT, Right.LIST, Right.POLL);
    assertThat(rights(reader, access, "/vo/onerous/x")).isEmpty();
    assertThat(rights(reader, access, "/vo")).isEmpty();
    assertThat(rights(reader, access, "/")).isEmpty();
    assertThat(rights(holder("storage.create:/a/b"), access, "/vo/one/a/"))
        .containsExactly(Right.STAT, Right.MAKE_COLLECTION);
    assertThat(rights(holder("storage.create:/a/b"), access, "/vo/")).isEmpty();
  }

  @Test
  void aTokenOfOneIssuerReachesNothingBelowThePrefixOfAnother() {
    String other = "https://other.example/";
    AreaAccess access =
        AreaAccess.of(
            new IssuerGrant(
                ISSUER,
                List.of(StoragePath.of("/a")),
                IssuerGrant.Strategy.CAPABILITIES,
                List.of(),
                List.of()),
            new IssuerGrant(
                other,
                List.of(StoragePath.of("/b")),
                IssuerGrant.Strategy.CAPABILITIES,
                List.of(),
                List.of()));

    for (String scope : List.of("storage.modify:/", "storage.modify:/b", "storage.modify:/a")) {
      assertThat(rights(holder(scope), access, "/b/file")).isEmpty();
      assertThat(rights(holderFrom(other, scope), access, "/a/file")).isEmpty();
      Trials.held();
    }
    assertThat(rights(holderFrom(other, "storage.modify:/"), access, "/b/f"))
        .contains(Right.MODIFY);
    // Issuers are compared exactly: without its slash it is another one.
    assertThat(rights(holderFrom("https://other.example", "storage.modify:/"), access, "/b/f"))
        .isEmpty();
  }

  private static AreaAccess grouped(IssuerGrant.Strategy strategy) {
    return AreaAccess.of(
        new IssuerGrant(
            ISSUER,
            List.of(StoragePath.of("/vo")),
            strategy,
            List.of(
                new GroupRule("/cms", Scopes.of("storage.read:/")),
                new GroupRule("/cms/uscms", Scopes.of("storage.modify:/us"))),
            List.of()));
  }

  @Test
  void groupsGrantByExactNameWithoutInheritance() {
    AreaAccess access = grouped(IssuerGrant.Strategy.GROUPS);

    assertThat(rights(holder("", "/cms"), access, "/vo/us/x"))
        .containsExactly(Right.STAT, Right.LIST, Right.READ, Right.POLL);
    assertThat(rights(holder("", "/cms/uscms"), access, "/vo/us/x"))
        .contains(Right.MODIFY)
        .doesNotContain(Right.READ);
    assertThat(rights(holder("", "/cms/uscms"), access, "/vo/x")).isEmpty();
    assertThat(rights(holder("", "/cms", "/cms/uscms"), access, "/vo/us/x"))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(Right.STAGE)));
    for (String stranger : List.of("cms", "/cms/", "/CMS", "/cms/itcms", "/cms/uscms/sub", "")) {
      assertThat(rights(holder("", stranger), access, "/vo/us/x")).isEmpty();
    }
    assertThat(rights(holder("", "/cms"), access, "/us/x")).isEmpty();
  }

  @Test
  void groupsDoNotCountWhereTheTokenHasACapability() {
    TokenCaller stager = holder("storage.stage:/", "/cms/uscms", "/cms");

    assertThat(rights(stager, grouped(IssuerGrant.Strategy.BOTH), "/vo/us/x"))
        .containsExactly(Right.STAT, Right.STAGE, Right.POLL);
    assertThat(rights(stager, grouped(IssuerGrant.Strategy.GROUPS), "/vo/us/x")).isEmpty();
    assertThat(denial(stager, grouped(IssuerGrant.Strategy.BOTH), "/vo/us/x", Right.MODIFY))
        .contains("its groups do not count because it has capability scopes");
    TokenCaller computing =
        new TokenCaller(
            ISSUER,
            "alice",
            new Scopes(List.of(), true, false),
            List.of("/cms"),
            List.of("any"),
            null,
            Instant.MAX);
    assertThat(rights(computing, grouped(IssuerGrant.Strategy.BOTH), "/vo/x")).isEmpty();
  }

  private static TokenCaller host(String subject, Scopes scopes, String... groups) {
    return new TokenCaller(
        ISSUER, subject, scopes, List.of(groups), List.of("any"), null, Instant.MAX);
  }

  @Test
  void aHostMayWhatIsGrantedToItsNameAndNothingBesides() {
    AreaAccess access =
        AreaAccess.of(
            new IssuerGrant(
                ISSUER,
                List.of(StoragePath.of("/vo")),
                IssuerGrant.Strategy.CAPABILITIES,
                List.of(),
                List.of(new HostRule("fts.example.org", Scopes.of("storage.read:/out")))));
    Scopes asHost = new Scopes(List.of(), false, true);

    assertThat(rights(host("host:fts.example.org", asHost), access, "/vo/out/x"))
        .containsExactly(Right.STAT, Right.LIST, Right.READ, Right.POLL);
    assertThat(rights(host("host:fts.example.org", asHost), access, "/vo/x")).isEmpty();
    assertThat(rights(host("host:fts.example.org", asHost), access, "/out/x")).isEmpty();
    assertThat(rights(host("host:fts.example.org", Scopes.NONE), access, "/vo/out/x"))
        .as("without host.auth")
        .isEmpty();
    assertThat(
            rights(
                host("host:fts.example.org", new Scopes(List.of(), true, true)),
                access,
                "/vo/out/x"))
        .as("with a capability, which counts alone")
        .isEmpty();
    for (String stranger :
        List.of(
            "fts.example.org",
            "host:FTS.example.org",
            "host:fts.example.org.evil.example",
            "host:a.fts.example.org",
            "Host:fts.example.org",
            "host:")) {
      assertThat(rights(host(stranger, asHost), access, "/vo/out/x")).as(stranger).isEmpty();
      Trials.held();
    }
    assertThat(denial(host("host:other", asHost), access, "/vo/x", Right.READ))
        .isEqualTo(
            "needs storage.read for /vo/x; what is granted to host:other as a host does not"
                + " include it");
  }

  @Test
  void aHostOfAnotherIssuerHasNoRights() {
    AreaAccess access =
        AreaAccess.of(
            new IssuerGrant(
                "https://other.example/",
                List.of(StoragePath.root()),
                IssuerGrant.Strategy.CAPABILITIES,
                List.of(),
                List.of(new HostRule("fts", Scopes.of("storage.read:/")))));

    assertThat(rights(host("host:fts", new Scopes(List.of(), false, true)), access, "/x"))
        .isEmpty();
  }

  @Test
  void groupsDoNotCountWhereOnlyCapabilitiesDo() {
    assertThat(rights(holder("", "/cms"), WHOLE, "/x")).isEmpty();
  }

  @Test
  void anonymousCallersAreAskedForAToken() {
    assertThat(Authorizer.decide(ANYONE, WHOLE, StoragePath.of("/x"), Right.READ))
        .isEqualTo(new Admission.Refused(true, "needs a token with storage.read for /x"));
  }

  @Test
  void anonymousReadAndWriteAreTwoSwitches() {
    AreaAccess read = new AreaAccess(List.of(), List.of(), List.of(), true, false, false, false);
    AreaAccess write = new AreaAccess(List.of(), List.of(), List.of(), false, true, false, false);

    assertThat(rights(ANYONE, read, "/x"))
        .containsExactly(Right.STAT, Right.LIST, Right.READ, Right.POLL);
    assertThat(rights(ANYONE, write, "/x"))
        .containsExactly(
            Right.STAT,
            Right.CREATE,
            Right.MAKE_COLLECTION,
            Right.RENAME,
            Right.MODIFY,
            Right.DELETE,
            Right.STAGE);
    assertThat(rights(holder("storage.poll:/"), read, "/x")).contains(Right.READ);
  }

  @Test
  void authenticatedReadIsForEveryVerifiedTokenAndForReadingOnly() {
    AreaAccess access = new AreaAccess(List.of(), List.of(), List.of(), false, false, true, false);

    assertThat(rights(holder(""), access, "/x"))
        .containsExactly(Right.STAT, Right.LIST, Right.READ, Right.POLL);
    assertThat(rights(ANYONE, access, "/x")).isEmpty();
  }

  @Test
  void aDenialSaysWhatWasNeededAndWhatTheTokenGrants() {
    assertThat(denial(holder("storage.read:/y"), WHOLE, "/x", Right.MODIFY))
        .isEqualTo("needs storage.modify for /x; the token grants storage.read:/y");
    assertThat(denial(holder(""), WHOLE, "/x", Right.READ))
        .isEqualTo("needs storage.read for /x; the token has no storage scope");
    assertThat(
            denial(holder("storage.read:/y"), grouped(IssuerGrant.Strategy.BOTH), "/x", Right.READ))
        .isEqualTo("needs storage.read for /x; the token grants storage.read:/y below /vo");
    assertThat(denial(holder("", "/atlas"), grouped(IssuerGrant.Strategy.BOTH), "/x", Right.READ))
        .isEqualTo("needs storage.read for /x; the token's groups /atlas do not grant it");
    assertThat(denial(holderFrom("https://x.example", ""), WHOLE, "/x", Right.READ))
        .isEqualTo("the token's issuer https://x.example has no rights here");
  }

  @Test
  void aDenialIsOneLineOfSafeCharactersWhateverTheTokenSays() {
    AreaAccess access = grouped(IssuerGrant.Strategy.BOTH);
    String hostile = "g\r\nX: \"y\\\u202e" + "z".repeat(5000);

    assertThat(denial(holder("", hostile), access, "/e\u0301\u202e", Right.READ))
        .matches("[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]{1,1000}");
  }
}
