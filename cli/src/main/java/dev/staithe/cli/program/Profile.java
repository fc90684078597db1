package dev.staithe.cli.program;

import dev.staithe.pki.AtomicFile;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the command remembers between two calls: which services, whom to trust, and the sessions.
 * One folder that nobody else may read; and what the user's environment says beside it.
 */
public final class Profile {
  private static final String LOGIN = "session.properties";
  private static final String CAMPUS = "campus.properties";
  private static final String HOSTS = "hosts.properties";
  private static final String DELEGATIONS = "delegations.properties";
  private static final String COOKIES = "cookies.json";

  private final Path folder;
  private final Map<String, String> environment;

  /**
   * Reads nothing yet.
   *
   * @param environment variables of the user's, as {@link System#getenv()} has them
   */
  public Profile(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = Map.copyOf(environment);
  }

  /** A variable of the user's environment; empty where it is not set. */
  public String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  /**
   * A login that lasts.
   *
   * @param url of the service
   * @param trust a PEM file or folder of trusted authorities; empty for those of the system
   * @param token of the session
   */
  public record Login(String url, String trust, String token) {
    @Override
    public String toString() {
      return "Login[" + url + "]";
    }
  }

  /**
   * The last login by a campus; its sessions are in the cookies.
   *
   * @param url of the service that issues certificates
   * @param trust as above
   * @param provider by which name the service knows the campus
   * @param user the name there
   */
  public record Campus(String url, String trust, String provider, String user) {
    public static final Campus NONE = new Campus("", "", "", "");
  }

  /**
   * Where was delegated to the last time.
   *
   * @param url of the service
   * @param trust as above
   * @param protocol by its name on the command line
   * @param id of the delegation
   */
  public record Delegations(String url, String trust, String protocol, String id) {
    public Delegations withId(String other) {
      return new Delegations(url, trust, protocol, other);
    }
  }

  /** Where all of it is. */
  public Path folder() {
    return folder;
  }

  /** Where a certificate goes when nothing else is said. */
  public Path certificate() {
    return folder.resolve("cert.pem");
  }

  /** Where grid tools look for the credential in use. */
  public Path gridFile() throws IOException {
    String named = variable("X509_USER_PROXY");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    return Path.of("/tmp", "x509up_u" + uid());
  }

  /** The number of the user who runs this. */
  public String uid() throws IOException {
    make();
    return String.valueOf(Files.getAttribute(folder, "unix:uid"));
  }

  /**
   * Whether a file belongs to the user who runs this: in a folder that everybody can write, another
   * can put one of his own.
   */
  public boolean owns(Path file) throws IOException {
    make();
    return Files.getOwner(file).equals(Files.getOwner(folder));
  }

  /** The last login; empty where nobody is logged in. */
  public Optional<Login> read() throws IOException {
    Optional<Login> login =
        properties(LOGIN)
            .map(
                properties ->
                    new Login(
                        properties.getProperty("url", ""),
                        properties.getProperty("trust", ""),
                        properties.getProperty("token", "")));
    if (login.isPresent() && (login.get().url().isEmpty() || login.get().token().isEmpty())) {
      throw damaged(LOGIN);
    }
    return login;
  }

  /** A file that was cut or changed: nothing in it is to be guessed. */
  private IOException damaged(String file) {
    return new IOException(folder.resolve(file) + " is damaged: staithe login again, with --url");
  }

  /** Remembers a login in place of the one before. */
  public void write(Login login) throws IOException {
    var properties = new Properties();
    properties.setProperty("url", login.url());
    properties.setProperty("trust", fromAnywhere(login.trust()));
    properties.setProperty("token", login.token());
    write(LOGIN, properties);
  }

  /** The next call may be made in another folder, where a file of the same name is another's. */
  private static String fromAnywhere(String trust) {
    return trust.isEmpty() ? "" : Path.of(trust).toAbsolutePath().toString();
  }

