package dev.staithe.storage.contracts;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.BadSignature;
import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.ContractField;
import dev.staithe.contracts.ContractRecord;
import dev.staithe.contracts.Hash;
import dev.staithe.contracts.HostProperties;
import dev.staithe.contracts.MessageSignature;
import dev.staithe.contracts.PartyKey;
import dev.staithe.contracts.PersonProperties;
import dev.staithe.contracts.PropertyRule;
import dev.staithe.contracts.SignatureProfile;
import dev.staithe.contracts.SignedMessage;
import dev.staithe.pki.GridSubject;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.dav.DavMethod;
import dev.staithe.storage.dav.Exchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GET from an area with contracts: the request is verified and the asking host's properties are
 * compared before the file is opened, the answer is signed before its first byte. Stateless.
 */
final class ContractedGet implements DavMethod {
  private static final Logger log = LoggerFactory.getLogger(ContractedGet.class);

  private static final String PROBLEM = "tag:staithe.dev,2026:";

  private final DavMethod here;
  private final Contracts contracts;
  private final Party party;

  ContractedGet(DavMethod here, Contracts contracts, Party party) {
    this.here = here;
    this.contracts = contracts;
    this.party = party;
  }

  /** A request that is good. */
  private record Agreed(
      String id, String peer, SignedMessage request, MessageSignature signature) {}

  /** Ends the judging of a request; never leaves this class. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String type;
    private final transient List<Map<String, Object>> failed;

    Refused(int status, String type, String line, List<Map<String, Object>> failed) {
      super(line, null, false, false);
      this.status = status;
      this.type = type;
      this.failed = failed;
    }

    Refused(String line) {
      this(403, "contract-required", line, List.of());
    }
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    AreaContracts area = contracts.of(exchange.area().name());
    boolean asks = exchange.header(Party.CONTRACT) != null;
    boolean mayRead = exchange.admission(exchange.path(), Right.READ) instanceof Admission.Allowed;
    if (area.mode() == AreaContracts.Mode.OFF
        || area.mode() == AreaContracts.Mode.OFFER && !asks
        || !mayRead
        || exchange.area().store().find(exchange.path()).filter(f -> !f.collection()).isEmpty()) {
      here.handle(exchange);
      return;
    }
    Agreed agreed;
    try {
      agreed = judge(exchange, area);
    } catch (Refused refused) {
      refuse(exchange, area, refused);
      return;
    }
    exchange.sealed(() -> seal(exchange, agreed));
    boolean whole = false;
    try {
      here.handle(exchange);
      whole = true;
    } finally {
      contracts
          .store()
          .move(
              ContractRow.Side.SENDER,
              agreed.id(),
              List.of(ContractRow.State.SENDING),
              whole ? ContractRow.State.SENT : ContractRow.State.BROKEN,
              party.now());
    }
  }

  private Agreed judge(Exchange exchange, AreaContracts area) throws Refused {
    HttpFields fields = exchange.request().getHeaders();
    if (exchange.header(Party.CONTRACT) == null) {
      throw new Refused(
          "files of this area leave by contract only: sign the request (RFC 9421) with Contract and"
              + " Host-Properties"
              + (area.people() == null ? "" : ", as 'staithe get URL' does for people"));
    }
    if (fields.contains(HttpHeader.RANGE)) {
      throw new Refused(
          400, "contract", "a contract is for the whole file, without Range", List.of());
    }
    try {
      return judge(exchange, area, message(exchange));
    } catch (BadSignature bad) {
      contracts.failedVerification();
      throw new Refused(403, "contract-signature", bad.line(), List.of());
    } catch (IOException unknown) {
      log.warn("request {}: no keys of a partner: {}", exchange.requestId(), unknown.getMessage());
      throw new Refused(
          503, "contract-keys", "the keys of the host that asks cannot be had", List.of());
    }
  }

  private Agreed judge(Exchange exchange, AreaContracts area, SignedMessage message)
      throws Refused, BadSignature, IOException {
    ContractField field =
        ContractField.parse(message.field(Party.CONTRACT.toLowerCase(Locale.ROOT)));
    MessageSignature signature = SignatureProfile.REQUEST.find(message);
    String text = String.valueOf(message.field("host-properties"));
    Asking asking =
        PersonProperties.isOne(text)
            ? person(exchange, signature, text)
            : host(area, signature, text);
    signature.verify(asking.key(), Set.copyOf(SignatureProfile.REQUEST.covered()), party.now());
    if (!String.valueOf(message.targetUri()).startsWith(party.origin() + "/")) {
      throw new BadSignature("the request was made for another host than " + party.origin());
    }
    checkToken(exchange, field);
    checkTerms(area, field);
    checkProperties(area, asking.values());
    String peer = asking.peer();
    if (contracts.store().find(ContractRow.Side.SENDER, field.id()).isPresent()) {
      throw new Refused(409, "contract-replayed", "this contract was asked for before", List.of());
    }
    if (contracts.store().open(peer) >= area.mostOpen()) {
      throw new Refused(
          403,
          "contracts-open",
          peer + " has too many contracts that it has not acknowledged",
          List.of());
    }
    return new Agreed(field.id(), peer, message, signature);
  }

  /**
   * Who asks.
   *
   * @param peer {@code host:port}, or a person's name
   * @param key by which the request must be signed
   * @param values that are stated
   */
  private record Asking(String peer, PartyKey key, Map<String, Object> values) {}

