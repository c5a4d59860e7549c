import { readFile } from 'node:fs/promises';
import { redactText, type BackendKind, type TenantId } from '@palisade/domain';
import { TenantSecrets } from '@palisade/isolation';

/** The tenants to provision now. */
export interface ProvisioningChange {
  /** Tenants that are new, have changed, or whose last attempt failed. */
  readonly present: readonly TenantId[];
  readonly removed: readonly TenantId[];
  /** Every tenant of the registry. */
  readonly all: readonly TenantId[];
}

export interface ProvisioningFailure {
  readonly tenant: TenantId;
  /** For the operator; contains no secrets. */
  readonly reason: string;
}

/** Creates, verifies and removes credentials and permissions of tenants on one backend. Repeating it changes nothing. */
export abstract class TenantProvisioner {
  abstract readonly backend: BackendKind;

  /** How many tenants to provision at a time; progress is stored after each batch. */
  abstract readonly batchSize: number;

  /** Returns the failures, which are to be tried again. Stops between two tenants when the signal aborts. */
  abstract provide(change: ProvisioningChange, signal: AbortSignal): Promise<readonly ProvisioningFailure[]>;

  /** How a tenant differs from what {@link provide} makes, for the operator and without secrets; empty when it does not. */
  abstract verify(tenant: TenantId): Promise<readonly string[]>;
}

/** For backends where each tenant is provisioned separately. */
export abstract class SingleTenantProvisioner extends TenantProvisioner {
  override readonly batchSize = 50;

  override async provide(
    { present, removed }: ProvisioningChange,
    signal: AbortSignal,
  ): Promise<readonly ProvisioningFailure[]> {
    const failures: ProvisioningFailure[] = [];
    const attempt = async (tenant: TenantId, work: (tenant: TenantId) => Promise<unknown>): Promise<void> => {
      signal.throwIfAborted();
      try {
        await work(tenant);
      } catch (error) {
        failures.push({ tenant, reason: reasonOf(error) });
      }
    };
    for (const tenant of present) {
      await attempt(tenant, (id) => this.apply(id));
    }
    for (const tenant of removed) {
      await attempt(tenant, (id) => this.remove(id));
    }
    return failures;
  }

  protected abstract apply(tenant: TenantId): Promise<unknown>;
  protected abstract remove(tenant: TenantId): Promise<unknown>;
}

const MAX_REASON_LENGTH = 200;

/** A short description of a failure. Some errors of drivers have their message only in their cause. */
export function reasonOf(error: unknown): string {
  const { message, code, cause } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  const text = message || code || 'failed';
  const why = cause instanceof Error && !text.includes(cause.message) ? `${text}: ${cause.message}` : text;
  return redactText(why).replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH);
}

/** The content of a file with a secret, read each time, so that it can be replaced without a restart. */
export async function readSecretFile(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

/** @throws {RangeError} that names the file when its secret is too short */
export async function readTenantSecrets(path: string): Promise<TenantSecrets> {
  const secret = await readSecretFile(path);
  try {
    return new TenantSecrets(secret);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${path}: ${error.message}`, { cause: error }) : error;
  }
}
