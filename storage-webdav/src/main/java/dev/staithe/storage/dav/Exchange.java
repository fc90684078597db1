package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.files.StorageArea;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * One request on the storage namespace and its answer, with blocking reads and writes for virtual
 * threads.
 */
public final class Exchange {
  private final Request request;
  private final Response response;
  private final StorageArea area;
  private final StoragePath path;
  private final Caller caller;

  Exchange(Request request, Response response, StorageArea area, StoragePath path, Caller caller) {
    this.request = request;
    this.response = response;
    this.area = area;
    this.path = path;
    this.caller = caller;
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
    return area;
  }

  /** The path below the area's access point. */
  public StoragePath path() {
    return path;
  }

  /** Who asks. */
  public Caller caller() {
    return caller;
  }

  /** The request's id, in every log line and in the {@code X-Request-Id} response header. */
  public String requestId() {
    throw new UnsupportedOperationException();
  }

  /** A request header's first value. */
  public @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /** What the caller may do at a path of this area. */
  public Admission admission(StoragePath where, Right right) {
    throw new UnsupportedOperationException();
  }

  /**
   * The admission to make or replace the file at {@code where}, decided before its existence is
   * revealed: MODIFY, or CREATE where nothing is there.
   */
  public Admission admissionToWrite(StoragePath where) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Answers with that status and no body. */
  public void reply(int status) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Answers 401 or 403 as RFC 6750 has it. */
  public void deny(Admission.Denied denied) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Answers with that status and one line of text, or problem+json where the client asks so. */
  public void refuse(int status, String line) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Sends the buffer, the last one completing the response; blocks until it is written. */
  public void write(ByteBuffer bytes, boolean last) throws IOException {
    throw new UnsupportedOperationException();
  }
}
