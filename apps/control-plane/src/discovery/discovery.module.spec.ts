import { describe, expect, it } from '@jest/globals';
import { MemoryStore } from '@palisade/storage';
import { settingsOf } from '../../test/support/control-app.js';
import { Leadership } from '../leadership/leadership.js';
import { DiscoveryModule } from './discovery.module.js';

const POOLS = 'proxy_pools: { standard: { isolation_level: namespace } }\n';
const LIST = 'fixed list of static proxies';
const NO_PODS = 'fixed list of kubernetes proxies';

describe(DiscoveryModule.name, () => {
  it.each([
    ['', [LIST, NO_PODS]],
    [
      'service_discovery: { type: dns_srv, services: { standard: _proxy._tcp.example.com } }',
      [LIST, 'DNS discovery', NO_PODS],
    ],
    ['service_discovery: { type: kubernetes, label_selector: "app=proxy" }', [LIST]],
  ])('has the duties of the configuration %j, and removes the proxies of earlier ones', (yaml, names) => {
    const store = new MemoryStore();
    const assigned: string[] = [];
    const options = { name: 'leader', holder: 'a', ttlMs: 5000, mayLead: false };
    const leadership = new Leadership([store.leases], options);
    leadership.assign = ({ name }) => void assigned.push(name);
    new DiscoveryModule(store, settingsOf(POOLS + yaml), leadership).onModuleInit();
    expect(assigned).toEqual(names);
  });
});
