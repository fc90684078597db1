package dev.staithe.authn.rest;

import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.login.Attempt;
import dev.staithe.authn.login.LoginResult;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.Secret;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.seal.NoteReading;
import dev.staithe.authn.seal.SealedNotes;
import dev.staithe.authn.session.SessionOpening;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code json/authenticate} and {@code identity/authenticate}: a session for a name and a password,
 * in one step by headers or a form, or in steps by callbacks. What has been shown in one step is
 * carried to the next by the client, sealed, so that each step may come to another node.
 */
final class AuthenticateApi {
  private static final Duration STEP = Duration.ofMinutes(5);
  private static final Duration SOON = Duration.ofSeconds(2);

  /** The purpose of the notes that this wants. */
  static final String PURPOSE = "json/authenticate";

  /** Field of a note whose bearer has shown the password of the account that it names. */
  private static final String PASSWORD_SHOWN = "password-shown";

  /** How a header value begins that is in Base64 (RFC 2047 section 2). */
  private static final String ENCODED = "=?UTF-8?B?";

  /** {@link Assurance#SECOND_FACTOR} as clients write it. */
  private static final String SECOND_LEVEL = Integer.toString(Assurance.SECOND_FACTOR.level());

  /** Field of such a note: since when that password was the one, see {@link SessionLink#open}. */
  private static final String SINCE = "since";

  /** Field of a note whose bearer asked for {@link Assurance#SECOND_FACTOR}; the value is none. */
  private static final String SECOND_FACTOR = "second-factor";

  private final Logins logins;
  private final SessionLink link;
  private final SealedNotes notes;
  private final Clock clock;

  AuthenticateApi(Logins logins, SessionLink link, SealedNotes notes, Clock clock) {
    this.logins = logins;
    this.link = link;
    this.notes = notes;
    this.clock = clock;
  }

  /** {@code POST json/authenticate}. */
  void authenticate(Call call, RestDoor.Threads threads) throws BadRequest {
    boolean secondFactor = asksForSecondFactor(call);
    String user = call.header("X-OpenAM-Username");
    String password = call.header("X-OpenAM-Password");
    if (user != null && password != null) {
      threads.run(
          () ->
              inOneStep(
                  call,
                  decoded(user),
                  Secret.of(bytesOf(password)),
                  call.header("X-OpenAM-OTP"),
                  secondFactor));
      return;
    }
    JsonNode body = call.json();
    if (body == null || body.path("authId").isMissingNode()) {
      call.json(200, nameAndPassword(secondFactor));
      return;
    }
    if (!(notes.open(body.path("authId").asString("")) instanceof NoteReading.Genuine note)) {
      call.refuse(401, "the login took too long or was not begun here; begin again");
      return;
    }
    String name = note.fields().get(PASSWORD_SHOWN);
    if (name != null) {
      String code = input(body, 0);
      String millis = note.fields().get(SINCE);
      Instant since = millis == null ? null : Instant.ofEpochMilli(Long.parseLong(millis));
      threads.run(
          () -> answer(call, logins.secondFactor(name, since, code, call.address()), false));
    } else {
      String typed = input(body, 0);
      String secret = input(body, 1);
      // Clients need not repeat in later steps what they asked for in the first.
      boolean asked = secondFactor || note.fields().containsKey(SECOND_FACTOR);
      threads.run(() -> inSteps(call, typed, Secret.of(secret), asked));
    }
  }

  /**
   * Whether the client wants more than a password to be shown. There are no services, modules or
   * chains here: who names one wants something that it would not get, and is told so.
   *
   * @throws BadRequest where it wants to log in by anything that there is not
   */
  private static boolean asksForSecondFactor(Call call) throws BadRequest {
    String type = call.parameter("authIndexType");
    String value = call.parameter("authIndexValue");
    boolean level = "level".equals(type) && SECOND_LEVEL.equals(value);
    if (call.parameter("service") != null
        || call.parameter("module") != null
        || !level && (type != null || value != null)) {
      throw new BadRequest(
          "no services, modules or chains here; a code too is asked for by"
              + " authIndexType=level&authIndexValue="
              + SECOND_LEVEL);
    }
    return level;
  }

  /** {@code POST identity/authenticate} with a form: {@code token.id=...}. */
  void identityAuthenticate(Call call, RestDoor.Threads threads) throws BadRequest {
    String user = call.parameter("username");
    String password = call.parameter("password");
    String code = call.parameter("otp");
    if (user == null || password == null) {
      throw new BadRequest("the parameters username and password are needed");
    }
    threads.run(
        () -> {
          try (var secret = Secret.of(password)) {
            LoginResult result =
                logins.login(new Attempt(user, secret, code, call.address(), code != null));
            if (result instanceof LoginResult.Accepted accepted) {
              switch (open(call, accepted)) {
                case SessionOpening.Opened opened ->
                    call.text(200, "token.id=" + opened.token() + "\n");
                case SessionOpening opening -> refuse(call, opening);
              }
            } else {
              refuse(call, result);
            }
          }
        });
  }

