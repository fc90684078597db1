package dev.staithe.testkit.trust;

import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A throw-away authority for people, made with {@code openssl}, whose certificates the tools of
 * grid sites take. Beside it stands a folder such as {@code /etc/grid-security/certificates}. For
 * one thread.
 */
public final class GridAuthority {
  /** Below it are the names of its people. */
  public static final String NAMESPACE = "/C=DE/O=Example";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path folder;
  private final Path trust;
  private final Clock clock;
  private final String hash;
  private int made;

  /**
   * A certificate and its key, both PEM; for a proxy the one file that holds all.
   *
   * @param certificate its own first
   * @param key readable by its owner only
   */
  public record Holder(Path certificate, Path key) {}

  private GridAuthority(Path folder, String name, Clock clock) throws IOException {
    this.folder = folder;
    this.clock = clock;
    this.trust = Files.createDirectories(folder.resolve("certificates"));
    Files.createDirectories(folder.resolve("issued"));
    Files.createFile(folder.resolve("index.txt"));
    Files.writeString(folder.resolve("serial"), "1001\n");
    Files.writeString(folder.resolve("crlnumber"), "01\n");
    Files.writeString(configuration(), configured());
    Path certificate = folder.resolve("ca.pem");
    openssl(
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "30",
        "-config",
        configuration(),
        "-extensions",
        "authority",
        "-subj",
        name,
        "-keyout",
        folder.resolve("ca-key.pem"),
        "-out",
        certificate);
    this.hash = openssl("x509", "-noout", "-subject_hash", "-in", certificate).strip();
    Files.copy(certificate, trust.resolve(hash + ".0"));
    Files.writeString(
        trust.resolve(hash + ".signing_policy"),
        "access_id_CA X509 '%s'\npos_rights globus CA:sign\ncond_subjects globus '\"%s/*\"'\n"
            .formatted(name, NAMESPACE));
    Files.writeString(
        trust.resolve(hash + ".namespaces"),
        "#NAMESPACES-VERSION: 1.0\nTO Issuer \"%s\" \\\n  PERMIT Subject \"%s/.*\"\n"
            .formatted(name, NAMESPACE));
  }

  /** Makes one in that folder, which is made if need be. */
  public static GridAuthority in(Path folder, Clock clock) {
    return in(folder, NAMESPACE + "/CN=Grid authority", clock);
  }

