package dev.staithe.storage.remote;

import dev.staithe.http.HeaderField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the client wants to be sent to the passive party: {@code TransferHeaderXxx: v} becomes
 * {@code Xxx: v} on every request there; a condition, on those until it was met by one that changed
 * what it is about. The values may be credentials and never appear in {@link #toString}.
 *
 * @param fields in the order of the request
 */
public record ForwardedHeaders(List<HeaderField> fields) {
  /** Most fields taken. */
  public static final int MAX_FIELDS = 50;

  /** Most characters of all names and values together. */
  public static final int MAX_LENGTH = 32 * 1024;

  /** What the connection itself needs: a client must not meddle with the framing. */
  private static final Set<String> OURS =
      Set.of(
          "host",
          "content-length",
          "transfer-encoding",
          "content-encoding",
          "content-range",
          "connection",
          "proxy-connection",
          "keep-alive",
          "te",
          "trailer",
          "upgrade",
          "expect",
          "range",
          "if-range",
          "accept-encoding",
          "want-digest",
          "want-repr-digest",
          "user-agent",
          "accept",
          // A contract is this host's to sign, and not the client's.
          "contract",
          "host-properties",
          "signature",
          "signature-input");

  /** What is known to be no credential and may follow a redirect to another server. */
  private static final Set<String> HARMLESS = Set.of("scitag", "archivemetadata", "clientinfo");

  /** What a request depends on (RFC 9110 section 13.1). */
  private static final Set<String> CONDITIONS =
      Set.of("if-match", "if-none-match", "if-modified-since", "if-unmodified-since");

  /** Copies the list. */
  public ForwardedHeaders {
    fields = List.copyOf(fields);
  }

  /** Whether the field is forwarded at all. */
  public static boolean allowed(String name) {
    return !OURS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** What may go to a server to which the client did not send us itself. */
  List<HeaderField> harmless() {
    List<HeaderField> kept = new ArrayList<>();
    for (HeaderField field : fields) {
      if (isHarmless(field)) {
        kept.add(field);
      }
    }
    return kept;
  }

  /** All but conditions. WebDAV's {@code If} stays: it shows the token of a lock that goes on. */
  ForwardedHeaders withoutConditions() {
    return new ForwardedHeaders(fields.stream().filter(field -> !isCondition(field)).toList());
  }

  /** The conditions alone, which are no credentials. */
  public List<HeaderField> conditions() {
    return fields.stream().filter(ForwardedHeaders::isCondition).toList();
  }

  private static boolean isCondition(HeaderField field) {
    return CONDITIONS.contains(field.name().toLowerCase(Locale.ROOT));
  }

  /** Whether there is a field that could be a credential: any that is not known to be none. */
  boolean mayHoldCredentials() {
    return fields.stream().anyMatch(field -> !isHarmless(field));
  }

  private static boolean isHarmless(HeaderField field) {
    return HARMLESS.contains(field.name().toLowerCase(Locale.ROOT));
  }

  /** The names only. */
  @Override
  public String toString() {
    return fields.stream().map(HeaderField::name).toList().toString();
  }
}
