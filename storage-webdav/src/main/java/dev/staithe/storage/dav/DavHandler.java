package dev.staithe.storage.dav;

import dev.staithe.service.RequestId;
import dev.staithe.service.http.TrustedProxies;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.BrokenContent;
import dev.staithe.storage.exchange.ClientSilence;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.AccessRefusedException;
import dev.staithe.storage.files.LateChecksumException;
import dev.staithe.storage.files.NoDescriptorException;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.ReadOnlyException;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SharedStateException;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.StoreAwayException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
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
 * The door of the storage namespace, in front of the pages and endpoints that are served by
 * servlets: reads the path, finds the area, identifies the caller and hands the request to its
 * method. What is not below {@code /.staithe/} or {@code /.well-known/} ends here.
 */
public final class DavHandler extends Handler.Wrapper {
  /** Request attribute: the {@link Caller} of an identified request, for the access log. */
  public static final String CALLER = "dev.staithe.caller";

  /** Request attribute: the name of the area that the path lies in, for log and metrics. */
  public static final String AREA = "dev.staithe.area";

  /** Request attribute: the id of the contract that bytes move under, for the access log. */
  public static final String CONTRACT = "dev.staithe.contract";

  private static final Logger log = LoggerFactory.getLogger(DavHandler.class);
  private static final String AUTHZ = "authz=";
  private static final String BEARER = "Bearer ";

  /** Possessive, as it would else take a frame of the stack, and more, for each segment. */
  private static final Pattern OWN_PATH =
      Pattern.compile("/\\.(staithe|well-known)(/[A-Za-z0-9_-][A-Za-z0-9._-]*+)*+/?");

  /** Judges the credential of a request. */
  @FunctionalInterface
  public interface Door {
    /**
     * Who asks.
     *
     * @param path below the root of the area that the request is for; null where it is for none
     */
    Identification identify(Request request, @Nullable StoragePath path);

    /**
     * Looks at the client's certificate where the request has no credential in writing, and did not
     * come through a proxy: then the certificate is the proxy's own.
     *
     * @param other judges all other requests
     */
    static Door orOfCertificate(
        Door other, Function<List<X509Certificate>, Identification> certificates) {
      return (request, path) -> {
        if (credentials(
                    request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION),
                    request.getHttpURI().getQuery())
                .isEmpty()
            && request.getAttribute(TrustedProxies.THROUGH_PROXY) == null) {
          EndPoint.SslSessionData tls =
              request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
          X509Certificate[] shown = tls == null ? null : tls.peerCertificates();
          if (shown != null && shown.length > 0) {
            return certificates.apply(List.of(shown));
          }
        }
        return other.identify(request, path);
      };
    }

