package dev.staithe.perf.stores;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.SettingsTemplate;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Our storage element: one area {@code data}, tokens of the site's issuer, adler32 on every upload,
 * copies from and to this machine allowed, access log to a file. It runs as the user of this JVM.
 */
public final class StaithePeer implements Peer {
  static final List<String> JAVA_OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m");

  private static final int RULES = 10_000;

  /** How it is reached. */
  public enum Variant {
    /** TLS by Conscrypt. */
    CONSCRYPT("staithe", Door.HTTPS, "provider: conscrypt"),
    /** TLS by the JDK. */
    JDK("staithe-jdk", Door.HTTPS, "provider: jdk"),
    /** The same, answering before anything is on the disk, as most others do. */
    UNSYNCED(StoragePeers.UNSYNCED, Door.HTTPS, "provider: conscrypt"),
    /** With a policy of 10,000 rules, none of which concerns what is asked. */
    RULED(StoragePeers.RULED, Door.HTTPS, "provider: conscrypt"),
    /** Without TLS, credentials of copies allowed there as well. */
    PLAIN("staithe-plain", Door.HTTP, "enabled: false");

    private final String peer;
    private final Door door;
    private final String tls;

    Variant(String peer, Door door, String tls) {
      this.peer = peer;
      this.door = door;
      this.tls = tls;
    }
  }

  private final Path repository;
  private final Variant variant;
  private final String name;
  private final List<String> javaOptions;
  private final String settings;

  /**
   * As released, with 512 MiB of heap.
   *
   * @param repository the checkout, in which its jar is built
   */
  public StaithePeer(Path repository, Variant variant) {
    this(repository, variant, variant.peer, "");
  }

  /**
   * With other settings.
   *
   * @param name of this form of it
   * @param settings YAML that is stronger than the usual configuration, or empty
   * @param javaOptions beside, and stronger than, the usual ones, as {@code -Xmx256m}
   */
  public StaithePeer(
      Path repository, Variant variant, String name, String settings, String... javaOptions) {
    this.repository = repository;
    this.variant = variant;
    this.name = name;
    List<String> all = new ArrayList<>(JAVA_OPTIONS);
    if (Stream.of(javaOptions).anyMatch(option -> option.startsWith("-Xmx"))) {
      all.removeIf(option -> option.startsWith("-Xmx"));
    }
    all.addAll(List.of(javaOptions));
    this.javaOptions = List.copyOf(all);
    this.settings = settings;
  }

  static ReleasedJar jar(Path repository) {
    return new ReleasedJar(
        repository.resolve("storage-webdav/target/storage-webdav.jar"),
        "run ./demo --once or mvn -pl storage-webdav -am package");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Readiness readiness() {
    return jar(repository).readiness();
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    if (variant == Variant.RULED) {
      Files.writeString(folder.resolve("policy.yml"), rules());
    }
    ReleasedJar jar = jar(repository);
    ManagedProcess process =
        jar.start(name, folder, core, javaOptions, port -> configuration(site, folder, port));
    String scheme = variant.door == Door.HTTP ? "http" : "https";
    URI address = URI.create("%s://localhost:%d/data/".formatted(scheme, process.port(0)));
    String token;
    try {
      token = site.token("https://localhost:" + process.port(0));
    } catch (IOException e) {
      process.close();
      throw e;
    }
    return RunningPeer.await(
        process,
        Map.of(variant.door, address),
        "/.staithe/health",
        site.authority(),
        data,
        token,
        jar.shown(
            javaOptions,
            "tls.%s, access log on, adler32 on upload%s"
                .formatted(
                    variant.tls,
                    (variant == Variant.UNSYNCED ? ", sync: none" : "")
                        + (variant == Variant.RULED ? ", policy of " + RULES + " rules" : "")
                        + (settings.isBlank() ? "" : ", " + oneLine(settings)))));
  }

  /** Half of them by network, half by group, where every request must be looked up. */
  private static String rules() {
    StringBuilder rules = new StringBuilder("rules:\n");
    for (int i = 0; i < RULES; i++) {
      rules.append(
          i % 2 == 0
              ? "- {deny: all, path: /, anyone: true, network: 10.%d.%d.0/24}\n"
                  .formatted(i / 250, i % 250)
              : "- {permit: read, path: /, issuer: \"%s\", group: /vo/group%d}\n"
                  .formatted(Site.ISSUER, i));
    }
    return rules.toString();
  }

  /** Without the folders that files lie in: a result is kept, and is not of one machine. */
  static String oneLine(String yaml) {
    return String.join(" ", yaml.strip().split("\\s+")).replaceAll("\"/[^\"]*/", "\"…/");
  }

  private String configuration(Site site, Path folder, int port) throws IOException {
    String area =
        switch (variant) {
          case UNSYNCED -> "sync: none";
          case RULED -> "policy: \"" + folder.toAbsolutePath() + "/policy.yml\"";
          case CONSCRYPT, JDK, PLAIN -> "";
        };
    var values = Map.of("tls", variant.tls, "area", area, "plain", variant == Variant.PLAIN);
    String usual = SettingsTemplate.filled("storage-element.yml", site, folder, port, values);
    // A later document of the same file wins.
    return settings.isBlank() ? usual : usual + "---\n" + settings + "\n";
  }
}
