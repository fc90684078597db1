package dev.staithe.storage.contracts;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractRow;
import dev.staithe.storage.contracts.journal.ContractStore;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.PageHeaders;
import dev.staithe.storage.pages.ContractsPage;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /.staithe/contracts}: the contracts of this host, for operators and auditors. Behind
 * the gate of the metrics, as it tells who got what. Stateless.
 */
@RestController
public final class ContractsDoor {
  /** Where it is. */
  static final String PATH = "/.staithe/contracts";

  private static final Logger log = LoggerFactory.getLogger(ContractsDoor.class);
  private static final int MOST = 1000;

  private final Contracts contracts;

  /** Lists these. */
  public ContractsDoor(Contracts contracts) {
    this.contracts = contracts;
  }

  /**
   * The newest that fit.
   *
   * @param path of the URL that was asked for: that file, or what is below
   * @param host a party, as {@code a.example:8443}; port 443 may be named or not
   * @param since began then or later, as {@code 2026-11-20T00:00:00Z}
   * @param until began before
   * @param limit at most so many, up to 1000
   */
  @GetMapping(path = PATH, produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> list(
      @RequestParam(defaultValue = "") String path,
      @RequestParam(defaultValue = "") String host,
      @RequestParam(defaultValue = "") String since,
      @RequestParam(defaultValue = "") String until,
      @RequestParam(defaultValue = "100") int limit) {
    Optional<Party> party = contracts.party();
    if (party.isEmpty()) {
      return ResponseEntity.notFound().build();
    }
    String named = ContractEntry.party(host);
    String peer = party.get().name().equals(named) ? "" : named;
    ContractStore.Search search;
    try {
      search =
          new ContractStore.Search(
              path,
              peer,
              since.isEmpty() ? Instant.EPOCH : time(since),
              until.isEmpty() ? Instant.ofEpochMilli(Long.MAX_VALUE) : time(until),
              Math.clamp(limit, 1, MOST));
    } catch (DateTimeException | ArithmeticException e) {
      return answer(400, Map.of("message", "a time is as 2026-11-20T00:00:00Z"));
    }
    List<Map<String, Object>> found =
        contracts.store().search(search).stream().map(row -> entry(row).json()).toList();
    return answer(200, Map.of("contracts", found));
  }

  /** To the millisecond, as contracts have theirs: some times are too far away for that. */
  private static Instant time(String text) {
    return Instant.ofEpochMilli(Instant.parse(text).toEpochMilli());
  }

  /**
   * What an operator watches: what is open with whom, what failed, and how the logs are. As JSON,
   * and as a page where a browser asks.
   */
  @GetMapping(PATH + "/state")
  ResponseEntity<byte[]> state(
      @RequestHeader(name = HttpHeaders.ACCEPT, defaultValue = "") String accept) {
    Optional<Party> party = contracts.party();
    if (party.isEmpty()) {
      return ResponseEntity.notFound().build();
    }
    if (accept.toLowerCase(Locale.ROOT).contains(MediaType.TEXT_HTML_VALUE)) {
      var headers = new HttpHeaders();
      PageHeaders.each(headers::add);
      return ResponseEntity.ok()
          .headers(headers)
          .body(ContractsPage.html(ContractsView.of(contracts, party.get())));
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("open", contracts.open());
    List<Map<String, Object>> open = new ArrayList<>();
    for (ContractStore.Open each : contracts.store().openByPeer()) {
      Map<String, Object> peer = new LinkedHashMap<>();
      peer.put("peer", each.peer());
      peer.put("open", each.count());
      peer.put("oldest", each.oldest().toString());
      open.add(peer);
    }
    json.put("open-by-peer", open);
    json.put("untold", contracts.untold());
    json.put("refusals", contracts.refusals());
    json.put("refusals-by-reason", contracts.refused().byReason());
    json.put("failed-verifications", contracts.failedVerifications());
    Map<String, Object> log = new LinkedHashMap<>();
    log.put("entries", contracts.logged());
    log.put("bytes", contracts.logBytes());
    json.put("log", log);
    List<Map<String, Object>> partners = new ArrayList<>();
    contracts
        .witness()
        .findings()
        .forEach(
            (host, finding) -> {
              Map<String, Object> partner = new LinkedHashMap<>();
              partner.put("host", host);
              partner.put("entries", finding.size());
              partner.put("looked-at", finding.time().toString());
              partner.put("inconsistent", finding.against());
              partners.add(partner);
            });
    json.put("logs-of-partners", partners);
    return answer(200, json);
  }

  /** One contract, with the statements of both sides where there are any. */
  @GetMapping(path = PATH + "/{id:[0-9a-f-]{36}}", produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> show(@PathVariable String id) {
    if (contracts.party().isEmpty()) {
      return ResponseEntity.notFound().build();
    }
    List<Map<String, Object>> found = new ArrayList<>();
    for (ContractRow.Side side : ContractRow.Side.values()) {
      contracts.store().find(side, id).ifPresent(row -> found.add(whole(row)));
    }
    return found.isEmpty()
        ? answer(404, Map.of("message", "there is no such contract"))
        : answer(200, Map.of("contracts", found));
  }

  /** While the database is away. */
  @ExceptionHandler
  ResponseEntity<byte[]> away(DataAccessException e) {
    log.warn("{}: {}", Contracts.AWAY, e.getMessage());
    return json(503)
        .header(HttpHeaders.RETRY_AFTER, Integer.toString(Exchange.RETRY_SECONDS))
        .body(encoded(Map.of("message", Contracts.AWAY)));
  }

  private Map<String, Object> whole(ContractRow row) {
    Map<String, Object> json = entry(row).json();
    json.put("side", row.side().name().toLowerCase(Locale.ROOT));
    json.put("area", row.area());
    json.put("path", row.path());
    put(json, "statement", row.own());
    put(json, "partner-statement", row.partner());
    return json;
  }

  private static void put(Map<String, Object> json, String name, byte @Nullable [] statement) {
    if (statement != null && statement.length > 0) {
      json.put(name, Base64.getEncoder().encodeToString(statement));
    }
  }

  private ContractEntry entry(ContractRow row) {
    String own = contracts.party().map(Party::origin).orElse("");
    boolean sends = row.side() == ContractRow.Side.SENDER;
    return new ContractEntry(
        row.id(),
        row.state().name().toLowerCase(Locale.ROOT),
        row.opened(),
        ContractRecord.url(row.request(), row.answer()),
        sends ? own : row.party(),
        sends ? row.party() : own,
        row.size(),
        row.sha256());
  }

  private static ResponseEntity<byte[]> answer(int status, Map<String, Object> json) {
    return json(status).body(encoded(json));
  }

  private static ResponseEntity.BodyBuilder json(int status) {
    return ResponseEntity.status(status)
        .contentType(MediaType.APPLICATION_JSON)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header("X-Content-Type-Options", "nosniff");
  }

  private static byte[] encoded(Map<String, Object> json) {
    return JSONObjectUtils.toJSONString(json).getBytes(StandardCharsets.UTF_8);
  }
}
