package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client that changes a folder of its own, one change after the other, and knows what is in it
 * after each. It begins with a change only after the one before was acknowledged.
 */
final class PowerCutWorker {
  static final String LOCK =
      "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype>"
          + "<D:write/></D:locktype></D:lockinfo>";

  /** The folder after so many changes: each file with its content, collections with none. */
  private record State(Map<String, String> files, Set<String> locks, long acknowledgedAt) {}

  /** An upload that has begun and is not complete, and how many of its bytes were acknowledged. */
  private record Begun(
      String location, String target, byte[] content, int acknowledged, long since) {
    Begun upTo(int bytes) {
      return new Begun(location, target, content, bytes, since);
    }

    /** Compares what is there; where its name was there for long enough, it must be. */
    void check(Path uploads, boolean young, String when) throws IOException {
      Path data = uploads.resolve(location.substring(location.lastIndexOf('/') + 1));
      Path record = data.resolveSibling(data.getFileName() + ".record");
      if (young && !Files.exists(record)) {
        return;
      }
      assertThat(record).as("the record of an upload, %s", when).isNotEmptyFile();
      // What is told after the cut; behind it may lie what a request under way left.
      int told = Integer.parseInt(Files.readAllLines(record).getFirst());
      byte[] there = Files.readAllBytes(data);
      assertThat(told)
          .as("bytes of the upload %s, %s", record, when)
          .isBetween(acknowledged, Math.min(content.length, there.length));
      assertThat(Arrays.copyOf(there, told)).as(when).isEqualTo(Arrays.copyOf(content, told));
    }
  }

  private final HttpClient http;
  private final String base;
  private final String name;
  private final Random random;
  private final List<State> states = new ArrayList<>();
  private final Set<String> unexpected = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private State next;
  private @Nullable Begun begun;
  private volatile boolean stopped;
  private int made;

  private PowerCutWorker(ThrowAwayAuthority authority, String base, String name, long seed) {
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(authority.clientContext())
            .build();
    this.base = base;
    this.name = name;
    this.random = new Random(seed);
    states.add(new State(Map.of(), Set.of(), System.nanoTime()));
    this.next = states.getFirst();
    this.thread = Thread.ofVirtual().unstarted(this::work);
  }

  static PowerCutWorker start(ThrowAwayAuthority authority, String base, String name, long seed) {
    PowerCutWorker worker = new PowerCutWorker(authority, base, name, seed);
    worker.thread.start();
    return worker;
  }

  void stop() {
    stopped = true;
  }

  void join() throws InterruptedException {
    thread.join();
    http.close();
  }

  Set<String> unexpected() {
    return unexpected;
  }

  synchronized int acknowledged() {
    return states.size() - 1;
  }

  /** The states that a power cut at this moment may leave. */
  final class Allowed {
    private final List<State> states;
    private final @Nullable Begun begun;
    private final boolean young;

    private Allowed(List<State> states, @Nullable Begun begun, boolean young) {
      this.states = states;
      this.begun = begun;
      this.young = young;
    }

    /** Compares what is there with them. */
    void check(Path area, String when) throws IOException {
      Map<String, String> there = contents(area.resolve(name));
      assertThat(states.stream().map(State::files).toList())
          .as("what %s has after %s", name, when)
          .contains(there);
      Path table = area.resolve(".staithe/locks/locks");
      List<String> lines = Files.exists(table) ? Files.readAllLines(table) : List.of();
      Set<String> locks =
          states.stream().flatMap(s -> s.locks().stream()).collect(Collectors.toSet());
      Set<String> kept =
          locks.stream()
              .filter(t -> lines.stream().anyMatch(l -> l.startsWith(t + " ")))
              .filter(t -> !lines.contains("-" + t))
              .collect(Collectors.toSet());
      // Locks are on the device when they are acknowledged, whatever names are.
      assertThat(List.of(states.getLast().locks(), states.get(states.size() - 2).locks()))
          .as("the locks of %s after %s", name, when)
          .contains(kept);
      if (begun != null) {
        begun.check(area.resolve(".staithe/uploads"), young, name + " after " + when);
      }
    }
  }

