package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.session.AuthnStudy;
import dev.staithe.perf.storage.StorageStudy;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is studied, in the order in which all studies are carried out. */
public enum Subject {
  STORAGE(
      "The storage element beside its peers.",
      (bench, plan) -> new StorageStudy(bench, plan).run()),
  AUTHN(
      "The session service beside its peers.", (bench, plan) -> new AuthnStudy(bench, plan).run()),
  SLCS("The credential service beside its peer.", SlcsStudy::run),
  DELEGATION("The delegation service beside its peer.", DelegationStudy::run),
  GATEWAY("The gateway beside its peers.", GatewayStudy::run),
  CONTRACTS("Transfers under contract beside those without.", ContractStudy::run);

  /** Servers, uploads and the files that are fetched; what the size of the forms needs. */
  private static final int ROOM_FACTOR = 6;

  /** Write-ahead logs of a dozen databases. */
  private static final long DATABASES = 8L << 30;

  /** Certificates and logs. */
  private static final long SMALL = 2L << 30;

  /** Says how the experiments of its plan are carried out, and has it carry them out. */
  private interface Study {
    void run(Bench bench, Plan plan) throws IOException;
  }

  private final String about;
  private final Study study;

  Subject(String about, Study study) {
    this.about = about;
    this.study = study;
  }

  /** What its study does, in a sentence. */
  public String about() {
    return about;
  }

  /** The names of all studies, in their order. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Subject::toString).toList();
  }

  /** As in commands, options and results. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Carries its study out.
   *
   * @param only which experiments, by their ids; empty for all
   * @throws IOException as {@link Plan#carryOut}
   */
  void run(Bench bench, Set<String> only) throws IOException {
    study.run(bench, new Plan(bench, toString(), only));
  }

  /** Bytes of the disk that its study needs. */
  long room(Form form) {
    return switch (this) {
      case STORAGE, CONTRACTS -> ROOM_FACTOR * form.largest();
      case AUTHN -> DATABASES;
      case SLCS, DELEGATION, GATEWAY -> SMALL;
    };
  }
}
