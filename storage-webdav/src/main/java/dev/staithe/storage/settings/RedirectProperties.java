package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Redirects of downloads, uploads and third-party copies of large files to data nodes, which serve
 * the same areas.
 *
 * @param nodes to redirect to; none: this server redirects nothing
 * @param keyFile a key that all nodes share, by which they know each other's tickets
 * @param fromSize of files that are redirected
 * @param copyClients products, as {@code User-Agent} names them, that follow a redirect of COPY
 * @param checkInterval how often nodes are asked whether they are well
 */
public record RedirectProperties(
    @DefaultValue List<URI> nodes,
    @Nullable Path keyFile,
    @DefaultValue("64MB") DataSize fromSize,
    @DefaultValue({"gfal2", "libdavix"}) List<String> copyClients,
    @DefaultValue("10s") Duration checkInterval) {
  /** Checks that tickets, which are credentials, travel encrypted. */
  public RedirectProperties {
    for (URI node : nodes) {
      Settings.require(
          node.toString().matches("https://([^/?#@:\\[\\]]+|\\[[0-9a-fA-F:.]+\\])(:[0-9]{1,5})?"),
          "nodes",
          node,
          "https://host:port without a path");
      // No host is one that no client asks, and asking it would end the asking of all.
      Settings.require(
          node.getHost() != null && node.getPort() <= 65535,
          "nodes",
          node,
          "https://host:port, with letters, digits, dashes and dots and a port up to 65535");
    }
    Settings.require(
        nodes.isEmpty() || keyFile != null, "nodes", nodes, "empty where key-file is absent");
    if (keyFile != null) {
      Settings.requireFile(keyFile, "key-file");
    }
    Settings.require(fromSize.toBytes() >= 1, "from-size", fromSize, "1B or more");
    Settings.requireWithin(
        checkInterval, Duration.ofSeconds(1), Duration.ofHours(1), "check-interval");
    nodes = List.copyOf(nodes);
    copyClients = List.copyOf(copyClients);
  }
}
