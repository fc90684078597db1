package dev.staithe.contracts.record;

import dev.staithe.contracts.signature.BadSignature;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One contract in a list: what it is found by. Nothing of it is verified.
 *
 * @param id of the contract, a UUID
 * @param state how far it is: {@code sending}, {@code received} and so on
 * @param time when it began; in a statement alone, when all bytes had come
 * @param url that was asked for, or pushed to
 * @param sender the origin of who sent the bytes
 * @param receiver the origin or name of who got them
 * @param size in bytes
 * @param sha256 in hexadecimal
 */
public record ContractEntry(
    String id,
    String state,
    Instant time,
    String url,
    String sender,
    String receiver,
    long size,
    String sha256) {
  private static final String SCHEME = "https://";
  private static final String USUAL_PORT = ":443";

  /**
   * Of a statement.
   *
   * @throws BadSignature where it cannot be read
   */
  public static ContractEntry of(Statement statement) throws BadSignature {
    ContractRecord record = ContractRecord.parse(statement.claimed().content());
    Received received = Received.parse(record.received());
    return new ContractEntry(
        record.id(),
        received.kept() ? "received" : "refused",
        received.time(),
        record.url(),
        record.sender(),
        record.receiver(),
        received.size(),
        HexFormat.of().formatHex(received.sha256()));
  }

  /** The path of the URL, as it is written there. */
  public String path() {
    int host = url.indexOf("://");
    int slash = host < 0 ? -1 : url.indexOf('/', host + 3);
    int query = url.indexOf('?');
    return slash < 0 ? "" : url.substring(slash, query < slash ? url.length() : query);
  }

  /** Whether the file is at that path or below it; an empty one is above all. */
  public boolean below(String path) {
    String above = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    return path().equals(path) || path().startsWith(above + "/");
  }

  /** Whether that host or person is one of the parties, however it is written; empty: any. */
  public boolean with(String party) {
    String meant = party(party);
    return meant.isEmpty() || party(sender).equals(meant) || party(receiver).equals(meant);
  }

  /**
   * A party as contracts name it: a host by {@code host:port} in lower case, without the port that
   * https has of its own accord, as URLs do not name it; a person by the name that was given.
   *
   * @param written that, or an origin
   */
  public static String party(String written) {
    if (written.indexOf('=') >= 0) {
      return written;
    }
    String host = written.toLowerCase(Locale.ROOT);
    int from = host.startsWith(SCHEME) ? SCHEME.length() : 0;
    int to = host.endsWith(USUAL_PORT) ? host.length() - USUAL_PORT.length() : host.length();
    return to > from ? host.substring(from, to) : host.substring(from);
  }

  /** As JSON. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("contract", id);
    json.put("state", state);
    json.put("time", time.toString());
    json.put("url", url);
    json.put("sender", sender);
    json.put("receiver", receiver);
    json.put("size", size);
    json.put("sha-256", sha256);
    return json;
  }

  /** As a statement with its parts in the clear, for programs that read no COSE. */
  public static Map<String, Object> exported(Statement statement) throws BadSignature {
    Statement.Content content = statement.claimed();
    ContractRecord record = ContractRecord.parse(content.content());
    Map<String, Object> json = of(statement).json();
    json.put("stated-by", content.issuer());
    json.put("stated", content.stated().toString());
    json.put("request", part(record.request()));
    json.put("answer", part(record.answer()));
    json.put("receipt", part(record.receipt()));
    json.put("received", record.received());
    json.put("statement", Base64.getEncoder().encodeToString(statement.encode()));
    return json;
  }

  private static Map<String, Object> part(ContractRecord.Part part) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("signed", part.base().lines().toList());
    json.put("signature", part.signature());
    return json;
  }
}
