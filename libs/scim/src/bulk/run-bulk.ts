import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject, JsonValue, ResourceType } from '@palisade/domain';
import type { PreparedCreate, ResourceContext, ResourceOperations } from '../operations/resource-operations.js';
import type { ResourceAnswer, ScimRequest } from '../operations/scim-request.js';
import { resourceLocation } from '../resource/present-resource.js';
import { errorResource, ScimError, toScimError } from '../scim.errors.js';
import { BULK_RESPONSE_URN } from '../urns.js';
import { BulkCreations, type Creation, kindOf } from './bulk-creations.js';
import { replaceBulkReferences } from './bulk-references.js';
import { type BulkOperation, type BulkRequest, parseBulk } from './parse-bulk.js';
import { UserBatch } from './user-batch.js';

type Endpoints = Readonly<Record<ResourceType, ResourceOperations>>;

/**
 * Runs a BulkRequest (RFC 7644 §3.7). Operations run in the order given, except that one which refers to another's
 * `bulkId` runs after it. Users who refer to each other in a circle are resolved by allocating their identifiers
 * beforehand; groups that contain each other cannot exist and answer 409 (§3.7.1).
 *
 * Users who are created one after the other and refer to nothing are stored together: the answers are those of storing
 * each alone. Other requests have their turn between operations.
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
  private readonly batch = new UserBatch();
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
    try {
      for (const index of this.bulk.operations.keys()) {
        if (this.isStopped) {
          break;
        }
        await this.runNext(index);
      }
    } finally {
      // Also when a later operation ends the request: what stands before it is done.
      await this.storeBatch();
    }
    return { schemas: [BULK_RESPONSE_URN], Operations: this.results.filter((result) => result !== undefined) };
  }

  private get isStopped(): boolean {
    return this.bulk.failOnErrors !== undefined && this.failures >= this.bulk.failOnErrors;
  }

  private async runNext(index: number): Promise<void> {
    if (this.results[index] !== undefined) {
      return;
    }
    if (this.isUserAlone(index)) {
      await this.addToBatch(index);
    } else {
      await this.storeBatch();
      await this.runInOrder(index);
    }
  }

  /** Whether an operation creates a user and refers to no other. */
  private isUserAlone(index: number): boolean {
    return this.creations.of(index)?.type === 'User' && this.creations.referencesOf(index).length === 0;
  }

  private async addToBatch(index: number): Promise<void> {
    if (this.mayStopWithBatch) {
      await this.storeBatch();
    }
    if (this.isStopped) {
      return;
    }
    await this.takeTurn();
    const user = this.prepareOrReject(index);
    if (user === undefined) {
      return;
    }
    if (this.batch.isClosedFor(user)) {
      await this.storeBatch();
    }
    this.batch.add(index, user);
  }

  private prepareOrReject(index: number): PreparedCreate | undefined {
    try {
      return this.prepare(this.operation(index), index);
    } catch (error) {
      this.reject(index, error);
      return undefined;
    }
  }

  /** Whether no operation may follow if all in the batch fail. */
  private get mayStopWithBatch(): boolean {
    const { failOnErrors } = this.bulk;
    return failOnErrors !== undefined && this.failures + this.batch.size >= failOnErrors;
  }

  /** Stores the users in the batch together. Those who cannot be are then created each on its own, for its answer. */
  private async storeBatch(): Promise<void> {
    const users = this.batch.take();
    const endpoint = this.endpoints.User;
    const isWorthwhile = users.length > 1;
    const answers = isWorthwhile ? await endpoint.createTogether(users.map(({ user }) => user)) : [];
    for (const [place, { index, user }] of users.entries()) {
      const answer = answers[place];
      if (answer === undefined && isWorthwhile) {
        await this.takeTurn();
      }
      await this.attempt(index, async () => this.created(index, answer ?? (await endpoint.createPrepared(user))));
    }
  }

  /** Runs an operation after those that it refers to, with a stack of its own: chains may be a thousand long. */
  private async runInOrder(start: number): Promise<void> {
    this.push(start);
    for (let visit = this.stack.at(-1); visit !== undefined && !this.isStopped; visit = this.stack.at(-1)) {
      const needed = this.findUnmet(visit);
      if (needed === undefined) {
        this.pop(visit);
        await this.takeTurn();
        await this.attempt(visit.index, () => this.perform(visit.index));
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

  /** Keeps what an operation answers, or why it is rejected. */
  private async attempt(index: number, perform: () => Promise<JsonObject>): Promise<void> {
    try {
      this.results[index] = { ...heading(this.operation(index)), ...(await perform()) };
    } catch (error) {
      this.reject(index, error);
    }
  }

  /** @throws the error if it is not about this operation alone */
  private reject(index: number, error: unknown): void {
    const rejection = toScimError(error);
    if (rejection === undefined || rejection.status >= 500) {
      throw error;
    }
    const creation = this.creations.of(index);
    if (creation !== undefined) {
      creation.hasFailed = true;
    }
    this.failures += 1;
    const operation = this.operation(index);
    // RFC 7644 §3.7.3: a location "MUST be returned for all operations except for failed POST operations".
    const location = this.locate(operation);
    this.results[index] = {
      ...heading(operation),
      ...(location === undefined ? {} : { location }),
      status: String(rejection.status),
      response: errorResource(rejection),
    };
  }

  private async perform(index: number): Promise<JsonObject> {
    const operation = this.operation(index);
    if (operation.problem !== undefined || operation.target === undefined) {
      throw operation.problem ?? new ScimError(400, 'invalidPath', 'path: expected an endpoint');
    }
    const { type, reference } = operation.target;
    const endpoint = this.endpoints[type];
    if (reference === undefined) {
      return this.created(index, await endpoint.createPrepared(this.prepare(operation, index)));
    }
    const data = this.dataOf(operation, index);
    const request = this.requestOf(operation);
    const target = replaceBulkReferences(reference, this.resolver(operation, index));
    if (operation.method === 'DELETE') {
      await endpoint.delete(target, request);
      return { location: this.locate(operation) ?? '', status: '204' };
    }
    const isPut = operation.method === 'PUT';
    const answer = isPut ? await endpoint.replace(target, data, request) : await endpoint.patch(target, data, request);
    const hasNoBody = !isPut && type === 'Group' && this.context.settings.dialect !== 'rfc';
    return summary(answer, hasNoBody ? '204' : '200');
  }

  private prepare(operation: BulkOperation, index: number): PreparedCreate {
    const endpoint = this.endpoints[operation.target?.type ?? 'User'];
    const data = this.dataOf(operation, index);
    return endpoint.prepareCreate(data, this.requestOf(operation), this.creations.of(index)?.localId);
  }

  private created(index: number, answer: ResourceAnswer): JsonObject {
    const creation = this.creations.of(index);
    if (creation !== undefined) {
      creation.id = answer.id;
    }
    return summary(answer, '201');
  }

  private dataOf(operation: BulkOperation, index: number): JsonValue | undefined {
    return replaceBulkReferences(operation.data, this.resolver(operation, index), kindOf(operation.method));
  }

  private resolver(operation: BulkOperation, index: number): (bulkId: string) => string | undefined {
    return (bulkId) => this.creations.resolve(bulkId, operation, index);
  }

  private requestOf({ version }: BulkOperation): ScimRequest {
    return { ...this.request, ifMatch: version, ifNoneMatch: undefined, returnMinimal: true };
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

/** What every result begins with. */
function heading({ method, bulkId }: BulkOperation): JsonObject {
  return { ...(method === undefined ? {} : { method }), ...(bulkId === undefined ? {} : { bulkId }) };
}

function summary({ location, version }: ResourceAnswer, status: string): JsonObject {
  return { location, version, status };
}