  /** Forgets the last login. */
  public void forget() throws IOException {
    Files.deleteIfExists(folder.resolve(LOGIN));
  }

  /** The last login by a campus; empty where there was none. */
  public Optional<Campus> campus() throws IOException {
    return properties(CAMPUS)
        .map(
            properties ->
                new Campus(
                    properties.getProperty("url", ""),
                    properties.getProperty("trust", ""),
                    properties.getProperty("provider", ""),
                    properties.getProperty("user", "")));
  }

  /** Remembers a login by a campus. */
  public void write(Campus campus) throws IOException {
    var properties = new Properties();
    properties.setProperty("url", campus.url());
    properties.setProperty("trust", fromAnywhere(campus.trust()));
    properties.setProperty("provider", campus.provider());
    properties.setProperty("user", campus.user());
    write(CAMPUS, properties);
  }

  /** The host that got the password of a campus the last time; empty where none did. */
  public String host(String url, String provider) throws IOException {
    String kept =
        properties(HOSTS).map(hosts -> hosts.getProperty(url + " " + provider, "")).orElse("");
    if (!kept.isEmpty()) {
      return kept;
    }
    // From before one was kept for each campus.
    Properties last = properties(CAMPUS).orElseGet(Properties::new);
    return last.getProperty("url", "").equals(url)
            && last.getProperty("provider", "").equals(provider)
        ? last.getProperty("host", "")
        : "";
  }

  /** Keeps it, whatever campus is logged in at meanwhile. */
  public void writeHost(String url, String provider, String host) throws IOException {
    Properties hosts = properties(HOSTS).orElseGet(Properties::new);
    hosts.setProperty(url + " " + provider, host);
    write(HOSTS, hosts);
  }

  /** The last service of delegation; all empty where there is none. */
  public Delegations delegations() throws IOException {
    Properties properties = properties(DELEGATIONS).orElseGet(Properties::new);
    return new Delegations(
        properties.getProperty("url", ""),
        properties.getProperty("trust", ""),
        properties.getProperty("protocol", ""),
        properties.getProperty("id", ""));
  }

  /** Remembers where was delegated to. */
  public void write(Delegations delegations) throws IOException {
    var properties = new Properties();
    properties.setProperty("url", delegations.url());
    properties.setProperty("trust", fromAnywhere(delegations.trust()));
    properties.setProperty("protocol", delegations.protocol());
    properties.setProperty("id", delegations.id());
    write(DELEGATIONS, properties);
  }

  /** The cookies that were kept; none where there is no file, or one that cannot be read. */
  public Cookies cookies(Clock clock) throws IOException {
    var cookies = new Cookies(clock);
    try {
      byte[] bytes = Files.readAllBytes(folder.resolve(COOKIES));
      JsonMapper.shared()
          .readValue(bytes, new TypeReference<java.util.List<Cookies.Cookie>>() {})
          .forEach(cookies::add);
    } catch (NoSuchFileException | JacksonException e) {
      // Then the password is asked for once more.
    }
    return cookies;
  }

  /** Remembers the sessions by campuses. */
  public void write(Cookies cookies) throws IOException {
    make();
    AtomicFile.write(
        folder.resolve(COOKIES), JsonMapper.shared().writeValueAsBytes(cookies.all()), "rw-------");
  }

  /** Forgets the sessions of the campus; which campus it was stays known. */
  public void forgetCookies() throws IOException {
    Files.deleteIfExists(folder.resolve(COOKIES));
  }

  /** Makes the folder. */
  public void make() throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  private Optional<Properties> properties(String file) throws IOException {
    var properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(folder.resolve(file))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw damaged(file);
    }
    return Optional.of(properties);
  }

  private void write(String file, Properties properties) throws IOException {
    make();
    var text = new StringWriter();
    properties.store(text, null);
    AtomicFile.write(
        folder.resolve(file), text.toString().getBytes(StandardCharsets.UTF_8), "rw-------");
  }
}
