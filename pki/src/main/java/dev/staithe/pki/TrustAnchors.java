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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The authorities whose certificates are believed, with their revocation lists. Immutable and
 * thread-safe.
 *
 * @param certificates the authorities, without doubles, at least one
 * @param crls the revocation lists that were found; an authority without one is tolerated
 * @param skipped the files of a folder that could not be used
 */
public record TrustAnchors(
    Set<X509Certificate> certificates, List<X509CRL> crls, List<Skipped> skipped) {
  /** As OpenSSL's rehash and the grid's distributions name the files. */
  private static final Pattern CERTIFICATE_FILE =
      Pattern.compile(".+\\.(pem|crt)|[^.].*\\.[0-9]{1,2}");

  private static final Pattern CRL_FILE = Pattern.compile(".+\\.crl|[^.].*\\.r[0-9]{1,2}");

  /**
   * A file that was left out.
   *
   * @param file its name in the folder
   * @param reason one line
   */
  public record Skipped(String file, String reason) {}

  /** Copies the collections. */
  public TrustAnchors {
    certificates = Collections.unmodifiableSet(new LinkedHashSet<>(certificates));
    crls = List.copyOf(crls);
    skipped = List.copyOf(skipped);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("at least one trust anchor is needed");
    }
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
    if (Files.isDirectory(bundleOrFolder)) {
      return readFolder(bundleOrFolder);
    }
    return of(Pem.readCertificates(bundleOrFolder));
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

  private static TrustAnchors readFolder(Path folder) throws PemException {
    var certificates = new LinkedHashSet<X509Certificate>();
    var crls = new LinkedHashSet<X509CRL>();
    var skipped = new ArrayList<Skipped>();
    for (Path file : list(folder)) {
      String name = file.getFileName().toString();
      try {
        if (CRL_FILE.matcher(name).matches()) {
          crls.addAll(readCrls(file));
        } else if (CERTIFICATE_FILE.matcher(name).matches()) {
          certificates.addAll(Pem.readCertificates(file));
        }
      } catch (PemException e) {
        skipped.add(new Skipped(name, reason(e)));
      }
    }
    if (certificates.isEmpty()) {
      throw new PemException(
          folder + " holds no usable certificate: expected files *.pem, *.crt or *.0");
    }
    return new TrustAnchors(certificates, List.copyOf(crls), skipped);
  }

  private static List<Path> list(Path folder) throws PemException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !Files.isDirectory(file)).sorted().toList();
    } catch (IOException e) {
      throw new PemException(folder + " cannot be listed", e);
    }
  }

  /** Reads PEM or DER: revocation lists are published in both forms. */
  private static Collection<X509CRL> readCrls(Path file) throws PemException {
    byte[] bytes = Pem.readBytes(file);
    try {
      var found = new ArrayList<X509CRL>();
      for (var crl :
          CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(bytes))) {
        found.add((X509CRL) crl);
      }
      if (found.isEmpty()) {
        throw new PemException(file + " holds no revocation list");
      }
      return found;
    } catch (GeneralSecurityException e) {
      throw new PemException(file + " holds a revocation list that cannot be decoded", e);
    }
  }

  private static String reason(PemException e) {
    String message = e.getMessage();
    return message == null ? "cannot be read" : message;
  }
}
