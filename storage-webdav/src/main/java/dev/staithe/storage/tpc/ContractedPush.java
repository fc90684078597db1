package dev.staithe.storage.tpc;

import dev.staithe.http.HeaderField;
import dev.staithe.storage.contracts.PushContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import java.util.Optional;
/** A push's contract on the wire; what fails of it ends the copy. For one thread. */
final class ContractedPush {
  private final PushContract contract;
  private final RemoteSession session;
  private final RemoteUrl to;

  /**
   * Sends nothing yet.
   *
   * @param to the URL that the client named
   */
  ContractedPush(PushContract contract, RemoteSession session, RemoteUrl to) {
    this.contract = contract;
    this.session = session;
    this.to = to;
  }

  /** A step. */
  private interface Step<T> {
    T take() throws IOException;
  }

  private static <T> T told(int status, Step<T> step) throws RemoteFailure {
    try {
      return step.take();
    } catch (IOException | UncheckedIOException failed) {
      throw new RemoteFailure(String.valueOf(failed.getMessage()), status);
    }
  }

  /** Whether there is to be one with that host. */
  boolean wanted() throws RemoteFailure {
    return told(403, () -> contract.with(to.authority(), to.absolute()));
  }

  /**
   * Has the destination agree to take these bytes before one of them goes. A redirect is no
   * agreement: where it leads to, nothing was offered.
   */
  void offer(long size, byte[] sha256) throws IOException {
    RemoteSession.Reply reply =
        session.once(
            (connection, url, forwarded) -> {
              List<HeaderField> fields = new ArrayList<>(forwarded);
              fields.add(new HeaderField("Content-Length", "0"));
              RemoteSession.replace(
                  fields,
                  told(
                      403,
                      () ->
                          contract.offer(
                              url.authority(), url.absolute(), forwarded, size, sha256)));
              connection.begin("POST", false);
              connection.send(RemoteSession.head("POST", url, fields));
              return connection.receive();
            });
    String detail = Problem.detail(reply);
    told(
        403,
        () -> {
          contract.answered(reply.head().status(), reply.head().fields().list(), detail);
          return contract.agreed();
        });
  }

  /** Whether the destination has agreed. */
  boolean agreed() {
    return contract.agreed();
  }

  /** Adds to a PUT what brings the file under contract, if that is agreed. */
  void deliver(RemoteUrl url, List<HeaderField> fields) throws RemoteFailure {
    RemoteSession.replace(
        fields, told(403, () -> contract.deliver(url.absolute(), List.copyOf(fields))));
  }

  /** All bytes have gone out. */
  void sent() {
    contract.sent();
  }

  /** The destination says that it has the file. */
  void taken() throws RemoteFailure {
    told(
        0,
        () -> {
          contract.taken();
          return true;
        });
  }

  /** The copy is over. */
  void ended() {
    contract.ended();
  }
  /** Its id, once the file goes out under it; empty: none. */
  Optional<String> id() {
    return contract.id();
  }

}
