package dev.staithe.storage.contracts;

import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.RequestContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Where partners and people bring receipts, and people ask for ours; the answer is our statement of
 * the transfer. Open to everybody: each request is judged by its signature. It is on the data path,
 * as each transfer has one. Stateless.
 */
final class ReceiptDesk implements DavHandler.Desk {
  private static final Pattern PATH =
      Pattern.compile(Pattern.quote(ContractController.CONTRACTS) + "[0-9a-f-]{36}");

  /** As many characters as the table has room for. */
  private static final int MOST_BYTES = 2000;

  private static final List<String> FIELDS =
      List.of("Contract", "Content-Digest", "Signature-Input", "Signature");

  private final ReceiptDoor door;

  ReceiptDesk(ReceiptDoor door) {
    this.door = door;
  }

  @Override
  public boolean takes(String method, String rawPath) {
    return method.equals("POST") && PATH.matcher(rawPath).matches();
  }

  @Override
  public void answer(Request request, Response response, Caller caller) throws IOException {
    byte[] body = new RequestContent(request).whole(MOST_BYTES);
    if (body == null) {
      refuse(response, 413, "a receipt has at most " + MOST_BYTES + " bytes");
      return;
    }
    String id = request.getHttpURI().getPath().substring(ContractController.CONTRACTS.length());
    switch (door.take(id, message(request), new String(body, StandardCharsets.UTF_8))) {
      case ReceiptDoor.Answer.Stated(byte[] statement) ->
          write(response, 201, Statement.MEDIA_TYPE, statement);
      case ReceiptDoor.Answer.Refused(int status, String line) -> refuse(response, status, line);
    }
  }

  private static void refuse(Response response, int status, String line) throws IOException {
    if (status == 503) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, Exchange.RETRY_SECONDS);
    }
    write(response, status, "text/plain", (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void write(Response response, int status, String type, byte[] content)
      throws IOException {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
    Content.Sink.write(response, true, ByteBuffer.wrap(content));
  }

  private static SignedMessage message(Request request) {
    Map<String, List<String>> fields = new HashMap<>();
    for (String name : FIELDS) {
      List<String> values = request.getHeaders().getValuesList(name);
      if (!values.isEmpty()) {
        fields.put(name, values);
      }
    }
    return SignedMessage.request(
        request.getMethod(), ContractJudge.url(request, request.getHttpURI().getPath()), fields);
  }
}
