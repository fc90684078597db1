package dev.staithe.storage.exchange;

import java.io.IOException;

/** One HTTP method on the storage namespace. Called on a virtual thread; may block. */
public interface DavMethod {
  /** Answers the request; when it returns, the response has been written or refused. */
  void handle(Exchange exchange) throws IOException;
}
