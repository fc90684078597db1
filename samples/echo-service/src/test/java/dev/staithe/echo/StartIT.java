package dev.staithe.echo;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs mvn package: what the released jar says when it has begun. */
class StartIT {
  @Test
  void oneLineSaysWhereItListensAndWhomItAsks(@TempDir Path folder) {
    int port = FreePort.next();
    try (ManagedProcess echo =
        ManagedProcess.start(
            ReleasedJar.command(
                Path.of("target/echo-service.jar"),
                List.of(
                    "--server.address=127.0.0.1",
                    "--server.port=" + port,
                    "--staithe.tls.enabled=false",
                    "--staithe.echo.name=echo-a",
                    "--staithe.echo.next=https://b.example.org:8443",
                    "--staithe.access-log.enabled=false")),
            Map.of(),
            folder.resolve("echo.log"))) {
      Eventually.holds(
          "its lines are in the log",
          () ->
              echo.output().contains("listening on 127.0.0.1 port " + port + " (plain HTTP)")
                  && echo.output().contains("echo-a asks https://b.example.org:8443 first"));
    }
  }
}
