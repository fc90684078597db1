package dev.staithe.cli.session;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code code}. */
@Command(
    name = "code",
    mixinStandardHelpOptions = true,
    description = "Sets one-time codes (TOTP) up as one's second factor.")
public final class CodeCommand implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    try (Service service = staithe.service()) {
      Map<String, String> again = Map.of("password", staithe.terminal().secret("Password"));
      JsonNode begun = service.send("POST", "json/code?_action=begin", again);
      staithe.out().println("Give this to the program that shows codes:");
      staithe.out().println(begun.path("uri").asString(""));
      String code = staithe.terminal().secret("Code");
      JsonNode done = service.send("POST", "json/code?_action=confirm", Map.of("code", code));
      staithe.out().println("Set up. Recovery codes, each good once; keep them safe:");
      done.path("recoveryCodes").forEach(each -> staithe.out().println(each.asString("")));
      return 0;
    }
  }
}
