package dev.staithe.peers.process;

import java.util.ArrayList;
import java.util.List;

/**
 * The processor cores that a process may use.
 *
 * @param list as {@code taskset -c} takes it, as {@code 0} or {@code 0,2-3}; empty for all
 */
public record Core(String list) {
  /** No restriction. */
  public static final Core ANY = new Core("");

  /** The command that starts {@code command} on these cores. */
  public List<String> start(List<String> command) {
    if (list.isEmpty()) {
      return command;
    }
    var pinned = new ArrayList<>(List.of("taskset", "-c", list));
    pinned.addAll(command);
    return pinned;
  }
}
