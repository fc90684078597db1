package dev.staithe.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes as they would come from a socket, so many at once. */
final class Bytes implements ByteSource {
  private final byte[] all;
  private final int atOnce;
  private final ByteBuffer input = ByteBuffer.allocate(256 * 1024).limit(0);
  private int at;

  Bytes(byte[] all, int atOnce) {
    this.all = all;
    this.atOnce = atOnce;
  }

  @Override
  public ByteBuffer input() {
    return input;
  }

  @Override
  public int fill() {
    if (at == all.length) {
      return -1;
    }
    if (!input.hasRemaining()) {
      input.clear().limit(0);
    } else if (input.limit() == input.capacity()) {
      input.compact().flip();
    }
    int end = input.limit();
    int more = Math.min(Math.min(atOnce, all.length - at), input.capacity() - end);
    input.limit(end + more);
    input.put(end, all, at, more);
    at += more;
    return more;
  }

  /** Reads a whole answer: its status, fields, body and trailers, or what is wrong with it. */
  static String read(byte[] answer, int atOnce, HeadLimits limits) {
    var source = new Bytes(answer, atOnce);
    try {
      var heads = new HeadReader(limits);
      ResponseHead head = heads.read(source.input());
      while (head == null) {
        if (source.fill() < 0) {
          return "no head";
        }
        head = heads.read(source.input());
      }
      var told = new StringBuilder(head.status() + head.fields().list().toString());
      ResponseBody body = ResponseBody.of("GET", head, source, limits);
      for (ByteBuffer part = body.next(); part != null; part = body.next()) {
        while (part.hasRemaining()) {
          told.append((char) (part.get() & 0xff));
        }
      }
      return told.append(body.trailers().list()).append(head.keepsAlive()).toString();
    } catch (HttpFailure failure) {
      return failure.kind() + " " + failure.getMessage();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
