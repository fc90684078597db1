package dev.staithe.perf.harness;

import dev.staithe.perf.harness.cpu.CpuTime;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * One who takes part in a {@link Trial}.
 *
 * @param name as the report shows it
 * @param servers CPU seconds so far of what is the server
 * @param clients CPU seconds so far of what drives it
 * @param balancers CPU seconds so far of what stands between the two
 * @param work the piece of work that is measured
 * @param after what has to be put in order after it, outside the measured time
 */
public record Contestant(
    String name,
    CpuTime servers,
    DoubleSupplier clients,
    DoubleSupplier balancers,
    Work work,
    Step after) {

  /** With nothing in between. */
  public Contestant(String name, CpuTime servers, DoubleSupplier clients, Work work, Step after) {
    this(name, servers, clients, () -> 0, work, after);
  }

  /** The same with something in between. */
  public Contestant between(DoubleSupplier others) {
    return new Contestant(name, servers, clients, others, work, after);
  }

  /** The same with something to be put in order after it. */
  public Contestant after(Step step) {
    return new Contestant(name, servers, clients, balancers, work, step);
  }

  /** The same where other CPU seconds are the server's. */
  public Contestant servedBy(CpuTime others) {
    return new Contestant(name, others, clients, balancers, work, after);
  }

  /** The same where other CPU seconds are the driver's. */
  public Contestant drivenBy(DoubleSupplier others) {
    return new Contestant(name, servers, others, balancers, work, after);
  }

  /** The piece of work at a point of the axes. */
  public interface Work {
    Outcome run(Map<String, String> point) throws IOException;

    /**
     * The same for one that knows itself when it should be measured.
     *
     * @param meter runs already; whoever does not touch it is measured from end to end
     */
    default Outcome run(Map<String, String> point, Meter meter) throws IOException {
      return run(point);
    }
  }

  /** Work of the lean client, which tells itself when it should be measured. */
  public interface Watched {
    Outcome run(Map<String, String> point, LeanClientProcess.Watcher watcher) throws IOException;
  }

  /** Such work, also where nobody wants to know. */
  public static Work watched(Watched work) {
    return new Work() {
      @Override
      public Outcome run(Map<String, String> point) throws IOException {
        return work.run(point, LeanClientProcess.Watcher.NOBODY);
      }

      @Override
      public Outcome run(Map<String, String> point, Meter meter) throws IOException {
        return work.run(point, meter);
      }
    };
  }

  /** Something that is not measured. */
  public interface Step {
    void run() throws IOException;
  }
}
