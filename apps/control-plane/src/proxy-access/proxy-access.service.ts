import { Injectable } from '@nestjs/common';
import { mapParallel } from '@palisade/async';
import {
  Store,
  answerAccess,
  type AccessAnswerDocument,
  type AccessQuestion,
  type NamespaceId,
  type PoolName,
  type ProxyId,
} from '@palisade/domain';
import type { AdminPrincipal, ProxyPrincipal } from '@palisade/guards';
import { ProxiesService } from '../proxies/proxies.service.js';
import { Registry } from '../routing/table/registry.js';
import type { RoutingTable } from '../routing/table/routing-table.js';

export type ProxyQuestion = Pick<AccessQuestion, 'provider' | 'reference' | 'namespace' | 'relation'>;

/** Questions of one request that the store is asked at the same time. */
const PARALLEL_QUESTIONS = 8;

/** Tells proxies what the users behind their requests may do, in the namespaces that their pool serves. */
@Injectable()
export class ProxyAccessService {
  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly proxies: ProxiesService,
  ) {}

  /**
   * In the order of the questions.
   *
   * @throws {ProxyNotFoundError} also for a proxy that is not the caller's
   */
  async answer(
    caller: AdminPrincipal | ProxyPrincipal,
    id: ProxyId,
    questions: readonly ProxyQuestion[],
  ): Promise<AccessAnswerDocument[]> {
    const { pool } = await this.proxies.getOwn(caller, id);
    const table = await this.registry.current();
    return mapParallel(questions, PARALLEL_QUESTIONS, (question) =>
      isServed(table, question.namespace, pool)
        ? this.ask(question)
        : Promise.resolve({ allowed: false, reason: 'not_served' }),
    );
  }

  private async ask(question: ProxyQuestion): Promise<AccessAnswerDocument> {
    const { grants, denial } = await answerAccess(this.store, { ...question, knowsUsers: false });
    const [grant] = grants;
    const user = grant && (await this.store.directory.find(question.provider, 'User', question.reference));
    if (grant === undefined || user === undefined) {
      return { allowed: false, reason: denial ?? 'no_relation' };
    }
    return { allowed: true, user: user.id, because: { groups: grant.groups, relation: grant.binding.relation } };
  }
}

/** A pool also serves what it is about to lose to another pool. */
function isServed(table: RoutingTable, namespace: NamespaceId, pool: PoolName): boolean {
  const route = table.resolve(namespace);
  const tenant = route?.tenant === undefined ? undefined : table.find(route.tenant);
  return route?.pool === pool || tenant?.tenant.draining?.pool === pool;
}
