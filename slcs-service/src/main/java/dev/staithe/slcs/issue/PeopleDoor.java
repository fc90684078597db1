package dev.staithe.slcs.issue;

import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import dev.staithe.service.door.Origins;
import dev.staithe.service.log.AuditLog;
import dev.staithe.slcs.door.Caller;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.slcs.session.Identifier;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.HttpRequestHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * For operators, where a campus has changed how it tells of its people: {@code GET /people?q=}
 * finds who holds a name, {@code POST /people/link} says whose an identifier is, {@code POST
 * /people/provider} that a provider has another entityID. All of it leaves a line in the audit log.
 */
final class PeopleDoor implements HttpRequestHandler {
  static final String PATH = "/people";
  static final String LINK = PATH + "/link";
  static final String PROVIDER = PATH + "/provider";

  private static final Logger log = LoggerFactory.getLogger(PeopleDoor.class);
  private static final int MOST = 100;
  private static final int LONGEST_BODY = 16 * 1024;

  private final People people;
  private final OwnCertificates own;
  private final List<AccessRule> operators;
  private final TransactionTemplate together;
  private final LoginNeeded login;
  private final Origins origins;
  private final AuditLog audit;

  PeopleDoor(
      People people,
      OwnCertificates own,
      List<AccessRule> operators,
      TransactionTemplate together,
      LoginNeeded login,
      Origins origins,
      AuditLog audit) {
    this.people = people;
    this.own = own;
    this.operators = List.copyOf(operators);
    this.together = together;
    this.login = login;
    this.origins = origins;
    this.audit = audit;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    Optional<CampusSession> session = Caller.session(request);
    if (session.isEmpty()) {
      login.answer(request, response);
      return;
    }
    CampusIdentity who = session.get().identity();
    if (operators.stream().noneMatch(rule -> rule.matches(who))) {
      Answers.line(response, 403, "only operators may see and change who people are");
      return;
    }
    try {
      serve(who, request, response);
    } catch (DuplicateKeyException e) {
      Answers.line(response, 409, "both providers have people of one identifier: link those first");
    } catch (DataAccessException | TransactionException | UncheckedIOException e) {
      log.error("people cannot be seen or changed", e);
      Answers.line(response, 503, "try again soon");
    }
  }

  private void serve(CampusIdentity who, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getServletPath() + Optional.ofNullable(request.getPathInfo()).orElse("");
    String expected = path.equals(PATH) ? "GET" : "POST";
    if (!request.getMethod().equals(expected)) {
      response.setHeader("Allow", expected);
      Answers.line(response, 405, expected + " is expected");
    } else if (path.equals(PATH)) {
      list(Body.queryParameter(request, "q").orElse(""), response);
    } else {
      Optional<String> foreign = origins.refusal(request);
      JsonNode told = foreign.isPresent() ? null : json(request);
      if (told == null) {
        Answers.line(
            response, foreign.isPresent() ? 403 : 400, foreign.orElse("a JSON object is expected"));
      } else if (path.equals(LINK)) {
        link(who, told, response);
      } else {
        rename(who, told, response);
      }
    }
  }

  private static @org.jspecify.annotations.Nullable JsonNode json(HttpServletRequest request)
      throws IOException {
    try {
      Optional<byte[]> body = Body.read(request, LONGEST_BODY);
      JsonNode told = body.isEmpty() ? null : JsonMapper.shared().readTree(body.get());
      return told != null && told.isObject() ? told : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  private void list(String text, HttpServletResponse response) throws IOException {
    var json = JsonMapper.shared().createObjectNode();
    var list = json.putArray("people");
    for (People.Shown each : people.find(text, MOST)) {
      var one = list.addObject();
      one.put("provider", each.provider());
      one.put("person", each.person());
      one.put("name", each.name());
      one.put("principal", each.principal());
      one.put("since", each.since().toString());
      var identifiers = one.putArray("identifiers");
      for (Identifier identifier : each.identifiers()) {
        identifiers
            .addObject()
            .put("kind", identifier.kind().attribute())
            .put("id", identifier.value());
      }
    }
    Answers.json(response, 200, json.toString());
  }

  private void link(CampusIdentity who, JsonNode told, HttpServletResponse response)
      throws IOException {
    Identifier.Kind kind = Identifier.Kind.of(told.path("kind").asString("")).orElse(null);
    var person = new Person(told.path("provider").asString(""), told.path("person").asString(""));
    String id = told.path("id").asString("").toLowerCase(Locale.ROOT);
    if (kind == null || !person.isSound() || !new Person(person.provider(), id).isSound()) {
      Answers.line(
          response,
          400,
          "expected provider, person, kind (subject-id, eduPersonUniqueId, eduPersonPrincipalName or"
              + " pairwise-id) and id");
      return;
    }
    var identifier = new Identifier(kind, id);
    Boolean linked =
        together.execute(
            status -> {
              boolean held = people.link(person, identifier);
              if (held) {
                // Within the transaction: what cannot be told is not done.
                audit
                    .line("person.link", "ok")
                    .with("by", who.principalName())
                    .with("provider", person.provider())
                    .with("person", person.id())
                    .with("kind", identifier.kind().attribute())
                    .with("id", id)
                    .writeDurably();
              }
              return held;
            });
    if (Boolean.TRUE.equals(linked)) {
      response.setStatus(204);
    } else {
      Answers.line(response, 404, "nobody of this provider and identifier holds a name");
    }
  }

  private void rename(CampusIdentity who, JsonNode told, HttpServletResponse response)
      throws IOException {
    String from = told.path("provider").asString("");
    String to = told.path("becomes").asString("");
    if (from.isEmpty() || !Person.canBeOf(to) || from.equals(to)) {
      Answers.line(response, 400, "expected provider and becomes, both entityIDs");
      return;
    }
    Integer moved =
        together.execute(
            status -> {
              int named = people.rename(from, to);
              if (named > 0) {
                own.rename(from, to);
                audit
                    .line("provider.rename", "ok")
                    .with("by", who.principalName())
                    .with("provider", from)
                    .with("becomes", to)
                    .with("people", String.valueOf(named))
                    .writeDurably();
              }
              return named;
            });
    if (moved == null || moved == 0) {
      Answers.line(response, 404, "nobody of this provider holds a name");
      return;
    }
    Answers.json(response, 200, "{\"people\":" + moved + "}");
  }
}