  private void inOneStep(
      Call call, String user, Secret secret, @Nullable String code, boolean secondFactor) {
    try (secret) {
      answer(
          call,
          logins.login(
              new Attempt(user, secret, code, call.address(), secondFactor || code != null)),
          false);
    }
  }

  private void inSteps(Call call, String user, Secret secret, boolean secondFactor) {
    try (secret) {
      answer(
          call, logins.login(new Attempt(user, secret, null, call.address(), secondFactor)), true);
    }
  }

  /**
   * @param more whether a client that has shown its password and needs a code may send it in a next
   *     step; it would have had to come with the password where not
   */
  private void answer(Call call, LoginResult result, boolean more) {
    switch (result) {
      case LoginResult.Accepted accepted -> {
        switch (open(call, accepted)) {
          case SessionOpening.Opened opened ->
              call.json(
                  200,
                  "{\"tokenId\":\"" + opened.token() + "\",\"successUrl\":\"/\",\"realm\":\"/\"}");
          case SessionOpening opening -> refuse(call, opening);
        }
      }
      case LoginResult.SecondFactorNeeded needed when more && needed.account().hasSecondFactor() ->
          call.json(200, oneTimeCode(needed));
      default -> refuse(call, result);
    }
  }

  private SessionOpening open(Call call, LoginResult.Accepted accepted) {
    return link.open(
        accepted.account().name(),
        accepted.since(),
        accepted.assurance(),
        call.address().getHostAddress(),
        call.agent());
  }

  private static void refuse(Call call, SessionOpening opening) {
    if (opening instanceof SessionOpening.TooMany) {
      call.refuse(403, "too many sessions of this account; end one first");
    } else {
      call.refuse(503, "the session could not be kept; try again", SOON);
    }
  }

  /** Tells why a login is none. */
  static void refuse(Call call, LoginResult result) {
    switch (result) {
      case LoginResult.Locked locked -> call.refuse(429, "too many attempts", locked.retryAfter());
      case LoginResult.Busy busy -> call.refuse(503, "too many logins at once", busy.retryAfter());
      case LoginResult.Unavailable unavailable ->
          call.refuse(503, "logins are not possible at present", SOON);
      case LoginResult.SecondFactorNeeded needed ->
          call.refuse(
              401,
              needed.account().hasSecondFactor()
                  ? "a one-time code is needed: send it in X-OpenAM-OTP"
                  : "this account has no second factor; set one up first");
      case LoginResult.Refused refused -> call.refuse(401, "Authentication Failed");
      case LoginResult.Accepted accepted -> throw new IllegalStateException("is no refusal");
    }
  }

  private String nameAndPassword(boolean secondFactor) {
    ObjectNode answer = JsonMapper.shared().createObjectNode();
    Map<String, String> asked = secondFactor ? Map.of(SECOND_FACTOR, "") : Map.of();
    answer.put("authId", notes.seal(asked, clock.instant().plus(STEP)));
    ArrayNode callbacks = answer.putArray("callbacks");
    callback(callbacks, "NameCallback", "User Name", "IDToken1");
    callback(callbacks, "PasswordCallback", "Password", "IDToken2");
    return answer.toString();
  }

  /** By the account's own name: what was typed may be of any length. */
  private String oneTimeCode(LoginResult.SecondFactorNeeded needed) {
    ObjectNode answer = JsonMapper.shared().createObjectNode();
    var shown = new HashMap<>(Map.of(PASSWORD_SHOWN, needed.account().name()));
    Instant since = needed.since();
    if (since != null) {
      shown.put(SINCE, Long.toString(since.toEpochMilli()));
    }
    answer.put("authId", notes.seal(shown, clock.instant().plus(STEP)));
    callback(answer.putArray("callbacks"), "PasswordCallback", "One-time code", "IDToken1");
    return answer.toString();
  }

  private static void callback(ArrayNode to, String type, String prompt, String name) {
    ObjectNode callback = to.addObject().put("type", type);
    callback.putArray("output").addObject().put("name", "prompt").put("value", prompt);
    callback.putArray("input").addObject().put("name", name).put("value", "");
  }

  private static String input(JsonNode body, int index) throws BadRequest {
    JsonNode value = body.path("callbacks").path(index).path("input").path(0).path("value");
    if (!value.isString()) {
      throw new BadRequest("the callbacks do not come back filled in");
    }
    return value.asString();
  }

  /**
   * Header values beyond ASCII come as they are, of which Jetty makes a character of each byte, or,
   * as OpenAM's clients send them, in RFC 2047 encoding, whose names may be in either case.
   */
  private static String decoded(String value) {
    return new String(bytesOf(value), StandardCharsets.UTF_8);
  }

  private static byte[] bytesOf(String value) {
    if (value.regionMatches(true, 0, ENCODED, 0, ENCODED.length())
        && value.startsWith("?=", Math.max(ENCODED.length(), value.length() - 2))) {
      try {
        return Base64.getDecoder().decode(value.substring(ENCODED.length(), value.length() - 2));
      } catch (IllegalArgumentException e) {
        // Then it is a password that looks like one that is encoded.
      }
    }
    return value.getBytes(StandardCharsets.ISO_8859_1);
  }
}
