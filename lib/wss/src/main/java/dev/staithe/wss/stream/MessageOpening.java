package dev.staithe.wss.stream;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.crypto.AlgorithmNames;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.Octets;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.time.Instant;
import java.util.Arrays;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * Opens one message that keys protect. What is done follows the policy, never the message, and in
 * the same order as in the engine on trees, so that both find the same where there is more than one
 * thing to find.
 */
final class MessageOpening {
  private static final byte[] NOTHING = new byte[0];

  private final Surroundings surroundings;
  private final Certificates certificates;
  private final Arrival arrival;
  private final Expectation expectation;
  private final EndpointPolicy policy;
  private final Workspace work;
  private final EnvelopeScan scan;
  private final SecurityScan security;
  private final KeyRing keys;
  private @Nullable MessageKey decryptedBy;
  private boolean failed;

  private MessageOpening(
      Surroundings surroundings,
      Certificates certificates,
      Arrival arrival,
      Workspace work,
      EnvelopeScan scan,
      SecurityScan security) {
    this.surroundings = surroundings;
    this.certificates = certificates;
    this.arrival = arrival;
    this.expectation = arrival.expectation();
    this.policy = expectation.policy();
    this.work = work;
    this.scan = scan;
    this.security = security;
    this.keys = new KeyRing(surroundings, certificates, expectation, security, work);
  }

  static Opening open(
      Surroundings surroundings, Certificates certificates, Arrival arrival, Workspace work)
      throws XmlRefused, Rejected, UnsupportedShape {
    Expectation expectation = arrival.expectation();
    byte[] in = XmlScanner.utf8(arrival.envelope());
    work.canonical.limit(expectation.limits().canonical(in.length));
    var scan = new EnvelopeScan(work, in, true);
    scan.read(Workspace.limits(expectation.limits()));
    SecurityScan security = scan.security;
    if (security == null) {
      throw new Rejected(Refusal.NO_SECURITY, "no security header");
    }
    var opening = new MessageOpening(surroundings, certificates, arrival, work, scan, security);
    try {
      return opening.open();
    } catch (Rejected e) {
      // As the engine on trees: whatever else is wrong.
      throw opening.failed && e.reason().told() == Refusal.Told.INVALID
          ? new Rejected(Refusal.DECRYPTION, "what could not be decrypted")
          : e;
    } finally {
      opening.keys.forget();
    }
  }

  private Opening open() throws XmlRefused, Rejected, UnsupportedShape {
    checkForms();
    checkShape();
    decrypt();
    SignatureScan signature = security.signature;
    KeyName name = signature == null ? null : signature.key;
    if (signature == null || name == null) {
      throw new Rejected(Refusal.COVERAGE, "no signature");
    }
    MessageKey signer = keys.find(name);
    var check = new SignatureCheck(work, scan, security, expectation);
    boolean fits = check.verify(signature, signer);
    if (failed) {
      throw new Rejected(Refusal.DECRYPTION, "what could not be decrypted");
    }
    if (!fits) {
      throw new Rejected(Refusal.SIGNATURE, "a signature or digest does not fit");
    }
    checkCoverage(check);
    checkKeys(signer);
    Instant now = surroundings.clock().instant();
    Freshness freshness = security.timestamp == null ? null : Freshness.of(security);
    if (freshness != null) {
      freshness.check(now, expectation.limits());
    }
    Caller caller = caller(signer);
    PlainMessage message = check.message();
    if (policy.addressing() && message.addressing().action() == null) {
      throw new Rejected(Refusal.POLICY, "addressing is demanded");
    }
    return new Conclusions(expectation, work, scan, security)
        .opened(check, signature, signer, caller, message, freshness, now, decryptedBy != null);
  }

  /** What is plain from how things are written: numbers and algorithms. */
  private void checkForms() throws Rejected {
    Expectation.Limits limits = expectation.limits();
    if (security.derivations.size() > limits.derivedKeys()) {
      throw new Rejected(Refusal.DERIVATION, "more derived keys than are taken");
    }
    for (DerivationScan each : security.derivations) {
      each.check(limits);
    }
    var suite = policy.suite();
    if (security.wrapped != null) {
      PrescribedAlgorithm.demand(security.wrapped.algorithm(), suite.keyTransport(), expectation);
    }
    if (scan.encrypted != null) {
      PrescribedAlgorithm.demand(scan.encrypted.algorithm, suite.encryption(), expectation);
    }
    SignatureScan signature = security.signature;
    if (signature != null) {
      String uri = signature.algorithm;
      var form = suite.inFormOf(uri);
      if (!uri.equals(form.symmetricSignature())) {
        PrescribedAlgorithm.demand(
            uri, AlgorithmNames.signature(form, uri.contains("#ecdsa-")), expectation);
      }
      if (signature.references.size() > limits.references()) {
        throw new Rejected(Refusal.LIMIT, "more references than are taken");
      }
      for (SignatureScan.Ref each : signature.references) {
        PrescribedAlgorithm.demand(each.algorithm(), suite.digest(), expectation);
      }
    }
  }

