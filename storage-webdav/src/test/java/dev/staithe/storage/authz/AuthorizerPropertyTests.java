package dev.staithe.storage.authz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.files.StoragePath;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AuthorizerPropertyTests {
  private static final String ISSUER = "https://issuer.example";

  private static TokenCaller holder(String claim) {
    return switch (Scopes.parse(claim, Scopes.Dialect.WLCG)) {
      case Scopes.Parsed.Valid(Scopes scopes) ->
          new TokenCaller(ISSUER, "a", scopes, List.of(), List.of("x"), null, Instant.MAX);
      case Scopes.Parsed.Invalid(String reason) -> throw new AssertionError(reason);
    };
  }

  private static AreaAccess below(StoragePath prefix, boolean listWithModify) {
    return new AreaAccess(
        List.of(
            new IssuerGrant(
                ISSUER, List.of(prefix), IssuerGrant.Strategy.CAPABILITIES, List.of(), List.of())),
        List.of(),
        List.of(),
        false,
        false,
        false,
        listWithModify);
  }

  private static boolean may(TokenCaller caller, AreaAccess access, StoragePath path, Right right) {
    return Authorizer.decide(caller, access, path, right) instanceof Admission.Allowed;
  }

  @Property(tries = 3000)
  void nothingOutsideTheScopeIsGrantedButTheWayToIt(
      @ForAll("paths") StoragePath prefix,
      @ForAll Capability capability,
      @ForAll("paths") StoragePath scope,
      @ForAll("paths") StoragePath asked,
      @ForAll Right right,
      @ForAll boolean listWithModify) {
    StoragePath top = scope.under(prefix);
    boolean below =
        asked.segments().size() >= top.segments().size()
            && asked.segments().subList(0, top.segments().size()).equals(top.segments());
    Assume.that(!below);
    boolean wayToIt =
        top.segments().size() > asked.segments().size()
            && asked.segments().size() >= prefix.segments().size()
            && top.segments().subList(0, asked.segments().size()).equals(asked.segments());

    boolean granted =
        may(
            holder(capability.scopeName() + ":" + scope.href()),
            below(prefix, listWithModify),
            asked,
            right);

    boolean makes = capability == Capability.CREATE || capability == Capability.MODIFY;
    assertThat(granted)
        .isEqualTo(makes && wayToIt && (right == Right.STAT || right == Right.MAKE_COLLECTION));
  }

  @Property(tries = 2000)
  void aNameThatOnlyBeginsLikeTheScopeIsNeverGranted(
      @ForAll("paths") StoragePath scope,
      @ForAll("name") String suffix,
      @ForAll Capability capability,
      @ForAll Right right) {
    Assume.that(!scope.isRoot());
    StoragePath sibling = scope.parent().child(scope.name() + suffix);
    TokenCaller caller = holder(capability.scopeName() + ":" + scope.href());
    AreaAccess access = below(StoragePath.root(), true);

    assertThat(may(caller, access, sibling, right)).isFalse();
    assertThat(may(caller, access, sibling.child("x"), right)).isFalse();
    assertThat(may(caller, access, sibling.asCollection(true), right)).isFalse();
  }

  @Property
  void howTheScopeIsPercentEncodedDoesNotMatter(
      @ForAll("paths") StoragePath scope, @ForAll("paths") StoragePath asked, @ForAll Right right) {
    StringBuilder encoded = new StringBuilder();
    for (String segment : scope.segments()) {
      encoded.append('/');
      for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
        encoded.append("%%%02X".formatted(b & 0xff));
      }
    }
    String written = encoded + (scope.collectionForm() ? "/" : "");
    AreaAccess access = below(StoragePath.root(), false);

    assertThat(may(holder("storage.modify:" + written), access, asked, right))
        .isEqualTo(may(holder("storage.modify:" + scope.href()), access, asked, right));
  }

  @Property
  void modifyGrantsAllThatCreateGrants(
      @ForAll("paths") StoragePath scope,
      @ForAll("paths") StoragePath asked,
      @ForAll Right right,
      @ForAll boolean listWithModify) {
    AreaAccess access = below(StoragePath.root(), listWithModify);

    if (may(holder("storage.create:" + scope.href()), access, asked, right)) {
      assertThat(may(holder("storage.modify:" + scope.href()), access, asked, right)).isTrue();
    }
  }

  @Property
  void aTrailingSlashNeverGrantsMoreAndNothingOnAFileOfThatName(
      @ForAll("paths") StoragePath scope,
      @ForAll("paths") StoragePath asked,
      @ForAll Capability capability,
      @ForAll Right right) {
    Assume.that(!scope.isRoot());
    String name = capability.scopeName() + ":";
    TokenCaller with = holder(name + scope.asCollection(true).href());
    TokenCaller without = holder(name + scope.asCollection(false).href());
    AreaAccess access = below(StoragePath.root(), true);

    if (may(with, access, asked, right)) {
      assertThat(may(without, access, asked, right)).isTrue();
    }
    assertThat(
            Set.of(Right.READ, Right.CREATE, Right.RENAME, Right.MODIFY).stream()
                .anyMatch(each -> may(with, access, scope.asCollection(false), each)))
        .isFalse();
  }

  @Provide
  static Arbitrary<String> name() {
    // Few letters, so that paths meet; separators' encodings among them, which must stay names.
    return Arbitraries.of("a", "b", "aa", "ab", "a.b", "a%2Fb", "%2e%2e", "\u00e9", "e\u0301", " ");
  }

  @Provide
  static Arbitrary<StoragePath> paths() {
    return name()
        .list()
        .ofMaxSize(4)
        .flatMap(
            names ->
                Arbitraries.of(true, false)
                    .map(
                        collection -> {
                          StoragePath path = StoragePath.root();
                          for (String each : names) {
                            path = path.child(each);
                          }
                          return path.asCollection(collection);
                        }));
  }
}
