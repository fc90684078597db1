package dev.staithe.tls;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Lets one call encrypt or decrypt as many records as fit.
 *
 * <p>An engine does one record of at most 16 KiB in a call, and what stands above it makes one
 * system call of each. At several hundred megabytes in a second these calls cost more than the
 * cipher. This engine repeats the call below it while there is data and room, and its session
 * reports buffer sizes for a whole batch, which servers such as Jetty allocate by. Bytes are never
 * copied here.
 *
 * <p>Whatever is not plain data ends a batch: handshake messages, tickets and key updates that want
 * an answer, closure, and errors are given to the caller as the engine below gave them, after the
 * data that came before them.
 *
 * <p>As any engine: one thread may wrap while another unwraps, no more.
 */
final class BatchingSslEngine extends SSLEngine {
  /** RFC 8446 §5.1: type, version, length. */
  private static final int RECORD_HEADER = 5;

  /** The least that authenticated encryption adds: the header and a tag of 16 bytes. */
  private static final int RECORD_OVERHEAD = RECORD_HEADER + 16;

  private static final int APPLICATION_DATA = 23;

  /**
   * Shorter records may be alerts in disguise (RFC 8446 §5.1: two bytes, a type, a tag, and padding
   * as the JDK adds). They are left for the next call: Conscrypt closes both directions when it
   * meets the end of one, and a request that came before it could not be answered.
   */
  private static final int LONGEST_ALERT = 64;

  /**
   * The end of inbound data, met after other data in the same call. It waits until the caller has
   * been given that data, and comes back for the record that stays in the source.
   */
  private record Ending(int recordLength, @Nullable SSLException failure) {}

  private final SSLEngine inner;
  private final int packetBufferSize;
  private final int applicationBufferSize;
  private @Nullable BatchingSession session;
  private @Nullable BatchingSession handshakeSession;
  private volatile @Nullable Ending ending;

  /**
   * Batches the calls of an engine.
   *
   * @param batchBytes see {@link ServerTlsSettings}, not 0
   */
  BatchingSslEngine(SSLEngine inner, int batchBytes) {
    this.inner = inner;
    this.packetBufferSize = BatchSize.packets(batchBytes);
    this.applicationBufferSize = BatchSize.data(batchBytes);
  }

  SSLEngine inner() {
    return inner;
  }

  @Override
  public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
      throws SSLException {
    SSLEngineResult last = inner.wrap(sources, offset, length, destination);
    if (!isPlainProgress(last)
        || !hasRemaining(sources, offset, length)
        || destination.remaining() < BatchSize.RECORD_PACKET) {
      return last;
    }
    int roomForOne = Math.max(BatchSize.RECORD_PACKET, inner.getSession().getPacketBufferSize());
    int consumed = last.bytesConsumed();
    int produced = last.bytesProduced();
    while (isPlainProgress(last)
        && hasRemaining(sources, offset, length)
        && destination.remaining() >= roomForOne) {
      last = inner.wrap(sources, offset, length, destination);
      consumed += last.bytesConsumed();
      produced += last.bytesProduced();
    }
    return sum(last, consumed, produced);
  }

  @Override
  public SSLEngineResult unwrap(
      ByteBuffer source, ByteBuffer[] destinations, int offset, int length) throws SSLException {
    Ending pending = ending;
    if (pending != null) {
      return end(pending, source);
    }
    SSLEngineResult last = inner.unwrap(source, destinations, offset, length);
    if (!isPlainProgress(last)) {
      return last;
    }
    int consumed = last.bytesConsumed();
    int produced = last.bytesProduced();
    while (isPlainProgress(last) && nextRecordFits(source, destinations, offset, length)) {
      int start = source.position();
      int recordLength = recordLength(source);
      try {
        last = inner.unwrap(source, destinations, offset, length);
      } catch (SSLException e) {
        if (produced == 0) {
          throw e;
        }
        last = postpone(new Ending(recordLength, e), source, start);
      }
      if (last.getStatus() == Status.CLOSED && produced > 0 && last.bytesProduced() == 0) {
        // Callers take CLOSED for the end and would not look at the data.
        last = postpone(new Ending(recordLength, null), source, start);
      }
      consumed += last.bytesConsumed();
      produced += last.bytesProduced();
    }
    return sum(last, consumed, produced);
  }

  private static SSLEngineResult sum(SSLEngineResult last, int consumed, int produced) {
    Status status = last.getStatus();
    if (status == Status.BUFFER_UNDERFLOW
        || (status == Status.BUFFER_OVERFLOW && last.bytesConsumed() == 0)) {
      // True of the next record, not of those that are done.
      status = Status.OK;
    }
    return new SSLEngineResult(status, last.getHandshakeStatus(), consumed, produced);
  }

