package dev.staithe.wss.policy;

import javax.xml.namespace.QName;

/** In which messages a token travels (WS-SecurityPolicy 1.2 section 5.1.1). */
enum Inclusion {
  /** The document does not say. */
  UNSAID(""),
  NEVER("Never"),
  ONCE("Once"),
  TO_RECIPIENT("AlwaysToRecipient"),
  TO_INITIATOR("AlwaysToInitiator"),
  ALWAYS("Always");

  private final String word;

  Inclusion(String word) {
    this.word = word;
  }

  /** Reads the attribute of a token, which may have no other. */
  static Inclusion of(Assertion token, Dialect dialect) throws NotUnderstood {
    var name = new QName(dialect.namespace(), "IncludeToken");
    PolicyAssertions.noAttributes(token, name);
    String value = token.attributes().get(name);
    if (value == null) {
      return UNSAID;
    }
    for (Inclusion each : values()) {
      if (each != UNSAID
          && value.strip().equals(dialect.namespace() + "/IncludeToken/" + each.word)) {
        return each;
      }
    }
    throw new NotUnderstood(
        "sp:IncludeToken of " + Dialect.name(token.name()) + " has a value that is not understood");
  }

  /** Refuses where a token is to travel in a way that ours does not. */
  static Inclusion among(Assertion token, Dialect dialect, Inclusion... taken)
      throws NotUnderstood {
    Inclusion inclusion = of(token, dialect);
    if (inclusion == UNSAID) {
      return inclusion;
    }
    for (Inclusion each : taken) {
      if (each == inclusion) {
        return inclusion;
      }
    }
    throw new NotUnderstood(
        "sp:IncludeToken "
            + inclusion.word
            + " of "
            + Dialect.name(token.name())
            + " is not supported here");
  }
}
