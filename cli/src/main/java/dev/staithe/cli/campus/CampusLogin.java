package dev.staithe.cli.campus;

import dev.staithe.cli.program.Addresses;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.Terminal;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * Gets a session at the service by an identity provider of a campus (SAML 2.0): without pages where
 * the provider can do that (ECP), else through its pages as a browser would, with a limit to their
 * number. Not thread-safe.
 */
final class CampusLogin {
  /** Pages and redirects of one login; a loop has no end. */
  private static final int MOST_STEPS = 30;

  private static final Map<String, String> PAGES = Map.of("Accept", "text/html, */*;q=0.1");

  private final Browser browser;
  private final URI service;
  private final String provider;
  private final Person person;
  private final Terminal terminal;

  /** How a way to log in ended. */
  private sealed interface Way {
    /** The service has a session for us. */
    record Through() implements Way {}

    /** This way does not lead there; another may. */
    record Closed(String why) implements Way {}

    /** The provider or the service said no. */
    record Refused(String line) implements Way {}
  }

  /**
   * Sends nothing yet.
   *
   * @param provider the name by which the service knows it; empty for its only one
   */
  CampusLogin(Browser browser, URI service, String provider, Person person, Terminal terminal) {
    this.browser = browser;
    this.service = service;
    this.provider = provider;
    this.person = person;
    this.terminal = terminal;
  }

  /**
   * Logs in.
   *
   * @param pagesOnly not without pages
   * @throws IOException with one line that says what to do where it is not possible
   */
  void run(boolean pagesOnly) throws IOException {
    Way way = pagesOnly ? new Way.Closed("") : ecp();
    if (way instanceof Way.Closed) {
      way = pages();
    }
    switch (way) {
      case Way.Through _ -> {}
      case Way.Refused(String line) -> throw new IOException(line);
      case Way.Closed(String why) ->
          throw new IOException(
              why + "; open this address in a browser and get the certificate there: " + service);
    }
  }

  /** SAML profiles §4.2. */
  private Way ecp() throws IOException {
    terminal.progress("asking " + Addresses.host(service) + " how to log in");
    // One who is logged in already would be told so.
    Page asked =
        browser.getAsStranger(
            service.resolve("session?idp=" + Service.encoded(provider)), Ecp.OFFER);
    Optional<Ecp.Request> found = Ecp.request(asked);
    if (found.isEmpty()) {
      return asked.status() == 400
          ? unknownProvider()
          : new Way.Closed("the service offers no login without pages");
    }
    Ecp.Request request = found.get();
    URI at = request.provider();
    if (at == null || !Addresses.isSafe(at)) {
      return new Way.Closed("the identity provider has no safe address for a login without pages");
    }
    if (!Addresses.sameOrigin(request.consumer(), service)) {
      return new Way.Refused(
          "the service calls itself "
              + Addresses.host(request.consumer())
              + ": use that in --url instead of "
              + Addresses.host(service));
    }
    // Its session from last time may do.
    Optional<Ecp.Answer> answer =
        browser.cookies().any(at) ? answer(at, request, Map.of()) : Optional.empty();
    if (answer.isEmpty() || !answer.get().success()) {
      String host = Addresses.host(at);
      String secret = person.name(host) + ":" + person.password(host);
      terminal.progress("logging in at " + host);
      Page page =
          browser.post(
              at,
              "text/xml; charset=utf-8",
              request.toProvider(),
              Map.of(
                  "Authorization",
                  "Basic "
                      + Base64.getEncoder()
                          .encodeToString(secret.getBytes(StandardCharsets.UTF_8))));
      if (page.status() == 401) {
        return new Way.Refused(host + " refuses this name and password");
      }
      answer = Ecp.answer(page);
    }
    if (answer.isEmpty()) {
      return new Way.Closed("the identity provider answers no login without pages");
    }
    return deliver(request, answer.get(), Addresses.host(at));
  }

  private Optional<Ecp.Answer> answer(URI at, Ecp.Request request, Map<String, String> headers)
      throws IOException {
    return Ecp.answer(browser.post(at, "text/xml; charset=utf-8", request.toProvider(), headers));
  }

  private Way deliver(Ecp.Request request, Ecp.Answer answer, String host) throws IOException {
    if (answer.success() && !answer.consumer().equals(request.consumer().toString())) {
      // Somebody in between would get a login for another service (§4.2.3.5).
      browser.post(request.consumer(), Ecp.PAOS_TYPE, Ecp.fault(), Map.of());
      return new Way.Refused(
          host + " means its answer for another service than " + Addresses.host(service));
    }
    if (!answer.success()) {
      if (answer.unknownPerson()) {
        return new Way.Refused(host + " refuses this name and password");
      }
      // A new password to set, terms to accept: its pages say what it wants.
      terminal.progress(host + " refuses a login without pages, trying the login page");
      return new Way.Closed(
          host + " refuses the login" + (answer.status().isEmpty() ? "" : ": " + answer.status()));
    }
    Page page =
        browser.post(request.consumer(), Ecp.PAOS_TYPE, answer.toService(request), Map.of());
    if (page.status() < 400) {
      return new Way.Through();
    }
    // SimpleSAMLphp, for one, breaks its own signature on the way around an encrypted statement
    // into the envelope. By its pages the same login is good, and it knows us already.
    terminal.progress("the service takes no such answer, trying the login page");
    return new Way.Closed("the service refuses logins without pages");
  }

