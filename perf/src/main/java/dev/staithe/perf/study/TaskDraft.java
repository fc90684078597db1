package dev.staithe.perf.study;

import dev.staithe.perf.scenario.Task;
import java.util.HashMap;
import java.util.Map;

/** Changes a task in some respects. Not thread-safe. */
final class TaskDraft {
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

  static TaskDraft of(Task like) {
    return new TaskDraft(like);
  }

  TaskDraft header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  TaskDraft body(long bytes) {
    body = bytes;
    return this;
  }

  TaskDraft connections(int number) {
    connections = number;
    return this;
  }

  TaskDraft keepAlive(boolean keep) {
    keepAlive = keep;
    return this;
  }

  TaskDraft requests(long number) {
    requests = number;
    return this;
  }

  /** For that long, as many requests as it takes. */
  TaskDraft during(double length) {
    requests = 0;
    seconds = length;
    return this;
  }

  /** So many requests in all, however long it takes, up to a limit. */
  TaskDraft requests(long number, double longest) {
    requests = number;
    seconds = longest;
    return this;
  }

  TaskDraft perSecond(double rate) {
    perSecond = rate;
    return this;
  }

  TaskDraft provider(String name) {
    provider = name;
    return this;
  }

  TaskDraft cipher(String suite) {
    cipher = suite;
    return this;
  }

  TaskDraft lastLine(String beginning) {
    lastLine = beginning;
    return this;
  }

  /** The only status of a good answer. */
  TaskDraft status(int only) {
    status = only;
    return this;
  }

  Task task() {
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
