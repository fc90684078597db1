package dev.staithe.cli;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.FreePort;
import java.nio.file.Path;

/** A running authn-service in its development default, and who logs in there by the command. */
final class DevelopmentAuthn implements AutoCloseable {
  private final Path folder;
  private final ManagedProcess server;
  private final String url;
  private final String administratorPassword;

  DevelopmentAuthn(Path folder) {
    this.folder = folder;
    int port = FreePort.next();
    this.server = new Programs(folder).server(port);
    this.administratorPassword = Programs.password(server);
    this.url = "https://localhost:" + port;
  }

  String url() {
    return url;
  }

  /** The file of the authority that vouches for it. */
  String trust() {
    return folder.resolve("authn-data/ca.pem").toString();
  }

  String administratorPassword() {
    return administratorPassword;
  }

  /** Logs a user in; what is typed goes to standard input. */
  void login(StaitheProgram staithe, String user, String typed) {
    staithe.done(typed, "login", "--url", url, "--trust", trust(), "--user", user);
  }

  @Override
  public void close() {
    server.close();
  }
}
