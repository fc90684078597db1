package dev.staithe.perf.harness;

import dev.staithe.perf.lean.Task;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A request that the lean client is to make, once and over one connection unless more is said. Not
 * thread-safe.
 */
public final class TaskDraft {
  private final String url;
  private final String method;
  private final Path authority;
  private final Map<String, String> headers = new HashMap<>();
  private long body = -1;
  private int connections = 1;
  private boolean keepAlive = true;
  private long requests = 1;
  private double seconds = 600;
  private double perSecond;
  private String provider = "conscrypt";
  private String cipher = "";
  private String lastLine = "";
  private int status;

  /**
   * @param url where to, as {@link Task} has it
   * @param authority the PEM file of trusted authorities
   */
  public TaskDraft(String url, String method, Path authority) {
    this.url = url;
    this.method = method;
    this.authority = authority;
  }

  /** Sends this header with each request. */
  public TaskDraft header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** Sends so many bytes with each request. */
  public TaskDraft body(long bytes) {
    body = bytes;
    return this;
  }

  /** Has so many connections at once. */
  public TaskDraft connections(int number) {
    connections = number;
    return this;
  }

  /** Whether a connection has more than one request. */
  public TaskDraft keepAlive(boolean keep) {
    keepAlive = keep;
    return this;
  }

  /** Ends after so many requests. */
  public TaskDraft requests(long number) {
    requests = number;
    return this;
  }

  /** For that long, as many requests as it takes. */
  public TaskDraft during(double length) {
    requests = 0;
    seconds = length;
    return this;
  }

  /** So many requests in all, however long it takes, up to a limit. */
  public TaskDraft requests(long number, double longest) {
    requests = number;
    seconds = longest;
    return this;
  }

  /** Begins so many requests a second, however long they take. */
  public TaskDraft perSecond(double rate) {
    perSecond = rate;
    return this;
  }

  /** Takes the TLS of this provider. */
  public TaskDraft provider(String name) {
    provider = name;
    return this;
  }

  /** Takes this cipher suite only. */
  public TaskDraft cipher(String suite) {
    cipher = suite;
    return this;
  }

  /** Has two servers copy: the other one wants this token, the last line says how it ended. */
  public TaskDraft copying(String token) {
    lastLine = "success";
    return header("Credential", "none").header("TransferHeaderAuthorization", "Bearer " + token);
  }

  /** The only status of a good answer. */
  public TaskDraft status(int only) {
    status = only;
    return this;
  }

  /** The task. */
  public Task task() {
    return new Task(
        url,
        method,
        Map.copyOf(headers),
        body,
        connections,
        keepAlive,
        requests,
        seconds,
        perSecond,
        authority.toString(),
        provider,
        cipher,
        lastLine,
        status);
  }
}
