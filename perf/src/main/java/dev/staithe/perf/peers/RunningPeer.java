package dev.staithe.perf.peers;

import dev.staithe.peers.process.ManagedProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** A peer that serves. Not thread-safe. */
public final class RunningPeer extends SingleProcess {
  private final Map<Door, URI> doors;
  private final Path data;
  private final String token;

  private RunningPeer(
      ManagedProcess process, Map<Door, URI> doors, Path data, String token, String command) {
    super(process, command);
    this.doors = Map.copyOf(doors);
    this.data = data;
    this.token = token;
  }

  /**
   * Waits until each of its HTTP doors answers.
   *
   * @param answers a path that it answers soon, as {@code /data/}
   * @param authority of its certificate; it need not be there before the server answers
   * @throws IOException where it does not answer, in one line; the process was ended then
   */
  public static RunningPeer await(
      ManagedProcess process,
      Map<Door, URI> doors,
      String answers,
      Path authority,
      Path data,
      String token,
      String command)
      throws IOException {
    for (var door : doors.entrySet()) {
      if (door.getKey() != Door.FTP) {
        process.awaitAnswer(door.getValue().resolve(answers), authority);
      }
    }
    return new RunningPeer(process, doors, data, token, command);
  }

  /** The address of {@link #data()} by each door that it has; it ends in a slash. */
  public Map<Door, URI> doors() {
    return doors;
  }

  /**
   * The address of {@link #data()} by one door.
   *
   * @throws IllegalArgumentException where it has no such door
   */
  public URI door(Door door) {
    URI address = doors.get(door);
    if (address == null) {
      throw new IllegalArgumentException("the server has no door " + door);
    }
    return address;
  }

  /** The folder that it serves: a file put there, readable by all, can be fetched at once. */
  public Path data() {
    return data;
  }

  /** The bearer token that it wants with each request; empty where it wants none. */
  public String token() {
    return token;
  }
}
