package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who has a session or a password at the released authn-service calls a service behind the released
 * gateway, until the session ends.
 */
class SoapByAuthnIT {
  @TempDir private static Path folder;
  private static ManagedProcess authn;
  private static ManagedProcess gateway;
  private static HttpServer service;
  private static StaitheProgram staithe;
  private static ThrowAwayAuthority authority;
  private static String password;
  private static String login;
  private static String url;

  @BeforeAll
  static void start() throws IOException {
    Path site = Files.createDirectory(folder.resolve("site"));
    var programs = new Programs(site);
    int port = FreePort.next();
    authn = programs.server(port);
    password = Programs.password(authn);
    login = "https://localhost:" + port;
    staithe = new StaitheProgram(folder.resolve("home"));
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    service.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] answer =
              "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><heard/></s:Body></s:Envelope>"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/xml;charset=utf-8");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    service.start();
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    int at = FreePort.next();
    url = "https://localhost:" + at;
    String behind = "http://127.0.0.1:" + service.getAddress().getPort() + "/";
    List<String> command =
        ReleasedJar.command(
            Path.of("../xml-gateway/target/xml-gateway.jar"),
            List.of(
                "--server.port=" + at,
                "--server.address=127.0.0.1",
                "--staithe.url=" + url,
                "--staithe.state=" + folder.resolve("state"),
                "--staithe.tls.certificate=" + host.certificate(),
                "--staithe.tls.key=" + host.key(),
                "--staithe.trust=" + site.resolve("authn-data/ca.pem"),
                "--staithe.authn.url=" + login,
                // The first hash of a fresh service beside other work takes its time.
                "--staithe.authn.timeout=30s",
                "--staithe.users.authn=true"));
    String[] policies = {"conversation-bearer", "transport-username"};
    for (int i = 0; i < policies.length; i++) {
      String endpoint = "--staithe.endpoints[" + i + "].";
      command.add(endpoint + "path=/" + policies[i]);
      command.add(endpoint + "policy=" + policies[i]);
      command.add(endpoint + "back-end=" + behind);
    }
    gateway =
        ManagedProcess.start(command, Map.of("LC_ALL", "C.UTF-8"), folder.resolve("gateway.log"));
    gateway.awaitPort(at, Programs.LONGEST);
    Files.writeString(
        folder.resolve("hello.xml"),
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><say/></s:Body></s:Envelope>");
  }

  @AfterAll
  static void stop() {
    gateway.close();
    authn.close();
    service.stop(0);
  }

  private static StaitheProgram.Ran call(String policy, String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "soap",
                "call",
                url + "/" + policy,
                folder.resolve("hello.xml").toString(),
                "--trust",
                authority.certificateFile().toString()));
    arguments.addAll(List.of(more));
    return staithe.run("", arguments.toArray(String[]::new));
  }

  private static Path secret(String name, String content) throws IOException {
    Path file =
        Files.createFile(
            folder.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, content);
  }

  @Test
  void tokenOfAuthnServiceOpensAContextUntilItsSessionEnds() throws IOException {
    StaitheProgram.Ran in =
        staithe.run(
            password + "\n",
            "login",
            "--url",
            login,
            "--trust",
            folder.resolve("site/authn-data/ca.pem").toString(),
            "--user",
            "admin");
    assertThat(in.code()).as(in.errors()).isZero();
    var session = new Properties();
    try (var kept = Files.newBufferedReader(staithe.home().resolve("session.properties"))) {
      session.load(kept);
    }
    Path file = secret("token", session.getProperty("token"));

    StaitheProgram.Ran heard =
        call("conversation-bearer", "--token-file", file.toString(), "--times", "3");
    assertThat(heard.code()).as(heard.output() + heard.errors() + gateway.output()).isZero();
    assertThat(heard.output()).contains("heard");

    assertThat(staithe.run("", "logout").code()).isZero();
    Eventually.holds(
        "an ended session opens nothing",
        () -> call("conversation-bearer", "--token-file", file.toString()).code() == 1);
  }

  @Test
  void passwordOfAuthnServiceIsTaken() throws IOException {
    StaitheProgram.Ran heard =
        call(
            "transport-username",
            "--user",
            "admin",
            "--password-file",
            secret("password", password).toString());
    assertThat(heard.code()).as(heard.output() + heard.errors() + gateway.output()).isZero();
    assertThat(heard.output()).contains("heard");

    StaitheProgram.Ran wrong =
        call(
            "transport-username",
            "--user",
            "admin",
            "--password-file",
            secret("wrong", "not " + password).toString());
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.errors()).contains("FailedAuthentication");
  }
}
