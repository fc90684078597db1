package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.staithe.peers.VersityServer;
import dev.staithe.testkit.FaultyWay;
import dev.staithe.testkit.FaultyWay.Fault;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of requests where the engine, or the way to it, fails. */
final class EngineFaultsIT {
  private static final S3Settings PATIENT =
      new S3Settings(
          Duration.ofSeconds(5),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          3,
          Duration.ofMillis(2),
          8);

  private static VersityServer engine;
  private static RenewedCredentials credentials;

  private final String key = "f/" + UUID.randomUUID();
  private FaultyWay way;
  private S3Client client;

  @BeforeAll
  static void start() throws IOException {
    engine = VersityServer.start("bucket");
    credentials =
        new RenewedCredentials(engine.credentialsFile(), Duration.ZERO, Clock.systemUTC());
  }

  @AfterAll
  static void end() {
    credentials.close();
    engine.close();
  }

  @BeforeEach
  void way() {
    way = FaultyWay.to(engine.port());
    client = client(way.endpoint(), "bucket", PATIENT);
  }

  @AfterEach
  void closed() throws IOException {
    client.close();
    way.close();
  }

  private static S3Client client(URI endpoint, String bucket, S3Settings settings) {
    return EngineContract.client(endpoint, bucket, credentials, settings, Clock.systemUTC());
  }

  private static List<ByteBuffer> bytes(String text) {
    return List.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private Written put(WriteCondition condition) throws S3Failure {
    return client.put(key, bytes("content"), Map.of(), condition);
  }

  private static void fails(S3Failure.Kind kind, String line, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(S3Failure.class))
        .satisfies(
            failure -> {
              assertThat(failure.getMessage()).contains(line).doesNotContain("\n");
              assertThat(failure.kind()).isEqualTo(kind);
            });
  }

  @Test
  void whenTheEngineAsksForPatienceOrFailsThenTheRequestComesAgain() throws IOException {
    way.next(new Fault.Says(503, "SlowDown"), new Fault.Says(500, "InternalError"));
    assertThat(put(WriteCondition.NONE)).isInstanceOf(Written.Stored.class);
    assertThat(way.connections()).isEqualTo(3);
  }

  @Test
  void whenTheEngineGoesOnRefusingThenAttemptsHaveAnEnd() throws IOException {
    way.next(
        new Fault.Says(503, "SlowDown"),
        new Fault.Says(503, "SlowDown"),
        new Fault.Says(503, "SlowDown"));
    fails(
        S3Failure.Kind.BUSY,
        "asks for patience: 503 SlowDown to PUT",
        () -> put(WriteCondition.NONE));
    way.next(
        new Fault.Says(500, "InternalError"),
        new Fault.Says(502, "BadGateway"),
        new Fault.Says(500, "InternalError"));
    fails(S3Failure.Kind.FAILED, "failed: 500 InternalError to GET", () -> client.tags(key));
    assertThat(way.connections()).isEqualTo(6);
    assertThat(way.left()).isZero();
  }

  @Test
  void whenTheBodyOfAnObjectIsCutOffThenItGoesOnFromThere() throws IOException {
    byte[] content = new byte[3_000_000];
    new Random(2).nextBytes(content);
    client.put(key, List.of(ByteBuffer.wrap(content)), Map.of(), WriteCondition.NONE);
    way.next(new Fault.CutsAfter(1_000_000), new Fault.CutsAfter(900_000));
    byte[] read = new byte[content.length];
    try (ObjectBody body = client.get(key).orElseThrow()) {
      int n = 0;
      for (ByteBuffer slice = body.next(); slice != null; slice = body.next()) {
        int length = slice.remaining();
        slice.get(read, n, length);
        n += length;
      }
      assertThat(n).isEqualTo(content.length);
    }
    assertThat(read).isEqualTo(content);
    assertThat(way.left()).isZero();
  }

  @Test
  void whenTheBodyIsCutOffAgainAndAgainThenTheReaderIsTold() throws IOException {
    client.put(key, bytes("x".repeat(100_000)), Map.of(), WriteCondition.NONE);
    Fault[] cuts = new Fault[6];
    Arrays.fill(cuts, new Fault.CutsAfter(10_000));
    way.next(cuts);
    try (ObjectBody body = client.get(key).orElseThrow()) {
      fails(
          S3Failure.Kind.UNREACHABLE,
          "breaks off in the middle of an object",
          () -> {
            while (body.next() != null) {
              assertThat(body.left()).isPositive();
            }
          });
    }
  }

