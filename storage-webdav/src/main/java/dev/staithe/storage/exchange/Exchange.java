package dev.staithe.storage.exchange;

import dev.staithe.service.NetworkBlock;
import dev.staithe.service.http.TrustedProxies;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StorageArea;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.flows.Flow;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.flows.SciTag;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * One request on the storage namespace and its answer, with blocking reads and writes for virtual
 * threads. For one thread.
 */
public final class Exchange {
  /** In {@code Retry-After}, of what passes and nobody knows when. */
  public static final int RETRY_SECONDS = 10;

  private static final int IPV6_BITS = 64;

  /** What may be done with what is there, where a method makes only what is not. */
  private static final String OF_WHAT_IS_THERE =
      "OPTIONS, GET, HEAD, DELETE, COPY, MOVE, PROPFIND, PROPPATCH, LOCK, UNLOCK";

  private final Request request;
  private final RequestContent content;
  private final Response response;
  private final Areas.Place place;
  private final Caller caller;
  private final String requestId;
  private final Answers answers;
  private String method;
  private boolean answered;
  private boolean watched;
  private @Nullable Seal seal;
  private volatile boolean gone;

  public Exchange(
      Request request,
      Response response,
      Areas.Place place,
      Caller caller,
      String requestId,
      Answers answers) {
    this.request = request;
    this.content = new RequestContent(request);
    this.response = response;
    this.place = place.seenBy(caller);
    this.caller = caller;
    this.requestId = requestId;
    this.answers = answers;
    this.method = request.getMethod();
  }

  /** What is done with the head of a file's answer when it is complete. */
  @FunctionalInterface
  public interface Seal {
    /** Sees status and fields, and may add some. */
    void put() throws IOException;
  }

  /** Has the file's answer sealed before its first byte; it then states a digest of the file. */
  public void sealed(Seal with) {
    this.seal = with;
  }

  /** Whether the file's answer is to be sealed. */
  public boolean isSealed() {
    return seal != null;
  }

  /**
   * The same request as if that caller had sent it to that place: the other end of a copy within
   * this server. For rights and locks; it is answered here.
   */
  public Exchange elsewhere(Areas.Place other, Caller who) {
    return new Exchange(request, response, other, who, requestId, answers);
  }

  /** The same request as rights see it that is about to come by that method. For rights alone. */
  public Exchange judgedAs(String later) {
    Exchange announced = elsewhere(place, caller);
    announced.method = later;
    return announced;
  }

  /** Jetty's request. */
  public Request request() {
    return request;
  }

  /** Jetty's response; headers may be set until the first write. */
  public Response response() {
    return response;
  }

  /** The area that the path lies in. */
  public StorageArea area() {
    return place.area().area();
  }

  /** How methods behave in the area. */
  public ServedArea.Options options() {
    return place.area().options();
  }

  /** The path below the area's access point. */
  public StoragePath path() {
    return place.path();
  }

  /** The path of the URL that leads to {@code path} of this area. */
  public String href(StoragePath path) {
    return path.under(place.accessPoint()).href();
  }

  /** Who asks. */
  public Caller caller() {
    return caller;
  }

  /** Whom what the request takes counts against: the caller or, of nobody known, the address. */
  public String party() {
    InetAddress remote = remote();
    return caller instanceof Caller.Anonymous && remote != null
        ? caller.label() + " from " + counted(remote)
        : caller.label();
  }

  /** Of IPv6 the first 64 bits, of which one client may have all addresses (RFC 6177). */
  static NetworkBlock counted(InetAddress address) {
    NetworkBlock whole = NetworkBlock.of(address);
    return whole.six() ? whole.around(IPV6_BITS) : whole;
  }

  private @Nullable InetAddress remote() {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress remote
        ? remote.getAddress()
        : null;
  }

  /**
   * Whether the client is known to wait for the answer no more, looked for without taking anything
   * that it has sent. Over plain HTTP/1.1, where nobody can look so, it never is.
   */
  public boolean clientGone() {
    if (!http1()) {
      if (!watched) {
        watched = true;
        request.addFailureListener(failure -> gone = true);
      }
      return gone;
    }
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    try {
      // With TLS this decrypts into the end's own buffer, and no further than the next record.
      return !end.isOpen() || end.fill(BufferUtil.EMPTY_BUFFER) < 0;
    } catch (IOException broken) {
      return true;
    }
  }

