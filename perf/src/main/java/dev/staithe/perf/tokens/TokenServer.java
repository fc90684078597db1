package dev.staithe.perf.tokens;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.peers.Party;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A session service that runs. Not thread-safe. */
public final class TokenServer implements Party {
  private final TokenProtocol protocol;
  private final List<String> urls;
  private final List<ManagedProcess> processes;
  private final String command;

  /**
   * @param urls addresses of its nodes, without a slash at the end
   * @param processes in the order of their start
   */
  TokenServer(
      TokenProtocol protocol, List<String> urls, List<ManagedProcess> processes, String command) {
    this.protocol = protocol;
    this.urls = List.copyOf(urls);
    this.processes = List.copyOf(processes);
    this.command = command;
  }

  /** How it is asked. */
  public TokenProtocol protocol() {
    return protocol;
  }

  /** The addresses of its nodes. */
  public List<String> urls() {
    return urls;
  }

  /**
   * The process ids whose CPU time, with that of their children, is the service's: its database
   * included.
   */
  @Override
  public Set<Long> processes() {
    return processes.stream().map(ManagedProcess::pid).collect(Collectors.toSet());
  }

  /** The process ids of its nodes, in their order. */
  public List<Long> nodes() {
    return processes.subList(processes.size() - urls.size(), processes.size()).stream()
        .map(ManagedProcess::pid)
        .toList();
  }

  /** The process id of the last of its parts, which is a node. */
  public long lastStarted() {
    return processes.getLast().pid();
  }

  @Override
  public String command() {
    return command;
  }

  /** Ends every process of it by its id, insisting where one does not end; the last one first. */
  @Override
  public void close() {
    processes.reversed().forEach(ManagedProcess::close);
  }
}
