package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What one message leaves for the next. */
class WorkspaceTests {
  private static Set<String> used(Workspace work, int identifiers) {
    Set<String> before = work.identifiers;
    for (int i = 0; i < identifiers; i++) {
      before.add("i" + i);
    }
    work.clear();
    assertThat(work.identifiers).isEmpty();
    return before;
  }

  /** A table that has grown never shrinks again, and all of it is cleared for each message. */
  @Test
  void clearWhenAMessageHadManyIdentifiersThenTheNextOneDoesNotPayForThem() {
    var work = new Workspace();

    assertThat(used(work, Workspace.MOST_IDENTIFIERS)).isSameAs(work.identifiers);
    assertThat(used(work, Workspace.MOST_IDENTIFIERS + 1)).isNotSameAs(work.identifiers);
  }

  /** Dozens are kept, and each would keep the longest message that came. */
  @Test
  void clearWhenAMessageWasReadThenItIsNotKept() throws Exception {
    var work = new Workspace();
    byte[] message = "<a>b</a>".getBytes(StandardCharsets.US_ASCII);
    work.scanner.document(message);
    work.scanner.next();
    work.piece.piece(message, 0, message.length, work.scanner.scope(), 0);
    work.piece.next();

    work.clear();

    assertThat(work.scanner.bytes()).isEmpty();
    assertThat(work.piece.bytes()).isEmpty();
  }
}