  /** What tokens the binding demands and allows. */
  private void checkShape() throws Rejected, UnsupportedShape {
    SecurityScan.Part timestamp = security.timestamp;
    if (policy.timestamp() != (timestamp != null)) {
      throw new Rejected(
          Refusal.POLICY, policy.timestamp() ? "no timestamp" : "a timestamp that is not demanded");
    }
    if (!Order.isKept(policy.layout(), security, scan.encrypted)) {
      throw new Rejected(Refusal.POLICY, "the order is not that of the layout");
    }
    boolean contexts = policy.binding() instanceof Binding.Conversation;
    boolean derived =
        policy.binding() instanceof Binding.Conversation conversation && conversation.derivedKeys();
    if (!contexts && security.context != null) {
      throw new Rejected(Refusal.POLICY, "a context that the policy does not ask for");
    }
    if (!derived && !security.derivations.isEmpty()) {
      throw new Rejected(Refusal.POLICY, "derived keys that the policy does not ask for");
    }
    if (contexts && security.wrapped != null) {
      throw new Rejected(Refusal.POLICY, "encrypted keys that the policy does not ask for");
    }
    EncryptedScan encrypted = scan.encrypted;
    if (encrypted == null ? security.encryptedId != null : !refers(encrypted)) {
      throw new UnsupportedShape("references and encrypted data that do not meet");
    }
    if (policy.encrypted().body() && encrypted == null) {
      throw new Rejected(Refusal.COVERAGE, "the body is not encrypted");
    }
    if (!policy.encrypted().body() && encrypted != null) {
      throw new Rejected(Refusal.POLICY, "an encrypted body that is not demanded");
    }
  }

  private boolean refers(EncryptedScan encrypted) {
    return encrypted.id != null && encrypted.id.equals(security.encryptedId);
  }

  /** Puts what was encrypted into the body's canonical form. */
  private void decrypt() throws XmlRefused, Rejected, UnsupportedShape {
    EncryptedScan encrypted = scan.encrypted;
    if (encrypted == null) {
      return;
    }
    MessageKey by = contentKey(encrypted);
    decryptedBy = by;
    byte[] key =
        switch (by) {
          case MessageKey.OfContext context -> context.key();
          case MessageKey.Wrapped wrapped -> wrapped.key();
          case MessageKey.OfCertificate ignored ->
              throw new UnsupportedShape("content under a public key");
        };
    int length = policy.suite().encryptionKeyBytes();
    boolean exact = !(by instanceof MessageKey.OfContext context) || context.derived();
    if (key.length < length || exact && key.length != length) {
      throw new Rejected(Refusal.ALGORITHM, "a key of another length than is prescribed");
    }
    byte[] used = key.length == length ? key : Arrays.copyOf(key, length);
    failed = !work.cipher.decrypt(encrypted.algorithm, used, encrypted.value, work.plain);
    encrypted.value = NOTHING;
    if (!failed || work.plain.size() > 0) {
      // What stands behind the content is put aside meanwhile.
      Octets body = work.bodyOut;
      byte[] rest = body.toByteArray(scan.hole, body.size());
      body.truncate(scan.hole);
      body.reserve(work.plain.size() + rest.length + 64);
      content(body);
      body.put(rest);
      work.plain.wipe();
    }
  }

  private MessageKey contentKey(EncryptedScan encrypted) throws Rejected, UnsupportedShape {
    KeyName name = encrypted.key;
    SecurityScan.Wrapped wrapped = security.wrapped;
    if (policy.binding() instanceof Binding.Conversation) {
      if (name == null) {
        throw new UnsupportedShape("encrypted data without a key");
      }
      return keys.find(name);
    }
    boolean named =
        name == null
            ? security.encryptedByWrapped
            : name instanceof KeyName.Token(String id)
                && wrapped != null
                && id.equals(wrapped.id());
    if (wrapped == null || !named) {
      throw new UnsupportedShape("encrypted data under another kind of key");
    }
    return keys.unwrap(wrapped);
  }

