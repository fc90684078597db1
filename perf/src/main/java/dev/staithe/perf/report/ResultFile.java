package dev.staithe.perf.report;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.MinimalPrettyPrinter;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files that a run leaves behind. The summary, {@code NAME.json}, has what a page and a
 * comparison need of one run or of several of the same study; {@code NAME.samples.json.gz} has
 * every raw sample of one run. Instants are ISO 8601 text.
 */
public final class ResultFile {
  /** First in each file, so that any other JSON is told from a result. */
  private static final String RAW = "staithe-perf-results-1";

  private static final String SUMMARY = "staithe-perf-summary-1";

  private static final String SAMPLES = ".samples.json.gz";
  private static final int GZIP_MAGIC = 0x8b1f;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /** A summary's samples are rows, their fields in the order of the record. */
  private static final JsonMapper ROWS =
      JSON.rebuild()
          .addMixIn(Sample.class, Row.class)
          .addMixIn(Results.Times.class, Row.class)
          .addMixIn(Figure.class, Row.class)
          .addMixIn(Results.Profile.class, Packed.class)
          .build();

  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  private interface Row {}

  private interface Packed {
    @JsonSerialize(converter = StackLines.Written.class)
    @JsonDeserialize(converter = StackLines.Read.class)
    Map<String, Long> stacks();
  }

  private record Raw(String format, Results results) {}

  /**
   * @param figures what the runs say, for other readers than this one
   */
  private record Summaries(String format, List<Figure> figures, List<Results> runs) {}

  private ResultFile() {}

  /**
   * Reads a summary or raw samples.
   *
   * @return the runs by their time
   * @throws IOException where there is none or where it is something else; the message is one line
   *     with the file's name
   */
  public static List<Results> read(Path file) throws IOException {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " does not exist", e);
    }
    try {
      JsonNode document = JSON.readTree(plain(content));
      String format = document == null ? "" : document.path("format").asString("");
      List<Results> runs =
          switch (format) {
            case RAW -> runs(JSON.treeToValue(completed(document), Raw.class).results());
            case SUMMARY -> ROWS.treeToValue(document, Summaries.class).runs();
            default -> List.of();
          };
      if (runs != null && !runs.isEmpty() && runs.stream().allMatch(ResultFile::whole)) {
        return runs.stream().sorted(Comparator.comparing(Results::started)).toList();
      }
    } catch (JacksonException e) {
      throw new IOException(file + " is not a result file: " + line(e), e);
    } catch (IOException e) {
      throw new IOException(file + " is not a result file: " + e.getMessage(), e);
    }
    throw new IOException(file + " is not a result file: it is JSON of another kind");
  }

  /** The later of two states of one run, which was ended and gone on with. */
  public static Results later(Results one, Results other) {
    return other.seconds() > one.seconds() ? other : one;
  }

  private static List<Results> runs(@Nullable Results one) {
    return one == null ? List.of() : List.of(one);
  }

  private static byte[] plain(byte[] content) throws IOException {
    boolean packed =
        content.length > 1 && ((content[0] & 0xff) | (content[1] & 0xff) << 8) == GZIP_MAGIC;
    if (!packed) {
      return content;
    }
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(content))) {
      return unpacked.readAllBytes();
    }
  }

  /**
   * Writes the summary of runs of one study: a reader sees the whole file or none, whatever happens
   * meanwhile.
   *
   * @throws IOException where the folder is missing or full; nothing is left behind
   */
  public static void write(List<Results> runs, Path file) throws IOException {
    List<Results> summaries = runs.stream().map(Summary::of).toList();
    List<Figure> figures = summaries.stream().flatMap(run -> Figure.of(run).stream()).toList();
    replace(
        file,
        ROWS.writer()
            .with(new Lines())
            .writeValueAsBytes(new Summaries(SUMMARY, figures, summaries)));
  }

  /** Writes every raw sample of a run, compressed, in the same way. */
  public static void writeSamples(Results run, Path file) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var packed = new GZIPOutputStream(bytes)) {
      packed.write(JSON.writeValueAsBytes(new Raw(RAW, run)));
    }
    replace(file, bytes.toByteArray());
  }

  /** The file of the raw samples beside a summary. */
  public static Path samplesBeside(Path summary) {
    return summary.resolveSibling(name(summary) + SAMPLES);
  }

  /** The summary beside a page. */
  public static Path summaryBeside(Path page) {
    return page.resolveSibling(name(page) + ".json");
  }

  /** The page beside a summary or beside raw samples. */
  public static Path pageBeside(Path file) {
    return file.resolveSibling(name(file) + ".html");
  }

  private static String name(Path file) {
    return file.getFileName().toString().replaceFirst("(\\.samples)?\\.json(\\.gz)?$|\\.html$", "");
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

  /** Adds what the files of older versions lack. */
  private static JsonNode completed(JsonNode document) {
    if (document.path("results") instanceof ObjectNode older && !older.has("times")) {
      older.putArray("times");
    }
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

  /** One line for each sample, figure and stack, so that a difference of files can be read. */
  private static final class Lines extends MinimalPrettyPrinter {
    private static final Set<Integer> LISTS = Set.of(2, 4, 6);

    @Override
    public void writeArrayValueSeparator(JsonGenerator out) {
      out.writeRaw(LISTS.contains(out.streamWriteContext().getNestingDepth()) ? ",\n" : ",");
    }
  }
}
