/** What the helpers of suites (test/support/test-services.ts) use of this folder. */
export { issueCertificate } from './certificates.mjs';
export { findProgram } from './find-program.mjs';
export { provideKafkaJars } from './kafka-jars.mjs';
export { startKafka } from './kafka.mjs';
export { startNats } from './nats.mjs';
export { variableOf } from './programs.mjs';
export { startPrometheus } from './prometheus.mjs';
export { startRedis } from './redis.mjs';
