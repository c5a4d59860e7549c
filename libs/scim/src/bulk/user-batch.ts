import type { JsonValue } from '@palisade/domain';
import type { PreparedCreate } from '../operations/resource-operations.js';

/** More than some dozens of users in one statement are hardly stored quicker, and keep others waiting. */
const MAX_USERS = 50;
/** Counts attributes as JSON. Large users take the database long, so fewer of them are stored together. */
const MAX_BYTES = 512 * 1024;

/** A user to be created, and which operation asks for it. */
export interface BatchedUser {
  readonly index: number;
  readonly user: PreparedCreate;
}

/**
 * Users that follow each other in a BulkRequest, to be stored together. None of them can stand in the way of another, so
 * that it does not matter to the answers in which order they are stored.
 */
export class UserBatch {
  private users: BatchedUser[] = [];
  /** What each of the users claims for itself alone. */
  private readonly claimed = new Set<string>();
  private bytes = 0;

  get size(): number {
    return this.users.length;
  }

  /** Whether a user has to wait until those in the batch are stored. */
  isClosedFor(user: PreparedCreate): boolean {
    return (
      this.users.length >= MAX_USERS ||
      this.bytes >= MAX_BYTES ||
      claimsOf(user).some((claim) => this.claimed.has(claim))
    );
  }

  add(index: number, user: PreparedCreate): void {
    this.users.push({ index, user });
    this.bytes += user.bytes;
    for (const claim of claimsOf(user)) {
      this.claimed.add(claim);
    }
  }

  /** Those in the batch, which is empty afterwards. */
  take(): readonly BatchedUser[] {
    const { users } = this;
    this.users = [];
    this.claimed.clear();
    this.bytes = 0;
    return users;
  }
}

function claimsOf({ id, draft: { externalId, search } }: PreparedCreate): string[] {
  return [
    claim('id', id),
    ...(externalId === undefined ? [] : [claim('externalId', externalId)]),
    claim('userName', search.userName),
  ];
}

function claim(attribute: string, value: JsonValue | undefined): string {
  return JSON.stringify([attribute, value ?? null]);
}
