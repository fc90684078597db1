package dev.staithe.wss;

import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.EndpointPolicy;
import java.time.Duration;

/**
 * What an endpoint demands of a message; made once for each policy and shared by all its messages.
 *
 * @param endpoint its name; a context of another endpoint is foreign
 * @param policy what protects
 * @param algorithms what is taken at all
 * @param limits caps that hold before anything is computed
 * @param evidence whether {@link Findings#signature()} is wanted
 * @param renewal whether a message may bring, beside what the policy demands, the context that it
 *     is to renew, and be endorsed by its key (WS-SecureConversation 1.4 section 5)
 */
public record Expectation(
    String endpoint,
    EndpointPolicy policy,
    AlgorithmList algorithms,
    Limits limits,
    boolean evidence,
    boolean renewal) {

  /** Of messages that renew nothing. */
  public Expectation(
      String endpoint,
      EndpointPolicy policy,
      AlgorithmList algorithms,
      Limits limits,
      boolean evidence) {
    this(endpoint, policy, algorithms, limits, evidence, false);
  }

  /** The same of a message that renews a context. */
  public Expectation ofRenewal() {
    return new Expectation(endpoint, policy, algorithms, limits, evidence, true);
  }

  /** How a message is answered in which that was found: in the form of its suite that it is in. */
  public Expectation answering(Findings findings) {
    for (String each : findings.algorithms()) {
      AlgorithmSuite form = policy.suite().inFormOf(each);
      if (form != policy.suite()) {
        return new Expectation(endpoint, policy.by(form), algorithms, limits, evidence, renewal);
      }
    }
    return this;
  }

  /**
   * Caps.
   *
   * @param bytes of an envelope
   * @param depth of nested elements
   * @param attributes of one element, declarations included
   * @param skew by which clocks may differ
   * @param freshness for which a message is fresh after its creation, whatever it says of its
   *     expiry
   * @param references of one signature
   * @param derivedKeys in one message
   * @param derivedBytes the most of offset and length of a derivation together
   * @param nonceBytes of a derivation or a UsernameToken
   * @param iterations of a key from a password
   */
  public record Limits(
      long bytes,
      int depth,
      int attributes,
      Duration skew,
      Duration freshness,
      int references,
      int derivedKeys,
      int derivedBytes,
      int nonceBytes,
      int iterations) {
    /** What the service takes where nothing else is configured. */
    public static final Limits DEFAULT =
        new Limits(
            32L << 20,
            64,
            64,
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            30,
            4,
            256,
            64,
            10_000);

    /**
     * The most of the body in canonical form, in bytes, and of all other parts together: that can
     * be far longer than the message, as names of namespaces are written wherever they are used
     * first.
     *
     * @param message bytes of what came
     */
    public int canonical(long message) {
      return (int) Math.min(Integer.MAX_VALUE - 64, Math.min(bytes, 16 * message + (64L << 10)));
    }
  }
}
