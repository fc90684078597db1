package dev.staithe.cli.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.log.LogKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proofs of several transfers that would go by one name. */
class ProofTests {
  private static final byte[] STATEMENT = {1, 2, 3};

  @TempDir private Path folder;
  @TempDir private Path keys;
  private ContractingHost.Published host;

  @BeforeEach
  void publish() throws IOException {
    LogKey log = LogKey.readOrMake(keys.resolve("log.key"), "p.example/.staithe/log");
    host =
        new ContractingHost.Published(
            "{\"keys\":[]}", Map.of(), log.verifier().toString(), log.verifier());
  }

  private Path name() {
    return folder.resolve("f");
  }

  @Test
  void secondProofOfOneNameIsRefusedBeforeItsTransferAndTheFirstStays() throws Exception {
    try (Proof first = Proof.of(name())) {
      assertThatThrownBy(() -> Proof.of(name()))
          .as("two at once")
          .isInstanceOf(IOException.class)
          .hasMessageContaining("f.cose; move that, or name this proof by --proof FILE");
      assertThat(first.keep(host, STATEMENT, ""))
          .isEqualTo(
              "staithe contract verify %1$s.cose --keys %1$s.jwks.json --log-key %1$s.log-key"
                  .formatted(name()));
    }
    assertThatThrownBy(() -> Proof.of(name()))
        .hasMessageContaining("f.cose, ")
        .hasMessageContaining("f.jwks.json, ")
        .hasMessageContaining("f.log-key; move");
    assertThat(folder.resolve("f.cose")).hasBinaryContent(STATEMENT);

    Files.delete(folder.resolve("f.cose"));
    assertThatThrownBy(() -> Proof.of(name())).as("its keys").isInstanceOf(IOException.class);
  }

  @Test
  void commandThatVerifiesIsOneForEveryName() throws Exception {
    try (Proof proof = Proof.of(folder.resolve("it's; f"))) {
      assertThat(proof.keep(host, STATEMENT, "{}"))
          .isEqualTo(
              ("staithe contract verify '%1$s.cose' --keys '%1$s.jwks.json' --log-key"
                      + " '%1$s.log-key' --issuer-keys '%1$s.issuer-jwks.json'")
                  .formatted(folder.resolve("it'\\''s; f")));
    }
  }

  @Test
  void nameIsFreeAgainWhereTheTransferFailed() throws Exception {
    try (Proof failed = Proof.of(name())) {
      assertThat(failed).isNotNull();
    }
    assertThat(folder).isEmptyDirectory();
    try (Proof next = Proof.of(name())) {
      next.keep(host, STATEMENT, "{}");
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("f.cose", "f.jwks.json", "f.log-key", "f.issuer-jwks.json");
    }
  }

  @Test
  void proofOfALongNameIsKeptOrRefusedBeforeItsTransfer() throws Exception {
    try (Proof proof = Proof.of(folder.resolve("f".repeat(230)))) {
      proof.keep(host, STATEMENT, "{}");
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(4);
    }

    assertThatThrownBy(() -> Proof.of(folder.resolve("g".repeat(240))))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith(".cose cannot be written; --proof FILE names another place");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(4);
    }
  }

  @Test
  void folderThatIsNotThereIsSaid() {
    assertThatThrownBy(() -> Proof.of(folder.resolve("none/f")))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("none/f.cose cannot be written: no such folder");
  }
}
