package dev.staithe.authn.admin;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientOutcome;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.service.log.AuditLog;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
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

  private static final String WORDS =
      "grants are authorization_code, client_credentials, refresh_token, token_exchange,"
          + " device_code; algorithm is RS256 or ES256";

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
      @Nullable Duration refreshLifetime,
      @Nullable Boolean proofKey) {
    Draft {
      SentList.check(grants);
      SentList.check(redirectUris);
      SentList.check(logoutUris);
      SentList.check(scopes);
      SentList.check(audiences);
    }

    /** A client with what is given here in place of what it has. */
    Client over(Client before) {
      Set<Grant> asked = EnumSet.noneOf(Grant.class);
      if (grants == null) {
        asked.addAll(before.grants());
      } else {
        grants.forEach(grant -> asked.add(Grant.valueOf(grant.toUpperCase(Locale.ROOT))));
      }
      return new Client(
          before.id(),
          or(displayName, before.name()),
          before.confidential(),
          or(redirectUris, before.redirectUris()),
          or(logoutUris, before.logoutUris()),
          asked,
          or(scopes, before.scopes()),
          or(audiences, before.audiences()),
          or(consent, before.consent()),
          or(secondFactor, before.secondFactor()),
          algorithm == null ? before.algorithm() : KeyAlgorithm.valueOf(algorithm),
          or(accessLifetime, before.accessLifetime()),
          or(refreshLifetime, before.refreshLifetime()),
          or(proofKey, before.proofKey()));
    }

    /** What a new client of that id has where nothing is given. */
    Client fresh() {
      String name = or(id, "");
      return new Client(
          name,
          name,
          !or(open, false),
          List.of(),
          List.of(),
          Set.of(),
          List.of(),
          List.of(),
          true,
          false,
          KeyAlgorithm.RS256,
          ACCESS,
          REFRESH,
          true);
    }

    /** Whether it asks for what a client has for good. */
    boolean changesWhatStays(Client before) {
      return id != null && !id.equals(before.id()) || open != null && open == before.confidential();
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
    fields.put("proofKey", client.proofKey());
    return fields;
  }

  @PostMapping
  ResponseEntity<Object> register(
      @RequestBody Draft draft, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    Client client;
    try {
      client = draft.over(draft.fresh());
    } catch (IllegalArgumentException e) {
      return Answers.refused(400, WORDS);
    }
    return answered("client.create", client.id(), who, clients.register(client));
  }

  /** Replaces what is given; its tokens follow at their next refresh. */
  @PatchMapping("/{id}")
  ResponseEntity<Object> change(
      @PathVariable String id,
      @RequestBody Draft draft,
      @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    Optional<Client> before = clients.find(id);
    if (before.isEmpty()) {
      return Answers.refused(404, "there is no such client");
    }
    if (draft.changesWhatStays(before.get())) {
      return Answers.refused(400, "a client keeps its id, and its secret or that it has none");
    }
    ClientOutcome outcome;
    try {
      outcome = clients.change(id, draft::over);
    } catch (IllegalArgumentException e) {
      return Answers.refused(400, WORDS);
    }
    return answered("client.change", id, who, outcome);
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
