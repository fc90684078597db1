package dev.staithe.storage.dav;

import dev.staithe.service.RequestId;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/**
 * GET of a small file whose name and content are in the kernel's memory, and HEAD of any file, by
 * whoever is known already: answered on the thread that read the request, as to hand it to another
 * one costs as much as all that is done (ADR 66). Whatever is not as plain as that is left to
 * {@link GetMethod}, which gives the same answer. Waits for nothing; safe for use by many threads.
 */
public final class SmallGet {
  /** Bytes of a file: so many may lie in memory for each connection whose client reads slowly. */
  static final int LARGEST = 16 * 1024;

  /** Fields that change nothing in the answer, beside the one that says who asks. */
  private static final Set<HttpHeader> PLAIN =
      EnumSet.of(
          HttpHeader.HOST,
          HttpHeader.AUTHORIZATION,
          HttpHeader.USER_AGENT,
          HttpHeader.ACCEPT,
          HttpHeader.ACCEPT_ENCODING,
          HttpHeader.ACCEPT_LANGUAGE,
          HttpHeader.CONNECTION);

  private final Areas areas;
  private final Predicate<ServedArea> plain;
  private final Function<String, @Nullable Caller> known;
  private final Answers answers = new Answers();
  private final LongAdder answered = new LongAdder();

  /**
   * @param plain whether an area's files are given away by {@link GetMethod} and nothing around it
   * @param known who shows a field {@code Authorization}; null where that has to be found out
   */
  public SmallGet(
      Areas areas, Predicate<ServedArea> plain, Function<String, @Nullable Caller> known) {
    this.areas = areas;
    this.plain = plain;
    this.known = known;
  }

  /** How many it has answered. */
  public long answered() {
    return answered.sum();
  }

  /**
   * Answers, or returns false and has done nothing.
   *
   * @param rawPath as it came over the wire
   */
  boolean answer(String rawPath, Request request, Response response, Callback callback) {
    String authorization = onlyAuthorization(request);
    if (authorization == null
        || !(StoragePath.parse(rawPath) instanceof StoragePath.Parsed.Valid(StoragePath path))
        || path.collectionForm()
        || path.isRoot()
        || path.segments().getFirst().startsWith(".")) {
      return false;
    }
    Optional<Areas.Place> place = areas.locate(path).filter(each -> plain.test(each.area()));
    Caller caller = place.isEmpty() ? null : known.apply(authorization);
    if (place.isEmpty() || caller == null) {
      return false;
    }
    Exchange exchange = new Exchange(request, response, place.get(), caller, "", answers);
    Right right = isHead(request) ? Right.STAT : Right.READ;
    if (!(exchange.admission(exchange.path(), right) instanceof Admission.Allowed)) {
      return false;
    }
    boolean sent = false;
    try (OpenFile file = exchange.area().store().openAtOnce(exchange.path()).orElse(null)) {
      sent = file != null && send(exchange, file, callback);
    } catch (IOException unclosed) {
      // What was read is right all the same.
    }
    return sent;
  }

  private static boolean isHead(Request request) {
    return request.getMethod().equals("HEAD");
  }

  /** The credential of a request that says nothing else which counts. */
  private static @Nullable String onlyAuthorization(Request request) {
    if (!request.getMethod().equals("GET") && !isHead(request)
        || request.getHttpURI().getQuery() != null
        || request.getHttpURI().getFragment() != null) {
      return null;
    }
    String found = null;
    for (HttpField field : request.getHeaders()) {
      HttpHeader name = field.getHeader();
      if (name == null || !PLAIN.contains(name)) {
        return null;
      }
      if (name == HttpHeader.AUTHORIZATION) {
        if (found != null) {
          return null;
        }
        found = field.getValue();
      }
    }
    return found;
  }

  private boolean send(Exchange exchange, OpenFile file, Callback callback) {
    FileEntry entry = file.entry();
    Request request = exchange.request();
    boolean head = isHead(request);
    if (!head && entry.size() > LARGEST) {
      return false;
    }
    Optional<Checksum> checksum = file.kept(ChecksumAlgorithm.ADLER32);
    RetainableByteBuffer content = head ? RetainableByteBuffer.EMPTY : read(request, file);
    if (content == null) {
      return false;
    }
    RequestId.assign(request, exchange.response());
    request.setAttribute(DavHandler.AREA, exchange.area().name());
    request.setAttribute(DavHandler.CALLER, exchange.caller());
    HttpFields.Mutable headers = exchange.response().getHeaders();
    GetMethod.describe(headers, entry);
    checksum.ifPresent(kept -> headers.put("Digest", kept.rfc3230()));
    headers.put(HttpHeader.CONTENT_LENGTH, entry.size());
    exchange.response().setStatus(200);
    answered.increment();
    exchange
        .response()
        .write(
            true,
            content.getByteBuffer(),
            Callback.from(
                InvocationType.NON_BLOCKING,
                () -> {
                  content.release();
                  callback.succeeded();
                },
                failure -> {
                  content.release();
                  callback.failed(failure);
                }));
    return true;
  }

  /** All of it; null where it is not in memory. */
  private static @Nullable RetainableByteBuffer read(Request request, OpenFile file) {
    long size = file.entry().size();
    RetainableByteBuffer content =
        request.getComponents().getByteBufferPool().acquire(LARGEST, true);
    ByteBuffer bytes = content.getByteBuffer();
    BufferUtil.clearToFill(bytes);
    bytes.limit((int) size);
    if (file.readAtOnce(bytes, 0) != size) {
      content.release();
      return null;
    }
    bytes.flip();
    return content;
  }
}
