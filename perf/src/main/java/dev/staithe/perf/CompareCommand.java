package dev.staithe.perf;

import dev.staithe.perf.report.Comparison;
import dev.staithe.perf.report.ResultFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "compare", description = "What has changed between two result files.")
final class CompareCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "A.json")
  Path before = Path.of("");

  @Parameters(index = "1", paramLabel = "B.json")
  Path after = Path.of("");

  @Option(names = "--out", description = "write a page there as well, NAME.html")
  Path out = Path.of("");

  @Override
  public Integer call() throws IOException {
    Comparison comparison = Comparison.of(ResultFile.read(before), ResultFile.read(after));
    System.out.print(comparison.text());
    if (!out.toString().isEmpty()) {
      comparison.write(out);
    }
    return 0;
  }
}
