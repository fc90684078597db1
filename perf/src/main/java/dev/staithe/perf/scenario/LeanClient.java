package dev.staithe.perf.scenario;

import dev.staithe.perf.lean.Assignment;
import dev.staithe.perf.lean.CampusTask;
import dev.staithe.perf.lean.ClientConnection;
import dev.staithe.perf.lean.DelegationTask;
import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.lean.LogTask;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.RequestTally;
import dev.staithe.perf.lean.Task;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.user.UserDriver;
import dev.staithe.perf.visit.Visits;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLEngine;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Drives a server at the least cost of its own: a process that reads one {@link Assignment} a line
 * from its standard input and writes one {@link Outcome} a line; before that of users a line for
 * each of its phases, as it begins. It stays for all of a study, so that it is warm, and so that it
 * can be pinned to a processor core of its own.
 */
final class LeanClient {
  private static final int CONTENT = 1 << 20;
  private static final long LONGEST_LATENCY = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;

  /** A connection fails for good after so many failures in a row. */
  private static final int PATIENCE = 20;

  private final Task task;
  private final URI url;
  private final @Nullable ClientTls tls;
  private final ByteBuffer content;
  private final boolean numbered;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong good = new AtomicLong();
  private final AtomicLong bad = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicReference<String> cipher = new AtomicReference<>("");
  private final AtomicReference<String> failure = new AtomicReference<>("");

  private LeanClient(Task task, @Nullable ClientTls tls, ByteBuffer content) throws IOException {
    this.task = task;
    this.url = URI.create(task.url().replace("{n}", "0"));
    this.numbered = task.headers().values().stream().anyMatch(value -> value.contains("{n}"));
    this.tls = tls;
    this.content = content;
  }

  /** Serves tasks until its standard input ends. */
  static void serve(Clock clock) throws IOException {
    var json = JsonMapper.shared();
    ByteBuffer content = ByteBuffer.allocateDirect(CONTENT);
    byte[] random = new byte[CONTENT];
    new Random(1).nextBytes(random);
    content.put(random).flip();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    String line;
    while ((line = in.readLine()) != null) {
      Outcome outcome;
      try {
        outcome =
            switch (json.readValue(line, Assignment.class)) {
              case UserTask users -> UserDriver.perform(users, out::println);
              case CampusTask campus -> Visits.perform(campus, out::println);
              case GatewayTask calls -> Visits.perform(calls, clock, out::println);
              case DelegationTask visits -> Visits.perform(visits, clock, out::println);
              case LogTask log -> ContractLog.perform(log);
              case FloorTask work -> Floor.perform(work);
              case Task requests -> perform(requests, content, clock);
            };
      } catch (IOException | RuntimeException e) {
        outcome = Outcome.failed(0, "" + e);
      }
      out.println(json.writeValueAsString(outcome));
    }
  }

  static Outcome perform(Task task, ByteBuffer content, Clock clock) throws IOException {
    if (!task.url().startsWith("https:")) {
      return new LeanClient(task, null, content).perform();
    }
    var provider =
        TlsProvider.choose(
            task.provider().equals("jdk") ? TlsProvider.Choice.JDK : TlsProvider.Choice.CONSCRYPT);
    try (var tls =
        ClientTls.open(ClientTlsSettings.of(Path.of(task.authority())), provider, clock)) {
      return new LeanClient(task, tls, content).perform();
    }
  }

