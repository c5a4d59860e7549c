import { isObject, type AccessAnswerDocument, type CapPart } from '@palisade/domain';
import { ControlPlaneUnavailableError } from './control-plane.errors.js';

/** What a control plane answers to a registration and to a heartbeat. */
export interface HeartbeatAnswer {
  readonly heartbeatIntervalMs: number;
  /** By backend; absent from a control plane that hands out no parts of caps. */
  readonly caps?: Readonly<Record<string, CapPart>>;
}

/** @throws {ControlPlaneUnavailableError} when the answer does not come from a control plane */
export function readHeartbeatAnswer(answer: unknown): HeartbeatAnswer {
  const { heartbeat_interval_seconds: seconds, caps } = expectObject(answer, 'the answer to a heartbeat');
  if (!isCount(seconds) || seconds === 0) {
    throw new ControlPlaneUnavailableError('heartbeat_interval_seconds: expected a number above 0');
  }
  return { heartbeatIntervalMs: seconds * 1000, ...(caps !== undefined && { caps: readCaps(caps) }) };
}

function readCaps(value: unknown): Readonly<Record<string, CapPart>> {
  const parts = Object.entries(expectObject(value, 'caps'));
  return Object.fromEntries(parts.map(([backend, part]) => [backend, readPart(`caps.${backend}`, part)]));
}

function readPart(path: string, value: unknown): CapPart {
  const part = expectObject(value, path);
  const count = (name: keyof CapPart): number => {
    const number = part[name];
    if (!isCount(number)) {
      throw new ControlPlaneUnavailableError(`${path}.${name}: expected a number from 0 on`);
    }
    return number;
  };
  return {
    sequence: count('sequence'),
    limit: count('limit'),
    valid_seconds: count('valid_seconds'),
    base: count('base'),
    base_valid_seconds: count('base_valid_seconds'),
    ...(typeof part['reason'] === 'string' && { reason: part['reason'].slice(0, 200) }),
  };
}

/**
 * The answers to questions, in their order.
 *
 * @throws {ControlPlaneUnavailableError} when there are more or fewer, or one says neither yes nor no
 */
export function readAccessAnswers(answer: unknown, expected: number): AccessAnswerDocument[] {
  const { answers } = expectObject(answer, 'the answers about access');
  if (!Array.isArray(answers) || answers.length !== expected) {
    throw new ControlPlaneUnavailableError(`expected ${expected} answers about access`);
  }
  return answers.map(readAccessAnswer);
}

function readAccessAnswer(value: unknown): AccessAnswerDocument {
  const { allowed, user, because, reason } = expectObject(value, 'an answer about access');
  if (typeof allowed !== 'boolean') {
    throw new ControlPlaneUnavailableError('an answer about access says neither yes nor no');
  }
  return {
    allowed,
    ...(typeof user === 'string' && { user }),
    ...(isBecause(because) && { because: { groups: because.groups, relation: because.relation } }),
    ...(typeof reason === 'string' && { reason: reason.slice(0, 200) }),
  };
}

function isBecause(value: unknown): value is NonNullable<AccessAnswerDocument['because']> {
  return (
    isObject(value) &&
    typeof value['relation'] === 'string' &&
    Array.isArray(value['groups']) &&
    value['groups'].every((group) => typeof group === 'string')
  );
}

function expectObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) {
    throw new ControlPlaneUnavailableError(`${what}: expected an object`);
  }
  return value;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