  private Asking person(Exchange exchange, MessageSignature signature, String text)
      throws Refused, BadSignature {
    People people =
        contracts
            .people(exchange.area().name())
            .orElseThrow(
                () ->
                    new Refused(
                        403,
                        "contract-host",
                        "this area has contracts with hosts alone, and none with people",
                        List.of()));
    PersonProperties person = people.judge(text, party.now());
    String name = person.subject().name();
    if (exchange.caller() instanceof CertificateCaller(GridSubject shown, var _, var _, var _)
        && !shown.equals(person.subject())) {
      throw new BadSignature(
          "the property list is by " + name + ", the connection by " + shown.name());
    }
    if (!person.key().id().equals(signature.keyId())) {
      throw new BadSignature("the signature is not by the key that the property list names");
    }
    return new Asking(name, person.key(), person.values());
  }

  private Asking host(AreaContracts area, MessageSignature signature, String text)
      throws Refused, BadSignature, IOException {
    String issuer = HostProperties.claimedIssuer(text);
    String peer = issuer.startsWith("https://") ? issuer.substring("https://".length()) : "";
    if (!area.hosts().contains(peer)) {
      throw new Refused(
          403, "contract-host", "this area has no contracts with " + printable(issuer), List.of());
    }
    Optional<String> log =
        area.mode() == AreaContracts.Mode.REQUIRE
            ? contracts.witness().against(peer)
            : Optional.empty();
    if (log.isPresent()) {
      throw new Refused(
          403, "log-inconsistent", "the log of " + peer + " is not what it was", List.of());
    }
    Partners.Known known = contracts.partners().of(peer, signature.keyId());
    var key = known.keys().get(signature.keyId());
    if (key == null) {
      throw new BadSignature("the signature is by no key that " + peer + " publishes");
    }
    HostProperties properties = HostProperties.verify(text, known.keys(), party.now());
    return new Asking(peer, key, properties.values());
  }