  /**
   * Breaks the request off, from another thread than its own, which meets that where it reads or
   * writes. Over HTTP/1.1 the connection ends; over HTTP/2 its other requests go on.
   */
  public void breakOff(IOException why) {
    if (http1()) {
      request.getConnectionMetaData().getConnection().getEndPoint().close(why);
    } else {
      request.fail(why);
    }
  }

  /** The request's id, in every log line and in the {@code X-Request-Id} response header. */
  public String requestId() {
    return requestId;
  }

  /** A request header's first value. */
  public @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /** Whether a trusted proxy has passed the request on. */
  boolean throughProxy() {
    return request.getAttribute(TrustedProxies.THROUGH_PROXY) != null;
  }

  /** What the caller may do at a path of this area. */
  public Admission admission(StoragePath where, Right right) {
    return place.area().rule().decide(new Asked(caller, remote(), method), where, right);
  }

  /**
   * The admission to make or replace the file at {@code where}, decided before its existence is
   * revealed: MODIFY, or CREATE where nothing is there.
   */
  public Admission admissionToWrite(StoragePath where) throws IOException {
    Admission modify = admission(where, Right.MODIFY);
    if (modify instanceof Admission.Allowed) {
      return modify;
    }
    Admission create = admission(where, Right.CREATE);
    return create instanceof Admission.Allowed && area().store().find(where).isPresent()
        ? modify
        : create;
  }

  /**
   * The admission to refresh or end a lock of the caller's own: CREATE is enough where something
   * is, too, as a lock on a free name has made it (RFC 4918 section 7.3). Whose lock it is the
   * method sees for itself.
   */
  public Admission admissionToOwnLock(StoragePath where) {
    Admission modify = admission(where, Right.MODIFY);
    return modify instanceof Admission.Allowed ? modify : admission(where, Right.CREATE);
  }

  /** Whether the caller may; where not, the refusal is on its way when this returns. */
  public boolean admitted(StoragePath where, Right right) throws IOException {
    return admitted(admission(where, right));
  }

  /** Whether the admission is given; where not, the refusal is on its way when this returns. */
  public boolean admitted(Admission admission) throws IOException {
    return switch (admission) {
      case Admission.Allowed allowed -> true;
      case Admission.Refused denied -> {
        deny(denied);
        yield false;
      }
    };
  }

  /** Whether an answer has been begun. */
  public boolean answered() {
    return answered || response.isCommitted();
  }

  /** Answers with that status and no body. */
  public void reply(int status) throws IOException {
    answered = true;
    response.setStatus(status);
    Content.Sink.write(response, true, BufferUtil.EMPTY_BUFFER);
  }

  /** Answers 401 or 403 as RFC 6750 section 3 has it. */
  public void deny(Admission.Refused denied) throws IOException {
    answered = true;
    answers.deny(request, response, denied);
  }

  /** Answers with that status and one line of text, or problem+json where the client asks so. */
  public void refuse(int status, String line) throws IOException {
    answered = true;
    if (status == 405 && !response.getHeaders().contains(HttpHeader.ALLOW)) {
      // RFC 9110 section 15.5.6.
      response.getHeaders().put(HttpHeader.ALLOW, OF_WHAT_IS_THERE);
    }
    answers.refuse(request, response, status, line);
  }

  /** Answers 503 to what may be asked again soon. */
  public void refuseForNow(String line) throws IOException {
    response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
    refuse(503, line);
  }

