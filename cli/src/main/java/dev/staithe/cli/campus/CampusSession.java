package dev.staithe.cli.campus;

import dev.staithe.cli.program.Addresses;
import dev.staithe.cli.program.Cookies;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.cli.program.Terminal;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A session at slcs-service by a campus: kept in the profile, begun when it is needed. Not
 * thread-safe.
 */
public final class CampusSession implements AutoCloseable {
  /** By which the service knows us; the second where it is served over plain http. */
  private static final Set<String> SESSION = Set.of("__Host-staithe-slcs", "staithe-slcs");

  /** Of a logout that goes through all that the campus knows. */
  private static final int MOST_STEPS = 20;

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final Map<String, String> PAGES = Map.of("Accept", "text/html, */*;q=0.1");
  private static final Map<String, String> JSON = Map.of("Accept", "application/json");
  private static final Map<String, String> TOLD =
      Map.of("Accept", "application/json", "Content-Type", "application/json");

  private final Profile profile;
  private final Terminal terminal;
  private final CampusOptions options;
  private final Profile.Campus campus;
  private final URI service;
  private final Browser browser;

  /** Whether a session that is kept is of another person or campus than is asked for. */
  private boolean another;

  private CampusSession(
      Profile profile,
      Terminal terminal,
      CampusOptions options,
      Profile.Campus campus,
      URI service,
      Browser browser,
      boolean another) {
    this.profile = profile;
    this.terminal = terminal;
    this.options = options;
    this.campus = campus;
    this.service = service;
    this.browser = browser;
    this.another = another;
  }

  /** A service that does not know us, or no longer. */
  private static final class NoSession extends IOException {
    private static final long serialVersionUID = 1;

    NoSession(String line) {
      super(line);
    }
  }

  /** Whether the profile has a session by a campus, which may have ended meanwhile. */
  public static boolean isKnown(StaitheCommand staithe) throws IOException {
    return staithe.profile().campus().isPresent()
        && !staithe.profile().cookies(staithe.clock()).all().isEmpty();
  }

  /** Opens what the profile knows, as below. */
  public static CampusSession last(StaitheCommand staithe, CampusOptions options)
      throws IOException {
    return open(staithe.profile(), staithe.terminal(), staithe.clock(), options, null, null, null);
  }

  /**
   * Opens what the profile knows, as far as nothing else is said. Sends nothing yet.
   *
   * @param url null for that of the last login
   * @param trust null for that of the last login, if that was at the same service
   * @param user null for that of the last login, which is then only suggested
   * @throws IOException where nothing is known
   */
  public static CampusSession open(
      Profile profile,
      Terminal terminal,
      Clock clock,
      CampusOptions options,
      @Nullable String url,
      @Nullable String trust,
      @Nullable String user)
      throws IOException {
    Profile.Campus last = profile.campus().orElse(Profile.Campus.NONE);
    String address = url == null ? last.url() : url;
    if (address.isEmpty()) {
      throw new IOException("not logged in: staithe login --idp NAME --url URL");
    }
    boolean sameService = address.equals(last.url());
    String provider =
        options.provider != null ? options.provider : sameService ? last.provider() : "";
    boolean sameCampus = sameService && provider.equals(last.provider());
    String authorities = trust != null ? trust : sameService ? last.trust() : "";
    String known = sameCampus ? last.user() : "";
    var campus = new Profile.Campus(address, authorities, provider, user == null ? known : user);
    URI service = Addresses.service(address);
    Cookies cookies = profile.cookies(clock);
    boolean anotherUser = user != null && !user.equals(known);
    if (options.forgetful || anotherUser) {
      // The campus would take its session of another person without a word.
      cookies.keepOnly(service, SESSION);
    }
    return new CampusSession(
        profile,
        terminal,
        options,
        campus,
        service,
        new Browser(service, authorities, cookies, clock),
        anotherUser || options.provider != null && !sameCampus);
  }

  /** Which campus, at which service. */
  public Profile.Campus campus() {
    return campus;
  }

