package dev.staithe.wss.stream;

import dev.staithe.wss.Caller;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.crypto.AlgorithmNames;
import dev.staithe.xml.NamespaceScope;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.Octets;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the signature over parts at their fixed places: the body, header blocks, children of the
 * security header. Digests are over the very bytes that are passed on.
 */
final class SignatureCheck {
  private final Workspace work;
  private final EnvelopeScan scan;
  private final SecurityScan security;
  private final Expectation expectation;
  private final List<String> names = new ArrayList<>(4);
  private final List<EnvelopeScan.Block> covered = new ArrayList<>(4);
  private final List<byte[]> pieces = new ArrayList<>(4);
  private final Map<String, String> namespaces = new HashMap<>(4);
  private final List<Findings.Reference> references = new ArrayList<>(4);
  private final List<SecurityScan.Part> tokens = new ArrayList<>(4);
  private boolean uncovered;
  private boolean body;
  private byte @Nullable [] bodyBytes;
  private byte[] signedInfo = new byte[0];
  // Bytes that parts beside the body may still take, all together: each of many could be as long
  // as all may be.
  private int left;

  SignatureCheck(
      Workspace work, EnvelopeScan scan, SecurityScan security, Expectation expectation) {
    this.work = work;
    this.scan = scan;
    this.security = security;
    this.expectation = expectation;
    this.left = expectation.limits().canonical(scan.in.length);
  }

  /**
   * Verifies. All digests and the signature are computed in any case, so that the time tells
   * nothing.
   */
  boolean verify(SignatureScan signature, MessageKey signer)
      throws XmlRefused, Rejected, UnsupportedShape {
    var suite = expectation.policy().suite().inFormOf(signature.algorithm);
    boolean elliptic =
        signer instanceof MessageKey.OfCertificate of
            && of.certificate().key().algorithm().equals("EC");
    PrescribedAlgorithm.demand(
        signature.algorithm,
        signer instanceof MessageKey.OfCertificate
            ? AlgorithmNames.signature(suite, elliptic)
            : suite.symmetricSignature(),
        expectation);
    work.piece.limit(Workspace.limits(expectation.limits()), NonContent.COMMENTS);
    work.piece.identify(null, 0);
    checkReferences(signature);
    boolean fits = true;
    for (SignatureScan.Ref each : signature.references) {
      fits &= MessageDigest.isEqual(digest(each), each.digest());
    }
    Octets out = work.part;
    out.clear();
    canonical(
        signature.infoFrom, signature.infoTo, signature.scope, 4, signature.infoPrefixes, out);
    if (expectation.evidence()) {
      signedInfo = out.toByteArray();
    }
    return verify(signature, signer, out) & fits;
  }

  /** Before anything is digested: each part once, and at a place that counts. */
  private void checkReferences(SignatureScan signature) throws UnsupportedShape {
    for (int i = 0; i < signature.references.size(); i++) {
      String id = signature.references.get(i).id();
      for (int j = 0; j < i; j++) {
        if (signature.references.get(j).id().equals(id)) {
          throw new UnsupportedShape("a part that is signed twice");
        }
      }
      SecurityScan.Part part = part(id);
      if (!id.equals(scan.bodyId)
          && (part == null || part.name().equals("Signature"))
          && block(id) == null) {
        throw new UnsupportedShape("a signed part elsewhere");
      }
    }
    if (!expectation.policy().signed().body()
        && signature.references.stream().noneMatch(each -> each.id().equals(scan.bodyId))) {
      throw new UnsupportedShape("a body that nobody signed");
    }
  }

  private SecurityScan.@Nullable Part part(String id) {
    for (SecurityScan.Part each : security.parts) {
      if (id.equals(each.id())) {
        return each;
      }
    }
    return null;
  }

  private EnvelopeScan.@Nullable Block block(String id) {
    for (EnvelopeScan.Block each : scan.blocks) {
      if (id.equals(each.id())) {
        return each;
      }
    }
    return null;
  }

  private byte[] digest(SignatureScan.Ref reference) throws XmlRefused, UnsupportedShape {
    String algorithm = AlgorithmNames.digest(reference.algorithm());
    if (algorithm == null) {
      throw new UnsupportedShape("a digest that is not known");
    }
    MessageDigest digest = work.digest(algorithm);
    Octets part = work.part;
    part.clear();
    if (reference.id().equals(scan.bodyId)) {
      body = true;
      names.add("Body");
      uncovered |= scan.uncovered;
      note(reference, work.body);
      byte[] whole = body();
      digest.update(whole);
      keep(reference, "Body", whole);
      return digest.digest();
    }
    EnvelopeScan.Block block = block(reference.id());
    if (block != null) {
      NamespaceScope scope =
          canonical(block.from(), block.to(), work.header, 2, reference.prefixes(), part);
      note(reference, scope);
      uncovered |= work.other.uncovered();
      byte[] octets = part.toByteArray();
      covered.add(block);
      pieces.add(octets);
      names.add(block.name().getLocalPart());
      keep(reference, block.name().getLocalPart(), octets);
    } else {
      SecurityScan.Part token = part(reference.id());
      if (token == null) {
        throw new UnsupportedShape("a signed part elsewhere");
      }
      canonical(token.from(), token.to(), work.security, 3, reference.prefixes(), part);
      tokens.add(token);
      names.add(token.name());
      if (expectation.evidence()) {
        keep(reference, token.name(), part.toByteArray());
      }
    }
    digest.update(part.array(), 0, part.size());
    return digest.digest();
  }

