package dev.staithe.cli.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.record.StatementFolder;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of statements, and how many are looked at. */
final class ContractFolderTests {
  private static final String P = "https://p.example:8443";
  private static final Instant THEN = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir private Path folder;

  @Test
  void folderWithMoreStatementsThanAreReadIsNotShownInPart() throws Exception {
    Path key = folder.resolve("key.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    Path given = Files.createDirectories(folder.resolve("given"));
    var part = new ContractRecord.Part("\"@target-uri\": " + P + "/data/f", "c=:AA==:");
    String received = new Received(true, 3, Hash.of(new byte[3]), THEN).encode();
    for (int i = 0; i < 3; i++) {
      String id = "%08x-0000-7000-8000-000000000000".formatted(i);
      byte[] record =
          new ContractRecord(id, P, "https://a.example", part, part, part, received).encode();
      Files.write(
          given.resolve(i + StatementFolder.MANY),
          Statement.sign(P, id, record, ContractKey.read(key), THEN).encode());
    }

    assertThat(ContractSearch.inFolder(given, 3)).hasSize(3);
    assertThatThrownBy(() -> ContractSearch.inFolder(given, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has more than 2 statements");
  }
}
