package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.Task;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskDraftTests {
  private static final Task LIKE =
      new Task(
          "https://localhost:1/a",
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
          0);

  @Test
  void aDraftWithoutChangesIsTheSameTask() {
    assertThat(TaskDraft.of(LIKE).task()).isEqualTo(LIKE);
  }

  @Test
  void whatIsChangedIsChangedAndTheOriginalIsNot() {
    Task task =
        TaskDraft.of(LIKE)
            .header("Depth", "1")
            .body(5)
            .connections(32)
            .keepAlive(false)
            .perSecond(100)
            .provider("jdk")
            .cipher("TLS_AES_128_GCM_SHA256")
            .lastLine("success")
            .status(307)
            .requests(7)
            .task();

    assertThat(task)
        .isEqualTo(
            new Task(
                LIKE.url(),
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
                "success",
                307));
    assertThat(LIKE.headers()).doesNotContainKey("Depth");
  }

  @Test
  void aTaskByTimeHasNoNumberOfRequests() {
    Task task = TaskDraft.of(LIKE).during(2.5).task();

    assertThat(task.requests()).isZero();
    assertThat(task.seconds()).isEqualTo(2.5);
  }

  @Test
  void aTaskByNumberMayHaveALimitOfTime() {
    Task task = TaskDraft.of(LIKE).requests(200, 3600).task();

    assertThat(task.requests()).isEqualTo(200);
    assertThat(task.seconds()).isEqualTo(3600);
  }
}
