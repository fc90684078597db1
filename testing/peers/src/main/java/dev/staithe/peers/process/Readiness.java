package dev.staithe.peers.process;

/** Whether a peer can be started on this machine. */
public sealed interface Readiness {
  /**
   * It can.
   *
   * @param version as the program tells it, one line
   */
  record Ready(String version) implements Readiness {}

  /**
   * It cannot.
   *
   * @param reason one line that says what to install or to build
   */
  record Missing(String reason) implements Readiness {}
}