  private void keep(SignatureScan.Ref reference, String name, byte[] octets) {
    if (expectation.evidence()) {
      references.add(new Findings.Reference("#" + reference.id(), name, octets));
    }
  }

  /** Remembers what prefixes stand for that are covered though not visibly used. */
  private void note(SignatureScan.Ref reference, NamespaceScope scope) {
    for (byte[] prefix : reference.prefixes()) {
      if (prefix.length > 0) {
        var name = new String(prefix, StandardCharsets.UTF_8);
        String namespace = scope.namespace(name);
        if (!namespace.isEmpty() && !name.equals("xml")) {
          namespaces.merge(name, namespace, (one, other) -> one.equals(other) ? one : "");
        }
      }
    }
  }

  private byte[] body() {
    byte[] known = bodyBytes;
    if (known != null) {
      return known;
    }
    byte[] whole = work.bodyOut.toByteArray();
    bodyBytes = whole;
    return whole;
  }

  /** Writes a part in canonical form to what is empty; gives the scope at its start. */
  private NamespaceScope canonical(
      int from, int to, NamespaceScope scope, int around, List<byte[]> prefixes, Octets out)
      throws XmlRefused {
    XmlScanner piece = work.piece;
    piece.piece(scan.in, from, to, scope, around);
    piece.next();
    work.other.limit(left);
    work.other.begin(prefixes);
    if (!prefixes.isEmpty()) {
      work.partScope.set(piece.scope());
    }
    work.other.element(piece, out);
    left -= out.size();
    return work.partScope;
  }

  private boolean verify(SignatureScan signature, MessageKey signer, Octets info)
      throws UnsupportedShape {
    try {
      return switch (signer) {
        case MessageKey.OfCertificate of ->
            of.certificate()
                .verify(signature.algorithm, info.array(), 0, info.size(), signature.value);
        case MessageKey.OfContext of -> mac(signature, of.key(), info);
        case MessageKey.Wrapped of -> mac(signature, of.key(), info);
      };
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private boolean mac(SignatureScan signature, byte[] key, Octets info)
      throws GeneralSecurityException {
    String algorithm = AlgorithmNames.mac(signature.algorithm);
    if (algorithm == null) {
      return false;
    }
    Mac mac = work.mac(algorithm);
    mac.init(new SecretKeySpec(key, algorithm));
    mac.update(info.array(), 0, info.size());
    return MessageDigest.isEqual(mac.doFinal(), signature.value);
  }

  boolean coversBody() {
    return body;
  }

  boolean covers(EnvelopeScan.Block block) {
    return covered.contains(block);
  }

  boolean covers(SecurityScan.@Nullable Part part) {
    return part != null && tokens.contains(part);
  }

  /** Names of the signed parts, in the signature's order. */
  List<String> names() {
    return names;
  }

  /** What is passed on: nothing but what was signed. */
  PlainMessage message() throws Rejected, UnsupportedShape {
    if (uncovered) {
      // What is passed on has other declarations then than what was digested.
      throw new UnsupportedShape("prefixes in content that canonical form does not declare");
    }
    List<PlainMessage.HeaderBlock> headers = new ArrayList<>(covered.size());
    List<EnvelopeScan.Block> blocks = new ArrayList<>(covered.size());
    for (EnvelopeScan.Block each : scan.blocks) {
      int at = covered.indexOf(each);
      if (at >= 0) {
        blocks.add(each);
        headers.add(new PlainMessage.HeaderBlock(each.name(), pieces.get(at)));
      }
    }
    // What two parts mean in two ways is declared in each of them, and nowhere around.
    namespaces.values().removeIf(String::isEmpty);
    return new PlainMessage(
        scan.version, headers, body(), namespaces, scan.operation, EnvelopeScan.addressing(blocks));
  }

  /** The signature with all that it covers, where the endpoint keeps that. */
  Findings.@Nullable SignedParts evidence(MessageKey signer, Caller caller) {
    SignatureScan signature = security.signature;
    if (!expectation.evidence()
        || signature == null
        || !(signer instanceof MessageKey.OfCertificate of)) {
      return null;
    }
    return new Findings.SignedParts(
        signature.algorithm,
        signedInfo,
        signature.value,
        references,
        caller instanceof Caller.Certificate known ? known.chain() : of.certificate().chain());
  }
}