  private Outcome perform() {
    var threads = new ArrayList<Thread>();
    var histograms = new ArrayList<Histogram>();
    long began = System.nanoTime();
    for (int i = 0; i < task.connections(); i++) {
      var histogram = new Histogram(LONGEST_LATENCY, DIGITS);
      histograms.add(histogram);
      threads.add(Thread.ofPlatform().name("connection-" + i).start(() -> drive(began, histogram)));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    var all = new Histogram(LONGEST_LATENCY, DIGITS);
    histograms.forEach(all::add);
    long neverBegun = due() - next.get();
    if (neverBegun > 0) {
      bad.incrementAndGet();
      failure.compareAndSet(
          "", "no connection was free for " + neverBegun + " requests that were due");
    }
    return new Outcome(
        good.get(),
        bad.get(),
        bytes.get(),
        seconds,
        RequestTally.encoded(all),
        cipher.get(),
        failure.get());
  }

  /** How many requests are due in the open model; in the closed one none is. */
  private long due() {
    long inTime = (long) (task.seconds() * task.perSecond());
    return task.requests() > 0 ? Math.min(task.requests(), inTime) : inTime;
  }

  private void drive(long began, Histogram latencies) {
    long end = began + (long) (task.seconds() * 1e9);
    ClientConnection connection = null;
    int failuresInARow = 0;
    try {
      while (failuresInARow < PATIENCE && System.nanoTime() < end) {
        long number = next.getAndIncrement();
        if (task.requests() > 0 && number >= task.requests()) {
          return;
        }
        long due = System.nanoTime();
        if (task.perSecond() > 0) {
          // The time that counts is the one at which the request should have been sent, so that a
          // server that is late cannot hide it by holding up the client.
          due = began + (long) (number * 1e9 / task.perSecond());
          if (due >= end) {
            return;
          }
          await(due);
        }
        try {
          if (connection == null) {
            connection = connect();
          }
          exchange(connection, number);
          latencies.recordValue(Math.min(System.nanoTime() - due, LONGEST_LATENCY));
          failuresInARow = 0;
          if (!connection.reusable() || !task.keepAlive()) {
            connection.close();
            connection = null;
          }
        } catch (IOException | RuntimeException e) {
          bad.incrementAndGet();
          failuresInARow++;
          failure.compareAndSet("", "" + e.getMessage());
          if (connection != null) {
            connection.close();
            connection = null;
          }
        }
      }
    } finally {
      if (connection != null) {
        connection.close();
      }
    }
  }

  private static void await(long nanoTime) {
    long left;
    while ((left = nanoTime - System.nanoTime()) > 0) {
      LockSupport.parkNanos(left);
    }
  }

  private void exchange(ClientConnection connection, long number) throws IOException {
    String target = url.getRawPath();
    if (task.url().contains("{n}")) {
      target = URI.create(task.url().replace("{n}", Long.toString(number))).getRawPath();
    }
    ClientConnection.Answer answer =
        connection.exchange(
            task.method(),
            target,
            headers(number),
            task.bodyBytes(),
            content.duplicate(),
            task.keepAlive(),
            false);
    if (!task.wants(answer.status())) {
      throw new IOException(
          task.method() + " was answered " + answer.status() + " " + answer.text().strip());
    }
    String lastLine = answer.text().strip().lines().reduce("", (first, second) -> second);
    if (!lastLine.startsWith(task.lastLine())) {
      throw new IOException(task.method() + " ended with " + lastLine);
    }
    good.incrementAndGet();
    bytes.addAndGet(answer.bytes() + Math.max(0, task.bodyBytes()));
  }

  private Map<String, String> headers(long number) {
    if (!numbered) {
      return task.headers();
    }
    var headers = new HashMap<>(task.headers());
    headers.replaceAll((name, value) -> value.replace("{n}", Long.toString(number)));
    return headers;
  }

  private ClientConnection connect() throws IOException {
    SSLEngine engine = null;
    if (tls != null) {
      engine = tls.engine(url.getHost(), url.getPort());
      if (!task.cipher().isEmpty()) {
        engine.setEnabledProtocols(new String[] {"TLSv1.3"});
        engine.setEnabledCipherSuites(new String[] {task.cipher()});
      }
    }
    var connection = ClientConnection.open(url, engine, null);
    cipher.compareAndSet("", connection.cipher());
    return connection;
  }
}
