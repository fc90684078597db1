package dev.staithe.gateway.wss;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Opens one message that keys protect. What is done follows the policy, never the message: which
 * comes first, decryption or the signature, and which signature is the one that counts.
 */
final class TreeOpening {
  private final Surroundings surroundings;
  private final Expectation expectation;
  private final EndpointPolicy policy;
  private final Arrival arrival;
  private final Envelope envelope;
  private final AlgorithmCheck algorithms;
  private final SecurityHeader header;
  private final TreeKeys keys;
  private final Decryption decryption;
  private final SantuarioCheck check;

  TreeOpening(Surroundings surroundings, Arrival arrival, Envelope envelope) throws RefusedMessage {
    this.surroundings = surroundings;
    this.arrival = arrival;
    this.expectation = arrival.expectation();
    this.policy = expectation.policy();
    this.envelope = envelope;
    this.algorithms = new AlgorithmCheck(expectation);
    this.header = SecurityHeader.read(envelope, expectation, algorithms);
    this.keys = new TreeKeys(surroundings, expectation, envelope, header, surroundings.own());
    this.decryption = new Decryption(envelope, expectation, keys);
    this.check = new SantuarioCheck(envelope, keys);
  }

  Opening open() throws RefusedMessage {
    try {
      return judge();
    } catch (RefusedMessage e) {
      // Whatever else is wrong: a wrong password counts, and who guesses chooses what is found.
      throw decryption.failed() && e.reason().told() == Refusal.Told.INVALID
          ? new RefusedMessage(Refusal.DECRYPTION, "what could not be decrypted")
          : e;
    } finally {
      keys.forget();
    }
  }

  private Opening judge() throws RefusedMessage {
    Shape.check(header, expectation, envelope.identifiers());
    for (SecurityHeader.Encrypted each : header.references()) {
      decryption.check(each);
    }
    Coverage.demandEncrypted(policy, envelope, header);
    if (!policy.encryptBeforeSigning() || policy.encryptSignature()) {
      decryptHeader();
    }
    if (!policy.encryptBeforeSigning()) {
      decryptMessage();
    }
    Signatures signatures = Signatures.sort(header, expectation, algorithms, envelope);
    SantuarioCheck.Verified main = verify(signatures.main());
    List<SantuarioCheck.Verified> endorsing = new ArrayList<>();
    for (SignatureShape each : signatures.endorsing()) {
      if (!isOfAnEndedContext(each)) {
        endorsing.add(verify(each));
      }
    }
    var coverage = new Coverage(policy, envelope, header, main);
    if (policy.encryptBeforeSigning()) {
      decryptHeader();
      decryptMessage();
    }
    if (decryption.failed()) {
      throw new RefusedMessage(Refusal.DECRYPTION, "what could not be decrypted");
    }
    coverage.check(decryption.done());
    demandEncrypted();
    Shape.checkKeys(policy, main.key(), decryption.done(), algorithms.suite());
    Instant now = surroundings.clock().instant();
    TreeTime freshness = freshness(now);
    Caller caller = caller(main.key());
    var supporting =
        new SupportingTokens(surroundings, arrival, header, keys, now)
            .judge(decryption.done(), coverage, endorsing, caller);
    PlainMessage message = coverage.message(expectation.algorithms());
    if (policy.addressing() && message.addressing().action() == null) {
      throw new RefusedMessage(Refusal.POLICY, "addressing is demanded");
    }
    List<Findings.Once> once = new ArrayList<>();
    Instant until =
        freshness == null
            ? now.plus(expectation.limits().freshness()).plus(expectation.limits().skew())
            : freshness.until(expectation.limits());
    once.add(once(main, until));
    once.addAll(supporting.once());
    return new Opening.Opened(
        message,
        supporting.caller() == null ? caller : supporting.caller(),
        reply(message, main, endorsing),
        new Findings(
            "dom",
            coverage.names(),
            decryption.done().stream().map(Decryption.Decrypted::part).toList(),
            algorithms(main),
            freshness == null ? null : freshness.created(),
            freshness == null ? null : freshness.expires(),
            once,
            signedParts(main, caller, coverage)));
  }

  /** The signature and tokens within the security header, which must be there to be looked at. */
  private void decryptHeader() throws RefusedMessage {
    for (SecurityHeader.Encrypted each : List.copyOf(header.references())) {
      // A second time finds nothing left.
      if (each.data().getParentNode() == header.element() && !decryption.failed()) {
        Element found = decryption.decrypt(each);
        if (found != null) {
          header.add(found, envelope.identifiers(), expectation, algorithms);
        }
      }
    }
  }

  private void decryptMessage() throws RefusedMessage {
    for (SecurityHeader.Encrypted each : List.copyOf(header.references())) {
      if (each.data().getParentNode() != null && each.data().getParentNode() != header.element()) {
        decryption.decrypt(each);
      }
    }
  }

  private boolean isOfAnEndedContext(SignatureShape shape) throws RefusedMessage {
    return expectation.renewal() && keys.isOfAnEndedContext(shape.keyInfo());
  }

  private SantuarioCheck.Verified verify(@Nullable SignatureShape shape) throws RefusedMessage {
    if (shape == null) {
      throw new RefusedMessage(Refusal.COVERAGE, "no signature");
    }
    TreeKey key = keys.ofKeyInfo(shape.keyInfo());
    algorithms.signature(shape.algorithm(), key);
    return check.verify(shape, key);
  }

