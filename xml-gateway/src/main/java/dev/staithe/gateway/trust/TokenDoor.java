package dev.staithe.gateway.trust;

import dev.staithe.service.log.AuditLog;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustFault;
import dev.staithe.wss.trust.TrustReading;
import dev.staithe.wss.trust.TrustVersion;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Gives out contexts, renews and cancels them (WS-Trust 1.4, WS-SecureConversation 1.4 sections 3,
 * 5 and 6, and both of February 2005). What comes here has been opened by an engine: a request for
 * a new context by the bootstrap policy, one to cancel by the policy of the conversation itself, so
 * that whoever asks has shown that they possess the key, and one to renew by either: by the
 * bootstrap policy from the owner alone. A context belongs to who asked for it, to one endpoint,
 * and to one version of its policy. Thread-safe.
 *
 * <p>A renewal keeps the key but where TLS or the bootstrap policy protects it too: new key
 * material must not be protected by the old key alone (WS-SecureConversation 1.4 section 5). With a
 * new key comes an instance.
 */
public final class TokenDoor {
  private final ContextStore contexts;
  private final Surroundings.Signers signers;
  private final Lifetimes lifetimes;
  private final TrustMetrics metrics;
  private final AuditLog audit;
  private final Clock clock;
  private final ContextKeys keys = new ContextKeys();

  /**
   * A door to that store.
   *
   * @param signers who judges owners anew when they renew
   * @param limits of lifetimes; those of numbers are the store's
   */
  public TokenDoor(
      ContextStore contexts,
      Surroundings.Signers signers,
      ContextLimits limits,
      TrustMetrics metrics,
      AuditLog audit,
      Clock clock) {
    this.contexts = contexts;
    this.signers = signers;
    this.lifetimes = new Lifetimes(limits);
    this.metrics = metrics;
    this.audit = audit;
    this.clock = clock;
  }

  /** Ends the way of a request that is not granted. */
  private static final class NotGranted extends Exception {
    private static final long serialVersionUID = 1;
    private final Refusal reason;
    private final @Nullable TrustFault fault;

    NotGranted(Refusal reason, @Nullable TrustFault fault, String detail) {
      super(detail, null, false, false);
      this.reason = reason;
      this.fault = fault;
    }
  }

  /**
   * Answers a request for a context.
   *
   * @param action that transport and message agreed on
   * @param opened what an engine made of the request
   * @param endpoint where it came to
   * @param tls whether TLS protects the answer, beside what protects the message
   */
  public TokenOutcome answer(
      TrustAction action, Opening.Opened opened, TokenEndpoint endpoint, boolean tls) {
    Ask ask = new Ask(action, opened, endpoint, tls);
    try {
      TokenOutcome.Granted granted = grant(ask);
      tell(ask, "ok", granted.context()).with("expires", expires(granted)).write();
      metrics.count(action.kind(), null);
      return granted;
    } catch (NotGranted e) {
      String detail = String.valueOf(e.getMessage());
      String outcome = e.reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
      tell(ask, outcome, ask.own()).with("detail", detail).write();
      metrics.count(action.kind(), e.reason);
      return new TokenOutcome.Refused(
          e.reason,
          detail,
          e.fault == null ? null : TrustEnvelope.fault(opened, action.version(), e.fault));
    }
  }

  /** A request with all that is known of it. */
  private record Ask(
      TrustAction action, Opening.Opened opened, TokenEndpoint endpoint, boolean tls) {
    /** The context that protects the request itself. */
    @Nullable SecurityContext own() {
      return opened.reply().keys() instanceof Reply.Keys.InContext(SecurityContext context)
          ? context
          : null;
    }
  }

  private AuditLog.Line tell(Ask ask, String outcome, @Nullable SecurityContext context) {
    AuditLog.Line line =
        audit
            .line("context." + ask.action().kind().word(), outcome)
            .with("endpoint", ask.endpoint().name())
            .with("policy", ask.endpoint().policy().version())
            .with("subject", ask.opened().caller().subject())
            .with("engine", ask.opened().findings().engine());
    return context == null
        ? line
        : line.with("context", context.identifier()).with("instance", context.instance());
  }

  private static @Nullable String expires(TokenOutcome.Granted granted) {
    return granted.over() ? null : granted.context().expires().toString();
  }

  private TokenOutcome.Granted grant(Ask ask) throws NotGranted {
    if (!(ask.endpoint().policy().binding() instanceof Binding.Conversation conversation)) {
      throw new NotGranted(Refusal.ACTION, null, "the endpoint gives out no contexts");
    }
    TokenRequest request =
        switch (TokenRequest.read(ask.opened().message().body())) {
          case TrustReading.Read<TokenRequest>(TokenRequest read) -> read;
          case TrustReading.Refused<TokenRequest>(TrustFault fault, String line) ->
              throw new NotGranted(Refusal.POLICY, fault, line);
        };
    if (request.version() != ask.action().version() || request.kind() != ask.action().kind()) {
      throw new NotGranted(
          Refusal.ACTION,
          TrustFault.INVALID_REQUEST,
          "the body does not ask for what the action says");
    }
    return switch (request) {
      case TokenRequest.Issue issue -> issue(ask, issue);
      case TokenRequest.Renew renew -> renew(ask, renew, conversation);
      case TokenRequest.Cancel cancel -> cancel(ask, cancel, conversation);
    };
  }

