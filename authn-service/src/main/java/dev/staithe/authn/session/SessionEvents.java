package dev.staithe.authn.session;

import java.util.Locale;

/**
 * Is told of every session that was begun or ended on this node, whoever asked, for the audit log.
 * Called by the thread that did it; must not fail and should not take long.
 */
public interface SessionEvents {
  /** Nobody wants to know. */
  SessionEvents NONE = (event, subject, session, outcome) -> {};

  /**
   * Something happened.
   *
   * @param event {@code session.open}, {@code session.end}, {@code session.end-user}, {@code
   *     session.end-everybody}
   * @param subject whose; empty where that is not known
   * @param session its id; empty where it is about many, or about none
   * @param outcome {@code ok}, or what else became of it
   */
  void happened(String event, String subject, String session, String outcome);

  /** An outcome's kind in words, as {@code alreadyended}. */
  static String word(Record outcome) {
    String kind = outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    return kind.equals("opened") || kind.equals("ended") ? "ok" : kind;
  }
}
