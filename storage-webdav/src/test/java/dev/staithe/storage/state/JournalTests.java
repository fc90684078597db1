package dev.staithe.storage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTests {
  @TempDir private Path folder;

  private List<Integer> lengths() throws IOException {
    List<Integer> found = new ArrayList<>();
    Journal.read(folder, record -> found.add(record.length));
    return found;
  }

  /** As where there was a descriptor to make it, and the last one was gone to open it. */
  @Test
  void nextFileThatWasMadeAndNotOpenedIsTakenAtTheNextTurn() throws IOException {
    try (Journal journal = Journal.open(folder)) {
      journal.append(new byte[1]);
      Files.createFile(folder.resolve("%016d.journal".formatted(2)));
      journal.turn();
      journal.append(new byte[2]);
      assertThat(lengths()).containsExactly(1, 2);
      journal.forget(() -> {});
      assertThat(lengths()).containsExactly(2);
    }
  }

  @Test
  void nextFileThatHasSomethingIsNotWrittenOver() throws IOException {
    try (Journal journal = Journal.open(folder)) {
      journal.append(new byte[1]);
      Path strange = Files.writeString(folder.resolve("%016d.journal".formatted(2)), "strange");
      assertThatIOException()
          .isThrownBy(journal::turn)
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(strange).hasContent("strange");
      journal.append(new byte[2]);
      assertThat(lengths()).containsExactly(1, 2);
    }
  }

  /** Of which a start is in by {@code LANG=ar_EG.UTF-8}. */
  @Test
  void recordsAreFoundWhateverDigitsTheLocaleHas() throws IOException {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try (Journal journal = Journal.open(folder)) {
      journal.append(new byte[1]);
      assertThat(lengths()).containsExactly(1);
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }
}
