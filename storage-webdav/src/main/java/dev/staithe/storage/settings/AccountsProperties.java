package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The helper and the mapping of an area whose files belong to local accounts.
 *
 * @param socket of the helper
 * @param tree the name by which the helper knows the folder of the files; empty: the area's name
 * @param rules a file with an account and who has it on each line
 * @param gridMapfile a file with the name in a certificate and an account on each line
 */
public record AccountsProperties(
    @DefaultValue("/run/staithe-accounts/socket") Path socket,
    @DefaultValue("") String tree,
    @Nullable Path rules,
    @Nullable Path gridMapfile) {

  /** Checks the values where files belong to accounts, and that there are none where not. */
  void check(boolean used) {
    if (!used) {
      Settings.require(
          rules == null && gridMapfile == null,
          "accounts",
          String.valueOf(rules == null ? gridMapfile : rules),
          "absent without store: accounts");
      return;
    }
    Settings.require(
        socket.isAbsolute(), "accounts.socket", String.valueOf(socket), "an absolute path");
    Settings.require(
        tree.matches("[A-Za-z0-9._-]{0,64}"),
        "accounts.tree",
        tree,
        "up to 64 of A-Z a-z 0-9 . _ -");
    Settings.require(
        rules != null || gridMapfile != null,
        "accounts.rules",
        "",
        "a file that maps people to accounts, where accounts.grid-mapfile is absent");
    if (rules != null) {
      Settings.requireFile(rules, "accounts.rules");
    }
    if (gridMapfile != null) {
      Settings.requireFile(gridMapfile, "accounts.grid-mapfile");
    }
  }
}
