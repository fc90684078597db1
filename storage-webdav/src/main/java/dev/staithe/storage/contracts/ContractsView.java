package dev.staithe.storage.contracts;

import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.log.Checkpoint;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.pages.ContractsPage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the page of contracts shows of this host now. Stateless. */
final class ContractsView {
  private ContractsView() {}

  static ContractsPage.View of(Contracts contracts, Party party) {
    HostProperties properties = party.properties();
    Checkpoint checkpoint = party.log().checkpoint();
    List<ContractsPage.Partner> partners = new ArrayList<>();
    contracts
        .witness()
        .findings()
        .forEach(
            (host, finding) ->
                partners.add(
                    new ContractsPage.Partner(
                        host,
                        finding.size(),
                        finding.time().equals(Instant.EPOCH)
                            ? "not since the start"
                            : time(finding.time()),
                        finding.against())));
    return new ContractsPage.View(
        party.origin(),
        described(properties.values()),
        "until %s, anew when asked for after %s"
            .formatted(time(properties.expires()), time(properties.renewed())),
        contracts.store().openByPeer().stream()
            .map(each -> new ContractsPage.Open(each.peer(), each.count(), time(each.oldest())))
            .toList(),
        contracts.untold(),
        contracts.refused().byReason(),
        contracts.failedVerifications(),
        new ContractsPage.Log(
            party.log().verifier().name(),
            checkpoint.size(),
            party.log().bytes(),
            Base64.getEncoder().encodeToString(checkpoint.root())),
        partners);
  }

  private static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** A part of a property is shown by {@code software.version}, as expressions name it. */
  private static Map<String, String> described(Map<String, Object> values) {
    Map<String, String> shown = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          switch (value) {
            case Map<?, ?> parts ->
                parts.forEach((part, each) -> shown.put(name + "." + part, each.toString()));
            case List<?> all ->
                shown.put(
                    name, all.stream().map(Object::toString).collect(Collectors.joining(", ")));
            default -> shown.put(name, value.toString());
          }
        });
    return shown;
  }
}
