import { NatsDriver } from '@palisade/isolation/nats';
import type { BackendOptions } from './backend-options.js';

/** Undefined when NATS is not configured. Its users are in the servers' configuration, which `NatsProvisioner` can write. */
export function openNats({ config: { natsUrl } }: BackendOptions): NatsDriver | undefined {
  if (natsUrl === undefined) {
    return undefined;
  }
  const { protocol, host, username, password } = new URL(natsUrl);
  return new NatsDriver({
    config: {
      servers: `nats://${host}`,
      name: 'data-proxy',
      ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
      ...(protocol === 'tls:' ? { tls: {} } : {}),
    },
  });
}
