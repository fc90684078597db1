package dev.staithe.perf.visit;

import dev.staithe.perf.lean.CampusTask;
import dev.staithe.perf.lean.CampusTask.Reuse;
import dev.staithe.perf.lean.CampusTask.Way;
import dev.staithe.perf.lean.ClientConnection.Answer;
import dev.staithe.perf.lean.ClientCredential;
import dev.staithe.perf.lean.HtmlForm;
import dev.staithe.perf.lean.SoapMessages;
import dev.staithe.perf.lean.UserAgent;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One user of a {@link CampusTask} with its account. Not thread-safe. */
final class CampusVisitor implements Visitor {
  static final String CHALLENGE = "1 challenge by the service";
  static final String FORM = "2 way to the provider's form";
  static final String PASSWORD = "3 login at the provider";
  static final String ASSERTION = "4 assertion to the service";
  static final String CALL = "5 call";

  private static final Map<String, String> PAGES = Map.of("Accept", "text/html");
  private static final Map<String, String> ENHANCED =
      Map.of("Accept", PaosMessage.TYPE + ", */*;q=0.5", "PAOS", PaosMessage.HEADER);
  private static final Map<String, String> SOAP =
      Map.of("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"\"");
  private static final String SAID = "The ship has reached the staithe";

  private final CampusTask task;
  private final URI service;
  private final URI called;
  private final URI asksForLogin;
  private final URI provider;
  private final String account;
  private final UserAgent agent;
  private final byte[] body;
  private final Map<String, String> headers;
  private final Steps steps;
  private long stepBegan;

  /**
   * @param number of the account
   * @param steps told of each step; not of those of {@link #prepare}
   */
  CampusVisitor(CampusTask task, ClientCredential credential, int number, Steps steps)
      throws IOException {
    this.task = task;
    this.service = URI.create(task.url());
    this.called = service.resolve(task.path());
    this.asksForLogin = service.resolve(task.login());
    this.provider = URI.create(task.provider());
    this.account = "user-" + number;
    this.agent = new UserAgent(credential, task.keepAlive());
    this.steps = steps;
    switch (task.act()) {
      case ECHO -> {
        body = bytes(SoapMessages.echo(SAID));
        headers = SOAP;
      }
      case CERTIFICATE -> {
        body = bytes(request());
        headers = Map.of("Content-Type", "application/pkcs10", "Accept", "application/x-pem-file");
      }
      case SOAP_CERTIFICATE -> {
        body = bytes(SoapMessages.certificateRequest(request()));
        headers = SOAP;
      }
      default -> throw new IllegalArgumentException("" + task.act());
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String request() throws IOException {
    return Files.readString(Path.of(task.requests(), account + ".csr"));
  }

  @Override
  public String cipher() {
    return agent.cipher();
  }

  /** Makes the sessions that visits find. */
  @Override
  public void prepare() throws IOException {
    if (task.reuse() == Reuse.SERVICE || task.reuse() == Reuse.PROVIDER) {
      logIn(true, (step, nanos) -> {});
    }
  }

  /** A visit, with its login if need be. */
  @Override
  public long visit(long due) throws IOException {
    switch (task.reuse()) {
      case ANONYMOUS, SERVICE -> {}
      case NOTHING -> {
        agent.forget(UserAgent.origin(service));
        agent.forget(UserAgent.origin(provider));
        logIn(true, steps);
      }
      case PROVIDER -> {
        agent.forgetAllBut(UserAgent.origin(provider));
        logIn(false, steps);
      }
    }
    call();
    if (!task.keepAlive()) {
      agent.disconnect(UserAgent.origin(service));
    }
    return System.nanoTime() - due;
  }

  private void call() throws IOException {
    long began = System.nanoTime();
    Answer answer = agent.send("POST", called, headers, body);
    String text = answer.text();
    String wanted =
        switch (task.act()) {
          case ECHO -> SAID;
          case CERTIFICATE, SOAP_CERTIFICATE -> "-----BEGIN CERTIFICATE-----";
        };
    if (answer.status() / 100 != 2 || !text.contains(wanted)) {
      throw refused(called, answer);
    }
    steps.took(CALL, System.nanoTime() - began);
  }

  private static IOException refused(URI asked, Answer answer) {
    return new IOException(
        "%s was answered %d %s %s"
            .formatted(
                asked.getPath(), answer.status(), answer.header("location"), answer.beginning()));
  }

  private void logIn(boolean byPassword, Steps told) throws IOException {
    stepBegan = System.nanoTime();
    if (task.way() == Way.ECP) {
      logInByEcp(byPassword, told);
    } else {
      logInByBrowser(told);
    }
  }

  private void step(Steps told, String name) {
    long now = System.nanoTime();
    told.took(name, now - stepBegan);
    stepBegan = now;
  }

  private void logInByEcp(boolean byPassword, Steps told) throws IOException {
    Answer challenge = agent.send("GET", asksForLogin, ENHANCED, null);
    if (challenge.status() != 200) {
      throw refused(asksForLogin, challenge);
    }
    var message = new PaosMessage(challenge.text());
    step(told, CHALLENGE);
    var asked = new LinkedHashMap<>(Map.of("Content-Type", "text/xml; charset=utf-8"));
    if (byPassword) {
      String secret = account + ":" + task.password();
      asked.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes(secret)));
    }
    Answer answer = agent.send("POST", provider, asked, bytes(message.forProvider()));
    if (answer.status() != 200) {
      throw refused(provider, answer);
    }
    step(told, PASSWORD);
    URI consumer = URI.create(message.consumer());
    accepted(
        consumer,
        agent.send(
            "POST",
            consumer,
            Map.of("Content-Type", PaosMessage.TYPE),
            bytes(message.forService(answer.text()))));
    step(told, ASSERTION);
  }

