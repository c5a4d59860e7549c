import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { Tracing } from './tracing/tracing.js';

/** Resolves when the service can do its work; its error's message is shown only when it is a DomainError's. */
export type ReadinessCheck = () => Promise<void>;

export interface PlatformOptions {
  /** By name; all must pass for the service to be ready. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>;
  readonly shutdownDelayMs: number;
  readonly shutdownGraceMs: number;
  /** When given, requests are traced, and it ends with the app. */
  readonly tracing?: Tracing;
}

export const { ConfigurableModuleClass: PlatformModuleBase, MODULE_OPTIONS_TOKEN: PLATFORM_OPTIONS } =
  new ConfigurableModuleBuilder<PlatformOptions>().setClassMethodName('forRoot').build();
