package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.SettingsTemplate;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A service of this repository, from its released jar. Immutable. */
public abstract class ServicePeer {
  private final ReleasedJar jar;
  private final String name;
  private final boolean tls;
  private final List<String> javaOptions;

  /**
   * @param repository the checkout, in which its jar is built
   * @param module its folder there
   * @param tls whether it is reached by https
   * @param heap as {@code 512m}
   */
  ServicePeer(Path repository, String module, String name, boolean tls, String heap) {
    this.jar = ReleasedJar.of(repository, module);
    this.name = name;
    this.tls = tls;
    this.javaOptions =
        List.of("--enable-native-access=ALL-UNNAMED", "-Xmx" + heap, "-XX:ActiveProcessorCount=1");
  }

  /** Short and unique. */
  public final String name() {
    return name;
  }

  /** Whether it can be started here. */
  public final Readiness readiness() {
    return jar.readiness();
  }

  /** Its address, without a slash at the end. */
  final String url(int port) {
    return (tls ? "https" : "http") + "://localhost:" + port;
  }

  /** The command that runs it. */
  final List<String> command(List<String> arguments) {
    return jar.command(javaOptions, arguments);
  }

  /** The same for people. */
  final String shown(String settings) {
    return jar.shown(javaOptions, settings);
  }

  /**
   * Starts it by the settings that have the name of its jar, and waits until it listens.
   *
   * @param values of these settings that not every service has
   * @param more options of Java
   */
  final ManagedProcess start(
      Site site, Path folder, Core core, Map<String, ?> values, List<String> more)
      throws IOException {
    var options = new ArrayList<>(javaOptions);
    options.addAll(more);
    String template = jar.path().getFileName().toString().replace(".jar", ".yml");
    return jar.start(
        name,
        folder,
        core,
        options,
        port -> {
          var all = new HashMap<String, Object>(values);
          all.put("tls", tls);
          all.put("url", url(port));
          return SettingsTemplate.filled(template, site, folder, port, all);
        });
  }
}
