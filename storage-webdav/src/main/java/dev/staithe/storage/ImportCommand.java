package dev.staithe.storage;

import dev.staithe.storage.imports.ImportedSite;
import dev.staithe.storage.imports.Note;
import dev.staithe.storage.imports.StormSource;
import dev.staithe.storage.imports.XrootdSource;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** {@code import}: writes our configuration out of that of another storage element. */
final class ImportCommand {
  private static final String USAGE =
      """
      usage: import storm --areas /etc/storm/webdav/sa.d [--application application.yml]
                          --host HOST --to FOLDER
             import xrootd --config /etc/xrootd/xrootd-standalone.cfg [--instance NAME]
                          --host HOST --to FOLDER""";
  private static final Map<String, Set<String>> OPTIONS =
      Map.of(
          "storm", Set.of("--areas", "--application", "--host", "--to"),
          "xrootd", Set.of("--config", "--instance", "--host", "--to"));

  private final Map<String, String> options = new HashMap<>();
  private final String source;

  private ImportCommand(String[] args) {
    source = args.length > 1 ? args[1] : "";
    Set<String> known = OPTIONS.get(source);
    if (known == null) {
      throw new IllegalArgumentException("from what?");
    }
    for (int i = 2; i < args.length; i += 2) {
      if (!known.contains(args[i])) {
        throw new IllegalArgumentException("unknown option " + args[i]);
      }
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(args[i] + " has no value");
      }
      options.put(args[i], args[i + 1]);
    }
    if (!need("--host").matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,248}[A-Za-z0-9])?")) {
      throw new IllegalArgumentException("--host is the name by which clients know the server");
    }
  }

  private String need(String option) {
    String value = options.get(option);
    if (value == null) {
      throw new IllegalArgumentException(option + " is needed");
    }
    return value;
  }

  private ImportedSite read() throws IOException {
    if (source.equals("xrootd")) {
      String instance = options.getOrDefault("--instance", "anon");
      return XrootdSource.read(Path.of(need("--config")), instance, need("--host"));
    }
    String application = options.get("--application");
    return StormSource.read(
        Path.of(need("--areas")),
        application == null ? null : Path.of(application),
        need("--host"));
  }

  /** Writes the files and prints what has to be looked at; gives the exit code. */
  static int run(String[] args, PrintStream out, PrintStream err) {
    try {
      ImportCommand command = new ImportCommand(args);
      Path to = Path.of(command.need("--to"));
      ImportedSite site = command.read();
      site.write(to).forEach(file -> out.println("wrote " + file));
      for (Note note : site.notes()) {
        out.println(note);
      }
      return 0;
    } catch (IllegalArgumentException e) {
      err.println("import: " + e.getMessage() + "\n" + USAGE);
    } catch (NoSuchFileException e) {
      err.println("import: " + e.getFile() + " is not there");
    } catch (NotDirectoryException e) {
      err.println("import: " + e.getFile() + " is no folder");
    } catch (CharacterCodingException e) {
      err.println("import: a file is not UTF-8");
    } catch (IOException e) {
      err.println("import: " + e.getMessage());
    }
    return 2;
  }
}