  /** Makes one of that name. */
  public static GridAuthority in(Path folder, String name, Clock clock) {
    try {
      return new GridAuthority(Files.createDirectories(folder), name, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder that is to be trusted. */
  public Path trust() {
    return trust;
  }

  /** The authority's certificate. */
  public Path certificate() {
    return folder.resolve("ca.pem");
  }

  /** A person of that name, written with slashes, for a day. */
  public Holder person(String subject) {
    Instant now = clock.instant();
    return person(subject, "person", now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(1)));
  }

  /** A person whose certificate has ended an hour ago. */
  public Holder expiredPerson(String subject) {
    Instant now = clock.instant();
    return person(subject, "person", now.minus(Duration.ofDays(1)), now.minus(Duration.ofHours(1)));
  }

  /** A person whose key may encipher and not sign. */
  public Holder encipheringPerson(String subject) {
    Instant now = clock.instant();
    return person(
        subject, "enciphering", now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(1)));
  }

  private Holder person(String subject, String extensions, Instant begin, Instant end) {
    Path certificate = folder.resolve("holder-" + ++made + ".pem");
    Path key = folder.resolve("holder-" + made + "-key.pem");
    Path request = folder.resolve("holder.csr");
    openssl(
        "req",
        "-new",
        "-utf8",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-config",
        configuration(),
        "-subj",
        subject,
        "-keyout",
        key,
        "-out",
        request);
    openssl(
        "ca",
        "-batch",
        "-notext",
        "-config",
        configuration(),
        "-extensions",
        extensions,
        "-startdate",
        TIME.format(begin),
        "-enddate",
        TIME.format(end),
        "-in",
        request,
        "-out",
        certificate);
    return new Holder(certificate, ownerOnly(key));
  }

  /** Revokes it; {@link #publishRevocations} tells the world. */
  public void revoke(Holder person) {
    openssl("ca", "-config", configuration(), "-revoke", person.certificate());
  }

  /** Writes a revocation list, good for a day, into the folder, replacing it in one step. */
  public void publishRevocations() {
    Path fresh = folder.resolve("fresh.r0");
    openssl("ca", "-config", configuration(), "-gencrl", "-crldays", "1", "-out", fresh);
    try {
      Files.move(fresh, trust.resolve(hash + ".r0"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A proxy by {@code grid-proxy-init} with these options, such as {@code -limited}. */
  public Holder proxy(Holder of, String... options) {
    return proxy(Program.GRID_PROXY_INIT, List.of("-q"), of, options);
  }

  /** A proxy by {@code voms-proxy-init} with these options, such as {@code -path-length 1}. */
  public Holder vomsProxy(Holder of, String... options) {
    return proxy(Program.VOMS_PROXY_INIT, List.of("-q"), of, options);
  }

  /**
   * A proxy with attributes of VOMS, by {@code voms-proxy-fake}.
   *
   * @param server signs them, as {@code voms.test}
   * @param vo the organization in whose name
   * @param fqans groups and roles, such as {@code /vo/Role=production}
   */
  public Holder attributed(Holder of, Holder server, String vo, String... fqans) {
    return attributed(of, server, List.of(), vo, fqans);
  }

  /**
   * The same for other times than twelve hours from now on.
   *
   * @param times such as {@code -hours 10}, of the proxy, {@code -vomslife 1} and {@code -pastac
   *     2:00}, of the attributes
   */
  public Holder attributed(
      Holder of, Holder server, List<String> times, String vo, String... fqans) {
    List<String> options = new ArrayList<>(List.of("-rfc", "-voms", vo, "-uri", "voms.test:15000"));
    options.addAll(times);
    options.addAll(
        List.of("-hostcert", server.certificate().toString(), "-hostkey", server.key().toString()));
    for (String fqan : fqans) {
      options.addAll(List.of("-fqan", fqan));
    }
    return proxy(Program.VOMS_PROXY_FAKE, List.of("-quiet"), of, options.toArray(String[]::new));
  }

  private Holder proxy(Program tool, List<String> first, Holder of, String... options) {
    Path file = folder.resolve("proxy-" + ++made + ".pem");
    List<String> arguments = new ArrayList<>(first);
    arguments.addAll(List.of(options));
    arguments.addAll(
        List.of(
            "-cert",
            of.certificate().toString(),
            "-key",
            of.key().toString(),
            "-certdir",
            trust.toString(),
            "-out",
            file.toString()));
    run(tool, arguments);
    return new Holder(file, file);
  }

  private Path configuration() {
    return folder.resolve("openssl.cnf");
  }

  private String configured() {
    return """
        [ca]
        default_ca = this
        [this]
        dir = %s
        database = $dir/index.txt
        new_certs_dir = $dir/issued
        certificate = $dir/ca.pem
        private_key = $dir/ca-key.pem
        serial = $dir/serial
        crlnumber = $dir/crlnumber
        default_md = sha256
        policy = anything
        unique_subject = no
        preserve = yes
        [anything]
        domainComponent = optional
        countryName = optional
        organizationName = optional
        organizationalUnitName = optional
        commonName = supplied
        [authority]
        basicConstraints = critical,CA:TRUE
        keyUsage = critical,keyCertSign,cRLSign
        [person]
        basicConstraints = critical,CA:FALSE
        keyUsage = critical,digitalSignature,keyEncipherment
        extendedKeyUsage = clientAuth
        [enciphering]
        basicConstraints = critical,CA:FALSE
        keyUsage = critical,keyEncipherment
        [req]
        distinguished_name = name
        string_mask = utf8only
        [name]
        """
        .formatted(folder.toAbsolutePath());
  }

  private static Path ownerOnly(Path key) {
    try {
      return Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String openssl(Object... arguments) {
    return run(Program.OPENSSL, List.of(arguments).stream().map(Object::toString).toList());
  }

  private static String run(Program tool, List<String> arguments) {
    Program.Ran ran = tool.run(arguments, Map.of(), new byte[0], Eventually.LONGEST);
    String output = new String(ran.output(), StandardCharsets.UTF_8);
    if (ran.exitCode() != 0) {
      throw new AssertionError(tool + " " + arguments + ": " + output + ran.errors());
    }
    return output;
  }
}
