package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Marks of network flows (SciTags), for transfers whose client sends a {@code SciTag}.
 *
 * @param enabled whether flows are marked
 * @param collectors who is told by UDP, {@code host:port}
 * @param toPeer whether the other end of the flow is told too, at its port 10514
 */
public record ScitagsProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue List<String> collectors,
    @DefaultValue("false") boolean toPeer) {
  /** Checks that somebody is told. */
  public ScitagsProperties {
    for (String collector : collectors) {
      Settings.require(
          collector.matches("([^/:\\s\\[\\]]+|\\[[0-9a-fA-F:.]+\\]):[1-9][0-9]{0,4}")
              && Integer.parseInt(collector.substring(collector.lastIndexOf(':') + 1)) <= 65535,
          "collectors",
          collector,
          "host:port");
    }
    Settings.require(
        !enabled || toPeer || !collectors.isEmpty(),
        "collectors",
        "",
        "at least one host:port where enabled is true and to-peer is false");
    collectors = List.copyOf(collectors);
  }
}
