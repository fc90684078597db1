package dev.staithe.testkit.clients;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * oidc-agent with its commands, by which people at grid and cloud sites have tokens: it holds a
 * refresh token and gets access tokens by it. For one thread.
 */
public final class OidcAgent implements AutoCloseable {
  private static final String ACCOUNT = "staithe";
  private static final Pattern CODE = Pattern.compile("enter the code: ([A-Z0-9-]+)");

  private final Path folder;
  private final Map<String, String> environment;
  private final ManagedProcess agent;

  /**
   * What a command said.
   *
   * @param output its standard output, without space around it
   * @param errors its standard error output
   */
  public record Said(int exitCode, String output, String errors) {}

  private OidcAgent(Path folder, Map<String, String> environment, ManagedProcess agent) {
    this.folder = folder;
    this.environment = environment;
    this.agent = agent;
  }

  /** Starts one that keeps its accounts in that folder, which is the test's. */
  public static OidcAgent start(Path folder) {
    try {
      Path home = Files.createDirectories(folder.resolve("home"));
      // Without its folder it would look elsewhere.
      Files.createDirectories(home.resolve(".oidc-agent"));
      Path socket = folder.resolve("agent");
      Map<String, String> environment =
          Map.of(
              "HOME", home.toString(),
              "XDG_CONFIG_HOME", home.resolve("none").toString(),
              "OIDC_SOCK", socket.toString(),
              // Of what it keeps in the test's folder.
              "OIDC_ENCRYPTION_PW", "throw-away");
      ManagedProcess agent =
          ManagedProcess.start(
              List.of(Program.OIDC_AGENT.path(), "--console", "--socket-path=" + socket),
              environment,
              folder.resolve("agent.log"));
      Eventually.holds("its socket", () -> Files.exists(socket) || !agent.isAlive());
      if (!agent.isAlive()) {
        throw new AssertionError("oidc-agent has ended: " + agent.output());
      }
      return new OidcAgent(folder, environment, agent);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A new account whose owner lets the agent in from a browser, which is still to be done. */
  public final class Login implements AutoCloseable {
    private final ManagedProcess process;

    private Login(ManagedProcess process) {
      this.process = process;
    }

    /** The code that it shows to its user. */
    public String code() {
      Eventually.holds(
          "a code: " + process.output(),
          () -> CODE.matcher(process.output()).find() || !process.isAlive());
      Matcher shown = CODE.matcher(process.output());
      if (!shown.find()) {
        throw new AssertionError("oidc-gen has ended: " + process.output());
      }
      return shown.group(1);
    }

    /** Waits until it is let in, or is not. */
    public Said end() {
      int exitCode = process.awaitEnd(Eventually.LONGEST);
      return new Said(exitCode, process.output().strip(), "");
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /**
   * {@code oidc-gen} for a client without a secret, by the device flow.
   *
   * @param authority trusted for the issuer
   */
  public Login login(String issuer, String client, String scopes, Path authority) {
    return new Login(
        ManagedProcess.start(
            List.of(
                Program.OIDC_GEN.path(),
                ACCOUNT,
                "--manual",
                "--pw-env",
                "--prompt=none",
                "--confirm-default",
                "--no-url-call",
                "--flow=device",
                "--issuer=" + issuer,
                "--client-id=" + client,
                "--client-secret=",
                "--scope=" + scopes,
                "--cert-path=" + authority),
            environment,
            folder.resolve("gen.log")));
  }

  /** {@code oidc-token} with these options. */
  public Said token(String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add(ACCOUNT);
    Program.Ran ran =
        Program.OIDC_TOKEN.run(arguments, environment, new byte[0], Eventually.LONGEST);
    return new Said(
        ran.exitCode(),
        new String(ran.output(), StandardCharsets.UTF_8).strip(),
        ran.errors().strip());
  }

  @Override
  public void close() {
    agent.close();
  }
}