  /** Logs in, and tells who we are. */
  public JsonNode login(@Nullable String user) throws IOException {
    if (campus.provider().isEmpty()) {
      throw new IOException("which campus? staithe login --idp NAME; staithe idps lists them");
    }
    String usual = campus.user().isEmpty() ? System.getProperty("user.name") : campus.user();
    // A name that was typed once is taken as it is: the session of the last time is that person's.
    String named = user != null ? user : campus.user().isEmpty() ? null : campus.user();
    var person =
        new Person(
            terminal,
            named,
            usual,
            options.passwordFile,
            options.host == null ? profile.host(campus.url(), campus.provider()) : options.host);
    new CampusLogin(browser, service, campus.provider(), person, terminal).run(options.pagesOnly);
    if (options.forgetful) {
      browser.cookies().keepOnly(service, SESSION);
    }
    JsonNode who = who();
    profile.write(
        new Profile.Campus(
            campus.url(), campus.trust(), campus.provider(), person.knownName(campus.user())));
    if (!person.givenTo().isEmpty()) {
      profile.writeHost(campus.url(), campus.provider(), person.givenTo());
    }
    profile.write(browser.cookies());
    another = false;
    return who;
  }

  /**
   * Who we are to the service.
   *
   * @throws IOException where it does not know us
   */
  public JsonNode who() throws IOException {
    return json(judged(browser.send("GET", service.resolve("session"), null, JSON)));
  }

  /** Asks the service; logs in first where it does not know us, or as somebody else. */
  public JsonNode ask(String method, String path) throws IOException {
    return json(send(method, path, null, JSON));
  }

  /** The same, with JSON that it is told. */
  public JsonNode tell(String method, String path, String told) throws IOException {
    return json(send(method, path, told, TOLD));
  }

  /** As {@link #ask}, with any body and answer. */
  public Page send(String method, String path, @Nullable String body, Map<String, String> headers)
      throws IOException {
    if (another || !browser.cookies().has(service, SESSION)) {
      login(null);
    }
    try {
      return judged(browser.send(method, service.resolve(path), body, headers));
    } catch (NoSession e) {
      login(null);
      return judged(browser.send(method, service.resolve(path), body, headers));
    }
  }

  /**
   * Ends the session at the service and, where the two have agreed on that, at the campus; forgets
   * both in any case.
   *
   * @return false where the service did not know us any more
   */
  public boolean end() throws IOException {
    boolean ended = true;
    try {
      who();
      Page page = browser.post(service.resolve("logout"), FORM, "", PAGES);
      if (page.status() == 404 || page.status() == 405) {
        judged(browser.send("DELETE", service.resolve("session"), null, JSON));
      } else {
        follow(page);
      }
    } catch (NoSession e) {
      ended = false;
    } finally {
      profile.forgetCookies();
    }
    return ended;
  }

  /** Redirects and forms between service and campus until a page is reached (single logout). */
  private void follow(Page first) {
    Page page = first;
    try {
      for (int step = 0; step < MOST_STEPS; step++) {
        URI next = page.location();
        if (page.status() / 100 == 3 && next != null) {
          page = browser.get(next, PAGES);
        } else if (page.status() == 200
            && LoginPage.read(page) instanceof LoginPage.Step.NextForm(WebForm form)) {
          page = browser.post(form.action(), FORM, form.encoded(), PAGES);
        } else {
          break;
        }
      }
    } catch (IOException e) {
      terminal.note("the session at the campus could not be ended: " + e.getMessage());
      return;
    }
    if (page.status() >= 400) {
      terminal.note(
          "the session at the campus could not be ended: "
              + Addresses.host(page.address())
              + " answers HTTP "
              + page.status());
    }
  }

  private static Page judged(Page page) throws IOException {
    if (page.status() / 100 == 2) {
      return page;
    }
    String line = page.line();
    if (page.type().endsWith("json")) {
      JsonNode told = json(page);
      line = Page.oneLine(told.path("message").asString(told.path("detail").asString("")));
    }
    String refusal = "HTTP " + page.status() + (line.isEmpty() ? "" : ": " + line);
    if (page.status() == 401) {
      throw new NoSession(refusal);
    }
    throw new IOException(refusal);
  }

  private static JsonNode json(Page page) throws IOException {
    try {
      return JsonMapper.shared().readTree(page.body().isEmpty() ? "{}" : page.body());
    } catch (JacksonException e) {
      // A page of whoever stands there instead, which has done nothing.
      throw new IOException(
          Addresses.host(page.address()) + " answers no JSON: is that the address of the service?",
          e);
    }
  }

  @Override
  public void close() {
    browser.close();
  }
}
