package dev.staithe.cli;

import dev.staithe.cli.administration.AuditCommand;
import dev.staithe.cli.administration.ClientCommand;
import dev.staithe.cli.administration.ContractCommand;
import dev.staithe.cli.administration.GetCommand;
import dev.staithe.cli.administration.GrantCommand;
import dev.staithe.cli.administration.GroupCommand;
import dev.staithe.cli.administration.PersonCommand;
import dev.staithe.cli.administration.PutCommand;
import dev.staithe.cli.administration.SessionCommand;
import dev.staithe.cli.administration.UserCommand;
import dev.staithe.cli.certificate.CertCommand;
import dev.staithe.cli.certificate.ProxyCommand;
import dev.staithe.cli.delegation.DelegateCommand;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.cli.program.Terminal;
import dev.staithe.cli.session.CodeCommand;
import dev.staithe.cli.session.IdpsCommand;
import dev.staithe.cli.session.LogIn;
import dev.staithe.cli.session.LogOut;
import dev.staithe.cli.session.SessionsCommand;
import dev.staithe.cli.session.TokenCommand;
import dev.staithe.cli.session.WhoAmI;
import dev.staithe.cli.soap.EvidenceCommand;
import dev.staithe.cli.soap.SoapCommand;
import dev.staithe.cli.storage.TransfersCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Clock;
import java.util.List;
import picocli.CommandLine;

/** Which commands there are, and the program made of them. */
public final class Commands {
  /** All commands by their names, in the order in which help lists them. */
  private static final List<String> NAMES =
      List.of(
          "login",
          "logout",
          "whoami",
          "idps",
          "token",
          "code",
          "sessions",
          "cert",
          "person",
          "proxy",
          "delegate",
          "soap",
          "user",
          "group",
          "client",
          "session",
          "grant",
          "audit",
          "evidence",
          "contract",
          "get",
          "put",
          "transfers",
          "man",
          "completion");

  private Commands() {}

  /** The program with all of its commands. */
  public static CommandLine commandLine(Profile profile, Terminal terminal, Clock clock) {
    return commandLine(profile, terminal, clock, NAMES);
  }

  /**
   * The program with those commands that the arguments are about: to load and look through all of
   * them takes several times as long as most of them run.
   */
  static CommandLine commandLine(
      Profile profile, Terminal terminal, Clock clock, String... arguments) {
    return commandLine(profile, terminal, clock, namesFor(arguments));
  }

  private static List<String> namesFor(String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    // These describe all others, and so does an answer to what is no command.
    boolean one = NAMES.contains(first) && !first.equals("man") && !first.equals("completion");
    return one ? List.of(first) : NAMES;
  }

  private static CommandLine commandLine(
      Profile profile, Terminal terminal, Clock clock, List<String> names) {
    var program = new CommandLine(new StaitheCommand(profile, terminal, clock));
    names.forEach(name -> program.addSubcommand(type(name)));
    return program
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(parsed -> terminal.ended(new CommandLine.RunLast().execute(parsed)))
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              // Streams of files throw the one in the other.
              Throwable told =
                  failure instanceof UncheckedIOException ? failure.getCause() : failure;
              if (!(told instanceof IOException said)) {
                throw failure;
              }
              command.getErr().println("staithe: " + line(said));
              return 1;
            });
  }

  /** Of a file that is not there or not allowed Java says nothing but the name. */
  private static String line(IOException failure) {
    return switch (failure) {
      case NoSuchFileException e -> e.getFile() + ": no such file or folder";
      case AccessDeniedException e -> e.getFile() + ": permission denied";
      case FileAlreadyExistsException e -> e.getFile() + " is there already";
      case NotDirectoryException e -> e.getFile() + " is no folder";
      default -> String.valueOf(failure.getMessage());
    };
  }

  /** A class is loaded where its name is reached. */
  private static Class<?> type(String name) {
    return switch (name) {
      case "login" -> LogIn.class;
      case "logout" -> LogOut.class;
      case "whoami" -> WhoAmI.class;
      case "idps" -> IdpsCommand.class;
      case "token" -> TokenCommand.class;
      case "code" -> CodeCommand.class;
      case "sessions" -> SessionsCommand.class;
      case "cert" -> CertCommand.class;
      case "person" -> PersonCommand.class;
      case "proxy" -> ProxyCommand.class;
      case "delegate" -> DelegateCommand.class;
      case "soap" -> SoapCommand.class;
      case "user" -> UserCommand.class;
      case "group" -> GroupCommand.class;
      case "client" -> ClientCommand.class;
      case "session" -> SessionCommand.class;
      case "grant" -> GrantCommand.class;
      case "audit" -> AuditCommand.class;
      case "evidence" -> EvidenceCommand.class;
      case "contract" -> ContractCommand.class;
      case "get" -> GetCommand.class;
      case "put" -> PutCommand.class;
      case "transfers" -> TransfersCommand.class;
      case "man" -> ManCommand.class;
      case "completion" -> CompletionCommand.class;
      default -> throw new IllegalArgumentException(name);
    };
  }
}
