package dev.staithe.perf.user;

import dev.staithe.perf.lean.AnswerReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a virtual user: one request on the way at a time, made again where the server has
 * closed it. Belongs to the thread of its loop.
 */
final class UserConnection {
  private final UserLoop loop;
  private final InetSocketAddress address;
  private final AnswerReader answer = new AnswerReader();
  private @Nullable SocketChannel channel;
  private @Nullable SelectionKey key;
  private @Nullable ByteBuffer request;
  private @Nullable Receiver receiver;

  /** Whether the request on the way is the first of its connection. */
  private boolean fresh;

  /** Whether something of the answer has come. */
  private boolean answering;

  /** Who waits for an answer. */
  interface Receiver {
    /** The answer is whole, and valid until the next request. */
    void answered(AnswerReader answer);

    /** There is none. */
    void failed(IOException reason);
  }

  UserConnection(UserLoop loop, InetSocketAddress address) {
    this.loop = loop;
    this.address = address;
  }

  /** Whether a request is on the way. */
  boolean busy() {
    return receiver != null;
  }

  /** Sends a request whole; the receiver hears of it once, never before this returns. */
  void send(byte[] whole, Receiver waiting) {
    if (busy()) {
      throw new IllegalStateException("a request is on the way already");
    }
    receiver = waiting;
    request = ByteBuffer.wrap(whole);
    answering = false;
    answer.reset();
    begin();
  }

  private void begin() {
    try {
      SocketChannel open = channel;
      SelectionKey registered = key;
      fresh = open == null || registered == null;
      if (open == null || registered == null) {
        open = SocketChannel.open();
        channel = open;
        open.configureBlocking(false);
        open.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean connected = open.connect(address);
        registered =
            open.register(
                loop.selector(), connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
        key = registered;
        if (!connected) {
          return;
        }
      }
      write(open, registered);
    } catch (IOException e) {
      // The receiver must not hear of it before send has returned.
      loop.at(System.nanoTime(), () -> fail(e));
    }
  }

  private void write(SocketChannel open, SelectionKey registered) throws IOException {
    ByteBuffer left = request;
    if (left != null) {
      open.write(left);
      int interest =
          left.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
      if (registered.interestOps() != interest) {
        registered.interestOps(interest);
      }
    }
  }

  /** The selector has found something to do. */
  void ready() {
    SocketChannel open = channel;
    SelectionKey registered = key;
    if (open == null || registered == null || !registered.isValid()) {
      return;
    }
    try {
      if (registered.isConnectable() && open.finishConnect()) {
        write(open, registered);
      } else {
        if (registered.isWritable()) {
          write(open, registered);
        }
        if (registered.isReadable()) {
          read(open);
        }
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void read(SocketChannel open) throws IOException {
    ByteBuffer incoming = loop.incoming();
    int n = open.read(incoming);
    Receiver waiting = receiver;
    if (n < 0) {
      throw new EOFException("the server has closed the connection");
    }
    if (waiting == null) {
      throw new IOException("an answer without a request");
    }
    answering = true;
    if (answer.take(incoming.flip())) {
      receiver = null;
      request = null;
      if (!answer.reusable()) {
        close();
      }
      waiting.answered(answer);
    }
  }

  private void fail(IOException reason) {
    Receiver waiting = receiver;
    ByteBuffer sent = request;
    boolean again = !fresh && !answering && reason instanceof EOFException;
    close();
    if (waiting == null || sent == null) {
      return; // an idle connection was closed; the next request makes another
    }
    if (again) {
      // It was closed while the request was on the way to it: nobody has seen that one.
      request = sent.rewind();
      answer.reset();
      begin();
      return;
    }
    receiver = null;
    request = null;
    waiting.failed(reason);
  }

  /** Closes it; the next request makes another. */
  void close() {
    SocketChannel open = channel;
    channel = null;
    key = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // nothing is waited for any more
      }
    }
  }
}
