package dev.staithe.authn.admin;

import dev.staithe.authn.oauth.Client;
import dev.staithe.authn.oauth.ClientOutcome;
import dev.staithe.authn.oauth.Clients;
import dev.staithe.authn.oauth.Grant;
import dev.staithe.authn.oauth.KeyAlgorithm;
import dev.staithe.service.AuditLog;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/clients}: programs that may ask for tokens. */
@RestController
@RequestMapping("/admin/clients")
final class ClientsController {
  private static final Duration ACCESS = Duration.ofHours(1);
  private static final Duration REFRESH = Duration.ofDays(30);

  private final Clients clients;
  private final AuditLog audit;

  ClientsController(Clients clients, AuditLog audit) {
    this.clients = clients;
    this.audit = audit;
  }

  /** What a client is made of; what is absent has its default. */
  record Draft(
      @Nullable String id,
      @Nullable String displayName,
      @Nullable List<String> grants,
      @Nullable List<String> redirectUris,
      @Nullable List<String> logoutUris,
      @Nullable List<String> scopes,
      @Nullable List<String> audiences,
      @Nullable Boolean open,
      @Nullable Boolean consent,
      @Nullable Boolean secondFactor,
      @Nullable String algorithm,
      @Nullable Duration accessLifetime,
      @Nullable Duration refreshLifetime) {
    Client client() {
      Set<Grant> asked = EnumSet.noneOf(Grant.class);
      for (String grant : or(grants, List.<String>of())) {
        asked.add(Grant.valueOf(grant.toUpperCase(Locale.ROOT)));
      }
      String name = or(id, "");
      return new Client(
          name,
          or(displayName, name),
          !or(open, false),
          or(redirectUris, List.of()),
          or(logoutUris, List.of()),
          asked,
          or(scopes, List.of()),
          or(audiences, List.of()),
          or(consent, true),
          or(secondFactor, false),
          KeyAlgorithm.valueOf(or(algorithm, "RS256")),
          or(accessLifetime, ACCESS),
          or(refreshLifetime, REFRESH));
    }

    private static <T> T or(@Nullable T value, T otherwise) {
      return value == null ? otherwise : value;
    }
  }

  @GetMapping
  ResponseEntity<Object> list() {
    return Answers.ok(
        Map.of("clients", clients.list().stream().map(ClientsController::shown).toList()));
  }

  private static Map<String, Object> shown(Client client) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("id", client.id());
    fields.put("displayName", client.name());
    fields.put("open", !client.confidential());
    fields.put(
        "grants",
        client.grants().stream()
            .map(each -> each.name().toLowerCase(Locale.ROOT))
            .sorted()
            .toList());
    fields.put("redirectUris", client.redirectUris());
    fields.put("logoutUris", client.logoutUris());
    fields.put("scopes", client.scopes());
    fields.put("audiences", client.audiences());
    fields.put("consent", client.consent());
    fields.put("secondFactor", client.secondFactor());
    fields.put("algorithm", client.algorithm().name());
    fields.put("accessLifetime", client.accessLifetime().toString());
    fields.put("refreshLifetime", client.refreshLifetime().toString());
    return fields;
  }

  @PostMapping
  ResponseEntity<Object> register(
      @RequestBody Draft draft, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    Client client;
    try {
      client = draft.client();
    } catch (IllegalArgumentException e) {
      return Answers.refused(
          400,
          "grants are authorization_code, client_credentials, refresh_token, token_exchange,"
              + " device_code; algorithm is RS256 or ES256");
    }
    return answered("client.create", client.id(), who, clients.register(client));
  }

  @PostMapping("/{id}/secret")
  ResponseEntity<Object> secret(
      @PathVariable String id, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    return answered("client.secret", id, who, clients.newSecret(id));
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Object> delete(
      @PathVariable String id, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    return answered("client.delete", id, who, clients.delete(id));
  }

  private ResponseEntity<Object> answered(
      String event, String id, String who, ClientOutcome outcome) {
    audit
        .line(event, outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT))
        .with("administrator", who)
        .with("client", id)
        .write();
    return switch (outcome) {
      case ClientOutcome.Done done -> {
        Map<String, Object> fields = shown(done.client());
        if (done.secret() != null) {
          fields.put("secret", done.secret());
        }
        yield Answers.ok(fields);
      }
      case ClientOutcome.Deleted deleted -> Answers.done();
      case ClientOutcome.Unknown unknown -> Answers.refused(404, "there is no such client");
      case ClientOutcome.Exists exists -> Answers.refused(409, "there is a client of that id");
      case ClientOutcome.Invalid invalid -> Answers.refused(400, invalid.reason());
    };
  }
}