  /** The record is left in the source, so that the caller sees a reason to come back. */
  private SSLEngineResult postpone(Ending next, ByteBuffer source, int start) {
    source.position(start);
    ending = next;
    return new SSLEngineResult(Status.OK, inner.getHandshakeStatus(), 0, 0);
  }

  private SSLEngineResult end(Ending pending, ByteBuffer source) throws SSLException {
    ending = null;
    int consumed = Math.min(pending.recordLength(), source.remaining());
    source.position(source.position() + consumed);
    if (pending.failure() != null) {
      throw pending.failure();
    }
    return new SSLEngineResult(Status.CLOSED, inner.getHandshakeStatus(), consumed, 0);
  }

  private static boolean isPlainProgress(SSLEngineResult result) {
    return result.getStatus() == Status.OK
        && result.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
        && result.bytesConsumed() + result.bytesProduced() > 0;
  }

  /** Whether a whole record of data is there, and certainly room for it. */
  private static boolean nextRecordFits(
      ByteBuffer source, ByteBuffer[] destinations, int offset, int length) {
    if (source.remaining() < RECORD_HEADER) {
      return false;
    }
    int recordLength = recordLength(source);
    if (source.remaining() < recordLength
        || source.get(source.position()) != APPLICATION_DATA
        || recordLength <= RECORD_HEADER + LONGEST_ALERT) {
      return false;
    }
    int most = Math.min(BatchSize.RECORD_DATA, recordLength - RECORD_OVERHEAD);
    return remaining(destinations, offset, length) >= most;
  }

  private static int recordLength(ByteBuffer source) {
    int at = source.position() + 3;
    return RECORD_HEADER + ((source.get(at) & 0xff) << 8 | (source.get(at + 1) & 0xff));
  }

  private static boolean hasRemaining(ByteBuffer[] buffers, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (buffers[i].hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  private static long remaining(ByteBuffer[] buffers, int offset, int length) {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += buffers[i].remaining();
    }
    return sum;
  }

  @Override
  public boolean isInboundDone() {
    return ending == null && inner.isInboundDone();
  }

  @Override
  public SSLSession getSession() {
    session = enlarged(session, inner.getSession());
    return session;
  }

  @Override
  public @Nullable SSLSession getHandshakeSession() {
    SSLSession current = inner.getHandshakeSession();
    if (current == null) {
      return null;
    }
    handshakeSession = enlarged(handshakeSession, current);
    return handshakeSession;
  }

  private BatchingSession enlarged(@Nullable BatchingSession known, SSLSession current) {
    return known != null && known.inner() == current
        ? known
        : new BatchingSession(current, packetBufferSize, applicationBufferSize);
  }

  // From here on everything is the inner engine's.

  @Override
  public @Nullable Runnable getDelegatedTask() {
    return inner.getDelegatedTask();
  }

  @Override
  public void closeInbound() throws SSLException {
    inner.closeInbound();
  }

  @Override
  public void closeOutbound() {
    inner.closeOutbound();
  }

  @Override
  public boolean isOutboundDone() {
    return inner.isOutboundDone();
  }

  @Override
  public @Nullable String getPeerHost() {
    return inner.getPeerHost();
  }

  @Override
  public int getPeerPort() {
    return inner.getPeerPort();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return inner.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return inner.getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    inner.setEnabledCipherSuites(suites);
  }

  @Override
  public String[] getSupportedProtocols() {
    return inner.getSupportedProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return inner.getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    inner.setEnabledProtocols(protocols);
  }

  @Override
  public void beginHandshake() throws SSLException {
    inner.beginHandshake();
  }

  @Override
  public HandshakeStatus getHandshakeStatus() {
    return inner.getHandshakeStatus();
  }

  @Override
  public void setUseClientMode(boolean mode) {
    inner.setUseClientMode(mode);
  }

  @Override
  public boolean getUseClientMode() {
    return inner.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    inner.setNeedClientAuth(need);
  }

  @Override
  public boolean getNeedClientAuth() {
    return inner.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    inner.setWantClientAuth(want);
  }

  @Override
  public boolean getWantClientAuth() {
    return inner.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean flag) {
    inner.setEnableSessionCreation(flag);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return inner.getEnableSessionCreation();
  }

  @Override
  public SSLParameters getSSLParameters() {
    return inner.getSSLParameters();
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    inner.setSSLParameters(parameters);
  }

  @Override
  public @Nullable String getApplicationProtocol() {
    return inner.getApplicationProtocol();
  }

  @Override
  public @Nullable String getHandshakeApplicationProtocol() {
    return inner.getHandshakeApplicationProtocol();
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(
      BiFunction<SSLEngine, List<String>, String> selector) {
    inner.setHandshakeApplicationProtocolSelector(selector);
  }

  @Override
  public @Nullable BiFunction<SSLEngine, List<String>, String>
      getHandshakeApplicationProtocolSelector() {
    return inner.getHandshakeApplicationProtocolSelector();
  }
}
