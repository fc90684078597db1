package dev.staithe.authn.rest;

import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.SessionEnd;
import dev.staithe.authn.session.SessionInfo;
import dev.staithe.authn.session.SessionToken;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import dev.staithe.service.StoreUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code json/sessions}: validation, one or many at once, logout, what is left of a session, and
 * its extension; and the older {@code identity} interface to the same.
 */
final class SessionsApi {
  /** Most tokens of one request. */
  static final int BATCH = 1000;

  private static final Logger log = LoggerFactory.getLogger(SessionsApi.class);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final String LOGGED_OUT = "{\"result\":\"Successfully logged out\"}";
  private static final String PENDING =
      "{\"result\":\"Logged out here; elsewhere as soon as the store answers\"}";
  private static final String INVALID = "{\"valid\":false}";

  private final Sessions sessions;
  private final SessionLink link;
  private final Freshness usual;
  private final RestInterface.Meters meters;
  private final Clock clock;

  SessionsApi(
      Sessions sessions,
      SessionLink link,
      Freshness usual,
      RestInterface.Meters meters,
      Clock clock) {
    this.sessions = sessions;
    this.link = link;
    this.usual = usual;
    this.meters = meters;
    this.clock = clock;
  }

  /** {@code POST json/sessions?_action=...}. */
  void act(Call call, RestDoor.Threads threads) throws BadRequest {
    String action = call.parameter("_action");
    switch (action == null ? "" : action) {
      case "validate" -> {
        Freshness freshness = freshness(call);
        validated(token(call), freshness, threads, validation -> answer(call, validation));
      }
      case "validateAll" -> validateAll(call, threads);
      case "logout" -> {
        String token = token(call);
        JsonNode body = call.json();
        String other = body == null ? null : body.path("sessionId").asString(null);
        threads.run(
            () -> {
              if (other == null) {
                logout(call, token);
              } else {
                logoutOther(call, token, other);
              }
            });
      }
      case "logoutAll" -> {
        String token = token(call);
        threads.run(() -> as(call, token, subject -> logoutAll(call, subject)));
      }
      case "getSessionInfo" -> {
        String token = token(call);
        threads.run(() -> info(call, token, false));
      }
      case "refresh", "getSessionInfoAndResetIdleTime" -> {
        String token = token(call);
        threads.run(() -> info(call, token, true));
      }
      default ->
          throw new BadRequest(
              "_action is one of validate, validateAll, getSessionInfo, refresh, logout, logoutAll");
    }
  }

  /** {@code GET or POST identity/isTokenValid?tokenid=...}: {@code boolean=true}. */
  void isTokenValid(Call call, RestDoor.Threads threads) throws BadRequest {
    validated(
        required(call, "tokenid"),
        freshness(call),
        threads,
        validation -> {
          switch (validation) {
            case Validation.Valid valid -> call.text(200, "boolean=true\n");
            case Validation.Invalid invalid -> call.text(200, "boolean=false\n");
            case Validation.Unavailable unavailable -> unavailable(call);
          }
        });
  }

  /** {@code GET or POST identity/logout?subjectid=...}. */
  void identityLogout(Call call, RestDoor.Threads threads) throws BadRequest {
    String token = required(call, "subjectid");
    threads.run(
        () -> {
          switch (link.end(token)) {
            case SessionEnd.Pending pending -> call.text(202, "pending\n");
            case SessionEnd.Failed failed -> call.refuse(503, "the logout could not be kept", SOON);
            case SessionEnd end -> call.text(200, "\n");
          }
        });
  }

  private static String required(Call call, String name) throws BadRequest {
    String value = call.parameter(name);
    if (value == null || value.isEmpty()) {
      throw new BadRequest("the parameter " + name + " is missing");
    }
    return value;
  }

  /** In the body, the query, OpenAM's header or the usual one. Never a cookie: pages have those. */
  static String token(Call call) throws BadRequest {
    JsonNode body = call.json();
    String token = body == null ? null : body.path("tokenId").asString(null);
    if (token == null) {
      token = call.parameter("tokenId");
    }
    if (token == null) {
      token = call.header("iPlanetDirectoryPro");
    }
    if (token == null) {
      token = call.bearer();
    }
    if (token == null) {
      throw new BadRequest(
          "no token: give tokenId in the body or the query, or an Authorization: Bearer header");
    }
    return token;
  }

