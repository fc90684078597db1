package dev.staithe.perf.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.exception.ConvergenceException;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.exception.TooManyIterationsException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.fitting.leastsquares.MultivariateJacobianFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.util.Pair;

/**
 * Fits {@link UniversalScalability}. The parameters are written as λ = e^a, σ = b², κ = c², which
 * keeps their signs right without a bounded solver. At b = 0 or c = 0 the gradient vanishes, so
 * every start has both above zero, and there are many starts, since the sum of squares has more
 * than one valley. Intervals never come from the covariance matrix: it is wrong for a parameter
 * that sits on its bound.
 */
final class ScalabilityFitter {
  private static final int RESAMPLES = 400;
  private static final long SEED = 20_260_102;
  private static final int REPEATS_TO_RESAMPLE = 3;

  /** A κ whose whole effect at the largest p is below this is zero, but for rounding. */
  private static final double NEGLIGIBLE = 1e-6;

  /** A page tells of each run, and of the latest of each experiment once more. */
  private static final Map<Asked, ScalabilityFit> MADE = new ConcurrentHashMap<>();

  private record Asked(List<Observation> observations, boolean withKappa) {}

  private final double[] clients;
  private final double[] throughput;
  private final boolean usable;
  private final double most;
  private final TreeMap<Double, List<Integer>> repeats = new TreeMap<>();

  private ScalabilityFitter(List<Observation> observations) {
    usable = observations.stream().allMatch(Observation::usable);
    clients = observations.stream().mapToDouble(Observation::x).toArray();
    throughput = observations.stream().mapToDouble(Observation::y).toArray();
    most = Arrays.stream(clients).max().orElse(0);
    for (int i = 0; i < clients.length; i++) {
      repeats.computeIfAbsent(clients[i], x -> new ArrayList<>()).add(i);
    }
  }

  /** What fits these, worked out once. */
  static ScalabilityFit of(List<Observation> observations, boolean withKappa) {
    return MADE.computeIfAbsent(
        new Asked(List.copyOf(observations), withKappa),
        asked -> new ScalabilityFitter(asked.observations()).fit(asked.withKappa()));
  }

  private ScalabilityFit fit(boolean withKappa) {
    if (!usable) {
      return new ScalabilityFit.Unfit("a point has no throughput");
    }
    if (repeats.size() < (withKappa ? 4 : 3)) {
      String need =
          withKappa ? "three parameters need at least four" : "two parameters need at least three";
      return new ScalabilityFit.Unfit(need + " numbers of clients, not " + repeats.size());
    }
    var curve = best(throughput, starts(), withKappa);
    var amdahl = withKappa ? best(throughput, starts(), false) : curve;
    if (curve.isEmpty() || amdahl.isEmpty()) {
      return new ScalabilityFit.Unfit("no start converged");
    }
    var law = curve.get();
    var others = bootstrap(law, withKappa);
    return new ScalabilityFit.Fitted(
        law,
        interval(others, UniversalScalability::lambda),
        interval(others, UniversalScalability::sigma),
        interval(others, UniversalScalability::kappa),
        interval(others, UniversalScalability::peakClients),
        interval(others, UniversalScalability::peakThroughput),
        rSquared(law),
        rSquared(amdahl.get()),
        most);
  }

  /** Eighteen: all mixtures of little and much λ, σ and κ. */
  private List<double[]> starts() {
    double first = repeats.firstKey();
    double lambda =
        repeats.firstEntry().getValue().stream().mapToDouble(i -> throughput[i]).average().orElse(1)
            / first;
    var starts = new ArrayList<double[]>();
    for (double factor : new double[] {1, 1.6}) {
      for (double sigma : new double[] {0.002, 0.05, 0.5}) {
        // κp² is what matters, so that the start scales with the range.
        for (double coherence : new double[] {0.01, 0.5, 10}) {
          starts.add(
              new double[] {
                Math.log(lambda * factor), Math.sqrt(sigma), Math.sqrt(coherence) / most
              });
        }
      }
    }
    return starts;
  }

  private Optional<UniversalScalability> best(
      double[] measured, List<double[]> starts, boolean withKappa) {
    Optional<UniversalScalability> best = Optional.empty();
    double cost = Double.POSITIVE_INFINITY;
    for (double[] start : starts) {
      try {
        var optimum =
            new LevenbergMarquardtOptimizer()
                .optimize(
                    new LeastSquaresBuilder()
                        .model(relative(measured, withKappa))
                        .target(new double[measured.length])
                        .start(withKappa ? start : Arrays.copyOf(start, 2))
                        .maxEvaluations(400)
                        .maxIterations(400)
                        .build());
        if (optimum.getCost() < cost) {
          cost = optimum.getCost();
          best = Optional.of(law(optimum.getPoint().toArray()));
        }
      } catch (TooManyEvaluationsException
          | TooManyIterationsException
          | ConvergenceException stuck) {
        // One start that leads nowhere is why there are others.
        continue;
      }
    }
    return best;
  }

