import { BACKEND_KINDS, type BackendKind } from '@palisade/domain';
import type { BackendIsolationSection, BackendSection, ProvisioningSection } from '../dto/backends.dto.js';
import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import { findFormatFault, NAMED_BACKENDS } from '../kinds/name-formats.js';
import { isolationTypeOf } from '../mapping/backend-isolation.js';
import type { Check } from './check.js';

interface ProvisioningKey {
  readonly kinds: readonly BackendKind[];
  readonly isRequired: boolean;
}

/** Which backends each of these keys is for. */
const PROVISIONING_KEYS = {
  admin_url_file: { kinds: ['postgres', 'redis', 'kafka'], isRequired: true },
  save_acl_file: { kinds: ['redis'], isRequired: false },
  file: { kinds: ['nats'], isRequired: true },
  reload_command: { kinds: ['nats'], isRequired: true },
  check_command: { kinds: ['nats'], isRequired: false },
  monitor_url: { kinds: ['nats'], isRequired: false },
} satisfies Partial<Record<keyof ProvisioningSection, ProvisioningKey>>;

/** Tenants are separated in a way that the backend and the tenancy model allow. */
export const checkBackends: Check = ({ deployment, backends }, findings) => {
  for (const kind of BACKEND_KINDS) {
    const backend = backends[kind];
    const path = ['backends', kind];
    if (backend === undefined || !findings.hasForm(path)) {
      continue;
    }
    checkTransport(backend, path, findings);
    checkProvisioning(backend, { kind, isSingle: deployment.model === 'single_tenant' }, path, findings);
    if (backend.isolation !== undefined && findings.isSound([...path, 'isolation', 'type'])) {
      const expected = isolationTypeOf(deployment.model, kind);
      if (findings.isSound(['deployment', 'model'])) {
        checkType(backend.isolation, { expected, model: deployment.model }, [...path, 'isolation'], findings);
      }
      checkNames(backend.isolation, kind, [...path, 'isolation'], findings);
    }
  }
};

function checkType(
  { type }: BackendIsolationSection,
  { expected, model }: { readonly expected: string; readonly model: string },
  path: Path,
  findings: Findings,
): void {
  if (type !== expected) {
    findings.expected([...path, 'type'], `${expected} in ${model}`, type);
  }
}

function checkNames(isolation: BackendIsolationSection, kind: BackendKind, path: Path, findings: Findings): void {
  const { type, format, enable_rls: isRlsEnabled, tenant_column: column } = isolation;
  const named = NAMED_BACKENDS[kind];
  const given = { format, enable_rls: isRlsEnabled, tenant_column: column };
  for (const [name, value] of Object.entries(given)) {
    const isOfUse = name === 'format' ? type === named?.type : type === 'row_level_security';
    if (value !== undefined && !isOfUse) {
      findings.problem([...path, name], `expected nothing with the type ${type}`);
    }
  }
  if (isRlsEnabled === false) {
    findings.problem([...path, 'enable_rls'], 'expected true, as nothing else separates the rows of tenants');
  }
  const fault = format === undefined || named === undefined ? undefined : findFormatFault(format, named);
  if (fault !== undefined) {
    findings.expected([...path, 'format'], fault, format);
  }
}

function checkTransport(
  { ssl_mode: mode, client_cert_auth: withCertificate }: BackendSection,
  path: Path,
  findings: Findings,
): void {
  if (mode === 'disable' && withCertificate === true) {
    findings.problem([...path, 'client_cert_auth'], 'expected false with ssl_mode disable: certificates need TLS');
  }
}

function checkProvisioning(
  { provisioning }: BackendSection,
  { kind, isSingle }: { readonly kind: BackendKind; readonly isSingle: boolean },
  path: Path,
  findings: Findings,
): void {
  if (provisioning === undefined) {
    return;
  }
  if (isSingle) {
    findings.warning(
      [...path, 'provisioning'],
      'has no meaning in single_tenant: the backend belongs to the one tenant',
    );
  }
  const own = [...path, 'provisioning'];
  if (kind !== 'postgres' && provisioning.tables.length > 0) {
    findings.problem([...own, 'tables'], `expected nothing, as ${kind} has no tables`);
  }
  for (const [key, { kinds, isRequired }] of Object.entries<ProvisioningKey>(PROVISIONING_KEYS)) {
    const isGiven = provisioning[key as keyof typeof PROVISIONING_KEYS] !== undefined;
    if (isGiven && !kinds.includes(kind)) {
      findings.problem([...own, key], `expected nothing, as only ${kinds.join(', ')} can have it`);
    } else if (!isGiven && isRequired && kinds.includes(kind) && findings.isSound([...own, key])) {
      findings.problem([...own, key], `is required for ${kind}`);
    }
  }
}
