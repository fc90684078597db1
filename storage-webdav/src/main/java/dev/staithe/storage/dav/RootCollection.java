package dev.staithe.storage.dav;

import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;

/**
 * What lies above the storage areas: collections that exist only because access points lie below
 * them. They can be looked at, so that clients which walk down from {@code /} arrive.
 */
public final class RootCollection {
  static final String ALLOW =
      "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, COPY, MOVE, PROPFIND, PROPPATCH, LOCK, UNLOCK";

  private final Answers answers;

  /** Refuses by {@code answers}. */
  public RootCollection(Answers answers) {
    this.answers = answers;
  }

  /** Answers OPTIONS, on every path alike (RFC 4918 section 10.1). */
  void options(Response response) throws IOException {
    HttpFields.Mutable headers = response.getHeaders();
    headers.put("DAV", "1, 2, 3");
    headers.put("MS-Author-Via", "DAV");
    headers.put(HttpHeader.ALLOW, ALLOW);
    headers.put(HttpHeader.ACCEPT_RANGES, "bytes");
    headers.put("Accept-Patch", ResumableUploads.MEDIA_TYPE);
    headers.put(HttpHeader.CONTENT_LENGTH, 0L);
    response.setStatus(200);
    Content.Sink.write(response, true, BufferUtil.EMPTY_BUFFER);
  }

  void answer(Request request, Response response, StoragePath path, Areas areas)
      throws IOException {
    List<String> names = areas.namesBelow(path);
    if (names.isEmpty()) {
      answers.refuse(request, response, 404, "no storage area is at this path");
      return;
    }
    switch (request.getMethod()) {
      case "GET", "HEAD" -> {
        response.setStatus(200);
        PageHeaders.set(response);
        byte[] page = CollectionPage.ofNames(path, names);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, page.length);
        Content.Sink.write(response, true, ByteBuffer.wrap(page));
      }
      case "PROPFIND" -> {
        String depth = request.getHeaders().get("Depth");
        if (depth != null && !depth.trim().matches("0|1|(?i:infinity)")) {
          answers.refuse(request, response, 400, "Depth is 0, 1 or infinity");
          return;
        }
        response.setStatus(207);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/xml;charset=utf-8");
        StringBuilder xml =
            new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
                .append("<D:multistatus xmlns:D=\"DAV:\">");
        append(xml, path.asCollection(true));
        if (depth == null || !depth.trim().equals("0")) {
          names.forEach(name -> append(xml, path.child(name).asCollection(true)));
        }
        xml.append("</D:multistatus>\n");
        Content.Sink.write(
            response, true, ByteBuffer.wrap(xml.toString().getBytes(StandardCharsets.UTF_8)));
      }
      case "MKCOL" -> {
        response.getHeaders().put(HttpHeader.ALLOW, ALLOW);
        answers.refuse(request, response, 405, "this collection exists");
      }
      default -> answers.refuse(request, response, 403, "no storage area is at this path");
    }
  }

  private static void append(StringBuilder xml, StoragePath collection) {
    xml.append("<D:response><D:href>")
        .append(collection.href())
        .append("</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype>")
        .append("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>");
  }
}
