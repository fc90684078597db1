package dev.staithe.cli.campus;

import dev.staithe.cli.program.Addresses;
import dev.staithe.cli.program.Page;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.FormElement;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a page of an identity provider wants of a person. It knows the shapes of Shibboleth,
 * SimpleSAMLphp and Keycloak, and with them those of most others; what it does not understand it
 * leaves to a browser.
 */
final class LoginPage {
  private static final Set<String> TYPED = Set.of("text", "email", "tel", "number", "search", "");
  private static final Set<String> NAMES =
      Set.of("username", "j_username", "user", "login", "email", "uid", "userid", "loginfmt");
  private static final Pattern CODE =
      Pattern.compile(".*(otp|token|code|passcode|pin|mfa|2fa).*", Pattern.CASE_INSENSITIVE);

  /** Where pages put what went wrong, the surest first. */
  private static final List<String> COMPLAINTS =
      List.of(
          ".kc-feedback-text",
          ".form-error",
          ".output--error",
          "[role=alert]",
          ".alert-error",
          ".alert-danger",
          ".errorbox",
          ".error",
          "img.erroricon ~ p");

  private LoginPage() {}

  /** What is to be done next. */
  sealed interface Step {
    /**
     * Name and password, or a password only.
     *
     * @param name the field for the user's name, empty where there is none
     */
    record Password(WebForm form, String name, String password) implements Step {}

    /** The name first; the password is asked for on another page. */
    record Name(WebForm form, String name) implements Step {}

    /** A one-time code. */
    record Code(WebForm form, String code) implements Step {}

    /** Nothing to fill in: scripts would send it on. */
    record NextForm(WebForm form) implements Step {}

    /**
     * A person with a browser is needed.
     *
     * @param why completes "the page …"
     */
    record Refused(String why) implements Step {}
  }

  /** Judges a page. */
  static Step read(Page page) {
    if (!page.isHtml()) {
      return new Step.Refused("is none that a person could fill in");
    }
    Document document = Jsoup.parse(page.body(), page.address().toString());
    String title = Page.oneLine(document.title());
    String called = title.isEmpty() ? "without a title" : "\"" + title + "\"";
    List<Step> steps = new ArrayList<>();
    for (FormElement form : document.forms()) {
      Step step = step(form, page.address());
      if (step != null) {
        steps.add(step);
      }
    }
    for (Class<? extends Step> wanted :
        List.of(Step.NextForm.class, Step.Password.class, Step.Code.class, Step.Name.class)) {
      List<Step> found = steps.stream().filter(wanted::isInstance).toList();
      if (found.size() > 1) {
        return new Step.Refused(called + " has more than one form to choose from");
      }
      if (found.size() == 1) {
        return found.getFirst();
      }
    }
    return new Step.Refused(called + " asks for something that is neither a name nor a password");
  }

  /** What a page says went wrong, one line; empty where it does not say. */
  static String complaint(Page page) {
    if (!page.isHtml()) {
      return page.line();
    }
    Document document = Jsoup.parse(page.body(), page.address().toString());
    for (String where : COMPLAINTS) {
      for (Element found : document.select(where)) {
        String text = Page.oneLine(found.text());
        if (!text.isEmpty()) {
          return text;
        }
      }
    }
    return "";
  }

