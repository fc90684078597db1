package dev.staithe.perf.visit;

import dev.staithe.perf.services.StaticBackEnd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Orders of many small elements (SOAP 1.1), as the article's messages, without any protection. */
public final class OrderMessages implements MessageMaker {
  /** Of the payload. */
  static final String NAMESPACE = StaticBackEnd.NAMESPACE;

  public static final String ACTION = NAMESPACE + "/order";

  private static final String LINE =
      "<o:line><o:item>rope, hemp, 24 mm</o:item><o:count>12</o:count><o:price>4.20</o:price></o:line>";

  /** Over all makers of this process. */
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final String lines;

  /**
   * @param payload bytes of a body, about, at least one line
   */
  OrderMessages(int payload) {
    this.lines = LINE.repeat(Math.max(1, payload / LINE.length()));
  }

  /** The child of the body of a request that there was none of before. */
  String body() {
    return "<o:order xmlns:o=\"%s\"><o:number>%d</o:number>%s</o:order>"
        .formatted(NAMESPACE, NUMBERS.incrementAndGet(), lines);
  }

  /** A whole envelope with it. */
  byte[] envelope() {
    return ("<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>"
            + body()
            + "</soap:Body></soap:Envelope>")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Prepared next() {
    return new Prepared(envelope(), OrderMessages::taken);
  }

  /**
   * Judges a plain answer.
   *
   * @throws IOException where it is not that of the back end
   */
  static void taken(byte[] answer) throws IOException {
    String text = new String(answer, StandardCharsets.UTF_8);
    if (!text.contains(StaticBackEnd.SAID)) {
      throw new IOException("not the back end's answer: " + shortened(text));
    }
  }

  /** For messages, in one line. */
  static String shortened(String text) {
    return text.substring(0, Math.min(300, text.length())).replaceAll("\\s+", " ").strip();
  }
}
