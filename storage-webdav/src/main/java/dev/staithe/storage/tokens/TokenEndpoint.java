package dev.staithe.storage.tokens;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.service.RequestId;
import dev.staithe.service.http.TrustedProxies;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.CertificateDoor;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.BrokenContent;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.RequestContent;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Where tokens are asked for, in front of the storage namespace: {@code POST} of an {@code
 * application/macaroon-request} at any path, as dCache and XRootD have it; a token endpoint (RFC
 * 6749 section 4.4), also at StoRM's path; its metadata (RFC 8414) and keys (RFC 7517).
 */
public final class TokenEndpoint extends Handler.Wrapper {
  /** The token endpoint. */
  public static final String TOKEN = "/.staithe/tokens";

  /** The public keys of JWTs. */
  public static final String KEYS = TOKEN + "/keys";

  /** Where StoRM WebDAV has its token endpoint. */
  static final String STORM = "/.storm-webdav/oauth/token";

  private static final Logger log = LoggerFactory.getLogger(TokenEndpoint.class);
  private static final String METADATA = "/.well-known/oauth-authorization-server";
  private static final String OPENID = "/.well-known/openid-configuration";
  private static final String MACAROON_REQUEST = "application/macaroon-request";
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String EVERYTHING = "storage.read:/ storage.modify:/";
  private static final int LONGEST_CONTENT = 64 * 1024;

  private final TokenMint mint;
  private final GivenTokens tokens;
  private final DavHandler.Door door;
  private final @Nullable CertificateDoor certificates;
  private final Answers answers;

  /**
   * Stands before the storage namespace.
   *
   * @param door judges who asks
   * @param certificates by which it judges certificates; null where it takes none
   */
  public TokenEndpoint(
      TokenSettings settings,
      GivenTokens tokens,
      Areas areas,
      DavHandler.Door door,
      @Nullable CertificateDoor certificates,
      Answers answers,
      Clock clock,
      Handler storage) {
    super(storage);
    this.mint = new TokenMint(settings, tokens, areas, clock);
    this.tokens = tokens;
    this.door = door;
    this.certificates = certificates;
    this.answers = answers;
  }

  /** It blocks, as what it wraps does. */
  @Override
  public InvocationType getInvocationType() {
    return InvocationType.BLOCKING;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = request.getHttpURI().getPath();
    if (path == null || !isOurs(request, path)) {
      return super.handle(request, response, callback);
    }
    MDC.put("request", RequestId.assign(request, response));
    try {
      answer(request, response, path);
      callback.succeeded();
    } catch (BrokenContent broken) {
      answers.refuse(request, response, broken.status(), broken.line());
      callback.succeeded();
    } catch (IOException | RuntimeException e) {
      if (response.isCommitted()) {
        callback.failed(e);
        return true;
      }
      log.error("no token could be made", e);
      response.getHeaders().put(HttpHeader.RETRY_AFTER, Exchange.RETRY_SECONDS);
      answers.refuse(
          request,
          response,
          503,
          "no token can be made now; the log has the reason under " + RequestId.of(request));
      callback.succeeded();
    } finally {
      MDC.remove("request");
    }
    return true;
  }

  private static boolean isOurs(Request request, String path) {
    return isMacaroonRequest(request)
        || path.startsWith(TOKEN) && (path.equals(TOKEN) || path.equals(KEYS))
        || path.equals(STORM)
        || path.equals(OPENID)
        || path.startsWith(METADATA)
            && (path.length() == METADATA.length() || path.charAt(METADATA.length()) == '/');
  }

  private static boolean isMacaroonRequest(Request request) {
    return request.getMethod().equals("POST") && hasType(request, MACAROON_REQUEST);
  }

  private static boolean hasType(Request request, String type) {
    String given = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    return given != null && given.toLowerCase(Locale.ROOT).split(";", 2)[0].strip().equals(type);
  }

