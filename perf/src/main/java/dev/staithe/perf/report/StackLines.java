package dev.staithe.perf.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.util.StdConverter;

/**
 * The stacks of a profile as a summary has them: one line each, {@code 3 c;d 40}, which begins with
 * the first three frames of the line before and was seen in forty samples.
 */
final class StackLines {
  private StackLines() {}

  static final class Written extends StdConverter<Map<String, Long>, List<String>> {
    @Override
    public List<String> convert(Map<String, Long> stacks) {
      return of(stacks);
    }
  }

  static List<String> of(Map<String, Long> stacks) {
    var lines = new ArrayList<String>();
    List<String> before = List.of();
    for (Map.Entry<String, Long> stack : new TreeMap<>(stacks).entrySet()) {
      List<String> frames = List.of(stack.getKey().split(";"));
      int shared = 0;
      while (shared < Math.min(before.size(), frames.size())
          && before.get(shared).equals(frames.get(shared))) {
        shared++;
      }
      String rest = String.join(";", frames.subList(shared, frames.size()));
      lines.add(shared + " " + rest + " " + stack.getValue());
      before = frames;
    }
    return lines;
  }

  static final class Read extends StdConverter<List<String>, Map<String, Long>> {
    @Override
    public Map<String, Long> convert(List<String> lines) {
      var stacks = new LinkedHashMap<String, Long>();
      List<String> before = List.of();
      for (String line : lines) {
        int begin = line.indexOf(' ');
        int end = line.lastIndexOf(' ');
        if (begin < 0 || end <= begin) {
          throw new IllegalArgumentException("no stack: " + line);
        }
        int shared = Integer.parseInt(line.substring(0, begin));
        var frames = new ArrayList<>(before.subList(0, Math.min(shared, before.size())));
        frames.addAll(List.of(line.substring(begin + 1, end).split(";")));
        stacks.put(String.join(";", frames), Long.valueOf(line.substring(end + 1)));
        before = frames;
      }
      return stacks;
    }
  }
}
