package dev.staithe.storage;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A storage element started from its jar, which can be killed. Needs {@code mvn package}. */
public final class StorageProcess implements AutoCloseable {
  public static final Path JAR = Path.of("target/storage-webdav.jar");

  private final ManagedProcess process;
  private final int port;

  private StorageProcess(ManagedProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one with {@link RunningStorage#properties} and {@code extra}; waits until it listens.
   * The port is any where {@code extra} names none.
   */
  public static StorageProcess start(
      Path folder,
      ThrowAwayAuthority authority,
      TokenIssuer issuer,
      Map<String, Object> extra,
      String... jvmOptions)
      throws IOException {
    return startBy(List.of(), folder, authority, issuer, extra, jvmOptions);
  }

  /**
   * The same by another program that starts it, as one that changes the user.
   *
   * @param by that program and its arguments
   */
  public static StorageProcess startBy(
      List<String> by,
      Path folder,
      ThrowAwayAuthority authority,
      TokenIssuer issuer,
      Map<String, Object> extra,
      String... jvmOptions)
      throws IOException {
    Files.createDirectories(folder.resolve("data"));
    Files.createDirectories(folder.resolve("open"));
    int port = extra.get("server.port") instanceof Integer given ? given : FreePort.next();
    Map<String, Object> properties = RunningStorage.properties(folder, authority, issuer);
    properties.putAll(extra);
    properties.put("server.port", port);
    List<String> command = new ArrayList<>();
    // Whoever runs the tests by nohup has everything below them ignore the signal.
    command.addAll(List.of("env", "--default-signal=HUP"));
    command.addAll(by);
    List<String> arguments =
        properties.entrySet().stream()
            .map(each -> "--" + each.getKey() + "=" + each.getValue())
            .toList();
    command.addAll(ReleasedJar.command(JAR, arguments, jvmOptions));
    ManagedProcess process =
        ManagedProcess.start(
            command, Map.of("LC_ALL", "C.UTF-8"), folder.resolve("storage-webdav.log"));
    process.awaitPort(port, Eventually.LONGEST);
    return new StorageProcess(process, port);
  }

  public String url(String path) {
    return "https://localhost:" + port + path;
  }

  public int port() {
    return port;
  }

  public ManagedProcess process() {
    return process;
  }

  @Override
  public void close() {
    process.close();
  }
}
