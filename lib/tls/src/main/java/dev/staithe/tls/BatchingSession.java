package dev.staithe.tls;

import java.security.Principal;
import java.security.cert.Certificate;
import java.util.List;
import javax.crypto.SecretKey;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/** A session that reports buffer sizes for a batch of records and is else the inner one. */
final class BatchingSession extends ExtendedSSLSession {
  private final SSLSession inner;
  private final int packetBufferSize;
  private final int applicationBufferSize;

  BatchingSession(SSLSession inner, int packetBufferSize, int applicationBufferSize) {
    this.inner = inner;
    this.packetBufferSize = packetBufferSize;
    this.applicationBufferSize = applicationBufferSize;
  }

  SSLSession inner() {
    return inner;
  }

  @Override
  public int getPacketBufferSize() {
    return Math.max(packetBufferSize, inner.getPacketBufferSize());
  }

  @Override
  public int getApplicationBufferSize() {
    return Math.max(applicationBufferSize, inner.getApplicationBufferSize());
  }

  @Override
  public String[] getLocalSupportedSignatureAlgorithms() {
    return inner instanceof ExtendedSSLSession extended
        ? extended.getLocalSupportedSignatureAlgorithms()
        : new String[0];
  }

  @Override
  public String[] getPeerSupportedSignatureAlgorithms() {
    return inner instanceof ExtendedSSLSession extended
        ? extended.getPeerSupportedSignatureAlgorithms()
        : new String[0];
  }

  @Override
  public List<SNIServerName> getRequestedServerNames() {
    return inner instanceof ExtendedSSLSession extended
        ? extended.getRequestedServerNames()
        : List.of();
  }

  @Override
  public List<byte[]> getStatusResponses() {
    return inner instanceof ExtendedSSLSession extended ? extended.getStatusResponses() : List.of();
  }

  @Override
  public SecretKey exportKeyingMaterialKey(
      String keyAlg, String label, byte @Nullable [] context, int length) throws SSLKeyException {
    if (inner instanceof ExtendedSSLSession extended) {
      return extended.exportKeyingMaterialKey(keyAlg, label, context, length);
    }
    throw new UnsupportedOperationException("no exporter in this session");
  }

  @Override
  public byte[] exportKeyingMaterialData(String label, byte @Nullable [] context, int length)
      throws SSLKeyException {
    if (inner instanceof ExtendedSSLSession extended) {
      return extended.exportKeyingMaterialData(label, context, length);
    }
    throw new UnsupportedOperationException("no exporter in this session");
  }

  @Override
  public byte[] getId() {
    return inner.getId();
  }

  @Override
  public @Nullable SSLSessionContext getSessionContext() {
    return inner.getSessionContext();
  }

  @Override
  public long getCreationTime() {
    return inner.getCreationTime();
  }

  @Override
  public long getLastAccessedTime() {
    return inner.getLastAccessedTime();
  }

  @Override
  public void invalidate() {
    inner.invalidate();
  }

  @Override
  public boolean isValid() {
    return inner.isValid();
  }

  @Override
  public void putValue(String name, Object value) {
    inner.putValue(name, value);
  }

  @Override
  public @Nullable Object getValue(String name) {
    return inner.getValue(name);
  }

  @Override
  public void removeValue(String name) {
    inner.removeValue(name);
  }

  @Override
  public String[] getValueNames() {
    return inner.getValueNames();
  }

  @Override
  public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
    return inner.getPeerCertificates();
  }

  @Override
  public Certificate @Nullable [] getLocalCertificates() {
    return inner.getLocalCertificates();
  }

  @Override
  public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
    return inner.getPeerPrincipal();
  }

  @Override
  public @Nullable Principal getLocalPrincipal() {
    return inner.getLocalPrincipal();
  }

  @Override
  public String getCipherSuite() {
    return inner.getCipherSuite();
  }

  @Override
  public String getProtocol() {
    return inner.getProtocol();
  }

  @Override
  public @Nullable String getPeerHost() {
    return inner.getPeerHost();
  }

  @Override
  public int getPeerPort() {
    return inner.getPeerPort();
  }
}
