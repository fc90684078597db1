package dev.staithe.contracts.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.Keys;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.record.Statement;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartyKeyTests {
  private static final Instant END = Instant.parse("2026-11-24T12:00:00Z");

  @TempDir private Path folder;

  @Test
  void endOfAKeyIsPublishedAndReadAgain() throws Exception {
    ContractKey old = Keys.make();
    ContractKey now = Keys.make();
    var read =
        PartyKey.readSet(PartyKey.writeSet(List.of(now.publicKey(), old.publicKey().until(END))));
    assertThat(read.get(old.id()).signsAt(END)).isTrue();
    assertThat(read.get(old.id()).signsAt(END.plusSeconds(1))).isFalse();
    assertThat(read.get(now.id()).signsAt(Instant.MAX)).isTrue();
    byte[] data = "signed before".getBytes(StandardCharsets.UTF_8);
    assertThat(read.get(old.id()).verify(data, old.sign(data))).isTrue();
  }

  @Test
  void statementOfAfterTheEndIsBad() throws Exception {
    ContractKey old = Keys.make();
    var keys = Map.of(old.id(), old.publicKey().until(END));
    byte[] content = "{}".getBytes(StandardCharsets.UTF_8);
    Statement before = Statement.sign("https://p.example", "0", content, old, END);
    assertThat(before.verify(keys).issuer()).isEqualTo("https://p.example");
    Statement after = Statement.sign("https://p.example", "0", content, old, END.plusSeconds(1));
    assertThatThrownBy(() -> after.verify(keys)).hasMessageContaining("after its key had ended");
  }

  @Test
  void hostPropertiesOfAfterTheEndAreBad() throws Exception {
    ContractKey old = Keys.make();
    var keys = Map.of(old.id(), old.publicKey().until(END));
    HostProperties before = HostProperties.sign("https://p.example", Map.of(), old, END);
    assertThat(HostProperties.verify(before.text(), keys, END.plusSeconds(60)).issuer())
        .isEqualTo("https://p.example");
    HostProperties after =
        HostProperties.sign("https://p.example", Map.of(), old, END.plusSeconds(1));
    assertThatThrownBy(() -> HostProperties.verify(after.text(), keys, END.plusSeconds(60)))
        .hasMessageContaining("after their key had ended");
  }

  @Test
  void oldKeyIsReadFromItsPublicHalfAlone() throws Exception {
    KeyPair pair = KeyKind.EC_P256.generate();
    Path whole = folder.resolve("whole.pem");
    Pem.writePrivateKey(whole, pair.getPrivate());
    Path half = folder.resolve("half.pem");
    Files.writeString(half, Pem.block("PUBLIC KEY", pair.getPublic().getEncoded()));
    assertThat(PartyKey.read(half).id()).isEqualTo(PartyKey.read(whole).id());
    KeyPairGenerator larger = KeyPairGenerator.getInstance("EC");
    larger.initialize(new ECGenParameterSpec("secp384r1"));
    for (KeyPair other : List.of(KeyKind.RSA_2048.generate(), larger.generateKeyPair())) {
      Path file = folder.resolve("other.pem");
      Files.writeString(file, Pem.block("PUBLIC KEY", other.getPublic().getEncoded()));
      assertThatThrownBy(() -> PartyKey.read(file))
          .isInstanceOf(PemException.class)
          .hasMessageContaining("expected one on the curve P-256");
    }
  }
}
