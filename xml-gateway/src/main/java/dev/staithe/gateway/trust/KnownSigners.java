package dev.staithe.gateway.trust;

import dev.staithe.pki.Pem;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.tls.Reloadable;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates that messages may name without bringing them, by all the names they have. They are
 * hashed once, when they are read. Thread-safe.
 */
final class KnownSigners implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KnownSigners.class);
  private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";

  /**
   * Of all in the folder, by their names; and the chain of each. A certificate that was renewed
   * with its key has a name in common with the one before.
   */
  private record Index(
      Map<String, List<X509Certificate>> byName,
      Map<X509Certificate, List<X509Certificate>> chains) {
    static final Index EMPTY = new Index(Map.of(), Map.of());
  }

  private record Anchors(TrustAnchors of, Index index) {}

  private final @Nullable Reloadable<Index> files;
  private final Clock clock;
  private volatile @Nullable Anchors anchors;

  private KnownSigners(@Nullable Reloadable<Index> files, Clock clock) {
    this.files = files;
    this.clock = clock;
  }

  static KnownSigners open(@Nullable Path folder, Duration checkInterval, Clock clock)
      throws IOException {
    if (folder == null) {
      return new KnownSigners(null, clock);
    }
    try {
      return new KnownSigners(
          new Reloadable<>(
              "Known signers " + folder, List.of(folder), checkInterval, clock, () -> read(folder)),
          clock);
    } catch (GeneralSecurityException e) {
      throw new IOException(folder + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static Index read(Path folder) throws IOException {
    Index index = new Index(new HashMap<>(), new HashMap<>());
    List<Path> all;
    try (Stream<Path> listed = Files.list(folder)) {
      all = listed.filter(each -> each.toString().endsWith(".pem")).sorted().toList();
    }
    for (Path each : all) {
      try {
        List<X509Certificate> chain = Pem.readCertificates(each);
        index.chains().put(chain.getFirst(), chain);
        add(index.byName(), chain.getFirst());
      } catch (IOException e) {
        log.warn("Known signers: {}", e.getMessage());
      }
    }
    return index;
  }

  private static void add(Map<String, List<X509Certificate>> index, X509Certificate certificate) {
    try {
      put(
          index,
          "sha1 "
              + HexFormat.of()
                  .formatHex(MessageDigest.getInstance("SHA-1").digest(certificate.getEncoded())),
          certificate);
    } catch (CertificateEncodingException e) {
      return;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-1", e);
    }
    byte[] extension = certificate.getExtensionValue(SUBJECT_KEY_IDENTIFIER);
    byte[] identifier = extension == null ? null : content(content(extension));
    if (identifier != null) {
      put(index, "ski " + HexFormat.of().formatHex(identifier), certificate);
    }
    put(
        index,
        issued(certificate.getIssuerX500Principal(), certificate.getSerialNumber().toString()),
        certificate);
  }

  private static void put(
      Map<String, List<X509Certificate>> index, String name, X509Certificate certificate) {
    index.computeIfAbsent(name, each -> new ArrayList<>(1)).add(certificate);
  }

  private static String issued(X500Principal issuer, String serial) {
    return "issued " + serial + " " + issuer.getName(X500Principal.CANONICAL);
  }

  /** What is in a DER OCTET STRING of less than 128 bytes; null for anything else. */
  private static byte @Nullable [] content(byte @Nullable [] der) {
    return der != null && der.length >= 2 && der[0] == 4 && der[1] == der.length - 2
        ? Arrays.copyOfRange(der, 2, der.length)
        : null;
  }

  /**
   * The certificate of that name, in the folder or among the authorities; of several one that is
   * good now.
   */
  @Nullable X509Certificate find(Surroundings.Name name, TrustAnchors authorities) {
    String key;
    try {
      key =
          switch (name) {
            case Surroundings.Name.Thumbprint(byte[] sha1) -> "sha1 " + hex(sha1);
            case Surroundings.Name.KeyIdentifier(byte[] identifier) -> "ski " + hex(identifier);
            case Surroundings.Name.IssuerSerial(String issuer, var serial) ->
                issued(new X500Principal(issuer), serial.toString());
          };
    } catch (IllegalArgumentException e) {
      return null; // the issuer is no name
    }
    List<X509Certificate> found = index().byName().get(key);
    return good(found == null ? of(authorities).byName().getOrDefault(key, List.of()) : found);
  }

  private @Nullable X509Certificate good(List<X509Certificate> found) {
    Date now = Date.from(clock.instant());
    for (X509Certificate each : found) {
      if (!now.before(each.getNotBefore()) && !now.after(each.getNotAfter())) {
        return each;
      }
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** The certificate with what is between it and an authority, as far as that is known. */
  List<X509Certificate> chain(X509Certificate certificate) {
    return index().chains().getOrDefault(certificate, List.of(certificate));
  }

  private Index index() {
    return files == null ? Index.EMPTY : files.current();
  }

  private Index of(TrustAnchors authorities) {
    Anchors known = anchors;
    if (known == null || known.of() != authorities) {
      Index index = new Index(new HashMap<>(), Map.of());
      Collection<X509Certificate> all = authorities.certificates();
      all.forEach(each -> add(index.byName(), each));
      known = new Anchors(authorities, index);
      anchors = known;
    }
    return known.index();
  }

  void reloadIfChanged() {
    if (files != null) {
      files.check();
    }
  }

  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
