import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { NamespaceAuthenticator, NamespaceGuard } from '@palisade/guards';
import { IsolationModule, type ControlPlaneOptions } from '@palisade/isolation';
import { PlatformModule } from '@palisade/platform';
import { ApiKeys } from './api-keys.js';
import { AuditFile, toActionJson } from './audit-file.js';
import { BackendDrivers, BackendsModule } from './backends/backends.module.js';
import type { Backends } from './backends/open-backends.js';
import type { DataProxyConfig } from './data-proxy.config.js';
import { KvController } from './kv/kv.controller.js';
import { KvService } from './kv/kv.service.js';
import { MessagesController } from './messaging/messages.controller.js';
import { MessagesService } from './messaging/messages.service.js';
import { Subscriptions } from './messaging/subscriptions.js';
import { TopicsController } from './messaging/topics.controller.js';
import { TopicsService } from './messaging/topics.service.js';
import { SessionsController } from './namespace/sessions.controller.js';
import { SessionsService } from './namespace/sessions.service.js';
import { UsageController } from './namespace/usage.controller.js';
import { STATEMENTS, type StatementsByName } from './queries/named-statement.js';
import { QueriesController } from './queries/queries.controller.js';
import { QueriesService } from './queries/queries.service.js';
import type { GovernanceHealth } from './governance.js';
import { AccessGuard } from './http/access.guard.js';
import { CallerGuard } from './http/call.js';

export interface AppOptions {
  readonly config: Pick<DataProxyConfig, 'accessProvider' | 'auditFile' | 'shutdownDelayMs' | 'shutdownGraceMs'>;
  /** Settings of the isolation library; they name no backend without a driver. */
  readonly settings: unknown;
  readonly backends: Backends;
  readonly authenticator: NamespaceAuthenticator;
  readonly apiKeys: ApiKeys;
  readonly statements: StatementsByName;
  /** Absent when the proxy runs alone. */
  readonly controlPlane?: ControlPlaneOptions;
  readonly governance: GovernanceHealth;
}

@Module({})
export class AppModule {
  static forRoot(options: AppOptions): DynamicModule {
    const { config, settings, backends, authenticator, apiKeys, statements, controlPlane, governance } = options;
    const { accessProvider, auditFile, shutdownDelayMs, shutdownGraceMs } = config;
    const audit = new AuditFile(auditFile);
    const isolation = IsolationModule.forRootAsync({
      imports: [BackendsModule.forRoot(backends)],
      inject: [BackendDrivers],
      useFactory: ({ drivers }: BackendDrivers) => ({
        settings,
        backends: drivers,
        ...(controlPlane && { controlPlane }),
        auditSink: audit.sink((event) => event),
        actionSink: audit.sink(toActionJson),
      }),
    });
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({
          readiness: controlPlane === undefined ? {} : { policy: governance.check },
          // The other backends are served meanwhile, and all proxies would leave the load balancer at once.
          notices: () => ({ ...backends.watch.notices(), ...governance.notices() }),
          shutdownDelayMs,
          shutdownGraceMs,
        }),
        isolation,
      ],
      controllers: [
        KvController,
        MessagesController,
        QueriesController,
        SessionsController,
        TopicsController,
        UsageController,
      ],
      providers: [
        // The guard runs before every route: behind it, the caller and the namespace are known.
        { provide: NamespaceAuthenticator, useValue: authenticator },
        { provide: APP_GUARD, useClass: NamespaceGuard },
        { provide: APP_GUARD, useClass: CallerGuard },
        ...(controlPlane?.decidesAccess === true
          ? [
              {
                provide: APP_GUARD,
                inject: [Reflector],
                useFactory: (reflector: Reflector) => new AccessGuard(reflector, accessProvider),
              },
            ]
          : []),
        { provide: ApiKeys, useValue: apiKeys },
        { provide: STATEMENTS, useValue: statements },
        KvService,
        MessagesService,
        QueriesService,
        SessionsService,
        Subscriptions,
        TopicsService,
      ],
    };
  }
}
