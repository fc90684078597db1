package dev.staithe.wss.stream;

import dev.staithe.wss.Caller;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Reply;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is told of a message that was found good: how it is answered, and what was found in it. */
final class Conclusions {
  private final Expectation expectation;
  private final Workspace work;
  private final EnvelopeScan scan;
  private final SecurityScan security;

  Conclusions(Expectation expectation, Workspace work, EnvelopeScan scan, SecurityScan security) {
    this.expectation = expectation;
    this.work = work;
    this.scan = scan;
    this.security = security;
  }

  Opening.Opened opened(
      SignatureCheck check,
      SignatureScan signature,
      MessageKey signer,
      Caller caller,
      PlainMessage message,
      @Nullable Freshness freshness,
      Instant now,
      boolean decrypted) {
    Expectation.Limits limits = expectation.limits();
    Instant until =
        freshness == null
            ? now.plus(limits.freshness()).plus(limits.skew())
            : freshness.until(limits);
    return new Opening.Opened(
        message,
        caller,
        reply(message, signer, signature),
        new Findings(
            "stream",
            check.names(),
            decrypted ? List.of("Body") : List.of(),
            algorithms(signature),
            freshness == null ? null : freshness.created(),
            freshness == null ? null : freshness.expires(),
            List.of(once(signer, signature.value, until)),
            check.evidence(signer, caller)));
  }

  private Reply reply(PlainMessage message, MessageKey signer, SignatureScan signature) {
    Reply.Keys answer =
        switch (signer) {
          case MessageKey.OfCertificate of ->
              new Reply.Keys.ToCertificate(of.certificate().chain().getFirst());
          case MessageKey.OfContext of -> new Reply.Keys.InContext(of.context());
          case MessageKey.Wrapped ignored -> new Reply.Keys.None();
        };
    return new Reply(
        message.version(),
        answer,
        expectation.policy().signatureConfirmation() ? List.of(signature.value) : List.of(),
        message.addressing().messageId());
  }

  /**
   * The signature's value under its key is good once. Under the key, and not the certificate: the
   * message does not say which of several of the same key it is.
   */
  private Findings.Once once(MessageKey signer, byte[] value, Instant until) {
    MessageDigest digest = work.digest("SHA-256");
    digest.update("signature".getBytes(StandardCharsets.US_ASCII));
    switch (signer) {
      case MessageKey.OfCertificate of -> {
        PublicKey key = of.certificate().chain().getFirst().getPublicKey();
        digest.update(Findings.Once.distinct(key, value));
        digest.update(key.getEncoded());
      }
      case MessageKey.OfContext of -> {
        digest.update(value);
        digest.update(of.context().identifier().getBytes(StandardCharsets.UTF_8));
      }
      case MessageKey.Wrapped of -> {
        digest.update(value);
        digest.update(of.key());
      }
    }
    return new Findings.Once(digest.digest(), until);
  }

  private List<String> algorithms(SignatureScan signature) {
    Set<String> found = new LinkedHashSet<>();
    found.add(signature.algorithm);
    signature.references.forEach(each -> found.add(each.algorithm()));
    if (scan.encrypted != null) {
      found.add(scan.encrypted.algorithm);
    }
    if (security.wrapped != null) {
      found.add(security.wrapped.algorithm());
    }
    return new ArrayList<>(found);
  }
}
