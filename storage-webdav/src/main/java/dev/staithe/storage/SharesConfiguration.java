package dev.staithe.storage;

import dev.staithe.service.process.DirectMemory;
import dev.staithe.storage.exchange.TransferBuffers;
import dev.staithe.storage.files.ChecksumJobs;
import dev.staithe.storage.settings.ChecksumsProperties;
import dev.staithe.storage.settings.StorageProperties;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what all requests share and none may take for itself, with a metric each. */
@Configuration(proxyBeanMethods = false)
final class SharesConfiguration {
  @Bean
  ChecksumJobs checksumJobs(StorageProperties properties, MeterRegistry registry) {
    ChecksumsProperties settings = properties.checksums();
    ChecksumJobs jobs =
        new ChecksumJobs(new ChecksumJobs.Limits(settings.running(), settings.waiting()));
    Gauge.builder("staithe.checksums.running", jobs, ChecksumJobs::running).register(registry);
    Gauge.builder("staithe.checksums.waiting", jobs, ChecksumJobs::waiting).register(registry);
    return jobs;
  }

  /** Direct memory that uploads into object stores may take, in bytes. */
  static long ofUploads(StorageProperties properties) {
    return properties.areas().stream()
        .filter(area -> area.store() == StorageProperties.Area.Store.S3)
        .mapToLong(area -> area.s3().memory().toBytes())
        .sum();
  }

  /**
   * Half of the direct memory that uploads into object stores leave; the rest is for what else
   * comes in, and for copies.
   */
  @Bean
  TransferBuffers transferBuffers(StorageProperties properties, MeterRegistry registry) {
    long left = DirectMemory.limit() - ofUploads(properties);
    TransferBuffers buffers = new TransferBuffers(left / 2);
    Gauge.builder("staithe.buffers.taken", buffers, TransferBuffers::taken).register(registry);
    Gauge.builder("staithe.buffers.waiting", buffers, TransferBuffers::waiting).register(registry);
    return buffers;
  }
}
