package dev.staithe.authn.oauth;

import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.tokens.BoundKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;

/**
 * What the published metadata says beside the addresses (RFC 8414 section 2). The authorization
 * server by itself lists all that it could do; a client that believed it would ask for what no
 * client here can be registered with.
 */
final class Discovery {
  private static final List<String> SECRETS =
      List.of(
          ClientAuthenticationMethod.CLIENT_SECRET_BASIC.getValue(),
          ClientAuthenticationMethod.CLIENT_SECRET_POST.getValue());
  private static final String PUBLIC = ClientAuthenticationMethod.NONE.getValue();
  private static final List<String> SCOPES =
      List.of(
          "openid",
          "profile",
          "email",
          "offline_access",
          "wlcg",
          "wlcg.groups",
          "storage.read:/",
          "storage.create:/",
          "storage.modify:/",
          "storage.stage:/",
          "storage.poll:/",
          "compute.read",
          "compute.modify",
          "compute.create",
          "compute.cancel");

  private Discovery() {}

  /** Ways to prove who a client is, at each endpoint: those of {@link RegisteredClients}. */
  static void clients(Map<String, Object> metadata) {
    metadata.put("token_endpoint_auth_methods_supported", with(PUBLIC));
    metadata.put("revocation_endpoint_auth_methods_supported", with(PUBLIC));
    metadata.put("introspection_endpoint_auth_methods_supported", SECRETS);
    metadata.put("authorization_response_iss_parameter_supported", true);
    // Without a word the fragment would count as supported, too.
    metadata.put("response_modes_supported", List.of("query"));
    metadata.remove("tls_client_certificate_bound_access_tokens");
    metadata.put("dpop_signing_alg_values_supported", BoundKeys.ALGORITHMS);
  }

  private static List<String> with(String one) {
    List<String> all = new ArrayList<>(SECRETS);
    all.add(one);
    return all;
  }

  /**
   * The same, the scopes without the paths and groups that people put in them, and how ID tokens
   * may be signed.
   */
  static void all(Map<String, Object> metadata, Set<KeyAlgorithm> algorithms) {
    clients(metadata);
    metadata.put(
        "id_token_signing_alg_values_supported",
        algorithms.stream().map(each -> each.jws().getName()).sorted().toList());
    metadata.put("scopes_supported", SCOPES);
    // Without a word the second of them would count as supported (Discovery 1.0 section 3).
    metadata.put("request_parameter_supported", false);
    metadata.put("request_uri_parameter_supported", false);
  }
}
