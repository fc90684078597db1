package dev.staithe.contracts.signature;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP message as RFC 9421 sees it: what its components are, by name. Immutable.
 *
 * @param method of a request
 * @param targetUri of a request, absolute, as the client wrote it
 * @param status of an answer; 0 in a request
 * @param fields values by name in lower case, in the order of the message
 * @param request that an answer answers
 */
public record SignedMessage(
    @Nullable String method,
    @Nullable String targetUri,
    int status,
    Map<String, List<String>> fields,
    @Nullable SignedMessage request) {
  /** Takes copies, names in lower case. */
  public SignedMessage {
    Map<String, List<String>> kept = new TreeMap<>();
    fields.forEach(
        (name, values) ->
            kept.computeIfAbsent(name.toLowerCase(Locale.ROOT), n -> new ArrayList<>())
                .addAll(values));
    fields = kept;
  }

  /** A request. */
  public static SignedMessage request(
      String method, String targetUri, Map<String, List<String>> fields) {
    return new SignedMessage(method, targetUri, 0, fields, null);
  }

  /** The answer to a request. */
  public static SignedMessage answer(
      int status, Map<String, List<String>> fields, SignedMessage request) {
    return new SignedMessage(null, null, status, fields, request);
  }

  /** The field's lines in one (RFC 9421 section 2.1), or null where there is none. */
  public @Nullable String field(String name) {
    List<String> values = fields.get(name);
    return values == null ? null : String.join(", ", values.stream().map(String::strip).toList());
  }

  /**
   * What a component's line in the signature base says (RFC 9421 section 2.5).
   *
   * @throws BadSignature where the message has no such component
   */
  String value(Component component) throws BadSignature {
    SignedMessage from = this;
    if (component.ofRequest()) {
      if (request == null) {
        throw new BadSignature("the component " + component + " has no request to come from");
      }
      from = request;
    }
    String value =
        switch (component.name()) {
          case "@method" -> from.method;
          case "@target-uri" -> from.targetUri;
          case "@status" -> from.status == 0 ? null : String.valueOf(from.status);
          default -> component.name().startsWith("@") ? null : from.field(component.name());
        };
    if (value == null) {
      throw new BadSignature("the message has no " + component);
    }
    if (value.chars().anyMatch(c -> c < 0x20 || c > 0x7e)) {
      // RFC 9421 section 2.1 fails here, as a line break could begin another component's line.
      throw new BadSignature("the component " + component + " is not printable ASCII");
    }
    return value;
  }

  /**
   * One thing that a signature covers.
   *
   * @param name of a field in lower case, or {@code @method} and the like
   * @param ofRequest whether an answer's signature takes it from the request (section 2.4)
   */
  public record Component(String name, boolean ofRequest) {
    /** Of the message itself. */
    public static Component of(String name) {
      return new Component(name, false);
    }

    /** Of the request. */
    public static Component ofRequest(String name) {
      return new Component(name, true);
    }

    /** As in the signature base. */
    @Override
    public String toString() {
      return '"' + name + '"' + (ofRequest ? ";req" : "");
    }
  }
}
