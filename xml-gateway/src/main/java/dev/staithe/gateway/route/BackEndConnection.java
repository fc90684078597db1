package dev.staithe.gateway.route;

import dev.staithe.service.RequestId;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One connection of HTTP/1.1 (RFC 9112) to a back end, for one exchange at a time: a request in one
 * write where it is small, an answer through one buffer, strictly read. Used by one thread at a
 * time; blocks, which is what virtual threads are for.
 */
final class BackEndConnection {
  private static final int BUFFER = 16 * 1024;

  /** Bytes of a head that are read before it is too long. */
  private static final int LONGEST_HEAD = BUFFER;

  /** What came is not what RFC 9112 allows, or not what we take. */
  static final class NotHttp extends IOException {
    private static final long serialVersionUID = 1;

    NotHttp(String line) {
      super(line);
    }
  }

  /** An answer beyond the limit; carries nothing. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;
  }

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] sending = new byte[BUFFER];
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int end;
  private long idleSince;
  private boolean answering;
  private boolean lasting = true;

  BackEndConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  /** When it was put aside, by {@link System#nanoTime()}. */
  long idleSince() {
    return idleSince;
  }

  void putAside(long now) {
    idleSince = now;
  }

  /** Whether another exchange may follow. */
  boolean isLasting() {
    return lasting && at == end;
  }

  /** Whether a byte of the answer has come. */
  boolean isAnswering() {
    return answering;
  }

