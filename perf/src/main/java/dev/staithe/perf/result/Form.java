package dev.staithe.perf.result;

import java.util.Locale;

/** How much of a study is carried out. */
public enum Form {
  /** All axes, enough rounds for narrow intervals: about an hour on two cores. */
  FULL(5, 3, 15, 4L << 30, 1L << 30),
  /** Every experiment, few points, few rounds: at most twenty minutes. */
  SHORT(3, 3, 15, 1L << 30, 1L << 30),
  /** All axes of the full form, a moment at each point: shows that a long run will end well. */
  REHEARSAL(1, 1, 1, 1L << 26, 1L << 26),
  /** One peer and the main experiments, to see that the harness works: about a minute. */
  SMOKE(1, 1, 0, 1L << 26, 1L << 26);

  private final int rounds;
  private final int roundsAlongAxes;
  private final int warmUps;
  private final long largest;
  private final long bulk;

  Form(int rounds, int roundsAlongAxes, int warmUps, long largest, long bulk) {
    this.rounds = rounds;
    this.roundsAlongAxes = roundsAlongAxes;
    this.warmUps = warmUps;
    this.largest = largest;
    this.bulk = bulk;
  }

  /** Whether every experiment is made at every point. */
  public boolean isWhole() {
    return this == FULL || this == REHEARSAL;
  }

  /** How often each contestant is measured at each point. */
  public int rounds() {
    return rounds;
  }

  /** How often where a trial has numbers of its own; once where figures do not count. */
  public int rounds(int full, int brief) {
    return this == FULL ? full : this == SHORT ? brief : 1;
  }

  /** The one of four numbers that is of this form, as seconds of a piece of work. */
  public double choose(double full, double brief, double rehearsal, double smoke) {
    return switch (this) {
      case FULL -> full;
      case SHORT -> brief;
      case REHEARSAL -> rehearsal;
      case SMOKE -> smoke;
    };
  }

  /** The same of numbers of things. */
  public long choose(long full, long brief, long rehearsal, long smoke) {
    return (long) choose((double) full, brief, rehearsal, smoke);
  }

  /** How often each contestant is measured at each point of an axis. */
  public int roundsAlongAxes() {
    return roundsAlongAxes;
  }

  /** The most pieces of work before the first that counts. */
  public int warmUps() {
    return warmUps;
  }

  /** How often a void piece of work is done again in its round. */
  public int again() {
    return this == FULL ? 3 : this == SMOKE ? 0 : 1;
  }

  /** The largest file in bytes. */
  public long largest() {
    return largest;
  }

  /** The usual large file in bytes. */
  public long bulk() {
    return bulk;
  }

  /** As in file names and options. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
