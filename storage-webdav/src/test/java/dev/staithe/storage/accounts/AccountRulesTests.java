package dev.staithe.storage.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.GridSubject;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.authz.GrantedCaller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.policy.Principal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who has which account. */
final class AccountRulesTests {
  private static final String ISSUER = "https://issuer.test";

  @TempDir Path folder;

  private AccountRules rules(String rules, String grid) throws IOException {
    return AccountRules.read(
        Files.writeString(folder.resolve("rules"), rules),
        Files.writeString(folder.resolve("grid-mapfile"), grid),
        Set.of(ISSUER, "https://other.test"));
  }

  private static Optional<String> of(AccountRules rules, Caller caller) {
    return rules.account(Principal.of(caller));
  }

  private static TokenCaller token(String issuer, String subject, String... groups) {
    return new TokenCaller(
        issuer,
        subject,
        Scopes.of("storage.read:/"),
        List.of(groups),
        List.of(),
        null,
        Instant.MAX);
  }

  private static CertificateCaller certificate(String name, String... groups) {
    return new CertificateCaller(GridSubject.parse(name), false, List.of(groups), List.of(groups));
  }

  @Test
  void firstLineThatNamesWhatIsProvedCounts() throws IOException {
    AccountRules rules =
        rules(
            """
            # accounts of the site
            ada      subject      https://issuer.test  ada
            prod     group        https://issuer.test  /cms/production
            cms      group        https://issuer.test  /cms
            atlas    voms         /atlas/Role=production
            grace    certificate  /C=DE/O=Example/CN=Grace Hopper
            anybody  issuer       https://other.test
            """,
            """
            # usual form
            "/C=DE/O=Example/CN=Grace Hopper" another
            "/C=DE/O=Example/CN=Ada Lovelace" lovelace,second
            /C=DE/CN=Short short
            """);
    assertThat(rules.size()).isEqualTo(8);
    assertThat(of(rules, token(ISSUER, "ada", "/cms/production"))).contains("ada");
    assertThat(of(rules, token(ISSUER, "eve", "/cms", "/cms/production"))).contains("prod");
    assertThat(of(rules, token(ISSUER, "eve", "/cms"))).contains("cms");
    assertThat(of(rules, token(ISSUER, "eve", "/cms/other", "/cmsx"))).isEmpty();
    assertThat(of(rules, token("https://other.test", "ada"))).as("another's").contains("anybody");
    assertThat(of(rules, certificate("/C=DE/CN=X", "/atlas/Role=production"))).contains("atlas");
    assertThat(of(rules, certificate("/C=DE/CN=X", "/atlas"))).isEmpty();
    assertThat(of(rules, certificate("/C=DE/O=Example/CN=Grace Hopper"))).contains("grace");
    assertThat(of(rules, certificate("CN=Ada Lovelace,O=Example,C=DE"))).contains("lovelace");
    assertThat(of(rules, certificate("/C=DE/CN=Short"))).contains("short");
    assertThat(of(rules, certificate("/C=DE/O=Example/CN=Ada Lovelace/CN=more"))).isEmpty();
  }

  @Test
  void bytesBeyondAsciiInAGridMapfileAreWrittenAsGlobusWritesThem() throws IOException {
    AccountRules rules = rules("", "\"/C=SI/O=Example/CN=\\xC4\\x8Crt Novak\" novak\n");

    assertThat(of(rules, certificate("CN=\u010crt Novak,O=Example,C=SI"))).contains("novak");
  }

  @Test
  void bearerOfAGivenTokenIsItsGiverAndNobodyElseHasAnAccount() throws IOException {
    AccountRules rules = rules("ada subject https://issuer.test ada\n", "");
    assertThat(of(rules, new GrantedCaller(token(ISSUER, "ada"), List.of(), Instant.MAX)))
        .contains("ada");
    assertThat(of(rules, new Caller.Anonymous())).isEmpty();
    assertThat(
            of(
                rules,
                new TicketCaller(
                    "ada@https://issuer.test",
                    "https://issuer.test",
                    StoragePath.root(),
                    Set.of(Right.READ),
                    ContractNeed.NONE)))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ada subject https://issuer.test       | rules, line 2: subjects and groups are names of",
        "ada subject https://stranger.test ada | rules, line 2: the issuer is not in",
        "ada someone else                      | rules, line 2: people are named by",
        "ada                                   | rules, line 2: a rule is an account",
        "-ada issuer https://issuer.test       | rules, line 2: no name of a local account",
        ".pool issuer https://issuer.test      | rules, line 2: no name of a local account",
        "0 issuer https://issuer.test          | rules, line 2: no name of a local account",
        "ada voms atlas                        | rules, line 2: no name of a VOMS group",
        "ada certificate nobody                | rules, line 2: ",
      })
  void lineThatIsWrongRefusesTheWholeFileByItsNumber(String line, String told) {
    assertThatThrownBy(() -> rules("ok issuer https://issuer.test\n" + line + "\n", ""))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "\"/C=DE/CN=Ada\"          | grid-mapfile, line 1: a line is",
        "\"/C=DE/CN=Ada ada        | grid-mapfile, line 1: a line is",
        "\"/C=DE/CN=Ada\" .pool    | grid-mapfile, line 1: no name of a local account",
        "\"/C=DE/CN=A\\\" ada      | grid-mapfile, line 1: a line is",
        "\"/C=DE/CN=A\\a\" ada     | grid-mapfile, line 1: a line is",
        "\"/atlas/*\" ada          | grid-mapfile, line 1: ",
      })
  void gridMapfileThatIsWrongIsRefusedByItsLine(String line, String told) {
    assertThatThrownBy(() -> rules("", line + "\n"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(told);
  }
}