  /** Answers a store's refusal with the status that WebDAV gives it. */
  public void refuse(Outcome.Refused<?> refused) throws IOException {
    if (refused.why() == Refusal.TOO_MANY) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
    }
    refuse(statusOf(refused.why()), refused.text());
  }

  /** The status of a store's refusal (RFC 4918). */
  public static int statusOf(Refusal why) {
    return switch (why) {
      case NOT_FOUND -> 404;
      case PARENT_MISSING, CONFLICT, NOT_COLLECTION, OFFLINE -> 409;
      case EXISTS, NOT_EMPTY, CONDITION_FAILED -> 412;
      case IS_COLLECTION -> 405;
      case LOCKED -> 423;
      case NO_SPACE -> 507;
      case READ_ONLY -> 503;
      case TOO_MANY -> 429;
      case ACCESS_DENIED -> 403;
      case BAD_NAME -> 400;
      case NAME_TOO_LONG -> 414;
      case UNSUPPORTED -> 501;
    };
  }

  /** Sends the buffer, the last one completing the response; blocks until it is written. */
  public void write(ByteBuffer bytes, boolean last) throws IOException {
    if (seal != null && !answered) {
      seal.put();
    }
    answered = true;
    Content.Sink.write(response, last, bytes);
  }

  /**
   * Sends an interim response (RFC 9110 section 15.2), such as 104; blocks until it is written.
   * Jetty's generator leaves out the fields of interim responses other than 103, so it goes to the
   * HTTP/1.1 connection directly, on which nothing else writes before the final response.
   *
   * <p>Not sent to a proxy: nginx takes any interim response for the final one. Nor in HTTP/2, on
   * whose connection others write too.
   *
   * @param fields names and values of ours: without line breaks
   */
  public void interim(int status, String reason, Map<String, String> fields) throws IOException {
    if (throughProxy() || !http1()) {
      return;
    }
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(' ').append(reason);
    fields.forEach((name, value) -> head.append("\r\n").append(name).append(": ").append(value));
    head.append("\r\n\r\n");
    try (Blocker.Callback block = Blocker.callback()) {
      request
          .getConnectionMetaData()
          .getConnection()
          .getEndPoint()
          .write(block, BufferUtil.toDirectBuffer(head.toString(), StandardCharsets.US_ASCII));
      block.block();
    }
  }

  /**
   * The next part of the request's content; release it after use. Asking for the first part sends
   * {@code 100 Continue} where the client waits for it.
   *
   * @return null at the end
   * @throws BrokenContent where the client went away, sent less than it announced, or was too slow
   */
  public Content.@Nullable Chunk read() throws IOException {
    return content.next();
  }

  /** The fields behind the content (RFC 9110 section 6.5), when all of it has been read. */
  public HttpFields trailers() {
    HttpFields trailers = request.getTrailers();
    return trailers == null ? HttpFields.EMPTY : trailers;
  }

  /**
   * The whole content of a request that has a small one.
   *
   * @return null where it is longer than {@code limit} bytes
   */
  public byte @Nullable [] readAll(int limit) throws IOException {
    return content.whole(limit);
  }

  /**
   * Marks the flow of a transfer whose client asks for it by {@code SciTag}; close the mark at its
   * end. Through a proxy the flow is between others.
   *
   * @param outgoing whether the file goes out of here
   */
  public FlowMarks.Mark mark(FlowMarks marks, boolean outgoing) {
    Optional<SciTag> tag = SciTag.parse(header("SciTag"));
    ConnectionMetaData connection = request.getConnectionMetaData();
    return tag.isPresent()
            && !throughProxy()
            && connection.getLocalSocketAddress() instanceof InetSocketAddress local
            && connection.getRemoteSocketAddress() instanceof InetSocketAddress remote
        ? marks.begin(
            new Flow(
                tag.get(),
                local,
                remote,
                outgoing,
                () -> Request.getContentBytesRead(request),
                () -> Response.getContentBytesWritten(response)))
        : FlowMarks.Mark.NONE;
  }

  /** The announced length of the request's content in bytes, or -1. */
  public long length() {
    return request.getLength();
  }

  /**
   * Whether the request has content; asked to refuse it. In HTTP/2 nothing needs to announce it, so
   * that the first part may be read, and lost, to know.
   */
  public boolean hasContent() throws IOException {
    if (length() >= 0 || http1()) {
      return length() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
    }
    Content.Chunk first = read();
    if (first == null) {
      return false;
    }
    first.release();
    return true;
  }

  private boolean http1() {
    HttpVersion version = request.getConnectionMetaData().getHttpVersion();
    return version.getVersion() < HttpVersion.HTTP_2.getVersion();
  }
}