  private TokenOutcome.Granted issue(Ask ask, TokenRequest.Issue request) throws NotGranted {
    if (ask.own() != null) {
      throw new NotGranted(
          Refusal.POLICY, TrustFault.INVALID_REQUEST, "a context is asked for in a context");
    }
    appliesHere(ask, request.appliesTo());
    if (request.entropy() == null && ask.endpoint().policy().clientEntropy()) {
      throw new NotGranted(Refusal.POLICY, TrustFault.BAD_REQUEST, "the requester adds no entropy");
    }
    Instant now = now();
    Caller owner = ask.opened().caller();
    Instant expires = expires(lifetimes.first(request.lifetime(), owner, now));
    ContextKeys.DerivedKey made =
        keys.make(request.entropy(), request.keyBits(), ask.endpoint().policy().suite());
    var context =
        new SecurityContext(
            "urn:uuid:" + UUID.randomUUID(),
            null,
            request.tokenVersion().conversation(),
            ask.endpoint().name(),
            ask.endpoint().policy().version(),
            owner,
            now,
            expires,
            made.secret());
    kept(contexts.keep(context), context);
    return granted(ask, context, request, request.tokenVersion(), request.appliesTo(), made, now);
  }

  private TokenOutcome.Granted renew(
      Ask ask, TokenRequest.Renew request, Binding.Conversation conversation) throws NotGranted {
    boolean proved = ask.own() != null;
    SecurityContext before = proved ? ownTarget(ask, request.target()) : theirs(ask, request);
    if (!conversation.renew()) {
      throw new NotGranted(
          Refusal.POLICY, TrustFault.UNABLE_TO_RENEW, "contexts are not renewed here");
    }
    appliesHere(ask, request.appliesTo());
    // Whoever came by the bootstrap policy was judged a moment ago.
    Caller owner = proved ? before.owner() : ask.opened().caller();
    if (proved
        && owner instanceof Caller.Certificate certificate
        && signers.judge(certificate.chain())
            instanceof Surroundings.Judgement.Untrusted(String line)) {
      throw new NotGranted(Refusal.UNTRUSTED, TrustFault.UNABLE_TO_RENEW, line);
    }
    Instant now = now();
    Instant expires = expires(lifetimes.further(request.lifetime(), before, owner, now));
    // By the bootstrap policy it is something else than the old key that protects a new one.
    boolean newKey = ask.tls() || !proved;
    ContextKeys.DerivedKey made = key(ask, request, before, newKey);
    var renewed =
        new SecurityContext(
            before.identifier(),
            newKey ? UUID.randomUUID().toString() : before.instance(),
            before.namespace(),
            before.endpoint(),
            before.policyVersion(),
            owner,
            before.created(),
            expires,
            made.secret());
    kept(contexts.renew(renewed), renewed);
    TrustVersion tokenVersion =
        TrustVersion.ofConversation(before.namespace()).orElse(request.version());
    return granted(ask, renewed, request, tokenVersion, request.appliesTo(), made, now);
  }

  private ContextKeys.DerivedKey key(
      Ask ask, TokenRequest.Renew request, SecurityContext before, boolean newKey)
      throws NotGranted {
    if (!newKey) {
      byte[] secret = before.secret();
      if (secret == null) {
        throw new NotGranted(Refusal.CONTEXT, null, "the context ended meanwhile");
      }
      return ContextKeys.same(secret);
    }
    if (ask.own() == null && request.entropy() == null && ask.endpoint().policy().clientEntropy()) {
      throw new NotGranted(Refusal.POLICY, TrustFault.BAD_REQUEST, "the requester adds no entropy");
    }
    return keys.make(request.entropy(), request.keyBits(), ask.endpoint().policy().suite());
  }

  /**
   * The context that a request by the bootstrap policy is about: its sender has shown no key of it,
   * but has logged in anew, and as the very one whose it is (WS-SecureConversation 1.4 section 5).
   * Who is told no is not told whether there is such a context.
   */
  private SecurityContext theirs(Ask ask, TokenRequest.Renew request) throws NotGranted {
    SecurityContext known;
    try {
      known = request.target().local() ? null : contexts.renewable(request.target().identifier());
    } catch (Surroundings.Unavailable e) {
      throw new NotGranted(Refusal.UNAVAILABLE, null, String.valueOf(e.getMessage()));
    }
    String line =
        known == null
            ? "there is no such context to be renewed"
            : !known.owner().isSame(ask.opened().caller())
                ? "the context is of somebody else"
                : !known.endpoint().equals(ask.endpoint().name())
                        || !known.policyVersion().equals(ask.endpoint().policy().version())
                    ? "the context is of another endpoint or policy"
                    : null;
    if (known == null || line != null) {
      throw new NotGranted(Refusal.CONTEXT, TrustFault.BAD_CONTEXT_TOKEN, String.valueOf(line));
    }
    return known;
  }

