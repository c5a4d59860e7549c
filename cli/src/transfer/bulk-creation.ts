import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../api/api-client.js';
import { ApiError } from '../api/api.error.js';
import { UnreachableError } from '../api/unreachable.error.js';
import { FailureError } from '../failure.error.js';
import { fillPath } from '../api/fill-path.js';
import type { Resource, ResourceKind } from './resource-kind.js';

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;

/** What came of one resource. */
export interface CreationOutcome {
  readonly status: number;
  /** Why there is no such resource now; absent when there is. */
  readonly problem?: string;
}

interface BulkAnswer {
  readonly bulkId?: string;
  readonly status?: string;
  readonly response?: { readonly scimType?: string; readonly detail?: string };
}

/** Creates resources in one request (RFC 7644 §3.7). Repeating it creates none twice: each has an external id. */
export class BulkCreation {
  constructor(
    private readonly client: ApiClient,
    private readonly kind: ResourceKind,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * One outcome for each resource, in order. What the service cannot do at the moment is tried again, with growing pauses.
   *
   * @throws {ApiError} {@link UnreachableError} when the service stays unable, or refuses the request as a whole.
   */
  async create(resources: readonly Resource[]): Promise<readonly CreationOutcome[]> {
    const outcomes: CreationOutcome[] = [];
    let open = [...resources.keys()];
    for (let attempt = 1; open.length > 0; attempt++) {
      const answers = await this.send(resources, open, attempt);
      for (const index of open) {
        outcomes[index] = await this.judge(answers.get(String(index)), resources[index] ?? {});
      }
      open = open.filter((index) => attempt < MAX_ATTEMPTS && isPassing(outcomes[index]?.status ?? 0));
      if (open.length > 0) {
        await this.pause(attempt, undefined);
      }
    }
    return outcomes;
  }

  private async send(
    resources: readonly Resource[],
    indexes: readonly number[],
    attempt: number,
  ): Promise<ReadonlyMap<string, BulkAnswer>> {
    const body = {
      schemas: [BULK_REQUEST],
      Operations: indexes.map((index) => ({
        method: 'POST',
        path: this.kind.endpoint,
        bulkId: String(index),
        data: resources[index],
      })),
    };
    try {
      const answer = await this.client.send({ method: 'POST', path: '/scim/v2/Bulk', body });
      const { Operations: operations } = (answer ?? {}) as { readonly Operations?: readonly BulkAnswer[] };
      if (!Array.isArray(operations)) {
        throw new FailureError('the service did not answer a BulkResponse');
      }
      return new Map(operations.map((operation: BulkAnswer) => [operation.bulkId ?? '', operation]));
    } catch (error) {
      const isUnable = error instanceof UnreachableError || (error instanceof ApiError && isPassing(error.status));
      if (!isUnable || attempt >= MAX_ATTEMPTS) {
        throw error;
      }
      await this.pause(attempt, error instanceof ApiError ? error.retryAfterSeconds : undefined);
      return this.send(resources, indexes, attempt + 1);
    }
  }

  private async judge(answer: BulkAnswer | undefined, resource: Resource): Promise<CreationOutcome> {
    const status = Number(answer?.status ?? 0);
    if (status >= 200 && status < 300) {
      return { status };
    }
    const { scimType, detail } = answer?.response ?? {};
    // A provider with `repeat_create: conflict` refuses to create again what is there.
    if (status === 409 && (await this.exists(String(resource['externalId'])))) {
      return { status };
    }
    return { status, problem: `${scimType ?? (status || 'no answer')}: ${detail ?? 'the service did not say why'}` };
  }

  private async exists(externalId: string): Promise<boolean> {
    try {
      const path = fillPath(`/scim/v2${this.kind.endpoint}/{id}`, { id: externalId });
      await this.client.send({ method: 'GET', path, query: { attributes: 'id' } });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        return false;
      }
      throw error;
    }
  }

  private async pause(attempt: number, retryAfterSeconds: number | undefined): Promise<void> {
    await sleep(
      retryAfterSeconds === undefined ? FIRST_PAUSE_MS * 2 ** (attempt - 1) : retryAfterSeconds * 1000,
      undefined,
      {
        signal: this.signal,
      },
    );
  }
}

/** Too many requests, or an error of the service: it may be different in a moment. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}
