package dev.staithe.storage.contracts.host;

import dev.staithe.contracts.host.Attestation;
import dev.staithe.contracts.host.PropertyRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an area's files leave and come under.
 *
 * @param mode whether they need a contract
 * @param hosts partners as URLs name them: {@code host:port}, {@code host} where that is 443
 * @param people who may be parties too; null: people may not
 * @param rules what a host that asks, or is pushed to, must say of itself
 * @param attested the TPMs of hosts, by their names in {@code hosts}; none: no host needs one
 * @param terms SHA-256 of the terms, in hexadecimal; empty: none
 * @param termsUrl where they can be read; empty: nowhere
 * @param receipts when a file that came is put in its place
 * @param mostOpen contracts of one host that it has not acknowledged
 */
public record AreaContracts(
    Mode mode,
    Set<String> hosts,
    @Nullable AreaPeople people,
    List<PropertyRule> rules,
    Map<String, TrustedTpm> attested,
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

  private static final String ATTESTATION = "attestation";

  /** No contracts. */
  public static final AreaContracts NONE =
      new AreaContracts(Mode.OFF, Set.of(), null, List.of(), Map.of(), "", "", Receipts.SYNC, 1);

  /** Takes copies. */
  public AreaContracts {
    hosts = Set.copyOf(hosts);
    rules = List.copyOf(rules);
    attested = Map.copyOf(attested);
  }

  /** The same for a copy whose client wants a contract; of an area without, there is none. */
  public AreaContracts required() {
    return mode == Mode.OFF
        ? this
        : new AreaContracts(
            Mode.REQUIRE, hosts, people, rules, attested, terms, termsUrl, receipts, mostOpen);
  }

  /**
   * Compares what a host or person says of itself, and its TPM of it, with what the area wants.
   *
   * @param peer {@code host:port}, or a person's name
   * @throws ContractRefusal that names each property that fails, wanted and offered
   */
  public void demand(String peer, Map<String, Object> values, Attestation attestation)
      throws ContractRefusal {
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
    lack(peer, attestation)
        .ifPresent(
            lack -> {
              failed.add(
                  Map.of(
                      "property", ATTESTATION, "wanted", lack.wanted(), "offered", lack.offered()));
              lines.add(ATTESTATION + ": wanted " + lack.wanted() + ", offered " + lack.offered());
            });
    if (!failed.isEmpty()) {
      throw new ContractRefusal(403, "host-properties", String.join("; ", lines), failed);
    }
  }

  /** What it wants of a host or person, as it was written. */
  public List<String> wanted() {
    List<String> all = new ArrayList<>(rules.stream().map(PropertyRule::text).toList());
    if (!attested.isEmpty()) {
      all.add(ATTESTATION);
    }
    return all;
  }

  /** What there is not of a quote that the area wants. */
  private Optional<TrustedTpm.Lack> lack(String peer, Attestation attestation) {
    if (attested.isEmpty()) {
      return Optional.empty();
    }
    TrustedTpm known = attested.get(peer);
    return known == null ? TrustedTpm.ofStranger(peer, attestation) : known.lack(peer, attestation);
  }

  /** What another side says, as it may stand in a line. */
  public static String printable(String text) {
    String clean = text.replaceAll("[^\\x20-\\x7e]", "?");
    return clean.length() > 200 ? clean.substring(0, 200) : clean;
  }
}
