package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BatchingSslEngineTests {
  private static final int BATCH = 256 * 1024;
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir static Path folder;
  private static TestMaterial material;

  @BeforeAll
  static void makeCertificate() {
    material = new TestMaterial(folder, CLOCK);
    material.issue("se.test");
  }

  static Stream<Arguments> pairs() {
    return Providers.pairs();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void oneCallEncryptsAndOneCallDecryptsAWholeBatch(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    settle(wire);
    ByteBuffer data = random(1, BATCH);
    int room = wire.client.getSession().getPacketBufferSize();
    ByteBuffer packets = ByteBuffer.allocateDirect(room);

    SSLEngineResult wrapped = wire.client.wrap(data, packets);

    assertThat(wrapped.getStatus()).isEqualTo(Status.OK);
    assertThat(wrapped.bytesConsumed()).isEqualTo(BATCH);
    assertThat(wrapped.bytesProduced()).isEqualTo(packets.position());
    assertThat(Wire.records(packets)).isBetween(16, 17);
    packets.flip();

    ByteBuffer received =
        ByteBuffer.allocateDirect(wire.server.getSession().getApplicationBufferSize());
    SSLEngineResult unwrapped = wire.server.unwrap(packets, received);

    assertThat(unwrapped.getStatus()).isEqualTo(Status.OK);
    assertThat(unwrapped.bytesProduced()).isEqualTo(BATCH);
    assertThat(packets.hasRemaining()).isFalse();
    assertThat(received.flip()).isEqualTo(data.rewind());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void everyByteArrivesWhateverTheSizesOfBuffers(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    for (int seed = 0; seed < 12; seed++) {
      boolean clientBatches = (seed & 1) == 0;
      boolean serverBatches = (seed & 2) == 0;
      Wire wire =
          connected(client, server, protocol, clientBatches ? BATCH : 0, serverBatches ? BATCH : 0);
      var description =
          "seed %d, %s to %s, %s, batching %s to %s"
              .formatted(seed, client, server, protocol, clientBatches, serverBatches);
      RandomTransfer.toServer(description, seed, wire).run(3_000_000);
      RandomTransfer.toClient(description, seed + 100, wire).run(3_000_000);
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void changesOfKeysPassUnnoticed(TlsProvider client, TlsProvider server, String protocol)
      throws Exception {
    // The JDK changes its keys after every 4 MiB here: see key-updates.security.
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    settle(wire);
    boolean changed = false;
    var received = ByteBuffer.allocateDirect(2 * BATCH);
    for (int round = 0; round < 100; round++) {
      ByteBuffer data = random(round, BATCH);
      Wire.wrapAll(wire.client, data, wire.toServer);
      received.clear();
      while (wire.toServer.position() > 0) {
        Wire.unwrap(wire.server, wire.toServer, received);
        changed |= flush(wire.server, wire.toClient);
      }
      assertThat(received.flip()).isEqualTo(data.rewind());
      Wire.wrapAll(wire.server, ByteBuffer.allocate(1), wire.toClient);
      while (wire.toClient.position() > 0) {
        Wire.unwrap(wire.client, wire.toClient, ByteBuffer.allocateDirect(BATCH));
        changed |= flush(wire.client, wire.toServer);
      }
      changed |= flush(wire.client, wire.toServer);
    }
    if (server == Providers.JDK && protocol.equals("TLSv1.3")) {
      assertThat(changed).as("keys were changed").isTrue();
    }
  }

  /** Whether the engine had more to say than its data. */
  private static boolean flush(SSLEngine engine, ByteBuffer wire) throws SSLException {
    boolean said = false;
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      engine.wrap(ByteBuffer.allocate(0), wire);
      said = true;
    }
    return said;
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void dataBeforeTheClosureIsDeliveredBeforeTheClosure(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    settle(wire);
    ByteBuffer data = random(2, 100_000);
    Wire.wrapAll(wire.client, data, wire.toServer);
    wire.client.closeOutbound();
    while (!wire.client.isOutboundDone()) {
      wire.client.wrap(ByteBuffer.allocate(0), wire.toServer);
    }
    ByteBuffer received = ByteBuffer.allocateDirect(BATCH + 512);

    SSLEngineResult first = Wire.unwrap(wire.server, wire.toServer, received);

    assertThat(first.getStatus()).isEqualTo(Status.OK);
    assertThat(first.bytesProduced()).isEqualTo(100_000);
    assertThat(wire.server.isInboundDone()).as("the closure is still to come").isFalse();
    assertThat(wire.toServer.position()).as("and there is a reason to come back").isPositive();
    assertThat(wire.server.wrap(ByteBuffer.allocate(9), wire.toClient).getStatus())
        .as("what came before the closure can be answered")
        .isEqualTo(Status.OK);

    SSLEngineResult second = Wire.unwrap(wire.server, wire.toServer, received);

    assertThat(second.getStatus()).isEqualTo(Status.CLOSED);
    assertThat(second.bytesProduced()).isZero();
    assertThat(wire.toServer.position()).isZero();
    assertThat(wire.server.isInboundDone()).isTrue();
    assertThat(received.flip()).isEqualTo(data.rewind());
    assertThat(Wire.unwrap(wire.server, wire.toServer, ByteBuffer.allocate(BATCH)).getStatus())
        .as("it stays closed")
        .isEqualTo(Status.CLOSED);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void closureAloneIsReportedAtOnce(TlsProvider client, TlsProvider server, String protocol)
      throws Exception {
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    settle(wire);
    wire.client.closeOutbound();
    SSLEngineResult goodbye = wire.client.wrap(ByteBuffer.allocate(0), wire.toServer);

    assertThat(goodbye.getStatus()).isEqualTo(Status.CLOSED);
    assertThat(Wire.unwrap(wire.server, wire.toServer, ByteBuffer.allocate(BATCH)).getStatus())
        .isEqualTo(Status.CLOSED);
    assertThat(wire.client.wrap(ByteBuffer.allocate(10), wire.toServer).getStatus())
        .isEqualTo(Status.CLOSED);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void recordsBeforeAForgedOneAreDeliveredAndThenItFails(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    settle(wire);
    ByteBuffer data = random(3, 5 * 16_384);
    Wire.wrapAll(wire.client, data, wire.toServer);
    int third = Wire.start(wire.toServer, 2) + 1000;
    wire.toServer.put(third, (byte) (wire.toServer.get(third) ^ 1));
    ByteBuffer received = ByteBuffer.allocateDirect(BATCH);

    SSLEngineResult result = Wire.unwrap(wire.server, wire.toServer, received);

    int before = result.bytesProduced();
    assertTwoRecordsOf(data, received, before);
    assertThatThrownBy(() -> Wire.unwrap(wire.server, wire.toServer, received))
        .isInstanceOf(SSLException.class);
    assertThat(received.position()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void truncatedStreamGivesItsWholeRecordsAndWaitsForTheRest(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    settle(wire);
    ByteBuffer data = random(4, 3 * 16_384);
    Wire.wrapAll(wire.client, data, wire.toServer);
    wire.toServer.position(Wire.start(wire.toServer, 3) - 1);
    ByteBuffer received = ByteBuffer.allocateDirect(BATCH);

    SSLEngineResult result = Wire.unwrap(wire.server, wire.toServer, received);

    assertThat(result.getStatus()).isEqualTo(Status.OK);
    assertTwoRecordsOf(data, received, result.bytesProduced());
    SSLEngineResult rest = Wire.unwrap(wire.server, wire.toServer, received);
    assertThat(rest.getStatus()).isEqualTo(Status.BUFFER_UNDERFLOW);
    assertThat(rest.bytesConsumed() + rest.bytesProduced()).isZero();
    assertThat(wire.server.isInboundDone()).as("no goodbye was said").isFalse();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void nothingToSendIsNoEndlessLoop(TlsProvider client, TlsProvider server, String protocol)
      throws Exception {
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    settle(wire);

    SSLEngineResult wrapped = wire.client.wrap(ByteBuffer.allocate(0), wire.toServer);
    SSLEngineResult unwrapped =
        wire.server.unwrap(ByteBuffer.allocate(0), ByteBuffer.allocate(BATCH));

    assertThat(wrapped.getStatus()).isEqualTo(Status.OK);
    assertThat(wrapped.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
    assertThat(unwrapped.getStatus()).isEqualTo(Status.BUFFER_UNDERFLOW);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void destinationWithoutRoomOverflowsAndLosesNothing(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    settle(wire);
    ByteBuffer data = random(5, 40_000);

    SSLEngineResult wrapped = wire.client.wrap(data, ByteBuffer.allocateDirect(100));

    assertThat(wrapped.getStatus()).isEqualTo(Status.BUFFER_OVERFLOW);
    assertThat(wrapped.bytesConsumed() + wrapped.bytesProduced()).isZero();
    assertThat(data.position()).isZero();
    Wire.wrapAll(wire.client, data, wire.toServer);
    ByteBuffer small = ByteBuffer.allocateDirect(17_000);
    assertThat(Wire.unwrap(wire.server, wire.toServer, small).getStatus())
        .as("one record fits")
        .isEqualTo(Status.OK);
    assertThat(small.position()).isBetween(16_000, 16_384);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void sessionReportsBuffersForABatchAndIsElseTheEngines(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    Wire wire = connected(client, server, protocol, BATCH, BATCH);
    var session = wire.client.getSession();

    assertThat(session.getPacketBufferSize()).isGreaterThanOrEqualTo(16 * 16_406);
    assertThat(session.getApplicationBufferSize()).isGreaterThanOrEqualTo(BATCH);
    assertThat(wire.client.getSession()).as("one session, one object").isSameAs(session);
    assertThat(session.getProtocol()).isEqualTo(protocol);
    assertThat(session.getPeerHost()).isEqualTo("se.test");
    assertThat(session.getPeerPort()).isEqualTo(8443);
    assertThat(session.isValid()).isTrue();
    session.putValue("key", "value");
    assertThat(session.getValue("key")).isEqualTo("value");
  }

  /** Sends a byte each way, so that tickets and other leftovers of the handshake are done with. */
  private static void settle(Wire wire) throws SSLException {
    for (int i = 0; i < 2; i++) {
      SSLEngine from = i == 0 ? wire.server : wire.client;
      SSLEngine to = i == 0 ? wire.client : wire.server;
      ByteBuffer packets = i == 0 ? wire.toClient : wire.toServer;
      Wire.wrapAll(from, ByteBuffer.allocate(1), packets);
      var data = ByteBuffer.allocateDirect(BATCH);
      while (data.position() == 0) {
        Wire.unwrap(to, packets, data);
      }
      assertThat(packets.position()).isZero();
    }
  }

  private static Wire connected(
      TlsProvider client, TlsProvider server, String protocol, int clientBatch, int serverBatch)
      throws SSLException {
    try (var serverTls = material.server(server, CLOCK, serverBatch);
        var clientTls = material.client(client, CLOCK, clientBatch)) {
      var wire = new Wire(clientTls.engine("se.test", 8443), serverTls.context().createSSLEngine());
      wire.client.setEnabledProtocols(new String[] {protocol});
      wire.handshake();
      return wire;
    }
  }

  /** The JDK puts a little less than 16 KiB into a record. */
  private static void assertTwoRecordsOf(ByteBuffer data, ByteBuffer received, int produced) {
    assertThat(produced).isEqualTo(received.position()).isBetween(2 * 16_300, 2 * 16_384);
    assertThat(received.slice(0, produced)).isEqualTo(data.slice(0, produced));
  }

  private static ByteBuffer random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.allocateDirect(length).put(bytes).flip();
  }
}
