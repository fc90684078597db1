package dev.staithe.storage.contracts.host;

import dev.staithe.contracts.person.BoundIdToken;
import dev.staithe.contracts.person.PersonProperties;
import dev.staithe.contracts.person.Voucher;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.issuers.IdTokenKeys;
import dev.staithe.tls.ClientCertificateSettings;
import dev.staithe.tls.ClientCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The people who may be parties of an area's contracts: whoever has a certificate of an authority
 * that the area trusts for that, or a proxy of one (RFC 3820), and whoever has an ID token of an
 * issuer that it names. Authorities and revocation lists are read again when their files change.
 * Thread-safe.
 */
public final class People implements AutoCloseable {
  private static final Duration CHECK = Duration.ofMinutes(1);

  private final @Nullable ClientCertificates certificates;
  private final Map<String, Set<String>> clients;
  private final IdTokenKeys issuers;

  private People(
      @Nullable ClientCertificates certificates,
      Map<String, Set<String>> clients,
      IdTokenKeys issuers) {
    this.certificates = certificates;
    this.clients = clients;
    this.issuers = issuers;
  }

  /**
   * Reads the authorities.
   *
   * @throws IOException with one line where none can be read
   */
  public static People open(AreaPeople rules, IdTokenKeys issuers, Clock clock) throws IOException {
    Path trust = rules.trust();
    return new People(
        trust == null
            ? null
            : ClientCertificates.open(
                new ClientCertificateSettings(trust, ClientChainRules.DEFAULT, false, CHECK),
                clock),
        rules.clients(),
        issuers);
  }

  /**
   * Who signed a property list.
   *
   * @param caller who the request is by otherwise, which must be the same person
   * @throws BadSignature with one line where it is not good, or who vouches is not believed
   * @throws ContractRefusal where that cannot be told now
   */
  public PersonProperties judge(String text, Caller caller, Instant now)
      throws BadSignature, ContractRefusal {
    PersonProperties person = PersonProperties.verify(text, now);
    switch (person.voucher()) {
      case Voucher.Certificates shown -> judge(shown);
      case BoundIdToken token -> judge(token, caller, now);
    }
    if (caller instanceof CertificateCaller connection
        && !(person.voucher() instanceof Voucher.Certificates shown
            && shown.subject().equals(connection.subject()))) {
      throw new BadSignature(
          "the property list is by "
              + person.name()
              + ", the connection by "
              + connection.subject().name());
    }
    return person;
  }

  private void judge(Voucher.Certificates person) throws BadSignature {
    if (certificates == null) {
      throw new BadSignature(
          "this area has contracts with people by ID tokens alone, and not by certificates");
    }
    switch (certificates.verdict(person.chain())) {
      case ClientVerdict.Accepted accepted when accepted.subject().equals(person.subject()) -> {}
      case ClientVerdict.Accepted accepted ->
          throw new BadSignature("the certificates are of " + accepted.subject().name());
      case ClientVerdict.Refused(String reason) -> throw new BadSignature(reason);
    }
  }

  private void judge(BoundIdToken token, Caller caller, Instant now)
      throws BadSignature, ContractRefusal {
    Set<String> good = clients.getOrDefault(token.issuer(), Set.of());
    if (good.isEmpty()) {
      throw new BadSignature(
          "this area has no contracts with people by ID tokens of " + token.issuer());
    }
    if (Collections.disjoint(good, token.audience())) {
      throw new BadSignature(
          "the ID token is for another client: audience "
              + AreaContracts.printable(String.join(" ", token.audience())));
    }
    token.requireGood(now, MessageSignature.SKEW, Duration.ZERO);
    try {
      if (!issuers.signed(token.issuer(), token.jwt())) {
        throw new BadSignature("the ID token is signed by no key of " + token.issuer());
      }
    } catch (IOException away) {
      throw new ContractRefusal(503, "contract-keys", String.valueOf(away.getMessage()));
    }
    if (caller instanceof TokenCaller access
        && !(access.issuer().equals(token.issuer()) && access.subject().equals(token.subject()))) {
      throw new BadSignature(
          "the ID token is of " + token.name() + ", the access token of " + access.label());
    }
  }

  @Override
  public void close() {
    if (certificates != null) {
      certificates.close();
    }
  }
}
