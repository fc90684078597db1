package dev.staithe.storage.posix;

import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.springframework.util.FileSystemUtils;

/** Whatever the sequence of changes, the store shows what a map with the same changes shows. */
class FileStorePropertyTests {
  /** A change; {@code other} and {@code content} count where the kind has them. */
  record Change(Kind kind, String path, String other, String content, Replace replace) {}

  enum Kind {
    PUT,
    MKCOL,
    DELETE,
    MOVE,
    COPY,
    COPY_SHALLOW
  }

  @Provide
  Arbitrary<List<Change>> changes() {
    Arbitrary<String> names = Arbitraries.of("a", "b", "A", "\u00e4 \ud83d\ude00");
    Arbitrary<String> paths =
        names.list().ofMinSize(1).ofMaxSize(3).map(each -> "/" + String.join("/", each));
    return Combinators.combine(
            Arbitraries.of(Kind.values()),
            paths,
            paths,
            Arbitraries.strings().alpha().ofMaxLength(8),
            Arbitraries.of(Replace.values()))
        .as(Change::new)
        .list()
        .ofMaxSize(25);
  }

  @Property(tries = 150)
  void storeShowsWhatTheModelShows(@ForAll("changes") List<Change> changes) throws IOException {
    Path area = Files.createTempDirectory("area");
    try (FileStore store = PosixStore.open(area, PosixStore.Settings.DEFAULT)) {
      Model model = new Model();
      for (Change change : changes) {
        boolean expected = model.apply(change);
        assertThat(apply(store, change) instanceof Outcome.Done)
            .as(change.toString())
            .isEqualTo(expected);
        assertThat(tree(store)).as("after " + change).isEqualTo(model.tree());
      }
    } finally {
      FileSystemUtils.deleteRecursively(area);
    }
  }

  private static Outcome<?> apply(FileStore store, Change change) throws IOException {
    StoragePath path = path(change.path());
    StoragePath other = path(change.other());
    return switch (change.kind()) {
      case PUT -> put(store, change.path(), change.content(), change.replace());
      case MKCOL -> store.makeCollection(path, Replace.NEVER);
      case DELETE -> store.delete(path, Replace.ALLOWED);
      case MOVE -> store.move(path, other, change.replace());
      case COPY -> store.copy("tester", path, other, true, change.replace());
      case COPY_SHALLOW -> store.copy("tester", path, other, false, change.replace());
    };
  }

  /** Paths without trailing slash; a null content is a collection. */
  private static final class Model {
    private final TreeMap<String, String> files = new TreeMap<>();

    Map<String, String> tree() {
      Map<String, String> tree = new TreeMap<>();
      files.forEach(
          (p, content) -> tree.put(content == null ? p + "/" : p, content == null ? "" : content));
      return tree;
    }

    private boolean isCollection(String path) {
      return path.isEmpty() || files.containsKey(path) && files.get(path) == null;
    }

    private boolean hasParent(String path) {
      return isCollection(path.substring(0, path.lastIndexOf('/')));
    }

    private static boolean contains(String outer, String inner) {
      return inner.equals(outer) || inner.startsWith(outer + "/");
    }

    private void remove(String path) {
      files.keySet().removeIf(p -> contains(path, p));
    }

    /** Makes the change where it is possible, and tells whether it is. */
    boolean apply(Change change) {
      String path = change.path();
      boolean never = change.replace() == Replace.NEVER;
      switch (change.kind()) {
        case PUT -> {
          if (!hasParent(path) || isCollection(path) || never && files.containsKey(path)) {
            return false;
          }
          files.put(path, change.content());
        }
        case MKCOL -> {
          if (!hasParent(path) || files.containsKey(path)) {
            return false;
          }
          files.put(path, null);
        }
        case DELETE -> {
          if (!files.containsKey(path)) {
            return false;
          }
          remove(path);
        }
        default -> {
          return transfer(change, never);
        }
      }
      return true;
    }

    private boolean transfer(Change change, boolean never) {
      String from = change.path();
      String to = change.other();
      if (contains(from, to)
          || contains(to, from)
          || !files.containsKey(from)
          || !hasParent(to)
          || never && files.containsKey(to)) {
        return false;
      }
      TreeMap<String, String> moved = new TreeMap<>();
      files.forEach(
          (p, content) -> {
            if (p.equals(from) || change.kind() != Kind.COPY_SHALLOW && contains(from, p)) {
              moved.put(to + p.substring(from.length()), content);
            }
          });
      remove(to);
      if (change.kind() == Kind.MOVE) {
        remove(from);
      }
      files.putAll(moved);
      return true;
    }
  }
}
