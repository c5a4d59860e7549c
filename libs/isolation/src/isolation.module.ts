import { Module, type Provider } from '@nestjs/common';
import { ActionJournal } from './audit/action-journal.js';
import { AccessDecisions } from './control-plane/access-decisions.js';
import { ControlPlaneClient } from './control-plane/control-plane-client.js';
import { createAccessDecisions, createGovernedProxy } from './control-plane/governance.js';
import { GovernedProxy } from './control-plane/governed-proxy.js';
import { Connections } from './running/connections.js';
import {
  CONNECTION_SOURCE,
  CPU_METER,
  ISOLATION_OPTIONS,
  ISOLATION_SETTINGS,
  IsolationModuleBase,
  type IsolationOptions,
} from './isolation-options.js';
import { IsolationPools } from './isolation-pools.js';
import { IsolationSessions } from './isolation-sessions.js';
import { Isolation } from './isolation.js';
import { Admission } from './limits/admission.js';
import { RequestLimiter } from './limits/request-limiter.js';
import { Preflight } from './preflight.js';
import { IsolationPolicy } from './policy/isolation-policy.js';
import type { IsolationSettings } from './isolation-settings.js';
import { SYSTEM_CLOCK } from '@palisade/async';
import { createCpuMeter } from './usage/sampled-cpu-meter.js';
import { UsageRegistry } from './usage/usage-registry.js';
import { UsageReporter } from './usage/usage-reporter.js';
import { UsageService } from './usage/usage.service.js';

const accounting: Provider[] = [
  {
    provide: Admission,
    inject: [IsolationPolicy, ISOLATION_OPTIONS],
    useFactory: (policy: IsolationPolicy, { clock = SYSTEM_CLOCK }: IsolationOptions) =>
      new Admission(policy.limits, clock),
  },
  { provide: RequestLimiter, inject: [Admission], useFactory: ({ requests }: Admission) => requests },
  {
    provide: UsageRegistry,
    inject: [ISOLATION_SETTINGS],
    useFactory: ({ usage }: IsolationSettings) => new UsageRegistry(usage.maxNamespaces),
  },
  {
    provide: CPU_METER,
    inject: [ISOLATION_SETTINGS, Admission, UsageRegistry],
    useFactory: ({ usage }: IsolationSettings, { cpu }: Admission, registry: UsageRegistry) =>
      createCpuMeter(usage, (report) => {
        cpu.charge(report.namespaces);
        registry.charge(report);
      }),
  },
  {
    provide: ActionJournal,
    inject: [ISOLATION_SETTINGS, ISOLATION_OPTIONS],
    useFactory: ({ actions }: IsolationSettings, { actionSink, clock = SYSTEM_CLOCK }: IsolationOptions) =>
      new ActionJournal({ settings: actions, sink: actionSink, clock }),
  },
];

const connections: Provider = {
  provide: CONNECTION_SOURCE,
  inject: [IsolationPolicy, IsolationPools, IsolationSessions, UsageRegistry],
  useFactory: (
    policy: IsolationPolicy,
    pools: IsolationPools,
    { manager: sessions }: IsolationSessions,
    registry: UsageRegistry,
  ) => new Connections({ policy, pools, sessions, registry }),
};

/** Present when a control plane governs the process; undefined when it runs alone. */
const governance: Provider[] = [
  {
    provide: ControlPlaneClient,
    inject: [ISOLATION_OPTIONS],
    useFactory: ({ controlPlane }: IsolationOptions) => controlPlane && new ControlPlaneClient(controlPlane),
  },
  {
    provide: AccessDecisions,
    inject: [ISOLATION_OPTIONS, ControlPlaneClient],
    useFactory: ({ controlPlane, clock = SYSTEM_CLOCK }: IsolationOptions, client: ControlPlaneClient) =>
      controlPlane && createAccessDecisions(controlPlane, client, clock),
  },
  {
    provide: GovernedProxy,
    inject: [
      ISOLATION_OPTIONS,
      ControlPlaneClient,
      IsolationPolicy,
      AccessDecisions,
      IsolationPools,
      UsageService,
      Isolation,
      IsolationSessions,
    ],
    useFactory: (
      { controlPlane: options, clock = SYSTEM_CLOCK }: IsolationOptions,
      client: ControlPlaneClient,
      policy: IsolationPolicy,
      access: AccessDecisions | undefined,
      pools: IsolationPools,
      usage: UsageService,
      isolation: Isolation,
      sessions: IsolationSessions,
    ) => {
      if (options === undefined) {
        return undefined;
      }
      const reporter = new UsageReporter(
        { namespaces: () => usage.namespaces(), sessions: () => sessions.manager.sessions() },
        clock,
      );
      const governed = createGovernedProxy({
        options,
        client,
        policy,
        access,
        holders: [isolation, sessions],
        caps: pools.takeParts(),
        usage: () => reporter.next(),
        clock,
      });
      pools.afterDrain(() => governed.leave());
      return governed;
    },
  },
];

/** Connections to backends, isolated by namespace or by session. Wrong settings stop the start. */
@Module({
  providers: [
    IsolationPolicy,
    { provide: ISOLATION_SETTINGS, inject: [IsolationPolicy], useFactory: ({ settings }: IsolationPolicy) => settings },
    ...accounting,
    IsolationPools,
    IsolationSessions,
    connections,
    Isolation,
    ...governance,
    UsageService,
    Preflight,
  ],
  exports: [
    Isolation,
    IsolationPolicy,
    GovernedProxy,
    AccessDecisions,
    UsageService,
    IsolationPools,
    IsolationSessions,
    RequestLimiter,
  ],
})
export class IsolationModule extends IsolationModuleBase {}
