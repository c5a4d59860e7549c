import { mapParallel } from '@palisade/async';
import { ApiError } from '@palisade/client';
import { messageOf } from '@palisade/domain';
import { persistently } from '../command/persistently.js';
import type { Change, Clients } from './plan.js';

const CONCURRENCY = 8;

export interface Outcome {
  readonly change: Change;
  /** Why it failed; absent when it is done. */
  readonly problem?: string;
}

/**
 * Makes the changes in their order, those of one kind at the same time, until one kind fails: what follows may need it.
 * Stops when the signal aborts; what was not begun has no outcome.
 */
export async function carryOut(
  changes: readonly Change[],
  clients: Clients,
  signal: AbortSignal,
  onOutcome: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const stage of stagesOf(changes)) {
    const first = await attempt(stage, clients, signal, CONCURRENCY);
    // Two objects that swap something cannot both be first: what was in the way may be gone now.
    const retried = await attempt(
      first.filter(isConflict).map(({ change }) => change),
      clients,
      signal,
      1,
    );
    const results = [...first.filter((outcome) => !isConflict(outcome)), ...retried];
    results.forEach(onOutcome);
    outcomes.push(...results);
    if (signal.aborted || results.some(({ problem }) => problem !== undefined)) {
      break;
    }
  }
  return outcomes;
}

function stagesOf(changes: readonly Change[]): Change[][] {
  const stages: Change[][] = [];
  for (const change of changes) {
    const last = stages.at(-1);
    const isSame = last?.[0]?.kind === change.kind && last[0].action === change.action;
    if (last !== undefined && isSame) {
      last.push(change);
    } else {
      stages.push([change]);
    }
  }
  return stages;
}

interface Attempt extends Outcome {
  readonly status?: number;
}

const isConflict = ({ status }: Attempt): boolean => status === 409;

async function attempt(
  changes: readonly Change[],
  clients: Clients,
  signal: AbortSignal,
  concurrency: number,
): Promise<Attempt[]> {
  const results = await mapParallel(changes, concurrency, async (change): Promise<Attempt | undefined> => {
    if (signal.aborted) {
      return undefined;
    }
    try {
      const request = requestOf(change);
      await persistently(() => clients[change.kind.service].send(request), signal);
      return { change };
    } catch (error) {
      if (signal.aborted) {
        return undefined;
      }
      const status = error instanceof ApiError ? error.status : undefined;
      if (change.action === 'remove' && status === 404) {
        return { change };
      }
      const hint = status === 412 ? 'it was changed meanwhile; repeat the command. ' : '';
      return { change, problem: hint + messageOf(error), ...(status !== undefined && { status }) };
    }
  });
  return results.filter((result) => result !== undefined);
}

function requestOf({ action, kind, wanted = {}, current }: Change) {
  if (action === 'create' || current === undefined) {
    return kind.create(wanted);
  }
  return action === 'remove' ? kind.remove(current) : (kind.update?.(wanted, current) ?? kind.create(wanted));
}
