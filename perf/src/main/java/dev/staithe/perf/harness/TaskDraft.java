package dev.staithe.perf.harness;

import dev.staithe.perf.lean.Task;
import java.util.HashMap;
import java.util.Map;

/** Changes a task in some respects. Not thread-safe. */
public final class TaskDraft {
  private final Task like;
  private final Map<String, String> headers;
  private long body;
  private int connections;
  private boolean keepAlive;
  private long requests;
  private double seconds;
  private double perSecond;
  private String provider;
  private String cipher;
  private String lastLine;
  private int status;

  private TaskDraft(Task like) {
    this.like = like;
    this.headers = new HashMap<>(like.headers());
    this.body = like.bodyBytes();
    this.connections = like.connections();
    this.keepAlive = like.keepAlive();
    this.requests = like.requests();
    this.seconds = like.seconds();
    this.perSecond = like.perSecond();
    this.provider = like.provider();
    this.cipher = like.cipher();
    this.lastLine = like.lastLine();
    this.status = like.status();
  }

  /** Begins with what another task is. */
  public static TaskDraft of(Task like) {
    return new TaskDraft(like);
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

  /** Counts an answer as good where its last line begins so. */
  public TaskDraft lastLine(String beginning) {
    lastLine = beginning;
    return this;
  }

  /** The only status of a good answer. */
  public TaskDraft status(int only) {
    status = only;
    return this;
  }

  /** The task. */
  public Task task() {
    return new Task(
        like.url(),
        like.method(),
        Map.copyOf(headers),
        body,
        connections,
        keepAlive,
        requests,
        seconds,
        perSecond,
        like.authority(),
        provider,
        cipher,
        lastLine,
        status);
  }
}
