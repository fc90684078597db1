package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is told of the room that files take.
 *
 * @param recount how often it is counted anew, besides at the start; 0: only there
 * @param name of the storage element in the report
 * @param allowFrom networks that may read the report, as CIDR
 */
public record AccountingProperties(
    @DefaultValue("24h") Duration recount,
    @DefaultValue("staithe") String name,
    @DefaultValue({"127.0.0.0/8", "::1"}) List<String> allowFrom) {
  /** Checks the values. */
  public AccountingProperties {
    Settings.require(!recount.isNegative(), "recount", recount, "0 or longer");
    Settings.require(!name.isBlank(), "name", name, "a name");
    Settings.requireNetworks(allowFrom, "allow-from");
    allowFrom = List.copyOf(allowFrom);
  }
}
