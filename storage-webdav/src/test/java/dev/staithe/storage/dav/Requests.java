package dev.staithe.storage.dav;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.clients.Curl;
import java.util.UUID;
import java.util.zip.Adler32;

/** The short forms that tests of the protocol share, all on one running storage element. */
final class Requests {
  static final RunningStorage storage = RunningStorage.shared();

  private Requests() {}

  /** A collection in area {@code open} that only this test knows, with its slash. */
  static String freshCollection() {
    String path = "/open/" + UUID.randomUUID() + "/";
    if (curl("MKCOL", path).run().status() != 201) {
      throw new IllegalStateException("cannot make " + path);
    }
    return path;
  }

  static Curl curl(String method, String path) {
    return storage.curl(path).method(method);
  }

  static Curl get(String path) {
    return storage.curl(path);
  }

  /** A PUT of a text with its length. */
  static Curl put(String path, String content) {
    return curl("PUT", path)
        .header("Content-Type", "application/octet-stream")
        .header("Expect", "")
        .body(content);
  }

  /** A LOCK by its scope, {@code exclusive} or {@code shared}, and its depth. */
  static Curl lock(String path, String scope, String depth) {
    return curl("LOCK", path)
        .header("Depth", depth)
        .header("Content-Type", "application/xml")
        .body(
            "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:"
                + scope
                + "/></D:lockscope><D:locktype><D:write/></D:locktype>"
                + "<D:owner><D:href>mailto:me</D:href></D:owner></D:lockinfo>");
  }

  static int status(String path) {
    return get(path).head().run().status();
  }

  static String text(String path) {
    Curl.Response response = get(path).run();
    if (response.status() != 200) {
      throw new AssertionError(path + ": " + response);
    }
    return response.text();
  }

  static Curl propfind(String path, String depth, String body) {
    Curl curl = curl("PROPFIND", path).header("Depth", depth);
    return body.isEmpty() ? curl : curl.header("Content-Type", "application/xml").body(body);
  }

  /** A PROPFIND body that asks for these properties; elements may bring their own namespace. */
  static String prop(String elements) {
    return "<D:propfind xmlns:D=\"DAV:\"><D:prop>" + elements + "</D:prop></D:propfind>";
  }

  static Curl proppatch(String path, String instructions) {
    return curl("PROPPATCH", path)
        .header("Content-Type", "application/xml")
        .body(
            "<D:propertyupdate xmlns:D=\"DAV:\" xmlns:x=\"http://example.org/x\">"
                + instructions
                + "</D:propertyupdate>");
  }

  static String destination(String path) {
    return storage.url(path);
  }

  static String adler32(byte[] content) {
    Adler32 sum = new Adler32();
    sum.update(content);
    return String.format("%08x", sum.getValue());
  }
}
