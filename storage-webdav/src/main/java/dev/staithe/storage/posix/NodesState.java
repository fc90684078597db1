package dev.staithe.storage.posix;

import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.LineLog;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** State in the area's reserved folder, which all nodes of the area have. */
final class NodesState implements AreaState {
  private final StateFolder texts;
  private final Path folder;
  private final Sync sync;
  private final NodeLocks nodes;

  NodesState(Path folder, Sync sync, NodeLocks nodes) throws IOException {
    this.texts = new StateFolder(folder, sync);
    this.folder = folder;
    this.sync = sync;
    this.nodes = nodes;
  }

  @Override
  public Optional<String> read(String name) throws IOException {
    return texts.read(name);
  }

  @Override
  public void write(String name, String text) throws IOException {
    texts.write(name, text);
  }

  @Override
  public LineLog log(String name, List<String> lines) throws IOException {
    return texts.log(name, lines);
  }

  @Override
  public Optional<LineLog> shared(String name) throws IOException {
    return Optional.of(new SharedLog(texts, folder.resolve(name), sync, nodes));
  }
}