  /** The web browser profile (SAML profiles §4.1), without scripts. */
  private Way pages() throws IOException {
    URI begin = start();
    terminal.progress("asking " + Addresses.host(service) + " for the login page");
    Page page = browser.get(begin, PAGES);
    if (page.status() == 404) {
      return unknownProvider();
    }
    boolean passwordSent = false;
    for (int step = 0; step < MOST_STEPS; step++) {
      URI next = page.location();
      if (page.status() / 100 == 3 && next != null) {
        if (arrived(page, begin)) {
          return new Way.Through();
        }
        page = browser.get(next, PAGES);
        continue;
      }
      if (Addresses.sameOrigin(page.address(), service) && page.status() >= 400) {
        return refusedByService(page);
      }
      if (arrived(page, begin)) {
        return new Way.Through();
      }
      String host = Addresses.host(page.address());
      switch (LoginPage.read(page)) {
        case LoginPage.Step.NextForm(WebForm form) -> page = submit(form);
        case LoginPage.Step.Name(WebForm form, String field) ->
            page = submit(form.with(Map.of(field, person.name(host))));
        case LoginPage.Step.Code(WebForm form, String field) -> {
          String to = receiver(form, page);
          page = kept(submit(form.with(Map.of(field, person.code(to)))));
        }
        case LoginPage.Step.Password asked -> {
          if (passwordSent) {
            return new Way.Refused(refusal(host, page));
          }
          passwordSent = true;
          page = kept(submit(filled(asked, receiver(asked.form(), page))));
        }
        case LoginPage.Step.Refused(String why) -> {
          String complaint = LoginPage.complaint(page);
          return page.status() >= 400
              ? new Way.Refused(
                  host
                      + " answers HTTP "
                      + page.status()
                      + (complaint.isEmpty() ? "" : ": " + complaint))
              : new Way.Closed("the page of " + host + " " + why);
        }
      }
    }
    return new Way.Closed("the login does not come to an end after " + MOST_STEPS + " pages");
  }

  private WebForm filled(LoginPage.Step.Password asked, String host) throws IOException {
    var values = new java.util.HashMap<String, String>();
    if (!asked.name().isEmpty()) {
      values.put(asked.name(), person.name(host));
    }
    values.put(asked.password(), person.password(host));
    terminal.progress("logging in at " + host);
    return asked.form().with(values);
  }

  /** The host that gets what is typed: not always that of the page. */
  private String receiver(WebForm form, Page page) throws IOException {
    if (!Addresses.isSafe(form.action())) {
      throw new IOException(
          "the login page of "
              + Addresses.host(page.address())
              + " sends passwords over plain http: nothing was sent");
    }
    String host = Addresses.host(form.action());
    if (!Addresses.sameOrigin(form.action(), page.address())) {
      terminal.note(
          "the login page of " + Addresses.host(page.address()) + " sends the password to " + host);
    }
    return host;
  }

  /**
   * An answer to a password must not ask to send it once more to somebody else (RFC 9110 §15.4.8
   * and §15.4.9).
   */
  private static Page kept(Page page) throws IOException {
    URI next = page.location();
    if ((page.status() == 307 || page.status() == 308) && next != null) {
      throw new IOException(
          Addresses.host(page.address())
              + " wants the password sent on to "
              + Addresses.host(next)
              + ": not done");
    }
    return page;
  }

  private Page submit(WebForm form) throws IOException {
    return form.post()
        ? browser.post(form.action(), "application/x-www-form-urlencoded", form.encoded(), PAGES)
        : browser.get(form.query(), PAGES);
  }

  /** At the service with something done, not on the way to the provider. */
  private boolean arrived(Page page, URI begin) {
    return Addresses.sameOrigin(page.address(), service)
        && !page.address().equals(begin)
        && page.address().getPath().endsWith("/login/saml2/sso")
        && page.status() < 400;
  }

  private Way refusedByService(Page page) {
    String line = page.isHtml() ? LoginPage.complaint(page) : page.line();
    return new Way.Refused(
        Addresses.host(service)
            + " refuses the login: HTTP "
            + page.status()
            + (line.isEmpty() ? "" : ", " + line));
  }

  private Way unknownProvider() {
    return new Way.Refused(
        Addresses.host(service)
            + " knows no identity provider "
            + provider
            + ": its names are at "
            + service.resolve("login"));
  }

  private static String refusal(String host, Page page) {
    String complaint = LoginPage.complaint(page);
    return host + " refuses this name and password" + (complaint.isEmpty() ? "" : ": " + complaint);
  }

  private URI start() {
    return service.resolve("saml2/authenticate/" + Service.encoded(provider));
  }
}
