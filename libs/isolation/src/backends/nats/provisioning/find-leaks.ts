import { randomUUID } from 'node:crypto';
import type { NamespaceId } from '@palisade/domain';
import { NatsLink } from '../nats-link.js';
import type { NatsConnectOptions } from '../nats-options.js';
import { NatsNames } from '../subject-space.js';

/** A tenant, and how it connects. */
export interface NatsParty {
  readonly namespace: NamespaceId;
  readonly config: NatsConnectOptions;
}

const TIMEOUT_MS = 5_000;

/** A tenant that is connected. */
interface Connected {
  readonly namespace: NamespaceId;
  readonly link: NatsLink;
  /** Subjects that are its own: one for messages, one for replies. */
  readonly subjects: readonly string[];
}

/** What two tenants can do that they should not, and what they cannot that they should; empty when nothing is wrong. */
export async function findLeaks(one: NatsParty, other: NatsParty, names: NatsNames): Promise<string[]> {
  const links: NatsLink[] = [];
  const connect = async ({ namespace, config }: NatsParty): Promise<Connected> => {
    const inboxPrefix = NatsNames.inboxPrefix(namespace);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const link = await NatsLink.open({ connect: config, inboxPrefix, confirmTimeoutMs: TIMEOUT_MS }, signal);
    links.push(link);
    const token = `verify-${randomUUID()}`;
    return { namespace, link, subjects: [names.of(namespace).subject(token), `${inboxPrefix}.${token}`] };
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
      problems.push(`tenant ${self.namespace} gets no messages to its own ${subject}`);
    }
  }
  for (const subject of other.subjects) {
    if (await passes(other.link, self.link, subject)) {
      problems.push(`tenant ${self.namespace} gets messages to ${subject} of ${other.namespace}`);
    }
    if (await passes(self.link, other.link, subject)) {
      problems.push(`tenant ${self.namespace} sends messages to ${subject} of ${other.namespace}`);
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