  private Freshness freshness(Call call) throws BadRequest {
    String wanted = call.parameter("freshness");
    if (wanted == null) {
      return usual;
    }
    try {
      return Freshness.valueOf(wanted.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new BadRequest("freshness is one of local, bounded, strict");
    }
  }

  /** Answers on this thread where nothing has to be waited for. */
  private void validated(
      String token, Freshness freshness, RestDoor.Threads threads, Consumer<Validation> answer) {
    Validation atOnce = sessions.validateAtOnce(token, freshness);
    if (atOnce != null) {
      count(atOnce);
      answer.accept(atOnce);
    } else {
      threads.run(
          () -> {
            Validation validation = sessions.validate(token, freshness);
            count(validation);
            answer.accept(validation);
          });
    }
  }

  private void count(Validation validation) {
    meters.validated(
        switch (validation) {
          case Validation.Valid valid -> "valid";
          case Validation.Invalid invalid -> invalid.reason().name().toLowerCase(Locale.ROOT);
          case Validation.Unavailable unavailable -> "unavailable";
        });
  }

  private static void answer(Call call, Validation validation) {
    switch (validation) {
      case Validation.Valid valid -> call.json(200, valid(valid));
      case Validation.Invalid invalid -> call.json(200, INVALID);
      case Validation.Unavailable unavailable -> unavailable(call);
    }
  }

  /** Names of accounts have no character that JSON would escape. */
  private static String valid(Validation.Valid valid) {
    SessionToken token = valid.token();
    return "{\"valid\":true,\"uid\":\""
        + token.subject()
        + "\",\"realm\":\"/\",\"assurance\":"
        + token.assurance().level()
        + (valid.stale() ? ",\"stale\":true}" : "}");
  }

  private static void unavailable(Call call) {
    call.refuse(503, "whether the session has ended cannot be told at present", SOON);
  }

  private void validateAll(Call call, RestDoor.Threads threads) throws BadRequest {
    JsonNode body = call.json();
    JsonNode tokens = body == null ? null : body.get("tokenIds");
    if (tokens == null || !tokens.isArray() || tokens.size() > BATCH) {
      throw new BadRequest("tokenIds is a list of at most " + BATCH + " tokens");
    }
    Freshness freshness = freshness(call);
    threads.run(
        () -> {
          var answer = new StringBuilder(64 * tokens.size()).append("{\"results\":[");
          for (JsonNode token : tokens) {
            Validation validation = sessions.validate(token.asString(""), freshness);
            count(validation);
            if (answer.charAt(answer.length() - 1) != '[') {
              answer.append(',');
            }
            switch (validation) {
              case Validation.Valid valid -> answer.append(valid(valid));
              case Validation.Invalid invalid -> answer.append(INVALID);
              case Validation.Unavailable unavailable -> {
                // Half an answer would be taken for a whole one.
                unavailable(call);
                return;
              }
            }
          }
          call.json(200, answer.append("]}").toString());
        });
  }

  private void logout(Call call, String token) {
    answer(call, link.end(token));
  }

  private static void answer(Call call, SessionEnd end) {
    switch (end) {
      case SessionEnd.Ended ended -> call.json(200, LOGGED_OUT);
      case SessionEnd.AlreadyEnded already -> call.json(200, LOGGED_OUT);
      case SessionEnd.Pending pending -> call.json(202, PENDING);
      case SessionEnd.Failed failed -> call.refuse(503, "the logout could not be kept", SOON);
      case SessionEnd.NotFound none -> call.refuse(401, "the token is not good");
    }
  }

  /** Does what the user of a session may, or says why not. */
  private void as(Call call, String token, Consumer<String> work) {
    switch (sessions.validate(token, Freshness.LOCAL)) {
      case Validation.Valid valid -> work.accept(valid.token().subject());
      case Validation.Invalid invalid -> call.refuse(401, "the token is not good");
      case Validation.Unavailable unavailable -> unavailable(call);
    }
  }

  /** Ends another session of the same user, by its id in the list. */
  private void logoutOther(Call call, String token, String other) {
    as(
        call,
        token,
        subject -> {
          try {
            Optional<Session> session =
                sessions.sessionsOf(subject).stream()
                    .filter(each -> each.id().toString().equals(other))
                    .findFirst();
            if (session.isEmpty()) {
              call.refuse(404, "there is no such session of this user");
              return;
            }
            SessionEnd end = link.end(session.get().id());
            answer(call, end);
          } catch (StoreUnavailable e) {
            log.warn("sessions cannot be listed: {}", e.getMessage());
            call.refuse(503, "the session store does not answer", SOON);
          }
        });
  }

  private void logoutAll(Call call, String subject) {
    SessionEnd end = link.endAllOf(subject);
    switch (end) {
      case SessionEnd.Pending pending -> call.json(202, PENDING);
      case SessionEnd.Failed failed -> call.refuse(503, "the logout could not be kept", SOON);
      case SessionEnd done -> call.json(200, "{\"result\":\"All sessions have ended\"}");
    }
  }

  private void info(Call call, String token, boolean refresh) {
    SessionInfo info = refresh ? sessions.refresh(token, usual) : sessions.info(token);
    switch (info) {
      case SessionInfo.Known known -> call.json(200, text(known));
      case SessionInfo.Refused refused -> call.refuse(401, "the token is not good");
      case SessionInfo.Unavailable unavailable -> unavailable(call);
    }
  }

  /** Field names are OpenAM's, and some of our own. */
  private String text(SessionInfo.Known info) {
    SessionToken token = info.token();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return ("{\"username\":\"%1$s\",\"universalId\":\"id=%1$s,ou=user\",\"realm\":\"/\","
            + "\"latestAccessTime\":\"%2$s\",\"maxIdleExpirationTime\":\"%3$s\","
            + "\"maxSessionExpirationTime\":\"%4$s\",\"created\":\"%5$s\",\"sessionId\":\"%6$s\","
            + "\"properties\":{\"AuthLevel\":\"%7$d\"}}")
        .formatted(
            token.subject(),
            now.plus(info.idleLeft()).minus(token.idle()),
            now.plus(info.idleLeft()),
            token.expires(),
            token.issued(),
            token.id(),
            token.assurance().level());
  }

  /** {@code GET json/sessions}: the caller's own. */
  void list(Call call, RestDoor.Threads threads) throws BadRequest {
    String token = token(call);
    threads.run(() -> as(call, token, subject -> list(call, subject)));
  }

  private void list(Call call, String subject) {
    try {
      var answer = JsonMapper.shared().createObjectNode();
      var list = answer.putArray("sessions");
      for (Session session : sessions.sessionsOf(subject)) {
        list.addObject()
            .put("id", session.id().toString())
            .put("created", session.created().toString())
            .put("lastUse", session.lastUse().toString())
            .put("expires", session.expires().toString())
            .put("level", session.assurance().level())
            .put("address", session.address())
            .put("client", session.client());
      }
      call.json(200, answer.toString());
    } catch (StoreUnavailable e) {
      log.warn("sessions cannot be listed: {}", e.getMessage());
      call.refuse(503, "the session store does not answer", SOON);
    }
  }
}
