package dev.staithe.gateway.wss;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.xml.Elements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Judges the tokens beside the one that protects the message: those that the policy asks for, and
 * no others (WS-SecurityPolicy 1.2 section 8).
 */
final class SupportingTokens {
  /**
   * What came of them.
   *
   * @param caller whom the first of them stands for; null where they stand for nobody
   * @param once what must never come again
   */
  record Verdict(@Nullable Caller caller, List<Findings.Once> once) {}

  private final Surroundings surroundings;
  private final Arrival arrival;
  private final SecurityHeader header;
  private final TreeKeys keys;
  private final Instant now;

  SupportingTokens(
      Surroundings surroundings,
      Arrival arrival,
      SecurityHeader header,
      TreeKeys keys,
      Instant now) {
    this.surroundings = surroundings;
    this.arrival = arrival;
    this.header = header;
    this.keys = keys;
    this.now = now;
  }

  /**
   * Judges them.
   *
   * @param decrypted what came encrypted
   * @param coverage of the main signature; null where TLS protects
   * @param endorsing signatures, each already known to cover what it must
   * @param other whom the main signature or TLS stands for; null where they stand for nobody
   */
  Verdict judge(
      List<Decryption.Decrypted> decrypted,
      @Nullable Coverage coverage,
      List<SantuarioCheck.Verified> endorsing,
      @Nullable Caller other)
      throws RefusedMessage {
    List<Element> users =
        new ArrayList<>(
            header.users().stream()
                .filter(each -> Elements.child(each, Namespaces.WSSE11, "Salt") == null)
                .toList());
    List<SantuarioCheck.Verified> signatures = new ArrayList<>(endorsing);
    List<SecurityContext> renewed = renewed(signatures);
    List<Findings.Once> once = new ArrayList<>();
    Caller caller = null;
    for (SupportingToken wanted : arrival.expectation().policy().supporting()) {
      Caller found =
          switch (wanted.kind()) {
            case USERNAME_TEXT, USERNAME_DIGEST, USERNAME_ONLY -> {
              Element user = one(users);
              check(wanted, user, decrypted, coverage);
              yield user(wanted.kind(), user, once);
            }
            case X509 -> certificate(wanted, signatures, coverage);
            case BEARER -> bearer();
          };
      caller = caller == null ? found : caller;
    }
    if (!users.isEmpty() || !signatures.isEmpty()) {
      throw new RefusedMessage(
          Refusal.POLICY, "a supporting token that the policy does not ask for");
    }
    Caller whole = caller == null ? other : caller;
    for (SecurityContext each : renewed) {
      if (whole == null || !each.owner().isSame(whole)) {
        throw new RefusedMessage(Refusal.CONTEXT, "endorsed by a context of somebody else");
      }
    }
    return new Verdict(caller, once);
  }

  /** Takes out what the key of a context has signed that is to be renewed. */
  private List<SecurityContext> renewed(List<SantuarioCheck.Verified> signatures) {
    List<SecurityContext> found = new ArrayList<>();
    if (arrival.expectation().renewal()) {
      signatures.removeIf(
          each ->
              each.key().root() instanceof TreeKey.OfContext(SecurityContext context, byte[] _)
                  && found.add(context));
    }
    return found;
  }

  private static Element one(List<Element> users) throws RefusedMessage {
    if (users.isEmpty()) {
      throw new RefusedMessage(Refusal.AUTHENTICATION, "no token of a user");
    }
    return users.removeFirst();
  }

  private void check(
      SupportingToken wanted,
      Element token,
      List<Decryption.Decrypted> decrypted,
      @Nullable Coverage coverage)
      throws RefusedMessage {
    boolean came = decrypted.stream().anyMatch(each -> each.element() == token);
    boolean secret = wanted.encrypted() || wanted.kind() == SupportingToken.Kind.USERNAME_TEXT;
    if (secret && !came && !arrival.transport().tls()) {
      throw new RefusedMessage(Refusal.COVERAGE, "a user's token in the clear");
    }
    boolean signed = wanted.signed() || wanted.kind() == SupportingToken.Kind.USERNAME_ONLY;
    if (signed && coverage != null && !coverage.covers(token)) {
      throw new RefusedMessage(Refusal.COVERAGE, "a user's token that is not signed");
    }
  }

  private Caller user(SupportingToken.Kind kind, Element token, List<Findings.Once> once)
      throws RefusedMessage {
    var user = UserToken.read(token, arrival.expectation().limits());
    switch (kind) {
      case USERNAME_TEXT -> {
        Findings.Once mark =
            user.checkText(
                surroundings.passwords(), arrival.envelope(), now, arrival.expectation().limits());
        if (mark != null) {
          once.add(mark);
        }
      }
      case USERNAME_DIGEST ->
          once.add(user.checkDigest(surroundings.passwords(), now, arrival.expectation().limits()));
      default -> user.checkNone();
    }
    return new Caller.Username(user.username());
  }

  private @Nullable Caller certificate(
      SupportingToken wanted, List<SantuarioCheck.Verified> signatures, @Nullable Coverage coverage)
      throws RefusedMessage {
    if (!wanted.endorsing()) {
      // Shown but not used: it proves nothing of whoever sent it.
      for (Element each : header.certificates()) {
        if (!wanted.signed() || coverage == null || coverage.covers(each)) {
          return null;
        }
      }
      throw new RefusedMessage(Refusal.COVERAGE, "no certificate is shown as demanded");
    }
    if (signatures.isEmpty()) {
      throw new RefusedMessage(Refusal.COVERAGE, "no endorsing signature");
    }
    SantuarioCheck.Verified signature = signatures.removeFirst();
    if (!(signature.key() instanceof TreeKey.OfCertificate held)) {
      throw new RefusedMessage(Refusal.POLICY, "an endorsing signature without a certificate");
    }
    if (keys.certificates().isOfOurKey(held.chain().getFirst())) {
      // Answers have a signed timestamp too.
      throw new RefusedMessage(Refusal.UNTRUSTED, "an answer of our own that comes back");
    }
    if (wanted.signed() && coverage != null) {
      List<Element> named = Elements.children(signature.shape().keyInfo());
      Element token = keys.token(named.getFirst());
      if (token.getParentNode() == header.element() && !coverage.covers(token)) {
        throw new RefusedMessage(Refusal.COVERAGE, "an endorsing certificate that is not signed");
      }
    }
    return switch (surroundings.signers().judge(held.chain())) {
      case Surroundings.Judgement.Trusted(Caller.Certificate caller) -> caller;
      case Surroundings.Judgement.Untrusted(String line) ->
          throw new RefusedMessage(Refusal.UNTRUSTED, line);
    };
  }

  private Caller bearer() throws RefusedMessage {
    Caller.Token bearer = arrival.transport().bearer();
    if (bearer == null) {
      throw new RefusedMessage(Refusal.AUTHENTICATION, "no token of the authentication service");
    }
    return bearer;
  }
}