  private UniversalScalability law(double[] parameters) {
    double kappa = parameters.length > 2 ? parameters[2] * parameters[2] : 0;
    double sigma = parameters[1] * parameters[1];
    return new UniversalScalability(
        Math.exp(parameters[0]),
        sigma * most < NEGLIGIBLE ? 0 : sigma,
        kappa * most * most < NEGLIGIBLE ? 0 : kappa);
  }

  /** (X(p) − y) / y and its derivatives by a, b and c. */
  private MultivariateJacobianFunction relative(double[] measured, boolean withKappa) {
    return point -> {
      double lambda = Math.exp(point.getEntry(0));
      double b = point.getEntry(1);
      double c = withKappa ? point.getEntry(2) : 0;
      var value = new double[measured.length];
      var jacobian = new double[measured.length][withKappa ? 3 : 2];
      var law = new UniversalScalability(lambda, b * b, c * c);
      for (int i = 0; i < measured.length; i++) {
        double p = clients[i];
        double scaled = law.at(p) / measured[i];
        double fall = scaled / law.denominator(p);
        value[i] = scaled - 1;
        jacobian[i][0] = scaled;
        jacobian[i][1] = -fall * (p - 1) * 2 * b;
        if (withKappa) {
          jacobian[i][2] = -fall * p * (p - 1) * 2 * c;
        }
      }
      return new Pair<>(new ArrayRealVector(value, false), new Jacobian(jacobian));
    };
  }

  /** What each step of the optimizer asks of it, without a check and two calls for each entry. */
  private static final class Jacobian extends Array2DRowRealMatrix {
    private static final long serialVersionUID = 1;

    Jacobian(double[][] rows) {
      super(rows, false);
    }

    @Override
    public RealMatrix scalarMultiply(double factor) {
      double[][] rows = getDataRef();
      var product = new double[rows.length][];
      for (int i = 0; i < rows.length; i++) {
        product[i] = rows[i].clone();
        for (int j = 0; j < product[i].length; j++) {
          product[i][j] *= factor;
        }
      }
      return new Array2DRowRealMatrix(product, false);
    }
  }

  private List<UniversalScalability> bootstrap(UniversalScalability law, boolean withKappa) {
    var random = new Random(SEED);
    boolean repeated =
        repeats.values().stream().allMatch(list -> list.size() >= REPEATS_TO_RESAMPLE);
    double[] residuals = residuals(law);
    var starts = startsNear(law);
    var laws = new ArrayList<UniversalScalability>();
    for (int i = 0; i < RESAMPLES; i++) {
      double[] measured = repeated ? repeatsAgain(random) : residualsAgain(law, residuals, random);
      best(measured, starts, withKappa).ifPresent(laws::add);
    }
    laws.add(law);
    return laws;
  }

  /** Around the answer, and from where κ is large, in case a resample has its valley there. */
  private List<double[]> startsNear(UniversalScalability law) {
    double a = Math.log(law.lambda());
    double b = Math.sqrt(Math.max(law.sigma(), 1e-3));
    double c = Math.max(Math.sqrt(law.kappa()), 0.05 / most);
    return List.of(
        new double[] {a, b, c},
        new double[] {a, b, 3 * c},
        new double[] {a + 0.3, Math.max(b, 0.3), c});
  }

  /** Relative residuals, centred, and widened by the degrees of freedom that the fit took. */
  private double[] residuals(UniversalScalability law) {
    int n = clients.length;
    double[] residuals =
        IntStream.range(0, n).mapToDouble(i -> throughput[i] / law.at(clients[i]) - 1).toArray();
    double mean = Arrays.stream(residuals).average().orElse(0);
    double wider = Math.sqrt(n / Math.max(1.0, n - 3.0));
    return Arrays.stream(residuals).map(r -> (r - mean) * wider).toArray();
  }

  private double[] residualsAgain(UniversalScalability law, double[] residuals, Random random) {
    return Arrays.stream(clients)
        .map(p -> law.at(p) * Math.max(0.01, 1 + residuals[random.nextInt(residuals.length)]))
        .toArray();
  }

  private double[] repeatsAgain(Random random) {
    var again = new double[throughput.length];
    for (Map.Entry<Double, List<Integer>> entry : repeats.entrySet()) {
      List<Integer> same = entry.getValue();
      double mean = same.stream().mapToDouble(i -> throughput[i]).average().orElseThrow();
      // Few repeats vary less than what they were drawn from.
      double wider = Math.sqrt(same.size() / (same.size() - 1.0));
      for (int i : same) {
        double drawn = throughput[same.get(random.nextInt(same.size()))];
        again[i] = Math.max(mean * 0.01, mean + (drawn - mean) * wider);
      }
    }
    return again;
  }

  private double rSquared(UniversalScalability law) {
    double mean = Arrays.stream(throughput).average().orElse(0);
    double total = 0;
    double left = 0;
    for (int i = 0; i < clients.length; i++) {
      total += Math.pow(throughput[i] - mean, 2);
      left += Math.pow(throughput[i] - law.at(clients[i]), 2);
    }
    return total == 0 ? Double.NaN : 1 - left / total;
  }

  private static Interval interval(
      List<UniversalScalability> laws, ToDoubleFunction<UniversalScalability> figure) {
    return Interval.middle95(laws.stream().mapToDouble(figure).toArray());
  }
}
