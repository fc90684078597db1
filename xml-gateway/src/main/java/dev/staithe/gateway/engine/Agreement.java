package dev.staithe.gateway.engine;

import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Reply;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** In what two engines must agree that accept one message: in all that anything is done by. */
public final class Agreement {
  private Agreement() {}

  /**
   * Compares what two engines conclude.
   *
   * @return what they differ in, in a few words; empty where they agree
   */
  public static String difference(Opening.Opened one, Opening.Opened other) {
    PlainMessage message = one.message();
    PlainMessage second = other.message();
    if (!isSame(one.caller(), other.caller())) {
      return "the caller";
    }
    if (message.version() != second.version()
        || !Arrays.equals(message.body(), second.body())
        || !Objects.equals(message.operation(), second.operation())) {
      return "the body";
    }
    if (!headers(message).equals(headers(second))
        || !message.namespaces().equals(second.namespaces())) {
      return "the header";
    }
    if (!message.addressing().equals(second.addressing())) {
      return "the action or an address";
    }
    Findings found = one.findings();
    Findings others = other.findings();
    if (!found.signed().equals(others.signed()) || !found.encrypted().equals(others.encrypted())) {
      return "the covered parts";
    }
    if (!found.algorithms().equals(others.algorithms())) {
      return "the algorithms";
    }
    if (!Objects.equals(found.created(), others.created())
        || !Objects.equals(found.expires(), others.expires())
        || !once(found).equals(once(others))) {
      return "what is good once";
    }
    return isSame(one.reply(), other.reply()) ? "" : "how it is answered";
  }

  private static boolean isSame(Caller one, Caller other) {
    return one.equals(other) || one.isSame(other);
  }

  private static List<String> headers(PlainMessage message) {
    return message.headers().stream()
        .map(each -> each.name() + " " + HexFormat.of().formatHex(each.canonical()))
        .toList();
  }

  /** Until when each is remembered may differ by what the clock went on meanwhile. */
  private static List<String> once(Findings findings) {
    return findings.once().stream().map(each -> HexFormat.of().formatHex(each.digest())).toList();
  }

  private static boolean isSame(Reply one, Reply other) {
    return one.version() == other.version()
        && Objects.equals(one.messageId(), other.messageId())
        && Arrays.deepEquals(one.confirmed().toArray(), other.confirmed().toArray())
        && switch (one.keys()) {
          case Reply.Keys.None _ -> other.keys() instanceof Reply.Keys.None;
          case Reply.Keys.ToCertificate to -> to.equals(other.keys());
          case Reply.Keys.InContext(var context) ->
              other.keys() instanceof Reply.Keys.InContext(var second)
                  && context.identifier().equals(second.identifier())
                  && Objects.equals(context.instance(), second.instance());
          case Reply.Keys.ByEncryptedKey by ->
              other.keys() instanceof Reply.Keys.ByEncryptedKey second
                  && Arrays.equals(by.sha1(), second.sha1());
          case Reply.Keys.ByUsername by ->
              other.keys() instanceof Reply.Keys.ByUsername second
                  && by.username().equals(second.username());
        };
  }
}
