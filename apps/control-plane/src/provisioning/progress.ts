import {
  type BackendKind,
  isObject,
  type JsonObject,
  type JsonValue,
  parseTenantId,
  type TenantId,
} from '@palisade/domain';

/** How far provisioning on one backend has come. */
export interface Progress {
  /** Of the registry. */
  readonly revision: number;
  /** Of what the configuration said then. */
  readonly settingsDigest: string;
  readonly pending: readonly { readonly tenant: TenantId; readonly reason: string }[];
}

/** The report of an earlier leader, by backend. What is none is left out: that backend begins anew, which does no harm. */
export function readProgress(detail: JsonObject | undefined): ReadonlyMap<BackendKind, Progress> {
  return new Map(
    objectsIn(detail?.['backends']).flatMap(({ backend, revision, settings, pending }): [BackendKind, Progress][] => {
      if (!Number.isSafeInteger(revision) || typeof settings !== 'string') {
        return [];
      }
      const tenants = objectsIn(pending).map(({ tenant, reason }) => ({
        tenant: parseTenantId(String(tenant)),
        reason: String(reason),
      }));
      return [[backend as BackendKind, { revision: Number(revision), settingsDigest: settings, pending: tenants }]];
    }),
  );
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each): each is JsonObject => isObject(each)) : [];
}
