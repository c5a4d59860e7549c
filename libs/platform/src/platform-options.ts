import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { HostPort } from '@palisade/domain';
import type { Tracing } from './tracing/tracer-provider.js';

/** Resolves when the service can do its work. Clients see the message of an error only if it is a DomainError. */
export type ReadinessCheck = () => Promise<void>;

export interface PlatformOptions {
  /** By name; all must pass for the service to be ready. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>;
  /** What `/health/ready` tells besides; it does not make the service unready. */
  readonly notices?: () => Readonly<Record<string, string>>;
  /** Where metrics, API pages and health are, apart from the service; without it they are beside it. */
  readonly managementListen?: HostPort;
  readonly shutdownDelayMs: number;
  readonly shutdownGraceMs: number;
  /** Called at the end of the grace, if the app has not ended by then: what it still waits for has to be given up. */
  readonly onGraceEnd?: () => void;
  /** When given, requests are traced; it ends with the app. */
  readonly tracing?: Tracing;
}

export const { ConfigurableModuleClass: PlatformModuleBase, MODULE_OPTIONS_TOKEN: PLATFORM_OPTIONS } =
  new ConfigurableModuleBuilder<PlatformOptions>().setClassMethodName('forRoot').build();