  @Test
  void whenTheAnswerToACreationIsLostThenItIsOursAndNoConflict() throws IOException {
    way.next(new Fault.LosesAnswer());
    assertThat(put(WriteCondition.ABSENT)).isInstanceOf(Written.Stored.class);
    assertThat(put(WriteCondition.ABSENT)).isEqualTo(new Written.ConditionFailed());
  }

  @Test
  void whenTheAnswerToACompletionIsLostThenItIsOurs() throws IOException {
    PartUpload upload = client.begin(key, Map.of());
    String part = client.part(upload, 1, bytes("content"));
    // What engines say that have forgotten uploads that are complete.
    way.next(new Fault.LosesAnswer(), new Fault.Says(404, "NoSuchUpload"));
    assertThat(client.complete(upload, List.of(part), WriteCondition.NONE))
        .isInstanceOf(Written.Stored.class);
    assertThat(way.left()).isZero();
  }

  @Test
  void whenCredentialsAreWrongThenOneLineSaysSoAndRenewedOnesAreUsedAtOnce() throws IOException {
    Path file = engine.credentialsFile();
    String right = Files.readString(file);
    try {
      Files.writeString(file, VersityServer.credentials("staithe-test", "the-secret-of-before"));
      credentials.renewed();
      assertThatThrownBy(() -> put(WriteCondition.NONE))
          .isInstanceOf(S3Failure.class)
          .hasMessageContaining("does not accept the credentials, or they do not do: 403 Sig")
          .hasMessageNotContaining("secret-of");
    } finally {
      Files.writeString(file, right);
    }
    assertThatCode(() -> put(WriteCondition.NONE)).doesNotThrowAnyException();
  }

  @Test
  void whenTheBucketIsGoneThenItIsSaid() {
    try (S3Client other = client(engine.endpoint(), "no-such-bucket", PATIENT)) {
      String line = "has no bucket no-such-bucket: 404 NoSuchBucket";
      fails(S3Failure.Kind.NO_BUCKET, line, () -> other.get(key));
      fails(S3Failure.Kind.NO_BUCKET, line, () -> other.list("", false, "", 1));
      fails(
          S3Failure.Kind.NO_BUCKET,
          line,
          () -> other.put(key, bytes("x"), Map.of(), WriteCondition.NONE));
    }
  }

  @Test
  void whenNobodyListensThenItIsSaid() {
    URI nowhere = URI.create("http://127.0.0.1:" + FreePort.next());
    try (S3Client other = client(nowhere, "bucket", PATIENT)) {
      fails(
          S3Failure.Kind.UNREACHABLE,
          "connecting to the object store 127.0.0.1:",
          () -> other.head(key));
    }
  }

  @Test
  void whenTheClocksDifferThenItIsSaid() {
    MutableClock clock = MutableClock.at(Instant.now().minus(Duration.ofMinutes(20)));
    try (S3Client other =
        EngineContract.client(engine.endpoint(), "bucket", credentials, PATIENT, clock)) {
      fails(
          S3Failure.Kind.CLOCK,
          "refuses, as its clock is 20 min ahead of this machine's: 403 RequestTimeTooSkewed to GET",
          () -> other.get(key));
      fails(
          S3Failure.Kind.CLOCK,
          "refuses, as its clock is 20 min ahead of this machine's: 403 to HEAD",
          () -> other.head(key));
    }
  }

  @Test
  void whenTheEngineStandsStillThenPatienceEnds() throws IOException {
    var hasty =
        new S3Settings(
            Duration.ofSeconds(5),
            Duration.ofMillis(300),
            Duration.ofMillis(300),
            2,
            Duration.ofMillis(2),
            8);
    try (S3Client other = client(engine.endpoint(), "bucket", hasty)) {
      other.put(key, bytes("content"), Map.of(), WriteCondition.NONE);
      // What it waits for longer leaves no such patience behind.
      other.copy(other.head(key).orElseThrow(), key + "-copy");
      engine.pause();
      try {
        fails(S3Failure.Kind.UNREACHABLE, " within 300 ms", () -> other.head(key));
      } finally {
        engine.resume();
      }
    }
  }
}
