package dev.staithe.storage.exchange;

import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Leaves the sending of files to the nginx in front: instead of the bytes it gets {@code
 * X-Accel-Redirect} with the place of the file below a prefix and the area's name, after all that
 * is checked and described here. nginx then reads the file and judges ranges by itself.
 */
public final class AccelRedirect {
  /** nginx reads an answer's head into a buffer of a few pages; longer names are sent from here. */
  private static final int LONGEST = 4096;

  private final StoragePath prefix;

  /** Redirects below {@code prefix}, such as {@code /.accel}. */
  public AccelRedirect(StoragePath prefix) {
    this.prefix = prefix;
  }

  /**
   * Answers a GET whose conditions hold, where that may be left to the proxy.
   *
   * @return false where nothing was answered
   */
  public boolean answer(Exchange exchange, OpenFile file) throws IOException {
    HttpFields wishes = exchange.request().getHeaders();
    // nginx would judge these two again, and by an entity tag that it does not have.
    if (!exchange.throughProxy()
        || wishes.contains(HttpHeader.IF_MATCH)
        || wishes.contains(HttpHeader.IF_UNMODIFIED_SINCE)) {
      return false;
    }
    Optional<StoragePath> place = file.place();
    if (place.isEmpty()) {
      return false;
    }
    String location = place.get().under(prefix.child(exchange.area().name())).href();
    if (location.length() > LONGEST) {
      return false;
    }
    HttpFields.Mutable headers = exchange.response().getHeaders();
    // nginx says that by itself.
    headers.remove(HttpHeader.ACCEPT_RANGES);
    headers.put("X-Accel-Redirect", location);
    exchange.reply(200);
    return true;
  }
}