  private void answer(Request request, Response response, String path) throws IOException {
    if (isMacaroonRequest(request)) {
      macaroon(request, response, path);
      return;
    }
    boolean token = path.equals(TOKEN) || path.equals(STORM);
    String method = request.getMethod();
    if (token ? !method.equals("POST") : !method.equals("GET") && !method.equals("HEAD")) {
      response.getHeaders().put(HttpHeader.ALLOW, token ? "POST" : "GET, HEAD");
      answers.refuse(request, response, 405, "the method " + method + " is not supported here");
    } else if (token) {
      token(request, response, path.equals(STORM));
    } else {
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "max-age=300");
      send(request, response, 200, path.equals(KEYS) ? tokens.keySet() : metadata(request));
    }
  }

  // ---- the two ways to ask

  private void macaroon(Request request, Response response, String rawPath) throws IOException {
    StoragePath path;
    switch (StoragePath.parse(rawPath)) {
      case StoragePath.Parsed.Invalid(String reason) -> {
        answers.refuse(request, response, 400, reason);
        return;
      }
      case StoragePath.Parsed.Valid valid -> path = valid.path();
    }
    Identification who = door.identify(request, null);
    if (!(who instanceof Identification.Identified(Caller caller))) {
      answers.refuse(request, response, who);
      return;
    }
    request.setAttribute(DavHandler.CALLER, caller);
    String content = content(request);
    if (content == null) {
      answers.refuse(request, response, 413, "a macaroon request is not as long as that");
      return;
    }
    try {
      TokenRequest.Macaroon asked = TokenRequest.ofJson(path.asCollection(false), content);
      switch (mint.mint(asked, caller, self(request), end(request, caller))) {
        case TokenMint.Minted.Denied(boolean authenticate, String reason) ->
            answers.deny(request, response, new Admission.Refused(authenticate, reason));
        case TokenMint.Minted.Bad(String reason) -> answers.refuse(request, response, 400, reason);
        case TokenMint.Minted.Given given -> give(request, response, given);
      }
    } catch (TokenRequest.BadException e) {
      answers.refuse(request, response, 400, e.reason());
    }
  }

  private static void give(Request request, Response response, TokenMint.Minted.Given given)
      throws IOException {
    String self = self(request);
    String query = "?authz=" + given.token();
    Map<String, Object> uri = new LinkedHashMap<>();
    uri.put("targetWithMacaroon", self + given.path().href() + query);
    uri.put("baseWithMacaroon", self + "/" + query);
    uri.put("target", self + given.path().href());
    uri.put("base", self + "/");
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("macaroon", given.token());
    answer.put("expires_in", given.seconds());
    answer.put("uri", uri);
    secret(response);
    send(request, response, 200, JSONObjectUtils.toJSONString(answer));
  }

  private void token(Request request, Response response, boolean storm) throws IOException {
    Identification who = door.identify(request, null);
    if (!(who instanceof Identification.Identified(Caller caller))) {
      answers.refuse(request, response, who);
      return;
    }
    request.setAttribute(DavHandler.CALLER, caller);
    String content = hasType(request, FORM) ? content(request) : null;
    if (content == null) {
      error(request, response, 400, "invalid_request", "send a short form: " + FORM);
      return;
    }
    try {
      TokenRequest asked = TokenRequest.ofForm(content, storm ? EVERYTHING : null);
      switch (mint.mint(asked, caller, self(request), end(request, caller))) {
        case TokenMint.Minted.Denied(boolean authenticate, String reason) -> {
          if (authenticate) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"storage\"");
          }
          error(
              request,
              response,
              authenticate ? 401 : 400,
              authenticate ? "invalid_client" : "invalid_scope",
              reason);
        }
        case TokenMint.Minted.Bad(String reason) ->
            error(request, response, 400, "invalid_scope", reason);
        case TokenMint.Minted.Given given -> {
          Map<String, Object> answer = new LinkedHashMap<>();
          answer.put("access_token", given.token());
          answer.put("token_type", "Bearer");
          answer.put("expires_in", given.seconds());
          answer.put("scope", given.scope());
          secret(response);
          send(request, response, 200, JSONObjectUtils.toJSONString(answer));
        }
      }
    } catch (TokenRequest.BadException e) {
      error(request, response, 400, e.code(), e.reason());
    }
  }

  /** Answers as RFC 6749 section 5.2 has it. */
  private static void error(
      Request request, Response response, int status, String code, String reason)
      throws IOException {
    secret(response);
    send(
        request,
        response,
        status,
        JSONObjectUtils.toJSONString(Map.of("error", code, "error_description", reason)));
  }

  // ---- what is told to everybody

  private static String metadata(Request request) {
    String self = self(request);
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("issuer", self);
    metadata.put("token_endpoint", self + TOKEN);
    metadata.put("jwks_uri", self + KEYS);
    metadata.put("grant_types_supported", List.of("client_credentials"));
    metadata.put("response_types_supported", List.of("token"));
    metadata.put("token_endpoint_auth_methods_supported", List.of("tls_client_auth", "gsi_voms"));
    metadata.put("scopes_supported", List.of("storage.read", "storage.create", "storage.modify"));
    return JSONObjectUtils.toJSONString(metadata);
  }

  /** This server as the client calls it, without a slash at the end. */
  private static String self(Request request) {
    String scheme = request.isSecure() ? "https" : "http";
    int port = Request.getServerPort(request);
    boolean usual = port <= 0 || port == (request.isSecure() ? 443 : 80);
    return scheme + "://" + Request.getServerName(request) + (usual ? "" : ":" + port);
  }

  // ---- what comes and goes

  /** When the caller's own credential ends. */
  private Instant end(Request request, Caller caller) {
    if (caller instanceof TokenCaller token) {
      return token.expiresAt();
    }
    if (certificates != null
        && caller instanceof CertificateCaller found
        && request.getAttribute(TrustedProxies.THROUGH_PROXY) == null) {
      EndPoint.SslSessionData tls =
          request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
      X509Certificate[] shown = tls == null ? null : tls.peerCertificates();
      if (shown != null && shown.length > 0) {
        return certificates.end(List.of(shown), found);
      }
    }
    return Instant.MAX;
  }

  private static @Nullable String content(Request request) throws IOException {
    byte[] content = new RequestContent(request).whole(LONGEST_CONTENT);
    return content == null ? null : new String(content, StandardCharsets.UTF_8);
  }

  private static void secret(Response response) {
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
  }

  private static void send(Request request, Response response, int status, String json)
      throws IOException {
    byte[] content = json.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
    Content.Sink.write(
        response,
        true,
        request.getMethod().equals("HEAD") ? ByteBuffer.allocate(0) : ByteBuffer.wrap(content));
  }
}
