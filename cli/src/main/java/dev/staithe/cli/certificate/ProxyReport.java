package dev.staithe.cli.certificate;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.pki.Credential;
import dev.staithe.pki.grid.ProxyFacts;
import dev.staithe.pki.grid.VomsAttributes;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is told of a proxy, to people and to programs. */
public final class ProxyReport {
  private static final Duration SKEW = Duration.ofMinutes(1);

  private ProxyReport() {}

  /** All that is known of it, by name, in the order in which it is shown. */
  static Map<String, Object> of(List<X509Certificate> chain, Instant now) {
    X509Certificate own = chain.getFirst();
    ProxyFacts facts = ProxyFacts.of(chain);
    var told = new LinkedHashMap<String, Object>();
    told.put("type", type(facts));
    told.put("subject", Names.slashed(own.getSubjectX500Principal()));
    told.put("issuer", Names.slashed(own.getIssuerX500Principal()));
    told.put("identity", facts.identity().slashed());
    told.put("key", key(own));
    if (facts.form() != null) {
      Integer left = facts.pathLeft();
      told.put("pathLength", left == null ? "unlimited" : left);
    }
    told.put("notAfter", until(facts.notAfter()));
    told.put("secondsLeft", secondsLeft(facts.notAfter(), now));
    List<Map<String, Object>> voms =
        VomsAttributes.read(chain).stream().map(each -> voms(each, now)).toList();
    if (!voms.isEmpty()) {
      told.put("voms", voms);
    }
    return told;
  }

  private static Map<String, Object> voms(VomsAttributes attributes, Instant now) {
    var told = new LinkedHashMap<String, Object>();
    told.put("vo", Page.oneLine(attributes.vo()));
    told.put("attributes", attributes.fqans().stream().map(Page::oneLine).toList());
    told.put("issuer", attributes.issuer().slashed());
    told.put("notAfter", until(attributes.notAfter()));
    told.put("secondsLeft", secondsLeft(attributes.notAfter(), now));
    return told;
  }

  /** A line for each. */
  static void print(StaitheCommand staithe, Map<String, Object> told) {
    told.forEach(
        (name, value) -> {
          if (value instanceof List<?> several) {
            several.forEach(
                each -> {
                  if (each instanceof Map<?, ?> part) {
                    line(staithe, "voms", part.get("vo") + " until " + part.get("notAfter"));
                    if (part.get("attributes") instanceof List<?> attributes) {
                      attributes.forEach(attribute -> line(staithe, "attribute", attribute));
                    }
                  }
                });
          } else {
            line(staithe, name, value);
          }
        });
  }

  private static void line(StaitheCommand staithe, String name, Object value) {
    staithe.out().printf("%-12s %s%n", name, value);
  }

  /**
   * Tells where a proxy was written.
   *
   * @param wanted how long it should be valid; zero where nothing was asked for
   * @param shorter what to say where it is not
   */
  public static void written(
      StaitheCommand staithe,
      Credential proxy,
      Path file,
      boolean json,
      Duration wanted,
      String shorter) {
    Instant now = staithe.clock().instant();
    Instant end = ProxyFacts.of(proxy.chain()).notAfter();
    if (wanted.isPositive() && end.isBefore(now.plus(wanted).minus(SKEW))) {
      staithe.terminal().note(shorter + ": the proxy ends at " + until(end));
    }
    if (json) {
      Map<String, Object> told = of(proxy.chain(), now);
      told.put("file", file.toString());
      staithe.json(told);
      return;
    }
    staithe.out().println(file);
    staithe
        .terminal()
        .progress(
            Names.slashed(proxy.certificate().getSubjectX500Principal()) + " until " + until(end));
  }

  /** An end, in whole seconds. */
  public static String until(Instant end) {
    return end.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Until an end; 0 from then on. */
  public static long secondsLeft(Instant end, Instant now) {
    return Math.max(0, Duration.between(now, end).toSeconds());
  }

  private static String type(ProxyFacts facts) {
    ProxyFacts.Form form = facts.form();
    if (form == null) {
      return "certificate, no proxy";
    }
    String rights =
        switch (facts.rights()) {
          case FULL -> "";
          case LIMITED -> "limited ";
          case INDEPENDENT -> "independent ";
          case UNKNOWN -> "foreign ";
        };
    return rights + (form == ProxyFacts.Form.LEGACY ? "legacy proxy" : "RFC 3820 proxy");
  }

  private static String key(X509Certificate certificate) {
    return switch (certificate.getPublicKey()) {
      case RSAPublicKey rsa -> "RSA " + rsa.getModulus().bitLength();
      case ECPublicKey ec -> "EC " + ec.getParams().getOrder().bitLength();
      default -> certificate.getPublicKey().getAlgorithm().toUpperCase(Locale.ROOT);
    };
  }
}
