package dev.staithe.contracts.signature;

import dev.staithe.contracts.signature.SignedMessage.Component;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.greenbytes.http.sfv.InnerList;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/**
 * What was signed (RFC 9421 section 2.5), read again.
 *
 * @param lines by component, in their order
 * @param parameters of the signature
 */
public record SignatureBase(Map<String, String> lines, InnerList parameters) {
  /**
   * Reads it.
   *
   * @throws BadSignature where it has other lines than its parameters name
   */
  public static SignatureBase parse(String text) throws BadSignature {
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : text.split("\n", -1)) {
      int colon = line.indexOf(": ");
      if (colon < 0 || lines.put(line.substring(0, colon), line.substring(colon + 2)) != null) {
        throw new BadSignature("the signature base is malformed");
      }
    }
    String parameters = lines.remove("\"@signature-params\"");
    if (parameters == null) {
      throw new BadSignature("the signature base has no parameters");
    }
    try {
      InnerList list = Parser.parseInnerList(parameters);
      List<String> named = list.get().stream().map(item -> item.serialize()).toList();
      if (!named.equals(List.copyOf(lines.keySet()))) {
        throw new BadSignature("the signature base has other lines than its parameters name");
      }
      return new SignatureBase(lines, list);
    } catch (IllegalArgumentException e) {
      throw new BadSignature("the signature base is malformed");
    }
  }

  /**
   * What a component's line says.
   *
   * @throws BadSignature where it is not covered
   */
  public String line(Component component) throws BadSignature {
    String line = lines.get(component.toString());
    if (line == null) {
      throw new BadSignature("it does not cover " + component);
    }
    return line;
  }

  /** The same of the message's own component. */
  public String line(String name) throws BadSignature {
    return line(Component.of(name));
  }

  /** When it was signed; long ago where it does not say. */
  public Instant created() {
    return parameters.getParams().get("created") instanceof IntegerItem seconds
        ? Instant.ofEpochSecond(seconds.getAsLong())
        : Instant.EPOCH;
  }

  /** The same for people. */
  public String time() {
    return created().equals(Instant.EPOCH) ? "an unknown time" : created().toString();
  }

  /** By which key it says to be signed; empty where it does not say. */
  public String key() {
    return parameters.getParams().get("keyid") instanceof StringItem id ? id.get() : "";
  }
}
