package dev.staithe.perf.visit;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.pki.grid.ProxySigner;
import dev.staithe.pki.grid.ProxySigning;
import dev.staithe.pki.grid.ProxyTerms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one who delegates by GridSite's delegation 1.1 does between two requests: reads what came,
 * signs. Thread-safe.
 */
public final class DelegatingUser {
  private static final ProxyTerms TERMS = ProxyTerms.of(Duration.ofHours(12));

  private final Credential person;
  private final Clock clock;

  /** One who signs with that certificate. */
  public DelegatingUser(Credential person, Clock clock) {
    this.person = person;
    this.clock = clock;
  }

  /**
   * What a service asks to be signed.
   *
   * @param id of the delegation
   * @param pem PKCS#10
   */
  public record Asked(String id, String pem) {}

  /** Reads the answer to {@code getNewProxyReq}. */
  public static Asked newlyAsked(String answer) throws IOException {
    return new Asked(part("delegationID", answer), part("proxyRequest", answer));
  }

  /** Reads the answer to {@code getProxyReq}. */
  static Asked asked(String id, String answer) throws IOException {
    return new Asked(id, part("getProxyReqReturn", answer));
  }

  /** A part of an answer; gSOAP and Java differ in prefixes, attributes and line ends. */
  private static String part(String name, String answer) throws IOException {
    Matcher found =
        Pattern.compile("<(?:\\w+:)?" + name + "(?:\\s[^>]*)?>([^<]+)<").matcher(answer);
    if (!found.find()) {
      throw new IOException("there is no " + name + " in an answer");
    }
    return found.group(1).replaceAll("&#(?:13|x[dD]);", "").strip();
  }

  /** The proxy for that key and the certificates that it hangs on, PEM. */
  public String sign(Asked asked) throws IOException {
    // Old services make keys of 1024 bits.
    return switch (CertificateRequest.read(
        asked.pem().getBytes(StandardCharsets.US_ASCII), KeyRules.forOldServices())) {
      case CertificateRequest.Refused(String line) -> throw new IOException(line);
      case CertificateRequest.Accepted accepted ->
          switch (ProxySigner.sign(person, accepted.key(), TERMS, clock)) {
            case ProxySigning.Refused(String line) -> throw new IOException(line);
            case ProxySigning.Signed(var chain) -> Pem.encode(chain);
          };
    };
  }
}
