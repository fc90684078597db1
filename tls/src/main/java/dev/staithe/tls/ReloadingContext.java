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
 * A context that stays the same object while what is behind it changes. Engines that exist go on
 * with what they were made from; new ones are made from the newest.
 */
final class ReloadingContext extends SSLContext {
  ReloadingContext(Supplier<Generation> newest, boolean client, int batchBytes) {
    super(
        new Spi(newest, client, batchBytes),
        newest.get().context().getProvider(),
        newest.get().context().getProtocol());
  }

  private static final class Spi extends SSLContextSpi {
    private final Supplier<Generation> newest;
    private final boolean client;
    private final int batchBytes;

    Spi(Supplier<Generation> newest, boolean client, int batchBytes) {
      this.newest = newest;
      this.client = client;
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
      engine.setUseClientMode(client);
      SSLParameters parameters = generation.policy().applyTo(engine.getSSLParameters());
      if (client) {
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
      } else {
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
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
      return newest.get().context().getSocketFactory();
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
