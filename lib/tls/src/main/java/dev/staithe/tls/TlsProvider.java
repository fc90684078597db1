package dev.staithe.tls;

import dev.staithe.pki.keys.RsaKeys;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Provider;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.conscrypt.Conscrypt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The implementation of TLS that is used: Conscrypt (BoringSSL) where its native library loads,
 * else the JDK's. Immutable and thread-safe; nothing is registered with the Java runtime.
 */
public final class TlsProvider {
  private static final Logger LOG = LoggerFactory.getLogger(TlsProvider.class);
  private static final String CONSCRYPT = "Conscrypt";

  /** What the operator asks for. */
  public enum Choice {
    /** Conscrypt where it loads, else the JDK's with a warning. */
    AUTO,
    /** Conscrypt or nothing. */
    CONSCRYPT,
    /** The JDK's own. */
    JDK
  }

  private final Provider provider;
  private final String name;
  private final String version;

  private TlsProvider(Provider provider, String name, String version) {
    this.provider = provider;
    this.name = name;
    this.version = version;
  }

  /**
   * Chooses the implementation.
   *
   * @throws IllegalStateException where {@link Choice#CONSCRYPT} is asked for and does not load;
   *     the message is one line with the reason
   */
  public static TlsProvider choose(Choice choice) {
    return switch (choice) {
      case JDK -> jdk();
      case CONSCRYPT -> {
        try {
          yield conscrypt();
        } catch (LinkageError e) {
          throw new IllegalStateException(
              "Conscrypt is asked for but does not load here: " + reason(e), e);
        }
      }
      case AUTO -> {
        try {
          yield conscrypt();
        } catch (LinkageError e) {
          LOG.warn(
              "Conscrypt does not load here, TLS of the JDK is used, which costs more CPU: {}",
              reason(e));
          yield jdk();
        }
      }
    };
  }

  /** {@code Conscrypt} or {@code JDK}. */
  public String name() {
    return name;
  }

  /** Its version, as {@code 2.9.0} or {@code 25.0.1}. */
  public String version() {
    return version;
  }

  /** Name and version. */
  @Override
  public String toString() {
    return name + " " + version;
  }

  /**
   * Gives back what an engine holds outside the heap, now and not at some later garbage collection:
   * an engine of Conscrypt that was not closed in both directions keeps two file descriptors.
   *
   * <p>To be called when the connection of an engine of {@link ServerTls} or {@link ClientTls} is
   * gone, in whichever way. Does nothing when called again, and never throws.
   */
  public static void release(SSLEngine engine) {
    SSLEngine inner = engine instanceof BatchingSslEngine batching ? batching.inner() : engine;
    try {
      inner.closeOutbound();
      // Conscrypt frees itself only when the closing alert has been taken out of it.
      while (!inner.isOutboundDone()) {
        var unsent = ByteBuffer.allocateDirect(BatchSize.RECORD_PACKET);
        inner.wrap(ByteBuffer.allocate(0), unsent);
        if (unsent.position() == 0) {
          break;
        }
      }
      inner.closeInbound();
    } catch (SSLException | RuntimeException e) {
      // The JDK complains that the peer did not say goodbye; it holds nothing outside the heap.
      LOG.trace("engine released with a complaint", e);
    }
  }

  /**
   * Makes an RSA key with the library's own code where it has any.
   *
   * @param bits of the modulus, as 2048
   * @return with the JDK's own kind of keys
   */
  public KeyPair rsaKeyPair(int bits) {
    return RsaKeys.make(bits, provider);
  }

  boolean isConscrypt() {
    return name.equals(CONSCRYPT);
  }

  SSLContext newContext() throws GeneralSecurityException {
    return SSLContext.getInstance("TLS", provider);
  }

  private static TlsProvider conscrypt() {
    Conscrypt.checkAvailability();
    var version = Conscrypt.version();
    return new TlsProvider(
        Conscrypt.newProviderBuilder().build(),
        CONSCRYPT,
        version.major() + "." + version.minor() + "." + version.patch());
  }

  private static TlsProvider jdk() {
    try {
      // Asked for by its registration, so that a runtime with another default keeps it.
      Provider provider = SSLContext.getInstance("TLS").getProvider();
      return new TlsProvider(provider, "JDK", Runtime.version().toString());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no TLS", e);
    }
  }

  private static String reason(LinkageError e) {
    // The loader's message lists every place that it tried, one a line.
    String message = e.getMessage() == null ? "no reason given" : e.getMessage();
    return e.getClass().getSimpleName() + ": " + message.lines().findFirst().orElse("");
  }
}
