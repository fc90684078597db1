package dev.staithe.gateway.wss;

import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Reply;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.TreeMap;

/** All that an opening says, but for the engine's name, as text that can be compared. */
final class Verdict {
  private Verdict() {}

  static String of(Opening opening) {
    return switch (opening) {
      case Opening.Refused refused -> "refused: " + refused.reason();
      case Opening.Unknown unknown -> "unknown: " + unknown.shape();
      case Opening.Opened opened ->
          "opened"
              + of(opened.message())
              + "\ncaller "
              + of(opened.caller())
              + "\nreply "
              + of(opened.reply())
              + of(opened.findings());
    };
  }

  private static String of(PlainMessage message) {
    var text = new StringBuilder("\nversion ").append(message.version());
    message
        .headers()
        .forEach(
            each ->
                text.append("\nheader ")
                    .append(each.name())
                    .append(' ')
                    .append(new String(each.canonical(), StandardCharsets.UTF_8)));
    return text.append("\nbody ")
        .append(new String(message.body(), StandardCharsets.UTF_8))
        .append("\nnamespaces ")
        .append(new TreeMap<>(message.namespaces()))
        .append("\noperation ")
        .append(message.operation())
        .append("\naddressing ")
        .append(message.addressing())
        .toString();
  }

  private static String of(Caller caller) {
    return caller.getClass().getSimpleName()
        + " "
        + caller.subject()
        + (caller instanceof Caller.Certificate known ? known.chain().hashCode() : "");
  }

  private static String of(Reply reply) {
    String keys =
        switch (reply.keys()) {
          case Reply.Keys.None none -> "none";
          case Reply.Keys.ToCertificate to -> "to " + to.certificate().hashCode();
          case Reply.Keys.InContext in ->
              "in " + in.context().identifier() + " " + in.context().instance();
          case Reply.Keys.ByEncryptedKey by -> "by key " + hex(by.sha1()) + " " + hex(by.key());
          case Reply.Keys.ByUsername by -> "by user " + by.username() + " " + hex(by.key());
        };
    return reply.version()
        + " "
        + keys
        + " "
        + reply.confirmed().stream().map(Verdict::hex).toList()
        + " "
        + reply.messageId();
  }

  private static String of(Findings findings) {
    var text = new StringBuilder();
    text.append("\nsigned ").append(findings.signed());
    text.append("\nencrypted ").append(findings.encrypted());
    text.append("\nalgorithms ").append(findings.algorithms());
    text.append("\ncreated ").append(findings.created());
    text.append("\nexpires ").append(findings.expires());
    findings
        .once()
        .forEach(each -> text.append("\nonce ").append(hex(each.digest())).append(each.until()));
    Findings.SignedParts parts = findings.signature();
    if (parts != null) {
      text.append("\nsignature ").append(parts.algorithm()).append(' ').append(hex(parts.value()));
      text.append("\ninfo ").append(new String(parts.signedInfo(), StandardCharsets.UTF_8));
      text.append("\nchain ").append(parts.chain().hashCode());
      parts
          .references()
          .forEach(
              each ->
                  text.append("\nreference ")
                      .append(each.uri())
                      .append(' ')
                      .append(each.part())
                      .append(' ')
                      .append(new String(each.octets(), StandardCharsets.UTF_8)));
    }
    return text.toString();
  }

  private static String hex(byte[] octets) {
    return HexFormat.of().formatHex(octets);
  }
}
