package dev.staithe.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * nginx with a configuration of the test, in a folder of its own: nothing below {@code /etc/nginx}
 * or {@code /var} is read or written. One process, so that its end is the end of all of it.
 */
public final class NginxServer implements AutoCloseable {

  private final Path folder;
  private final int port;
  private final ExternalProcess process;

  private NginxServer(Path folder, int port, ExternalProcess process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param sites what stands inside {@code http {…}}, given the port to listen at
   */
  public static NginxServer start(IntFunction<String> sites) {
    String program = Tool.NGINX.path();
    try {
      Path folder = Files.createTempDirectory("nginx");
      int port = FreePort.next();
      Files.writeString(folder.resolve("nginx.conf"), configuration(folder, sites.apply(port)));
      ExternalProcess process =
          ExternalProcess.start(
              List.of(program, "-p", folder + "/", "-c", folder + "/nginx.conf", "-e", "error.log"),
              Map.of(),
              folder.resolve("output"));
      NginxServer server = new NginxServer(folder, port, process);
      try {
        process.awaitPort(port, Eventually.LONGEST);
      } catch (AssertionError e) {
        String told = server.log();
        server.close();
        throw new AssertionError(e.getMessage() + "\n" + told, e);
      }
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String configuration(Path folder, String sites) {
    return """
    daemon off;
    master_process off;
    pid %1$s/pid;
    events { }
    http {
      access_log %1$s/access.log;
      client_body_temp_path %1$s/body;
      proxy_temp_path %1$s/proxy;
      fastcgi_temp_path %1$s/fastcgi;
      uwsgi_temp_path %1$s/uwsgi;
      scgi_temp_path %1$s/scgi;
      %2$s
    }
    """
        .formatted(folder, sites);
  }

  /** The port that it listens at. */
  public int port() {
    return port;
  }

  /** What it complained of. */
  public String log() {
    Path log = folder.resolve("error.log");
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      return "cannot read the log: " + e.getMessage();
    }
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    process.close();
    Folders.delete(folder);
  }
}
