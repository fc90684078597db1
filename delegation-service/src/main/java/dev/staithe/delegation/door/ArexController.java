package dev.staithe.delegation.door;

import static dev.staithe.delegation.door.CallRefused.done;

import dev.staithe.delegation.credential.Delegation;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.delegation.credential.ProxyRequest;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;

/**
 * Delegation as in the REST interface of ARC's A-REX, versions 1.0 and 1.1: {@code POST
 * /delegations?action=new} gives a request to sign and, in Location, a new id; {@code PUT
 * /delegations/{id}} takes the proxy; {@code POST /delegations/{id}?action=get|renew|delete}. The
 * same at {@code /arex/rest/1.0/delegations}, where its clients look.
 */
@RestController
final class ArexController {
  private static final String OLD = "/arex/rest/1.0/delegations";
  private static final String NEW = "/arex/rest/1.1/delegations";
  private static final String SHORT = "/delegations";

  private final Delegations delegations;

  ArexController(Delegations delegations) {
    this.delegations = delegations;
  }

  /** The versions of the interface. */
  record Versions(List<String> version) {}

  /** All of an owner's. */
  record ShownList(List<Shown> delegation) {}

  /** One. */
  record Shown(String id, String type) {}

  @GetMapping("/arex/rest")
  ResponseEntity<Object> versions(HttpServletRequest request) {
    return wantsXml(request)
        ? xml("<versions><version>1.0</version><version>1.1</version></versions>")
        : ApiController.json(new Versions(List.of("1.0", "1.1")));
  }

  @GetMapping({OLD, NEW, SHORT})
  ResponseEntity<Object> list(
      @RequestAttribute(CallerFilter.OWNER) Owner owner, HttpServletRequest request) {
    // Of other types than this one there are none.
    List<String> ids =
        isOfOtherType(request)
            ? List.of()
            : delegations.list(owner).stream().map(Delegation::id).map(DelegationId::text).toList();
    if (wantsXml(request)) {
      // Ids have no character that XML knows.
      return xml(
          ids.stream()
              .map(id -> "<delegation><id>" + id + "</id><type>x509</type></delegation>")
              .collect(Collectors.joining("", "<delegations>", "</delegations>")));
    }
    return ApiController.json(
        new ShownList(ids.stream().map(id -> new Shown(id, "x509")).toList()));
  }

  @PostMapping({OLD, NEW, SHORT})
  ResponseEntity<byte[]> begin(
      @RequestAttribute(CallerFilter.OWNER) Owner owner, HttpServletRequest request)
      throws CallRefused {
    if (!action(request).equals("new")) {
      throw CallRefused.badRequest("the action is new, as in ?action=new");
    }
    if (isOfOtherType(request)) {
      return ResponseEntity.status(501)
          .contentType(MediaType.TEXT_PLAIN)
          .body(ascii("delegations are of X.509 certificates here, not of tokens\n"));
    }
    return requested(
        RestRefusals.path(request),
        done(delegations.begin(owner, DelegationId.random(), null, null)));
  }

  private static ResponseEntity<byte[]> requested(String list, ProxyRequest request) {
    return ResponseEntity.created(URI.create(list + "/" + request.id().text()))
        .contentType(PEM)
        .body(ascii(request.pem()));
  }

  @PutMapping({OLD + "/{id}", NEW + "/{id}", SHORT + "/{id}"})
  ResponseEntity<Object> put(
      @RequestAttribute(CallerFilter.OWNER) Owner owner,
      @PathVariable String id,
      HttpServletRequest request)
      throws IOException, CallRefused {
    DelegationId which = ApiController.id(id);
    done(delegations.put(owner, which, BodyText.chain(request)));
    return ResponseEntity.ok().build();
  }

  @PostMapping({OLD + "/{id}", NEW + "/{id}", SHORT + "/{id}"})
  ResponseEntity<byte[]> act(
      @RequestAttribute(CallerFilter.OWNER) Owner owner,
      @PathVariable String id,
      HttpServletRequest request)
      throws CallRefused {
    DelegationId which = ApiController.id(id);
    return switch (action(request)) {
      case "get" -> pem(200, done(delegations.certificates(owner, which)));
      case "renew" -> {
        String path = RestRefusals.path(request);
        yield requested(
            path.substring(0, path.lastIndexOf('/')), done(delegations.renew(owner, which)));
      }
      case "delete" -> {
        done(delegations.destroy(owner, which));
        // A-REX says so, though nothing is left to do.
        yield ResponseEntity.accepted().build();
      }
      default -> throw CallRefused.badRequest("the action is one of get, renew, delete");
    };
  }

  /** Of the query alone: what curl sends may say that it is a form. */
  private static String action(HttpServletRequest request) {
    return Body.queryParameter(request, "action").orElse("");
  }

  private static boolean isOfOtherType(HttpServletRequest request) {
    return Body.queryParameter(request, "type").filter(type -> !type.equals("x509")).isPresent();
  }

  private static boolean wantsXml(HttpServletRequest request) {
    String accept = request.getHeader("Accept");
    return accept != null && accept.contains("/xml") && !Answers.wantsJson(request);
  }

  private static final MediaType PEM = new MediaType("application", "x-pem-file");

  private static ResponseEntity<Object> xml(String text) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_XML)
        .body(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Certificates or requests. */
  static ResponseEntity<byte[]> pem(int status, String text) {
    return ResponseEntity.status(status).contentType(PEM).body(ascii(text));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
