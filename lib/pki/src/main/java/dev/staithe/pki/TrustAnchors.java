package dev.staithe.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The authorities whose certificates are believed, with their revocation lists. Immutable and
 * thread-safe.
 *
 * @param certificates the authorities, without doubles, at least one
 * @param crls the revocation lists that were found; an authority without one is tolerated
 * @param skipped the files of a folder that could not be used
 * @param crlFiles which lists stand for each file of a folder, for the reading after this one
 */
public record TrustAnchors(
    Set<X509Certificate> certificates,
    List<X509CRL> crls,
    List<Skipped> skipped,
    Map<String, List<X509CRL>> crlFiles) {
  /** As OpenSSL's rehash and the grid's distributions name the files. */
  private static final Pattern CERTIFICATE_FILE =
      Pattern.compile(".+\\.(pem|crt)|[^.].*\\.[0-9]{1,2}");

  private static final Pattern CRL_FILE = Pattern.compile(".+\\.crl|[^.].*\\.r[0-9]{1,2}");

  /**
   * A file that was left out.
   *
   * @param file its name in the folder
   * @param reason one line
   * @param earlierStays whether what the file said at an earlier reading stays in force
   */
  public record Skipped(String file, String reason, boolean earlierStays) {
    /** A file that has no part in anything now. */
    public Skipped(String file, String reason) {
      this(file, reason, false);
    }
  }

  /** Copies the collections. */
  public TrustAnchors {
    certificates = Collections.unmodifiableSet(new LinkedHashSet<>(certificates));
    crls = List.copyOf(crls);
    skipped = List.copyOf(skipped);
    crlFiles = Map.copyOf(crlFiles);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("at least one trust anchor is needed");
    }
  }

  /** Anchors and lists that are of no folder. */
  public TrustAnchors(
      Set<X509Certificate> certificates, List<X509CRL> crls, List<Skipped> skipped) {
    this(certificates, crls, skipped, Map.of());
  }

  /** Anchors that are at hand already, without revocation lists. */
  public static TrustAnchors of(Collection<X509Certificate> certificates) {
    return new TrustAnchors(new LinkedHashSet<>(certificates), List.of(), List.of());
  }

  /**
   * Reads the anchors of a PEM bundle, or of a folder as {@code /etc/grid-security/certificates}.
   * In a folder, files named {@code *.pem}, {@code *.crt} and {@code *.0} hold certificates, {@code
   * *.r0} and {@code *.crl} revocation lists, other files are passed over, and one that is broken
   * is skipped and reported.
   *
   * @throws PemException where a bundle is broken, or no certificate is found
   */
  public static TrustAnchors read(Path bundleOrFolder) throws PemException {
    return read(bundleOrFolder, null);
  }

  /**
   * Reads them again. A revocation list that cannot be read, or that its authority has not signed,
   * does not end what the file said before: whom it withdrew stays withdrawn. A list whose file is
   * taken away is no longer in force.
   *
   * @param before the reading before this one; null for none
   * @throws PemException where a bundle is broken, or no certificate is found
   */
  public static TrustAnchors read(Path bundleOrFolder, @Nullable TrustAnchors before)
      throws PemException {
    if (Files.isDirectory(bundleOrFolder)) {
      return readFolder(bundleOrFolder, before == null ? Map.of() : before.crlFiles());
    }
    return of(Pem.readCertificates(bundleOrFolder));
  }

  /** The files of revocation lists that could not be used. */
  public List<Skipped> damagedLists() {
    return skipped.stream().filter(each -> CRL_FILE.matcher(each.file()).matches()).toList();
  }

  /** How many authorities there are. */
  public int count() {
    return certificates.size();
  }

  /** When the next authority that is still valid at the given time ends. */
  public Optional<Instant> nextExpiry(Instant now) {
    return certificates.stream()
        .map(certificate -> certificate.getNotAfter().toInstant())
        .filter(end -> !end.isBefore(now))
        .min(Instant::compareTo);
  }

  private static TrustAnchors readFolder(Path folder, Map<String, List<X509CRL>> before)
      throws PemException {
    var certificates = new LinkedHashSet<X509Certificate>();
    var skipped = new ArrayList<Skipped>();
    List<Path> files = list(folder);
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (CERTIFICATE_FILE.matcher(name).matches()) {
        try {
          certificates.addAll(Pem.readCertificates(file));
        } catch (PemException e) {
          skipped.add(new Skipped(name, reason(e)));
        }
      }
    }
    if (certificates.isEmpty()) {
      throw new PemException(
          folder + " holds no usable certificate: expected files *.pem, *.crt or *.0");
    }
    // One object for a list that two names lead to: lists can be long.
    var crls = new LinkedHashMap<X509CRL, X509CRL>();
    var crlFiles = new HashMap<String, List<X509CRL>>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (!CRL_FILE.matcher(name).matches()) {
        continue;
      }
      Collection<X509CRL> found;
      try {
        found = readCrls(file, certificates);
      } catch (PemException e) {
        found = before.getOrDefault(name, List.of());
        skipped.add(new Skipped(name, reason(e), !found.isEmpty()));
      }
      crlFiles.put(
          name,
          found.stream()
              .map(
                  crl -> {
                    X509CRL known = crls.putIfAbsent(crl, crl);
                    return known == null ? crl : known;
                  })
              .toList());
    }
    skipped.sort(Comparator.comparing(Skipped::file));
    return new TrustAnchors(certificates, List.copyOf(crls.keySet()), skipped, crlFiles);
  }

  private static List<Path> list(Path folder) throws PemException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !Files.isDirectory(file)).sorted().toList();
    } catch (IOException e) {
      throw new PemException(folder + " cannot be listed", e);
    }
  }

  /** Reads PEM or DER: revocation lists are published in both forms. */
  private static Collection<X509CRL> readCrls(Path file, Set<X509Certificate> authorities)
      throws PemException {
    byte[] bytes = Pem.readBytes(file);
    try {
      var found = new ArrayList<X509CRL>();
      for (var crl :
          CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(bytes))) {
        found.add((X509CRL) crl);
      }
      for (X509CRL crl : found) {
        if (!mayBeSigned(crl, authorities)) {
          throw new PemException(file + " holds a revocation list that its authority did not sign");
        }
      }
      if (found.isEmpty()) {
        throw new PemException(file + " holds no revocation list");
      }
      return found;
    } catch (GeneralSecurityException e) {
      throw new PemException(file + " holds a revocation list that cannot be decoded", e);
    }
  }

  /** Of an authority that is not in the folder nobody knows yet: its chain shows its key. */
  private static boolean mayBeSigned(X509CRL crl, Set<X509Certificate> authorities) {
    boolean known = false;
    for (X509Certificate authority : authorities) {
      if (authority.getSubjectX500Principal().equals(crl.getIssuerX500Principal())) {
        known = true;
        try {
          crl.verify(authority.getPublicKey());
          return true;
        } catch (GeneralSecurityException | RuntimeException e) {
          // Another key of the same name may have signed it.
        }
      }
    }
    return !known;
  }

  private static String reason(PemException e) {
    String message = e.getMessage();
    return message == null ? "cannot be read" : message;
  }
}
