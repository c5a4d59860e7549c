import { Module, type DynamicModule } from '@nestjs/common';
import type { Store } from '@palisade/domain';
import { LogModule, PlatformModule, StorePreparation, type Tracing } from '@palisade/platform';
import { AccessModule } from './access/access.module.js';
import { AuthenticationModule } from './authentication.module.js';
import { ConfigModule } from './config/config.module.js';
import type { ControlPlaneConfig } from './config/control-plane.config.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { DnsModule } from './dns/dns.module.js';
import { HealthChecksModule } from './health/health-checks.module.js';
import { KubernetesModule } from './kubernetes/kubernetes.module.js';
import { LoadBalancerModule } from './load-balancer/load-balancer.module.js';
import { LogExportModule } from './log/log-export.module.js';
import { PolicyModule } from './policy/policy.module.js';
import { PoolsModule } from './pools/pools.module.js';
import { ProvisioningModule } from './provisioning/provisioning.module.js';
import { ProxiesModule } from './proxies/proxies.module.js';
import { ProxyAccessModule } from './proxy-access/proxy-access.module.js';
import { Registry } from './routing/table/registry.js';
import { RegistryModule } from './routing/table/registry.module.js';
import { RoutingModule } from './routing/routing.module.js';
import { StatusModule } from './status/status.module.js';
import { StoreModule } from './store.module.js';
import { TenantsModule } from './tenants/tenants.module.js';

@Module({})
export class AppModule {
  static forRoot(config: ControlPlaneConfig, store: Store, tracing?: Tracing): DynamicModule {
    const { managementListen, shutdownDelayMs, shutdownGraceMs } = config;
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        StoreModule.forRoot(store),
        PlatformModule.forRootAsync({
          imports: [RegistryModule],
          inject: [StorePreparation, Registry],
          useFactory: (preparation: StorePreparation, registry: Registry) => ({
            readiness: { store: () => preparation.check(), registry: () => registry.check() },
            notices: () => preparation.notices(),
            managementListen,
            shutdownDelayMs,
            shutdownGraceMs,
            onGraceEnd: () => preparation.abandon(),
            tracing,
          }),
        }),
        AuthenticationModule,
        RegistryModule,
        TenantsModule,
        RoutingModule,
        AccessModule,
        PoolsModule,
        ProxiesModule,
        ProxyAccessModule,
        PolicyModule,
        LoadBalancerModule,
        DiscoveryModule,
        HealthChecksModule,
        DnsModule,
        KubernetesModule,
        ProvisioningModule,
        StatusModule,
        LogModule,
        LogExportModule,
      ],
    };
  }
}
