import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import { DISCOVERY_TYPE } from '../dto/discovery.dto.js';
import type { Findings } from '../findings/findings.js';
import { read } from '../kinds/kind.js';
import { resolvePools } from '../mapping/resolve-pools.js';
import type { Check } from './check.js';
import { checkPoolExists } from './pools.check.js';

const KEYS_BY_TYPE = {
  static: { required: ['proxies'], optional: [] },
  dns_srv: { required: ['services'], optional: ['interval'] },
  kubernetes: { required: ['label_selector'], optional: ['pool_label', 'port_name'] },
} as const;

/** The keys are those of the type, and what is discovered belongs to pools that exist. */
export const checkDiscovery: Check = (file, findings) => {
  const section = file.service_discovery;
  if (section === undefined) {
    return;
  }
  if (findings.isSound(['service_discovery', 'type'])) {
    const { type: written, ...given } = section;
    const type = read(DISCOVERY_TYPE, written);
    const { required, optional } = KEYS_BY_TYPE[type];
    const known = new Set<string>([...required, ...optional]);
    for (const [name, value] of Object.entries(given)) {
      const path = ['service_discovery', name];
      if (value !== undefined && !known.has(name)) {
        findings.problem(path, `expected nothing with the type ${type}`);
      } else if (value === undefined && required.some((each) => each === name)) {
        findings.problem(path, `expected it with the type ${type}, found nothing`);
      }
    }
  }
  checkProxies(file, findings);
};

function checkProxies(file: ControlPlaneFile, findings: Findings): void {
  const pools = new Set(resolvePools(file).keys());
  const indexByEndpoint = new Map<string, number>();
  for (const [index, { pool, endpoint }] of (file.service_discovery?.proxies ?? []).entries()) {
    const path = ['service_discovery', 'proxies', index];
    if (!findings.isSound(path)) {
      continue;
    }
    checkPoolExists(pools, pool, [...path, 'pool'], findings);
    const first = indexByEndpoint.get(endpoint);
    if (first !== undefined) {
      findings.problem(
        [...path, 'endpoint'],
        `expected another address than that of proxies[${first}], found "${endpoint}"`,
      );
    }
    indexByEndpoint.set(endpoint, first ?? index);
  }
  for (const pool of file.service_discovery?.services?.keys() ?? []) {
    checkPoolExists(pools, pool, ['service_discovery', 'services', pool], findings);
  }
}
