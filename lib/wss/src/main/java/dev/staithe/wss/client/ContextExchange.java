package dev.staithe.wss.client;

import dev.staithe.wss.Caller;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.Lifetime;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustReading;
import dev.staithe.wss.trust.TrustVersion;
import dev.staithe.xml.SoapVersion;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request about a context and what its answer means (WS-SecureConversation 1.4 sections 3, 5
 * and 6): a new one is asked for under the policy's bootstrap, to renew or cancel one its own key
 * is shown. Each object is good for one exchange. It holds a part of a key. Thread-safe.
 */
public final class ContextExchange {
  /** What came of it. */
  public sealed interface Outcome {
    /** The context may be used from now on. */
    record Granted(SecurityContext context) implements Outcome {}

    /** The context has ended, and its secret has been overwritten. */
    record Ended() implements Outcome {}

    /**
     * Neither.
     *
     * @param heard a fault, or why the answer is not believed
     */
    record NotGranted(SoapResponse heard) implements Outcome {}
  }

  /** Where the service does not say how long; it may say less at any time. */
  private static final Duration USUAL_LIFETIME = Duration.ofMinutes(5);

  private final SecuredRequest request;
  private final AnswerReader reader;
  private final EndpointPolicy policy;
  private final String address;
  private final TrustVersion version;
  private final byte @Nullable [] entropy;
  private final int bits;
  private final @Nullable SecurityContext before;
  private final Clock clock;

  private ContextExchange(
      Initiator initiator,
      EndpointPolicy policy,
      SoapVersion soap,
      String address,
      TokenRequest wanted,
      byte @Nullable [] entropy,
      int bits,
      @Nullable SecurityContext before)
      throws UnusableMessage {
    this.policy = policy;
    this.address = address;
    this.version = wanted.version();
    this.entropy = entropy;
    this.bits = bits;
    this.before = before;
    this.clock = initiator.clock();
    String action = new TrustAction(wanted.version(), wanted.kind()).request();
    String envelope =
        "<s:Envelope xmlns:s=\""
            + soap.namespace()
            + "\"><s:Body>"
            + wanted.payload()
            + "</s:Body></s:Envelope>";
    this.request =
        initiator.secure(
            PlainRequest.read(envelope.getBytes(StandardCharsets.UTF_8), action, address));
    this.reader = new AnswerReader(initiator.policy(), initiator.holder(), clock);
  }

  /**
   * Asks for a context.
   *
   * @param policy one whose keys come from a context
   * @param holder who asks, with what the bootstrap demands
   * @param address of the service
   * @param lifetime that is wanted; null for what the service gives
   * @throws UnusableMessage where the policy asks for no context, or for what the holder has not
   */
  public static ContextExchange issue(
      EndpointPolicy policy,
      Holder holder,
      SoapVersion soap,
      String address,
      @Nullable Duration lifetime,
      Clock clock)
      throws UnusableMessage {
    Binding.Conversation conversation = conversation(policy);
    TrustVersion version = version(policy);
    int bits = conversation.derivedKeys() ? 256 : policy.suite().encryptionKeyBytes() * Byte.SIZE;
    byte[] entropy = Primitives.random(bits / Byte.SIZE);
    var wanted =
        new TokenRequest.Issue(
            version, null, version, address, bits, entropy, until(lifetime, clock));
    return new ContextExchange(
        new Initiator(conversation.bootstrap(), holder, null, clock),
        policy,
        soap,
        address,
        wanted,
        entropy,
        bits,
        null);
  }

  /**
   * Asks for more time.
   *
   * @param context alive, of the same service
   * @param lifetime that is wanted from now on; null for what the service gives
   * @throws UnusableMessage where the context has been cancelled
   */
  public static ContextExchange renew(
      EndpointPolicy policy,
      SecurityContext context,
      SoapVersion soap,
      String address,
      @Nullable Duration lifetime,
      Clock clock)
      throws UnusableMessage {
    conversation(policy);
    var wanted =
        new TokenRequest.Renew(
            version(policy), null, name(context), address, 0, null, until(lifetime, clock));
    return new ContextExchange(
        new Initiator(policy, Holder.NOBODY, context, clock),
        policy,
        soap,
        address,
        wanted,
        null,
        0,
        context);
  }

  /**
   * Ends a context.
   *
   * @throws UnusableMessage where it has been cancelled already
   */
  public static ContextExchange cancel(
      EndpointPolicy policy, SecurityContext context, SoapVersion soap, String address, Clock clock)
      throws UnusableMessage {
    conversation(policy);
    return new ContextExchange(
        new Initiator(policy, Holder.NOBODY, context, clock),
        policy,
        soap,
        address,
        new TokenRequest.Cancel(version(policy), null, name(context)),
        null,
        0,
        context);
  }

  private static Binding.Conversation conversation(EndpointPolicy policy) throws UnusableMessage {
    if (policy.binding() instanceof Binding.Conversation conversation) {
      return conversation;
    }
    throw new UnusableMessage("the policy has nothing to do with contexts");
  }

  private static TrustVersion version(EndpointPolicy policy) {
    return TrustVersion.ofConversation(policy.conversationNamespace()).orElse(TrustVersion.OASIS);
  }

  private static ContextName name(SecurityContext context) {
    return new ContextName(context.identifier(), context.instance());
  }

  private static @Nullable Lifetime until(@Nullable Duration lifetime, Clock clock) {
    if (lifetime == null) {
      return null;
    }
    Instant now = clock.instant();
    return new Lifetime(now, now.plus(lifetime));
  }

  /** What is to be sent. */
  public SecuredRequest request() {
    return request;
  }

  /** Judges the answer. */
  public Outcome read(byte[] answer) {
    SoapResponse heard = reader.read(answer, request);
    if (!(heard instanceof SoapResponse.Message(SoapVersion _, String _, String payload))) {
      return new Outcome.NotGranted(heard);
    }
    String body = "<b:Body xmlns:b=\"urn:b\">" + payload + "</b:Body>";
    return switch (TokenAnswer.read(body.getBytes(StandardCharsets.UTF_8))) {
      case TrustReading.Refused<TokenAnswer> refused -> doubtful(refused.line());
      case TrustReading.Read<TokenAnswer>(TokenAnswer.Issued issued) -> granted(issued);
      case TrustReading.Read<TokenAnswer>(TokenAnswer.Cancelled _) -> ended();
    };
  }

  private Outcome granted(TokenAnswer.Issued issued) {
    SecurityContext old = before;
    byte[] known = old == null ? null : old.secret();
    if (old != null && !issued.name().identifier().equals(old.identifier())) {
      return doubtful("the answer is about another context");
    }
    byte[] secret = issued.secret(entropy, known, bits == 0 ? 256 : bits);
    if (secret == null) {
      return doubtful("the answer does not say how the context's key is made");
    }
    Instant now = clock.instant();
    return new Outcome.Granted(
        new SecurityContext(
            issued.name().identifier(),
            issued.name().instance(),
            issued.tokenVersion().conversation(),
            address,
            policy.version(),
            new Caller.Anonymous(),
            issued.created() == null ? now : issued.created(),
            issued.expires() == null ? now.plus(USUAL_LIFETIME) : issued.expires(),
            secret));
  }

  private Outcome ended() {
    if (before == null) {
      return doubtful("the answer is about another context");
    }
    before.end();
    return new Outcome.Ended();
  }

  private Outcome doubtful(String line) {
    return new Outcome.NotGranted(new SoapResponse.Untrusted(line + " (" + version + ")"));
  }

  /** Names the message only. */
  @Override
  public String toString() {
    return "ContextExchange[" + request.messageId() + "]";
  }
}
