import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { ConnectionDriver } from './pools/connection-driver.js';
import type { SessionAuditSink } from './sessions/session-event.js';
import type { Clock } from './time/clock.js';

export interface IsolationOptions {
  /** Checked by `parseIsolationSettings`. */
  readonly settings: unknown;
  /** A driver for each backend that `connection_pools` names, and for no other. */
  readonly backends: Readonly<Record<string, ConnectionDriver<unknown>>>;
  /** Where session events go. */
  readonly auditSink?: SessionAuditSink;
  /** How long leases may be kept when the app shuts down, before their connections are closed. Default 10,000. */
  readonly shutdownGraceMs?: number;
  readonly clock?: Clock;
}

export const { ConfigurableModuleClass: IsolationModuleBase, MODULE_OPTIONS_TOKEN: ISOLATION_OPTIONS } =
  new ConfigurableModuleBuilder<IsolationOptions>().setClassMethodName('forRoot').build();

/** The checked settings. */
export const ISOLATION_SETTINGS = Symbol('ISOLATION_SETTINGS');
