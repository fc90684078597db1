package dev.staithe.storage.dav;

import dev.staithe.storage.pages.PageAsset;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/** Serves the style, script and icon of our pages. */
final class PageAssets {
  private PageAssets() {}

  /** Answers where the path is one of an asset's; tells whether it did. */
  static boolean answer(Request request, Response response, String path) throws IOException {
    String method = request.getMethod();
    if (!path.startsWith(PageAsset.FOLDER) || !method.equals("GET") && !method.equals("HEAD")) {
      return false;
    }
    Optional<PageAsset> asset = PageAsset.find(path.substring(PageAsset.FOLDER.length()));
    if (asset.isEmpty()) {
      return false;
    }
    HttpFields.Mutable headers = response.getHeaders();
    response.setStatus(200);
    headers.put(HttpHeader.CONTENT_TYPE, asset.get().contentType());
    headers.put(HttpHeader.ETAG, asset.get().etag());
    headers.put(HttpHeader.CACHE_CONTROL, "public, max-age=31536000, immutable");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put(HttpHeader.CONTENT_LENGTH, asset.get().content().remaining());
    Content.Sink.write(response, true, asset.get().content());
    return true;
  }
}
