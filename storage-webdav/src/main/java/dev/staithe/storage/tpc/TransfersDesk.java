package dev.staithe.storage.tpc;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.pages.TransfersPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /.staithe/transfers}: third-party copies that wait, run and have ended, as JSON, and as a
 * page where a browser asks; {@code DELETE} below it ends one. Each caller sees what {@link
 * TransferRights} lets them. Safe for use by many threads.
 */
public final class TransfersDesk implements DavHandler.Desk {
  /** Where it is. */
  static final String PATH = "/.staithe/transfers";

  /** Copies in one answer at most, of each state. */
  private static final int MOST_SHOWN = 1000;

  private static final Logger log = LoggerFactory.getLogger(TransfersDesk.class);

  private final Transfers transfers;
  private final TransferRights rights;
  private final Answers answers;

  /** Tells of those copies. */
  public TransfersDesk(Transfers transfers, TransferRights rights, Answers answers) {
    this.transfers = transfers;
    this.rights = rights;
    this.answers = answers;
  }

  @Override
  public boolean takes(String method, String rawPath) {
    return rawPath.equals(PATH) || rawPath.startsWith(PATH + "/");
  }

  @Override
  public void answer(Request request, Response response, Caller caller) throws IOException {
    String path = request.getHttpURI().getPath();
    String id = path.length() > PATH.length() + 1 ? path.substring(PATH.length() + 1) : "";
    String method = request.getMethod();
    boolean read = method.equals("GET") || method.equals("HEAD");
    if (!read && !(method.equals("DELETE") && !id.isEmpty())) {
      response.getHeaders().put(HttpHeader.ALLOW, id.isEmpty() ? "GET, HEAD" : "GET, HEAD, DELETE");
      answers.refuse(request, response, 405, "the method " + method + " is not supported here");
    } else if (caller instanceof Caller.Anonymous) {
      answers.deny(
          request,
          response,
          new Admission.Refused(true, "transfers are shown to those who have a credential"));
    } else if (id.isEmpty() && Answers.wantsPage(request)) {
      answers.page(response, TransfersPage.html(rows(all(caller, from(request)))));
    } else if (id.isEmpty()) {
      json(request, response, 200, json(all(caller, from(request))));
    } else if (read) {
      one(request, response, caller, id);
    } else {
      cancel(request, response, caller, id);
    }
  }

  private static @Nullable InetAddress from(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress remote
        ? remote.getAddress()
        : null;
  }

  /** One that the caller sees. */
  private record Seen(TransferView view, boolean mayCancel) {}

  /**
   * What the caller sees.
   *
   * @param shown the first of each state
   */
  private record All(int running, int queued, int ended, List<Seen> shown) {}

  /** The longest running first, then the queue in the order of asking, then the last to end. */
  private All all(Caller caller, @Nullable InetAddress from) {
    // Before those that run, so that one which ends meanwhile is in both rather than in none.
    List<TransferView> ended =
        transfers.ended().stream().filter(view -> rights.sees(caller, from, view.about())).toList();
    List<Transfer> live =
        transfers.live().stream()
            .filter(transfer -> rights.sees(caller, from, transfer.about()))
            .sorted(Comparator.comparing(transfer -> transfer.about().asked()))
            .toList();
    List<Transfer> queued = live.stream().filter(Transfer::queued).toList();
    List<Transfer> running = live.stream().filter(transfer -> !transfer.queued()).toList();
    List<Seen> shown = new ArrayList<>();
    for (List<Transfer> some : List.of(running, queued)) {
      some.stream()
          .limit(MOST_SHOWN)
          .forEach(
              transfer ->
                  shown.add(
                      new Seen(transfer.view(), rights.mayCancel(caller, from, transfer.about()))));
    }
    ended.stream().limit(MOST_SHOWN).forEach(view -> shown.add(new Seen(view, false)));
    return new All(running.size(), queued.size(), ended.size(), shown);
  }

  private static List<TransfersPage.Row> rows(All all) {
    return all.shown().stream().map(seen -> row(seen.view(), seen.mayCancel())).toList();
  }

  private static TransfersPage.Row row(TransferView view, boolean mayCancel) {
    boolean ended = view.state() == TransferView.State.ENDED;
    String why = ended ? Objects.requireNonNullElse(view.reason(), "") : view.why();
    return new TransfersPage.Row(
        mayCancel && !ended ? PATH + "/" + view.about().id() : "",
        ended ? Objects.requireNonNullElse(view.outcome(), "") : view.state().label(),
        view.about().href(),
        view.about().direction() == CopyRequest.Direction.PULL,
        view.about().remote(),
        view.bytes(),
        view.size(),
        view.rate(),
        why);
  }

  private Map<String, Object> json(All all) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("time", transfers.clock().instant().toString());
    answer.put("running", all.running());
    answer.put("queued", all.queued());
    answer.put("ended", all.ended());
    answer.put(
        "transfers", all.shown().stream().map(seen -> seen.view().json(seen.mayCancel())).toList());
    return answer;
  }

  private void one(Request request, Response response, Caller caller, String id)
      throws IOException {
    InetAddress from = from(request);
    Optional<TransferView> found =
        transfers
            .live(id)
            .map(Transfer::view)
            .or(() -> ended(id))
            .filter(view -> rights.sees(caller, from, view.about()));
    if (found.isEmpty()) {
      noSuch(request, response);
      return;
    }
    json(
        request,
        response,
        200,
        found.get().json(rights.mayCancel(caller, from, found.get().about())));
  }

  private Optional<TransferView> ended(String id) {
    return transfers.ended().stream().filter(view -> view.about().id().equals(id)).findFirst();
  }

  private void cancel(Request request, Response response, Caller caller, String id)
      throws IOException {
    InetAddress from = from(request);
    Optional<Transfer> found =
        transfers.live(id).filter(transfer -> rights.sees(caller, from, transfer.about()));
    if (found.isEmpty()) {
      if (ended(id).filter(view -> rights.sees(caller, from, view.about())).isPresent()) {
        answers.refuse(request, response, 409, "this transfer has ended");
      } else {
        noSuch(request, response);
      }
      return;
    }
    Transfer.About about = found.get().about();
    if (!rights.mayCancel(caller, from, about)) {
      answers.deny(
          request,
          response,
          new Admission.Refused(false, "you see this transfer, and may not cancel it"));
      return;
    }
    log.info(
        "transfer {} of {} is cancelled by {}: {} {}, request {}",
        id,
        about.caller(),
        caller.label(),
        about.href(),
        about.remote(),
        about.request());
    found.get().cancel("cancelled by " + caller.label());
    json(request, response, 202, found.get().view().json(false));
  }

  /** Whoever may not see it is told the same as where there is none. */
  private void noSuch(Request request, Response response) throws IOException {
    answers.refuse(request, response, 404, "there is no such transfer");
  }

  private static void json(
      Request request, Response response, int status, Map<String, Object> object)
      throws IOException {
    byte[] content = (JSONObjectUtils.toJSONString(object) + "\n").getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
    Content.Sink.write(
        response,
        true,
        request.getMethod().equals("HEAD") ? ByteBuffer.allocate(0) : ByteBuffer.wrap(content));
  }
}
