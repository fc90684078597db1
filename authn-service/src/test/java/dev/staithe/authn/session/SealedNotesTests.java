package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.authn.seal.NoteReading;
import dev.staithe.authn.seal.SealedNotes;
import dev.staithe.authn.seal.SealedText;
import dev.staithe.authn.seal.TokenKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SealedNotesTests {
  private final TestTime time = new TestTime();
  private final TokenKeys keys = new TokenKeys(List.of(TestTokens.key("k")));
  private final SealedNotes notes = new SealedNotes("login step", keys, time.clock);
  private final Map<String, String> fields = Map.of("user", "änna", "step", "2", "empty", "");
  private final Instant soon = TestTime.START.plusSeconds(300);

  @Test
  void anotherNodeReadsWhatOneSealed() {
    String note = notes.seal(fields, soon);

    assertThat(new SealedNotes("login step", keys, time.clock).open(note))
        .isEqualTo(new NoteReading.Genuine(fields));
  }

  @Test
  void oneContentHasOneSpelling() {
    assertThat(notes.seal(Map.of("a", "1", "b", "2"), soon))
        .isEqualTo(notes.seal(new TreeMap<>(Map.of("b", "2", "a", "1")), soon));
  }

  @Test
  void noteOfAnotherPurposeIsNotGenuine() {
    String note = new SealedNotes("password reset", keys, time.clock).seal(fields, soon);

    assertThat(notes.open(note)).isEqualTo(new NoteReading.NotGenuine());
  }

  @Test
  void sessionTokenIsNoNoteAndBack() {
    var mint = new TokenMint(keys);
    String token = mint.mint(TestTokens.token("anna"));

    assertThat(notes.open(token)).isEqualTo(new NoteReading.NotGenuine());
    assertThat(notes.open("n1" + token.substring(2))).isEqualTo(new NoteReading.NotGenuine());
    assertThat(mint.open("v1" + notes.seal(fields, soon).substring(2)))
        .isEqualTo(TokenReading.NotGenuine.FORGED);
  }

  @Test
  void noteExpires() {
    String note = notes.seal(fields, soon);
    time.pass(Duration.ofSeconds(300).minusMillis(1));
    assertThat(notes.open(note)).isInstanceOf(NoteReading.Genuine.class);
    time.pass(Duration.ofMillis(1));

    assertThat(notes.open(note)).isEqualTo(new NoteReading.Expired());
  }

  @Test
  void changedNoteIsNotGenuine() {
    String note = notes.seal(fields, soon);
    for (int i = 0; i < note.length(); i++) {
      char other = note.charAt(i) == 'A' ? 'B' : 'A';
      String changed = note.substring(0, i) + other + note.substring(i + 1);
      assertThat(notes.open(changed)).as("character %d", i).isEqualTo(new NoteReading.NotGenuine());
      assertThat(notes.open(note.substring(0, i))).isEqualTo(new NoteReading.NotGenuine());
    }
  }

  @Test
  void genuineMacOverNonsenseIsNotGenuine() {
    var sealing = new SealedText("n1", "note: login step", 4096, keys);

    assertThat(notes.open(sealing.seal(new byte[] {1}))).isEqualTo(new NoteReading.NotGenuine());
    byte[] trailing = new byte[10];
    trailing[0] = 0x7f;
    assertThat(notes.open(sealing.seal(trailing))).isEqualTo(new NoteReading.NotGenuine());
  }

  @Test
  void tooMuchIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> notes.seal(Map.of("k", "x".repeat(4000)), soon));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> notes.seal(Map.of("k", "x".repeat(70_000)), soon));
  }
}
