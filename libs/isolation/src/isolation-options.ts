import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { ActionSink } from './audit/action-journal.js';
import type { ControlPlaneClientOptions, ProxyIdentity } from './control-plane/control-plane-client.js';
import type { ConnectionDriver } from './pools/connection-driver.js';
import type { SessionAuditSink } from './sessions/session-event.js';
import type { Clock } from '@palisade/async';

/** What makes a process a proxy of a control plane. */
export interface ControlPlaneOptions extends Pick<ControlPlaneClientOptions, 'urls' | 'token'> {
  readonly proxy: ProxyIdentity;
  /** File that keeps the policy for a start while no control plane can be reached. Absent: such a start serves nothing. */
  readonly copyFile?: string;
  /** Whether callers with `access` have to be allowed it by the control plane. Default false: `access` is not looked at. */
  readonly decidesAccess?: boolean;
  /** How long what is known of access holds without a control plane. Default 30,000. */
  readonly accessLeaseMs?: number;
  /** Version of the program, for operators. */
  readonly version?: string;
}

export interface IsolationOptions {
  /** Checked by `parseIsolationSettings`. */
  readonly settings: unknown;
  /** A driver for each backend that `connection_pools` names, and for no other. */
  readonly backends: Readonly<Record<string, ConnectionDriver<unknown>>>;
  /**
   * The pool of proxies that this process belongs to: nothing is served before `IsolationPolicy` was told the pool's policy.
   * Absent: the process runs alone, and its settings are the policy of every namespace.
   */
  readonly proxyPool?: string;
  /** Has a control plane govern the process as a proxy of its pool. Absent: the process runs alone. */
  readonly controlPlane?: ControlPlaneOptions;
  /** Where session events go. */
  readonly auditSink?: SessionAuditSink;
  /** Where action records go. */
  readonly actionSink?: ActionSink;
  /** How long leases may be kept when the app shuts down, before their connections are closed. Default 10,000. */
  readonly shutdownGraceMs?: number;
  readonly clock?: Clock;
}

export const { ConfigurableModuleClass: IsolationModuleBase, MODULE_OPTIONS_TOKEN: ISOLATION_OPTIONS } =
  new ConfigurableModuleBuilder<IsolationOptions>().setClassMethodName('forRoot').build();

/** The checked settings. */
export const ISOLATION_SETTINGS = Symbol('ISOLATION_SETTINGS');

/** What tells how much CPU time each namespace takes. */
export const CPU_METER = Symbol('CPU_METER');

/** Where work gets connections from. */
export const CONNECTION_SOURCE = Symbol('CONNECTION_SOURCE');

export const DEFAULT_SHUTDOWN_GRACE_MS = 10_000;
