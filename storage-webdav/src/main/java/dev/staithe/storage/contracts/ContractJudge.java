package dev.staithe.storage.contracts;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.host.Attestation;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.person.PersonProperties;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.ContractRefusal;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.host.People;
import dev.staithe.storage.exchange.Exchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What requests under contract are judged by, whatever they ask for. Stateless. */
final class ContractJudge {
  private static final Logger log = LoggerFactory.getLogger(ContractJudge.class);

  private static final String PROBLEM = "tag:staithe.dev,2026:";

  private final Contracts contracts;
  private final Party party;

  ContractJudge(Contracts contracts, Party party) {
    this.contracts = contracts;
    this.party = party;
  }

  /** What is found of one kind of request. */
  interface Judging<T> {
    /**
     * Judges it.
     *
     * @throws IOException where the keys of the other side cannot be had
     */
    T judge(SignedMessage message) throws ContractRefusal, BadSignature, IOException;
  }

  /**
   * Who asks or offers.
   *
   * @param peer {@code host:port}, or a person's name
   * @param key by which the request must be signed
   * @param values that are stated
   * @param attestation what the TPM says beside
   */
  record Asking(String peer, PartyKey key, Map<String, Object> values, Attestation attestation) {}

  /** What was found; empty where the request is refused and the refusal is on its way. */
  <T> Optional<T> judged(Exchange exchange, AreaContracts area, Judging<T> judging)
      throws IOException {
    ContractRefusal refusal;
    try {
      Optional<String> obstacle = contracts.obstacle();
      if (obstacle.isPresent()) {
        throw new ContractRefusal(503, "contracts-stand-still", obstacle.get());
      }
      return Optional.of(judging.judge(message(exchange)));
    } catch (ContractRefusal refused) {
      refusal = refused;
    } catch (BadSignature bad) {
      contracts.failedVerification();
      refusal = new ContractRefusal(403, "contract-signature", bad.line());
    } catch (IOException unknown) {
      log.warn("request {}: no keys of a partner: {}", exchange.requestId(), unknown.getMessage());
      refusal =
          new ContractRefusal(503, "contract-keys", "the keys of the host that asks cannot be had");
    }
    refuse(exchange, area, refusal);
    return Optional.empty();
  }

  /** The partner or person who signs; not yet that it is signed. */
  Asking asking(Exchange exchange, AreaContracts area, MessageSignature signature, String text)
      throws ContractRefusal, BadSignature, IOException {
    return !contracts.verifiedProperties().has(text) && PersonProperties.isOne(text)
        ? person(exchange, signature, text)
        : host(area, signature, text);
  }

  /** The person who signs by the key that her list names; not yet that she signed. */
  Asking person(Exchange exchange, MessageSignature signature, String text)
      throws ContractRefusal, BadSignature {
    People people =
        contracts
            .people(exchange.area().name())
            .orElseThrow(
                () ->
                    new ContractRefusal(
                        403,
                        "contract-host",
                        "this area has contracts with hosts alone, and none with people"));
    PersonProperties person = people.judge(text, exchange.caller(), party.now());
    if (!person.key().id().equals(signature.keyId())) {
      throw new BadSignature("the signature is not by the key that the property list names");
    }
    return new Asking(person.name(), person.key(), person.values(), new Attestation.OfPerson());
  }

  private Asking host(AreaContracts area, MessageSignature signature, String text)
      throws ContractRefusal, BadSignature, IOException {
    VerifiedProperties verified = contracts.verifiedProperties();
    String issuer = verified.issuer(text);
    String peer = Party.peer(issuer);
    if (!area.hosts().contains(peer)) {
      throw new ContractRefusal(
          403,
          "contract-host",
          "this area has no contracts with " + AreaContracts.printable(issuer));
    }
    Optional<String> distrusted =
        area.mode() == AreaContracts.Mode.REQUIRE
            ? contracts.witness().against(peer)
            : Optional.empty();
    if (distrusted.isPresent()) {
      throw new ContractRefusal(
          403, "log-inconsistent", "the log of " + peer + " is not what it was");
    }
    Partners.Known known = contracts.partners().of(peer, signature.keyId());
    PartyKey key = known.key(peer, signature.keyId());
    HostProperties properties = verified.of(text, known, party.now());
    return new Asking(peer, key, properties.values(), properties.attestation());
  }

  /** Whether it was signed by that key, now, and for this host. */
  void verify(
      SignedMessage message, MessageSignature signature, SignatureProfile profile, PartyKey key)
      throws BadSignature {
    signature.verify(key, profile, party.now());
    if (!String.valueOf(message.targetUri()).startsWith(party.origin() + "/")) {
      throw new BadSignature("the request was made for another host than " + party.origin());
    }
  }

  /** The contract is of this very credential, and does not hold it. */
  static void requireToken(Exchange exchange, ContractField field) throws BadSignature {
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

  /** Answers that there is no contract, and to who asks for a file what is needed for one. */
  private void refuse(Exchange exchange, AreaContracts area, ContractRefusal refused)
      throws IOException {
    contracts.refused().add(refused);
    log.info("request {}: no contract: {}", exchange.requestId(), refused.line());
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("type", PROBLEM + refused.type());
    problem.put("status", refused.status());
    problem.put("title", "No contract");
    problem.put("detail", refused.line());
    if (!refused.failed().isEmpty()) {
      problem.put("failed", refused.failed());
    }
    HttpFields.Mutable headers = exchange.response().getHeaders();
    if (refused.status() == 503) {
      headers.put(HttpHeader.RETRY_AFTER, Exchange.RETRY_SECONDS);
    }
    headers.put(Party.WANTED_PROPERTIES, "?1");
    if (List.of("GET", "HEAD").contains(exchange.request().getMethod())) {
      problem.put("wanted", area.wanted());
      if (!area.terms().isEmpty()) {
        problem.put("terms", area.termsUrl());
        headers.put(
            Contracts.TERMS,
            ":" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(area.terms())) + ":");
      }
    }
    byte[] body = JSONObjectUtils.toJSONString(problem).getBytes(StandardCharsets.UTF_8);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    headers.put(HttpHeader.CONTENT_LENGTH, body.length);
    exchange.response().setStatus(refused.status());
    exchange.write(ByteBuffer.wrap(body), true);
  }

  /** The request as its sender saw it. */
  private static SignedMessage message(Exchange exchange) {
    HttpFields headers = exchange.request().getHeaders();
    Map<String, List<String>> fields = new HashMap<>();
    for (String name : Party.FIELDS) {
      List<String> values = headers.getValuesList(name);
      if (!values.isEmpty()) {
        fields.put(name, values);
      }
    }
    Request request = exchange.request();
    return SignedMessage.request(
        request.getMethod(), url(request, request.getHttpURI().getPathQuery()), fields);
  }

  /** As the client wrote it; HTTP/2 has an authority and no Host (RFC 9113 section 8.3.1). */
  static String url(Request request, String path) {
    String host = request.getHeaders().get(HttpHeader.HOST);
    return "https://" + (host == null ? request.getHttpURI().getAuthority() : host) + path;
  }
}
