package dev.staithe.service.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.testkit.Eventually;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers can do to logs: lines without end, and letters that a reader acts on. */
class LogLinesTests {
  @TempDir Path folder;
  private final LoggerContext context = new LoggerContext();
  private final RepeatedWarnings filter = new RepeatedWarnings();

  @AfterEach
  void stop() {
    context.stop();
  }

  private ListAppender<ILoggingEvent> limited() {
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.setContext(context);
    filter.setContext(context);
    filter.start();
    told.addFilter(filter);
    told.start();
    context.getLogger("ROOT").addAppender(told);
    return told;
  }

  private static List<String> lines(ListAppender<ILoggingEvent> told) {
    return told.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void warningThatRepeatsIsCountedAfterSomeLinesAndOthersAreTold() {
    ListAppender<ILoggingEvent> told = limited();
    var log = context.getLogger("a.place");

    for (int i = 0; i < 5000; i++) {
      log.warn("{} is no good", i);
      log.info("{} was served", i);
    }
    for (int i = 0; i < 50; i++) {
      log.error(RepeatedWarnings.EACH, "file {} is lost", i);
    }
    log.warn("something else");

    List<String> lines = lines(told);
    assertThat(lines).filteredOn(line -> line.endsWith("no good")).hasSize(RepeatedWarnings.LINES);
    assertThat(lines).filteredOn(line -> line.endsWith("was served")).hasSize(5000);
    assertThat(lines).filteredOn(line -> line.endsWith("is lost")).hasSize(50);
    assertThat(lines).last().isEqualTo("something else");
    told.list.clear();

    filter.endMinute();
    log.info("later");
    log.warn("{} is no good", "this again");

    assertThat(lines(told))
        .containsExactly(
            "4980 more lines like this in a minute: {} is no good",
            "later",
            "this again is no good");
  }

  /** As for want of memory: warnings that are counted no more would be told no more. */
  @Test
  void minuteOfWhichNothingCanBeToldIsNotTheLast() {
    limited();
    var failing =
        new AppenderBase<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent event) {
            throw new OutOfMemoryError("for a moment");
          }
        };
    failing.setContext(context);
    failing.start();
    context.getLogger(RepeatedWarnings.class).addAppender(failing);
    for (int i = 0; i < 2 * RepeatedWarnings.LINES; i++) {
      context.getLogger("a.place").warn("{} is no good", i);
    }

    assertThatCode(filter::endMinute).doesNotThrowAnyException();
  }

  /** Else whoever asks whether a level is on, as Jetty does everywhere, pays for it. */
  @Test
  void nothingIsAskedBeforeALineIsLogged() throws Exception {
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(RepeatedWarnings.class.getResource("/logback-spring.xml"));

    assertThat(context.getLogger("ROOT").getAppender("LOG").getCopyOfAttachedFiltersList())
        .hasExactlyElementsOfTypes(RepeatedWarnings.class);
    assertThat(context.getTurboFilterList()).isEmpty();
  }

  @Test
  void linesAreCountedByTheirLevelWhereTheyAreLogged() {
    var registry = new SimpleMeterRegistry();
    context.getLogger("ROOT").setLevel(Level.INFO);
    try (var events = new LogEvents(context)) {
      events.bindTo(registry);
      context.getLogger("a.place").warn("once");
      context.getLogger("a.place").warn("twice");
      context.getLogger("a.place").error("once");
      context.getLogger("a.place").debug("never");
    }
    context.getLogger("a.place").warn("after its end");

    assertThat(registry.get("logback.events").tag("level", "warn").counter().count()).isEqualTo(2);
    assertThat(registry.get("logback.events").tag("level", "error").counter().count()).isOne();
    assertThat(registry.get("logback.events").tag("level", "debug").counter().count()).isZero();
  }

  @Test
  void whatATerminalWouldActOnIsShown() {
    var event =
        new LoggingEvent(
            "",
            context.getLogger("a.place"),
            Level.WARN,
            "from {}",
            null,
            new Object[] {"x\r\ny\u001b[2J\u009b1m\u0085z\u2028\u202e ä"});

    assertThat(new PlainMessage().convert(event))
        .isEqualTo("from x\\u000d\\u000ay\\u001b[2J\\u009b1m\\u0085z\\u2028\\u202e ä");
  }

  @Test
  void accessLogIsCutBySizeAndItsOldestPartsMakeRoom() throws IOException {
    long largest = 20_000;
    context.setMDCAdapter(new LogbackMDCAdapter());
    Path file = folder.resolve("access.log");
    var log = context.getLogger("an.access.log");
    log.setAdditive(false);
    log.addAppender(AccessLog.file(file, largest, context));

    // What does not shrink when it is compressed.
    Random random = new Random(1);
    Eventually.holds(
        "so many parts that some had to go",
        () -> {
          for (int i = 0; i < 100; i++) {
            byte[] bytes = new byte[200];
            random.nextBytes(bytes);
            log.info(HexFormat.of().formatHex(bytes));
          }
          List<String> parts = parts();
          return parts.size() > 1 && parts.stream().noneMatch(name -> name.endsWith(".0.gz"));
        });
  }

  private List<String> parts() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(each -> each.getFileName().toString())
          .filter(n -> n.endsWith("gz"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
