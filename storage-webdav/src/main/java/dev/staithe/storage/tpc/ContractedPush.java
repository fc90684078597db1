package dev.staithe.storage.tpc;

import dev.staithe.http.HeaderField;
import dev.staithe.http.ResponseHead;
import dev.staithe.storage.contracts.PushContract;
import dev.staithe.storage.remote.Problem;
import dev.staithe.storage.remote.RemoteFailure;
import dev.staithe.storage.remote.RemoteSession;
import dev.staithe.storage.remote.RemoteUrl;
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
  private RemoteSession.Place place;

  /**
   * Sends nothing yet.
   *
   * @param to the URL that the client named
   */
  ContractedPush(PushContract contract, RemoteSession session, RemoteUrl to) {
    this.contract = contract;
    this.session = session;
    this.to = to;
    this.place = session.named();
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
    return wanted(to);
  }

  private boolean wanted(RemoteUrl with) throws RemoteFailure {
    return told(403, () -> contract.with(with.authority(), with.absolute()));
  }

  /**
   * Has the destination agree to take these bytes before one of them goes. Where a redirect leads
   * to a partner the file is offered anew, and goes there; to another it is not followed.
   */
  void offer(long size, byte[] sha256) throws IOException {
    RemoteSession.Reply reply =
        session.request(
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
              ResponseHead answer = connection.receive();
              if (answer.status() == 303) {
                throw RemoteFailure.rejected("POST", answer);
              }
              return answer;
            },
            session.named(),
            this::wanted);
    place = reply.place();
    String detail = Problem.detail(reply);
    told(
        403,
        () -> {
          contract.answered(reply.head().status(), reply.head().fields().list(), detail);
          return contract.agreed();
        });
  }

  /** Where the file is to be put: there the destination has agreed, or the client said so. */
  RemoteSession.Place place() {
    return contract.agreed() ? place : session.named();
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

  /** Its id, once the file goes out under it; empty: none. */
  Optional<String> id() {
    return contract.id();
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
}
