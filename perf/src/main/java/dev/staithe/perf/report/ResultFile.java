package dev.staithe.perf.report;

import dev.staithe.perf.study.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The file that a run leaves behind: JSON with every raw sample, instants as ISO 8601 text. */
public final class ResultFile {
  /** First in each file, so that any other JSON is told from a result. */
  private static final String FORMAT = "staithe-perf-results-1";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  private record Document(String format, Results results) {}

  private ResultFile() {}

  /**
   * Reads one.
   *
   * @throws IOException where there is none or where it is something else; the message is one line
   *     with the file's name
   */
  public static Results read(Path file) throws IOException {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " does not exist", e);
    }
    try {
      var document = JSON.treeToValue(completed(JSON.readTree(content)), Document.class);
      if (document != null && FORMAT.equals(document.format()) && whole(document.results())) {
        return document.results();
      }
    } catch (JacksonException e) {
      throw new IOException(file + " is not a result file: " + line(e), e);
    }
    throw new IOException(file + " is not a result file: it is JSON of another kind");
  }

  /**
   * Writes one: a reader sees the whole file or none, whatever happens meanwhile.
   *
   * @throws IOException where the folder is missing or full; nothing is left behind
   */
  public static void write(Results results, Path file) throws IOException {
    replace(file, JSON.writeValueAsBytes(new Document(FORMAT, results)));
  }

  /** Puts content in place of a file in one step. */
  static void replace(Path file, byte[] content) throws IOException {
    Path target = file.toAbsolutePath();
    Path draft =
        target.resolveSibling("." + target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.write(draft, content);
      Files.move(
          draft, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Adds to samples what those of older versions lack. */
  private static JsonNode completed(JsonNode document) {
    for (JsonNode sample : document.path("results").path("samples")) {
      if (sample instanceof ObjectNode older && !older.has("parts")) {
        older.put("balancerCpu", 0.0);
        older.putObject("parts");
      }
    }
    return document;
  }

  /** What Jackson accepts although the record's components may not be null. */
  @SuppressWarnings("ConstantValue")
  private static boolean whole(Results results) {
    return results != null
        && results.study() != null
        && results.form() != null
        && results.started() != null
        && results.machine() != null
        && results.parties() != null
        && results.experiments() != null
        && results.targets() != null
        && results.samples() != null
        && results.profiles() != null
        && results.remarks() != null;
  }

  private static String line(JacksonException e) {
    String place =
        e.getLocation() == null ? "" : " (line " + Math.max(1, e.getLocation().getLineNr()) + ")";
    return String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("").strip() + place;
  }
}
