import { asFields, readMetadata } from '../api/objects.js';
import type { KubernetesApi } from '../api/kubernetes-api.js';
import { KubernetesError } from '../api/kubernetes.errors.js';
import { readPrismTenant, tenantPath, type PrismTenant, type PrismTenantStatus } from './prism-tenant.js';
import { isSameStatus } from './tenant-status.js';

const FIELD_MANAGER = 'palisade';
const MAX_ATTEMPTS = 5;

/** Writes the status of resources where it has changed. */
export class TenantStatusWriter {
  constructor(
    private readonly api: KubernetesApi,
    private readonly namespace: string,
  ) {}

  /**
   * Skips a resource that is gone, or whose spec has changed in the meantime: the watch reports it. When only other parts have
   * changed, it starts again with them.
   *
   * @param statusOf the status for the resource in its present state
   * @returns whether something was written
   * @throws {KubernetesError}
   */
  async write(
    resource: PrismTenant,
    statusOf: (resource: PrismTenant) => PrismTenantStatus,
    signal: AbortSignal,
  ): Promise<boolean> {
    let current: PrismTenant | undefined = resource;
    for (let attempt = 1; current?.uid === resource.uid && current.generation === resource.generation; attempt++) {
      const status = statusOf(current);
      if (isSameStatus(current.status, status)) {
        return false;
      }
      try {
        await this.patch(current, status, signal);
        return true;
      } catch (error) {
        if (!(error instanceof KubernetesError && (error.isConflict || error.isNotFound)) || attempt === MAX_ATTEMPTS) {
          throw error;
        }
        current = await this.find(resource.name, signal);
      }
    }
    return false;
  }

  /** The API server rejects it when the resource has another version by now. */
  private async patch({ name, resourceVersion }: PrismTenant, status: PrismTenantStatus, signal: AbortSignal) {
    const path = tenantPath(this.namespace, name, 'status');
    const body = { metadata: { resourceVersion }, status };
    await this.api.request({ method: 'PATCH', path, query: { fieldManager: FIELD_MANAGER }, body }, signal);
  }

  private async find(name: string, signal: AbortSignal): Promise<PrismTenant | undefined> {
    try {
      const object = await this.api.request({ method: 'GET', path: tenantPath(this.namespace, name) }, signal);
      const metadata = readMetadata(asFields(object) ?? {});
      return metadata && readPrismTenant(metadata, object);
    } catch (error) {
      if (error instanceof KubernetesError && error.isNotFound) {
        return undefined;
      }
      throw error;
    }
  }
}
