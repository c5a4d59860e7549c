import type { TenantId } from '@palisade/domain';
import { InvalidNameError } from '../backend.errors.js';
import type { TenantNamespace } from '../../tenant-namespace.js';
import { completeFormat, parseNameTemplate, type NameTemplate } from '../name-template.js';
import { InvalidSettingsError } from '../../invalid-settings.error.js';

export interface NatsNameFormats {
  /** How subjects say whose they are. Default `tenant.{tenant_id}.{namespace}.{subject}`. */
  readonly subjectFormat?: string;
  /** How the names of streams and of their consumers do. Default `{tenant_id}_{namespace}_{name}`. */
  readonly streamFormat?: string;
}

/** The length of a subject as the caller names it; the protocol's lines hold 4,096 bytes. */
export const MAX_SUBJECT_LENGTH = 512;

const STREAM_NAME = /^[\w-]{1,128}$/;

/** As the servers name it, with tenant and namespace. */
const MAX_STREAM_LENGTH = 255;

/** Tenant, namespace and subject begin a token each, so that a user may be allowed all that is below a tenant. */
const TREE = /^(?:[\w-]+\.)*[\w-]*\{tenant_id\}\.(?:[\w-]+\.)*[\w-]*\{namespace\}\.(?:[\w-]+\.)*\{subject\}$/;
const FLAT = /^[\w-]*\{tenant_id\}_[\w-]*\{namespace\}_[\w-]*\{name\}$/;

/** What would end a subject or a line of the protocol, or could be taken for that. */
const SEPARATOR = /[\p{Cc}\p{Cs}\s]/u;

/** Templates for the names of all namespaces. */
export class NatsNames {
  readonly #subjects: NameTemplate;
  readonly #streams: NameTemplate;

  /** @throws {InvalidSettingsError} when a format is invalid */
  constructor({
    subjectFormat = 'tenant.{tenant_id}.{namespace}.{subject}',
    streamFormat = '{tenant_id}_{namespace}_{name}',
  }: NatsNameFormats) {
    this.#subjects = parseNameTemplate(subjectFormat, 'subject');
    this.#streams = parseNameTemplate(streamFormat, 'name');
    const isTree = TREE.test(completeFormat(subjectFormat, '{subject}'));
    const isFlat = FLAT.test(completeFormat(streamFormat, '{name}'));
    if (!isTree || !isFlat) {
      throw new InvalidSettingsError([
        ...(isTree ? [] : ['subjectFormat: expected tokens of letters, digits, "_" and "-", with "." between']),
        ...(isFlat
          ? []
          : ['streamFormat: expected letters, digits and "-", and "_" after {tenant_id} and {namespace}']),
      ]);
    }
  }

  of(owner: TenantNamespace): SubjectSpace {
    return new SubjectSpace(owner, this.#subjects, this.#streams);
  }

  /** The subjects that belong to a tenant, whatever the namespace: those of messages, and those of replies. */
  subjectsOf(tenantId: TenantId): readonly string[] {
    return [`${this.#subjects.tenantPrefix(tenantId)}>`, `${tenantInboxPrefix(tenantId)}.>`];
  }

  /** Below what the replies to a namespace's requests come. */
  static inboxPrefix({ tenantId, namespace }: TenantNamespace): string {
    return `${tenantInboxPrefix(tenantId)}.${namespace}`;
  }
}

/** The subjects, streams and consumers of one namespace. Whatever a caller names is in it. */
export class SubjectSpace {
  constructor(
    private readonly owner: TenantNamespace,
    private readonly subjects: NameTemplate,
    private readonly streams: NameTemplate,
  ) {}

  /** What the subjects of the namespace, and those of nobody else, begin with. */
  get prefix(): string {
    return this.subjects.prefix(this.owner);
  }

  /**
   * What the servers call a subject.
   *
   * @throws {InvalidNameError} when it is no subject (tokens with `.` between), or has wildcards
   */
  subject(name: string): string {
    requireTokens(name, (token) => !/[*>]/.test(token), 'no wildcards');
    return this.subjects.apply(this.owner, name);
  }

  /**
   * What the servers call subjects that a caller describes: `*` stands for one token, `>` at the end for one or more.
   *
   * @throws {InvalidNameError} when it describes no subjects
   */
  subjectPattern(pattern: string): string {
    const expected = '"*" and, at the end, ">" as whole tokens';
    requireTokens(pattern, (token, isLast) => !/[*>]/.test(token) || isWildcard(token, isLast), expected);
    return this.subjects.apply(this.owner, pattern);
  }

  /** What the namespace calls the subject; undefined when it is another's. */
  strip(subject: string): string | undefined {
    return this.subjects.strip(this.owner, subject);
  }

  /**
   * What the servers call a stream, or a consumer.
   *
   * @throws {InvalidNameError} when it is not 1 to 128 letters, digits, `_` and `-`
   */
  stream(name: string, kind: 'stream' | 'consumer' = 'stream'): string {
    if (typeof name !== 'string' || !STREAM_NAME.test(name)) {
      throw new InvalidNameError(`NATS ${kind}`, String(name), '1 to 128 letters, digits, "_" and "-"');
    }
    const full = this.streams.apply(this.owner, name);
    if (full.length > MAX_STREAM_LENGTH) {
      throw new InvalidNameError(
        `NATS ${kind}`,
        name,
        `at most ${MAX_STREAM_LENGTH - full.length + name.length} characters`,
      );
    }
    return full;
  }

  /** A queue group: those of different namespaces have nothing in common, as their subjects have not. */
  queue(name: string): string {
    if (typeof name !== 'string' || !STREAM_NAME.test(name)) {
      throw new InvalidNameError('NATS queue group', String(name), '1 to 128 letters, digits, "_" and "-"');
    }
    return name;
  }

  /** Whether replies may be sent there by who has that inbox: whoever asks is of the namespace then. */
  isOwnReply(subject: string, inboxPrefix: string): boolean {
    return subject.startsWith(`${inboxPrefix}.`) || this.strip(subject) !== undefined;
  }
}

function tenantInboxPrefix(tenantId: TenantId): string {
  return `_INBOX_${tenantId}`;
}

function isWildcard(token: string, isLast: boolean): boolean {
  return token === '*' || (token === '>' && isLast);
}

function requireTokens(
  name: unknown,
  isAllowed: (token: string, isLast: boolean) => boolean,
  expected: string,
): asserts name is string {
  if (typeof name !== 'string') {
    throw new InvalidNameError('NATS subject', typeof name, 'a text');
  }
  if (name === '' || name.length > MAX_SUBJECT_LENGTH) {
    throw new InvalidNameError('NATS subject', name, `1 to ${MAX_SUBJECT_LENGTH} characters`);
  }
  if (SEPARATOR.test(name)) {
    throw new InvalidNameError('NATS subject', name, 'no spaces and control characters');
  }
  const tokens = name.split('.');
  if (tokens.includes('')) {
    throw new InvalidNameError('NATS subject', name, 'no empty tokens');
  }
  if (!tokens.every((token, index) => isAllowed(token, index === tokens.length - 1))) {
    throw new InvalidNameError('NATS subject', name, expected);
  }
}
