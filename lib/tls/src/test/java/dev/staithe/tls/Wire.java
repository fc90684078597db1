package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** Two engines joined in memory, driven by one thread. */
final class Wire {
  private static final int ROOM = 1 << 20;

  final SSLEngine client;
  final SSLEngine server;
  final ByteBuffer toServer = ByteBuffer.allocateDirect(ROOM);
  final ByteBuffer toClient = ByteBuffer.allocateDirect(ROOM);
  boolean clientFinished;
  boolean serverFinished;

  Wire(SSLEngine client, SSLEngine server) {
    this.client = client;
    this.server = server;
  }

  /** Runs the handshake until both ends are done with it, tickets included. */
  void handshake() throws SSLException {
    client.beginHandshake();
    server.beginHandshake();
    for (int round = 0; round < 50; round++) {
      boolean moved = step(client, toClient, toServer, true);
      moved |= step(server, toServer, toClient, false);
      if (!moved && clientFinished && serverFinished) {
        return;
      }
    }
    throw new AssertionError(
        "no end of the handshake: " + client.getHandshakeStatus() + server.getHandshakeStatus());
  }

  private boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out, boolean isClient)
      throws SSLException {
    return switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        engine.getDelegatedTask().run();
        yield true;
      }
      case NEED_WRAP -> note(engine.wrap(ByteBuffer.allocate(0), out), isClient);
      case NEED_UNWRAP, NOT_HANDSHAKING, NEED_UNWRAP_AGAIN -> {
        if (in.position() == 0 && engine.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP) {
          yield false;
        }
        var nothing = ByteBuffer.allocateDirect(ROOM);
        SSLEngineResult result = unwrap(engine, in, nothing);
        assertThat(nothing.position()).as("no data during the handshake").isZero();
        yield note(result, isClient);
      }
      case FINISHED -> throw new AssertionError("FINISHED is no state of an engine");
    };
  }

  private boolean note(SSLEngineResult result, boolean isClient) {
    if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      if (isClient) {
        clientFinished = true;
      } else {
        serverFinished = true;
      }
    }
    return result.bytesConsumed() + result.bytesProduced() > 0
        || result.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
  }

  /** Unwraps once from a wire that is in the state of being filled. */
  static SSLEngineResult unwrap(SSLEngine engine, ByteBuffer wire, ByteBuffer... data)
      throws SSLException {
    wire.flip();
    try {
      return engine.unwrap(wire, data);
    } finally {
      wire.compact();
    }
  }

  /** Encrypts all of the data onto the wire. */
  static int wrapAll(SSLEngine engine, ByteBuffer data, ByteBuffer wire) throws SSLException {
    int calls = 0;
    while (data.hasRemaining()) {
      SSLEngineResult result = engine.wrap(data, wire);
      assertThat(result.getStatus()).isEqualTo(Status.OK);
      calls++;
    }
    return calls;
  }

  /** How many whole or broken records lie on a wire. */
  static int records(ByteBuffer wire) {
    int records = 0;
    for (int at = 0; at + 5 <= wire.position(); records++) {
      at = next(wire, at);
    }
    return records;
  }

  /** Where the record of this index begins on a wire. */
  static int start(ByteBuffer wire, int index) {
    int at = 0;
    for (int i = 0; i < index; i++) {
      at = next(wire, at);
    }
    return at;
  }

  private static int next(ByteBuffer wire, int at) {
    return at + 5 + (wire.getShort(at + 3) & 0xffff);
  }
}
