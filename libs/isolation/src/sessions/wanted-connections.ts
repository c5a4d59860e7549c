import { UnknownBackendError } from '../backends/unknown-backend.error.js';
import type { DedicatedBackend } from './dedicated-backend.js';

export type WantedConnections = ReadonlyMap<DedicatedBackend, number>;

/**
 * How many connections a session is to have, by backend; one to each unless it says otherwise.
 *
 * @throws {UnknownBackendError} when it names a backend that is not configured, or no number of connections
 */
export function readWanted(
  connections: Readonly<Record<string, number>> | undefined,
  backends: ReadonlyMap<string, DedicatedBackend>,
): WantedConnections {
  if (connections === undefined) {
    return new Map([...backends.values()].map((backend) => [backend, 1]));
  }
  return new Map(
    Object.entries(connections).map(([name, count]) => {
      const backend = backends.get(name);
      if (backend === undefined || !Number.isSafeInteger(count) || count < 1) {
        throw new UnknownBackendError(name, 'a configured backend, and at least one connection to it');
      }
      return [backend, count];
    }),
  );
}

export function countsByName(wanted: WantedConnections): ReadonlyMap<string, number> {
  return new Map([...wanted].map(([{ name }, count]) => [name, count]));
}
