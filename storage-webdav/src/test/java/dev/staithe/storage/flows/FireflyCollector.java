package dev.staithe.storage.flows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receives fireflies on loopback. */
final class FireflyCollector implements AutoCloseable {
  private static final Pattern LINE =
      Pattern.compile(
          "<134>1 \\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z [!-~]+ staithe-storage - firefly-json - (\\{.*})");

  private final DatagramSocket socket;

  FireflyCollector() {
    try {
      socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return socket.getLocalPort();
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  /** The next datagram's JSON, or nothing within so many milliseconds. */
  Optional<JsonNode> next(int millis) {
    try {
      socket.setSoTimeout(millis);
      DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
      socket.receive(packet);
      String line = new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new AssertionError("no firefly: " + line);
      }
      return Optional.of(JsonMapper.shared().readTree(parts.group(1)));
    } catch (SocketTimeoutException none) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next datagram's JSON. */
  JsonNode next() {
    return next(180_000).orElseThrow(() -> new AssertionError("no firefly came"));
  }

  @Override
  public void close() {
    socket.close();
  }
}
