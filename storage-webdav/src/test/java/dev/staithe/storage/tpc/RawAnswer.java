package dev.staithe.storage.tpc;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Reads a response strictly: a chunked body must end by its last chunk. */
final class RawAnswer {
  private RawAnswer() {}

  static Element.Answer read(InputStream in) throws IOException {
    String status = line(in);
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if ("chunked".equals(headers.get("Transfer-Encoding"))) {
      for (int n = Integer.parseInt(line(in), 16); n > 0; n = Integer.parseInt(line(in), 16)) {
        body.write(exactly(in, n));
        line(in);
      }
      line(in);
    } else {
      body.write(exactly(in, Integer.parseInt(headers.getOrDefault("Content-Length", "0"))));
    }
    return new Element.Answer(
        Integer.parseInt(status.split(" ")[1]), headers, body.toString(StandardCharsets.UTF_8));
  }

  private static byte[] exactly(InputStream in, int n) throws IOException {
    byte[] bytes = in.readNBytes(n);
    if (bytes.length < n) {
      throw new EOFException("the response broke off");
    }
    return bytes;
  }

  static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the response broke off");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
