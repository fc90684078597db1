package dev.staithe.perf.peers;

import dev.staithe.peers.HostFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A throw-away site: an authority, a host certificate for {@code localhost}, and a token issuer, by
 * the script that {@code ./demo} uses as well. Immutable and thread-safe.
 */
public final class Site {
  /** The issuer of the tokens. */
  public static final String ISSUER = "https://issuer.perf.invalid";

  private final Path repository;
  private final Guests guests;
  private final Path folder;

  private Site(Path repository, Guests guests, Path folder) {
    this.repository = repository;
    this.guests = guests;
    this.folder = folder;
  }

  /** Makes one without guests, as {@link #make(Path, Guests, Path)} does. */
  public static Site make(Path repository, Path folder) throws IOException {
    return make(repository, Guests.NONE, folder);
  }

  /**
   * Makes one.
   *
   * @param repository the checkout
   * @param guests whose servers stand beside ours
   * @param folder where its files go; it is made
   * @throws IOException where {@code openssl} fails; the message says how
   */
  public static Site make(Path repository, Guests guests, Path folder) throws IOException {
    var site = new Site(repository, guests, Files.createDirectories(folder));
    site.script("make_authority \"$1\" && make_host \"$1\" localhost && make_issuer \"$1\"");
    return site;
  }

  /** The checkout, below which the released jars are. */
  public Path repository() {
    return repository;
  }

  /** Another checkout, whose servers are measured beside this one's; empty for none. */
  public Optional<Path> before() {
    return Optional.ofNullable(guests.before());
  }

  /** The jar of StoRM WebDAV; empty where nobody has given one. */
  public Optional<Path> storm() {
    return Optional.ofNullable(guests.storm());
  }

  /** The authority's certificate, PEM. */
  public Path authority() {
    return folder.resolve("ca.pem");
  }

  /** The host certificate, PEM, P-256. */
  public Path certificate() {
    return certificate("localhost");
  }

  /** Its key, PEM, for the owner's eyes only. */
  public Path key() {
    return key("localhost");
  }

  /** What a server shows. */
  public HostFiles host() {
    return new HostFiles(authority(), certificate(), key());
  }

  /** Makes a certificate for another name, which holds {@code localhost} as well. */
  public void addHost(String name) throws IOException {
    script("make_host \"$1\" \"$2\"", name);
  }

  /**
   * The authorities of hosts and of people, PEM; there when a person is. That of people signs with
   * RSA, as most of them do.
   */
  public Path clients() {
    return folder.resolve("clients.pem");
  }

  /** Makes a certificate of a person with an RSA key, which may sign proxies. */
  public void addPerson(String name) throws IOException {
    script("make_person \"$1\" \"$2\"", name);
  }

  /** The certificate of another host, or of a person. */
  public Path certificate(String host) {
    return folder.resolve(host + ".pem");
  }

  /** Its key. */
  public Path key(String host) {
    return folder.resolve(host + "-key.pem");
  }

  /** The issuer's public keys. */
  public Path jwks() {
    return folder.resolve("issuer.jwks.json");
  }

  /**
   * A bearer token for all of a storage area, good for twelve hours.
   *
   * @param audience as {@code https://localhost:8443}
   */
  public String token(String audience) throws IOException {
    return script(
            "mint_token \"$1\" \"$2\" \"$3\" \"storage.read:/ storage.modify:/\"", ISSUER, audience)
        .strip();
  }

  /**
   * The command of curl, which believes this authority, and reads a header that nobody else is to
   * see from its input.
   */
  public List<String> curl(String... arguments) {
    var command =
        new ArrayList<>(
            List.of("curl", "-sS", "--fail", "--cacert", authority().toString(), "-H", "@-"));
    command.addAll(List.of(arguments));
    return command;
  }

  private String script(String commands, String... arguments) throws IOException {
    var command =
        new ArrayList<>(
            List.of("bash", "-c", ". deploy/throw-away-site.sh; " + commands, "perf", "" + folder));
    command.addAll(List.of(arguments));
    return ShortProgram.run(
        new ProcessBuilder(command).directory(repository.toFile()),
        said -> "certificates and tokens could not be made: " + said);
  }
}
