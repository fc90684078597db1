package dev.staithe.authn.users;

import com.unboundid.ldap.sdk.BindRequest;
import com.unboundid.ldap.sdk.FailoverServerSet;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPConnectionPool;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.PostConnectProcessor;
import com.unboundid.ldap.sdk.ServerSet;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.StartTLSPostConnectProcessor;
import com.unboundid.util.ssl.HostNameSSLSocketVerifier;
import dev.staithe.pki.TrustAnchors;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a directory: some bound as the reader, which search, and others which only ever
 * bind. They are not mixed, so that nobody searches with the rights of the last one who logged in.
 */
final class LdapConnections implements AutoCloseable {
  private final LDAPConnectionPool searching;
  private final LDAPConnectionPool binding;

  private LdapConnections(LDAPConnectionPool searching, LDAPConnectionPool binding) {
    this.searching = searching;
    this.binding = binding;
  }

  /** Prepares the connections; none is made yet, so the directory may be down. */
  static LdapConnections open(LdapSettings settings) throws IOException {
    try {
      SSLContext tls = settings.trust() == null ? null : context(settings.trust());
      ServerSet servers = servers(settings, tls);
      PostConnectProcessor first =
          settings.security() == LdapSettings.Security.START_TLS && tls != null
              ? new StartTLSPostConnectProcessor(tls)
              : null;
      LdapSettings.Reader reader = settings.reader();
      BindRequest reading =
          reader == null ? null : new SimpleBindRequest(reader.dn(), reader.password());
      LDAPConnectionPool searching = pool(settings, servers, reading, first);
      return new LdapConnections(searching, pool(settings, servers, null, first));
    } catch (LDAPException | GeneralSecurityException e) {
      throw new IOException("LDAP: " + e.getMessage(), e);
    }
  }

  private static LDAPConnectionPool pool(
      LdapSettings settings,
      ServerSet servers,
      @Nullable BindRequest bind,
      @Nullable PostConnectProcessor first)
      throws LDAPException {
    LDAPConnectionPool pool =
        new LDAPConnectionPool(servers, bind, 0, settings.connections(), first);
    pool.setCreateIfNecessary(false);
    pool.setMaxWaitTimeMillis(settings.timeout().toMillis());
    // A connection that the server closed while it was idle is replaced without anybody noticing.
    pool.setRetryFailedOperationsDueToInvalidConnections(true);
    return pool;
  }

  private static ServerSet servers(LdapSettings settings, @Nullable SSLContext tls) {
    int timeout = (int) settings.timeout().toMillis();
    LDAPConnectionOptions options = new LDAPConnectionOptions();
    options.setConnectTimeoutMillis(timeout);
    options.setResponseTimeoutMillis(timeout);
    options.setAbandonOnTimeout(true);
    options.setUseSynchronousMode(true);
    // A referral would send a user's password to a server that nobody configured.
    options.setFollowReferrals(false);
    options.setBindWithDNRequiresPassword(true);
    options.setSSLSocketVerifier(new HostNameSSLSocketVerifier(true));
    String[] hosts = new String[settings.servers().size()];
    int[] ports = new int[hosts.length];
    for (int i = 0; i < hosts.length; i++) {
      String server = settings.servers().get(i);
      int colon = server.lastIndexOf(':');
      hosts[i] = server.substring(0, colon).replaceAll("[\\[\\]]", "");
      ports[i] = Integer.parseInt(server.substring(colon + 1));
    }
    SocketFactory sockets =
        settings.security() == LdapSettings.Security.LDAPS && tls != null
            ? tls.getSocketFactory()
            : SocketFactory.getDefault();
    return new FailoverServerSet(hosts, ports, new TimedSockets(sockets, timeout), options);
  }

  /** Only the authorities of that file; which host may show a certificate is checked after. */
  private static SSLContext context(Path trust) throws IOException, GeneralSecurityException {
    KeyStore anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    int number = 0;
    for (X509Certificate certificate : TrustAnchors.read(trust).certificates()) {
      anchors.setCertificateEntry("authority-" + number++, certificate);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(anchors);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  /** Bound as the reader. */
  LDAPConnectionPool searching() {
    return searching;
  }

  /** For binds and nothing else. */
  LDAPConnectionPool binding() {
    return binding;
  }

  @Override
  public void close() {
    searching.close();
    binding.close();
  }
}
