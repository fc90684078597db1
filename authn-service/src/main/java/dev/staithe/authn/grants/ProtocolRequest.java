package dev.staithe.authn.grants;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What the request that this thread works on asks for. The authorization server keeps scopes as
 * sets and compares them with a client's by equality; the WLCG profile orders them and has paths in
 * them. So the raw parameter is at hand here.
 *
 * @param scope the parameter {@code scope}, empty where there is none
 * @param grant the parameter {@code grant_type}, empty where there is none
 * @param device whether it is the page where a device is let in
 * @param authorize whether it is one for a code, or the answer to the question about one
 * @param answered whether it is that answer
 */
public record ProtocolRequest(
    String scope, String grant, boolean device, boolean authorize, boolean answered) {
  public static final ScopedValue<ProtocolRequest> NOW = ScopedValue.newInstance();

  private static final ProtocolRequest NOTHING = new ProtocolRequest("", "", false, false, false);

  public static ProtocolRequest now() {
    return NOW.orElse(NOTHING);
  }

  /** The scopes in the order of the request. */
  public Set<String> scopes() {
    return words(scope);
  }

  public static Set<String> words(String text) {
    Set<String> words = new LinkedHashSet<>(Arrays.asList(text.split(" ")));
    words.remove("");
    return words;
  }
}
