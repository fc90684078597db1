package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine that does not mind the prefix and lists the uploads of a bucket one by one. */
final class UploadsPagesTests {
  /** Says that there is more, and not where it begins. */
  private static final String CUT =
      "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>";

  @TempDir private Path folder;

  private static void answer(HttpExchange exchange) throws IOException {
    ScriptedEngine.answer(exchange, page(String.valueOf(exchange.getRequestURI().getQuery())));
  }

  private static String page(String query) {
    if (query.contains("list-type")) {
      return CUT;
    }
    if (query.contains("prefix=cut")) {
      return page("", "of-cut", true);
    }
    return query.contains("key-marker=c")
        ? page("c", "of-c", false)
        : query.contains("key-marker=b") ? page("c", "of-another", true) : page("b", "of-b", true);
  }

  private static String page(String key, String id, boolean more) {
    return """
        <ListMultipartUploadsResult>
          <IsTruncated>%s</IsTruncated>
          <NextKeyMarker>%s</NextKeyMarker><NextUploadIdMarker>%s</NextUploadIdMarker>
          <Upload><Key>%s</Key><UploadId>%s</UploadId><Initiated>%s</Initiated></Upload>
        </ListMultipartUploadsResult>
        """
        .formatted(more, key, id, key, id, Clock.systemUTC().instant());
  }

  @Test
  void uploadThatIsOnALaterPageIsUnderWay() throws IOException {
    try (var engine =
        new ScriptedEngine(ScriptedEngine.keys(folder, ""), UploadsPagesTests::answer)) {
      S3Client client = engine.client();
      assertThat(client.isUnderWay(new PartUpload("c", "of-c", ""))).isTrue();
      assertThat(client.isUnderWay(new PartUpload("c", "of-nobody", ""))).isFalse();
    }
  }

  @Test
  void listingThatIsCutOffAndTellsNotWhereItGoesOnIsNotTheWhole() throws IOException {
    try (var engine =
        new ScriptedEngine(ScriptedEngine.keys(folder, ""), UploadsPagesTests::answer)) {
      S3Client client = engine.client();
      assertThatThrownBy(() -> client.list("folder/", false, "", S3Client.PAGE))
          .isInstanceOf(S3Failure.class)
          .hasMessageContaining("cannot be read");
      assertThatThrownBy(() -> client.uploads("cut", null))
          .isInstanceOf(S3Failure.class)
          .hasMessageContaining("cannot be read");
    }
  }
}
