package dev.staithe.peers;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;

/** nginx with a configuration of its user, in a folder of its own: nothing below {@code /etc}. */
public final class NginxServer extends LocalServer {
  private static final String CONFIGURATION =
      """
      daemon off;
      worker_processes 1;
      pid @/run/pid;
      error_log stderr warn;
      events {
        worker_connections 4096;
      }
      http {
        access_log @/run/access.log;
        client_body_temp_path @/run/body;
        proxy_temp_path @/run/proxy;
        fastcgi_temp_path @/run/fastcgi;
        uwsgi_temp_path @/run/uwsgi;
        scgi_temp_path @/run/scgi;
        %s
      }
      """;

  private NginxServer(ServerFolder place, ManagedProcess process) {
    super(place, process);
  }

  /**
   * Starts one of one worker, as {@code nobody} where this is root's, and waits until it listens.
   *
   * @param ports how many it listens at
   * @param http what stands in {@code http {…}}
   */
  public static ManagedProcess start(
      String name, ServerFolder place, Core core, int ports, ServerFolder.Configuration http)
      throws IOException {
    return ManagedProcess.start(
        name,
        place.path(),
        ports,
        core,
        free -> place.command(command(place, CONFIGURATION.formatted(http.at(free)))));
  }

  /**
   * Starts one for a test, which reads what the test may read.
   *
   * @param sites what stands in {@code http {…}}, given the port to listen at
   */
  public static NginxServer start(IntFunction<String> sites) {
    try {
      ServerFolder place = ServerFolder.temporary("nginx");
      return new NginxServer(
          place,
          ManagedProcess.start(
              "nginx",
              place.path(),
              1,
              Core.ANY,
              free ->
                  command(
                      place,
                      "master_process off;\n"
                          + CONFIGURATION.formatted(sites.apply(free.getFirst())))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> command(ServerFolder place, String configuration) throws IOException {
    Path file = place.write("nginx.conf", configuration);
    return List.of(Program.NGINX.path(), "-p", place.path() + "/", "-c", "" + file, "-e", "stderr");
  }
}
