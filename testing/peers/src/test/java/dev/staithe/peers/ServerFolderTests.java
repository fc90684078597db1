package dev.staithe.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFolderTests {
  private static final boolean ROOT = System.getProperty("user.name").equals("root");

  @TempDir Path folder;

  @BeforeEach
  void letOthersIn() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void theCopyOfTheKeyIsForTheServersEyesOnly() throws IOException {
    Path any = Files.writeString(folder.resolve("any.pem"), "");
    Path secret =
        Files.createFile(
            folder.resolve("key.pem"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    ServerFolder place = ServerFolder.in(Files.createDirectory(folder.resolve("server")));
    place.give(new HostFiles(any, any, secret));
    place.command(List.of("true"));

    Path key = place.path().resolve("host-key.pem");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    assertThat(Files.getOwner(key)).hasToString(place.user());
  }

  @Test
  void rootsServersRunAsSomebodyElse() throws IOException {
    ServerFolder place = ServerFolder.in(Files.createDirectory(folder.resolve("server")));

    assertThat(place.user()).isNotEqualTo("root");
    assertThat(place.command(List.of("server", "-x"))).endsWith("server", "-x");
  }

  /** Only servers that run as somebody else can be locked out. */
  @Test
  void aFolderThatTheServersUserCannotEnterIsToldInOneLine() throws IOException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    Path within = Files.createDirectory(closed.resolve("server"));

    if (ROOT) {
      assertThatThrownBy(() -> ServerFolder.in(within))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("who may not enter " + closed.toRealPath())
          .hasMessageNotContaining("\n");
    } else {
      assertThat(ServerFolder.in(within).data()).isDirectory();
    }
  }
}
