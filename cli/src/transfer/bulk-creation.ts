import { ApiError } from '@palisade/client';
import type { ApiClient } from '../api/api-client.js';
import { FailureError } from '../failure.error.js';
import { MAX_ATTEMPTS, isPassingStatus, pause, persistently } from './persistently.js';
import type { Resource, ResourceKind } from './resource-kind.js';

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
/** It is too large for a gateway on the way, or something in it keeps all of it from being read. */
const REFUSALS_OF_CONTENT: ReadonlySet<number> = new Set([400, 413]);

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

type BulkAnswers = ReadonlyMap<string, BulkAnswer>;

/** Creates resources in one request (RFC 7644 §3.7). Repeating it creates none twice: each has an external id. */
export class BulkCreation {
  constructor(
    private readonly client: ApiClient,
    private readonly kind: ResourceKind,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * One outcome for each resource, in order. What the service cannot do at the moment is tried again, with growing pauses,
   * and so is what it refused after that, which may have needed it; what it or a gateway refuses as a whole is sent in parts.
   *
   * @throws {ApiError} {@link UnreachableError} when the service stays unable, or refuses who asks.
   */
  async create(resources: readonly Resource[]): Promise<readonly CreationOutcome[]> {
    const outcomes: CreationOutcome[] = [];
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
        await pause(attempt, this.signal);
      }
    }
    return outcomes;
  }

  private async send(resources: readonly Resource[], indexes: readonly number[]): Promise<BulkAnswers> {
    try {
      return await persistently(() => this.sendOnce(resources, indexes), this.signal);
    } catch (error) {
      if (error instanceof ApiError && REFUSALS_OF_CONTENT.has(error.status)) {
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
      throw new FailureError('the service did not answer a BulkResponse');
    }
    return new Map(answers.map((operation: BulkAnswer) => [operation.bulkId ?? '', operation]));
  }

  /** What was refused as a whole, in halves: so it is one resource that is refused, and not those beside it. */
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
    // A provider with `repeat_create: conflict` refuses to create again what is there.
    if (status === 409 && (await this.exists(String(resource['externalId'])))) {
      return { status };
    }
    return { status, problem: `${scimType ?? (status || 'no answer')}: ${detail ?? 'the service did not say why'}` };
  }

  private async exists(externalId: string): Promise<boolean> {
    const query = { filter: `externalId eq ${JSON.stringify(externalId)}`, count: '0' };
    const request = { method: 'GET', path: `/scim/v2${this.kind.endpoint}`, query };
    const answer = await persistently(() => this.client.send(request), this.signal);
    return Number((answer as { readonly totalResults?: unknown } | undefined)?.totalResults) > 0;
  }
}