  /** Null where the form has nothing to do with logging in, as one for a search. */
  private static @Nullable Step step(FormElement form, URI page) {
    var typed = new ArrayList<Element>();
    var passwords = new ArrayList<Element>();
    for (Element input : controls(form, "input")) {
      String type = input.attr("type").toLowerCase(Locale.ROOT);
      if (type.equals("password")) {
        passwords.add(input);
      } else if (TYPED.contains(type)) {
        typed.add(input);
      }
    }
    WebForm whole = form(form, page);
    if (whole == null) {
      return null;
    }
    if (typed.isEmpty() && passwords.isEmpty()) {
      return onward(whole) ? new Step.NextForm(whole) : null;
    }
    if (!controls(form, "textarea").isEmpty()) {
      // Somebody is to write something, as a report of an error with a mail address.
      return null;
    }
    if (passwords.size() > 1) {
      // To set a new password, which is not to be done behind somebody's back.
      return null;
    }
    if (passwords.size() == 1) {
      String field = passwords.getFirst().attr("name");
      if (typed.isEmpty() && CODE.matcher(field).matches() && !field.contains("pass")) {
        return new Step.Code(whole, field);
      }
      return new Step.Password(whole, nameField(typed), field);
    }
    if (typed.size() != 1 || !whole.post()) {
      return null;
    }
    String field = typed.getFirst().attr("name");
    if (isName(typed.getFirst())) {
      return new Step.Name(whole, field);
    }
    return CODE.matcher(field).matches() || CODE.matcher(typed.getFirst().id()).matches()
        ? new Step.Code(whole, field)
        : null;
  }

  /**
   * Messages on their way through the user's agent (SAML bindings §3.5), and Shibboleth's page that
   * asks a script about the browser's local storage: whoever has none sends it as it is.
   */
  private static boolean onward(WebForm form) {
    return form.post()
        && (form.has("SAMLResponse")
            || form.has("SAMLRequest")
            || form.fields().stream().anyMatch(f -> f.name().startsWith("shib_idp_ls_")));
  }

  private static boolean isName(Element input) {
    return NAMES.contains(input.attr("name").toLowerCase(Locale.ROOT))
        || input.attr("autocomplete").equals("username");
  }

  private static String nameField(List<Element> typed) {
    for (Element input : typed) {
      if (isName(input)) {
        return input.attr("name");
      }
    }
    return typed.isEmpty() ? "" : typed.getFirst().attr("name");
  }

  private static @Nullable WebForm form(FormElement form, URI page) {
    // A form without an action goes to the page's own address, whatever its <base> says.
    String given = form.attr("action");
    URI base = Addresses.resolve(page, form.baseUri());
    URI action = given.isBlank() ? page : Addresses.resolve(base == null ? page : base, given);
    if (action == null || action.getHost() == null) {
      return null;
    }
    var fields = new ArrayList<WebForm.Field>();
    for (Element field : controls(form, "input, select, textarea")) {
      switch (field.normalName()) {
        case "select" -> {
          Element option = field.selectFirst("option[selected]");
          option = option == null ? field.selectFirst("option") : option;
          if (option != null) {
            fields.add(new WebForm.Field(field.attr("name"), option.val()));
          }
        }
        case "textarea" -> fields.add(new WebForm.Field(field.attr("name"), field.wholeText()));
        default -> {
          String type = field.attr("type").toLowerCase(Locale.ROOT);
          boolean choice = type.equals("checkbox") || type.equals("radio");
          if (!Set.of("submit", "button", "image", "reset", "file").contains(type)
              && (!choice || field.hasAttr("checked"))) {
            String value = field.hasAttr("value") || !choice ? field.attr("value") : "on";
            fields.add(new WebForm.Field(field.attr("name"), value));
          }
        }
      }
    }
    pressed(form, fields);
    return new WebForm(action, form.attr("method").equalsIgnoreCase("post"), fields);
  }

  /** A form is sent with one button: Shibboleth's that goes on, else the first. */
  private static void pressed(FormElement form, List<WebForm.Field> fields) {
    Element chosen = null;
    for (Element button :
        controls(form, "button:not([type=button]):not([type=reset]), input[type=submit]")) {
      if (chosen == null || button.attr("name").equals("_eventId_proceed")) {
        chosen = button;
      }
    }
    if (chosen != null) {
      fields.add(new WebForm.Field(chosen.attr("name"), chosen.attr("value")));
    }
  }

  /** Those that would be sent, also where broken markup put them outside of the form. */
  private static List<Element> controls(FormElement form, String kinds) {
    return form.elements().stream()
        .filter(e -> e.is(kinds) && !e.attr("name").isEmpty() && !e.hasAttr("disabled"))
        .toList();
  }
}