  /** The contract is of this very credential, and does not hold it. */
  private static void checkToken(Exchange exchange, ContractField field) throws BadSignature {
    String shown = exchange.header("Authorization");
    String query = exchange.request().getHttpURI().getQuery();
    if (query != null && query.contains("authz=")) {
      throw new BadSignature("a credential in the URL would be kept with the contract");
    }
    String hash =
        shown == null
            ? ""
            : HexFormat.of().formatHex(Hash.of(shown.getBytes(StandardCharsets.UTF_8)));
    if (!MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII),
        field.token().getBytes(StandardCharsets.US_ASCII))) {
      throw new BadSignature("the contract is for another credential than the request shows");
    }
  }

  private static void checkTerms(AreaContracts area, ContractField field) throws Refused {
    if (!area.terms().equals(field.terms())) {
      throw new Refused(
          403,
          "contract-terms",
          area.terms().isEmpty()
              ? "this area has no terms to agree to"
              : "agree to the terms of sha-256 " + area.terms() + " at " + area.termsUrl(),
          List.of());
    }
  }

  private static void checkProperties(AreaContracts area, Map<String, Object> values)
      throws Refused {
    List<Map<String, Object>> failed = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (PropertyRule rule : area.rules()) {
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
      throw new Refused(403, "host-properties", String.join("; ", lines), failed);
    }
  }

  private static String printable(String text) {
    String clean = text.replaceAll("[^\\x20-\\x7e]", "?");
    return clean.length() > 200 ? clean.substring(0, 200) : clean;
  }

  private void refuse(Exchange exchange, AreaContracts area, Refused refused) throws IOException {
    contracts.refused();
    String line = String.valueOf(refused.getMessage());
    log.info("request {}: no contract: {}", exchange.requestId(), line);
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("type", PROBLEM + refused.type);
    problem.put("status", refused.status);
    problem.put("title", "No contract");
    problem.put("detail", line);
    if (!refused.failed.isEmpty()) {
      problem.put("failed", refused.failed);
    }
    problem.put("wanted", area.rules().stream().map(PropertyRule::text).toList());
    HttpFields.Mutable headers = exchange.response().getHeaders();
    headers.put("Want-Host-Properties", "?1");
    if (!area.terms().isEmpty()) {
      problem.put("terms", area.termsUrl());
      headers.put(
          Contracts.TERMS,
          ":" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(area.terms())) + ":");
    }
    byte[] body = JSONObjectUtils.toJSONString(problem).getBytes(StandardCharsets.UTF_8);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    headers.put(HttpHeader.CONTENT_LENGTH, body.length);
    exchange.response().setStatus(refused.status);
    exchange.write(ByteBuffer.wrap(body), true);
  }

  /** Signs the answer, and keeps the contract before the first byte goes out. */
  private void seal(Exchange exchange, Agreed agreed) throws IOException {
    HttpFields.Mutable headers = exchange.response().getHeaders();
    String contract = new ContractField(agreed.id(), "", "").encode();
    headers.put(Party.CONTRACT, contract);
    int status = exchange.response().getStatus();
    String length = headers.get(HttpHeader.CONTENT_LENGTH);
    String digest = headers.get("Repr-Digest");
    if (status != 200 || length == null || digest == null) {
      throw new IOException("an answer under contract lacks what is to be signed");
    }
    try {
      SignedMessage answer =
          SignedMessage.answer(
              status,
              Map.of(
                  "contract",
                  List.of(contract),
                  "content-length",
                  List.of(length),
                  "repr-digest",
                  List.of(digest)),
              agreed.request());
      MessageSignature signature = party.sign(answer, SignatureProfile.ANSWER);
      boolean fresh =
          contracts
              .store()
              .add(
                  new ContractRow(
                      ContractRow.Side.SENDER,
                      agreed.id(),
                      ContractRow.State.SENDING,
                      exchange.area().name(),
                      exchange.path().toString(),
                      agreed.peer(),
                      party.now(),
                      Long.parseLong(length),
                      HexFormat.of().formatHex(ContractAudit.sha256(digest)),
                      ContractRecord.Part.of(agreed.signature()),
                      ContractRecord.Part.of(signature),
                      "",
                      null,
                      null));
      if (!fresh) {
        throw new IOException("the same contract is asked for twice at once");
      }
      headers.put("Signature-Input", signature.inputField());
      headers.put("Signature", signature.signatureField());
      log.info("contract {}: {} bytes to {}", agreed.id(), length, agreed.peer());
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  /** The request as its sender saw it. */
  private static SignedMessage message(Exchange exchange) {
    HttpFields headers = exchange.request().getHeaders();
    Map<String, List<String>> fields = new HashMap<>();
    for (String name :
        List.of(Party.CONTRACT, Party.PROPERTIES, Party.WANTED, "Signature-Input", "Signature")) {
      List<String> values = headers.getValuesList(name);
      if (!values.isEmpty()) {
        fields.put(name, values);
      }
    }
    String host = Optional.ofNullable(headers.get(HttpHeader.HOST)).orElse("");
    return SignedMessage.request(
        exchange.request().getMethod(),
        "https://" + host + exchange.request().getHttpURI().getPathQuery(),
        fields);
  }
}
