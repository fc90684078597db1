package dev.staithe.storage.imports;

import dev.staithe.storage.state.OperatorFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of XRootD's files as it reads them: a backslash at the end joins the next one, {@code #}
 * begins a comment line, and in its configuration {@code set}, {@code if}, {@code else}, {@code fi}
 * and {@code continue} count. For one thread.
 */
final class XrootdLines {
  private static final long MOST_FILES = 30;
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:\\(([A-Za-z0-9]+)\\)|\\{([A-Za-z0-9]+)}|\\[(\\w+)]|([A-Za-z0-9]+))");

  /** A word, and where it stands. */
  record Word(String text, String where) {}

  /**
   * A line with those that it continues on.
   *
   * @param words at least one
   */
  record Line(List<Word> words) {
    String where() {
      return words.getFirst().where();
    }

    /** Empty where there are fewer. */
    String word(int index) {
      return index < words.size() ? words.get(index).text() : "";
    }

    /** What comes behind the first word. */
    List<String> rest() {
      return words.stream().skip(1).map(Word::text).toList();
    }
  }

  private final String host;
  private final String instance;
  private final Map<String, String> variables = new HashMap<>();
  private int files;

  private XrootdLines(String host, String instance) {
    this.host = host;
    this.instance = instance;
  }

  /** Joined lines, without comments, and nothing else done. */
  static List<Line> plain(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    List<Line> lines = new ArrayList<>();
    List<Word> words = new ArrayList<>();
    if (!OperatorFolder.hasFile(file)) {
      throw new NoSuchFileException(file.toString());
    }
    try (BufferedReader text = new BufferedReader(Keys.open(file))) {
      int number = 0;
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        number++;
        String stripped = line.replace('\t', ' ').strip();
        if (stripped.isEmpty() || stripped.startsWith("#")) {
          continue;
        }
        boolean goesOn = stripped.endsWith("\\");
        String whole = goesOn ? stripped.substring(0, stripped.length() - 1) : stripped;
        for (String word : whole.strip().split(" +", -1)) {
          if (!word.isEmpty()) {
            words.add(new Word(word, name + ":" + number));
          }
        }
        if (!goesOn && !words.isEmpty()) {
          lines.add(new Line(List.copyOf(words)));
          words.clear();
        }
      }
    }
    if (!words.isEmpty()) {
      lines.add(new Line(List.copyOf(words)));
    }
    return lines;
  }

  /**
   * The directives that count for the program {@code xrootd} on a host.
   *
   * @param instance the name of the daemon, as behind {@code -n}
   */
  static List<Line> directives(Path file, String host, String instance) throws IOException {
    return new XrootdLines(host, instance).read(file);
  }

  private List<Line> read(Path file) throws IOException {
    if (++files > MOST_FILES) {
      throw new WrongSource(file.toString(), "files continue in files without an end");
    }
    List<Line> counted = new ArrayList<>();
    boolean inside = false;
    boolean taken = false;
    boolean live = true;
    Line last = null;
    for (Line line : plain(file)) {
      last = line;
      switch (line.word(0)) {
        case "if", "else" -> {
          boolean first = line.word(0).equals("if");
          if (first == inside) {
            throw new WrongSource(
                line.where(), first ? "the if before has no fi" : "an else without an if");
          }
          List<String> condition = line.rest();
          if (!first && !condition.isEmpty() && !condition.getFirst().equals("if")) {
            throw new WrongSource(line.where(), "what follows else is no if");
          }
          taken = !first && (taken || live);
          live = !taken && (first ? holds(line, condition) : elseHolds(line, condition));
          inside = true;
        }
        case "fi" -> {
          if (!inside) {
            throw new WrongSource(line.where(), "a fi without an if");
          }
          inside = false;
          live = true;
        }
        default -> {
          if (live && line.word(0).equals("continue")) {
            counted.addAll(continued(line));
            return counted;
          }
          if (live) {
            directive(line, counted);
          }
        }
      }
    }
    if (inside && last != null) {
      throw new WrongSource(last.where(), "the last if has no fi");
    }
    return counted;
  }

  private boolean elseHolds(Line line, List<String> condition) throws WrongSource {
    return condition.isEmpty() || holds(line, condition.subList(1, condition.size()));
  }

  /** All of hosts, programs and instances that it names. */
  private boolean holds(Line line, List<String> condition) throws WrongSource {
    Map<String, Boolean> found = new HashMap<>();
    String kind = "host";
    for (String word : condition) {
      switch (word) {
        case "exec", "named" -> {
          kind = word;
          found.put(kind, false);
        }
        case "&&" -> {}
        case "defined", "||" ->
            throw new WrongSource(
                line.where(), "what \"" + word + "\" gives is not known here; write the lines out");
        default -> {
          String is =
              switch (kind) {
                case "exec" -> "xrootd";
                case "named" -> instance;
                default -> host;
              };
          found.merge(kind, like(word, is), Boolean::logicalOr);
        }
      }
    }
    return !found.containsValue(false);
  }

  /** One asterisk stands for anything. */
  private static boolean like(String pattern, String name) {
    int star = pattern.indexOf('*');
    return star < 0
        ? pattern.equals(name)
        : name.length() >= pattern.length() - 1
            && name.startsWith(pattern.substring(0, star))
            && name.endsWith(pattern.substring(star + 1));
  }

  private List<Line> continued(Line line) throws IOException {
    String path = line.word(1);
    boolean maybe = path.startsWith("?");
    Path file = Path.of(maybe ? path.substring(1) : path);
    if (maybe && !OperatorFolder.hasFile(file) && !OperatorFolder.hasFolder(file)) {
      return List.of();
    }
    List<Line> lines = new ArrayList<>();
    for (Path each :
        OperatorFolder.hasFolder(file) ? OperatorFolder.ending(file, "") : List.of(file)) {
      lines.addAll(read(each));
    }
    return lines;
  }

  private void directive(Line line, List<Line> counted) throws WrongSource {
    List<Word> words = new ArrayList<>();
    for (int i = 0; i < line.words().size(); i++) {
      Word word = line.words().get(i);
      if (i > 0 && word.text().equals("if")) {
        // Many directives take a condition at their end.
        if (!holds(line, line.words().stream().skip(i + 1L).map(Word::text).toList())) {
          return;
        }
        break;
      }
      words.add(new Word(substituted(word), word.where()));
    }
    Line whole = new Line(words);
    if (whole.word(0).equals("set")) {
      String all = String.join(" ", whole.rest());
      int equals = all.indexOf('=');
      if (equals > 0) {
        variables.put(all.substring(0, equals).strip(), all.substring(equals + 1).strip());
      }
    } else {
      counted.add(whole);
    }
  }

  private String substituted(Word word) throws WrongSource {
    Matcher variable = VARIABLE.matcher(word.text());
    StringBuilder text = new StringBuilder();
    while (variable.find()) {
      String name = null;
      for (int i = 1; i <= variable.groupCount() && name == null; i++) {
        name = variable.group(i);
      }
      String value = variables.get(name);
      if (value == null) {
        throw new WrongSource(
            word.where(), variable.group() + " has no value here; write the value into the file");
      }
      variable.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    return variable.appendTail(text).toString();
  }
}