  private TokenOutcome.Granted cancel(
      Ask ask, TokenRequest.Cancel request, Binding.Conversation conversation) throws NotGranted {
    SecurityContext own = ownTarget(ask, request.target());
    if (!conversation.cancel()) {
      throw new NotGranted(
          Refusal.POLICY, TrustFault.REQUEST_FAILED, "contexts are not cancelled here");
    }
    switch (contexts.end(own)) {
      case ContextStore.CancelOutcome.Cancelled ended -> {
        // The answer confirms it.
      }
      case ContextStore.CancelOutcome.Unknown unknown ->
          throw new NotGranted(Refusal.CONTEXT, null, "the context ended meanwhile");
      case ContextStore.CancelOutcome.Unavailable(String line) ->
          throw new NotGranted(Refusal.UNAVAILABLE, null, line);
    }
    var answer = new TokenAnswer.Cancelled(request.version(), request.context());
    return new TokenOutcome.Granted(
        TrustEnvelope.answer(ask.opened(), ask.action(), answer), ask.action().answer(), own, true);
  }

  private static TokenOutcome.Granted granted(
      Ask ask,
      SecurityContext context,
      TokenRequest request,
      TrustVersion tokenVersion,
      @Nullable String appliesTo,
      ContextKeys.DerivedKey made,
      Instant now) {
    var answer =
        new TokenAnswer.Issued(
            request.version(),
            request.context(),
            tokenVersion,
            new ContextName(context.identifier(), context.instance()),
            tokenId(),
            appliesTo,
            made.key(),
            made.bits(),
            now,
            context.expires());
    return new TokenOutcome.Granted(
        TrustEnvelope.answer(ask.opened(), ask.action(), answer),
        ask.action().answer(),
        context,
        false);
  }

  /** The context of the message; whoever names another has not shown that they possess its key. */
  private static SecurityContext ownTarget(Ask ask, ContextName target) throws NotGranted {
    SecurityContext own = ask.own();
    if (own == null) {
      throw new NotGranted(
          Refusal.CONTEXT,
          TrustFault.BAD_CONTEXT_TOKEN,
          "the message does not show that its sender possesses the key of the context");
    }
    if (!target.local() && !target.identifier().equals(own.identifier())) {
      throw new NotGranted(
          Refusal.CONTEXT,
          TrustFault.BAD_CONTEXT_TOKEN,
          "the message is about another context than its own");
    }
    if (!own.endpoint().equals(ask.endpoint().name())) {
      throw new NotGranted(
          Refusal.CONTEXT, TrustFault.BAD_CONTEXT_TOKEN, "the context is of another endpoint");
    }
    return own;
  }

  private static void appliesHere(Ask ask, @Nullable String address) throws NotGranted {
    if (address != null && !ask.endpoint().isAt(address)) {
      throw new NotGranted(
          Refusal.POLICY, TrustFault.INVALID_SCOPE, "the context is wanted for another service");
    }
  }

  private static Instant expires(Lifetimes.Grant grant) throws NotGranted {
    return switch (grant) {
      case Lifetimes.Grant.Until(Instant expires) -> expires;
      case Lifetimes.Grant.Refused(TrustFault fault, String line) ->
          throw new NotGranted(Refusal.POLICY, fault, line);
    };
  }

  private static void kept(ContextStore.WriteOutcome keeping, SecurityContext context)
      throws NotGranted {
    if (keeping instanceof ContextStore.WriteOutcome.Stored) {
      return;
    }
    context.end();
    throw switch (keeping) {
      case ContextStore.WriteOutcome.TooMany(boolean ofSubject) ->
          new NotGranted(
              ofSubject ? Refusal.NOT_ALLOWED : Refusal.UNAVAILABLE,
              ofSubject ? TrustFault.REQUEST_FAILED : null,
              ofSubject ? "the subject has too many contexts" : "there are too many contexts");
      case ContextStore.WriteOutcome.Unavailable(String line) ->
          new NotGranted(Refusal.UNAVAILABLE, null, line);
      case ContextStore.WriteOutcome.Unknown gone ->
          new NotGranted(Refusal.CONTEXT, null, "the context ended meanwhile");
      case ContextStore.WriteOutcome.Stored done -> throw new IllegalStateException("it is kept");
    };
  }

  private static String tokenId() {
    return "sct-" + UUID.randomUUID();
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