    /** Looks at the credentials that are written into the request. */
    static Door ofHeaders(Function<List<String>, Identification> door) {
      return (request, path) ->
          door.apply(
              credentials(
                  request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION),
                  request.getHttpURI().getQuery()));
    }

    /**
     * The values of {@code Authorization}, and what stands for it in a URL: {@code authz=TOKEN} or
     * {@code authz=Bearer%20TOKEN}, as ROOT and XRootD's clients write it (RFC 6750 section 2.3
     * with the field's own name).
     *
     * @param query of the URL, as it is written there
     */
    static List<String> credentials(List<String> headers, @Nullable String query) {
      if (query == null || !query.contains(AUTHZ)) {
        return headers;
      }
      List<String> all = new ArrayList<>(headers);
      for (String parameter : query.split("&", -1)) {
        if (parameter.startsWith(AUTHZ)) {
          String value = unescaped(parameter.substring(AUTHZ.length()));
          all.add(
              value.regionMatches(true, 0, BEARER, 0, BEARER.length()) ? value : BEARER + value);
        }
      }
      return all;
    }

    private static String unescaped(String value) {
      try {
        return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException malformed) {
        return "";
      }
    }
  }

  /** An interface beside the storage namespace, at paths of its own. */
  public interface Desk {
    /**
     * Whether it answers.
     *
     * @param rawPath as it came over the wire
     */
    boolean takes(String method, String rawPath);

    /** Answers; the caller is identified. Called on a virtual thread; may block. */
    void answer(Request request, Response response, Caller caller) throws IOException;
  }

  private final Areas areas;
  private final List<Desk> desks;
  private final Door door;
  private final Map<String, DavMethod> methods;
  private final Answers answers;
  private final RootCollection rootCollection;
  private final ResumableUploads uploads;
  private final SmallGet smallGet;

  /**
   * Serves {@code areas} with {@code methods} by name; {@code door} judges credentials, of those
   * too who come to the {@code desks}.
   *
   * @param smallGet answers at once what it can
   */
  public DavHandler(
      Areas areas,
      Door door,
      Map<String, DavMethod> methods,
      Answers answers,
      RootCollection rootCollection,
      ResumableUploads uploads,
      List<Desk> desks,
      SmallGet smallGet) {
    this.areas = areas;
    this.desks = List.copyOf(desks);
    this.door = door;
    this.methods = Map.copyOf(methods);
    this.answers = answers;
    this.rootCollection = rootCollection;
    this.uploads = uploads;
    this.smallGet = smallGet;
  }

  /** Methods block: without this a handler that wraps none would run on the selector's thread. */
  @Override
  public InvocationType getInvocationType() {
    return InvocationType.BLOCKING;
  }

  /**
   * Answers on the thread that read the request where that waits for nothing.
   *
   * @return false where nothing was done yet
   */
  public boolean answersAtOnce(Request request, Response response, Callback callback) {
    String rawPath = request.getHttpURI().getPath();
    return rawPath != null
        && desks.stream().noneMatch(desk -> desk.takes(request.getMethod(), rawPath))
        && smallGet.answer(rawPath, request, response, callback);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String requestId = RequestId.assign(request, response);
    MDC.put("request", requestId);
    try {
      String rawPath = request.getHttpURI().getPath();
      for (Desk desk : desks) {
        if (rawPath != null && desk.takes(request.getMethod(), rawPath)) {
          Caller caller = identified(request, response, null);
          if (caller != null) {
            desk.answer(request, response, caller);
          }
          callback.succeeded();
          return true;
        }
      }
      if (rawPath != null && OWN_PATH.matcher(rawPath).matches()) {
        if (PageAssets.answer(request, response, rawPath)) {
          callback.succeeded();
          return true;
        }
        if (!rawPath.startsWith(ResumableUploads.FOLDER)) {
          return super.handle(request, response, callback);
        }
        answerUpload(
            request, response, requestId, rawPath.substring(ResumableUploads.FOLDER.length()));
        callback.succeeded();
        return true;
      }
      answer(request, response, requestId, rawPath);
      callback.succeeded();
    } catch (IOException e) {
      fail(request, response, callback, e);
    } catch (RuntimeException e) {
      log.error("{} failed", request.getMethod(), e);
      fail(request, response, callback, e);
    } finally {
      MDC.remove("request");
    }
    return true;
  }

  private void answer(
      Request request, Response response, String requestId, @Nullable String rawPath)
      throws IOException {
    if (request.getHttpURI().getFragment() != null) {
      answers.refuse(request, response, 400, "the request target has a fragment");
      return;
    }
    DavMethod method = methods.get(request.getMethod());
    if (rawPath == null || rawPath.equals("*")) {
      if (request.getMethod().equals("OPTIONS")) {
        rootCollection.options(response);
      } else {
        answers.refuse(request, response, 400, "the request target is no path");
      }
      return;
    }
    if (rawPath.indexOf('\uFFFD') >= 0) {
      // What Jetty makes of bytes that are no UTF-8; a name that has this character is escaped.
      answers.refuse(request, response, 400, "the path is not valid UTF-8");
      return;
    }
    StoragePath path;
    switch (StoragePath.parse(rawPath)) {
      case StoragePath.Parsed.Invalid invalid -> {
        answers.refuse(request, response, 400, invalid.reason());
        return;
      }
      case StoragePath.Parsed.Valid valid -> path = valid.path();
    }
    Optional<Areas.Place> place = areas.locate(path);
    if (place.isPresent()) {
      request.setAttribute(AREA, place.get().area().area().name());
    }
    if (request.getMethod().equals("OPTIONS")) {
      rootCollection.options(response);
      return;
    }
    if (method == null) {
      response.getHeaders().put(HttpHeader.ALLOW, RootCollection.ALLOW);
      answers.refuse(
          request, response, 405, "the method " + request.getMethod() + " is not supported");
      return;
    }
    Caller caller = identified(request, response, place.map(Areas.Place::path).orElse(null));
    if (caller == null) {
      return;
    }
    if (place.isEmpty()) {
      rootCollection.answer(request, response, path, areas);
      return;
    }
    Exchange exchange = new Exchange(request, response, place.get(), caller, requestId, answers);
    run(method, exchange);
  }

  /** Answers a request to an upload resource: {@code /.staithe/uploads/AREA/ID}. */
  private void answerUpload(Request request, Response response, String requestId, String areaAndId)
      throws IOException {
    int slash = areaAndId.indexOf('/');
    Optional<Areas.Place> place =
        slash < 0 ? Optional.empty() : areas.named(areaAndId.substring(0, slash));
    Caller caller = identified(request, response, null);
    if (caller == null) {
      return;
    }
    if (place.isEmpty()) {
      answers.refuse(request, response, 404, "there is no such upload");
      return;
    }
    request.setAttribute(AREA, place.get().area().area().name());
    Exchange exchange = new Exchange(request, response, place.get(), caller, requestId, answers);
    String id = areaAndId.substring(slash + 1);
    run(e -> uploads.handle(e, id), exchange);
  }

  private static void run(DavMethod method, Exchange exchange) throws IOException {
    ClientSilence.countsWhileAwaited(exchange.request());
    try {
      method.handle(exchange);
    } catch (IOException failure) {
      IOException told = NoSpaceException.tell(failure);
      if (!(told instanceof NoSpaceException
          || told instanceof ReadOnlyException
          || told instanceof SharedStateException
          || told instanceof StoreAwayException
          || told instanceof AccessRefusedException
          || told instanceof LateChecksumException
          || told instanceof NoDescriptorException)) {
        throw failure;
      }
      if (!(told instanceof AccessRefusedException) || told.getCause() != null) {
        log.warn(
            "{} {}: {}",
            exchange.request().getMethod(),
            exchange.request().getHttpURI().getPath(),
            cause(told).getMessage());
      }
      if (exchange.answered()) {
        throw failure;
      }
      switch (told) {
        case NoSpaceException full -> exchange.refuse(507, String.valueOf(full.getMessage()));
        case SharedStateException away -> exchange.refuseForNow(String.valueOf(away.getMessage()));
        case StoreAwayException away -> exchange.refuseForNow(String.valueOf(away.getMessage()));
        case AccessRefusedException denied ->
            exchange.refuse(403, String.valueOf(denied.getMessage()));
        case LateChecksumException late -> exchange.refuse(501, String.valueOf(late.getMessage()));
        case ReadOnlyException unchanging -> exchange.refuse(503, Refusal.READ_ONLY.text());
        default -> exchange.refuseForNow("the server has too many files and connections open");
      }
    }
  }

  /** What is behind a line that names nothing of the inside. */
  private static Throwable cause(IOException told) {
    boolean plain =
        told instanceof StoreAwayException
            || told instanceof AccessRefusedException
            || told instanceof NoSpaceException;
    return plain && told.getCause() != null ? told.getCause() : told;
  }

  /** Who asks, or null where the credential is refused and the refusal is on its way. */
  private @Nullable Caller identified(
      Request request, Response response, @Nullable StoragePath path) throws IOException {
    if (!Door.credentials(List.of(), request.getHttpURI().getQuery()).isEmpty()) {
      // RFC 6750 section 2.3: caches know the header only.
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "private");
    }
    Identification who = door.identify(request, path);
    if (!(who instanceof Identification.Identified(Caller caller))) {
      answers.refuse(request, response, who);
      return null;
    }
    request.setAttribute(CALLER, caller);
    return caller;
  }

  /** Ends a request that cannot be answered: a clear line where nothing was sent, else a break. */
  private void fail(Request request, Response response, Callback callback, Exception failure) {
    if (response.isCommitted()) {
      log.info("{} broke off: {}", request.getMethod(), reasonOf(failure));
      callback.failed(failure);
      return;
    }
    try {
      ClientSilence.countsAnew(request);
      response.reset();
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
      if (failure instanceof BrokenContent broken) {
        log.info("{} broke off: {}", request.getMethod(), reasonOf(failure));
        answers.refuse(request, response, broken.status(), broken.line());
      } else {
        log.warn("{} failed: {}", request.getMethod(), reasonOf(failure));
        answers.refuse(
            request,
            response,
            500,
            "the request failed; the log has the reason under " + RequestId.of(request));
      }
      callback.succeeded();
    } catch (IOException | IllegalStateException gone) {
      callback.failed(failure);
    }
  }

  private static String reasonOf(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable t = failure; t != null && text.length() < 400; t = t.getCause()) {
      text.append(text.isEmpty() ? "" : ": ").append(t.getMessage() == null ? t : t.getMessage());
    }
    return text.toString();
  }
}
