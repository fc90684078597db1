package dev.staithe.storage.policy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a policy file may be, and with which words others are refused. */
class PolicyFileTests {
  @TempDir private Path folder;

  private static Policy read(String text) throws IOException {
    return PolicyFile.read(new StringReader(text), Set.of("https://issuer.test"), 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          permit: read, path: /a, anyone: true, network: 10.0.0.1/8 | beyond its prefix length
          permit: read, path: /a, anyone: true, network: example.org | is no network
          permit: read, path: /a, anyone: true, network: 10.0.0.0/33 | prefix length
          permit: read, path: a, anyone: true | does not begin with a slash
          permit: read, path: /a/../b, anyone: true | dot segment
          permit: read, path: /a | names one of anyone
          permit: read, path: /a, anyone: true, authenticated: true | names one of anyone
          permit: read, path: /a, anyone: false | anyone is true, or is not there
          permit: read, path: /a, group: /cms | the rule names none
          permit: read, path: /a, issuer: https://unknown.test | is not in staithe.issuers
          permit: read, path: /a, issuer: https://issuer.test, voms: /cms | names one of anyone
          permit: read, path: /a, voms: cms | no name of a group or role
          permit: read, path: /a, certificate: Ada | rule 2
          permit: write, path: /a, anyone: true | no right is called "write"
          permit: read, deny: read, path: /a, anyone: true | one of permit and deny
          path: /a, anyone: true | one of permit and deny
          permit: read, anyone: true | it has no path
          permit: read, path: /a, except: /b, anyone: true | is below no path
          permit: read, path: /a, except: /ab, anyone: true | is below no path
          permit: read, path: /a, anyone: true, method: FETCH | no method is called
          permit: read, path: /a, anyone: true, paths: /b | unknown key "paths"
          permit: read, path: /a, path: /b, anyone: true | is there twice
          permit: [], path: /a, anyone: true | neither a word nor a list of words
          permit: read, path: [[/a]], anyone: true | a list is of words
          permit: read, path: '', anyone: true | an empty word
          permit: read, path: /a, anyone: true, widens: true | widens
          """)
  void oneWrongRuleRefusesTheFileWithItsLine(String rule, String reason) {
    assertThatThrownBy(
            () -> read("rules:\n- {permit: read, path: /ok, anyone: true}\n- {" + rule + "}\n"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("line 3: ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rules",
        "rules: {}",
        "other: []",
        "rules: []\nmore: 1",
        "rules: []\n---\nrules: []",
        "rules: [&a {permit: read, path: /a, anyone: true}, *a]",
        "rules: &a [*a]",
        "rules:\n\t- x",
        "rules: [[]]",
        "rules: [{? [a] : b}]",
        "rules: [{permit: read, path: /a, anyone: true}"
      })
  void whatIsNoPolicyIsRefusedInOneLine(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IOException.class)
        .message()
        .contains("line ")
        .doesNotContain("\n");
  }

  @Test
  void listThatHoldsItselfIsRefusedAtItsAnchor() {
    assertThatThrownBy(
            () -> read("rules:\n- permit: read\n  path: &loop [*loop]\n  anyone: true\n"))
        .hasMessage("line 3: anchors and aliases are not taken");
  }

  @Test
  void foldersAndDevicesAreNoPolicy() {
    assertThatThrownBy(() -> PolicyFile.read(Path.of("/dev/zero"), Set.of()))
        .hasMessage("it is no file");
    assertThatThrownBy(() -> PolicyFile.read(folder, Set.of())).hasMessage("it is no file");
  }

  @Test
  void moreRulesThanThereMayBeAreRefused() {
    String rule = "- {permit: read, path: /x, anyone: true}\n";

    assertThatThrownBy(() -> read("rules:\n" + rule.repeat(4)))
        .hasMessage("line 5: rule 4: there are more than 3 rules");
  }
}
