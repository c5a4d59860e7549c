import { Module, type DynamicModule } from '@nestjs/common';
import type { NamespaceAuthenticator } from '@palisade/guards';
import { IsolationModule } from '@palisade/isolation';
import { PlatformModule } from '@palisade/platform';
import { AuditFile } from './audit/audit-file.js';
import { toRecordJson } from './audit/record-json.js';
import { BackendDrivers, BackendsModule } from './backends/backends.module.js';
import type { Backends } from './backends/open-backends.js';
import type { DataProxyConfig } from './config/data-proxy.config.js';
import { RegistrationModule } from './control-plane/registration.module.js';
import type { Registration } from './control-plane/registration.js';
import { IdentityModule } from './identity/identity.module.js';
import { KvModule } from './kv/kv.module.js';
import { MessagesModule } from './messages/messages.module.js';
import type { StatementsByName } from './queries/named-statement.js';
import { QueriesModule } from './queries/queries.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { TopicsModule } from './topics/topics.module.js';
import { UsageModule } from './usage/usage.module.js';

export interface AppOptions {
  readonly config: Pick<DataProxyConfig, 'auditFile' | 'shutdownDelayMs' | 'shutdownGraceMs'>;
  /** For the backends' drivers and no others. */
  readonly settings: unknown;
  readonly backends: Backends;
  readonly authenticator: NamespaceAuthenticator;
  readonly statements: StatementsByName;
  /** Absent: no control plane knows of the proxy. */
  readonly registration?: Registration;
}

@Module({})
export class AppModule {
  static forRoot({ config, settings, backends, authenticator, statements, registration }: AppOptions): DynamicModule {
    const { auditFile, shutdownDelayMs, shutdownGraceMs } = config;
    const audit = new AuditFile(auditFile);
    const backendsModule = BackendsModule.forRoot(backends);
    const isolation = IsolationModule.forRootAsync({
      imports: [backendsModule],
      inject: [BackendDrivers],
      useFactory: ({ drivers }: BackendDrivers) => ({
        settings,
        backends: drivers,
        auditSink: audit.sink((event) => event),
        actionSink: audit.sink(toRecordJson),
      }),
    });
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({ readiness: {}, shutdownDelayMs, shutdownGraceMs }),
        { ...isolation, global: true },
        IdentityModule.forRoot(authenticator),
        KvModule,
        MessagesModule,
        QueriesModule.forRoot(statements),
        TopicsModule,
        SessionsModule,
        UsageModule,
        ...(registration === undefined ? [] : [RegistrationModule.forRoot(registration)]),
      ],
    };
  }
}
