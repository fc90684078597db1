package dev.staithe.tls;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A context that stays the same object while what is behind it changes. Engines and sockets that
 * exist go on with what they were made from; new ones are made from the newest.
 */
final class ReloadingContext extends SSLContext {
  /** Which end of a connection the engines are, and what they do there. */
  enum Side {
    CLIENT,
    SERVER,
    /** A server that asks for a certificate and goes on without. */
    SERVER_THAT_ASKS
  }

  ReloadingContext(Supplier<Generation> newest, Side side, int batchBytes) {
    super(
        new Spi(newest, side, batchBytes),
        newest.get().context().getProvider(),
        newest.get().context().getProtocol());
  }

  private static final class Spi extends SSLContextSpi {
    private final Supplier<Generation> newest;
    private final Side side;
    private final int batchBytes;

    Spi(Supplier<Generation> newest, Side side, int batchBytes) {
      this.newest = newest;
      this.side = side;
      this.batchBytes = batchBytes;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      Generation generation = newest.get();
      return prepare(generation.context().createSSLEngine(), generation);
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      Generation generation = newest.get();
      return prepare(generation.context().createSSLEngine(host, port), generation);
    }

    private SSLEngine prepare(SSLEngine engine, Generation generation) {
      engine.setUseClientMode(side == Side.CLIENT);
      SSLParameters parameters = generation.policy().applyTo(engine.getSSLParameters());
      if (side == Side.CLIENT) {
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
      } else {
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
      }
      if (side == Side.SERVER_THAT_ASKS) {
        parameters.setWantClientAuth(true);
      }
      engine.setSSLParameters(parameters);
      return batchBytes == 0 ? engine : new BatchingSslEngine(engine, batchBytes);
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      Generation generation = newest.get();
      return generation.policy().applyTo(generation.context().getDefaultSSLParameters());
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      // What we would not do is not supported either: a caller that enables all gets our list.
      return engineGetDefaultSSLParameters();
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return new ReloadingSockets(newest);
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return newest.get().context().getServerSocketFactory();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return newest.get().context().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return newest.get().context().getClientSessionContext();
    }

    @Override
    protected void engineInit(
        KeyManager @Nullable [] keys,
        TrustManager @Nullable [] trust,
        @Nullable SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("this context is already made from its files");
    }
  }
}
