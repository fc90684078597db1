package dev.staithe.storage.dav;

import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.PageHeaders;
import dev.staithe.storage.exchange.PropertyName;
import dev.staithe.storage.exchange.RequestContent;
import dev.staithe.storage.exchange.XmlOut;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.ByteBuffer;
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
  /** The methods, as {@code Allow} has them. */
  public static final String ALLOW =
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
      case "PROPFIND" -> propfind(request, response, path, names);
      case "MKCOL" -> {
        response.getHeaders().put(HttpHeader.ALLOW, ALLOW);
        answers.refuse(request, response, 405, "this collection exists");
      }
      default -> answers.refuse(request, response, 403, "no storage area is at this path");
    }
  }

  private void propfind(Request request, Response response, StoragePath path, List<String> names)
      throws IOException {
    String depth = request.getHeaders().get("Depth");
    if (depth != null && !depth.trim().matches("0|1|(?i:infinity)")) {
      answers.refuse(request, response, 400, "Depth is 0, 1 or infinity");
      return;
    }
    int longest = PropfindMethod.LONGEST_BODY;
    byte[] body = new RequestContent(request).whole(longest);
    if (body == null) {
      answers.refuse(
          request, response, 413, "the request body is longer than " + longest + " bytes");
      return;
    }
    PropfindMethod.Query query;
    switch (RequestXml.propfind(body)) {
      case RequestXml.Read.Malformed<PropfindMethod.Query> malformed -> {
        answers.refuse(request, response, 400, malformed.reason());
        return;
      }
      case RequestXml.Read.Good<PropfindMethod.Query> good -> query = good.value();
    }
    XmlOut out = new XmlOut((bytes, last) -> Content.Sink.write(response, last, bytes));
    if (depth == null || depth.trim().equalsIgnoreCase("infinity")) {
      PropfindMethod.refuseInfinity(response, out);
      return;
    }
    response.setStatus(207);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/xml;charset=utf-8");
    out.markup("<D:multistatus xmlns:D=\"DAV:\">");
    write(out, path.asCollection(true), query);
    if (!depth.trim().equals("0")) {
      for (String name : names) {
        write(out, path.child(name).asCollection(true), query);
      }
    }
    out.markup("</D:multistatus>\n").end();
  }

  /** All that these collections have is their resource type. */
  private static void write(XmlOut out, StoragePath collection, PropfindMethod.Query query)
      throws IOException {
    String type = "<D:resourcetype><D:collection/></D:resourcetype>";
    PropertyName name = LiveProperty.RESOURCE_TYPE.property();
    out.markup("<D:response><D:href>").text(collection.href()).markup("</D:href>");
    switch (query) {
      case PropfindMethod.Query.All all -> found(out, type);
      case PropfindMethod.Query.Names names -> found(out, "<D:resourcetype/>");
      case PropfindMethod.Query.Some some -> {
        if (some.names().contains(name)) {
          found(out, type);
        }
        PropfindMethod.missing(
            out, some.names().stream().filter(asked -> !asked.equals(name)).toList());
      }
    }
    out.markup("</D:response>");
  }

  private static void found(XmlOut out, String elements) throws IOException {
    out.markup("<D:propstat><D:prop>")
        .markup(elements)
        .markup("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>");
  }
}
