package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Three nodes of the released jar behind the load balancer, and what may happen to them. */
class ClusterIT {
  /** As documented for {@code freshness=bounded}. */
  private static final long BOUND_NANOS = 1_000_000_000L;

  /** How many end elsewhere; {@code -Dlogouts=…} for more. */
  private static final int TRIALS = Integer.getInteger("logouts", 200);

  @TempDir private static Path folder;
  private static Cluster cluster;
  private static String administrator;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(folder, Map.of("staithe.sessions.per-user", 10_000));
    administrator = cluster.administrator();
    cluster.user(administrator, "ada");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** A node that is under load may ask to come again. */
  private static String login(RestClient at) {
    var token = new AtomicReference<>("");
    Eventually.holds(
        "a login",
        () -> {
          HttpResponse<String> answer = at.attempt("ada", Cluster.USER_PASSWORD);
          if (answer.statusCode() != 503) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            token.set(RestClient.json(answer).path("tokenId").asString(""));
          }
          return answer.statusCode() == 200;
        });
    return token.get();
  }

  private static boolean isRefusal(HttpResponse<String> answer) {
    return answer.statusCode() == 200 && answer.body().contains("\"valid\":false");
  }

  private static boolean isAccepted(HttpResponse<String> answer) {
    return answer.statusCode() == 200 && answer.body().contains("\"valid\":true");
  }

  @Test
  void aTokenOfAnyNodeIsGoodOnAnyOther() {
    for (AuthnProcess issuer : cluster.nodes()) {
      String token = login(issuer.rest());
      for (AuthnProcess other : cluster.nodes()) {
        assertThat(isAccepted(other.rest().validate(token, "strict"))).isTrue();
        assertThat(isAccepted(other.rest().validate(token, "local"))).isTrue();
      }
    }
  }

  @Test
  void loginByCallbacksWhoseStepsGoToDifferentNodes() {
    var asked = post(0, "");
    var answer =
        post(
            1,
            """
            {"authId":"%s","callbacks":[
              {"type":"NameCallback","input":[{"name":"IDToken1","value":"ada"}]},
              {"type":"PasswordCallback","input":[{"name":"IDToken2","value":"%s"}]}]}
            """
                .formatted(
                    RestClient.json(asked).path("authId").asString(), Cluster.USER_PASSWORD));
    String token = RestClient.json(answer).path("tokenId").asString("");
    assertThat(cluster.node(2).rest().isGood(token)).isTrue();
  }

  @Test
  void codeFlowWhoseStepsGoToDifferentNodes() {
    HttpResponse<String> made =
        cluster
            .front()
            .as(
                administrator,
                "POST",
                "admin/clients",
                """
                {"id":"app","grants":["authorization_code","refresh_token"],"consent":false,
                 "redirectUris":["https://app.example.org/cb"],
                 "scopes":["openid","offline_access"]}
                """);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    String secret = RestClient.json(made).path("secret").asString("");
    var turn = new AtomicInteger();
    try (var browser = new Browser(() -> cluster.node(turn.getAndIncrement() % 3).rest().url())) {
      String verifier = "a-verifier-of-more-than-forty-three-characters";
      String authorize =
          "/oauth2/authorize?"
              + Browser.form(
                  "response_type", "code",
                  "client_id", "app",
                  "redirect_uri", "https://app.example.org/cb",
                  "scope", "openid offline_access",
                  "state", "s",
                  "code_challenge", challenge(verifier),
                  "code_challenge_method", "S256");
      HttpResponse<String> page = browser.get(Browser.location(browser.get(authorize)));
      HttpResponse<String> in =
          browser.post(
              "/login",
              "_csrf",
              Browser.field(page, "_csrf"),
              "continue",
              Browser.field(page, "continue"),
              "username",
              "ada",
              "password",
              Cluster.USER_PASSWORD);
      assertThat(in.statusCode()).as(in.body()).isEqualTo(303);
      String back = Browser.location(browser.get(Browser.location(in)));
      assertThat(back).startsWith("https://app.example.org/cb?code=");
      String code = back.replaceFirst(".*[?&]code=([^&]*).*", "$1");
      JsonNode tokens =
          token(
              secret,
              "grant_type",
              "authorization_code",
              "code",
              code,
              "redirect_uri",
              "https://app.example.org/cb",
              "code_verifier",
              verifier);
      JsonNode renewed =
          token(
              secret,
              "grant_type",
              "refresh_token",
              "refresh_token",
              tokens.path("refresh_token").asString(""));
      String access = renewed.path("access_token").asString("");
      assertThat(access).isNotEmpty();
      Set<String> subjects = new HashSet<>();
      for (AuthnProcess each : cluster.nodes()) {
        var who = each.rest().as(access, "GET", "userinfo", "");
        subjects.add(RestClient.json(who).path("sub").asString(who.body()));
      }
      assertThat(subjects).as("the same at all nodes").singleElement().asString().hasSize(36);
    }
  }

  /** From the token endpoint, by the load balancer. */
  private static JsonNode token(String secret, String... form) {
    String basic =
        Base64.getEncoder().encodeToString(("app:" + secret).getBytes(StandardCharsets.UTF_8));
    HttpResponse<String> answer =
        cluster
            .front()
            .send(
                HttpRequest.newBuilder(cluster.front().url().resolve("oauth2/token"))
                    .header("Authorization", "Basic " + basic)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(Browser.form(form))));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return RestClient.json(answer);
  }

  /** RFC 7636 section 4.2. */
  private static String challenge(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpResponse<String> post(int node, String body) {
    return cluster.node(node).rest().post("json/authenticate", "application/json", body);
  }

  /**
   * Sessions end one after the other while others are validated all the time. A validation that
   * began more than the bound after the logout was answered must not accept.
   */
  @Test
  void noValidationThatBeginsAfterTheBoundAcceptsWhatWasLoggedOutElsewhere() throws Exception {
    var accepted = new AtomicInteger();
    var late = new AtomicInteger();
    var asked = new AtomicInteger();
    var pending = new AtomicInteger();
    try (var load = new Load(login(cluster.front()));
        var threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < TRIALS; i++) {
        work.add(
            () -> {
              logoutHereThenAskElsewhere(asked, accepted, late, pending);
              return null;
            });
      }
      for (Future<Void> each : threads.invokeAll(work)) {
        each.get();
      }
      assertThat(load.done()).isPositive();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
    assertThat(late).as("of %s validations, %s accepted within", asked, accepted).hasValue(0);
    assertThat(asked.get()).isGreaterThanOrEqualTo(TRIALS - pending.get());
    assertThat(pending.get()).as("logouts that were not acknowledged in time").isLessThan(TRIALS);
  }

  private static void logoutHereThenAskElsewhere(
      AtomicInteger asked, AtomicInteger accepted, AtomicInteger late, AtomicInteger pending) {
    int here = ThreadLocalRandom.current().nextInt(3);
    RestClient elsewhere =
        cluster.node((here + 1 + ThreadLocalRandom.current().nextInt(2)) % 3).rest();
    String token = login(elsewhere);
    // So that this node has its last use at hand and nothing has to be read.
    assertThat(isAccepted(elsewhere.validate(token, "bounded"))).isTrue();
    int answer = cluster.node(here).rest().logout(token).statusCode();
    if (answer == 202) {
      // "Not yet safe": the bound counts from a logout that was acknowledged.
      pending.incrementAndGet();
      return;
    }
    assertThat(answer).isEqualTo(200);
    final long ended = System.nanoTime();
    while (true) {
      final long begun = System.nanoTime();
      asked.incrementAndGet();
      if (!isAccepted(elsewhere.validate(token, "bounded"))) {
        return;
      }
      accepted.incrementAndGet();
      if (begun - ended > BOUND_NANOS) {
        late.incrementAndGet();
        return;
      }
    }
  }

  @Test
  void strictValidationKnowsOfALogoutElsewhereAtOnce() {
    for (int i = 0; i < 50; i++) {
      String token = login(cluster.node(0).rest());
      assertThat(cluster.node(1).rest().logout(token).statusCode()).isEqualTo(200);
      assertThat(isRefusal(cluster.node(2).rest().validate(token, "strict"))).isTrue();
    }
  }

  @Test
  void endOfAllSessionsOfAUserHoldsOnAllNodes() {
    cluster.user(administrator, "bob");
    List<String> tokens = new ArrayList<>();
    for (AuthnProcess each : cluster.nodes()) {
      tokens.add(each.rest().login("bob", Cluster.USER_PASSWORD));
    }
    RestClient one = cluster.node(1).rest();
    assertThat(
            one.as(tokens.getFirst(), "POST", "json/sessions?_action=logoutAll", "").statusCode())
        .isEqualTo(200);
    for (AuthnProcess each : cluster.nodes()) {
      for (String token : tokens) {
        assertThat(isRefusal(each.rest().validate(token, "strict"))).isTrue();
      }
    }
    String again = cluster.node(2).rest().login("bob", Cluster.USER_PASSWORD);
    assertThat(isAccepted(one.validate(again, "strict"))).isTrue();
  }

  @Test
  void aNodeThatIsKilledTakesNoSessionWithItAndKnowsAllLogoutsBeforeItIsUpAgain() throws Exception {
    AuthnProcess victim = cluster.node(2);
    List<String> its = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      its.add(login(victim.rest()));
    }
    // What best-effort promises: the last second may be lost, so let the last login be older.
    Eventually.holds("its sessions are in the store", () -> listed() >= its.size());
    try (var load = new Load(its.getFirst())) {
      victim.kill();
      for (String token : its) {
        assertThat(isAccepted(cluster.front().validate(token, "strict"))).isTrue();
      }
      List<String> over = its.subList(1, 10);
      over.forEach(token -> assertThat(cluster.front().logout(token).statusCode()).isEqualTo(200));
      victim.restart();
      var wrong = new ArrayList<String>();
      // From its first answer on it must know them; asked all the time, not only when it is up.
      Eventually.holds(
          "the node is up again",
          () -> {
            boolean up = victim.rest().isUp();
            for (String token : up ? over : over.subList(0, 1)) {
              if (mayAccept(victim.rest(), token)) {
                wrong.add(token);
              }
            }
            return up;
          });
      assertThat(wrong).isEmpty();
      assertThat(isAccepted(victim.rest().validate(its.getLast(), "local"))).isTrue();
      assertThat(load.failed()).as("through the load balancer").isZero();
    }
  }

  private static int listed() {
    var answer =
        cluster.node(0).rest().as(administrator, "GET", "admin/sessions?user=ada&limit=1000", "");
    return RestClient.json(answer).path("sessions").size();
  }

  private static boolean mayAccept(RestClient node, String token) {
    try {
      return isAccepted(node.validate(token, "local"));
    } catch (UncheckedIOException e) {
      return false; // It does not listen yet.
    }
  }

  @Test
  void databaseDownThenLocalValidationsGoOnAndAllElseSaysSoUntilItIsBack() {
    withoutDatabase(() -> cluster.database().kill(), () -> cluster.database().restart());
  }

  @Test
  void databaseThatHangsIsAsOneThatIsDown() {
    withoutDatabase(() -> cluster.database().pause(), () -> cluster.database().resume());
  }

  private static void withoutDatabase(Runnable down, Runnable up) {
    RestClient node = cluster.node(0).rest();
    RestClient other = cluster.node(1).rest();
    String token = login(node);
    String over = login(node);
    assertThat(isAccepted(node.validate(token, "bounded"))).isTrue();
    assertThat(isAccepted(other.validate(over, "bounded"))).isTrue();
    int threads = threads(node);
    int said = cluster.node(0).log().length();
    down.run();
    try {
      Eventually.holds(
          "bounded validations are refused",
          () -> node.validate(token, "bounded").statusCode() == 503);
      HttpResponse<String> login = node.attempt("ada", Cluster.USER_PASSWORD);
      assertThat(login.statusCode()).isEqualTo(503);
      assertThat(login.headers().firstValue("Retry-After")).isPresent();
      assertThat(node.validate(token, "strict").statusCode()).isEqualTo(503);
      assertThat(node.logout(over).statusCode()).isEqualTo(202);
      for (int i = 0; i < 500; i++) {
        assertThat(isAccepted(node.validate(token, "local"))).isTrue();
      }
      assertThat(node.validate(token, "local").body()).contains("\"stale\":true");
      // Not down: else a load balancer would take all nodes, and nothing would be answered.
      assertThat(node.isUp()).isTrue();
      assertThat(node.get(".staithe/health").body()).contains("DEGRADED");
      assertThat(isRefusal(node.validate(over, "local"))).isTrue();
      assertThat(threads(node)).as("threads").isLessThan(threads + 30);
      assertThat(cluster.node(0).log().substring(said))
          .contains("the revocation log cannot be read")
          .doesNotContain("\tat ");
    } finally {
      up.run();
    }
    Eventually.holds("bounded again", () -> isAccepted(node.validate(token, "bounded")));
    Eventually.holds(
        "logins again", () -> node.attempt("ada", Cluster.USER_PASSWORD).statusCode() == 200);
    Eventually.holds(
        "the logout has arrived elsewhere", () -> isRefusal(other.validate(over, "local")));
    for (AuthnProcess each : cluster.nodes()) {
      Eventually.holds("up", each.rest()::isUp);
    }
    Eventually.holds("through the load balancer", () -> cluster.front().isGood(token));
  }

  private static int threads(RestClient node) {
    return node.get(".staithe/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("jvm_threads_live_threads"))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  /** Validations through the load balancer, all the time, one after the other. */
  private static final class Load implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Thread thread;

    Load(String token) {
      thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!over.get()) {
                      // What a node had in hand when it was killed is asked once more.
                      if (!accepts(token) && !accepts(token)) {
                        failed.incrementAndGet();
                      }
                      done.incrementAndGet();
                    }
                  });
    }

    private static boolean accepts(String token) {
      try {
        return isAccepted(cluster.front().validate(token, "bounded"));
      } catch (UncheckedIOException e) {
        return false;
      }
    }

    int done() {
      return done.get();
    }

    int failed() {
      return failed.get();
    }

    @Override
    public void close() {
      over.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
