package dev.staithe.authn.persistence;

/** How sure a login made us of who it is. */
public enum Assurance {
  /** A password. */
  PASSWORD(1),
  /** A password and a one-time code. */
  SECOND_FACTOR(2);

  private final int level;

  Assurance(int level) {
    this.level = level;
  }

  /** 1 or 2; more is surer. */
  public int level() {
    return level;
  }

  /**
   * The one of a level.
   *
   * @throws IllegalArgumentException where there is none
   */
  public static Assurance of(int level) {
    return switch (level) {
      case 1 -> PASSWORD;
      case 2 -> SECOND_FACTOR;
      default -> throw new IllegalArgumentException("no such level of assurance: " + level);
    };
  }
}
