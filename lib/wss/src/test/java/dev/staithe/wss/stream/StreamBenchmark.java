package dev.staithe.wss.stream;

import com.sun.management.ThreadMXBean;
import dev.staithe.pki.KeyKind;
import dev.staithe.wss.Opening;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/**
 * What a message costs one thread, in and out: CPU time and allocation, best of many windows. A
 * program to be started by hand, with the classes of the tests.
 */
final class StreamBenchmark {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private StreamBenchmark() {}

  private interface Workspace {
    void once();
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("benchmark");
    var parties = new Parties(folder, Clock.systemUTC(), KeyKind.RSA_2048);
    String only = arguments.length > 0 ? arguments[0] : "";
    int windows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 12;
    String plain = envelope(2_100);
    for (AlgorithmList list : AlgorithmList.values()) {
      for (String name : new String[] {"conversation", "x509"}) {
        if (!(name + list).startsWith(only)) {
          continue;
        }
        EndpointPolicy policy = BuiltInPolicies.policy(name, list);
        SecurityContext context = name.equals("x509") ? null : parties.context(policy);
        byte[] request = parties.request(policy, context, plain).envelope();
        if (!(parties.open(request, policy, list) instanceof Opening.Opened opened)) {
          throw new IllegalStateException(parties.open(request, policy, list).toString());
        }
        measure(
            name + " " + list + " in (" + request.length + " bytes)",
            () -> parties.open(request, policy, list),
            windows);
        measure(
            name + " " + list + " out",
            () -> parties.answer(plain, opened.reply(), policy, list),
            windows);
      }
    }
  }

  private static void measure(String what, Workspace work, int windows) {
    double best = Double.MAX_VALUE;
    long bytes = 0;
    for (int window = 0; window < windows; window++) {
      long end = System.nanoTime() + 400_000_000L;
      long cpu = THREADS.getCurrentThreadCpuTime();
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      int count = 0;
      while (System.nanoTime() < end) {
        for (int i = 0; i < 8; i++) {
          work.once();
        }
        count += 8;
      }
      best = Math.min(best, (THREADS.getCurrentThreadCpuTime() - cpu) / 1e3 / count);
      bytes = (THREADS.getCurrentThreadAllocatedBytes() - allocated) / count;
    }
    System.out.printf("%-45s %8.1f us %8d bytes%n", what, best, bytes);
  }

  static String envelope(int size) {
    var body = new StringBuilder();
    for (int i = 0; body.length() < size; i++) {
      body.append("<ns2:item id=\"").append(i).append("\"><ns2:name>part ").append(i);
      body.append("</ns2:name><ns2:price>12.50</ns2:price></ns2:item>");
    }
    return "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>"
        + "<ns2:order xmlns:ns2=\"urn:shop\">"
        + body
        + "</ns2:order></soap:Body></soap:Envelope>";
  }
}
