package dev.staithe.authn.browser;

import dev.staithe.authn.clients.Client;
import java.util.List;

/**
 * What a user is asked to agree to.
 *
 * @param client who asks
 * @param scopes for what, in the order of the request
 * @param device whether a device is to be let in
 * @param target where the browser is sent afterwards: scheme and host, or empty for a device
 */
public record Question(Client client, List<String> scopes, boolean device, String target) {}
