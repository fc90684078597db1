package dev.staithe.wss.client;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.EndpointPolicy.Layout;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.xml.Octets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * One message in the making. What is to be signed is written in canonical form and digested as it
 * is written; no tree is made. Signed is every header block, since a gateway passes no other on.
 */
final class Composition {
  private static final String END_BODY = "</s:Body>";
  private static final Duration GOOD_FOR = Duration.ofMinutes(5);
  private static final DateTimeFormatter MILLISECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final EndpointPolicy policy;
  private final AlgorithmSuite suite;
  private final Holder holder;
  private final PlainRequest request;
  private final KeyMaker maker;
  private final @Nullable MessageKeys keys;
  private final Instant now;
  private final String messageId;

  /** What the signature covers, as its references. */
  private final Octets references = new Octets(1024);

  private final List<String> encrypted = new ArrayList<>(4);

  /** What was encrypted before it was signed. */
  private final List<String> encryptedFirst = new ArrayList<>(1);

  private final List<byte[]> signatures = new ArrayList<>(2);
  private final StringBuilder blocks = new StringBuilder(1024);

  Composition(
      EndpointPolicy policy, Holder holder, PlainRequest request, KeyMaker maker, Instant now)
      throws UnusableMessage, GeneralSecurityException {
    this.policy = policy;
    this.suite = policy.suite();
    this.holder = holder;
    this.request = request;
    this.maker = maker;
    this.keys = maker.make();
    this.now = now;
    this.messageId = "urn:uuid:" + uuid();
  }

  /** {@link UUID#randomUUID} shares one lock with everybody. */
  private static UUID uuid() {
    var random = ThreadLocalRandom.current();
    return new UUID(
        random.nextLong() & 0xffff_ffff_ffff_0fffL | 0x4000L,
        random.nextLong() & 0x3fff_ffff_ffff_ffffL | 0x8000_0000_0000_0000L);
  }

  SecuredRequest compose() throws UnusableMessage, GeneralSecurityException {
    headerBlocks();
    var tokens = new SupportingTokens(holder, maker, suite, now);
    for (SupportingToken each : policy.supporting()) {
      tokens.add(each);
    }
    boolean layered = keys != null;
    String timestamp =
        policy.timestamp() || tokens.endorses() && !layered
            ? SecurityElements.timestamp(
                "st-time", MILLISECONDS.format(now), MILLISECONDS.format(now.plus(GOOD_FOR)))
            : "";
    String security =
        keys == null ? overTransport(timestamp, tokens) : byKeys(keys, timestamp, tokens);
    return new SecuredRequest(
        assemble(security, body),
        request.version(),
        request.contentType(),
        request.action(),
        messageId,
        keys == null ? new Reply.Keys.None() : keys.answer(),
        signatures);
  }

  private byte[] body = {};

  // --- header ----------------------------------------------------------------------------------

  private void headerBlocks() throws UnusableMessage {
    if (!request.action().isEmpty()) {
      block(Namespaces.WSA, "Action", "st-action", SecurityElements.text(request.action()));
    }
    block(Namespaces.WSA, "MessageID", "st-id", messageId);
    block(Namespaces.WSA, "To", "st-to", SecurityElements.text(request.to()));
    for (PlainRequest.Block each : request.headers()) {
      block(each.namespace(), each.localName(), each.id(), each.canonical(), request.inclusive());
    }
  }

  private void block(String namespace, String name, String id, String content)
      throws UnusableMessage {
    block(namespace, name, id, SecurityElements.addressing(name, id, content), Set.of());
  }

  private void block(
      String namespace, String name, String id, String canonical, Set<String> prefixes)
      throws UnusableMessage {
    if (keys != null) {
      reference(id, digest(canonical), prefixes);
      if (policy.encrypted().names(new QName(namespace, name))) {
        throw new UnusableMessage("the policy demands encrypted header blocks: " + name);
      }
    }
    blocks.append(canonical);
  }

  // --- protection by TLS -----------------------------------------------------------------------

  private String overTransport(String timestamp, SupportingTokens tokens)
      throws UnusableMessage, GeneralSecurityException {
    body = plainBody();
    var security = new StringBuilder(timestamp);
    for (SupportingTokens.Made each : tokens.plain()) {
      security.append(each.canonical());
    }
    if (tokens.endorses()) {
      reference("st-time", digest(timestamp), Set.of());
      security.append(tokens.endorsement(references, signatures));
    }
    return security.toString();
  }

  private byte[] plainBody() {
    return joined(request.start(), request.content(), END_BODY);
  }

  // --- protection by keys ----------------------------------------------------------------------

