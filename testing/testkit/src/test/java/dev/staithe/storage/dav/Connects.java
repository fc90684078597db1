package dev.staithe.storage.dav;

import java.net.http.HttpClient;
import java.util.function.Supplier;

/** Breaks a rule on purpose. */
public final class Connects {
  private Connects() {}

  /** By a call. */
  public static HttpClient client() {
    return HttpClient.newBuilder().build();
  }

  /** By a reference. */
  public static final class Refers {
    private Refers() {}

    public static Supplier<HttpClient> maker() {
      return HttpClient::newHttpClient;
    }
  }
}
