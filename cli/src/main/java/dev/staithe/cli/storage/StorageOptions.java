package dev.staithe.cli.storage;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.cli.program.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Which storage element is asked, and with which token: where grid tools look for one (WLCG Bearer
 * Token Discovery), as {@code staithe token --file} writes it.
 */
final class StorageOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(names = "--url", paramLabel = "URL", description = "the storage element")
  private String url = "";

  @Option(names = "--trust", description = "a PEM file of its authorities")
  private String trust = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "the token that it is asked with; - for standard input; default: $BEARER_TOKEN, then the"
              + " file $BEARER_TOKEN_FILE, then bt_u<uid> in $XDG_RUNTIME_DIR or /tmp")
  private @Nullable String tokenFile;

  /** These, where they say a URL; else what was said before the name of the command below. */
  StorageOptions or(StorageOptions above) {
    if (url.isEmpty()) {
      url = above.url;
    }
    if (trust.isEmpty()) {
      trust = above.trust;
    }
    if (tokenFile == null) {
      tokenFile = above.tokenFile;
    }
    return this;
  }

  /** The storage element. */
  Service service(StaitheCommand staithe) throws IOException {
    if (url.isEmpty()) {
      throw new ParameterException(required(spec).commandLine(), "--url is missing");
    }
    return Service.at(url, trust, token(staithe), staithe.clock());
  }

  private String token(StaitheCommand staithe) throws IOException {
    if (tokenFile != null) {
      return staithe.terminal().tokenOf(tokenFile);
    }
    String token = staithe.profile().variable("BEARER_TOKEN");
    if (!token.isBlank()) {
      return Terminal.token(token, "$BEARER_TOKEN");
    }
    String named = staithe.profile().variable("BEARER_TOKEN_FILE");
    if (!named.isEmpty()) {
      return staithe.terminal().tokenOf(named);
    }
    String runtime = staithe.profile().variable("XDG_RUNTIME_DIR");
    String name = "bt_u" + staithe.profile().uid();
    for (String folder : new String[] {runtime, "/tmp"}) {
      Path file = Path.of(folder, name);
      if (!folder.isEmpty() && Files.isReadable(file)) {
        if (staithe.profile().owns(file)) {
          return staithe.terminal().tokenOf(file.toString());
        }
        staithe.terminal().note(file + " is another user's, and is passed over");
      }
    }
    throw new IOException(
        "a storage element wants a token: --token-file FILE, or staithe token --file");
  }
}