  /** Reads what came out as if it stood where the encrypted data stood. */
  private void content(Octets out) throws Rejected, UnsupportedShape {
    XmlScanner piece = work.piece;
    Octets plain = work.plain;
    piece.limit(Workspace.limits(expectation.limits()), NonContent.COMMENTS);
    piece.identify(work.identifiers, Names.WSU);
    scan.children = 0;
    try {
      piece.piece(plain.array(), 0, plain.size(), work.body, 2);
      for (int event = piece.next(); event != XmlScanner.DONE; event = piece.next()) {
        if (event == XmlScanner.TEXT) {
          work.canonical.text(piece, out);
        } else {
          scan.operation =
              ++scan.children == 1 ? new QName(piece.namespaceName(), piece.localName()) : null;
          work.canonical.element(piece, out);
        }
      }
    } catch (XmlRefused e) {
      // No word of it: what was decrypted by a wrong key looks like this.
      failed = true;
    }
    if (piece.unusual()) {
      // Also where its padding was wrong: the other engine takes longer, and that would tell.
      throw new UnsupportedShape("names beyond ASCII");
    }
    if (!failed && piece.ambiguous()) {
      throw new Rejected(Refusal.POLICY, "an identifier stands for two elements");
    }
    // That it could be read must not be told, and faults tell a limit.
    failed |= piece.crowded();
    scan.uncovered |= work.canonical.uncovered();
  }

  private void checkCoverage(SignatureCheck check) throws Rejected {
    if (policy.timestamp() && !check.covers(security.timestamp)) {
      throw new Rejected(Refusal.COVERAGE, "the timestamp is not signed");
    }
    if (policy.signed().body() && !check.coversBody()) {
      throw new Rejected(Refusal.COVERAGE, "the body is not signed");
    }
    for (EnvelopeScan.Block block : scan.blocks) {
      if (check.covers(block)) {
        continue;
      }
      if (policy.signed().names(block.name())) {
        throw new Rejected(Refusal.COVERAGE, "a header block is not signed");
      }
      if (block.mustBeUnderstood()) {
        throw new Rejected(
            Refusal.NOT_UNDERSTOOD, "a header block that must be understood is not signed");
      }
    }
  }

  /** Whether the keys that were used are those of the binding. */
  private void checkKeys(MessageKey signer) throws Rejected {
    switch (signer) {
      case MessageKey.OfCertificate ignored -> {
        // Then the content's was wrapped: nothing else is looked for.
      }
      case MessageKey.OfContext context -> {
        boolean derived =
            policy.binding() instanceof Binding.Conversation conversation
                && conversation.derivedKeys();
        if (context.derived() && context.key().length != policy.suite().signatureKeyBytes()) {
          throw new Rejected(Refusal.ALGORITHM, "a key of another length than is prescribed");
        }
        if (context.derived() != derived) {
          throw new Rejected(Refusal.POLICY, "signed by a key of another kind than is demanded");
        }
        if (decryptedBy instanceof MessageKey.OfContext other && other.derived() != derived) {
          throw new Rejected(Refusal.POLICY, "encrypted by another key than is demanded");
        }
      }
      case MessageKey.Wrapped ignored ->
          throw new Rejected(Refusal.POLICY, "signed by a key of another kind than is demanded");
    }
  }

  private Caller caller(MessageKey signer) throws Rejected {
    if (signer instanceof MessageKey.OfCertificate of
        && certificates.isOfOurKey(of.certificate())) {
      // One authority gives certificates to gateways and to their clients.
      throw new Rejected(Refusal.UNTRUSTED, "an answer of our own that comes back");
    }
    return switch (signer) {
      case MessageKey.OfCertificate(KnownCertificate certificate, SecurityScan.Binary token) ->
          switch (surroundings.signers().judge(certificate.chain())) {
            case Surroundings.Judgement.Trusted(Caller.Certificate caller) -> {
              if (token != null) {
                certificates.keep(token, certificate);
              }
              yield caller;
            }
            case Surroundings.Judgement.Untrusted(String line) ->
                throw new Rejected(Refusal.UNTRUSTED, line);
          };
      case MessageKey.OfContext context -> context.context().owner();
      case MessageKey.Wrapped ignored -> new Caller.Anonymous();
    };
  }
}
