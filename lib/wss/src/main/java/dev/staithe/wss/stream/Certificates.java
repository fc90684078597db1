package dev.staithe.wss.stream;

import dev.staithe.pki.Credential;
import dev.staithe.pki.grid.ClientChainValidator;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.crypto.OwnKey;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Certificates that were read before, ours among them, so that keys are converted once. Who is
 * believed is asked for each message. Bounded; thread-safe.
 */
final class Certificates {
  private static final int MOST = 4_096;

  /** Octets of all that is kept; read, each takes several times as much. */
  static final int MOST_OCTETS = 8 << 20;

  private static final int MOST_OF_A_CHAIN = 10;

  /**
   * Octets of a token, far more than a chain of proxies has. The Java runtime keeps what it has
   * read of certificates, whoever made them.
   */
  private static final int LONGEST = 128 << 10;

  /** What a token is: the same octets of another type are another, which may be none at all. */
  private record Content(String type, byte[] octets) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Content(String otherType, byte[] others)
          && Arrays.equals(octets, others)
          && type.equals(otherType);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(octets);
    }
  }

  /** What is kept by a name, until it is too much. */
  private static final class Kept<K> {
    private final ConcurrentHashMap<K, KnownCertificate> known = new ConcurrentHashMap<>();
    private final AtomicLong octets = new AtomicLong();

    @Nullable KnownCertificate get(K name) {
      return known.get(name);
    }

    void put(K name, KnownCertificate certificate, int length) {
      if (known.containsKey(name)) {
        return; // With each message of its caller: it is counted once.
      }
      long all = octets.addAndGet(length);
      if (all > MOST_OCTETS || known.size() >= MOST) {
        known.clear();
        octets.set(length);
      }
      known.put(name, certificate);
    }
  }

  private final Surroundings surroundings;
  private final Kept<Content> brought = new Kept<>();
  private final Kept<X509Certificate> found = new Kept<>();
  private final ConcurrentHashMap<X509Certificate, OwnKey> former = new ConcurrentHashMap<>();
  private volatile @Nullable OwnKey own;

  Certificates(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Ours, as it is now. */
  OwnKey own() {
    Credential credential = surroundings.own().get();
    OwnKey known = own;
    if (known == null
        || known.credential().key() != credential.key()
        || known.credential().certificate() != credential.certificate()) {
      known = OwnKey.of(credential);
      own = known;
    }
    return known;
  }

  /** Ours as it is now, and those before it that are still good to encrypt for. */
  List<OwnKey> ours() {
    // Asked first: what takes its place meanwhile finds it among the former ones.
    OwnKey now = own();
    List<Credential> before = surroundings.own().former();
    if (before.isEmpty()) {
      former.clear();
      return List.of(now);
    }
    List<OwnKey> all = new ArrayList<>();
    all.add(now);
    for (Credential each : before) {
      all.add(former.computeIfAbsent(each.certificate(), absent -> OwnKey.of(each)));
    }
    return all;
  }

  /** The one of ours that a certificate is; null where it is somebody else's. */
  @Nullable OwnKey ours(KnownCertificate certificate) {
    for (OwnKey each : ours()) {
      if (Arrays.equals(each.certificate().encoded(), certificate.encoded())) {
        return each;
      }
    }
    return null;
  }

  /** Whether a certificate is of a key of ours: a key may have several. */
  boolean isOfOurKey(KnownCertificate certificate) {
    byte[] key = key(certificate);
    return ours().stream().anyMatch(each -> Arrays.equals(key(each.certificate()), key));
  }

  private static byte[] key(KnownCertificate certificate) {
    return certificate.chain().getFirst().getPublicKey().getEncoded();
  }

  /** What a token brought. */
  KnownCertificate of(SecurityScan.Binary token) throws UnsupportedShape {
    KnownCertificate known = brought.get(new Content(token.type(), token.content()));
    return known == null ? read(token) : known;
  }

  /** What a {@code wsse:BinarySecurityToken} holds (X.509 token profile 1.1 section 3.1). */
  private static KnownCertificate read(SecurityScan.Binary token) throws UnsupportedShape {
    if (token.content().length > LONGEST) {
      throw new UnsupportedShape("a security token that is too long");
    }
    var in = new ByteArrayInputStream(token.content());
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<X509Certificate> chain = new ArrayList<>();
      if (token.type().endsWith("#X509v3")) {
        chain.add((X509Certificate) factory.generateCertificate(in));
      } else if (token.type().endsWith("#X509PKIPathv1")) {
        for (var each : factory.generateCertPath(in, "PkiPath").getCertificates()) {
          chain.add((X509Certificate) each);
        }
      }
      if (chain.isEmpty() || chain.size() > MOST_OF_A_CHAIN || in.available() > 0) {
        throw new UnsupportedShape("a security token of another kind");
      }
      if (ClientChainValidator.costly(chain.getFirst())) {
        throw new UnsupportedShape("a certificate whose key is too long");
      }
      return KnownCertificate.of(chain);
    } catch (CertificateException e) {
      throw new UnsupportedShape("a certificate that cannot be read");
    }
  }

  /** Keeps what a token brought, once it is believed: strangers fill no memory. */
  void keep(SecurityScan.Binary token, KnownCertificate certificate) {
    brought.put(new Content(token.type(), token.content()), certificate, token.content().length);
  }

  /** What a name stands for that brings no certificate; null where none is known. */
  @Nullable KnownCertificate find(Surroundings.Name name) {
    X509Certificate certificate = surroundings.signers().find(name);
    return certificate == null ? null : of(certificate);
  }

  /** One that was judged before. */
  KnownCertificate of(X509Certificate certificate) {
    KnownCertificate known = found.get(certificate);
    if (known == null) {
      known = KnownCertificate.of(List.of(certificate));
      found.put(certificate, known, known.encoded().length);
    }
    return known;
  }
}
