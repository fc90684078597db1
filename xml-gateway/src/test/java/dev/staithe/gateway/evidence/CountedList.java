package dev.staithe.gateway.evidence;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A revocation list that says nothing, and knows how often it was written out. */
final class CountedList extends X509CRL {
  final AtomicInteger written = new AtomicInteger();

  @Override
  public byte[] getEncoded() {
    written.incrementAndGet();
    return "nothing".getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public String toString() {
    return "nothing";
  }

  @Override
  public void verify(PublicKey key) {}

  @Override
  public void verify(PublicKey key, String provider) {}

  @Override
  public int getVersion() {
    return 2;
  }

  @SuppressWarnings("deprecation")
  @Override
  public Principal getIssuerDN() {
    return () -> "nobody";
  }

  @Override
  public Date getThisUpdate() {
    return new Date(0);
  }

  @Override
  public Date getNextUpdate() {
    return new Date(0);
  }

  @Override
  public @Nullable X509CRLEntry getRevokedCertificate(BigInteger serial) {
    return null;
  }

  @Override
  public Set<? extends X509CRLEntry> getRevokedCertificates() {
    return Set.of();
  }

  @Override
  public byte[] getTBSCertList() {
    return new byte[0];
  }

  @Override
  public byte[] getSignature() {
    return new byte[0];
  }

  @Override
  public String getSigAlgName() {
    return "none";
  }

  @Override
  public String getSigAlgOID() {
    return "0.0";
  }

  @Override
  public byte[] getSigAlgParams() {
    return new byte[0];
  }

  @Override
  public boolean isRevoked(Certificate certificate) {
    return false;
  }

  @Override
  public boolean hasUnsupportedCriticalExtension() {
    return false;
  }

  @Override
  public Set<String> getCriticalExtensionOIDs() {
    return Set.of();
  }

  @Override
  public Set<String> getNonCriticalExtensionOIDs() {
    return Set.of();
  }

  @Override
  public byte[] getExtensionValue(String oid) {
    return new byte[0];
  }
}