  private void demandEncrypted() throws RefusedMessage {
    Set<Element> came = new LinkedHashSet<>();
    boolean body = false;
    for (Decryption.Decrypted each : decryption.done()) {
      body |= each.element() == null;
      if (each.block() && each.element() != null) {
        came.add(each.element());
      }
      boolean signature = each.part().equals("Signature") && !each.block();
      if (signature && !policy.encryptSignature()) {
        throw new RefusedMessage(Refusal.POLICY, "an encrypted signature that is not demanded");
      }
    }
    if (policy.encrypted().body() != body) {
      throw new RefusedMessage(Refusal.COVERAGE, "the body is not encrypted as demanded");
    }
    for (Element block : envelope.blocks()) {
      if (wanted(policy.encrypted(), block) && !came.contains(block)) {
        throw new RefusedMessage(Refusal.COVERAGE, "a header block is not encrypted");
      }
    }
  }

  /** Whether parts name a header block. */
  static boolean wanted(Parts parts, Element block) {
    for (QName each : parts.headers()) {
      if (each.getNamespaceURI().equals(block.getNamespaceURI())
          && (each.getLocalPart().equals("*")
              || each.getLocalPart().equals(block.getLocalName()))) {
        return true;
      }
    }
    return false;
  }

  private @Nullable TreeTime freshness(Instant now) throws RefusedMessage {
    Element timestamp = header.timestamp();
    if (timestamp == null) {
      return null;
    }
    TreeTime freshness = TreeTime.read(timestamp);
    freshness.check(now, expectation.limits());
    return freshness;
  }

  private Caller caller(TreeKey key) throws RefusedMessage {
    if (key.root() instanceof TreeKey.OfCertificate(var chain)
        && keys.certificates().isOfOurKey(chain.getFirst())) {
      // One authority gives certificates to gateways and to their clients.
      throw new RefusedMessage(Refusal.UNTRUSTED, "an answer of our own that comes back");
    }
    return switch (key.root()) {
      case TreeKey.OfCertificate(var chain) ->
          switch (surroundings.signers().judge(chain)) {
            case Surroundings.Judgement.Trusted(Caller.Certificate caller) -> caller;
            case Surroundings.Judgement.Untrusted(String line) ->
                throw new RefusedMessage(Refusal.UNTRUSTED, line);
          };
      case TreeKey.OfContext context -> context.context().owner();
      case TreeKey.OfPassword password -> new Caller.Username(password.username());
      case TreeKey.Wrapped wrapped -> new Caller.Anonymous();
      case TreeKey.Derived derived -> throw new IllegalStateException("derived from nothing");
    };
  }

  private Reply reply(
      PlainMessage message, SantuarioCheck.Verified main, List<SantuarioCheck.Verified> endorsing) {
    Reply.Keys answer =
        switch (main.key().root()) {
          case TreeKey.OfCertificate certificate ->
              new Reply.Keys.ToCertificate(certificate.chain().getFirst());
          case TreeKey.OfContext context -> new Reply.Keys.InContext(context.context());
          case TreeKey.OfPassword password ->
              new Reply.Keys.ByUsername(
                  password.username(), password.salt(), password.iterations(), password.secret());
          case TreeKey.Wrapped wrapped ->
              new Reply.Keys.ByEncryptedKey(wrapped.sha1(), wrapped.secret());
          case TreeKey.Derived derived -> throw new IllegalStateException("derived from nothing");
        };
    List<byte[]> confirmed = new ArrayList<>();
    if (policy.signatureConfirmation()) {
      confirmed.add(main.value());
      endorsing.forEach(each -> confirmed.add(each.value()));
    }
    return new Reply(message.version(), answer, confirmed, message.addressing().messageId());
  }

  /**
   * What is good once: the signature's value under its key. Under the key, and not the certificate:
   * the message does not say which of several of the same key it is.
   */
  static Findings.Once once(SantuarioCheck.Verified signature, Instant until) {
    byte[] value = signature.value();
    if (signature.key() instanceof TreeKey.OfCertificate certificate) {
      value = Findings.Once.distinct(certificate.chain().getFirst().getPublicKey(), value);
    }
    byte[] identity =
        switch (signature.key().root()) {
          case TreeKey.OfCertificate certificate ->
              certificate.chain().getFirst().getPublicKey().getEncoded();
          case TreeKey.OfContext context ->
              context.context().identifier().getBytes(StandardCharsets.UTF_8);
          case TreeKey.OfPassword password -> password.username().getBytes(StandardCharsets.UTF_8);
          case TreeKey.Wrapped wrapped -> wrapped.sha1();
          case TreeKey.Derived derived -> throw new IllegalStateException("derived from nothing");
        };
    return new Findings.Once(
        Octets.sha256("signature".getBytes(StandardCharsets.US_ASCII), value, identity), until);
  }

  private List<String> algorithms(SantuarioCheck.Verified main) {
    Set<String> found = new LinkedHashSet<>();
    found.add(main.shape().algorithm());
    main.shape().references().forEach(each -> found.add(each.digest()));
    header.references().forEach(each -> found.add(SecurityHeader.method(each.data())));
    header.wrapped().forEach(each -> found.add(SecurityHeader.method(each)));
    return List.copyOf(found);
  }

  private Findings.@Nullable SignedParts signedParts(
      SantuarioCheck.Verified main, Caller caller, Coverage coverage) {
    if (!expectation.evidence() || !(main.key() instanceof TreeKey.OfCertificate certificate)) {
      return null;
    }
    List<Findings.Reference> references = new ArrayList<>();
    for (SantuarioCheck.Covered each : main.covered()) {
      references.add(
          new Findings.Reference(
              each.reference().uri(), coverage.name(each.element()), each.octets()));
    }
    return new Findings.SignedParts(
        main.shape().algorithm(),
        main.signedInfo(),
        main.value(),
        references,
        caller instanceof Caller.Certificate known ? known.chain() : certificate.chain());
  }
}
