package dev.staithe.wss.client;

import dev.staithe.http.BoundedFetch;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Calls one service under one policy over HTTP. Where keys come from a context, it is asked for
 * before the first call, renewed or replaced before it ends, replaced once where the service does
 * not know it any more, and cancelled in the end. Thread-safe.
 */
public final class SoapCaller implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration WHOLE = Duration.ofMinutes(10);
  private static final Duration BEFORE_END = Duration.ofSeconds(30);
  private static final int MOST = 64 << 20;

  private final URI address;
  private final String to;
  private final EndpointPolicy policy;
  private final Holder holder;
  private final HttpClient client;
  private final Clock clock;
  private final Object gate = new Object();
  private @Nullable SecurityContext context;

  /**
   * Opens nothing yet.
   *
   * @param address http or https
   * @param tls for https, with the client's certificate where the policy demands one there; null
   *     for that of the Java runtime
   * @throws UnusableMessage where the policy cannot be met there
   */
  public SoapCaller(
      URI address, EndpointPolicy policy, Holder holder, @Nullable SSLContext tls, Clock clock)
      throws UnusableMessage {
    this.address = address;
    this.to = address.toString();
    this.policy = policy;
    this.holder = holder;
    this.clock = clock;
    if (demandsTls(policy) && !"https".equals(address.getScheme())) {
      throw new UnusableMessage("the policy demands TLS, and " + address + " is not https");
    }
    if (!isAnswerable(policy, holder)) {
      throw new UnusableMessage(
          "the policy has answers encrypted for one's own certificate, and its key is not RSA");
    }
    this.client = BoundedFetch.client(tls, PATIENCE);
    if (!(policy.binding() instanceof Binding.Conversation)) {
      // Tells what is missing before anything is sent.
      new Initiator(policy, holder, null, clock);
    }
  }

  /** The service would refuse the request, and may not say why. */
  private static boolean isAnswerable(EndpointPolicy policy, Holder holder) {
    return switch (policy.binding()) {
      case Binding.Asymmetric _ ->
          !policy.encrypts()
              || holder.credential() == null
              || holder.credential().certificate().getPublicKey().getAlgorithm().equals("RSA");
      case Binding.Conversation each -> isAnswerable(each.bootstrap(), holder);
      case Binding.None _, Binding.Transport _, Binding.EncryptedKey _, Binding.UsernameKeys _ ->
          true;
    };
  }

  /** Whether TLS protects a part of it: messages themselves, a password, or a token. */
  public static boolean demandsTls(EndpointPolicy policy) {
    return switch (policy.binding()) {
      case Binding.Transport _ -> true;
      case Binding.Conversation each -> demandsTls(each.bootstrap()) || demandsToken(policy);
      case Binding.None(), Binding.Asymmetric _, Binding.EncryptedKey _, Binding.UsernameKeys _ ->
          demandsToken(policy);
    };
  }

  private static boolean demandsToken(EndpointPolicy policy) {
    for (SupportingToken each : policy.supporting()) {
      if (each.kind() == SupportingToken.Kind.BEARER) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sends a request, and judges the answer.
   *
   * @throws IOException where the service cannot be reached, or answers what is no SOAP; one line
   */
  public SoapResponse call(PlainRequest request) throws IOException {
    if (!(policy.binding() instanceof Binding.Conversation)) {
      return exchange(new Initiator(policy, holder, null, clock), request);
    }
    SecurityContext before = alive(request.version(), null);
    SoapResponse heard = exchange(new Initiator(policy, holder, before, clock), request);
    if (heard instanceof SoapResponse.Fault fault && fault.code().equals("BadContextToken")) {
      SecurityContext after = alive(request.version(), before);
      return exchange(new Initiator(policy, holder, after, clock), request);
    }
    return heard;
  }

  private SoapResponse exchange(Initiator initiator, PlainRequest request) throws IOException {
    SecuredRequest secured = initiator.secure(request);
    byte[] answer = send(secured, policy);
    return new AnswerReader(policy, holder, clock).read(answer, secured);
  }

  /**
   * The context of calls, asked for where there is none.
   *
   * @throws IOException where none is given; one line
   */
  public SecurityContext context(SoapVersion version) throws IOException {
    return alive(version, null);
  }

  private SecurityContext alive(SoapVersion version, @Nullable SecurityContext unknown)
      throws IOException {
    synchronized (gate) {
      SecurityContext known = context;
      if (known != null && known != unknown) {
        Instant now = clock.instant();
        Duration left = Duration.between(now, known.expires());
        Duration whole = Duration.between(known.created(), known.expires());
        Duration early = whole.dividedBy(10);
        if (left.compareTo(early.compareTo(BEFORE_END) < 0 ? early : BEFORE_END) > 0) {
          return known;
        }
        if (left.isPositive() && conversation().renew()) {
          SecurityContext renewed = renewed(version, known);
          if (renewed != null) {
            context = renewed;
            return renewed;
          }
        }
      }
      SecurityContext fresh = issued(version);
      context = fresh;
      return fresh;
    }
  }

  private SecurityContext issued(SoapVersion version) throws IOException {
    var exchange = ContextExchange.issue(policy, holder, version, to, null, clock);
    return switch (exchange.read(send(exchange.request(), conversation().bootstrap()))) {
      case ContextExchange.Outcome.Granted(SecurityContext granted) -> granted;
      case ContextExchange.Outcome.Ended() -> throw new IOException(to + " gives no context");
      case ContextExchange.Outcome.NotGranted(SoapResponse heard) ->
          throw new IOException(to + " gives no context: " + line(heard));
    };
  }

  private @Nullable SecurityContext renewed(SoapVersion version, SecurityContext known)
      throws IOException {
    var exchange = ContextExchange.renew(policy, known, version, to, null, clock);
    return exchange.read(send(exchange.request(), policy))
            instanceof ContextExchange.Outcome.Granted(SecurityContext granted)
        ? granted
        : null;
  }

  private Binding.Conversation conversation() throws UnusableMessage {
    if (policy.binding() instanceof Binding.Conversation conversation) {
      return conversation;
    }
    throw new UnusableMessage("the policy has nothing to do with contexts");
  }

  /**
   * Renews the context now, whatever is left of it.
   *
   * @throws IOException where there is none, or the service does not renew it
   */
  public SecurityContext renew(SoapVersion version) throws IOException {
    synchronized (gate) {
      SecurityContext renewed = context == null ? null : renewed(version, context);
      if (renewed == null) {
        throw new IOException(to + " renews no context");
      }
      context = renewed;
      return renewed;
    }
  }

  /**
   * Cancels the context, if there is one.
   *
   * @return whether the service has said that it ended
   * @throws IOException where the service cannot be reached
   */
  public boolean cancel(SoapVersion version) throws IOException {
    synchronized (gate) {
      SecurityContext known = context;
      if (known == null) {
        return false;
      }
      context = null;
      var exchange = ContextExchange.cancel(policy, known, version, to, clock);
      boolean ended =
          exchange.read(send(exchange.request(), policy)) instanceof ContextExchange.Outcome.Ended;
      known.end();
      return ended;
    }
  }

  private byte[] send(SecuredRequest request, EndpointPolicy under) throws IOException {
    var post =
        HttpRequest.newBuilder(address)
            .timeout(PATIENCE)
            .header("Content-Type", request.contentType())
            .header("User-Agent", "staithe")
            .POST(HttpRequest.BodyPublishers.ofByteArray(request.envelope()));
    if (request.version() == SoapVersion.SOAP_1_1) {
      post.header("SOAPAction", "\"" + request.action() + "\"");
    }
    if (demandsToken(under) && holder.token() != null) {
      post.header("Authorization", "Bearer " + holder.token());
    }
    HttpResponse<byte[]> answer;
    try {
      answer = new BoundedFetch(client, WHOLE, MOST).send(post.build());
    } catch (IOException e) {
      throw new IOException(to + ": " + e.getMessage(), e);
    }
    String type = answer.headers().firstValue("Content-Type").orElse("");
    if (Soap.ofContentType(type).isEmpty()) {
      throw new IOException(
          to + " answers HTTP " + answer.statusCode() + (type.isEmpty() ? "" : " with " + type));
    }
    return answer.body();
  }

  /** What went wrong, in one line. */
  static String line(SoapResponse heard) {
    return switch (heard) {
      case SoapResponse.Message _ -> "an answer to something else";
      case SoapResponse.Fault fault ->
          "fault " + fault.code() + (fault.line().isEmpty() ? "" : ": " + fault.line());
      case SoapResponse.Untrusted doubtful -> doubtful.line();
    };
  }

  /** Closes connections; the context is left to its end where it was not cancelled. */
  @Override
  public void close() {
    client.close();
    synchronized (gate) {
      if (context != null) {
        context.end();
        context = null;
      }
    }
  }
}
