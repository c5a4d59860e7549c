import { randomUUID } from 'node:crypto';
import type { TenantId } from '@palisade/domain';
import { mainNamespace } from '../../../tenant-namespace.js';
import { NatsLink } from '../nats-link.js';
import type { NatsConnectOptions } from '../nats-options.js';
import { NatsNames } from '../subject-space.js';

/** A tenant, and how it connects. */
export interface NatsParty {
  readonly tenantId: TenantId;
  readonly config: NatsConnectOptions;
}

const TIMEOUT_MS = 5_000;

/** A tenant that is connected. */
interface Connected {
  readonly tenantId: TenantId;
  readonly link: NatsLink;
  /** Subjects that are its own: one for messages, one for replies. */
  readonly subjects: readonly string[];
}

/** What two tenants can do that they should not, and what they cannot that they should; empty when nothing is wrong. */
export async function findLeaks(one: NatsParty, other: NatsParty, names: NatsNames): Promise<string[]> {
  const links: NatsLink[] = [];
  const connect = async ({ tenantId, config }: NatsParty): Promise<Connected> => {
    const owner = { tenantId, namespace: mainNamespace(tenantId) };
    const inboxPrefix = NatsNames.inboxPrefix(owner);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const link = await NatsLink.open({ connect: config, inboxPrefix, confirmTimeoutMs: TIMEOUT_MS }, signal);
    links.push(link);
    const token = `verify-${randomUUID()}`;
    return { tenantId, link, subjects: [names.of(owner).subject(token), `${inboxPrefix}.${token}`] };
  };
  try {
    const first = await connect(one);
    const second = await connect(other);
    return [...(await tryOne(first, second)), ...(await tryOne(second, first))];
  } finally {
    await Promise.all(links.map((link) => link.close()));
  }
}

async function tryOne(self: Connected, other: Connected): Promise<string[]> {
  const problems: string[] = [];
  for (const subject of self.subjects) {
    if (!(await passes(self.link, self.link, subject))) {
      problems.push(`tenant ${self.tenantId} gets no messages to its own ${subject}`);
    }
  }
  for (const subject of other.subjects) {
    if (await passes(other.link, self.link, subject)) {
      problems.push(`tenant ${self.tenantId} gets messages to ${subject} of ${other.tenantId}`);
    }
    if (await passes(self.link, other.link, subject)) {
      problems.push(`tenant ${self.tenantId} sends messages to ${subject} of ${other.tenantId}`);
    }
  }
  return problems;
}

/** Whether a message gets from one connection to another. */
async function passes(from: NatsLink, to: NatsLink, subject: string): Promise<boolean> {
  let isReceived = false;
  const subscription = to.subscribe(subject, undefined, {
    onMessage: () => {
      isReceived = true;
    },
    onEnd: () => {},
  });
  await to.confirmed();
  await from.publish({ subject, data: new Uint8Array() }).catch(() => {}); // denied, as it may be
  await to.confirmed(); // what the server had for it came before that
  subscription.unsubscribe();
  return isReceived;
}
