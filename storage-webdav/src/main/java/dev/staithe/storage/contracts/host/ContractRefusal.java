package dev.staithe.storage.contracts.host;

import java.util.List;
import java.util.Map;

/** Why there is no contract. The message is one line that is safe to show to the other side. */
public final class ContractRefusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String type;
  private final transient List<Map<String, Object>> failed;

  /**
   * Keeps the reason.
   *
   * @param status of the answer that tells it
   * @param type of the problem (RFC 9457 section 3.1.1), without what all types of ours begin with
   * @param failed properties, each with what was wanted and offered
   */
  public ContractRefusal(int status, String type, String line, List<Map<String, Object>> failed) {
    super(line, null, false, false);
    this.status = status;
    this.type = type;
    this.failed = failed;
  }

  /** The same where no property is to blame. */
  public ContractRefusal(int status, String type, String line) {
    this(status, type, line, List.of());
  }

  /** The reason, in one line. */
  public String line() {
    return String.valueOf(getMessage());
  }

  /** Of the answer that tells it. */
  public int status() {
    return status;
  }

  /** Of the problem, without what all types of ours begin with. */
  public String type() {
    return type;
  }

  /** Properties, each with what was wanted and offered. */
  public List<Map<String, Object>> failed() {
    return failed;
  }
}
