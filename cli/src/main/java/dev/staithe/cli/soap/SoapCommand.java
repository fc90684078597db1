package dev.staithe.cli.soap;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.cli.program.Terminal;
import dev.staithe.tls.ClientTls;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.PolicyInWords;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code soap}: calls services that demand WS-Security. */
@Command(
    name = "soap",
    mixinStandardHelpOptions = true,
    description = "Calls SOAP services by what their policies demand (WS-Security).",
    subcommands = {SoapCommand.Call.class, SoapCommand.Policy.class})
public final class SoapCommand {
  private static final int MOST_MESSAGE = 64 << 20;

  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfOneService implements Callable<Integer> {
    @ParentCommand private @Nullable SoapCommand soap;

    @Parameters(index = "0", paramLabel = "URL", description = "the service")
    String url = "";

    @Mixin final SoapOptions options = new SoapOptions();

    @Option(names = "--json", description = "as JSON")
    boolean json;

    final StaitheCommand staithe() {
      return required(required(soap).program);
    }

    abstract int run(URI service, @Nullable ClientTls tls) throws IOException;

    @Override
    public final Integer call() throws IOException {
      URI service = SoapOptions.address(url);
      ClientTls tls = options.tls(staithe().clock());
      try {
        return run(service, tls);
      } catch (IOException e) {
        throw told(service, e);
      } finally {
        if (tls != null) {
          tls.close();
        }
      }
    }

    private static IOException told(URI service, IOException e) {
      String rejected = ClientTls.rejection(e).orElse(null);
      if (rejected != null) {
        return new IOException(service + " cannot be reached: " + rejected, e);
      }
      if (e instanceof SSLException) {
        return new IOException(
            service + ": TLS fails; --trust names an authority: " + e.getMessage(), e);
      }
      return e instanceof ConnectException ? new IOException(service + " cannot be reached", e) : e;
    }
  }

  /** {@code soap call}. */
  @Command(
      name = "call",
      mixinStandardHelpOptions = true,
      description = {
        "Sends a SOAP message, protected as the policy demands, and prints the answer once it was"
            + " opened and verified. Exit code 1 for a fault, and for an answer that is not to be"
            + " believed."
      })
  static final class Call extends OfOneService {
    @Parameters(
        index = "1",
        paramLabel = "FILE",
        description = "a plain SOAP envelope, 1.1 or 1.2; - for standard input")
    private String file = "";

    @Option(names = "--action", description = "of the operation; default: none")
    private String action = "";

    @Option(
        names = "--times",
        paramLabel = "N",
        description = "how often, in one context where the policy has them; default: once")
    private int times = 1;

    @Override
    int run(URI service, @Nullable ClientTls tls) throws IOException {
      if (times < 1) {
        throw new IOException("--times " + times + ": 1 or more");
      }
      StaitheCommand staithe = staithe();
      EndpointPolicy policy = options.policy(service, tls).policy();
      var request = PlainRequest.read(message(), action, service.toString());
      try (var caller =
          new SoapCaller(
              service,
              policy,
              options.holder(policy, staithe),
              options.context(tls, policy, staithe),
              staithe.clock())) {
        String context = null;
        if (policy.binding() instanceof Binding.Conversation) {
          SecurityContext begun = caller.context(request.version());
          context = begun.identifier();
          staithe.terminal().progress("in " + context + " until " + begun.expires());
        }
        SoapResponse heard = caller.call(request);
        for (int i = 1; i < times && heard instanceof SoapResponse.Message; i++) {
          heard = caller.call(request);
        }
        if (policy.binding() instanceof Binding.Conversation conversation
            && conversation.cancel()
            && !caller.cancel(request.version())) {
          staithe.terminal().note("the context could not be cancelled; it ends by itself");
        }
        return tell(heard, context);
      }
    }

    private int tell(SoapResponse heard, @Nullable String context) {
      StaitheCommand staithe = staithe();
      Map<String, Object> told = new LinkedHashMap<>();
      int code = 1;
      switch (heard) {
        case SoapResponse.Message answer -> {
          told.put("outcome", "answer");
          told.put("envelope", answer.envelope());
          code = 0;
        }
        case SoapResponse.Fault fault -> {
          told.put("outcome", "fault");
          told.put("code", fault.code());
          told.put("line", fault.line());
          told.put("secured", fault.secured());
        }
        case SoapResponse.Untrusted doubtful -> {
          told.put("outcome", "doubtful");
          told.put("line", doubtful.line());
        }
      }
      if (context != null) {
        told.put("context", context);
      }
      if (json) {
        staithe.json(told);
      } else {
        switch (heard) {
          case SoapResponse.Message answer -> staithe.out().println(answer.envelope());
          case SoapResponse.Fault fault ->
              staithe
                  .terminal()
                  .note(
                      "fault "
                          + Page.oneLine(fault.code())
                          + (fault.line().isEmpty() ? "" : ": " + Page.oneLine(fault.line()))
                          + (fault.secured() ? "" : " (not protected: anybody may have said it)"));
          case SoapResponse.Untrusted doubtful ->
              staithe.terminal().note("the answer is not believed: " + doubtful.line());
        }
      }
      return code;
    }

    private byte[] message() throws IOException {
      if (file.equals("-")) {
        var text = new StringBuilder();
        String line = staithe().terminal().input().readLine();
        while (line != null && text.length() <= MOST_MESSAGE) {
          text.append(line).append('\n');
          line = staithe().terminal().input().readLine();
        }
        return Terminal.readable(text.toString(), "message").getBytes(StandardCharsets.UTF_8);
      }
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        return in.readNBytes(MOST_MESSAGE + 1);
      } catch (NoSuchFileException e) {
        throw new IOException(file + ": no such file", e);
      }
    }
  }

  /** {@code soap policy}. */
  @Command(
      name = "policy",
      mixinStandardHelpOptions = true,
      description = "Says what the policy of a service demands, in plain words.")
  static final class Policy extends OfOneService {
    @Option(names = "--document", description = "prints the document itself")
    private boolean document;

    @Override
    int run(URI service, @Nullable ClientTls tls) throws IOException {
      StaitheCommand staithe = staithe();
      SoapOptions.FetchedPolicy demanded = options.policy(service, tls);
      if (document) {
        staithe.out().println(new String(demanded.document(), StandardCharsets.UTF_8).strip());
        return 0;
      }
      EndpointPolicy policy = demanded.policy();
      if (json) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("version", policy.version());
        told.put("suite", policy.suite().name());
        told.put("demands", PolicyInWords.of(policy));
        staithe.json(told);
      } else {
        PolicyInWords.of(policy).forEach(staithe.out()::println);
      }
      return 0;
    }
  }
}
