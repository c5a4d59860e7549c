import { ApiError } from '@palisade/client';
import type { ApiClient } from '../command/api-client.js';
import { FailureError } from '../command/command.errors.js';
import { isPassingStatus, retryBackoff } from '../command/passing-failures.js';
import { MAX_ATTEMPTS, pauseBeforeRetry, persistently } from '../command/persistently.js';
import type { Resource, ResourceKind } from './resource-kind.js';

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
/** The request is too large for a gateway on the way, or something in it makes all of it unreadable. */
const CONTENT_ERRORS: ReadonlySet<number> = new Set([400, 413]);

/** The result for one resource. */
export interface CreationOutcome {
  readonly status: number;
  /** Why the resource does not exist now; absent when it does. */
  readonly problem?: string;
}

interface BulkAnswer {
  readonly bulkId?: string;
  readonly status?: string;
  readonly response?: { readonly scimType?: string; readonly detail?: string };
}

type BulkAnswers = ReadonlyMap<string, BulkAnswer>;

/** Creates resources in one request (RFC 7644 §3.7). Repeating it creates nothing twice: each resource has an external id. */
export class BulkCreation {
  constructor(
    private readonly client: ApiClient,
    private readonly kind: ResourceKind,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * One outcome for each resource, in order. Operations that fail for the moment are retried with growing pauses, and so are
   * those that failed after them, as they may depend on them. A request that is rejected as a whole is sent in parts.
   *
   * @throws {ApiError} {@link UnreachableError} when the service keeps failing, or rejects the credentials
   */
  async create(resources: readonly Resource[]): Promise<readonly CreationOutcome[]> {
    const outcomes: CreationOutcome[] = [];
    const backoff = retryBackoff();
    let open = [...resources.keys()];
    for (let attempt = 1; open.length > 0; attempt++) {
      const answers = await this.send(resources, open);
      for (const index of open) {
        outcomes[index] = await this.judge(answers.get(String(index)), resources[index] ?? {});
      }
      const firstPassing = open.find((index) => isPassingStatus(outcomes[index]?.status ?? 0)) ?? Infinity;
      open = open.filter(
        (index) => attempt < MAX_ATTEMPTS && index >= firstPassing && outcomes[index]?.problem !== undefined,
      );
      if (open.length > 0) {
        await pauseBeforeRetry(backoff.next(), this.signal);
      }
    }
    return outcomes;
  }

  private async send(resources: readonly Resource[], indexes: readonly number[]): Promise<BulkAnswers> {
    try {
      return await persistently(() => this.sendOnce(resources, indexes), this.signal);
    } catch (error) {
      if (error instanceof ApiError && CONTENT_ERRORS.has(error.status)) {
        return this.sendApart(resources, indexes, error);
      }
      throw error;
    }
  }

  private async sendOnce(resources: readonly Resource[], indexes: readonly number[]): Promise<BulkAnswers> {
    const operations = indexes.map((index) => ({
      method: 'POST',
      path: this.kind.endpoint,
      bulkId: String(index),
      data: resources[index],
    }));
    const body = { schemas: [BULK_REQUEST], Operations: operations };
    const answer = await this.client.send({ method: 'POST', path: '/scim/v2/Bulk', body });
    const { Operations: answers } = (answer ?? {}) as { readonly Operations?: readonly BulkAnswer[] };
    if (!Array.isArray(answers)) {
      throw new FailureError('the service did not answer with a BulkResponse');
    }
    return new Map(answers.map((operation: BulkAnswer) => [operation.bulkId ?? '', operation]));
  }

  /** Sends a rejected request in halves, so that in the end only the resource at fault is rejected. */
  private async sendApart(
    resources: readonly Resource[],
    indexes: readonly number[],
    { status, message }: ApiError,
  ): Promise<BulkAnswers> {
    if (indexes.length === 1) {
      return new Map([[String(indexes[0]), { status: String(status), response: { detail: message } }]]);
    }
    const middle = Math.ceil(indexes.length / 2);
    const first = await this.send(resources, indexes.slice(0, middle));
    return new Map([...first, ...(await this.send(resources, indexes.slice(middle)))]);
  }

  private async judge(answer: BulkAnswer | undefined, resource: Resource): Promise<CreationOutcome> {
    const status = Number(answer?.status ?? 0);
    if (status >= 200 && status < 300) {
      return { status };
    }
    const { scimType, detail } = answer?.response ?? {};
    // A provider with `repeat_create: conflict` rejects the creation of what exists already.
    if (status === 409 && (await this.exists(String(resource['externalId'])))) {
      return { status };
    }
    return { status, problem: `${scimType ?? (status || 'no answer')}: ${detail ?? 'the service gave no reason'}` };
  }

  private async exists(externalId: string): Promise<boolean> {
    const query = { filter: `externalId eq ${JSON.stringify(externalId)}`, count: '0' };
    const request = { method: 'GET', path: `/scim/v2${this.kind.endpoint}`, query };
    const answer = await persistently(() => this.client.send(request), this.signal);
    return Number((answer as { readonly totalResults?: unknown } | undefined)?.totalResults) > 0;
  }
}
