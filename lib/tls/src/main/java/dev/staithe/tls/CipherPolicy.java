package dev.staithe.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The protocols, cipher suites and groups of every connection: TLS 1.3 and 1.2, ephemeral keys and
 * authenticated encryption only (RFC 9325 §4.2).
 *
 * @param groups for keys (RFC 8446 §4.2.7), the most liked first; none: the implementation's own
 */
record CipherPolicy(List<String> protocols, List<String> suites, List<String> groups) {
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** AES of 128 bits first: the cheapest where the processor helps, and strong enough. */
  private static final List<String> AES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");

  private static final List<String> CHACHA =
      List.of(
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /**
   * Conscrypt leaves P-521 out, and ARC's libraries offer nothing else. The names are Conscrypt's;
   * the JDK has all of them by itself.
   */
  private static final List<String> GROUPS = List.of("X25519", "P-256", "P-384", "P-521");

  /** Where an operator says which groups, for both implementations. */
  private static final String OPERATORS_GROUPS = "jdk.tls.namedGroups";

  private static final boolean PROCESSOR_HELPS_AES = processorHelpsAes();

  /** What of our list the implementation can do. */
  static CipherPolicy of(SSLContext context, boolean conscrypt) {
    SSLParameters supported = context.getSupportedSSLParameters();
    var wanted = new ArrayList<String>();
    wanted.addAll(PROCESSOR_HELPS_AES ? AES : CHACHA);
    wanted.addAll(PROCESSOR_HELPS_AES ? CHACHA : AES);
    wanted.retainAll(Set.of(supported.getCipherSuites()));
    var protocols = new ArrayList<>(PROTOCOLS);
    protocols.retainAll(Arrays.asList(supported.getProtocols()));
    boolean ours = conscrypt && System.getProperty(OPERATORS_GROUPS) == null;
    return new CipherPolicy(List.copyOf(protocols), List.copyOf(wanted), ours ? GROUPS : List.of());
  }

  SSLParameters applyTo(SSLParameters parameters) {
    parameters.setProtocols(protocols.toArray(String[]::new));
    parameters.setCipherSuites(suites.toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    if (!groups.isEmpty()) {
      parameters.setNamedGroups(groups.toArray(String[]::new));
    }
    return parameters;
  }

  /** Linux tells; elsewhere every processor of the last ten years is believed to. */
  private static boolean processorHelpsAes() {
    Path file = Path.of("/proc/cpuinfo");
    try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith("flags") || line.startsWith("Features"))
          .findFirst()
          .map(line -> Arrays.asList(line.split("\\s+")).contains("aes"))
          .orElse(true);
    } catch (IOException | RuntimeException e) {
      return true;
    }
  }
}
