package dev.staithe.perf.fit;

import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.linear.SingularMatrixException;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/** What fitting {@link TransferModel} came to. */
public sealed interface TransferFit {
  /**
   * Fits by least squares with each observation weighted by 1/T², so that a transfer of a
   * millisecond says as much as one of ten seconds: times of transfers scatter by a share of
   * themselves. The weights are taken from the fitted times, since measured ones would favour those
   * that came out short by chance.
   *
   * @param observations wall seconds (y) by bytes (x), repeats as further observations
   */
  static TransferFit of(List<Observation> observations) {
    var usable = observations.stream().filter(Observation::usable).toList();
    if (usable.size() < observations.size()) {
      return new Unfit("a point has no time");
    }
    long sizes = usable.stream().mapToDouble(Observation::x).distinct().count();
    if (sizes < 2 || usable.size() < 3) {
      return new Unfit("two parameters need at least two sizes and three transfers");
    }
    try {
      return weighted(usable);
    } catch (SingularMatrixException e) {
      return new Unfit("the sizes are too close to each other");
    }
  }

  private static TransferFit weighted(List<Observation> observations) {
    double[] expected = observations.stream().mapToDouble(Observation::y).toArray();
    var fit = regression(observations, expected);
    for (int i = 0; i < 3; i++) {
      double[] line = fit.estimateRegressionParameters();
      double[] measured = expected.clone();
      for (int j = 0; j < measured.length; j++) {
        double on = line[0] + line[1] * observations.get(j).x();
        // A line that dips below zero gives no weight; keep the last one.
        expected[j] = on > observations.get(j).y() / 10 ? on : measured[j];
      }
      fit = regression(observations, expected);
    }
    double[] line = fit.estimateRegressionParameters();
    double[] errors = fit.estimateRegressionParametersStandardErrors();
    if (!(line[1] > 0)) {
      return new Unfit("time does not grow with size");
    }
    return new Fitted(
        new TransferModel(line[0], 1 / line[1]),
        errors[0],
        errors[1] / (line[1] * line[1]),
        rSquared(observations, expected, line));
  }

  private static OLSMultipleLinearRegression regression(
      List<Observation> observations, double[] expected) {
    var rows = new double[observations.size()][];
    var times = new double[observations.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {1 / expected[i], observations.get(i).x() / expected[i]};
      times[i] = observations.get(i).y() / expected[i];
    }
    var regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(times, rows);
    return regression;
  }

  /** With the same weights as the fit, against the weighted mean. */
  private static double rSquared(List<Observation> points, double[] expected, double[] line) {
    double[] weights = DoubleStream.of(expected).map(t -> 1 / (t * t)).toArray();
    double sum = DoubleStream.of(weights).sum();
    double mean = 0;
    for (int i = 0; i < weights.length; i++) {
      mean += weights[i] * points.get(i).y() / sum;
    }
    double total = 0;
    double left = 0;
    for (int i = 0; i < weights.length; i++) {
      double y = points.get(i).y();
      total += weights[i] * Math.pow(y - mean, 2);
      left += weights[i] * Math.pow(y - line[0] - line[1] * points.get(i).x(), 2);
    }
    return total == 0 ? Double.NaN : 1 - left / total;
  }

  /**
   * It fits, more or less.
   *
   * @param model the line
   * @param startError standard error of T0 in seconds
   * @param rateError standard error of the rate in bytes/s
   * @param rSquared 1 for a perfect fit, with the weights of the fit
   */
  record Fitted(TransferModel model, double startError, double rateError, double rSquared)
      implements TransferFit {}

  /**
   * The observations cannot be fitted.
   *
   * @param reason one line
   */
  record Unfit(String reason) implements TransferFit {}
}