  /** Those of now; of {@code nanos} before, too, where names may be so late. */
  synchronized Allowed allowed(long nanos) {
    long since = System.nanoTime() - nanos;
    int first = states.size() - 1;
    while (nanos > 0 && first > 0 && states.get(first).acknowledgedAt() > since) {
      first--;
    }
    List<State> allowed = new ArrayList<>(states.subList(first, states.size()));
    allowed.add(next);
    return new Allowed(allowed, begun, begun != null && nanos > 0 && begun.since() > since);
  }

  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> there = new TreeMap<>();
    if (!Files.exists(folder)) {
      return there;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.toList()) {
        String path = folder.relativize(each).toString();
        there.put(
            Files.isDirectory(each) ? path + "/" : path,
            Files.isDirectory(each) ? "" : Sample.ofBytes(Files.readAllBytes(each)).sha256());
      }
    }
    return there;
  }

  private void work() {
    change("MKCOL", "", "", Map.of("/", ""), states.getFirst().locks());
    while (!stopped) {
      try {
        step();
      } catch (UncheckedIOException e) {
        unexpected.add(e.toString());
        return;
      }
    }
  }

  private void step() {
    Map<String, String> files = new TreeMap<>(next.files());
    String file = "f" + random.nextInt(3);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        byte[] content = content();
        files.put(file, Sample.ofBytes(content).sha256());
        change(files, next.locks(), () -> status(send("PUT", file, content)));
      }
      case 3 -> {
        if (begun == null) {
          begin(file);
        } else if (random.nextBoolean()) {
          goOn(begun);
        } else {
          complete(begun, files);
        }
      }
      case 4 -> {
        if (files.containsKey(file)) {
          files.put("moved", files.remove(file));
          change("MOVE", file, "moved", files, next.locks());
        }
      }
      case 5 -> {
        if (files.containsKey(file)) {
          files.put("copied", files.get(file));
          change("COPY", file, "copied", files, next.locks());
        }
      }
      case 6 -> tree(files);
      default -> lockOrRemove(files, file);
    }
  }

  /** A new tree, which replaces the old one as a whole. */
  private void tree(Map<String, String> files) {
    Map<String, String> with = new TreeMap<>(files);
    with.put("new/", "");
    change("MKCOL", "new", "", with, next.locks());
    for (String member : List.of("new/a", "new/b")) {
      byte[] content = content();
      with = new TreeMap<>(with);
      with.put(member, Sample.ofBytes(content).sha256());
      Map<String, String> after = with;
      change(after, next.locks(), () -> status(send("PUT", member, content)));
    }
    Map<String, String> copied = new TreeMap<>(with);
    copied.keySet().removeIf(path -> path.startsWith("tree/"));
    for (String member : List.of("/", "/a", "/b")) {
      copied.put("tree" + member, with.getOrDefault("new" + member, ""));
    }
    change("COPY", "new", "tree", copied, next.locks());
    Map<String, String> left = new TreeMap<>(copied);
    left.keySet().removeIf(path -> path.startsWith("new/"));
    change("DELETE", "new", "", left, next.locks());
  }

  private void lockOrRemove(Map<String, String> files, String file) {
    if (!next.locks().isEmpty()) {
      String token = next.locks().iterator().next();
      change(
          files,
          Set.of(),
          () -> status(request("UNLOCK", "locked", new byte[0], "Lock-Token", "<" + token + ">")));
    } else if (files.containsKey("locked")) {
      HttpResponse<String> answer =
          request(
              "LOCK",
              "locked",
              LOCK.getBytes(StandardCharsets.UTF_8),
              "Content-Type",
              "application/xml");
      String token =
          answer.headers().firstValue("Lock-Token").orElse("<none>").replaceAll("[<>]", "");
      change(files, Set.of(token), answer::statusCode);
    } else {
      byte[] content = content();
      files.put("locked", Sample.ofBytes(content).sha256());
      change(files, next.locks(), () -> status(send("PUT", "locked", content)));
    }
  }

  private byte[] content() {
    return Sample.bytes(name.hashCode() * 31L + made++, random.nextInt(1, 200_000));
  }

  /** Begins an upload in parts, which goes on between other changes. */
  private void begin(String file) {
    byte[] content = content();
    int first = random.nextInt(content.length);
    HttpResponse<String> answer =
        request("PUT", file, Arrays.copyOf(content, first), "Upload-Complete", "?0");
    String location = answer.headers().firstValue("Location").orElse("");
    if (answer.statusCode() != 201 || location.isEmpty()) {
      unexpected.add(answer.statusCode() + " to an upload that begins");
      stopped = true;
      return;
    }
    begunIs(new Begun(location, file, content, first, System.nanoTime()));
  }

  private void goOn(Begun before) {
    int upTo = random.nextInt(before.acknowledged(), before.content().length + 1);
    int status = status(send(part(before, upTo, "?0")));
    if (status != 204) {
      unexpected.add(status + " to an upload that goes on");
      stopped = true;
      return;
    }
    begunIs(before.upTo(upTo));
  }

  private void complete(Begun before, Map<String, String> files) {
    begunIs(null);
    files.put(before.target(), Sample.ofBytes(before.content()).sha256());
    change(files, next.locks(), () -> status(send(part(before, before.content().length, "?1"))));
  }

  private synchronized void begunIs(@Nullable Begun now) {
    begun = now;
  }

  private HttpRequest.Builder part(Begun before, int upTo, String complete) {
    return HttpRequest.newBuilder(URI.create(base).resolve(before.location()))
        .header("Content-Type", "application/partial-upload")
        .header("Upload-Offset", Integer.toString(before.acknowledged()))
        .header("Upload-Complete", complete)
        .method(
            "PATCH",
            HttpRequest.BodyPublishers.ofByteArray(
                Arrays.copyOfRange(before.content(), before.acknowledged(), upTo)));
  }

  private void change(
      String method, String path, String to, Map<String, String> after, Set<String> locks) {
    change(
        after,
        locks,
        () ->
            status(
                to.isEmpty()
                    ? request(method, path, new byte[0])
                    : request(method, path, new byte[0], "Destination", base + name + "/" + to)));
  }

  /** Makes the change, between two states: either may be found until it is acknowledged. */
  private void change(Map<String, String> after, Set<String> locks, IntSupplier action) {
    synchronized (this) {
      next = new State(Map.copyOf(after), Set.copyOf(locks), 0);
    }
    int status = action.getAsInt();
    synchronized (this) {
      if (status < 200 || status > 299) {
        unexpected.add(status + " " + after.keySet());
        next = states.getLast();
        stopped = true;
        return;
      }
      next = new State(next.files(), next.locks(), System.nanoTime());
      states.add(next);
    }
  }

  private HttpResponse<String> send(String method, String path, byte[] content) {
    return request(method, path, content);
  }

  private static int status(HttpResponse<String> answer) {
    return answer.statusCode();
  }

  private HttpResponse<String> request(
      String method, String path, byte[] content, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + name + "/" + path))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(content));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return send(request);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