  /** Whether the other side has closed it, or has said something unasked, while it was aside. */
  boolean isStale() {
    try {
      socket.setSoTimeout(1);
      return in.read(buffer, 0, 1) != 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }

  /**
   * One exchange.
   *
   * @param head everything up to the headers that differ from request to request
   * @param deadline by {@link System#nanoTime()}
   * @param largest bytes of an answer's body
   * @param share what pays for that
   * @throws SocketTimeoutException where the deadline has passed
   * @throws NotHttp where the answer is none
   * @throws TooLarge where its body is too long
   */
  BackEndAnswer.Answered exchange(
      byte[] head, BackEndRequest request, long deadline, long largest, Bodies.Share share)
      throws IOException {
    answering = false;
    send(head, request);
    int status;
    Head read;
    do {
      read = head(deadline);
      status = read.status;
    } while (status >= 100 && status < 200 && status != 101);
    if (status == 101) {
      throw new NotHttp("it changes the protocol");
    }
    byte[] body = body(read, deadline, largest, share);
    lasting &= read.lasting;
    return new BackEndAnswer.Answered(status, read.contentType, body);
  }

  private void send(byte[] head, BackEndRequest request) throws IOException {
    var rest = new StringBuilder(256);
    rest.append("Content-Type: ").append(request.contentType()).append("\r\n");
    if (request.soapAction() != null) {
      rest.append("SOAPAction: ").append(request.soapAction()).append("\r\n");
    }
    rest.append(request.caller());
    rest.append(RequestId.HEADER + ": ").append(request.requestId()).append("\r\nContent-Length: ");
    rest.append(request.length()).append("\r\n\r\n");
    byte[] tail = rest.toString().getBytes(StandardCharsets.ISO_8859_1);
    int filled = put(head, 0, head.length, 0);
    filled = put(tail, 0, tail.length, filled);
    for (BackEndRequest.Piece piece : request.pieces()) {
      filled = put(piece.of(), piece.from(), piece.length(), filled);
    }
    out.write(sending, 0, filled);
    out.flush();
  }

  /** Gathers small pieces; what is large goes out by itself. */
  private int put(byte[] from, int start, int length, int filled) throws IOException {
    if (length <= sending.length - filled) {
      System.arraycopy(from, start, sending, filled, length);
      return filled + length;
    }
    out.write(sending, 0, filled);
    if (length > sending.length) {
      out.write(from, start, length);
      return 0;
    }
    System.arraycopy(from, start, sending, 0, length);
    return length;
  }

  private static final class Head {
    int status;
    long length = -1;
    boolean chunked;
    boolean lasting = true;
    @Nullable String contentType;
  }

  private Head head(long deadline) throws IOException {
    String line = line(deadline, 0);
    // RFC 9112 section 4: HTTP-version SP status-code SP [reason]
    if (line.length() < 12
        || !line.startsWith("HTTP/1.")
        || (line.charAt(7) != '1' && line.charAt(7) != '0')
        || line.charAt(8) != ' '
        || (line.length() > 12 && line.charAt(12) != ' ')) {
      throw new NotHttp("its answer does not begin as HTTP/1.1 does");
    }
    Head head = new Head();
    head.status = (int) number(line.substring(9, 12), 10, 999);
    head.lasting = line.charAt(7) == '1';
    int total = line.length();
    while (true) {
      line = line(deadline, total);
      if (line.isEmpty()) {
        return head;
      }
      total += line.length() + 2;
      field(line, head);
    }
  }

  private static void field(String line, Head head) throws NotHttp {
    int colon = line.indexOf(':');
    if (colon < 1
        || line.charAt(0) == ' '
        || line.charAt(0) == '\t'
        || line.charAt(colon - 1) == ' ') {
      throw new NotHttp("a header of its answer is malformed");
    }
    switch (colon) {
      case 10 -> {
        if (line.regionMatches(true, 0, "connection", 0, 10)) {
          String value = line.substring(11);
          head.lasting &= !containsToken(value, "close");
        }
      }
      case 12 -> {
        if (line.regionMatches(true, 0, "content-type", 0, 12)) {
          head.contentType = line.substring(13).strip();
        }
      }
      case 14 -> {
        if (line.regionMatches(true, 0, "content-length", 0, 14)) {
          long length = number(line.substring(15).strip(), 10, Long.MAX_VALUE / 16);
          if (head.length >= 0 && head.length != length) {
            throw new NotHttp("its answer has two lengths");
          }
          head.length = length;
        }
      }
      case 17 -> {
        if (line.regionMatches(true, 0, "transfer-encoding", 0, 17)) {
          if (head.chunked || !line.substring(18).strip().equalsIgnoreCase("chunked")) {
            throw new NotHttp("its answer has a transfer coding other than chunked");
          }
          head.chunked = true;
        }
      }
      default -> {
        // Nothing else matters here.
      }
    }
  }

  private static boolean containsToken(String list, String token) {
    for (String each : list.split(",")) {
      if (each.strip().equalsIgnoreCase(token)) {
        return true;
      }
    }
    return false;
  }

  private byte[] body(Head head, long deadline, long largest, Bodies.Share share)
      throws IOException {
    if (head.status == 204 || head.status == 304) {
      return new byte[0];
    }
    if (head.chunked && head.length >= 0) {
      // RFC 9112 section 6.3: what an attacker sends who wants two readings.
      throw new NotHttp("its answer has both a length and chunks");
    }
    if (head.length > largest) {
      throw new TooLarge();
    }
    var body = new Gathering(share, head.length >= 0 ? head.length : largest);
    if (head.chunked) {
      chunks(body, deadline, largest);
    } else if (head.length >= 0) {
      read(body, head.length, deadline);
    } else {
      head.lasting = false;
      untilEnd(body, deadline, largest);
    }
    return body.whole();
  }

  private void chunks(Gathering body, long deadline, long largest) throws IOException {
    while (true) {
      String line = line(deadline, 0);
      int semicolon = line.indexOf(';');
      long size =
          number((semicolon < 0 ? line : line.substring(0, semicolon)).strip(), 16, 1L << 40);
      if (size == 0) {
        int trailers = 0;
        for (line = line(deadline, 0); !line.isEmpty(); line = line(deadline, trailers)) {
          trailers += line.length() + 2;
        }
        return;
      }
      if (body.filled() + size > largest) {
        throw new TooLarge();
      }
      read(body, size, deadline);
      if (!line(deadline, 0).isEmpty()) {
        throw new NotHttp("a chunk of its answer does not end where it says");
      }
    }
  }

  private void untilEnd(Gathering body, long deadline, long largest) throws IOException {
    while (at < end || fill(deadline)) {
      if (body.filled() + (long) (end - at) > largest) {
        throw new TooLarge();
      }
      read(body, end - at, deadline);
    }
  }

  private void read(Gathering body, long length, long deadline) throws IOException {
    long left = length;
    while (left > 0) {
      int room = (int) Math.min(left, body.room());
      int taken = Math.min(room, end - at);
      if (taken > 0) {
        System.arraycopy(buffer, at, body.bytes(), body.filled(), taken);
        at += taken;
      } else {
        allow(deadline);
        taken = in.read(body.bytes(), body.filled(), room);
        if (taken < 0) {
          throw new EOFException("its answer ends early");
        }
      }
      body.put(taken);
      left -= taken;
    }
  }

  /** A line without its end; RFC 9112 section 2.2 lets a single LF end it. */
  private String line(long deadline, int before) throws IOException {
    int scanned = 0;
    while (true) {
      for (int i = at + scanned; i < end; i++) {
        if (buffer[i] == '\n') {
          int last = i > at && buffer[i - 1] == '\r' ? i - 1 : i;
          String line = new String(buffer, at, last - at, StandardCharsets.ISO_8859_1);
          at = i + 1;
          return line;
        }
      }
      scanned = end - at;
      if (scanned + before >= LONGEST_HEAD) {
        throw new NotHttp("the head of its answer is too long");
      }
      if (!fill(deadline)) {
        throw new EOFException(answering ? "its answer ends early" : "it closes without an answer");
      }
    }
  }

  private boolean fill(long deadline) throws IOException {
    if (at == end) {
      at = 0;
      end = 0;
    } else if (end == buffer.length) {
      System.arraycopy(buffer, at, buffer, 0, end - at);
      end -= at;
      at = 0;
    }
    allow(deadline);
    int read = in.read(buffer, end, buffer.length - end);
    if (read > 0) {
      end += read;
      answering = true;
    }
    return read > 0;
  }

  private void allow(long deadline) throws IOException {
    long left = (deadline - System.nanoTime()) / 1_000_000;
    if (left <= 0) {
      throw new SocketTimeoutException();
    }
    socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
  }

  private static long number(String digits, int radix, long most) throws NotHttp {
    if (digits.isEmpty() || digits.length() > 18) {
      throw new NotHttp("a number in its answer is malformed");
    }
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = Character.digit(digits.charAt(i), radix);
      if (digit < 0 || digits.charAt(i) > 0x7f) {
        throw new NotHttp("a number in its answer is malformed");
      }
      value = value * radix + digit;
    }
    if (value > most) {
      throw new NotHttp("a number in its answer is too large");
    }
    return value;
  }
}
