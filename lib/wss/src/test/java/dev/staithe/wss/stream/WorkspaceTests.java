package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

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
}