  private String byKeys(MessageKeys by, String timestamp, SupportingTokens tokens)
      throws UnusableMessage, GeneralSecurityException {
    if (!timestamp.isEmpty()) {
      reference("st-time", digest(timestamp), Set.of());
    }
    var passengers = new StringBuilder();
    for (SupportingTokens.Made each : tokens.plain()) {
      passengers.append(passenger(by, each));
    }
    boolean encrypts = policy.encrypted().body();
    byte[] secret = encrypts ? encryptedBody(by) : plainBody();
    if (policy.signed().body()) {
      byte[] digest =
          encrypts && policy.encryptBeforeSigning()
              ? Primitives.digest(suite.digest(), secret)
              : request.digest(suite.digest());
      // Where the encrypted body is signed the prefixes stand for what is decrypted.
      reference(PlainRequest.BODY_ID, digest, request.inclusive());
    }
    body = secret;
    String signature = signature(by);
    String endorsement = tokens.endorses() ? endorsement(tokens, signature) : "";
    String signatures =
        policy.encryptSignature()
            ? encryptedElement(by, "st-enc-sig", signature)
                + (endorsement.isEmpty() ? "" : encryptedElement(by, "st-enc-end", endorsement))
            : signature + endorsement;
    var security = new StringBuilder(4096);
    if (policy.layout() != Layout.LAX_TIMESTAMP_LAST) {
      security.append(timestamp);
    }
    for (String token : by.tokens()) {
      security.append(token);
    }
    // What was encrypted last is decrypted first: it stands before what it was encrypted after.
    security.append(opening(by, encrypted, !encrypted.isEmpty() || encryptedFirst.isEmpty()));
    security.append(passengers).append(signatures);
    security.append(opening(by, encryptedFirst, encrypted.isEmpty() && !encryptedFirst.isEmpty()));
    if (policy.layout() == Layout.LAX_TIMESTAMP_LAST) {
      security.append(timestamp);
    }
    return security.toString();
  }

  /** A list of what is decrypted in its place, with the key where that is brought encrypted. */
  private static String opening(MessageKeys by, List<String> data, boolean withKey) {
    var key = by.encryptedKey();
    return withKey && key != null
        ? key.apply(data)
        : data.isEmpty() ? "" : SecurityElements.references(data);
  }

  private String passenger(MessageKeys by, SupportingTokens.Made token)
      throws GeneralSecurityException {
    if (token.signed()) {
      reference(token.id(), digest(token.canonical()), Set.of());
    }
    return token.encrypted()
        ? encryptedElement(by, "st-enc-" + token.id(), token.canonical())
        : token.canonical();
  }

  private byte[] encryptedBody(MessageKeys by) {
    if (policy.encryptBeforeSigning()) {
      encryptedFirst.add("st-enc-body");
    } else {
      encrypted.addFirst("st-enc-body");
    }
    var out = new Octets(request.content().length / 3 * 4 + 2048);
    out.put(request.start());
    encryptedData(by, "st-enc-body", SecurityElements.CONTENT, request.content(), out);
    out.put(END_BODY);
    return out.toByteArray();
  }

  private String encryptedElement(MessageKeys by, String id, String element) {
    encrypted.add(id);
    var out = new Octets(element.length() / 3 * 4 + 1024);
    byte[] octets = element.getBytes(StandardCharsets.UTF_8);
    encryptedData(by, id, SecurityElements.ELEMENT, octets, out);
    return text(out);
  }

  private void encryptedData(MessageKeys by, String id, String type, byte[] plain, Octets out) {
    Octets hidden = Primitives.encrypt(suite.encryption(), by.encryption(), plain);
    SecurityElements.encryptedData(
        id, type, suite.encryption(), by.encryptionReference(), hidden, out);
  }

  private static String text(Octets octets) {
    return new String(octets.array(), 0, octets.size(), StandardCharsets.UTF_8);
  }

  private String signature(MessageKeys by) throws GeneralSecurityException {
    var out = new Octets(references.size() + 2048);
    signatures.add(
        SecurityElements.signature(
            "st-signature", by.signature(), references, by.signer(), by.signatureReference(), out));
    return text(out);
  }

  /** Signs the signature: whoever endorses takes the message as it is. */
  private String endorsement(SupportingTokens tokens, String signature)
      throws UnusableMessage, GeneralSecurityException {
    var covered = new Octets(512);
    SecurityElements.covered("st-signature", suite.digest(), digest(signature), Set.of(), covered);
    return tokens.endorsement(covered, signatures);
  }

  private void reference(String id, byte[] digest, Set<String> prefixes) {
    SecurityElements.covered(id, suite.digest(), digest, prefixes, references);
  }

  private byte[] digest(String canonical) {
    return Primitives.digest(suite.digest(), canonical.getBytes(StandardCharsets.UTF_8));
  }

  // --- the whole -------------------------------------------------------------------------------

  private byte[] assemble(String security, byte[] content) {
    // A block that is signed with a prefix means by it what it says itself, and nothing around it.
    String soap = request.inclusive().contains("s") ? "staithe-soap" : "s";
    var head = new StringBuilder(security.length() + blocks.length() + 512);
    head.append('<').append(soap).append(":Envelope xmlns:").append(soap).append("=\"");
    head.append(request.version().namespace());
    head.append("\"><").append(soap).append(":Header>").append(blocks);
    if (!security.isEmpty()) {
      head.append("<wsse:Security xmlns:wsse=\"")
          .append(Namespaces.WSSE)
          .append("\" ")
          .append(soap)
          .append(":mustUnderstand=\"1\">")
          .append(security)
          .append("</wsse:Security>");
    }
    head.append("</").append(soap).append(":Header>");
    return joined(head.toString(), content, "</" + soap + ":Envelope>");
  }

  private static byte[] joined(String first, byte[] second, String third) {
    byte[] start = first.getBytes(StandardCharsets.UTF_8);
    byte[] end = third.getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[start.length + second.length + end.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(second, 0, all, start.length, second.length);
    System.arraycopy(end, 0, all, start.length + second.length, end.length);
    return all;
  }
}
