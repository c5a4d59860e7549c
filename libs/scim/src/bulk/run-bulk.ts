import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject, ResourceType } from '@palisade/domain';
import { ScimError } from '../errors/scim.error.js';
import { errorResource, toScimError } from '../errors/to-scim-error.js';
import { resourceLocation } from '../resource/present-resource.js';
import type { ResourceContext, ResourceOperations } from '../server/resource-operations.js';
import type { ResourceAnswer, ScimRequest } from '../server/scim-request.js';
import { BULK_RESPONSE_URN } from '../urns.js';
import { BulkCreations, kindOf, type Creation } from './bulk-creations.js';
import { replaceBulkReferences } from './bulk-references.js';
import { parseBulk, type BulkOperation, type BulkRequest } from './parse-bulk.js';

type Endpoints = Readonly<Record<ResourceType, ResourceOperations>>;

/**
 * Runs a BulkRequest (RFC 7644 §3.7). Operations run in the order given, except that one which refers to another's
 * `bulkId` runs after it. Users who refer to each other in a circle are resolved by allocating their identifiers
 * beforehand; groups that contain each other cannot exist and answer 409 (§3.7.1).
 *
 * Other requests have their turn between operations.
 *
 * @throws the reason of `request.signal` once that is aborted; operations that were run before stay done
 */
export function runBulk(
  endpoints: Endpoints,
  body: unknown,
  context: ResourceContext,
  request: ScimRequest = {},
): Promise<JsonObject> {
  return new BulkRun(endpoints, parseBulk(body), context, request).run();
}

/** An operation that waits for those that it refers to. */
interface Visit {
  readonly index: number;
  /** What it refers to and has not been looked at yet: each reference is looked at once. */
  readonly references: Iterator<Creation>;
  /** The lowest place on the stack that it or what it refers to leads back to. */
  backTo: number;
}

class BulkRun {
  private readonly results: (JsonObject | undefined)[];
  private readonly creations: BulkCreations;
  /** The operations under way, each after the one that refers to it. */
  private readonly stack: Visit[] = [];
  /** By index of an operation: its place on the stack. */
  private readonly places = new Map<number, number>();
  private failures = 0;

  constructor(
    private readonly endpoints: Endpoints,
    private readonly bulk: BulkRequest,
    private readonly context: ResourceContext,
    private readonly request: ScimRequest,
  ) {
    this.results = Array.from({ length: bulk.operations.length });
    this.creations = new BulkCreations(bulk.operations, context.provider);
  }

  async run(): Promise<JsonObject> {
    for (const index of this.bulk.operations.keys()) {
      if (this.isStopped) {
        break;
      }
      await this.runInOrder(index);
    }
    return { schemas: [BULK_RESPONSE_URN], Operations: this.results.filter((result) => result !== undefined) };
  }

  private get isStopped(): boolean {
    return this.bulk.failOnErrors !== undefined && this.failures >= this.bulk.failOnErrors;
  }

  /** Runs an operation after those that it refers to, with a stack of its own: chains may be a thousand long. */
  private async runInOrder(start: number): Promise<void> {
    if (this.results[start] !== undefined) {
      return;
    }
    this.push(start);
    for (let visit = this.stack.at(-1); visit !== undefined && !this.isStopped; visit = this.stack.at(-1)) {
      const needed = this.findUnmet(visit);
      if (needed === undefined) {
        this.pop(visit);
        await this.takeTurn();
        await this.runOnce(visit.index);
      } else {
        this.push(needed);
      }
    }
  }

  private push(index: number): void {
    this.places.set(index, this.stack.length);
    this.stack.push({ index, references: this.creations.referencesOf(index).values(), backTo: Infinity });
  }

  private pop({ index, backTo }: Visit): void {
    this.stack.pop();
    this.places.delete(index);
    const creation = this.creations.of(index);
    if (creation !== undefined) {
      creation.isInCircle = backTo <= this.stack.length;
    }
    const referrer = this.stack.at(-1);
    if (referrer !== undefined) {
      referrer.backTo = Math.min(referrer.backTo, backTo);
    }
  }

  private findUnmet(visit: Visit): number | undefined {
    for (let next = visit.references.next(); next.done !== true; next = visit.references.next()) {
      const { index } = next.value;
      const place = this.places.get(index);
      if (place !== undefined) {
        visit.backTo = Math.min(visit.backTo, place);
      } else if (this.results[index] === undefined) {
        return index;
      }
    }
    return undefined;
  }

  private async takeTurn(): Promise<void> {
    await nextTurn();
    this.request.signal?.throwIfAborted();
  }

  private async runOnce(index: number): Promise<void> {
    const operation = this.operation(index);
    const result = {
      ...(operation.method === undefined ? {} : { method: operation.method }),
      ...(operation.bulkId === undefined ? {} : { bulkId: operation.bulkId }),
    };
    try {
      this.results[index] = { ...result, ...(await this.perform(operation, index)) };
    } catch (error) {
      const refusal = toScimError(error);
      if (refusal === undefined || refusal.status >= 500) {
        throw error;
      }
      this.fail(index, operation, result, refusal);
    }
  }

  private fail(index: number, operation: BulkOperation, result: JsonObject, refusal: ScimError): void {
    const creation = this.creations.of(index);
    if (creation !== undefined) {
      creation.hasFailed = true;
    }
    this.failures += 1;
    // RFC 7644 §3.7.3: a location "MUST be returned for all operations except for failed POST operations".
    const location = this.locate(operation);
    this.results[index] = {
      ...result,
      ...(location === undefined ? {} : { location }),
      status: String(refusal.status),
      response: errorResource(refusal),
    };
  }

  private async perform(operation: BulkOperation, index: number): Promise<JsonObject> {
    if (operation.problem !== undefined || operation.target === undefined) {
      throw operation.problem ?? new ScimError(400, 'invalidPath', 'path: expected an endpoint');
    }
    const resolve = (bulkId: string): string | undefined => this.creations.resolve(bulkId, operation, index);
    const { type, reference } = operation.target;
    const data = replaceBulkReferences(operation.data, resolve, kindOf(operation.method));
    const endpoint = this.endpoints[type];
    const request: ScimRequest = { ...this.request, ifMatch: operation.version, returnMinimal: true };
    if (reference === undefined) {
      const creation = this.creations.of(index);
      const answer = await endpoint.create(data, request, creation?.localId);
      if (creation !== undefined) {
        creation.id = answer.id;
      }
      return summary(answer, '201');
    }
    const target = replaceBulkReferences(reference, resolve);
    if (operation.method === 'DELETE') {
      await endpoint.delete(target, request);
      return { location: this.locate(operation) ?? '', status: '204' };
    }
    const isPut = operation.method === 'PUT';
    const answer = isPut ? await endpoint.replace(target, data, request) : await endpoint.patch(target, data, request);
    const hasNoBody = !isPut && type === 'Group' && this.context.settings.dialect !== 'rfc';
    return summary(answer, hasNoBody ? '204' : '200');
  }

  private locate({ target }: BulkOperation): string | undefined {
    if (target?.reference === undefined) {
      return undefined;
    }
    const reference = replaceBulkReferences(target.reference, (bulkId) => this.creations.idOf(bulkId));
    return resourceLocation(target.type, reference, this.context.baseUrl);
  }

  private operation(index: number): BulkOperation {
    const operation = this.bulk.operations[index];
    if (operation === undefined) {
      throw new RangeError(`no operation ${index}`);
    }
    return operation;
  }
}

function summary({ location, version }: ResourceAnswer, status: string): JsonObject {
  return { location, version, status };
}
