package dev.staithe.delegation.door;

import dev.staithe.pki.Credential;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What people without a program of their own do with {@code openssl} and VOMS's commands. */
public final class Commands {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path folder;
  private int made;

  /** In that folder, which is made if need be. */
  public Commands(Path folder) {
    try {
      this.folder = Files.createDirectories(folder);
      file(
          "sign.cnf",
          """
          [ca]
          default_ca = this
          [this]
          database = ./index.txt
          new_certs_dir = .
          default_md = sha256
          policy = anything
          unique_subject = no
          preserve = yes
          rand_serial = yes
          [anything]
          countryName = optional
          organizationName = optional
          commonName = optional
          [proxy]
          keyUsage = critical,digitalSignature,keyEncipherment
          proxyCertInfo = critical,language:id-ppl-inheritAll
          """);
      file("index.txt", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file there. */
  Path file(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Signs a request as a proxy of a person's, for six hours; the chain, in a file. */
  Path sign(GridAuthority.Holder maker, String subject, String request) {
    Path proxy = folder.resolve("proxy-" + ++made + ".pem");
    Instant now = Instant.now();
    run(
        "openssl",
        "ca",
        "-batch",
        "-notext",
        "-config",
        "sign.cnf",
        "-extensions",
        "proxy",
        "-cert",
        maker.certificate().toString(),
        "-keyfile",
        maker.key().toString(),
        "-in",
        file("request-" + made + ".pem", request).toString(),
        "-subj",
        subject + "/CN=" + (1_000_000 + made),
        "-startdate",
        TIME.format(now.minus(Duration.ofMinutes(5))),
        "-enddate",
        TIME.format(now.plus(Duration.ofHours(6))),
        "-out",
        proxy.toString());
    try {
      return file(
          "chain-" + made + ".pem",
          Files.readString(proxy) + Files.readString(maker.certificate()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@code openssl verify} says of a chain, its leaf first. */
  String verify(Path authority, String chain) {
    int end = chain.indexOf("-----END CERTIFICATE-----\n") + 26;
    Path leaf = file("leaf.pem", chain.substring(0, end));
    Path above = file("above.pem", chain.substring(end));
    return run(
        "openssl",
        "verify",
        "-allow_proxy_certs",
        "-CAfile",
        authority.toString(),
        "-untrusted",
        above.toString(),
        leaf.toString());
  }

  /** A proxy of a person's with attributes of {@code testvo}, in the name of that server. */
  public Credential vomsProxy(
      GridAuthority.Holder person, GridAuthority.Holder server, Path trust) {
    Path out = folder.resolve("voms-proxy-" + ++made + ".pem");
    run(
        "voms-proxy-fake",
        "-rfc",
        "-quiet",
        "-cert",
        person.certificate().toString(),
        "-key",
        person.key().toString(),
        "-hostcert",
        server.certificate().toString(),
        "-hostkey",
        server.key().toString(),
        "-voms",
        "testvo",
        "-uri",
        "voms.example.org:15000",
        "-fqan",
        "/testvo/Role=production/Capability=NULL",
        "-certdir",
        trust.toString(),
        "-out",
        out.toString());
    return Somebody.credential(new GridAuthority.Holder(out, out));
  }

  /** Runs a program to its end, which must be a good one. */
  String run(String... command) {
    try {
      Process process =
          new ProcessBuilder(new ArrayList<>(List.of(command)))
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(command[0] + " does not end");
      }
      if (process.exitValue() != 0) {
        throw new AssertionError(String.join(" ", command) + ": " + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
