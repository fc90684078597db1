package dev.staithe.testkit.clients;

import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.trust.GridAuthority;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Requests by {@code openssl s_client}, which keeps sessions of TLS in a file to resume them. */
public final class OpenSslClient {

  private final int port;
  private final Path authority;
  private final GridAuthority.Holder holder;
  private final String protocol;
  private final Path session;

  /**
   * What came of a request.
   *
   * @param text all that was printed, the answer among it
   * @param resumed whether the session of an earlier request was resumed
   */
  public record Answer(String text, boolean resumed) {}

  /**
   * A client of a server on {@code localhost}.
   *
   * @param authority of the server, PEM
   * @param holder whose certificate is shown
   * @param protocol {@code tls1_3} or {@code tls1_2}
   * @param session the file, which need not exist
   */
  public OpenSslClient(
      int port, Path authority, GridAuthority.Holder holder, String protocol, Path session) {
    this.port = port;
    this.authority = authority;
    this.holder = holder;
    this.protocol = protocol;
    this.session = session;
  }

  /** GETs that path on a connection of its own. */
  public Answer get(String path) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "s_client",
                "-connect",
                "localhost:" + port,
                "-servername",
                "localhost",
                "-" + protocol,
                "-CAfile",
                authority.toString(),
                "-verify_return_error",
                "-cert",
                holder.certificate().toString(),
                "-cert_chain",
                holder.certificate().toString(),
                "-key",
                holder.key().toString(),
                "-ign_eof"));
    arguments.addAll(List.of(Files.exists(session) ? "-sess_in" : "-sess_out", session.toString()));
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    Program.Ran ran =
        Program.OPENSSL.run(
            arguments, Map.of(), request.getBytes(StandardCharsets.US_ASCII), Eventually.LONGEST);
    String text = new String(ran.output(), StandardCharsets.UTF_8) + ran.errors();
    return new Answer(text, text.contains("\nReused, TLS"));
  }
}
