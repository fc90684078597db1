package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.Task;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskDraftTests {
  private static final Path AUTHORITY = Path.of("/ca.pem");
  private static final String URL = "https://localhost:1/a";

  private static TaskDraft draft() {
    return new TaskDraft(URL, "GET", AUTHORITY).header("Authorization", "Bearer x");
  }

  @Test
  void aDraftWithoutChangesIsOneRequest() {
    assertThat(draft().task())
        .isEqualTo(
            new Task(
                URL,
                "GET",
                Map.of("Authorization", "Bearer x"),
                -1,
                1,
                true,
                1,
                600,
                0,
                "/ca.pem",
                "conscrypt",
                "",
                "",
                0));
  }

  @Test
  void whatIsSaidIsInTheTask() {
    Task task =
        draft()
            .header("Depth", "1")
            .body(5)
            .connections(32)
            .keepAlive(false)
            .perSecond(100)
            .provider("jdk")
            .cipher("TLS_AES_128_GCM_SHA256")
            .status(307)
            .requests(7)
            .task();

    assertThat(task)
        .isEqualTo(
            new Task(
                URL,
                "GET",
                Map.of("Authorization", "Bearer x", "Depth", "1"),
                5,
                32,
                false,
                7,
                600,
                100,
                "/ca.pem",
                "jdk",
                "TLS_AES_128_GCM_SHA256",
                "",
                307));
  }

  @Test
  void aCopyShowsTheTokenOfTheOtherEndAndIsGoodWhenItsLastLineSaysSo() {
    Task task = draft().copying("y").task();

    assertThat(task.headers())
        .containsEntry("TransferHeaderAuthorization", "Bearer y")
        .containsEntry("Credential", "none");
    assertThat(task.lastLine()).isEqualTo("success");
  }

  @Test
  void aTaskByTimeHasNoNumberOfRequests() {
    Task task = draft().during(2.5).task();

    assertThat(task.requests()).isZero();
    assertThat(task.seconds()).isEqualTo(2.5);
  }

  @Test
  void aTaskByNumberMayHaveALimitOfTime() {
    Task task = draft().requests(200, 3600).task();

    assertThat(task.requests()).isEqualTo(200);
    assertThat(task.seconds()).isEqualTo(3600);
  }
}
