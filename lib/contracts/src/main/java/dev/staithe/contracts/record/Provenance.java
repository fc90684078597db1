package dev.staithe.contracts.record;

import dev.staithe.contracts.signature.BadSignature;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A contract in the terms of W3C PROV, as PROV-JSON (W3C Member Submission of 24 April 2013): the
 * transfer is an activity that used the sender's file and generated the receiver's, both parties
 * are agents, and the terms are the plan. It is a reading of a statement, not the proof.
 */
public final class Provenance {
  private static final String SPACE = "tag:staithe.dev,2026:";

  private final Map<String, Map<String, Object>> document = new LinkedHashMap<>();

  private Provenance() {}

  /**
   * Reads a statement.
   *
   * @throws BadSignature where it cannot be read
   */
  public static Map<String, ?> of(Statement statement) throws BadSignature {
    ContractRecord record = ContractRecord.parse(statement.claimed().content());
    Provenance provenance = new Provenance();
    provenance.prefixes(record.id());
    provenance.write(record, statement);
    return provenance.document;
  }

  private void prefixes(String id) {
    put("prefix", "staithe", SPACE);
    put("prefix", "c", SPACE + "contract:" + id + ":");
  }

  private void write(ContractRecord record, Statement statement) throws BadSignature {
    Received received = Received.parse(record.received());
    ContractEntry entry = ContractEntry.of(statement);
    put("agent", "c:sender", agent(record.sender()));
    put("agent", "c:receiver", agent(record.receiver()));
    put("entity", "c:source", file(record.pushed() ? "" : entry.url(), received));
    put(
        "activity",
        "c:transfer",
        Map.of(
            "prov:endTime",
            received.time().toString(),
            "staithe:contract",
            record.id(),
            "staithe:state",
            entry.state()));
    relate("used", "c:transfer", "c:source");
    relate("wasAttributedTo", "c:source", "c:sender");
    plan(ContractField.parse(record.request().line("contract").orElse(null)).terms());
    if (received.kept()) {
      put("entity", "c:received", file(record.pushed() ? entry.url() : "", received));
      relate("wasGeneratedBy", "c:received", "c:transfer");
      relate("wasDerivedFrom", "c:received", "c:source");
      relate("wasAttributedTo", "c:received", "c:receiver");
    }
    put(
        "entity",
        "c:statement",
        Map.of("staithe:log-entry", HexFormat.of().formatHex(statement.entry())));
    relate("wasGeneratedBy", "c:statement", "c:transfer");
  }

  private static Map<String, Object> agent(String party) {
    return Map.of(
        "prov:type",
        ContractRecord.isHost(party) ? "prov:SoftwareAgent" : "prov:Person",
        "prov:label",
        party);
  }

  private static Map<String, Object> file(String url, Received received) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("staithe:sha-256", HexFormat.of().formatHex(received.sha256()));
    file.put("staithe:size", received.size());
    if (!url.isEmpty()) {
      file.put("prov:location", url);
    }
    return file;
  }

  private void plan(String terms) {
    Map<String, Object> asked = relation("wasAssociatedWith", "c:transfer", "c:receiver");
    if (!terms.isEmpty()) {
      put("entity", "c:terms", Map.of("prov:type", "prov:Plan", "staithe:sha-256", terms));
      asked.put("prov:plan", "c:terms");
    }
    put("wasAssociatedWith", "_:asked", asked);
    put("wasAssociatedWith", "_:sent", relation("wasAssociatedWith", "c:transfer", "c:sender"));
  }

  /** By the names that PROV-JSON has for both ends of a relation. */
  private static Map<String, Object> relation(String kind, String from, String to) {
    String[] ends =
        switch (kind) {
          case "used" -> new String[] {"prov:activity", "prov:entity"};
          case "wasGeneratedBy" -> new String[] {"prov:entity", "prov:activity"};
          case "wasAttributedTo" -> new String[] {"prov:entity", "prov:agent"};
          case "wasAssociatedWith" -> new String[] {"prov:activity", "prov:agent"};
          default -> new String[] {"prov:generatedEntity", "prov:usedEntity"};
        };
    Map<String, Object> relation = new LinkedHashMap<>();
    relation.put(ends[0], from);
    relation.put(ends[1], to);
    return relation;
  }

  private void relate(String kind, String from, String to) {
    put(kind, "_:" + from.substring(2) + "-" + to.substring(2), relation(kind, from, to));
  }

  private void put(String kind, String name, Object value) {
    document.computeIfAbsent(kind, k -> new LinkedHashMap<>()).put(name, value);
  }
}
