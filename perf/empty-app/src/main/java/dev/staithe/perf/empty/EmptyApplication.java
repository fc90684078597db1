package dev.staithe.perf.empty;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Serves nothing. */
@SpringBootApplication
class EmptyApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(EmptyApplication.class, arguments);
  }
}
