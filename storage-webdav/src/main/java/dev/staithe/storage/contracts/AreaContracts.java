package dev.staithe.storage.contracts;

import dev.staithe.contracts.PropertyRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an area's files leave and come under.
 *
 * @param mode whether they need a contract
 * @param hosts partners as URLs name them: {@code host:port}, {@code host} where that is 443
 * @param people authorities of people who may be parties too; null: people may not
 * @param rules what a host that asks, or is pushed to, must say of itself
 * @param terms SHA-256 of the terms, in hexadecimal; empty: none
 * @param termsUrl where they can be read; empty: nowhere
 * @param receipts when a file that came is put in its place
 * @param mostOpen contracts of one host that it has not acknowledged
 */
public record AreaContracts(
    Mode mode,
    Set<String> hosts,
    @Nullable Path people,
    List<PropertyRule> rules,
    String terms,
    String termsUrl,
    Receipts receipts,
    int mostOpen) {
  /** Whether files need a contract. */
  public enum Mode {
    /** There are none here. */
    OFF,
    /** With partners; everybody else is served as ever. */
    OFFER,
    /** Nothing moves without. */
    REQUIRE
  }

  /** When a file that came is put in its place. */
  public enum Receipts {
    /** When the sender has acknowledged the receipt. */
    SYNC,
    /** At once; the receipt follows. */
    ASYNC
  }

  /** No contracts. */
  static final AreaContracts NONE =
      new AreaContracts(Mode.OFF, Set.of(), null, List.of(), "", "", Receipts.SYNC, 1);

  /** Takes copies. */
  public AreaContracts {
    hosts = Set.copyOf(hosts);
    rules = List.copyOf(rules);
  }

  /**
   * Compares what a host or person says of itself with what the area wants.
   *
   * @throws ContractRefusal that names each property that fails, wanted and offered
   */
  void demand(Map<String, Object> values) throws ContractRefusal {
    List<Map<String, Object>> failed = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (PropertyRule rule : rules) {
      if (!rule.holds(values)) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("property", rule.name());
        one.put("wanted", rule.text());
        one.put("offered", printable(rule.offer(values)));
        failed.add(one);
        lines.add("wanted " + rule.text() + ", offered " + one.get("offered"));
      }
    }
    if (!failed.isEmpty()) {
      throw new ContractRefusal(403, "host-properties", String.join("; ", lines), failed);
    }
  }

  /** What another side says, as it may stand in a line. */
  static String printable(String text) {
    String clean = text.replaceAll("[^\\x20-\\x7e]", "?");
    return clean.length() > 200 ? clean.substring(0, 200) : clean;
  }
}