  private void logInByBrowser(Steps told) throws IOException {
    UserAgent.Page sent = agent.visit(asksForLogin, PAGES, true);
    if (UserAgent.origin(sent.address()).equals(UserAgent.origin(service))) {
      throw refused(sent.address(), sent.answer());
    }
    step(told, CHALLENGE);
    UserAgent.Page page = agent.visit(sent.address(), PAGES, true);
    step(told, FORM);
    String text = page.answer().text();
    Optional<HtmlForm> response = HtmlForm.find("SAMLResponse", text);
    if (response.isEmpty()) {
      HtmlForm login =
          HtmlForm.with("password", text)
              .fill("username", account)
              .fill("password", task.password());
      page = agent.submit(page.address(), login, PAGES);
      response = Optional.of(HtmlForm.with("SAMLResponse", page.answer().text()));
      step(told, PASSWORD);
    }
    if (!task.keep().isEmpty()) {
      Files.write(
          Path.of(task.keep()),
          Base64.getMimeDecoder().decode(response.get().fields().getOrDefault("SAMLResponse", "")));
    }
    URI consumer = UserAgent.resolve(page.address(), response.get().action());
    accepted(
        consumer,
        agent.send(
            "POST",
            consumer,
            Map.of(
                "Accept",
                "text/html",
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Origin",
                UserAgent.origin(provider).toString()),
            response.get().encoded()));
    step(told, ASSERTION);
  }

  private static void accepted(URI consumer, Answer answer) throws IOException {
    boolean session =
        answer.values("Set-Cookie").stream()
            .anyMatch(cookie -> !cookie.split(";", 2)[0].endsWith("="));
    if (answer.status() >= 400 || !session) {
      throw refused(consumer, answer);
    }
  }

  /** Forgets everything after a failure, so that the next visit is a fresh one. */
  @Override
  public void forget() throws IOException {
    agent.disconnect(UserAgent.origin(service));
    agent.disconnect(UserAgent.origin(provider));
  }

  @Override
  public void tidyUp() {}

  @Override
  public void close() {
    agent.close();
  }
}
