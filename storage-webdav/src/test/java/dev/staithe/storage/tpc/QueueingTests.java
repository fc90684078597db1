package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.storage.remote.CopySettings;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a client sees of the queue, and what the log says of a copy. */
final class QueueingTests {
  @TempDir Path folder;

  private static CopySettings oneAtATime(CopySettings s) {
    return SettingsDraft.like(s)
        .limits(1, 1, 1, 1)
        .timeouts(CopySettings.Timeouts.defaults())
        .done();
  }

  private static ScriptedServer held(CountDownLatch begun, CountDownLatch go) throws IOException {
    return ScriptedServer.plain(
        (request, wire) -> {
          begun.countDown();
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          wire.respond("200 OK", "", "bytes");
        });
  }

  @Test
  void copyThatWaitsGetsMarkersAtOnceAndTheNextIsTurnedAway() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Element element = Element.start(folder.resolve("here"), QueueingTests::oneAtATime);
        ScriptedServer source = held(begun, go)) {
      String[] headers = {"Authorization: Bearer x", "Source: " + source.url("/file")};
      try (Socket first = element.begin("/data/one", headers)) {
        assertThat(begun.await(180, TimeUnit.SECONDS)).isTrue();
        try (Socket second = element.begin("/data/two", headers)) {
          StringBuilder seen = new StringBuilder();
          while (seen.indexOf("State: queued") < 0) {
            seen.append((char) second.getInputStream().read());
          }
          Element.Answer third = element.send("/data/three", headers);
          assertThat(third.status()).isEqualTo(503);
          assertThat(third.headers()).containsEntry("Retry-After", "7");
          go.countDown();
          assertThat(Element.read(first).last()).isEqualTo("success: Created");
          while (seen.indexOf("success: Created\n") < 0) {
            seen.append((char) second.getInputStream().read());
          }
        }
      }
      assertThat(element.finished).hasSize(2);
    }
  }

  /** A second name would be a second share of the places. */
  @Test
  void copiesWithTwoNamesOfOneServerWaitForEachOther() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Element element =
            Element.start(
                folder.resolve("here"),
                s ->
                    SettingsDraft.like(s)
                        .limits(9, 1, 9, 9)
                        .timeouts(CopySettings.Timeouts.defaults())
                        .done());
        ScriptedServer source = held(begun, go)) {
      String[] byAddress = {"Authorization: Bearer x", "Source: " + source.url("/file")};
      String[] byName = {
        byAddress[0], "Source: " + source.url("/file").replace("127.0.0.1", "localhost")
      };
      try (Socket first = element.begin("/data/one", byAddress)) {
        assertThat(begun.await(180, TimeUnit.SECONDS)).isTrue();
        try (Socket second = element.begin("/data/two", byName)) {
          StringBuilder seen = new StringBuilder();
          while (seen.indexOf("State: queued") < 0 && seen.indexOf("State: running") < 0) {
            seen.append((char) second.getInputStream().read());
          }
          assertThat(seen).contains("State: queued");
          go.countDown();
          assertThat(Element.read(first).last()).isEqualTo("success: Created");
          while (seen.indexOf("success: Created\n") < 0) {
            seen.append((char) second.getInputStream().read());
          }
        }
      }
    }
  }

  @Test
  void copyWhoseClientLeavesTheQueueIsCountedAsAborted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    try (Element element = Element.start(folder.resolve("here"), QueueingTests::oneAtATime);
        ScriptedServer source = held(begun, go)) {
      element.onFinish(ended::countDown);
      String[] headers = {"Authorization: Bearer x", "Source: " + source.url("/file")};
      try (Socket first = element.begin("/data/one", headers)) {
        assertThat(begun.await(180, TimeUnit.SECONDS)).isTrue();
        try (Socket second = element.begin("/data/two", headers)) {
          assertThat(second.getInputStream().read()).isEqualTo('H');
        }
        assertThat(ended.await(180, TimeUnit.SECONDS)).isTrue();
        assertThat(element.finished.getFirst().outcome()).isEqualTo("aborted");
        assertThat(element.active.queued()).isZero();
        go.countDown();
        assertThat(Element.read(first).last()).isEqualTo("success: Created");
      }
      assertThat(source.methods()).containsExactly("GET");
    }
  }

  @Test
  void logNamesTheCopyInEveryLineAndHoldsNoSecret() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(CopyWork.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try (Element element = Element.start(folder.resolve("here"));
        ScriptedServer source =
            ScriptedServer.plain((request, wire) -> wire.respond("200 OK", "", "bytes"))) {
      element.copy(
          "/data/file",
          "X-Request-Id: request-7",
          "ClientInfo: job-id=7;file-id=1;retry=0",
          "TransferHeaderAuthorization: Bearer topsecret",
          "Source: " + source.url("/file?authz=topsecret"));
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list).hasSize(2);
    for (ILoggingEvent line : lines.list) {
      assertThat(line.getMDCPropertyMap())
          .containsEntry("request", "request-7")
          .containsEntry("client", "job-id=7;file-id=1;retry=0")
          .containsEntry("direction", "pull")
          .containsEntry("area", "data")
          .containsKey("remote");
      assertThat(line.getFormattedMessage() + line.getKeyValuePairs())
          .doesNotContain("topsecret")
          .doesNotContain("own-token");
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .satisfiesExactly(
            first -> assertThat(first).startsWith("copy started: /file http://127.0.0.1:"),
            last -> assertThat(last).isEqualTo("copy ended: success"));
    assertThat(List.copyOf(lines.list.getLast().getKeyValuePairs()).toString())
        .contains("outcome=\"success\"", "bytes=\"5\"", "checksum=\"adler32:");
  }
}
