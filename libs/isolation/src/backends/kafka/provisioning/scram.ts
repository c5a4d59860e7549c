import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Connection } from '@platformatic/kafka';
import {
  alterUserScramCredentialsV0,
  describeUserScramCredentialsV0,
  ProtocolError,
  ScramMechanisms,
} from '../kafka-package.js';
import { findWithin } from '../kafka.errors.js';

export type ScramMechanism = 'SCRAM-SHA-256' | 'SCRAM-SHA-512';

const MECHANISMS = {
  'SCRAM-SHA-256': { id: ScramMechanisms.SCRAM_SHA_256, digest: 'sha256', bytes: 32 },
  'SCRAM-SHA-512': { id: ScramMechanisms.SCRAM_SHA_512, digest: 'sha512', bytes: 64 },
} as const;

/** Kafka takes 4,096 to 16,384. */
const ITERATIONS = 8_192;
const SALT_BYTES = 24;

const derive = promisify(pbkdf2);

/** Whether there is such a user, who can log in by this mechanism. */
export async function hasScramUser(connection: Connection, name: string, mechanism: ScramMechanism): Promise<boolean> {
  try {
    const { results } = await describeUserScramCredentialsV0.api.async(connection, [{ name }]);
    const { id } = MECHANISMS[mechanism];
    return results.some(({ credentialInfos }) => credentialInfos.some((credential) => credential.mechanism === id));
  } catch (error) {
    if (findWithin(error, isNotFound) !== undefined) {
      return false;
    }
    throw error;
  }
}

/** Makes the user, or gives it another password. What goes to the broker is derived from the password and a new salt. */
export async function setScramPassword(
  connection: Connection,
  name: string,
  mechanism: ScramMechanism,
  password: string,
): Promise<void> {
  const { id, digest, bytes } = MECHANISMS[mechanism];
  const salt = randomBytes(SALT_BYTES);
  const saltedPassword = await derive(password, salt, ITERATIONS, bytes, digest);
  const upsertion = { name, mechanism: id, iterations: ITERATIONS, salt, saltedPassword };
  await alterUserScramCredentialsV0.api.async(connection, [], [upsertion]);
}

export async function removeScramUser(connection: Connection, name: string, mechanism: ScramMechanism): Promise<void> {
  await alterUserScramCredentialsV0.api.async(connection, [{ name, mechanism: MECHANISMS[mechanism].id }], []);
}

function isNotFound(error: Error): error is ProtocolError {
  return error instanceof ProtocolError && error['apiId'] === 'RESOURCE_NOT_FOUND';
}
