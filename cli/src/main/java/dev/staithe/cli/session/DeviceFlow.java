package dev.staithe.cli.session;

import dev.staithe.cli.program.Addresses;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * A token of an OpenID Connect issuer by the device flow (RFC 8628), as a client without secret.
 */
final class DeviceFlow {
  private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";
  private static final Set<String> PATIENCE = Set.of("authorization_pending", "slow_down");
  private static final int LONGEST_SECONDS = 1800;
  private static final int LONGEST_PAUSE = 60;

  private final String issuer;
  private final String trust;
  private final String client;
  private final StaitheCommand staithe;

  DeviceFlow(String issuer, String trust, String client, StaitheCommand staithe) {
    this.issuer = issuer;
    this.trust = trust;
    this.client = client;
    this.staithe = staithe;
  }

  /**
   * Asks the person to let this command in, and waits for that.
   *
   * @param audience empty for the issuer's own
   * @throws IOException with one line where there is no token
   */
  String token(String scope, String audience) throws IOException {
    try (Service service = Service.at(issuer, trust, null, staithe.clock())) {
      JsonNode metadata = service.get(".well-known/openid-configuration");
      // Another's metadata would send the person to another's page (RFC 8414 section 3.3).
      if (!withoutSlash(metadata.path("issuer").asString("")).equals(withoutSlash(issuer))) {
        throw new IOException(issuer + " describes itself as another issuer");
      }
      Map<String, String> asked = new LinkedHashMap<>();
      asked.put("client_id", client);
      asked.put("scope", scope);
      if (!audience.isEmpty()) {
        asked.put("audience", audience);
      }
      JsonNode begun = service.form(endpoint(metadata, "device_authorization_endpoint"), asked);
      invite(begun);
      return awaited(service, endpoint(metadata, "token_endpoint"), begun);
    }
  }

  private static String withoutSlash(String address) {
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  private String endpoint(JsonNode metadata, String name) throws IOException {
    String address = metadata.path(name).asString("");
    URI url = Addresses.resolve(Addresses.service(issuer), address);
    if (address.isEmpty() || url == null || !Addresses.isSafe(url)) {
      throw new IOException(issuer + " has no " + name);
    }
    return url.toString();
  }

  /** On standard error: the token alone is for scripts. */
  private void invite(JsonNode begun) {
    PrintWriter people = staithe.terminal().err();
    String page = begun.path("verification_uri").asString("");
    people.println(
        "Open "
            + Page.printable(page)
            + " and enter "
            + Page.printable(begun.path("user_code").asString("")));
    String whole = begun.path("verification_uri_complete").asString("");
    if (!whole.isEmpty()) {
      people.println("or open " + Page.printable(whole));
    }
  }

  private String awaited(Service service, String endpoint, JsonNode begun) throws IOException {
    long seconds = Math.clamp(begun.path("expires_in").asLong(600), 1, LONGEST_SECONDS);
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    long pause = Math.clamp(begun.path("interval").asLong(5), 1, LONGEST_PAUSE);
    Map<String, String> asked =
        Map.of(
            "grant_type",
            GRANT,
            "device_code",
            begun.path("device_code").asString(""),
            "client_id",
            client);
    while (System.nanoTime() < end) {
      rest(pause);
      try {
        String token = service.form(endpoint, asked).path("access_token").asString("");
        if (token.isEmpty()) {
          throw new IOException(issuer + " gave no token");
        }
        return token;
      } catch (Service.Refusal refusal) {
        if (!PATIENCE.contains(refusal.error())) {
          throw refusal;
        }
        pause += refusal.error().equals("slow_down") ? 5 : 0;
      } catch (IOException e) {
        if (!(e.getCause() instanceof IOException)) {
          throw e;
        }
        // Not reached: asked again, less often (RFC 8628 section 3.5).
        pause = Math.min(LONGEST_PAUSE, 2 * pause);
        staithe.terminal().note(e.getMessage() + "; asked again in " + pause + " s");
      }
    }
    throw new IOException("nobody entered the code in time");
  }

  private static void rest(long seconds) throws IOException {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    }
  }
}
