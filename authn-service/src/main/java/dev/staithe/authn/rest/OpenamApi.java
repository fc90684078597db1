package dev.staithe.authn.rest;

import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import dev.staithe.authn.users.Account;
import dev.staithe.authn.users.Users;
import dev.staithe.authn.users.UsersUnavailable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Calls that programs written for OpenAM make beside logins and sessions: whose token that is. */
final class OpenamApi {
  private static final Logger log = LoggerFactory.getLogger(OpenamApi.class);
  private static final Duration SOON = Duration.ofSeconds(1);

  /** The name of the header, and in OpenAM of a cookie. */
  private static final String COOKIE = "iPlanetDirectoryPro";

  private final Sessions sessions;
  private final Users users;
  private final Freshness usual;

  OpenamApi(Sessions sessions, Users users, Freshness usual) {
    this.sessions = sessions;
    this.users = users;
    this.usual = usual;
  }

  /** {@code identity/getCookieNameForToken}, and {@code getCookieNamesToForward}: the same one. */
  void cookieName(Call call, RestDoor.Threads threads) {
    call.text(200, "string=" + COOKIE + "\n");
  }

  /**
   * {@code identity/attributes?subjectid=...}: lines of the account, all or those of {@code
   * attributenames}; groups as roles.
   */
  void attributes(Call call, RestDoor.Threads threads) throws BadRequest {
    String token = call.parameter("subjectid");
    if (token == null || token.isEmpty()) {
      throw new BadRequest("the parameter subjectid is missing");
    }
    List<String> wanted = call.parameters("attributenames");
    withAccount(
        call,
        token,
        threads,
        account -> {
          var lines = new StringBuilder("userdetails.token.id=").append(token).append('\n');
          for (String group : account.groups()) {
            lines.append("userdetails.role=").append(group).append('\n');
          }
          attributes(account)
              .forEach(
                  (name, value) -> {
                    if (wanted.isEmpty() || wanted.contains(name)) {
                      lines.append("userdetails.attribute.name=").append(name).append('\n');
                      lines.append("userdetails.attribute.value=").append(value).append('\n');
                    }
                  });
          call.text(200, lines.toString());
        });
  }

  private static Map<String, String> attributes(Account account) {
    var attributes = new LinkedHashMap<String, String>();
    attributes.put("uid", account.name());
    // What a directory says is one line here, whatever is in it.
    attributes.put("cn", oneLine(account.displayName()));
    if (account.mail() != null) {
      attributes.put("mail", oneLine(account.mail()));
    }
    attributes.put("inetUserStatus", account.enabled() ? "Active" : "Inactive");
    return attributes;
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  /**
   * {@code POST json/users?_action=idFromSession}. Field names are OpenAM's but {@code sub}, which
   * is nobody else's ever, as in tokens.
   */
  void users(Call call, RestDoor.Threads threads) throws BadRequest {
    if (!"idFromSession".equals(call.parameter("_action"))) {
      throw new BadRequest("_action is idFromSession; accounts are at admin/users");
    }
    withAccount(
        call,
        SessionsApi.token(call),
        threads,
        account -> {
          var answer = JsonMapper.shared().createObjectNode();
          answer
              .put("id", account.name())
              .put("sub", account.subject())
              .put("realm", "/")
              .put("dn", "id=" + account.name() + ",ou=user")
              .put("successURL", "/")
              .putNull("fullLoginURL");
          call.json(200, answer.toString());
        });
  }

  private void withAccount(
      Call call, String token, RestDoor.Threads threads, Consumer<Account> answer) {
    threads.run(
        () -> {
          switch (sessions.validate(token, usual)) {
            case Validation.Invalid invalid -> call.refuse(401, "the token is not good");
            case Validation.Unavailable unavailable ->
                call.refuse(503, "whether the session has ended cannot be told at present", SOON);
            case Validation.Valid valid -> {
              Optional<Account> account;
              try {
                account = users.find(valid.token().subject()).filter(Account::enabled);
              } catch (UsersUnavailable e) {
                log.warn("an account cannot be read: {}", e.getMessage());
                call.refuse(503, "the user store does not answer", SOON);
                return;
              }
              account.ifPresentOrElse(
                  answer, () -> call.refuse(401, "there is no such user any more"));
            }
          }
        });
  }
}
